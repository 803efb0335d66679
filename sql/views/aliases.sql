-- Which checkpoint is champion and which was before it, a model line: what would be served now?
CREATE OR REPLACE VIEW aliases AS
SELECT model, alias, checkpoint_id, release, sequence, decided_at
FROM pinned.registry
WHERE alias <> 'decision';

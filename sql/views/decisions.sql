-- Every gate decision of a model line in order, the rejected ones too: why is this one champion?
CREATE OR REPLACE VIEW decisions AS
SELECT model, sequence, checkpoint_id, release, moved_champion, decision, decided_at, decided_by
FROM pinned.registry
WHERE alias = 'decision';

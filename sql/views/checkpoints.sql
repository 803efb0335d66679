-- Trained checkpoints with release, base and config: what each was made from.
CREATE OR REPLACE VIEW checkpoints AS
FROM pinned.checkpoints;

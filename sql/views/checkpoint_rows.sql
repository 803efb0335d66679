-- The rows of each checkpoint in training order: was this row trained on?
CREATE OR REPLACE VIEW checkpoint_rows AS
FROM pinned.checkpoint_rows;

-- Scores of models, a metric a row: how good is it?
CREATE OR REPLACE VIEW evaluations AS
FROM pinned.evaluations;

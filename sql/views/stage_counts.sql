-- Rows and tokens a stage, source and rule, as published: what funnel is made of.
CREATE OR REPLACE VIEW stage_counts AS
FROM pinned.stage_counts;

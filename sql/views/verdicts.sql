-- What every stage decided, for each row that is not a plain keep: one place to ask what became of a row.
CREATE OR REPLACE VIEW verdicts AS
SELECT 1 AS position, 'ingest' AS stage, * FROM pinned.verdicts_ingest
UNION ALL BY NAME
SELECT 2 AS position, 'normalize' AS stage, * FROM pinned.verdicts_normalize
UNION ALL BY NAME
SELECT 3 AS position, 'sanitize' AS stage, * FROM pinned.verdicts_sanitize
UNION ALL BY NAME
SELECT 4 AS position, 'dedup' AS stage, * FROM pinned.verdicts_dedup
UNION ALL BY NAME
SELECT 5 AS position, 'decontaminate' AS stage, * FROM pinned.verdicts_decontaminate
UNION ALL BY NAME
SELECT 6 AS position, 'quality' AS stage, * FROM pinned.verdicts_quality
UNION ALL BY NAME
SELECT 7 AS position, 'split' AS stage, * FROM pinned.verdicts_split
UNION ALL BY NAME
SELECT 8 AS position, 'preference' AS stage, * FROM pinned.verdicts_preference;

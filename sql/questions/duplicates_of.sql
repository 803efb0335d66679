-- Which rows are copies of this one? All that lost to the row that was kept.
-- First: SET VARIABLE row_id = '<row id>';
WITH kept AS (
    SELECT coalesce(
        (SELECT any_value(matched_id) FROM verdicts WHERE stage = 'dedup' AND row_id = getvariable('row_id')),
        getvariable('row_id')
    ) AS row_id
)
SELECT d.row_id, d.source, d.rule, d.score, d.matched_id AS kept_row_id
FROM verdicts AS d
INNER JOIN kept ON d.matched_id = kept.row_id
WHERE d.stage = 'dedup' AND d.decision = 'drop'
ORDER BY d.score DESC, d.row_id;

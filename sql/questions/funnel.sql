-- Where did the rows and tokens go? A line a stage, and a line for each rule that turned rows away.
-- For one source first: SET VARIABLE source = '<source id>';
SELECT
    layer,
    stage,
    decision,
    rule,
    CAST(sum(rows) AS BIGINT) AS rows,
    CASE WHEN count(tokens) = count(*) THEN CAST(sum(tokens) AS BIGINT) END AS tokens
FROM funnel
WHERE getvariable('source') IS NULL OR source = getvariable('source')
GROUP BY position, layer, stage, decision, rule
ORDER BY
    position,
    list_position(['in', 'kept', 'redact', 'keep', 'drop', 'park'], decision),
    rows DESC,
    rule;

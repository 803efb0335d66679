-- Why was this row dropped? Each verdict on it in stage order. First: SET VARIABLE row_id = '<row id>';
SELECT stage, source, decision, rule, rules, score, matched_id, spans
FROM verdicts
WHERE row_id = getvariable('row_id')
ORDER BY position;

-- Which detectors were judged by a person, and how often were they right? The latest judgement of a finding counts.
WITH found AS (
    SELECT row_id, span.category, span.detector, span.path, span."start", span."end"
    FROM (SELECT row_id, unnest(spans) AS span FROM verdicts WHERE stage = 'sanitize')
),
judged AS (
    FROM judgements
    SELECT row_id, category, detector, path, "start", "end", judged
    QUALIFY row_number() OVER (
        PARTITION BY row_id, category, detector, path, "start", "end" ORDER BY judged_at DESC, who
    ) = 1
)
SELECT
    category,
    detector,
    count(*) AS findings,
    count(judged) AS judged,
    count(*) FILTER (WHERE judged = 'right') AS "right",
    count(*) FILTER (WHERE judged = 'wrong') AS wrong
FROM found
LEFT JOIN judged USING (row_id, category, detector, path, "start", "end")
GROUP BY ALL
ORDER BY findings DESC, category, detector;

-- Rows and tokens that each stage took in, kept and turned away, a source and rule: where did the data go?
-- `in` and `kept` are totals of a stage; `redact` and `keep` (flagged) are parts of `kept`. Tokens are null
-- where a part of them is not known.
CREATE OR REPLACE VIEW funnel AS
WITH stages (position, stage, layer) AS (
    VALUES
        (1, 'ingest', 'raw'),
        (2, 'normalize', 'conversations'),
        (3, 'sanitize', 'sanitized'),
        (4, 'dedup', 'deduped'),
        (5, 'decontaminate', 'decontaminated'),
        (6, 'quality', 'curated'),
        (7, 'split', 'sft_train'),
        (8, 'preference', 'preference_pairs')
),
lines AS (
    SELECT stage, source, decision, rule, rows, tokens
    FROM pinned.stage_counts
    WHERE NOT (decision = 'keep' AND rule = '')
    UNION ALL
    SELECT
        stage,
        source,
        'kept' AS decision,
        '' AS rule,
        sum(rows) FILTER (decision IN ('keep', 'redact')) AS rows,
        CASE
            WHEN count(*) FILTER (decision IN ('keep', 'redact') AND tokens IS NULL) = 0
                THEN sum(tokens) FILTER (decision IN ('keep', 'redact'))
        END AS tokens
    FROM pinned.stage_counts
    GROUP BY stage, source
)
SELECT
    position,
    layer,
    stage,
    source,
    decision,
    rule,
    CAST(coalesce(rows, 0) AS BIGINT) AS rows,
    CAST(tokens AS BIGINT) AS tokens
FROM lines
INNER JOIN stages USING (stage);

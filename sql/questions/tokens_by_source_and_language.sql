-- How much is there of each language? Rows and tokens of the train set, a source, language and tokenizer.
SELECT
    rows.source,
    coalesce(rows.language, '(none)') AS language,
    token_counts.tokenizer_hash,
    count(*) AS rows,
    CASE WHEN count(tokens) = count(*) THEN CAST(sum(tokens) AS BIGINT) END AS tokens
FROM sft_train AS rows
LEFT JOIN token_counts USING (source, content_hash)
GROUP BY rows.source, rows.language, token_counts.tokenizer_hash
ORDER BY rows.source, tokens DESC, language;

-- Tokens of each content once a source, so that a join on (source, content_hash) never multiplies rows.
CREATE OR REPLACE VIEW token_counts AS
SELECT source, content_hash, tokenizer_hash, any_value(tokens) AS tokens
FROM pinned.token_counts
GROUP BY source, content_hash, tokenizer_hash;

-- Sanitized rows without their copies: compare with sanitized to see what dedup removed.
CREATE OR REPLACE VIEW deduped AS
FROM pinned.deduped;

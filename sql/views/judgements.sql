-- What persons said of the findings of the sanitize stage: right, wrong or unsure, who and when; no text.
CREATE OR REPLACE VIEW judgements AS
FROM pinned.judgements;

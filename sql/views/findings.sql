-- Where private and secret values stood: category, detector, span and keyed fingerprint, never the value.
CREATE OR REPLACE VIEW findings AS
SELECT row_id, source, category, detector, confidence, path, "start", "end", occurrence, fingerprint, action
FROM pinned.findings;

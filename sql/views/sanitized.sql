-- Rows with private and secret spans replaced: the first layer anyone may read.
CREATE OR REPLACE VIEW sanitized AS
FROM pinned.sanitized;

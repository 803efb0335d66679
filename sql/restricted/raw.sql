-- Records as they were read, not sanitized: opened only with a reason, which is recorded.
CREATE OR REPLACE VIEW raw AS
FROM pinned.raw;

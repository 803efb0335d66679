-- Records as conversations, not sanitized: opened only with a reason, which is recorded.
CREATE OR REPLACE VIEW conversations AS
FROM pinned.conversations;

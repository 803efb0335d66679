-- What did a model write for a problem, and what became of the program? Nothing here has been sanitized.
CREATE OR REPLACE VIEW generations AS
FROM pinned.generations;

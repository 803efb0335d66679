-- Candidates that a person let through although checks of their audit had failed: which, who, when and why.
CREATE OR REPLACE VIEW acceptances AS
FROM pinned.acceptances;

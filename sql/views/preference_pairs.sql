-- Which right and wrong answers stand side by side, and what proves them?
CREATE OR REPLACE VIEW preference_pairs AS
FROM pinned.preference_pairs;

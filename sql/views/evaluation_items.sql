-- Scores item by item, so that two models can be compared in pairs.
CREATE OR REPLACE VIEW evaluation_items AS
FROM pinned.evaluation_items;

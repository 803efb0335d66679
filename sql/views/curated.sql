-- Rows that passed every curation stage: what training sets are chosen from.
CREATE OR REPLACE VIEW curated AS
FROM pinned.curated;

-- Deduplicated rows that hold no benchmark item, so that scores mean something.
CREATE OR REPLACE VIEW decontaminated AS
FROM pinned.decontaminated;

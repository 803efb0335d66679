-- Rows kept out of training by distribution, with their near copies, to measure on.
CREATE OR REPLACE VIEW sft_heldout AS
FROM pinned.sft_heldout;

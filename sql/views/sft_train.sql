-- Rows chosen for supervised fine-tuning: what a release pins and a checkpoint sees.
CREATE OR REPLACE VIEW sft_train AS
FROM pinned.sft_train;

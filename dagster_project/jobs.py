"""Jobs by what a user wants done."""

import dagster as dg

CURATE = ["raw", "conversations", "sanitized", "dedup_verdicts", "deduped", "decontaminated", "curated"]
TRAIN = ["sft_train", "sft_heldout", "preference_pairs", "release", "checkpoint", "dpo_checkpoint"]
EVALUATE = ["evaluation", "registry"]

JOBS = [
    dg.define_asset_job(
        "curate",
        selection=CURATE,
        description="One source through every curation layer. Several at once: `winnow backfill`.",
    ),
    dg.define_asset_job(
        "train",
        selection=TRAIN,
        description="Split, pair, release and train on what is curated now: SFT, then DPO.",
    ),
    dg.define_asset_job(
        "evaluate",
        selection=EVALUATE,
        description="Score the checkpoint, decide at the gate, move the aliases.",
    ),
]

"""The two ways of asking HumanEval, on the same problems: what passes, what an answer is like, what it costs.

python -m benchmarks.humaneval_forms [--items 16] [--tokens 256] [--base smollm2]
"""

import argparse
import os
import resource
import tempfile
from pathlib import Path
from typing import get_args

from evaluation.humaneval.job import HumanEvalJob, HumanEvalSettings
from evaluation.humaneval.prompts import Form
from evaluation.humaneval.score import ModelScore, score
from evaluation.model_job import ModelRef
from evaluation.outcomes import NotRun
from training.base import BaseModel, as_dict, resolve_base


def asked(base: BaseModel, settings: HumanEvalSettings) -> tuple[ModelScore, float]:
    """The base's score, and the CPU seconds of it all: loading, writing and grading."""
    before = _cpu_seconds()
    with tempfile.TemporaryDirectory(prefix="winnow-forms-") as folder:
        job = HumanEvalJob.write(
            Path(folder) / "job.json",
            base=as_dict(base),
            models=[ModelRef(name="base", hash=base.weights_hash)],
            output=Path(folder) / "output",
            settings=settings,
            threads=len(os.sched_getaffinity(0)),
        )
        found = score(job, slots=len(os.sched_getaffinity(0)))
    if isinstance(found, NotRun):
        raise SystemExit(f"not run: {found.fix}")
    return found["base"], _cpu_seconds() - before


def _cpu_seconds() -> float:
    spent = [resource.getrusage(of) for of in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in spent)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--items", type=int, default=16)
    parser.add_argument("--tokens", type=int, default=256)
    parser.add_argument("--base", default="smollm2", help="`smollm2`, `tiny`, or the directory of a model")
    options = parser.parse_args()
    base = resolve_base(options.base)
    print(f"{options.items} problems, {options.tokens} tokens at most, {options.base}, greedy")
    print(f"{'form':<12}{'passed':>7}{'cut off':>9}{'CPU s':>8}  tokens of those that passed")
    for form in get_args(Form):
        settings = HumanEvalSettings(form=form, max_items=options.items, max_new_tokens=options.tokens)
        found, seconds = asked(base, settings)
        cut = sum(g.generation.ending == "length" for g in found.graded)
        lengths = sorted(g.generation.tokens for g in found.graded if g.passed)
        told = ", ".join(map(str, lengths)) or "-"
        print(f"{form:<12}{len(lengths):>7}{cut:>9}{seconds:>8.0f}  {told}", flush=True)


if __name__ == "__main__":
    main()

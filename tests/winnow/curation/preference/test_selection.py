"""Laws of what is run, and on which side it lies, over functions of a few distributions that copy each other."""

import random
from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from documented_rows import batches, row
from hypothesis import given, settings
from hypothesis import strategies as st
from near_copies import shingles_of

from winnow.curation.preference import PreferenceConfig, Selection, select
from winnow.curation.preference.functions import DocumentedFunction, documented_function
from winnow.curation.split import HeldoutIndex, SplitConfig, build_heldout_index

WORDS = ("alpha", "beta", "gamma", "delta", "count", "total", "left", "right")


def function_text(topic: int, changes: int) -> str:
    """Functions of one topic share all but `changes` of twelve lines, those of two topics next to nothing."""
    rng = random.Random(topic)
    lines = [
        f"    {rng.choice(WORDS)}_{topic} = f{topic}({rng.choice(WORDS)}, {rng.random()})" for _ in range(12)
    ]
    for line in range(changes):
        lines[line] = f"    changed_{topic}_{line} = {topic} << {changes}"
    body = "\n".join(lines)
    return (
        f'def f{topic}(a):\n    """Says {topic}.\n\n    >>> f{topic}(1)\n    2\n    """\n{body}\n    return a'
    )


@st.composite
def layers(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Functions of a few sources and distributions; some without doctests, of other versions, of no function."""
    rows = []
    for number in range(draw(st.integers(0, 24))):
        text = function_text(draw(st.integers(0, 5)), draw(st.integers(0, 11)))
        kind = draw(st.sampled_from(["doctest"] * 6 + ["plain", "other", "none"]))
        made = row(
            text.replace(">>>", "$") if kind == "plain" else text,
            path=f"m{number}.py",
            distribution=f"d{draw(st.integers(0, 5))}",
            version="2" if kind == "other" else "1",
            source=draw(st.sampled_from(["alpha", "beta"])),
        )
        rows.append({**made, "meta": None} if kind == "none" else made)
    return rows


INSTALLED = {f"d{n}": "1" for n in range(5)}
splits = st.builds(
    SplitConfig,
    seed=st.integers(0, 99),
    heldout_fraction=st.sampled_from([0.01, 0.3, 0.8]),
    max_heldout_rows=st.sampled_from([2, 1000]),
)
configs = st.builds(
    PreferenceConfig,
    heldout_fraction=st.sampled_from([0.1, 0.5]),
    functions_per_group=st.sampled_from([1, 3, 100]),
    skipped_distributions=st.sampled_from([(), ("d1",)]),
)


class Chosen:
    def __init__(
        self, rows: Sequence[dict[str, Any]], split: SplitConfig, config: PreferenceConfig, size: int = 3
    ) -> None:
        parts = batches(rows, size)

        def scan(columns: Sequence[str]) -> Iterable[Any]:
            return (part.select(list(columns)) for part in parts)

        self.rows, self.split, self.config = rows, split, config
        self.index: HeldoutIndex = build_heldout_index(scan, split)
        self.made: Selection = select(parts, self.index, split, config, INSTALLED)

    def functions(self) -> list[DocumentedFunction]:
        """Of all rows, those that could be run."""
        made = [documented_function(r) for r in self.rows]
        return [
            f
            for f in made
            if isinstance(f, DocumentedFunction)
            and f.distribution not in self.config.skipped_distributions
            and INSTALLED.get(f.distribution) == f.version
        ]

    def under(self, rule: str) -> set[str]:
        return {r["row_id"] for r in self.rows if self.made.rule(r) == rule}

    def on(self, side: str) -> list[DocumentedFunction]:
        return [f for f in self.made.functions.values() if self.made.splits[f.distribution] == side]


@given(layers(), splits, configs)
def test_every_row_is_run_or_has_one_rule(
    rows: list[dict[str, Any]], split: SplitConfig, config: PreferenceConfig
):
    chosen = Chosen(rows, split, config)
    for r in rows:
        rule, made = chosen.made.rule(r), documented_function(r)
        assert (rule is None) == (r["row_id"] in chosen.made.functions)
        if isinstance(made, str):
            assert rule == made
        elif made.distribution in config.skipped_distributions:
            assert rule == "skipped-distribution"
        elif INSTALLED.get(made.distribution) != made.version:
            assert rule == "other-version"
        else:
            assert rule in (None, "not-sampled", "heldout-near-copy")
    assert [f.row_id for s in ("alpha", "beta") for f in chosen.made.of(s)] == sorted(
        chosen.made.functions, key=lambda i: (chosen.made.functions[i].source, i)
    )


@given(layers(), splits, configs)
def test_of_a_distribution_the_lowest_by_hash_are_sampled(
    rows: list[dict[str, Any]], split: SplitConfig, config: PreferenceConfig
):
    chosen = Chosen(rows, split, config)
    drawn = {f.row_id: chosen.index.plan.draw("preference", f.row_id) for f in chosen.functions()}
    sampled = set()
    for name in INSTALLED:
        own = sorted((f.row_id for f in chosen.functions() if f.distribution == name), key=drawn.__getitem__)
        sampled |= set(own[: config.functions_per_group])
    assert sampled == set(chosen.made.functions) | chosen.under("heldout-near-copy")
    assert chosen.under("not-sampled") == set(drawn) - sampled


def contained(a: str, b: str) -> float:
    first, second = shingles_of(a), shingles_of(b)
    return len(first & second) / min(len(first), len(second)) if first and second else 0.0


@settings(max_examples=60)
@given(layers(), splits, configs)
def test_nothing_that_is_trained_is_near_to_what_is_held_out_and_nothing_else_is_withheld(
    rows: list[dict[str, Any]], split: SplitConfig, config: PreferenceConfig
):
    chosen = Chosen(rows, split, config)
    texts = {r["row_id"]: "\n".join(m["content"] for m in r["messages"]) for r in rows}
    evaluated = [texts[name] for name in chosen.index.row_ids]
    heldout = [f.text for f in chosen.on("heldout")]
    near = chosen.under("heldout-near-copy")
    for function in chosen.functions():
        if chosen.made.splits.get(function.distribution) != "train":
            assert function.row_id not in near
            continue
        score = max((contained(function.text, text) for text in (*heldout, *evaluated)), default=0.0)
        if function.row_id in chosen.made.functions:
            assert score < split.containment
        elif function.row_id in near:
            assert score >= split.containment


@given(layers(), splits, configs)
def test_what_the_train_sets_hold_out_is_held_out_here(
    rows: list[dict[str, Any]], split: SplitConfig, config: PreferenceConfig
):
    chosen = Chosen(rows, split, config)
    for name, side in chosen.made.splits.items():
        assert side == "heldout" or not chosen.index.plan.is_heldout(name)
    more = Chosen(rows, split, config.model_copy(update={"heldout_fraction": 0.95}))
    for name, side in chosen.made.splits.items():
        assert side == "train" or more.made.splits[name] == "heldout"


@given(layers(), st.sampled_from([(), ("d0",), ("d0", "d3")]))
def test_groups_that_are_named_are_held_out(rows: list[dict[str, Any]], named: tuple[str, ...]):
    chosen = Chosen(rows, SplitConfig(heldout_groups=named), PreferenceConfig(heldout_fraction=1e-9))
    if named:
        assert {n for n, side in chosen.made.splits.items() if side == "heldout"} == {*named} & {
            *chosen.made.splits
        }


@given(layers(), splits, configs, st.integers(1, 5), st.randoms())
def test_order_and_batches_do_not_matter(
    rows: list[dict[str, Any]], split: SplitConfig, config: PreferenceConfig, size: int, rng: random.Random
):
    one, other = Chosen(rows, split, config), Chosen(rng.sample(rows, len(rows)), split, config, size)
    assert one.made == other.made
    for source in ("alpha", "beta", "gamma"):
        assert one.made.of(source) == other.made.of(source)
        assert one.made.digest(source) == other.made.digest(source)


def test_about_the_fraction_of_distributions_is_held_out():
    names = [f"d{n}" for n in range(400)]
    rows = [row(function_text(n, 0), path=f"m{n}.py", distribution=name) for n, name in enumerate(names)]
    parts = batches(rows, 100)
    split = SplitConfig()
    index = build_heldout_index(lambda columns: (p.select(list(columns)) for p in parts), split)
    made = select(parts, index, split, PreferenceConfig(), dict.fromkeys(names, "1"))
    assert 0.28 < sum(side == "heldout" for side in made.splits.values()) / 400 < 0.42


@pytest.mark.parametrize("change", ["text", "rule", "side", "version"])
def test_the_digest_of_a_source_moves_with_what_its_pairs_and_verdicts_hang_on(change: str):
    def digest_of(changed: bool) -> tuple[str, str]:
        rows = [
            row(function_text(n, 0), path=f"m{n}.py", distribution=f"d{n}", source="alpha") for n in range(3)
        ]
        rows.append(row(function_text(4, 0), path="b.py", distribution="d4", source="beta"))
        split, config = SplitConfig(heldout_groups=("d2",)), PreferenceConfig(heldout_fraction=1e-9)
        if changed and change == "text":
            rows[0]["messages"][-1]["content"] = rows[0]["messages"][-1]["content"].replace(
                "return a", "return  a"
            )
        if changed and change == "side":
            split = SplitConfig(heldout_groups=("d1", "d2"))
        if changed and change in ("rule", "version"):
            old, new = ('"version": "1"', '"version": "2"') if change == "version" else ("d1", "gone")
            rows[1]["meta"] = rows[1]["meta"].replace(old, new)
        made = Chosen(rows, split, config).made
        return made.digest("alpha"), made.digest("beta")

    (before, other), (after, same) = digest_of(False), digest_of(True)
    assert before != after
    assert other == same


@pytest.mark.parametrize("meta", ['no JSON but "qualname"', '["qualname"]', '{"qualname": 1}'])
def test_meta_of_another_form_stops_nothing(meta: str):
    rows = [row(function_text(0, 0)), {**row(function_text(1, 0), path="b.py"), "meta": meta}]
    made = Chosen(rows, SplitConfig(heldout_groups=("x",)), PreferenceConfig()).made
    assert made.rule(rows[1]) == "no-function"

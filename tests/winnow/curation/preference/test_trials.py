"""Which functions become pairs, and under which rule the others fall; all of it in real boxes."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from documented_rows import WrittenModules

from winnow.core.identity import digest
from winnow.curation.preference import PreferenceConfig, find_pairs
from winnow.curation.preference.functions import DocumentedFunction
from winnow.curation.preference.mutations import mutants
from winnow.curation.preference.runner import Runner
from winnow.curation.preference.trials import Pair, Run
from winnow.sandbox import Sandbox

MODULE = '''
import os, time

def value(a, b):
    """
    >>> value(1, 5)
    6
    """
    return a + b

def only_raises(items):
    """
    >>> only_raises({1: 'x'})
    'x'
    """
    return items[1]

def equal_whatever(a):
    """
    >>> equal_whatever(1)
    1
    """
    waste = 5
    return a

def leaves_a_folder(a):
    """
    >>> leaves_a_folder('made')
    'made'
    """
    waste = 5
    os.mkdir(a) if waste >= 1 else None
    return a

def wrong(a):
    """
    >>> wrong(1)
    3
    """
    return a + 1

def seldom_right(a):
    """
    >>> seldom_right(1)
    2
    """
    return a + 1 if int.from_bytes(os.urandom(2), 'big') < 9 else 0

def nothing_to_break(a):
    """
    >>> nothing_to_break(1)
    1
    """
    return a

def slow(a):
    """
    >>> slow(1)
    2
    """
    while True: a += 1

def ends_itself(a):
    """
    >>> ends_itself(1)
    2
    """
    os._exit(0)

def endless_when_broken(a):
    """
    >>> endless_when_broken(3)
    3
    """
    while a != 3: pass
    return a

class Twice:
    def method(self):
        """
        >>> Twice().method()
        2
        """
        return 1 + 1
    other = method

    def method(self):
        """
        >>> Twice().method()
        2
        """
        return 1 + 1
'''
RULES = {
    "equal_whatever": "equivalent-mutants",
    "leaves_a_folder": "equivalent-mutants",
    "wrong": "doctest-fails",
    "seldom_right": "doctest-fails",
    "nothing_to_break": "no-mutant",
    "slow": "doctest-too-slow",
    "ends_itself": "doctest-fails",
    "endless_when_broken": "equivalent-mutants",
    "Twice.method": "function-not-found",
}


@pytest.fixture(scope="module")
def functions(modules: WrittenModules) -> dict[str, DocumentedFunction]:
    return modules.functions(MODULE)


@pytest.fixture(scope="module")
def found(
    functions: dict[str, DocumentedFunction],
    sandbox: Sandbox,
    modules: WrittenModules,
    config: PreferenceConfig,
) -> dict[str, Pair | str]:
    asked = list(functions.values())
    heard: list[int] = []
    found = find_pairs(asked, config, sandbox, [modules.folder], heard.append)
    assert sorted(found) == sorted(f.row_id for f in asked)
    assert sum(heard) == len(asked)
    return found


@pytest.mark.parametrize("name", RULES)
def test_a_function_without_a_pair_falls_under_its_rule(
    name: str, functions: dict[str, DocumentedFunction], found: dict[str, Pair | str]
):
    assert found[functions[name].row_id] == RULES[name]


def test_the_others_are_pairs(functions: dict[str, DocumentedFunction], found: dict[str, Pair | str]):
    pairs = {name for name, f in functions.items() if isinstance(found[f.row_id], Pair)}
    assert pairs == {"value", "only_raises"} == set(functions) - set(RULES)


def test_one_slot_finds_what_two_find(
    functions: dict[str, DocumentedFunction], found: dict[str, Pair | str], modules: WrittenModules
):
    quick = [
        functions[name] for name in ("value", "only_raises", "equal_whatever", "wrong", "nothing_to_break")
    ]
    spread = [replace(f, distribution=f"d{n}") for n, f in enumerate(quick)]
    with Sandbox(1, read_only=[modules.folder]) as one:
        again = find_pairs(spread[::-1], PreferenceConfig(), one, [modules.folder])
    assert again == {f.row_id: found[f.row_id] for f in quick}


MANY = '''
def bounded(a, low=0, high=9):
    """
    >>> [bounded(n) for n in (-1, 0, 5, 9, 10)]
    [0, 0, 5, 9, 9]
    """
    if a < low:
        return low
    return high if a > high else a

def pairwise(items):
    """
    >>> pairwise('abc')
    ['ab', 'bc']
    """
    found = []
    for n in range(len(items) - 1):
        found.append(items[n] + items[n + 1])
    return found

def named(items, key):
    """
    >>> named({'a': 1}, 'a'), named({}, 'a')
    (1, None)
    """
    if key not in items:
        return None
    return items[key]

def parted(text, mark=':'):
    """
    >>> parted('a:b:c')
    ('a', 'b:c')
    """
    at = text.index(mark)
    return text[:at], text[at + 1:]
'''


def test_the_first_wrong_value_is_preferred_to_any_exception(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    functions = list(modules.functions(MANY).values())
    found = find_pairs(functions, config, sandbox, [modules.folder])
    kinds = set()
    with Runner(sandbox, config, [modules.folder], 0, 100) as runner:
        for function in functions:
            tried = list(mutants(function.text, digest([config.seed, function.row_id])))[
                : config.mutants_tried
            ]
            runs = [runner.ask(function, mutant.text) for mutant in tried]
            failing = [n for n, run in enumerate(runs) if run.failed]
            values = [n for n in failing if runs[n].outcome.failure == "value"]
            pair = found[function.row_id]
            assert isinstance(pair, Pair)
            best = values[0] if values else failing[0]
            assert pair.mutant == tried[best]
            assert pair.failure == runs[best].outcome
            assert pair.tried == (values[0] + 1 if values else len(tried))
            kinds.add(pair.failure.failure)
    assert "value" in kinds


def test_each_pair_holds_in_a_box_of_its_own(
    functions: dict[str, DocumentedFunction],
    found: dict[str, Pair | str],
    sandbox: Sandbox,
    modules: WrittenModules,
    config: PreferenceConfig,
):
    def alone(function: DocumentedFunction, text: str) -> Run:
        with Runner(sandbox, config, [modules.folder], 5, 1) as runner:
            return runner.ask(function, text)

    for function in functions.values():
        pair = found[function.row_id]
        if isinstance(pair, Pair):
            assert alone(function, function.text).passed
            assert alone(function, pair.mutant.text).failed


def order_under(seed: int, of: str) -> list[str]:
    """A set of strings as Python lists it under a hash seed."""
    code = f"import json; print(json.dumps(list({{*{of!r}}})))"
    said = subprocess.check_output([sys.executable, "-c", code], env={"PYTHONHASHSEED": str(seed)})
    return list(json.loads(said))


def test_a_doctest_that_hangs_on_the_hash_seed_is_flaky(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    function = modules.function(
        f'def f(a):\n    """\n    >>> f("abcdef")\n    {order_under(0, "abcdef")}\n    """\n    return [*{{*a}}][0:]\n'
    )
    assert find_pairs([function], config, sandbox, [modules.folder]) == {function.row_id: "doctest-flaky"}
    once = config.model_copy(update={"hash_seeds": (0,)})
    assert isinstance(find_pairs([function], once, sandbox, [modules.folder])[function.row_id], Pair)


def test_a_fault_that_shows_under_one_hash_seed_only_is_flaky(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    function = modules.function(
        'def f(a):\n    """\n    >>> f({*"ab"})\n    [\'a\', \'b\']\n    """\n    found = list(a)\n    found.sort()\n    return found\n'
    )
    sorted_under = {seed: order_under(seed, "ab") == ["a", "b"] for seed in range(12)}
    shown, hidden = (
        next(s for s, is_sorted in sorted_under.items() if is_sorted is want) for want in (False, True)
    )
    seeds = config.model_copy(update={"hash_seeds": (shown, hidden)})
    assert find_pairs([function], seeds, sandbox, [modules.folder]) == {function.row_id: "mutant-flaky"}
    seeds = config.model_copy(update={"hash_seeds": (hidden, shown)})
    assert find_pairs([function], seeds, sandbox, [modules.folder]) == {function.row_id: "equivalent-mutants"}

"""Functions share boxes within their distribution, and nowhere else."""

from documented_rows import WrittenModules, claiming

from winnow.curation.preference import PreferenceConfig, find_pairs
from winnow.curation.preference.boxes import CHUNK
from winnow.curation.preference.trials import Pair
from winnow.sandbox import Sandbox

GOOD = 'def f(a):\n    """\n    >>> f(1)\n    2\n    """\n    return a + 1\n'
# Whoever is imported in a box may rewrite what runs there.
LIAR = """
import sys
guest = sys.modules['__main__']
guest.run = lambda module, function, code, examples, pipe: pipe.write('{"printed": "2\\\\n", "raised": null}\\nend\\n') and pipe.flush()
"""


def test_a_module_can_lie_about_its_own_distribution_only(
    sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig
):
    liar, good = modules.function(GOOD), modules.function(GOOD)
    (modules.folder / f"{liar.module}.py").write_text(LIAR + GOOD)
    liar, good = claiming(liar, distribution="a", row_id="a"), claiming(good, distribution="b", row_id="b")
    found = find_pairs([liar, good], config, sandbox, [modules.folder])
    assert found["a"] == "equivalent-mutants"
    assert isinstance(found["b"], Pair)


def test_more_functions_than_a_box_takes(sandbox: Sandbox, modules: WrittenModules, config: PreferenceConfig):
    names = [f"f{n}" for n in range(2 * CHUNK + 1)]
    text = "\n".join(GOOD.replace("f(", f"{name}(") for name in names)
    functions = list(modules.functions(text).values())
    heard: list[int] = []
    found = find_pairs(functions, config, sandbox, [modules.folder], heard.append)
    assert heard == [CHUNK, CHUNK, 1]
    assert all(isinstance(pair, Pair) for pair in found.values())
    assert len(found) == len(names)


def test_nothing_to_run_runs_nothing(sandbox: Sandbox, config: PreferenceConfig):
    assert find_pairs([], config, sandbox, []) == {}

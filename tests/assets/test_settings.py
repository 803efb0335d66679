from pathlib import Path

import pytest

from assets.settings import winnow_config
from winnow.core.errors import ConfigError


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("WINNOW_CONFIG", raising=False)
    (tmp_path / "sanitize.yaml").write_text("policies: {email_address: flag}\n")
    monkeypatch.setenv("WINNOW_SANITIZE", str(tmp_path / "sanitize.yaml"))
    return tmp_path


def test_the_sanitizer_has_a_file_of_its_own(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert winnow_config().sanitize.policies == {"email_address": "flag"}
    (files / "winnow.yaml").write_text("tokenizer: bytes\n")
    monkeypatch.setenv("WINNOW_CONFIG", str(files / "winnow.yaml"))
    both = winnow_config()
    assert (both.tokenizer, both.sanitize.policies) == ("bytes", {"email_address": "flag"})


def test_two_files_that_set_the_sanitizer_are_refused(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (files / "winnow.yaml").write_text("sanitize: {names: false}\n")
    monkeypatch.setenv("WINNOW_CONFIG", str(files / "winnow.yaml"))
    with pytest.raises(ConfigError, match="Keep it in one of them"):
        winnow_config()

import subprocess
import sys

import pytest

from winnow.core.errors import ConfigError
from winnow.curation.sanitize.names import model


def test_presidio_names_persons_and_places():
    (found,) = model.entities(["Yesterday John Smith flew to London."])
    assert {(r.entity_type, r.start, r.end) for r in found} == {("PERSON", 10, 20), ("LOCATION", 29, 35)}


def test_only_the_entity_recogniser_runs():
    model.entities(["warm"])
    assert model._engine().analyzer_engine.nlp_engine.get_nlp("en").pipe_names == ["tok2vec", "ner"]


def test_a_missing_package_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "presidio_analyzer", None)
    model._engine.cache_clear()
    with pytest.raises(ConfigError, match="make setup"):
        model.entities(["text"])
    model._engine.cache_clear()


def test_a_missing_model_is_told_with_its_remedy(monkeypatch):
    monkeypatch.setattr(model, "MODEL", "en_core_web_none")
    model._engine.cache_clear()
    with pytest.raises(ConfigError, match="en_core_web_none is not installed"):
        model.entities(["text"])
    model._engine.cache_clear()


def test_the_model_brings_no_torch_along_and_leaves_it_importable() -> None:
    program = (
        "import sys; from winnow.curation.sanitize.names import model; "
        "assert model.entities(['Ask Ben Gertzfield.'])[0]; "
        "assert not {'torch', 'transformers'} & set(sys.modules), 'imported'; import torch"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")

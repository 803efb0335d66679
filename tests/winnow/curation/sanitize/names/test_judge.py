import pytest

from winnow.curation.sanitize.names.judge import decide, needs_model
from winnow.curation.sanitize.names.shapes import candidates


def only(text):
    (candidate,) = candidates(text, 0, len(text))
    return text, candidate


@pytest.mark.parametrize(
    ("text", "label", "expected"),
    [
        ("ask Siobhan Kovalenko", None, True),
        ("the tests of Siobhan Kovalenko", "ORGANIZATION", True),
        ("they said Zorblatt Kowalik was in", "PERSON", True),
        ("they said Zorblatt Kowalik was in", "LOCATION", False),
        ("the Zorblatt Kowalik was in", None, False),
        ("Zorblatt Kowalik's theorem", "PERSON", False),
        ("use Zorblatt here", "PERSON", False),
        ("please ask Zorblatt", "PERSON", True),
        ("please ask Zorblatt", None, False),
        ("the answer of Siobhan", "PERSON", True),
        ("the answer of Siobhan", None, False),
        ("we see Alice here", "PERSON", False),
    ],
)
def test_words_cues_and_the_model_decide_together(text, label, expected):
    assert (decide(*only(text), label) is not None) is expected


def test_the_model_is_spared_where_its_answer_changes_nothing():
    assert not needs_model(*only("ask Siobhan Kovalenko"))
    assert not needs_model(*only("use Zorblatt here"))
    assert needs_model(*only("please ask Zorblatt"))

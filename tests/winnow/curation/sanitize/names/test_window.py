from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.names.window import windows


def test_a_window_reads_some_words_around_without_marks_and_breaks():
    text = "# Thanks  to\n# our Siobhan.\n# Next\n\nAnother paragraph."
    ((window,), chosen) = windows(text, [(19, 26)])
    assert chosen == [0]
    assert window.text == "Thanks to our Siobhan.\nNext"
    assert text[window.back(14) : window.back(20) + 1] == "Siobhan"


def test_near_candidates_share_a_window_and_far_ones_do_not():
    text = "Siobhan " + "word " * 200 + "Pavel"
    assert windows(text, [(0, 7), (8, 12)])[1] == [0, 0]
    assert windows(text, [(0, 7), (len(text) - 5, len(text))])[1] == [0, 1]


@given(
    st.lists(st.sampled_from(["Siobhan", "#", "word", "\n", "  ", "\n\n", "//"]), min_size=1, max_size=120),
    st.data(),
)
def test_every_position_leads_back_to_the_same_character(parts, data):
    text = " ".join(parts)
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    for window in windows(text, [(start, end)])[0]:
        for position, character in enumerate(window.text):
            if not character.isspace():
                assert text[window.back(position)] == character

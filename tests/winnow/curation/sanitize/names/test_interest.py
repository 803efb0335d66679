from winnow.curation.sanitize.names.interest import interesting_lines


def lines(text):
    return [text[start:end] for start, end in interesting_lines(text)]


def test_only_lines_with_a_word_that_could_be_a_name_are_read():
    assert lines("Parse the header.\nThanks to Siobhan.\nReturn it.") == ["Thanks to Siobhan."]


def test_one_unknown_word_in_lower_case_is_no_name_but_two_are():
    assert lines("set the frobnizz flag") == []
    assert lines("have you met nijito asano yet") != []
    assert lines("ask siobhan for it") != []


def test_another_script_is_always_read():
    assert lines("# by 王伟\n# x") == ["# by 王伟"]
    assert lines("# для Иванова") != []


def test_what_was_read_before_changes_nothing():
    text = "The Zorblatt reads frobnizz.\nUse it."
    assert lines(text) == lines("Zorblatt frobnizz") * 0 + lines(text)
    assert lines(text) == ["The Zorblatt reads frobnizz."]

from winnow.core.call_stack import stacks


def chained() -> Exception:
    try:
        try:
            raise KeyError("planted")
        except KeyError:
            raise OSError("planted") from None
    except OSError as error:
        return error


def test_a_context_that_was_suppressed_stays_out():
    assert "KeyError" not in stacks(chained())


def test_no_message_and_no_local_is_in_the_stacks():
    text = stacks(chained())
    assert "builtins.OSError\n" in text
    assert "in chained" in text

from winnow.core.firing import Fired, fired_categories
from winnow.core.stage import Span, Verdict, verdict_batch


def span(category: str, start: int = 0) -> Span:
    return Span(category, "d", "/messages/0/content", start, start + 3)


def test_a_row_counts_once_in_each_category_that_it_holds() -> None:
    verdicts = verdict_batch(
        [
            Verdict("1", "s", "redact", "token/x", spans=(span("token"), span("token", 9), span("jwt", 20))),
            Verdict("2", "s", "drop", "private_key/pem", spans=(span("private_key"),)),
            Verdict("3", "s", "keep", "ip_address/v4", rules=("person/ner",), spans=(span("ip_address"),)),
        ]
    )
    assert fired_categories([verdicts, verdict_batch([])]) == {
        "token": 1,
        "jwt": 1,
        "private_key": 1,
        "ip_address": 1,
        "person": 1,
    }


def test_a_rule_without_a_category_is_none() -> None:
    assert fired_categories([verdict_batch([Verdict("1", "s", "park", "scan-budget")])]) == {}


def test_nothing_of_nothing_has_no_share() -> None:
    assert Fired(0).share("token") == 0.0
    assert Fired(4, {"token": 1}).share("token") == 0.25

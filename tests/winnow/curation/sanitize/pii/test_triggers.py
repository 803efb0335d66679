from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.sanitize.pii import PII
from winnow.curation.sanitize.prefilter import Engine, Prefilter

PIECES = [
    *(
        "ann at site dot org",
        "ann (at) site.org",
        "ann@site.io",
        "GB26 YVOK 0923 4647 7929 23",
        "my card ",
        "卡号",
    ),
    *(
        "3782 822463 10005",
        "4012888888881881",
        "01:23:45:67:89:ab",
        "001b.5443.2aef",
        "2a00:1450::200e",
        "::ffff:93.184.21.34",
    ),
    *(
        "93.184.216.34/24",
        "911-70-1234",
        "91170-1234",
        "SSN 078 05 1123",
        "053622-8771",
        "536228771",
        "+41 56 590 36 33",
    ),
    *(
        "(312) 515-2239",
        "phone: 358 0594",
        "Tel. 01.84.17.61.18",
        "AHV 756.9217.0769.85",
        "CPF 797.641.804-18",
        "NHS 943 476 5870",
    ),
    *(
        "rodné číslo 710319/2745",
        "RČ 7103192745",
        "AMKA 01013099997",
        "ΑΜΚΑ 01013099997",
        "बanक",
        "आधार 2341 2341 2346",
    ),
    *(
        "マイナンバー 6214 9832 0257",
        "個人番号621498320257",
        "זהות 039337423",
        "บัตรประชาชน 1-2345-45678-78-1",
        "sécurité sociale 295109912611193",
    ),
    *(
        "Número de identificação fiscal 501964843",
        "FØDSELSNUMMER 15108695088",
        "fødselsnummer 15108695088",
        "주민번호 971013-9019902",
    ),
    *(
        "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
        "16Yeky6GMjeNkAiNcBY7ZhrLoMSgg1BoyZ",
        "AB 12 34 56 C",
        " ",
        "\n",
        "-",
        "1",
    ),
]


@cache
def prefilter(engine: Engine) -> Prefilter:
    return Prefilter(PII, engine)


@pytest.mark.parametrize("engine", ["hyperscan", "polars"])
@given(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))
def test_where_a_closer_look_finds_something_the_trigger_asked_for_it(engine: Engine, text: str) -> None:
    looked = set(prefilter(engine).candidates(text))
    assert looked >= {
        place for place, d in enumerate(PII) if any(d.accept(text[s:e]) for s, e in d.search(text))
    }
    assert looked == {place for place, d in enumerate(PII) if d.may_hit(text)}

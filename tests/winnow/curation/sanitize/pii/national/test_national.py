import re
from collections.abc import Callable

import pytest
from faker import Faker
from hypothesis import given, settings
from hypothesis import strategies as st

from winnow.curation.sanitize.detector import Detector
from winnow.curation.sanitize.pii.national import NATIONAL

BY_CATEGORY = {detector.category: detector for detector in NATIONAL}


def faked(locale: str, method: str) -> Callable[[int], str]:
    fake = Faker(locale)

    def value(seed: int) -> str:
        fake.seed_instance(seed)
        return str(getattr(fake, method)())

    return value


def one_of(*values: str) -> Callable[[int], str]:
    return lambda seed: values[seed % len(values)]


VALUES: dict[str, tuple[str, Callable[[int], str]]] = {
    "ar_cuit": ("CUIT", one_of("20-05536168-2", "27084401655")),
    "au_medicare": ("Medicare", one_of("2123 45670 1", "2123456701")),
    "au_tfn": ("TFN", one_of("123 456 782", "876543210")),
    "be_national_number": ("rijksregisternummer", one_of("85.07.30-033.28", "85073003328")),
    "br_cpf": ("CPF", faked("pt_BR", "cpf")),
    "ca_sin": ("SIN", one_of("123-456-782", "130 692 544")),
    "ch_ahv": ("AHV", faked("de_CH", "ssn")),
    "cl_rut": ("RUT", one_of("12.531.909-2", "125319092", "76.086.428-5")),
    "cn_resident_id": ("身份证号", one_of("360426199101010071", "11010519491231002X")),
    "cz_birth_number": ("rodné číslo", one_of("710319/2745", "7103192745")),
    "de_tax_id": ("Steuer-ID", one_of("36 574 261 809", "36574261809")),
    "dk_cpr": ("CPR", one_of("211062-5629", "2110625629")),
    "es_nie": ("NIE", faked("es_ES", "nie")),
    "es_nif": ("DNI", faked("es_ES", "nif")),
    "fi_personal_identity_code": ("hetu", faked("fi_FI", "ssn")),
    "fr_nir": ("sécurité sociale", one_of("2 95 10 99 126 111 93", "295109912611193")),
    "gr_amka": ("AMKA", one_of("01013099997")),
    "hr_oib": ("OIB", faked("hr_HR", "ssn")),
    "ie_pps": ("PPS", one_of("6433435F", "6433435OA")),
    "il_id_number": ("teudat zehut", one_of("039337423")),
    "in_aadhaar": ("Aadhaar", one_of("2341 2341 2346", "234123412346")),
    "in_pan": ("PAN", one_of("ACUPA7085R", "AAPFU0939F")),
    "it_fiscal_code": ("codice fiscale", one_of("RCCMNL83S18D969H", "CNTCHR83T41D969D")),
    "jp_my_number": ("マイナンバー", one_of("6214 9832 0257", "621498320257")),
    "kr_rrn": ("주민등록번호", one_of("971013-9019902")),
    "mx_curp": ("CURP", one_of("BOXW310820HNERXN09")),
    "nl_bsn": ("BSN", one_of("111222333", "1112.22.333")),
    "no_fodselsnummer": ("fødselsnummer", one_of("151086 95088", "15108695088")),
    "pl_pesel": ("PESEL", faked("pl_PL", "pesel")),
    "pt_nif": ("contribuinte", one_of("501964843", "501 964 843")),
    "ro_cnp": ("CNP", one_of("1630615123457")),
    "se_personnummer": ("personnummer", faked("sv_SE", "ssn")),
    "sg_nric_fin": ("NRIC", one_of("S1234567D", "M1234567K")),
    "th_national_id": ("บัตรประชาชน", one_of("1-2345-45678-78-1", "8801672902914")),
    "tr_identity_number": ("TC kimlik no", one_of("17291716060")),
    "uk_nhs": ("NHS", one_of("943 476 5870", "9434765870")),
    "uk_nino": ("National Insurance", one_of("AB123456C", "AB 12 34 56 C")),
    "za_id_number": ("ID number", one_of("7503305044089", "800101 5009 087")),
}
STRICT = [
    "au_tfn",
    "ca_sin",
    "ch_ahv",
    "cl_rut",
    "cn_resident_id",
    "de_tax_id",
    "es_nie",
    "es_nif",
    "fi_personal_identity_code",
    "fr_nir",
    "gr_amka",
    "hr_oib",
    "il_id_number",
    "in_aadhaar",
    "nl_bsn",
    "pl_pesel",
    "se_personnummer",
    "sg_nric_fin",
    "tr_identity_number",
    "uk_nhs",
    "za_id_number",
]
"""The schemes that see every change of one digit."""


def found(detector: Detector, text: str) -> list[str]:
    return [text[start:end] for start, end in detector.find(text)]


def test_every_state_has_a_value_here() -> None:
    assert set(VALUES) == set(BY_CATEGORY)


@pytest.mark.parametrize("category", VALUES)
@settings(max_examples=15)
@given(seed=st.integers(0, 2**32))
def test_a_number_is_found_behind_the_word_that_announces_it(category: str, seed: int) -> None:
    word, value = VALUES[category]
    number = value(seed)
    for text in (
        f"{word}: {number}",
        f"{word} {number}.",
        f'"{word}": "{number}",',
        f"my {word}\n  {number}\n",
    ):
        assert found(BY_CATEGORY[category], text) == [number]


@pytest.mark.parametrize("category", STRICT)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32), place=st.integers(0, 30), more=st.integers(1, 9))
def test_with_one_digit_changed_it_is_not(category: str, seed: int, place: int, more: int) -> None:
    word, value = VALUES[category]
    number = value(seed)
    at = [match.start() for match in re.finditer("[0-9]", number)]
    here = at[place % len(at)]
    changed = number[:here] + str((int(number[here]) + more) % 10) + number[here + 1 :]
    assert found(BY_CATEGORY[category], f"{word}: {changed}") == []


@pytest.mark.parametrize("category", VALUES)
def test_nothing_is_cut_out_of_a_longer_word(category: str) -> None:
    word, value = VALUES[category]
    for glued in (f"{value(0)}77", f"77{value(0)}", f"x{value(0)}", f"{value(0)}_x"):
        assert found(BY_CATEGORY[category], f"{word} {glued}") == []


@pytest.mark.parametrize(
    "category", ["nl_bsn", "pl_pesel", "es_nif", "uk_nhs", "in_aadhaar", "tr_identity_number", "in_pan"]
)
def test_without_the_word_it_is_a_number_like_any_other(category: str) -> None:
    number = VALUES[category][1](0)
    assert found(BY_CATEGORY[category], f"offset = {number}") == []

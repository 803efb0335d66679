import random
import string

import pytest

from winnow.curation.sanitize.secrets.randomness import is_hex, is_uuid, looks_random, word_share


@pytest.mark.parametrize(
    "alphabet",
    [
        string.ascii_letters + string.digits,
        string.ascii_lowercase + string.digits,
        string.hexdigits[:16],
        string.ascii_letters + string.digits + "+/",
    ],
)
@pytest.mark.parametrize("length", [16, 24, 40])
def test_nearly_all_drawn_values_look_drawn(alphabet: str, length: int) -> None:
    rng = random.Random(length)
    values = ["".join(rng.choices(alphabet, k=length)) for _ in range(500)]
    assert sum(map(looks_random, values)) >= 0.92 * 500


@pytest.mark.parametrize(
    "value",
    [
        "x509_workload_identity",
        "getServerCertificate2",
        "SalesResults-1.2",
        "hello_world_12345",
        "content-length-limit-2",
        "README_en_US",
        "abcdefghijkl",
        "aaaaaaaaaaaaaaaa",
        "1234567890123456",
        "com.example.application.v2",
        "UPPER_CASE_CONSTANT_3",
        "camelCaseIdentifier",
        "distributed-training-run-4",
        "2024-05-01",
    ],
)
def test_names_and_counting_do_not(value: str) -> None:
    assert not looks_random(value)


def test_word_share_is_of_letters_and_digits_only() -> None:
    assert word_share("mesh-mesh") == 1
    assert word_share("mesh1234") == 0.5
    assert word_share("--") == 1


def test_forms() -> None:
    assert is_uuid("3A16750D-d363-41a4-8ebd-035408f7730f")
    assert not is_uuid("3a16750d-d363-41a4-8ebd-035408f7730")
    assert [is_hex(v) for v in ("0fa3", "0FA3", "1234", "abcd", "0Fa3")] == [True, True, False, False, False]

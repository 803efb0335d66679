from winnow.curation.sanitize.secrets.github import GITHUB_CLASSIC, GITHUB_FINE_GRAINED, checksum

CLASSIC = "ghp_4nOtGqFhsTitF9Cg2NGN64YRD9DnvMuRQPGC"
FINE = "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"


def test_every_token_is_found_whole_and_each_time() -> None:
    text = f'a = "{CLASSIC}"\nb = "{CLASSIC.replace("ghp", "ghs")}" # {CLASSIC}'
    found = [text[s:e] for s, e in GITHUB_CLASSIC.find(text)]
    assert found == [CLASSIC, CLASSIC.replace("ghp", "ghs"), CLASSIC]
    assert [FINE[s:e] for s, e in GITHUB_FINE_GRAINED.find(FINE)] == [FINE]


def test_placeholders_and_short_words_stay() -> None:
    for text in ("ghp_" + "x" * 36, "ghp_token", "github_pat_" + "x" * 60, "high_ghp_value"):
        assert not [*GITHUB_CLASSIC.find(text), *GITHUB_FINE_GRAINED.find(text)]


def test_a_valid_checksum_outweighs_few_characters() -> None:
    body = "ab" * 15
    for tail, found in ((checksum(body), 1), ("bababa", 0)):
        assert len(list(GITHUB_CLASSIC.find(f"ghp_{body}{tail}"))) == found

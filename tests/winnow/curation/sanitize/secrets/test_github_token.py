from winnow.curation.sanitize.secrets.github_token import GITHUB_FINE_GRAINED, GITHUB_TOKEN

CLASSIC = "ghp_4nOtGqFhsTitF9Cg2NGN64YRD9DnvMuRQPGC"
FINE = "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"


def test_every_token_is_found_whole_and_each_time() -> None:
    text = f'a = "{CLASSIC}"\nb = "{CLASSIC.replace("ghp", "ghs")}" # {CLASSIC}'
    found = [text[s:e] for s, e in GITHUB_TOKEN.find(text)]
    assert found == [CLASSIC, CLASSIC.replace("ghp", "ghs"), CLASSIC]
    assert [FINE[s:e] for s, e in GITHUB_FINE_GRAINED.find(FINE)] == [FINE]


def test_placeholders_and_short_words_stay() -> None:
    for text in ("ghp_" + "x" * 36, "ghp_token", "github_pat_" + "x" * 60, "high_ghp_value"):
        assert not [*GITHUB_TOKEN.find(text), *GITHUB_FINE_GRAINED.find(text)]

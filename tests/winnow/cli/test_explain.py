from small_lake import sample_rows

from winnow.lake.access import access_records
from winnow.lake.funnel import funnel


def test_the_funnel_has_every_count_and_adds_up(winnow, lake):
    opened, release = lake
    told = winnow("funnel", "--json").json
    assert [tuple(line.values()) for line in told["lines"]] == [
        (f.layer, f.stage, f.decision, f.rule, f.rows, f.tokens) for f in funnel(opened)
    ]
    answer = winnow("funnel")
    assert answer.lines[-1] == "14 records read, 7 rows in sft_train (50.0 %)"
    (dropped,) = [line for line in answer.lines if "exact_copy" in line]
    assert dropped.split()[:5] == ["dropped", "exact_copy", "5", "35.7", "%"]
    assert winnow("funnel", "--release", release.name).lines[-1] == answer.lines[-1]


def test_the_funnel_of_one_source(winnow, lake):
    assert winnow("funnel", "--source", "alpha").lines[-1].startswith("8 records read, 5 rows")
    refused = winnow("funnel", "--source", "alpah")
    assert refused.code == 1
    assert "Did you mean `alpha`?" in refused.err


def test_the_funnel_of_nothing_says_how_to_begin(winnow):
    answer = winnow("funnel")
    assert (answer.code, answer.out.startswith("No layer was published yet")) == (0, True)


def test_the_life_of_a_dropped_row_and_of_the_one_it_lost_to(winnow, lake):
    kept, copy = (row["row_id"] for row in sample_rows("alpha", 2))
    told = winnow("trace", copy).out
    assert f"dropped   exact_copy; score 1.000; matches {kept} of alpha" in told
    assert told.count("never came here") == 4
    other = winnow("trace", kept[:10])
    assert other.lines[0].split() == ["row", kept]
    assert "redacted" in other.out
    assert copy in next(line for line in other.lines if line.startswith("lost to it"))
    assert "c0ffee01" in other.lines[-1]
    assert winnow("trace", kept, "--json").json["copies"].count(copy) == 1


def test_a_row_that_nothing_knows_is_one_line(winnow, lake):
    for row_id, words in (("0" * 32, "No row `"), ("0" * 12, "begins with"), ("nope", "is no row id")):
        answer = winnow("trace", row_id)
        assert (answer.code, answer.err.count("\n")) == (1, 1)
        assert words in answer.err


def test_looking_into_the_restricted_zone_is_recorded(winnow, lake):
    row = sample_rows("alpha", 1)[0]["row_id"]
    assert winnow("trace", row, "--restricted").code == 1
    assert winnow("trace", row, "--restricted", "--why", "a complaint").code == 0
    assert [record["why"] for record in access_records(lake[0])] == ["a complaint"]

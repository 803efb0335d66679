from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field, SecretStr, model_validator

from winnow.core.config import ConfigModel, load_model
from winnow.core.errors import ConfigError


class Local(ConfigModel):
    kind: Literal["local"]
    path: Path
    limit: int = 3


class Remote(ConfigModel):
    kind: Literal["remote"]
    token: SecretStr = Field(min_length=8)


class Recipe(ConfigModel):
    threshold: float = Field(default=0.7, le=1)
    bands: int = 4
    rows: int = 4
    names: tuple[str, ...] = ()
    sources: list[Local | Remote] = Field(default_factory=list)
    tagged: dict[str, Local] = Field(default_factory=dict)

    @model_validator(mode="after")
    def product(self) -> "Recipe":
        if self.bands * self.rows > 100:
            raise ValueError(f"`bands` x `rows` is {self.bands * self.rows}, over 100. Lower one of them")
        return self


def refusal(raw: object, tmp_path: Path) -> str:
    path = tmp_path / "web.yaml"
    path.write_text(str(raw))
    with pytest.raises(ConfigError) as caught:
        load_model(Recipe, path, "web.yaml")
    return str(caught.value)


def test_all_faults_come_at_once_with_value_need_and_near_miss(tmp_path: Path) -> None:
    assert refusal("threshold: 85\nthresold: 1\nbands: true\n", tmp_path).splitlines() == [
        "web.yaml is not a valid `Recipe` (3 to fix)",
        "  `threshold`: got 85. Input should be less than or equal to 1.",
        "  `bands`: got true. Input should be a valid integer.",
        "  `thresold`: no such key. Did you mean `threshold`? Known keys: bands, names, rows, sources, "
        "tagged, threshold.",
    ]


def test_json_rules_fill_tuples_and_paths(tmp_path: Path) -> None:
    recipe = load_model(Recipe, {"names": ["a"], "tagged": {"x": {"kind": "local", "path": "d"}}})
    assert recipe.names == ("a",)
    assert recipe.tagged["x"].path == Path("d")


def test_nested_keys_are_known_by_their_own_model(tmp_path: Path) -> None:
    message = refusal("tagged:\n  x: {kind: local, path: d, limt: 4}\n", tmp_path)
    assert "`tagged.x.limt`: no such key. Did you mean `limit`? Known keys: kind, limit, path." in message


def test_a_rule_across_fields_is_given_without_the_whole_mapping(tmp_path: Path) -> None:
    message = refusal("bands: 20\nrows: 20\n", tmp_path)
    assert message.endswith("`Recipe`: `bands` x `rows` is 400, over 100. Lower one of them.")


def test_a_secret_never_stands_in_the_message(tmp_path: Path) -> None:
    message = refusal("sources:\n  - {kind: remote, token: hunter2}\n", tmp_path)
    assert "token" in message
    assert "hunter2" not in message


def test_a_float_that_yaml_reads_as_text_comes_with_the_spelling_that_works(tmp_path: Path) -> None:
    assert "write `3.0e-04`" in refusal("threshold: 3e-4\n", tmp_path)


@pytest.mark.parametrize(
    ("text", "clause"),
    [
        ("bands: 1\nbands: 2\n", "line 2, column 1: key `bands` is written twice"),
        ("bands: [1\n", "is not YAML: line 2"),
        ("- 1\n", "got a list, a mapping is needed"),
        ("bands: &a [*a]\n", "recursive"),
        ("? [1, 2]\n: 3\n", "is not YAML: line 1"),
    ],
)
def test_what_is_not_a_mapping_is_refused_with_its_place(text: str, clause: str, tmp_path: Path) -> None:
    assert clause in refusal(text, tmp_path)


def test_a_merged_key_may_be_written_over(tmp_path: Path) -> None:
    (tmp_path / "merged.yaml").write_text("<<: {bands: 1, rows: 2}\nbands: 3\n")
    loaded = load_model(Recipe, tmp_path / "merged.yaml")
    assert (loaded.bands, loaded.rows) == (3, 2)


def test_a_missing_file_names_itself(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none\.yaml: no such file"):
        load_model(Recipe, tmp_path / "none.yaml")


def test_an_empty_file_is_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "empty.yaml").write_text("# nothing\n")
    assert load_model(Recipe, tmp_path / "empty.yaml") == Recipe()

import sysconfig
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winnow.curation.normalize.language import BY_SUFFIX
from winnow.curation.syntax import Guess, language_of_fence, language_of_file
from winnow.curation.syntax.content import by_content
from winnow.curation.syntax.grammars import GRAMMARS
from winnow.curation.syntax.names import TAGS, by_name, canonical

SAMPLES = {
    "python": "import os\n\nclass A(B):\n    def f(self, x=None):\n        for y in range(3):\n            print(y)\n",
    "javascript": "const a = require('b');\nmodule.exports = function f(x) {\n  if (x === undefined) console.log(x);\n};\n",
    "typescript": "export interface A { b: string; c?: number }\nexport const f = (x: string): void => { y(x as any); };\n",
    "java": "package a.b;\n\nimport java.util.List;\n\npublic class A {\n  private final String s;\n  @Override\n  public int f(int x) { return x; }\n}\n",
    "go": 'package main\n\nimport "fmt"\n\nfunc main() {\n\tx, err := f()\n\tif err != nil {\n\t\tfmt.Println(x)\n\t}\n}\n',
    "rust": "use std::fmt;\n\n#[derive(Debug)]\npub struct A<'a> { x: &'a str }\n\nimpl A<'_> {\n    pub fn new() -> Self { let mut y = vec![]; y }\n}\n",
    "c": '#include <stdio.h>\n#define N 3\n\nint main(void)\n{\n    char *s = malloc(N);\n    printf("%s", s);\n    return 0;\n}\n',
    "cpp": "#include <vector>\nnamespace a {\ntemplate <typename T>\nclass B {\npublic:\n  std::vector<T> v;\n  const T& at(int i) const { return v[i]; }\n};\n}\n",
    "shell": 'set -eu\nfor f in *.txt; do\n  if [ -f "$f" ]; then\n    grep -q x "$f" || echo "no $f" >/dev/null\n  fi\ndone\n',
    "sql": "CREATE TABLE t (id BIGINT PRIMARY KEY, name VARCHAR(9) NOT NULL);\nSELECT id FROM t WHERE name = 'a' ORDER BY id;\n",
    "yaml": "version: 3\nservices:\n  web:\n    image: nginx\n    ports:\n      - 80:80\n    command: |\n      run this\n",
}


@pytest.mark.parametrize("language", SAMPLES)
def test_looks_tell_every_language_with_a_grammar(language: str) -> None:
    for guess in (language_of_file(None, SAMPLES[language]), language_of_fence("", SAMPLES[language])):
        assert guess.language == language
        assert guess.by == "content"
        assert 0.5 <= guess.confidence < 1


def test_every_grammar_has_a_sample() -> None:
    assert set(SAMPLES) == set(GRAMMARS) - {"tsx"}


@pytest.mark.parametrize("tag", sorted(TAGS))
def test_a_tag_is_believed(tag: str) -> None:
    guess = language_of_fence(tag.upper() + " title=x", "zzz")
    assert guess == Guess(TAGS[tag], 0.95, "tag")
    assert canonical(tag) == TAGS[tag]


@pytest.mark.parametrize("suffix", sorted(BY_SUFFIX))
def test_a_name_tells_what_the_normalize_stage_says(suffix: str) -> None:
    assert by_name(f"a/b{suffix}") == BY_SUFFIX[suffix]


NAMES = {
    "Dockerfile": "dockerfile",
    "deploy/Makefile": "makefile",
    ".bashrc": "shell",
    "a.mjs": "javascript",
    "a.PYX": "python",
    "README": None,
    "CMakeLists.txt": "cmake",
    "": None,
}


@pytest.mark.parametrize("name", NAMES)
def test_more_names(name: str) -> None:
    assert language_of_file(name, "zzz").language == NAMES[name]


SHEBANGS = {
    "#!/usr/bin/env python3\nx": "python",
    "#! /bin/bash -e\nx": "shell",
    "\ufeff#!/usr/local/bin/node\nx": "javascript",
    "#!/usr/bin/env -S FOO=1 ruby -w\nx": "ruby",
}


@pytest.mark.parametrize("text", SHEBANGS)
def test_a_shebang_tells_where_the_name_does_not(text: str) -> None:
    assert language_of_file("run", text) == Guess(SHEBANGS[text], 0.97, "shebang")
    assert language_of_file("run.sql", text).language == "sql"


def test_a_shared_suffix_is_told_by_looks() -> None:
    assert language_of_file("a.h", SAMPLES["cpp"]).language == "cpp"
    assert language_of_file("a.h", SAMPLES["c"]) == Guess("c", 0.98, "name")
    assert language_of_file("a.ts", '<?xml version="1.0"?>\n<!DOCTYPE TS>\n<TS>\n</TS>\n').language == "html"


@pytest.mark.parametrize(
    "text", ["", "zzz", "12", "Dear Ann,\nI hope that you are well. We will meet in May.\n"]
)
def test_words_are_no_code(text: str) -> None:
    assert language_of_file(None, text).language in (None, "text", "markdown")


@given(st.text(max_size=300), st.text(max_size=20))
def test_any_text_has_a_guess_with_a_confidence(text: str, tag: str) -> None:
    for guess in (language_of_file(None, text), language_of_file(tag, text), language_of_fence(tag, text)):
        assert 0 <= guess.confidence <= 1
        assert (guess.by == "none") <= (guess.language is None)


def test_files_of_the_standard_library_are_told_without_their_names() -> None:
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    told = [by_content(path.read_text(encoding="utf-8")).language for path in files[::5]]
    assert len(told) > 30
    assert told.count("python") >= 0.9 * len(told)

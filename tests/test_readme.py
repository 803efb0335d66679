"""What the README says is so."""

import re
from pathlib import Path

from winnow.curation.sources.config import load_sources

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def tree() -> dict[str, str]:
    """Path to description, of the tree in the README."""
    block = README.split("## Where things are")[1].split("```")[1]
    paths: dict[str, str] = {}
    parents: list[str] = []
    for line in block.strip().splitlines():
        indent, name, description = re.fullmatch(r"( *)(\S+) +(\S.*)", line).groups()  # type: ignore[union-attr]
        parents = [*parents[: len(indent) // 2], name]
        paths["".join(parents)] = description
    return paths


def test_what_the_readme_tree_names_is_there():
    assert [path for path in tree() if not (ROOT / path).exists()] == []


def test_what_is_there_is_in_the_readme_tree():
    hidden = re.compile(r"[._].*|data|dist|.*\.egg-info")
    there = [f"{p.name}/" for p in ROOT.iterdir() if p.is_dir() and not hidden.fullmatch(p.name)]
    there += [f"winnow/{p.name}/" for p in (ROOT / "winnow").iterdir() if (p / "__init__.py").exists()]
    assert sorted(set(there) - set(tree())) == []


def test_make_targets_that_documents_name_exist():
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.M))
    documents = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    named = {
        word for path in documents for word in re.findall(r"(?:^|`)make ([a-z]+)", path.read_text(), re.M)
    }
    assert named
    assert named <= targets


def test_the_sources_it_shows_are_valid(tmp_path: Path):
    (snippet,) = re.findall(r"```yaml\n(.*?)```", README, re.S)
    (tmp_path / "sources.yaml").write_text(snippet)
    assert load_sources(tmp_path / "sources.yaml").ids == ("my-chats",)


def test_the_variables_it_names_are_in_the_example():
    named = set(re.findall(r"\b((?:LAKE|WINNOW|AWS)_[A-Z_]*[A-Z])\b(?!…)", README))
    documented = set(re.findall(r"^#?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(), re.M))
    assert named
    assert {name for name in named if name != "LAKE_RAW_AWS"} <= documented


def test_every_link_leads_to_a_file():
    targets = re.findall(r"\]\(([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []

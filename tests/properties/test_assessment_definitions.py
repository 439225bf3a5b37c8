"""Pooling, importing, merging and the quote filter on random stores, beside their definitions written down naively."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from argument_cases import store
from argument_definitions import Files, KeyLine, Options, Response, Spans, _key, _system, identifier
from argument_stores import TEXT, Chances, stores
from argument_validator import quoted
from lydite.verify import arguments as layouts
from lydite.verify.cases import Case

SEEDS = st.integers(0, 2**32 - 1)
READ = Options("kbp2014")
Answers = dict[str, dict[Response, float]]
"""The responses of each document with their confidences."""


def random_systems(rng: Random) -> list[Files]:
    """Stores that share most of what they have."""
    system, _ = stores(rng, Chances(strange=0.5))
    lines = [
        line for text in system.values() for line in text.replace("\r", "\n").split("\n") if "\t" in line
    ]
    systems = []
    for _ in range(rng.choice((1, 2, 3))):
        files: dict[str, str] = dict.fromkeys(rng.sample(sorted(system), len(system) // 2), "")
        for line in rng.sample(lines, len(lines)):
            columns = line.split("\t")
            if rng.random() < 0.6:
                columns[10] = rng.choice(("0.5", "0.5", "0.25", "1.0"))
                files[columns[1]] = files.get(columns[1], "") + "\t".join(columns) + "\n"
        systems.append(files)
    return systems


def shown(spans: Spans) -> str:
    return ",".join(sorted(f"{start}-{end}" for start, end in spans)) or "NIL"


def line_of(response: Response, confidence: str) -> str:
    spans = (
        shown(frozenset({response.cas_span})),
        shown(response.pj),
        shown(frozenset({response.bf})),
        shown(response.aj),
    )
    return "\t".join([str(identifier(response)), *response[:4], *spans, response.realis, confidence])


# Pooling


def collapsed(answers: Mapping[Response, float], *, keep_inference: bool) -> dict[Response, float]:
    """Of responses equal in columns 2 to 6 and 10 the best, and those of inference where they are kept."""
    kept = {}
    for response, confidence in answers.items():
        group = [other for other in answers if (other[:5], other.realis) == (response[:5], response.realis)]
        best = max(group, key=lambda other: (answers[other], identifier(other)))
        if response == best or (keep_inference and (response.aj or len(response.pj) > 1)):
            kept[response] = confidence
    return kept


def pooled(systems: list[Files], options: Mapping[str, Any]) -> Answers:
    inference = options.get("keep_inference", False)
    documents = {doc for files in systems for doc in files}
    pool: Answers = {doc: {} for doc in documents}
    for files in systems:
        answers = {doc: _system(text, READ) for doc, text in files.items()}
        if options["collapse"] == "system":
            answers = {doc: collapsed(found, keep_inference=inference) for doc, found in answers.items()}
        everything = [
            (confidence, identifier(r), r) for found in answers.values() for r, confidence in found.items()
        ]
        everything.sort(key=lambda entry: entry[:2], reverse=True)
        for confidence, _, response in everything[: options.get("top_n")]:
            known = pool[response.doc].get(response, 0.0)
            pool[response.doc][response] = max(confidence, known)
    if options["collapse"] == "pool":
        pool = {doc: collapsed(found, keep_inference=inference) for doc, found in pool.items()}
    return pool


def imported(annotation: Files, pool: Answers) -> dict[str, list[str]]:
    """Every pooled response that is not there as an unassessed line; every line with the id of its CAS."""
    found = {}
    for doc in {*annotation, *pool}:
        key = _key(annotation.get(doc, ""), READ)
        new = [KeyLine(response, None) for response in pool.get(doc, {}) if not key.has(response)]
        found[doc] = annotation_lines([*key.lines, *new], key.ids)
    return found


def annotation_lines(lines: list[KeyLine], ids: Mapping[Any, int]) -> list[str]:
    written = []
    for response, judgement in lines:
        number = ids.get(response.string)
        columns = ["UNANNOTATED"] * 7
        columns[4] = "UNANNOTATED" if number is None else str(number)
        if judgement is not None:
            columns = [*judgement[:4], "NIL" if number is None else str(number), *judgement[4:]]
        written.append("\t".join([line_of(response, "1.0"), *columns]))
    return sorted(written)


def write(folder: Path, files: Files) -> None:
    store(folder, {name: text.encode() for name, text in files.items()})


@pytest.mark.parametrize("collapse", ["none", "system", "pool"])
@given(SEEDS)
def test_random_systems_are_pooled_and_imported_as_the_definitions_say(collapse: str, seed: int) -> None:
    rng = Random(seed)
    systems = random_systems(rng)
    _, annotation = stores(Random(seed), Chances(strange=0.5, no_id=0.2))
    options: dict[str, Any] = {"collapse": collapse, "keep_inference": rng.random() < 0.5}
    if collapse != "pool" and rng.random() < 0.5:
        options["top_n"] = rng.choice((1, 3, 8))
    pool = pooled(systems, options)
    with tempfile.TemporaryDirectory() as folder:
        for number, files in enumerate(systems):
            write(Path(folder, "systems", f"s{number}"), files)
        write(Path(folder, "annotation"), annotation)
        found = layouts.pool(Case(Path(folder), {"options": options})).blocks
    assert found["pooled"] == {doc: len(answers) for doc, answers in pool.items()}
    assert found["expected-pool"] == {
        doc: sorted(line_of(response, json.dumps(confidence)) for response, confidence in answers.items())
        for doc, answers in pool.items()
    }
    assert found["expected-annotation"] == imported(annotation, pool)


# Merging


def merged(baseline: Files, addition: Files) -> dict[str, list[str]]:
    found = {}
    for doc in {*baseline, *addition}:
        ours, theirs = _key(baseline.get(doc, ""), READ), _key(addition.get(doc, ""), READ)
        lines = [
            KeyLine(response, ours.judgement(response) or theirs.judgement(response))
            for response in dict.fromkeys(line.response for line in (*ours.lines, *theirs.lines))
        ]
        ids = dict(ours.ids)
        for string, number in theirs.ids.items():
            if string in ids:
                continue
            mates = [ids[mate] for mate, other in theirs.ids.items() if other == number and mate in ids]
            ids[string] = max(mates, key=mates.count) if mates else max(ids.values(), default=0) + 1
        found[doc] = annotation_lines(lines, ids)
    return found


@given(SEEDS)
def test_random_stores_are_merged_as_the_definitions_say(seed: int) -> None:
    rng = Random(seed)
    _, baseline = stores(rng, Chances(no_id=0.3))
    _, addition = stores(rng, Chances(no_id=0.3))
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "baseline"), baseline)
        write(Path(folder, "additional"), addition)
        found = layouts.merge(Case(Path(folder), {})).blocks
    assert found["expected"] == merged(baseline, addition)


# The quote filter

PIECES = (
    "<quote>",
    "<quote ",
    "</quote>",
    "<quoted>",
    "<QUOTE>",
    "< quote>",
    'orig="</quote>">',
    "word ",
    "\r\n",
    "\U0001f600",
    "\t",
)


@given(SEEDS)
def test_random_documents_have_the_quotes_that_the_definitions_say(seed: int) -> None:
    rng = Random(seed)
    text = "".join(rng.choice(PIECES) for _ in range(rng.randrange(20)))
    text += "</quote>" * (text.count("<quote>") + text.count("<quote "))
    lines = []
    for number in range(30):
        (a, b), (c, d) = (sorted(rng.choices(range(len(text) + 1), k=2)) for _ in range(2))
        lines.append(f"{number}\tD\tContact.Meet\tEntity\tAsk\t{a}-{b}\t0-9\t{c}-{d}\tNIL\tActual\t0.5")
    regions = quoted(text)
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder, "docs"), {"D": text, "E": TEXT})
        write(Path(folder, "system"), {"D": "\n".join(lines)})
        found = layouts.filter_quotes(Case(Path(folder), {})).blocks
    assert found["regions"]["D"] == [f"{start}-{end}" for start, end in regions]
    assert found["kept_response_ids"] == {
        "D": [
            number
            for number, line in enumerate(lines)
            if not any(
                start <= int(place) <= end
                for start, end in regions
                for span in (line.split("\t")[5], line.split("\t")[7])
                for place in span.split("-")
            )
        ]
    }

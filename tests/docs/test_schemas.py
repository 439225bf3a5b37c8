"""The JSON that the command prints is what the shipped schemas say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import console
import jsonschema
import pytest

from lydite.cli import run

DATA = console.ROOT / "src" / "lydite" / "data"
GOLD = str(console.ROOT / "examples" / "gold.tbf")
SYSTEM = str(console.ROOT / "examples" / "systems" / "alder.tbf")
TRIPLES = console.ROOT / "examples" / "triples"
PILOT = console.ROOT / "tests" / "conformance" / "nugget" / "pilot-two-documents"


def validator(name: str) -> jsonschema.Draft202012Validator:
    schema = json.loads((DATA / f"{name}.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def written(folder: Path, *words: str) -> dict[str, Any]:
    path = folder / "out.json"
    assert run([*words, "--format", "json", "-o", str(path)]) == 0
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


@pytest.mark.parametrize(
    "words",
    [
        ("score", GOLD, SYSTEM),
        ("score", GOLD, SYSTEM, "--by", "none"),
        ("score", GOLD, SYSTEM, GOLD, "--profile", "exact", "--by", "type"),
        ("score", GOLD, SYSTEM, "--profile", "modern", "--attributes", "type"),
        (
            "score",
            str(PILOT / "gold.tbf"),
            str(PILOT / "system.tbf"),
            "--profile",
            "pilot2014",
            "--tokens",
            str(PILOT / "tokens"),
            "--reading",
            "as-official",
        ),
        ("score", str(TRIPLES / "gold.trp"), str(TRIPLES / "system.trp")),
        ("score", str(TRIPLES / "gold.trp"), str(TRIPLES / "system.trp"), "--profile", "reference"),
    ],
    ids=["all", "totals", "exact", "modern", "pilot", "triples", "triples-reference"],
)
def test_a_summary_document_is_valid(words: tuple[str, ...], tmp_path: Path) -> None:
    validator("summary").validate(written(tmp_path, *words))


def test_a_summary_document_with_a_misspelt_key_is_not_valid(tmp_path: Path) -> None:
    document = written(tmp_path, "score", GOLD, SYSTEM, "--by", "none")
    document["score"] = document.pop("scores")
    assert not validator("summary").is_valid(document)


CASES = console.ROOT / "tests" / "conformance"
SPANS = console.ROOT / "tests" / "conformance-spans" / "default_00"
EXAMPLES = console.ROOT / "examples"
SAMPLES = console.ROOT / "docs" / "samples"


def files(folder: Path, *names: str) -> tuple[str, ...]:
    return tuple(str(folder / name) for name in names)


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ((GOLD, SYSTEM), ("pairs", 0, "gold", "span")),
        (files(TRIPLES, "gold.trp", "system.trp"), ("missed", "count")),
        (
            files(CASES / "coref" / "split-even", "key.conll", "response.conll"),
            ("clusters", "gold", 0, "fate"),
        ),
        (("spans", *files(SPANS, "gold.jsonl", "system.jsonl")), ("pairs", 0, "similarity")),
        (
            ("arguments", *files(EXAMPLES / "arguments", "annotation", "systems/birch")),
            ("classes", "standard", "tp", 0, "role"),
        ),
        (("arguments", *files(SAMPLES, "anna.events.jsonl", "ben.events.jsonl")), ("missed", 0, "role")),
        (("ace", *files(EXAMPLES / "ace", "gold", "systems/birch")), ("mapping", "entity", 0, "status")),
    ],
    ids=["nugget", "triples", "coref", "spans", "stores", "events", "ace"],
)
def test_the_diagnosis_of_a_task_is_described(
    words: tuple[str, ...], path: tuple[str | int, ...], tmp_path: Path
) -> None:
    document = written(tmp_path, "score", *words)
    validator("summary").validate(document)
    *inside, last = path
    held = document["diagnosis"]["documents"][0]
    for step in inside:
        held = held[step]
    del held[last]
    assert not validator("summary").is_valid(document)


def test_percentiles_and_curves_are_described(tmp_path: Path) -> None:
    document = written(tmp_path, "score", GOLD, SYSTEM, "--by", "none", "--curve")
    validator("summary").validate(document)
    del document["diagnosis"]["curves"][0]["points"]
    assert not validator("summary").is_valid(document)


def test_the_report_of_verify_is_valid(tmp_path: Path) -> None:
    cases = console.ROOT / "tests" / "conformance" / "nugget-invalid"
    validator("verify").validate(written(tmp_path, "verify", str(cases)))


@pytest.mark.parametrize(
    "words",
    [
        ("explain", GOLD, SYSTEM, "--confusion", "type", "--budget"),
        ("explain", GOLD, SYSTEM, GOLD, "--max", "3"),
        ("explain", str(TRIPLES / "gold.trp"), str(TRIPLES / "system.trp"), "--no-budget"),
    ],
    ids=["confusion", "several", "triples"],
)
def test_an_explanation_document_is_valid(words: tuple[str, ...], tmp_path: Path) -> None:
    validator("explanation").validate(written(tmp_path, *words))

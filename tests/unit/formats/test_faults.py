"""Of one JSON record the first fault is told, of several records the first fault of each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite

EVENT = {"type": "", "trigger": [5, 2], "arguments": [{"role": 1, "span": "x"}, {"rol": "Place"}]}
RECORDS = {
    "events": (
        "arguments",
        {"doc_id": 7, "events": [EVENT, {"trigger": [0, 1]}]},
        ["doc_id:", "events[0].type:", "events[0].trigger:", "arguments[0].role:", "arguments[0].span:",
         "unknown key 'rol'", "the key 'role' is missing", "events[1]: the key 'type' is missing"],
    ),
    "triples-jsonl": (
        "triples",
        {"relation": 1, "first": 2, "second": {"ids": [3]}, "profile_confidence": "high"},
        ["relation", "first", "second", "profile_confidence"],
    ),
    "coref-jsonl": (
        "coref",
        {"clusters": [[[3, 1], ["a", 2]], "no cluster"]},
        ["doc_key", "[3, 1]", "['a', 2]", "no cluster"],
    ),
    "oneie": (
        "nugget",
        {"doc_id": "d", "tokens": ["a", "b"], "event_mentions": [
            {"event_type": "A", "trigger": {"start": "x", "end": 1}},
            {"event_type": "B", "trigger": {"start": 0, "end": "y"}},
            {"trigger": {"start": 0, "end": 1}},
        ]},
        ["'x'", "'y'", "event_type"],
    ),
    "textee": (
        "arguments",
        {"doc_id": "d", "wnd_id": "d-0", "tokens": ["a", "b"], "event_mentions": [
            {"event_type": "A", "trigger": {"start": "x", "end": 1}},
            {"event_type": "B", "trigger": {"start": 0, "end": 1}, "arguments": [{"role": "R", "start": 0, "end": "y"}]},
            {"trigger": {"start": 0, "end": 1}},
        ]},
        ["'x'", "'y'", "event_type"],
    ),
    "dygie": (
        "nugget",
        {"doc_key": "d", "sentences": [["a", "b"]], "events": [[[[0.5, "A"]], [[0, "B"], [True, 1, "r"]]]]},
        ["0.5", "True"],
    ),
    "lydite": (
        "nugget",
        {"doc_id": "d", "mentions": [{"id": 1}, {"id": "a", "spam": 2}], "relations": [{"members": 3}]},
        ["mentions[0]", "mentions[1]", "relations[0]"],
    ),
    "maven": (
        "nugget",
        {"id": "d", "content": [{"tokens": ["a", "b"]}], "events": [
            {"id": "e", "type": "A", "mention": [{"sent_id": 9, "offset": [0, 1], "trigger_word": "a"},
                                                 {"sent_id": 0, "offset": [0, "z"], "trigger_word": "a"}]},
            {"id": "f", "mention": [{"sent_id": 0, "offset": [0, 1], "trigger_word": "a"}]},
        ]},
        ["sentence 9", "'z'", "type"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_the_first_fault_of_a_record_is_reported(name: str, tmp_path: Path) -> None:
    task, record, faults = RECORDS[name]
    path = tmp_path / "d.jsonl"
    path.write_text(json.dumps(record) + "\n")
    settings = {"profile": "exact"} if name == "events" else {}
    (finding,) = (
        one for one in lydite.validate(path, task=task, format=name, **settings) if one.severity == "error"
    )
    assert any(sign in finding.message for sign in faults), finding.message
    assert finding.location is not None
    assert finding.location.line == 1


def test_every_record_with_a_fault_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    lines = [
        json.dumps({"doc_key": f"d{number}", "clusters": clusters})
        for number, clusters in enumerate([[3], [], [4]])
    ]
    path.write_text("\n".join(lines) + "\n")
    assert [one.location and one.location.line for one in lydite.validate(path, task="coref")] == [1, 3]

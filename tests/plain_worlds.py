"""Small gold and system documents of every task, as plain Python objects."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import lydite
from lydite.formats import FORMATS

NUGGET_GOLD = {
    "d1": {
        "mentions": [
            {
                "start": 0,
                "end": 7,
                "type": "Conflict_Attack",
                "realis": "Actual",
                "id": "a",
                "text": "stormed",
            },
            {"start": 20, "end": 24, "type": "Life_Die", "realis": "Generic", "id": "b", "confidence": 0.5},
            {"spans": [(30, 33), (40, 44)], "type": "Life_Die", "realis": "Actual", "id": "c"},
        ],
        "clusters": [["b", "c"]],
        "after": [["a", "b"]],
    },
    "d2": [(3, 9, "Life_Die", "Other")],
    "d3": [],
}
NUGGET_SYSTEM = {
    "d1": {
        "mentions": [
            (0, 7, "Conflict_Attack", "Actual"),
            (20, 26, "Life_Die", "Actual"),
            (30, 33, "Life_Die", "Actual"),
        ],
        "clusters": [["E1", "E3"]],
    },
    "d2": [(50, 55, "Life_Die", "Other")],
    "d3": [(1, 2, "Life_Die", "Other")],
}
COREF_GOLD = {"d1": [[(0, 1), (4, 6), (9, 10)], [(2, 3), (7, 8)]], "d2": [[(1, 2)], [(3, 5), (8, 9)]]}
COREF_SYSTEM = {"d1": [[(0, 1), (4, 6)], [(9, 10), (2, 3)], [(20, 21)]], "d2": [[(3, 5), (8, 9), (1, 2)]]}
EVENT_GOLD = {
    "d1": {
        "events": [
            {
                "type": "Attack",
                "trigger": (0, 7),
                "arguments": [{"role": "Attacker", "start": 8, "end": 12, "type": "PER"}],
            },
            {"type": "Die", "trigger": (20, 24), "realis": "Actual"},
        ]
    },
    "d2": {"events": []},
}
EVENT_SYSTEM = {
    "d1": {
        "events": [
            {"type": "Attack", "trigger": [(0, 7)], "arguments": [{"role": "Target", "span": [8, 12]}]},
        ]
    },
    "d2": {"events": [{"type": "Die", "trigger": (1, 3)}]},
}
TRIPLE_GOLD = {"d1": [("w2", "agent", "w1"), ("w2", "patient", {"w4", "w3"})], "d2": [("w1", "PER", None)]}
TRIPLE_SYSTEM = {"d1": [("w2", "agent", "w1"), ("w2", "patient", ["w4"])], "d2": [("w1", "ORG", "")]}
SPAN_GOLD = {"d1": [["B-PER", "I-PER", "O"], ["B-LOC"]], "d2": ["O", "B-ORG", "I-ORG"]}
SPAN_SYSTEM = {"d1": [["B-PER", "O", "O"], ["B-ORG"]], "d2": ["B-ORG", "I-ORG", "O"]}


def _ace(side: str) -> dict[str, lydite.Document]:
    folder = Path(__file__).parent / "conformance" / "ace" / "random_local_11" / side
    return dict(lydite.read(folder, format="apf").documents)


def worlds() -> dict[str, tuple[Mapping[str, Any], Mapping[str, Any], dict[str, Any]]]:
    """Task → gold, system, settings."""
    return {
        "nugget": (NUGGET_GOLD, NUGGET_SYSTEM, {}),
        "coref": (COREF_GOLD, COREF_SYSTEM, {}),
        "arguments": (EVENT_GOLD, EVENT_SYSTEM, {"profile": "exact"}),
        "triples": (TRIPLE_GOLD, TRIPLE_SYSTEM, {}),
        "ace": (_ace("ref"), _ace("sys"), {}),
        "spans": (SPAN_GOLD, SPAN_SYSTEM, {"profile": "semeval2013"}),
    }


TASKS = ("nugget", "coref", "arguments", "triples", "ace", "spans")
FILES = dict.fromkeys(TASKS, "lydite") | {"triples": "triples-jsonl"}
"""The format of the files that objects are held against."""


def written(documents: Mapping[str, Any], task: str, path: Path) -> Path:
    """The objects as a file."""
    from lydite.objects import corpus_of_objects

    write = FORMATS[FILES[task]].write
    assert write is not None
    path.write_bytes(write(corpus_of_objects(documents, task, "x")))
    return path


def figures(summary: lydite.Summary) -> list[Any]:
    """All rows without the name of the system."""
    return [row._replace(system="") for row in summary.rows]

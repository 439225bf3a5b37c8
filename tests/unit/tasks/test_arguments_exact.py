from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.errors import InputError

GOLD = {
    "doc_id": "d1",
    "events": [
        {
            "type": "Attack",
            "trigger": [10, 16],
            "arguments": [
                {"role": "Attacker", "span": [0, 9], "head": [4, 9]},
                {"role": "Target", "span": [20, 25]},
                {"role": "Place", "span": [20, 25]},
            ],
        }
    ],
}
SYSTEM = {
    "doc_id": "d1",
    "events": [
        {
            "type": "Attack",
            "trigger": [11, 16],
            "arguments": [
                {"role": "Attacker", "span": [4, 9], "head": [4, 9]},
                {"role": "Target", "span": [20, 25]},
            ],
        }
    ],
}


@pytest.fixture
def score(tmp_path: Path) -> Any:
    def scored(gold: Any, system: Any, **settings: Any) -> Any:
        for name, documents in (("gold", gold), ("system", system)):
            text = "".join(json.dumps(document) + "\n" for document in documents)
            (tmp_path / f"{name}.jsonl").write_text(text)
        paths = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
        return lydite.score(*paths, task="arguments", profile="exact", **settings)

    return scored


def test_argument_identification_and_classification_of_the_worked_example(score: Any) -> None:
    summary = score([GOLD], [SYSTEM])
    # Two spans of type Attack in gold, (0, 9) and (20, 25); the system has (4, 9) and (20, 25).
    assert summary["ai"].micro[:3] == (0.5, 0.5, 0.5)
    # Three with roles in gold, of which Target at (20, 25) was found.
    assert summary["ac"].micro[:2] == (0.5, 1 / 3)
    # No trigger is right, so nothing attached is.
    assert summary["ac+"].micro[:3] == (0, 0, 0)
    assert summary["ti"].micro.f1 == 0


def test_heads_are_compared_where_the_setting_says_so(score: Any) -> None:
    assert score([GOLD], [SYSTEM], span="head")["ai"].micro.f1 == 1


def test_a_system_equal_to_gold_scores_one(score: Any) -> None:
    summary = score([GOLD], [GOLD])
    assert {row.score.f1 for row in summary.corpus_rows()} == {1.0}


def test_exchanging_the_sides_exchanges_precision_and_recall(score: Any) -> None:
    forth, back = score([GOLD], [SYSTEM]), score([SYSTEM], [GOLD])
    for name in ("tc", "ai", "ac", "ai+", "ac+"):
        assert forth[name].micro.precision == back[name].micro.recall


def test_documents_of_either_side_count(score: Any) -> None:
    assert score([GOLD], [GOLD, {**GOLD, "doc_id": "d2"}])["ac"].micro.precision == 0.5


def test_a_broken_line_is_told_with_its_place(score: Any) -> None:
    with pytest.raises(InputError) as refused:
        score([GOLD], [SYSTEM, {"doc_id": "d2", "events": [{"type": "Attack", "trigger": [9, 3]}]}])
    (finding,) = refused.value.findings
    assert (finding.code, finding.location.line) == ("event-line", 2)
    assert "events[0].trigger" in finding.message


def test_roles_can_be_shown_one_by_one(score: Any) -> None:
    rows = score([GOLD], [SYSTEM], by=("role",)).by("role").rows
    assert {row.by["role"]: row.score.recall for row in rows if row.measurement == "ac"} == {
        "Attack.Attacker": 0.0,
        "Attack.Place": 0.0,
        "Attack.Target": 1.0,
    }

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


def test_a_broken_line_is_reported_with_its_place(score: Any) -> None:
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


def unplaced(*words: str) -> dict[str, Any]:
    arguments = [{"role": "Target", "text": text} for text in words]
    return {"doc_id": "d1", "events": [{"type": "Attack", "trigger": [10, 16], "arguments": arguments}]}


def test_words_without_a_place_are_missed_on_one_side_and_spurious_on_the_other(score: Any) -> None:
    summary = score([unplaced("the fort")], [unplaced("the fort", "the castle")], diagnosis=True)
    assert summary["tc"].micro.f1 == 1
    (row,) = [row for row in summary.rows if row.measurement == "ac" and row.scope == "corpus" and not row.by]
    assert (row.tally["gold_total"], row.tally["system_total"], row.score.f1) == (1, 2, 0)
    (entry,) = summary.diagnosis["documents"]
    assert [one["text"] for one in entry["spurious"]] == ["the castle", "the fort"]


def test_equal_words_of_one_event_count_once_as_they_would_in_the_text(score: Any) -> None:
    summary = score([GOLD], [unplaced("the fort", "the fort")])
    (row,) = [row for row in summary.rows if row.measurement == "ac" and row.scope == "corpus" and not row.by]
    assert row.tally["system_total"] == 1


def test_a_document_with_two_texts_is_refused(score: Any) -> None:
    lines = [{"doc_id": "d", "text": text, "events": []} for text in ("One.", "One.", "Two.")]
    with pytest.raises(InputError, match="'d' has another text than on an earlier line") as refused:
        score(lines, lines[:1])
    (finding,) = refused.value.findings
    assert finding.location is not None
    assert finding.location.line == 3


def test_an_event_needs_a_trigger_or_its_words(score: Any) -> None:
    with pytest.raises(InputError, match="expected 'trigger', or words under 'text', found neither"):
        score([GOLD], [{"doc_id": "d1", "events": [{"type": "Attack"}]}])


@pytest.mark.parametrize("name", ["d.ann", "d.lydite.jsonl"])
def test_segments_of_a_place_may_stand_in_any_order(name: str, tmp_path: Path) -> None:
    for side, trigger, filler in (
        ("gold", [[1, 2], [5, 6]], [[10, 11], [14, 15]]),
        ("system", [[5, 6], [1, 2]], [[14, 15], [10, 11]]),
    ):
        (tmp_path / side).mkdir()
        places = [";".join(f"{begin} {end}" for begin, end in ranges) for ranges in (trigger, filler)]
        event = {"type": "A", "trigger": trigger, "arguments": [{"role": "Agent", "span": filler}]}
        written = {
            "d.ann": f"T1\tA {places[0]}\tx\nT2\tArgument {places[1]}\ty\nE1\tA:T1 Agent:T2\n",
            "d.lydite.jsonl": json.dumps(
                {"schema": "lydite.document/1", "doc_id": "d", "layers": {"events": [event]}}
            ),
        }
        (tmp_path / side / name).write_text(written[name], encoding="utf-8")
    summary = lydite.score(tmp_path / "gold", tmp_path / "system", task="arguments", profile="exact")
    assert [summary[what].micro.f1 for what in ("ti", "tc", "ai", "ac", "ac+")] == [1] * 5


def test_validation_looks_at_listed_documents_alone(tmp_path: Path) -> None:
    path = tmp_path / "system.jsonl"
    event = {"type": "Attack", "trigger": [0, 3], "text": "raid"}
    path.write_text(json.dumps({"doc_id": "d1", "text": "war", "events": [event]}) + "\n")

    def codes(**settings: Any) -> list[str]:
        found = lydite.validate(path, task="arguments", profile="exact", **settings)
        return [finding.code for finding in found]

    assert codes() == ["text-mismatch"]
    assert codes(document_list=["d1"]) == ["text-mismatch"]
    assert codes(document_list=["d2"]) == []


def test_given_triggers_are_not_scored(score: Any) -> None:
    system = {"doc_id": "d1", "events": [{**GOLD["events"][0], "arguments": []}]}  # type: ignore[dict-item]
    summary = score([GOLD], [system], given="triggers")
    assert {row.measurement for row in summary.corpus_rows()} == {"ai", "ac", "ai+", "ac+"}


@pytest.mark.parametrize("reading", ["refuse", "as-official"])
@pytest.mark.parametrize("changed", [{"type": "Injure"}, {"trigger": [10, 15]}])
def test_given_triggers_must_be_those_of_gold(score: Any, changed: dict[str, object], reading: str) -> None:
    system = {"doc_id": "d1", "events": [{**GOLD["events"][0], **changed}]}  # type: ignore[dict-item]
    with pytest.raises(InputError, match="2 triggers on one side alone") as refused:
        score([GOLD], [system], given="triggers", reading=reading)
    assert [finding.code for finding in refused.value.findings] == ["triggers-differ"]

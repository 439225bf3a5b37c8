"""What language models write: words without offsets, in whatever JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lydite

TEXT = "Rebels stormed the fort. Later they stormed the town."
MAP = ("doc_id=doc", "events=out", "trigger=event.word", "type=event_type", "arguments=args")


@pytest.fixture
def texts(tmp_path: Path) -> Path:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "d1.txt").write_text(TEXT)
    return folder


def lines(path: Path, *records: Any) -> Path:
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    return path


def gold_of(tmp_path: Path) -> Path:
    attack = {"type": "Attack", "trigger": [7, 14], "text": "stormed"}
    arguments = [{"role": "Attacker", "span": [0, 6], "text": "Rebels"}]
    return lines(tmp_path / "gold.jsonl", {"doc_id": "d1", "events": [{**attack, "arguments": arguments}]})


def model_output(tmp_path: Path) -> Path:
    event = {
        "event": {"word": "STORMED"},
        "event_type": "Attack",
        "args": {"Attacker": "rebels", "Place": ["Mars"]},
    }
    return lines(tmp_path / "llm.jsonl", {"doc": "d1", "out": [event]})


def test_words_are_compared_without_any_text(tmp_path: Path) -> None:
    summary = lydite.score(
        gold_of(tmp_path), model_output(tmp_path), task="arguments", profile="strings", map=MAP
    )
    assert summary["tc"].micro.f1 == 1
    assert summary["ac"].micro[:2] == (0.5, 1.0)


def test_equal_words_need_a_partner_each() -> None:
    def document(times: int) -> dict[str, Any]:
        return {"d1": {"events": [{"type": "Attack", "text": "stormed"}] * times}}

    summary = lydite.score(document(2), document(1), task="arguments", profile="strings")
    assert summary["tc"].micro[:2] == (1.0, 0.5)


def test_the_order_of_events_with_equal_words_does_not_matter() -> None:
    events = [{"type": kind, "text": "fire"} for kind in ("Attack", "Dismiss")]
    sides = [{"d1": {"events": one}} for one in (events, events[::-1])]
    assert lydite.score(*sides, task="arguments", profile="strings")["tc"].micro.f1 == 1


def test_places_without_words_and_text_are_refused() -> None:
    side = {"d1": {"events": [{"type": "Attack", "trigger": (0, 3)}]}}
    with pytest.raises(lydite.InvalidInput, match="no words at 0-3"):
        lydite.score(side, side, task="arguments", profile="strings")
    with_text = {"d1": {**side["d1"], "text": TEXT}}
    assert lydite.score(with_text, with_text, task="arguments", profile="strings")["tc"].micro.f1 == 1


def test_words_are_placed_while_scoring(tmp_path: Path, texts: Path) -> None:
    summary = lydite.score(
        gold_of(tmp_path),
        model_output(tmp_path),
        task="arguments",
        profile="exact",
        map=MAP,
        ground=True,
        documents=texts,
    )
    assert summary["ac"].micro[:2] == (0.5, 1.0)
    explanation = lydite.explain(
        gold_of(tmp_path),
        model_output(tmp_path),
        task="arguments",
        profile="exact",
        map=MAP,
        ground=True,
        documents=texts,
    )
    unplaced = [(one.id, one.text) for one in explanation.verdicts if one.cause == "wrong-filler"]
    assert unplaced == [("Attack.Place@nowhere-1", "Mars")]
    told = [finding.message for finding in summary.findings if finding.code == "not-grounded"]
    assert told == ["'Mars' is not in the text, or not so often; the filler counts as spurious"]
    assert "mention-without-place" not in {finding.code for finding in summary.findings}


def test_words_of_gold_that_have_no_place_count_as_missed(texts: Path) -> None:
    gold = lydite.Corpus(
        "gold",
        {
            "d1": lydite.Document(
                "d1",
                (
                    lydite.Mention("1", lydite.Span(), "stormed", "Conflict_Attack", "Actual"),
                    lydite.Mention("2", lydite.Span(), "fled", "Movement_Transport", "Actual"),
                ),
            )
        },
        format="lydite",
    )
    summary = lydite.score(
        gold, {"d1": [(7, 14, "Conflict_Attack", "Actual")]}, task="nugget", ground=True, documents=texts
    )
    assert summary["type"].micro[:2] == (1.0, 0.5)
    told = [finding.message for finding in summary.findings if finding.code == "not-grounded"]
    assert told == ["'fled' is not in the text, or not so often; the mention counts as missed"]


def test_the_first_fault_of_each_record_is_told(tmp_path: Path) -> None:
    bad = lines(
        tmp_path / "bad.jsonl", {"out": [{"event": {}, "args": [{"role": "x"}]}, 3]}, {"doc": "d", "out": [3]}
    )
    with pytest.raises(lydite.InvalidInput) as caught:
        lydite.score(gold_of(tmp_path), bad, task="arguments", profile="exact", map=MAP)
    assert [finding.message for finding in caught.value.findings if finding.code == "event-line"] == [
        "document: nothing at 'doc' for doc_id",
        "events[0]: expected an object, found 3",
    ]
    assert "no-common-document" not in {finding.code for finding in caught.value.findings}


def test_a_record_may_be_one_event_and_an_unknown_key_is_refused(tmp_path: Path) -> None:
    flat = lines(tmp_path / "flat.jsonl", {"id": "d1", "w": "stormed", "t": "Attack", "s": 7, "e": 14})
    said = ("doc_id=id", "trigger=w", "type=t", "start=s", "end=e")
    summary = lydite.score(gold_of(tmp_path), flat, task="arguments", profile="exact", map=said)
    assert summary["tc"].micro.f1 == 1
    with pytest.raises(lydite.UsageError, match="expected key=path, found 'trigge=w'"):
        lydite.score(gold_of(tmp_path), flat, task="arguments", profile="exact", map=["trigge=w"])


def test_words_are_compared_and_explained_too(tmp_path: Path) -> None:
    asked: dict[str, Any] = {"task": "arguments", "profile": "strings", "map": MAP}
    gold, system = gold_of(tmp_path), model_output(tmp_path)
    explanation = lydite.explain(gold, system, **asked)
    assert [(one.side, one.id, one.cause) for one in explanation.verdicts] == [
        ("gold", "Attack.Attacker 'rebels'", "found"),
        ("system", "Attack.Attacker 'rebels'", "right"),
        ("system", "Attack.Place 'mars'", "wrong-filler"),
    ]
    compared = lydite.compare(gold, gold, system, names=["best", "model"], resamples=20, **asked)
    assert [place.system for place in compared.systems] == ["best", "model"]


def test_whoever_grounds_without_a_text_gets_no_hint_at_grounding(tmp_path: Path) -> None:
    summary = lydite.score(
        gold_of(tmp_path), model_output(tmp_path), task="arguments", profile="exact", map=MAP, ground=True
    )
    hints = {finding.code: finding.hint for finding in summary.findings}
    assert hints == {"mention-without-place": None, "source-text-missing": "name the folder: --documents"}


def test_what_has_no_place_counts_as_missed_in_gold_and_as_spurious_in_a_system() -> None:
    words = {"d": {"events": [{"type": "Attack", "trigger": None, "text": "shot", "arguments": []}]}}
    summary = lydite.score(words, words, task="arguments", profile="exact")
    told = [one.message for one in summary.findings if one.code == "mention-without-place"]
    assert told == [
        f"1 trigger without a place in the text: each counts as {fate} (shot)"
        for fate in ("missed", "spurious")
    ]


@pytest.mark.parametrize(("path", "told"), [("args", 0), ("argz", 1)])
def test_a_path_at_which_no_event_has_arguments_is_told(tmp_path: Path, path: str, told: int) -> None:
    said = (*MAP[:-1], f"arguments={path}")
    summary = lydite.score(
        gold_of(tmp_path), model_output(tmp_path), task="arguments", profile="strings", map=said
    )
    messages = [finding.message for finding in summary.findings if finding.code == "event-line"]
    assert messages == ["no event has anything at 'argz' for arguments"] * told

"""Windows and sentences are aligned by their names: order and gaps change no place."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.cli import run
from lydite.errors import Finding, FormatError
from lydite.facade.library import score
from lydite.model import Summary

Records = list[dict[str, Any]]


def window(number: int, words: str, key: str = "sent_id", role: str = "Agent") -> dict[str, Any]:
    """A record whose second word is a trigger, and whose first one fills a role."""
    tokens = words.split()
    argument = {"role": role, "start": 0, "end": 1, "text": tokens[0]}
    event = {"event_type": "T", "trigger": {"start": 1, "end": 2, "text": tokens[1]}, "arguments": [argument]}
    return {"doc_id": "d", key: f"d-{number}", "tokens": tokens, "event_mentions": [event]}


def windows(key: str = "sent_id") -> Records:
    return [window(at, words, key) for at, words in enumerate(("a bb ccc", "dddd e", "f gg", "hh i j"))]


Scored = Callable[..., Summary]


@pytest.fixture(params=["arguments", "nugget"])
def scored(request: pytest.FixtureRequest, tmp_path: Path) -> Scored:
    def run(gold: Records, system: Records, **settings: object) -> Summary:
        for name, records in (("gold", gold), ("system", system)):
            lines = "".join(json.dumps(record) + "\n" for record in records)
            (tmp_path / f"{name}.jsonl").write_text(lines, encoding="utf-8")
        paths = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
        return score(*paths, task=request.param, profile="exact", **settings)

    return run


def headline(summary: Summary) -> tuple[float | None, float | None]:
    figures = next(row.score for row in summary.corpus_rows() if row.measurement in {"ac", "type"})
    return figures.precision, figures.recall


def told(summary: Summary) -> list[Finding]:
    notes = {"no-gold-mentions", "no-system-mentions"}
    return [finding for finding in summary.findings if finding.code not in notes]


@pytest.mark.parametrize("key", ["sent_id", "wnd_id"])
def test_another_order_of_windows_changes_nothing(scored: Scored, key: str) -> None:
    found = scored(windows(key), windows(key)[::-1])
    assert headline(found) == (1, 1)
    assert told(found) == []


@pytest.mark.parametrize("gone", range(4))
def test_a_window_that_is_left_out_moves_no_other(scored: Scored, gone: int) -> None:
    found = scored(windows(), [one for at, one in enumerate(windows()) if at != gone])
    assert headline(found) == (1, 0.75)
    (finding,) = told(found)
    assert finding.code == "missing-window"
    assert finding.message.startswith(f"1 record of gold missing in system (d-{gone})")


def test_what_is_found_in_a_window_that_gold_lacks_is_wrong(scored: Scored) -> None:
    found = scored(windows(), [window(7, "k l"), window(8, "mm nn oo"), *windows()])
    assert headline(found) == (4 / 6, 1)
    (finding,) = told(found)
    assert (finding.code, finding.severity) == ("extra-window", "warning")
    assert "2 records of system not in gold (d-7, d-8)" in finding.message


def test_windows_of_missing_documents_are_counted_in_one_finding(scored: Scored) -> None:
    other = [{**one, "doc_id": "e", "sent_id": f"e-{at}"} for at, one in enumerate(windows())]
    found = scored([*windows(), *other], windows()[1:])
    (finding,) = [one for one in told(found) if one.code == "missing-window"]
    assert "5 records of gold missing in system (d-0, e-0, e-1, …)" in finding.message


def test_the_same_window_twice_is_refused(scored: Scored) -> None:
    for reading in ("refuse", "as-official"):
        with pytest.raises(FormatError, match="sent_id 'd-1' of document 'd' occurs twice") as refused:
            scored(windows(), [*windows(), windows()[1]], reading=reading)
        assert [finding.code for finding in refused.value.findings] == ["repeated-window"]


def test_another_word_is_told_and_its_token_is_compared_all_the_same(scored: Scored) -> None:
    changed = windows()
    changed[1] = window(1, "zzzzzzz e")
    found = scored(windows(), changed)
    assert headline(found) == (1, 1)
    (finding,) = told(found)
    assert finding.code == "texts-differ"
    assert finding.location is not None
    assert finding.location.line == 2
    assert "window d-1: token 0 is 'dddd' in gold, 'zzzzzzz' here" in finding.message


def test_another_number_of_tokens_is_refused_or_compared_as_it_is(scored: Scored) -> None:
    changed = windows()
    changed[1] = window(1, "dddd e now then")
    with pytest.raises(FormatError, match="window d-1: 2 tokens in gold and 4 here") as refused:
        scored(windows(), changed)
    assert [finding.code for finding in refused.value.findings] == ["texts-differ"]
    found = scored(windows(), changed, reading="as-official")
    assert headline(found) == (1, 1)
    (finding,) = told(found)
    assert (finding.code, finding.severity) == ("texts-differ", "warning")
    assert "token 2 is no token in gold, 'now' here" in finding.message


def without(key: str, records: Records) -> Records:
    return [{name: value for name, value in record.items() if name != key} for record in records]


def test_records_without_names_are_aligned_by_their_order(scored: Scored) -> None:
    assert headline(scored(without("sent_id", windows()), without("sent_id", windows()))) == (1, 1)


@pytest.mark.parametrize("changed", [windows()[:3], windows()[::-1], [window(0, "a bb xxx"), *windows()[1:]]])
def test_records_without_names_must_be_the_same(scored: Scored, changed: Records) -> None:
    with pytest.raises(FormatError) as refused:
        scored(windows(), without("sent_id", changed))
    assert [finding.code for finding in refused.value.findings] == ["records-differ"]


def test_a_document_without_doc_id_is_named_by_its_sentences(scored: Scored) -> None:
    assert headline(scored(windows(), without("doc_id", windows())[::-1])) == (1, 1)


def test_a_place_beyond_its_window_is_refused_though_the_document_goes_on(scored: Scored) -> None:
    broken = windows()
    broken[0]["event_mentions"][0]["trigger"]["end"] = 4
    with pytest.raises(FormatError, match="tokens 1 to 4 of 3"):
        scored(windows(), broken)


@pytest.mark.parametrize("task", ["arguments", "nugget"])
def test_sentences_of_a_document_must_have_as_many_tokens(tmp_path: Path, task: str) -> None:
    record: dict[str, Any] = {"doc_key": "d", "sentences": [["a", "b"], ["c"]], "events": [[[[2, "T"]]]]}
    changed = {**record, "sentences": [["a"], ["b", "c"]]}
    for name, one in (("gold", record), ("system", changed)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(one), encoding="utf-8")
    with pytest.raises(FormatError, match="window 1: 2 tokens in gold and 1 here"):
        score(tmp_path / "gold.jsonl", tmp_path / "system.jsonl", task=task, profile="exact")


def write(path: Path, records: Records) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


@pytest.mark.parametrize("task", ["arguments", "nugget"])
def test_explanations_compare_the_places_that_are_scored(tmp_path: Path, task: str) -> None:
    gold, system = (
        write(tmp_path / name, records)
        for name, records in (("gold.jsonl", windows()), ("system.jsonl", windows()[:0:-1]))
    )
    explained = lydite.explain(gold, system, task=task, profile="exact")
    causes = [verdict.cause for verdict in explained.verdicts if verdict.side == "gold"]
    assert causes.count("missed") == 1
    assert explained.budget is not None
    assert {fault.fault: fault.items for fault in explained.budget.faults if fault.items} == {"missed": 1}


def test_annotators_are_asked_about_the_same_places(tmp_path: Path) -> None:
    paths = write(tmp_path / "a.jsonl", windows()), write(tmp_path / "b.jsonl", windows()[:0:-1])
    sheet = tmp_path / "sheet.csv"
    assert run(["adjudicate", "nugget", *map(str, paths), "-o", str(sheet), "--quiet"]) == 0
    (row,) = list(csv.DictReader(sheet.read_text(encoding="utf-8-sig").splitlines()))
    assert (row["a: a"], row["b: b"]) == ("2,4 | T | NOT_ANNOTATED", "")

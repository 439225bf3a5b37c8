"""Items by their words: what agrees, what is refused, what a hint recommends works."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.cli import run
from lydite.errors import UsageError

GOLD = {"doc_id": "d1", "text": "Orla Finch left.", "entities": [{"text": "Orla Finch", "label": "PER"}]}
SYSTEM = {"doc_id": "d1", "entities": [{"text": "orla  finch", "label": "PER"}]}


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "gold.jsonl", tmp_path / "system.jsonl"]
    for path, line in zip(paths, (GOLD, SYSTEM), strict=True):
        path.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return list(map(str, paths))


def test_words_alone_under_a_profile_of_offsets_are_refused_with_both_ways_out(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["score", "spans", *files, "--profile", "exact"]) == 3
    printed = capsys.readouterr().err
    assert "--profile strings" in printed
    assert "--ground" in printed


@pytest.mark.parametrize("way", [["--profile", "strings"], ["--profile", "exact", "--ground"]])
def test_either_way_out_works(files: list[str], way: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "spans", *files, *way, "-q"]) == 0
    assert "100.00" in capsys.readouterr().out


def test_placing_words_that_are_compared_by_themselves_is_refused(files: list[str]) -> None:
    assert run(["score", "spans", *files, "--profile", "strings", "--ground", "-q"]) == 2


def test_spans_of_a_text_are_compared_by_the_words_that_stand_there() -> None:
    gold = {"d1": {"spans": [(0, 5, "PER")], "text": "Finch left"}}
    system = {"d1": {"spans": [(2, 7, "PER")], "text": "a finch"}}
    assert lydite.score(gold, system, task="spans", profile="strings").headline_score() == 1


def test_spans_without_words_are_refused_rather_than_equal() -> None:
    gold = {"d1": [(0, 5, "PER")]}
    with pytest.raises(UsageError, match="without words"):
        lydite.score(gold, gold, task="spans", profile="strings")


def test_relations_without_ids_are_refused_where_ids_count(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(
        '{"doc_id": "d", "relations": [{"head": "a", "type": "r", "tail": "b"}]}\n', encoding="utf-8"
    )
    assert run(["score", "triples", str(path), str(path), "-q"]) == 2
    assert run(["score", "triples", str(path), str(path), "--profile", "strings", "-q"]) == 0


def test_words_of_events_are_placed_in_the_text_of_gold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    argument = {"role": "agent", "span": [0, 5]}
    event = {"type": "Move", "trigger": [6, 10], "arguments": [argument]}
    gold.write_text(
        json.dumps({"doc_id": "d", "text": "Finch left.", "events": [event]}) + "\n", encoding="utf-8"
    )
    words = {"type": "Move", "text": "left", "arguments": [{"role": "agent", "text": "finch"}]}
    system.write_text(json.dumps({"doc_id": "d", "events": [words]}) + "\n", encoding="utf-8")
    files = [str(gold), str(system)]
    assert run(["score", "arguments", *files, "--profile", "exact", "--ground", "-q"]) == 0
    assert capsys.readouterr().out.count("100.00") == 18

"""Files that share keys are told apart by all of them, and of several layers no task is guessed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError, UsageError
from lydite.facade.library import score
from lydite.formats.json_records import keys_of_first_record, record_format_of

TOKENS = ["a", "b"]
SENTENCES = [TOKENS]
RAMS = {"doc_key": "d", "sentences": SENTENCES, "evt_triggers": [[1, 1, [["T", 1.0]]]], "gold_evt_links": []}
SCIERC = {
    "doc_key": "d",
    "sentences": SENTENCES,
    "ner": [[[0, 0, "P"]]],
    "relations": [[]],
    "clusters": [[[0, 0], [1, 1]]],
}
ONEIE = {
    "doc_id": "d",
    "sent_id": "d-0",
    "tokens": TOKENS,
    "entity_mentions": [{"id": "e", "start": 0, "end": 1, "entity_type": "P"}],
    "relation_mentions": [],
    "event_mentions": [{"event_type": "T", "trigger": {"start": 1, "end": 2}, "arguments": []}],
}
EVENTS_ALONE = {**ONEIE, "entity_mentions": []}


def head(record: dict[str, Any]) -> bytes:
    return json.dumps(record).encode()


@pytest.mark.parametrize(
    ("record", "name"),
    [
        (ONEIE, "oneie"),
        ({**ONEIE, "wnd_id": "d-0"}, "textee"),
        ({"sent_id": "d-0", "tokens": TOKENS, "graph": {}}, "oneie"),
        ({"tokens": TOKENS, "graph": {}}, None),
        (RAMS, "rams"),
        ({**RAMS, "clusters": []}, "rams"),
        (SCIERC, "dygie"),
        ({"doc_key": "d", "sentences": SENTENCES, "predicted_relations": []}, "dygie"),
        ({"doc_key": "d", "clusters": []}, "coref-jsonl"),
        ({"doc_key": "d", "sentences": SENTENCES, "predicted_clusters": []}, "coref-jsonl"),
        ({"doc_key": "d", "predicted": "x"}, "gen-arg"),
    ],
)
def test_a_format_is_known_by_all_keys_of_the_first_record(record: dict[str, Any], name: str | None) -> None:
    assert record_format_of(head(record)) == name


def test_only_keys_of_the_record_itself_count() -> None:
    record = b'{"a": {"b": ["c", {"d": 1}], "e\\"": "f:"}, "g" : "h"} {"i": 1}'
    assert keys_of_first_record(record) == {"a", "g"}
    assert keys_of_first_record(b'["a", {"b": 1}]') == frozenset()


def written(folder: Path, record: dict[str, Any]) -> Path:
    path = folder / "x.jsonl"
    path.write_bytes(head(record))
    return path


@pytest.mark.parametrize(
    ("record", "layers", "tasks"),
    [
        (SCIERC, "entities and clusters", ["spans", "coref"]),
        (ONEIE, "entities and events", ["spans", "arguments", "nugget"]),
        (
            {**SCIERC, "events": [[[[0, "T"]]]]},
            "entities and clusters and events",
            ["spans", "coref", "arguments", "nugget"],
        ),
    ],
)
def test_of_several_layers_no_task_is_guessed(
    tmp_path: Path, record: dict[str, Any], layers: str, tasks: list[str]
) -> None:
    path = written(tmp_path, record)
    with pytest.raises(UsageError, match=f"holds {layers}: the task must be named") as refused:
        score(path, path)
    assert refused.value.hint == (
        " or ".join(f"lydite score {task} …" for task in tasks) or "no task scores these"
    )


def test_entities_alone_are_scored_as_labelled_spans_under_exact(tmp_path: Path) -> None:
    path = written(tmp_path, {**SCIERC, "clusters": []})
    summary = score(path, path)
    assert (summary.task, summary.profile) == ("spans", "exact")


def test_events_alone_are_scored_as_arguments_under_exact(tmp_path: Path) -> None:
    path = written(tmp_path, EVENTS_ALONE)
    found = score(path, path)
    assert (found.task, found.profile) == ("arguments", "exact")


def test_nuggets_without_realis_are_scored_under_exact(tmp_path: Path) -> None:
    path = written(tmp_path, EVENTS_ALONE)
    assert score(path, path, task="nugget").profile == "exact"


def test_rams_is_not_read_as_coreference(tmp_path: Path) -> None:
    path = written(tmp_path, RAMS)
    with pytest.raises(FormatError, match="a file of the format rams") as refused:
        score(path, path, task="coref")
    assert [finding.code for finding in refused.value.findings] == ["unknown-format"]


@pytest.mark.parametrize("task", [None, "arguments"])
def test_rams_is_scored_by_its_own_profile(tmp_path: Path, task: str | None) -> None:
    path = written(tmp_path, RAMS)
    summary = score(path, path, task=task)
    assert (summary.task, summary.profile) == ("arguments", "rams")


@pytest.mark.parametrize(
    "record", [SCIERC, {key: ONEIE[key] for key in ("doc_id", "tokens", "entity_mentions")}]
)
def test_a_file_without_events_has_none_to_be_scored(tmp_path: Path, record: dict[str, Any]) -> None:
    path = written(tmp_path, record)
    with pytest.raises(FormatError, match="found no record that has them"):
        score(path, path, task="arguments")

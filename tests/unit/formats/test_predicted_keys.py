"""Gold is read from plain keys, a system from predicted ones; what can only be a copy of gold is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError
from lydite.facade.library import score
from lydite.model import Summary

WORDS = [["Ann", "saw", "her", "dog", "."]]
GOLD = {"doc_key": "d", "sentences": WORDS, "clusters": [[[0, 0], [2, 2]]], "ner": [[[0, 0, "PER"]]]}
OUTPUT = {**GOLD, "predicted_clusters": [[[0, 0], [3, 3]]]}
EVENTS = {"doc_key": "d", "sentences": WORDS, "events": [[[[1, "See"], [0, 0, "Agent"]]]], "ner": [[]]}
EVENT_OUTPUT = {**EVENTS, "predicted_events": [[[[1, "See"], [3, 3, "Agent"]]]]}


def file(folder: Path, name: str, *records: dict[str, Any]) -> Path:
    path = folder / f"{name}.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def codes(summary: Summary) -> list[str]:
    return [finding.code for finding in summary.findings]


def f1(summary: Summary, metric: str) -> float | None:
    return next(row.score.f1 for row in summary.corpus_rows() if metric in {row.metric, row.measurement})


@pytest.mark.parametrize("plain", [GOLD, {key: GOLD[key] for key in ("doc_key", "sentences", "clusters")}])
def test_a_system_is_read_from_predicted_clusters(tmp_path: Path, plain: dict[str, Any]) -> None:
    output = {**plain, "predicted_clusters": OUTPUT["predicted_clusters"]}
    found = score(file(tmp_path, "gold", plain), file(tmp_path, "system", output), task="coref")
    assert f1(found, "b-cubed") == 0.25
    assert codes(found) == []


def test_a_system_is_read_from_predicted_events(tmp_path: Path) -> None:
    found = score(file(tmp_path, "gold", EVENTS), file(tmp_path, "system", EVENT_OUTPUT), task="arguments")
    assert (f1(found, "tc"), f1(found, "ac")) == (1, 0)


@pytest.mark.parametrize("reading", ["refuse", "as-official"])
@pytest.mark.parametrize(("task", "gold"), [("coref", GOLD), ("arguments", EVENTS), ("nugget", EVENTS)])
def test_a_layer_that_is_not_predicted_can_only_be_gold(
    tmp_path: Path, task: str, gold: dict[str, Any], reading: str
) -> None:
    system = file(tmp_path, "system", {**gold, "predicted_ner": [[]]})
    with pytest.raises(FormatError, match=r"found predicted_ner: .* can only be a copy of gold") as refused:
        score(file(tmp_path, "gold", gold), system, task=task, reading=reading)
    assert [finding.code for finding in refused.value.findings] == ["gold-only-layer"]


def test_a_record_without_the_predicted_key_of_others_has_nothing_predicted(tmp_path: Path) -> None:
    second = {**GOLD, "doc_key": "e"}
    gold = file(tmp_path, "gold", GOLD, second)
    found = score(
        gold,
        file(tmp_path, "system", {**OUTPUT, "predicted_clusters": GOLD["clusters"]}, second),
        task="coref",
    )
    assert next(row.score.recall for row in found.corpus_rows() if row.metric == "b-cubed") == 0.5


def test_plain_keys_of_a_system_are_told(tmp_path: Path) -> None:
    found = score(file(tmp_path, "gold", GOLD), file(tmp_path, "system", GOLD), task="coref")
    assert f1(found, "b-cubed") == 1
    assert codes(found) == ["gold-keys-as-system"]


def test_predictions_in_gold_are_told_and_not_read(tmp_path: Path) -> None:
    output = file(tmp_path, "output", OUTPUT)
    found = score(output, output, task="coref")
    assert f1(found, "b-cubed") == 0.25
    assert codes(found) == ["predictions-as-gold"]


def test_a_setting_chooses_the_keys_of_the_system(tmp_path: Path) -> None:
    gold, system = file(tmp_path, "gold", GOLD), file(tmp_path, "system", OUTPUT)
    found = score(gold, system, task="coref", system_keys="plain")
    assert f1(found, "b-cubed") == 1
    assert codes(found) == []
    with pytest.raises(FormatError, match="found no predicted key"):
        score(system, gold, task="coref", system_keys="predicted")


def test_clusters_with_names_have_no_predicted_keys_beside_them(tmp_path: Path) -> None:
    named = {"doc_key": "d", "type": "clusters", "clusters": {"c": ["m", "n"]}}
    found = score(file(tmp_path, "gold", named), file(tmp_path, "system", named), task="coref")
    assert codes(found) == []

"""Relations: what counts under the profiles, and what makes their figures differ."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.errors import InputError, UsageError

SENTENCE = ["a", "b", "c", "d"]


def dygie(relations: list[Any], ner: list[Any], *, predicted: bool = False) -> dict[str, Any]:
    prefix = "predicted_" if predicted else ""
    return {
        "doc_key": "d",
        "sentences": [SENTENCE],
        f"{prefix}ner": [ner],
        f"{prefix}relations": [relations],
    }


NER = [[0, 0, "PER"], [2, 2, "ORG"]]


def write(path: Path, *records: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(path)


def counts(
    folder: Path, gold: Any, system: Any, measure: str = "rel", **options: Any
) -> tuple[int, int, int]:
    """Correct, gold and system items."""
    files = write(folder / "gold.jsonl", gold), write(folder / "system.jsonl", system)
    summary = lydite.score(*files, task="relations", **options)
    row = next(row for row in summary.corpus_rows() if row.measurement == measure)
    tally = row.counts
    return int(tally["system_credit"]), int(tally["gold_total"]), int(tally["system_total"])


def test_a_relation_counts_once_under_exact_and_as_often_as_it_is_listed_under_pure(tmp_path: Path) -> None:
    gold = dygie([[0, 0, 2, 2, "r"]], NER)
    system = dygie([[0, 0, 2, 2, "r"], [0, 0, 2, 2, "r"]], NER, predicted=True)
    assert counts(tmp_path, gold, system) == (1, 1, 1)
    assert counts(tmp_path, gold, system, profile="pure") == (2, 1, 2)
    assert counts(tmp_path, gold, system, profile="pure", quirks={"recall-above-one": False}) == (1, 1, 1)


def test_a_relation_counts_in_rel_plus_only_if_both_ends_have_right_types(tmp_path: Path) -> None:
    gold = dygie([[0, 0, 2, 2, "r"]], NER)
    system = dygie([[0, 0, 2, 2, "r"]], [[0, 0, "PER"], [2, 2, "LOC"]], predicted=True)
    assert counts(tmp_path, gold, system, "rel") == (1, 1, 1)
    assert counts(tmp_path, gold, system, "rel+") == (0, 1, 1)


def test_the_ends_of_a_symmetric_type_have_no_order(tmp_path: Path) -> None:
    gold, system = dygie([[0, 0, 2, 2, "r"]], NER), dygie([[2, 2, 0, 0, "r"]], NER, predicted=True)
    assert counts(tmp_path, gold, system) == (0, 1, 1)
    assert counts(tmp_path, gold, system, symmetric=["r"]) == (1, 1, 1)


def test_under_dygie_the_last_label_of_a_pair_counts(tmp_path: Path) -> None:
    gold = dygie([[0, 0, 2, 2, "r"]], NER)
    system = dygie([[0, 0, 2, 2, "r"], [0, 0, 2, 2, "q"]], NER, predicted=True)
    assert counts(tmp_path, gold, system, profile="dygie") == (0, 1, 1)
    assert counts(tmp_path, gold, system, profile="dygie", quirks={"last-label": False}) == (1, 1, 2)


def test_equal_places_of_two_sentences_are_two_items(tmp_path: Path) -> None:
    def sentence(number: int, relations: list[Any]) -> dict[str, Any]:
        entities = [[0, 1, "PER", "NAM", 1], [2, 3, "ORG", "NAM", 1]]
        graph = {"entities": entities, "triggers": [], "relations": relations, "roles": []}
        return {"doc_id": "d", "sent_id": f"d-{number}", "tokens": SENTENCE, "graph": graph}

    gold = write(tmp_path / "gold.jsonl", sentence(0, [[0, 1, "r", 1]]), sentence(1, []))
    system = write(tmp_path / "system.jsonl", sentence(0, []), sentence(1, [[0, 1, "r", 1]]))
    summary = lydite.score(gold, system, task="relations")
    assert summary["rel"].micro.f1 == 0.0
    assert summary["entity"].micro.f1 == 1.0


@pytest.mark.parametrize("place", [[0, 4], [-1, 0], [2, 1]])
def test_an_entity_outside_the_tokens_is_refused(tmp_path: Path, place: list[int]) -> None:
    path = write(tmp_path / "x.jsonl", dygie([], [[*place, "PER"]]))
    with pytest.raises(InputError, match="expected tokens among 0 to 4"):
        lydite.score(path, path, task="relations")


def test_facts_of_an_entity_that_gold_lacks_are_refused(tmp_path: Path) -> None:
    page = {
        "title": "p",
        "sents": [SENTENCE],
        "vertexSet": [[{"name": "a", "sent_id": 0}]],
        "labels": [{"h": 0, "t": 0, "r": "P1", "evidence": []}],
    }
    gold = write(tmp_path / "gold.json", page)
    system = write(tmp_path / "system.json", {"title": "p", "h_idx": 0, "t_idx": 7, "r": "P1"})
    with pytest.raises(InputError, match="entity 7 of 1"):
        lydite.score(gold, system, task="relations")


def test_the_verdicts_on_the_headline_add_up_to_its_counts(tmp_path: Path) -> None:
    gold = write(tmp_path / "gold.jsonl", dygie([[0, 0, 2, 2, "r"], [0, 0, 1, 1, "r"]], NER))
    system = write(
        tmp_path / "system.jsonl",
        dygie([[0, 0, 2, 2, "r"], [2, 2, 0, 0, "r"], [0, 0, 1, 1, "q"]], NER, predicted=True),
    )
    found = lydite.explain(gold, system, task="relations", measures=["rel", "entity"])
    of_system = [one for one in found.verdicts if one.side == "system"]
    assert sum(one.credit for one in of_system) == 1
    assert sorted(one.cause for one in of_system) == ["right", "swapped-ends", "wrong-type"]


def test_a_dataset_that_a_system_lacks_counts_as_zero_in_the_mean(tmp_path: Path) -> None:
    for side, names in (("gold", "ab"), ("system", "a")):
        (tmp_path / side).mkdir()
        for name in names:
            write(
                tmp_path / side / f"{name}.jsonl", dygie([[0, 0, 2, 2, "r"]], NER, predicted=side == "system")
            )
    folders = str(tmp_path / "gold"), str(tmp_path / "system")
    summary = lydite.score(*folders, task="relations", suite="datasets")
    assert summary.headline_score() == 0.5
    assert {row.by["dataset"]: row.score.f1 for row in summary.rows_by("dataset")} == {"a": 1.0, "b": 0.0}
    assert [one.code for one in summary.findings] == ["missing-dataset"]


def page(folder: Path) -> tuple[str, str]:
    """A page of three entities with two facts, of which the system has the first and gives the second a wrong type."""
    vertices = [
        [{"name": name, "sent_id": 0, "pos": [at, at + 1], "type": "PER"}] for at, name in enumerate("abc")
    ]
    labels = [{"h": 0, "t": 1, "r": "P1", "evidence": [0]}, {"h": 1, "t": 2, "r": "P2", "evidence": [0]}]
    gold = [{"title": "d", "sents": [SENTENCE], "vertexSet": vertices, "labels": labels}]
    system = [
        {"title": "d", "h_idx": 0, "t_idx": 1, "r": "P1", "evidence": [0]},
        {"title": "d", "h_idx": 1, "t_idx": 2, "r": "P9", "evidence": [0]},
    ]
    for name, held in (("gold.json", gold), ("system.json", system)):
        (folder / name).write_text(json.dumps(held), encoding="utf-8")
    return str(folder / "gold.json"), str(folder / "system.json")


def test_facts_are_explained_without_training_files(tmp_path: Path) -> None:
    explanation = lydite.explain(*page(tmp_path), task="relations", profile="redocred")
    assert [(one.id, one.cause) for one in explanation.verdicts if one.side == "gold"] == [
        ("P1 0 1", "right"),
        ("P2 1 2", "wrong-type"),
    ]


def test_a_measure_without_its_training_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="ign: the training file is not given"):
        lydite.score(*page(tmp_path), task="relations", profile="redocred", measures=["ign"])


def test_the_overall_mean_of_event_relations_is_explained_by_the_pairs_of_all_kinds() -> None:
    case = (
        Path(__file__).parents[2] / "conformance" / "modern-maven-ere" / "11-relations-between-all-mentions"
    )
    files = str(case / "gold.jsonl"), str(case / "system.jsonl")
    explanation = lydite.explain(*files, task="relations", profile="maven-ere")
    wrong = [one.type for one in explanation.verdicts if one.side == "system" and one.cause != "right"]
    assert wrong == ["CAUSE", "CAUSE"]

"""Confusions, selections and the comparison file, worked by hand on a few mentions."""

from __future__ import annotations

import pickle
from fractions import Fraction
from pathlib import Path

import pytest

import lydite
from lydite.explanation.budget import Fault, divide_points
from lydite.explanation.confusions import ConfusionMatrix
from lydite.explanation.selection import VerdictFilter, lost_by_second
from lydite.model.verdict import GOLD, SYSTEM, Side, Verdict

DIE, MEET = "Life_Die", "Contact_Meet"


def written(folder: Path, name: str, documents: dict[str, list[tuple[str, int, str]]]) -> str:
    """A file of mentions of four characters each: id, place and type."""
    lines = []
    for doc_id, mentions in documents.items():
        lines.append(f"#BeginOfDocument {doc_id}")
        lines += [
            f"{name}\t{doc_id}\t{id_}\t{at},{at + 4}\tword\t{type_}\tActual" for id_, at, type_ in mentions
        ]
        lines.append("#EndOfDocument")
    path = folder / f"{name}.tbf"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return str(path)


def verdict(side: Side, cause: str, *, id_: str = "E1") -> Verdict:
    return Verdict("d", side, id_, None, cause, 0, 1, "because", line=2)


def test_rows_are_the_values_of_gold_and_columns_those_of_the_system(tmp_path: Path) -> None:
    gold = written(tmp_path, "gold", {"d": [("E1", 0, DIE)]})
    system = written(tmp_path, "system", {"d": [("E1", 0, MEET)]})
    matrix = lydite.explain(gold, system).confusion("type")
    assert matrix.largest() == [(DIE, MEET, 1)]


def test_confusions_that_are_as_frequent_stand_in_the_order_of_gold_then_system() -> None:
    matrix = ConfusionMatrix("type", ("a", "b", "c"), ("a", "b", "c"), ((9, 0, 2), (2, 9, 3), (2, 0, 9)))
    assert matrix.largest() == [("b", "c", 3), ("a", "c", 2), ("b", "a", 2), ("c", "a", 2)]


def test_only_items_of_gold_are_lost() -> None:
    first = [verdict(GOLD, "right"), verdict(GOLD, "missed", id_="E2")]
    second = [verdict(GOLD, "missed"), verdict(SYSTEM, "spurious"), verdict(GOLD, "missed", id_="E2")]
    assert list(lost_by_second(first, second)) == [second[0]]


def test_documents_that_are_not_scored_come_last_in_the_order_of_their_names(tmp_path: Path) -> None:
    gold = written(tmp_path, "gold", {"m": [("E1", 0, DIE)]})
    documents = {name: [("E1", 0, DIE)] for name in ("z", "m", "a")}
    found = lydite.explain(gold, written(tmp_path, "system", documents))
    assert list(dict.fromkeys(verdict.document for verdict in found.verdicts)) == ["m", "a", "z"]


def test_a_fault_that_no_item_has_gets_a_row_of_zeros() -> None:
    figures = {frozenset[str](): Fraction(1, 4), frozenset({"missed"}): Fraction(3, 4)}
    budget = divide_points({"missed": 2, "spurious": 0}, ["spurious", "missed"], figures)
    assert budget.faults == (
        Fault("spurious", 0, Fraction(0), Fraction(0)),
        Fault("missed", 2, Fraction(1, 2), Fraction(1, 2)),
    )
    assert (budget.figure, budget.perfect) == (Fraction(1, 4), Fraction(3, 4))


def test_a_verdict_is_shown_if_every_part_of_a_selection_asks_for_it() -> None:
    verdicts = [verdict(GOLD, cause, id_=id_) for cause in ("missed", "right") for id_ in ("E1", "E2")]
    assert list(VerdictFilter(ids=("E1",), causes=("missed",)).select(verdicts)) == [verdicts[0]]
    assert list(VerdictFilter(documents=("other",), causes=("missed",)).select(verdicts)) == []
    assert list(VerdictFilter(causes=("right",), types=("none",)).select(verdicts)) == []
    assert list(VerdictFilter().select(verdicts)) == verdicts


TRIPLES = ("examples/triples/gold.trp", "examples/triples/system.trp")
ACE = ("examples/ace/gold", "examples/ace/systems/alder")
STORES = ("examples/arguments/annotation", "examples/arguments/systems/alder")


@pytest.mark.parametrize(("task", "sides"), [("triples", TRIPLES), ("ace", ACE), ("arguments", STORES)])
def test_an_explanation_survives_pickling(task: str, sides: tuple[str, str]) -> None:
    explanation = lydite.explain(*sides, task=task)
    again = pickle.loads(pickle.dumps(explanation))  # noqa: S301 - our own bytes
    assert again.to_dict() == explanation.to_dict()


def test_an_explanation_that_was_pickled_needs_its_files_no_more(tmp_path: Path) -> None:
    gold = written(tmp_path, "gold", {"d": [("E1", 0, DIE)]})
    system = written(tmp_path, "system", {"d": [("E1", 0, MEET)]})
    packed = pickle.dumps(lydite.explain(gold, system))
    Path(gold).unlink()
    Path(system).unlink()
    assert "type is Contact_Meet" in pickle.loads(packed).why("E1")  # noqa: S301 - as above

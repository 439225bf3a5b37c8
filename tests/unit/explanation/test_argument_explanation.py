"""What explain says of classes of arguments."""

from __future__ import annotations

from pathlib import Path

import lydite

ANNOTATION = Path(__file__).parents[3] / "examples" / "arguments" / "annotation"
SPOKEN = 11
"""Columns of a response; those behind them are the assessor's."""


def test_a_class_is_missed_because_a_rule_left_its_response_out(tmp_path: Path) -> None:
    for name, path in (("gold", tmp_path / "gold"), ("system", tmp_path / "system")):
        path.mkdir()
        lines = (ANNOTATION / "nw05-wenn").read_text(encoding="utf-8").splitlines()
        rows = lines if name == "gold" else ["\t".join(line.split("\t")[:SPOKEN]) for line in lines]
        (path / "nw05-wenn").write_text("\n".join(rows) + "\n", encoding="utf-8")
    told = lydite.explain(tmp_path / "gold", tmp_path / "system", task="arguments")
    (date,) = [v for v in told.verdicts if v.side == "gold" and v.text == "2031-XX-XX"]
    assert (date.cause, date.other) == ("missed", "4")
    assert date.why.endswith(
        "4 of the system is left out: 2031-XX-XX is a coarser form of an accepted date (coarse-dates)"
    )


def test_faults_of_events_that_were_made_of_ace_elements_are_mended() -> None:
    case = Path(__file__).parents[2] / "conformance" / "ace" / "event_argument_errors"
    sides = [lydite.read(case / side) for side in ("ref", "sys")]
    told = lydite.explain(*sides, task="arguments", profile="exact", budget=True)
    assert told.budget is not None
    found = [(fault.fault, fault.items) for fault in told.budget.faults if fault.items]
    assert found == [("role", 1), ("filler", 1), ("missed", 2)]


def test_a_realis_is_corrected_only_where_the_corrected_response_is_right(tmp_path: Path) -> None:
    line = "{}\td\tLife.Die\tVictim\tAnn\t0-2\t0-9\t0-2\tNIL\t{}\t1.0"
    other_realis = line.format(1, "Actual") + "\tC\tC\tC\tC\t1\tOther\tNAME\n"
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "d").write_text(
        other_realis
        + line.format(2, "Other")
        + "\tW\tNIL\tNIL\tNIL\t1\tNIL\tNIL\n"
        + line.format(3, "Generic")
        + "\tC\tC\tC\tC\t1\tGeneric\tNAME\n"
    )
    (tmp_path / "system").mkdir()
    (tmp_path / "system" / "d").write_text(line.format(1, "Actual") + "\n" + line.format(3, "Generic") + "\n")
    budget = lydite.explain(
        str(tmp_path / "gold"), str(tmp_path / "system"), task="arguments", budget=True
    ).budget
    assert budget is not None
    assert budget.perfect == 1


def test_everything_mended_is_gold_against_itself_where_gold_has_words_without_a_place(
    tmp_path: Path,
) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    event = '{{"doc_id": "d", "events": [{{"type": "Die", "text": "fell", "arguments": [{}]}}]}}\n'
    placed = '{"role": "Agent", "text": "Ana", "span": [[0, 3]]}'
    gold.write_text(event.format(f'{placed}, {{"role": "Place", "text": "Lima"}}'), encoding="utf-8")
    system.write_text(event.format(""), encoding="utf-8")
    told = lydite.explain(gold, system, task="arguments", profile="exact", budget=True)
    itself = lydite.score(gold, gold, task="arguments", profile="exact")
    assert told.budget is not None
    assert itself["ac"].micro.f1 == 0.5
    assert told.budget.perfect == 0.5

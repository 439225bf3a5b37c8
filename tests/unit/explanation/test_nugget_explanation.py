"""Verdicts and budgets of event nuggets, on files small enough to work out by hand."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import lydite
from lydite.explanation import Explanation

ROOT = Path(__file__).parent.parent.parent.parent
GOLD = ROOT / "examples" / "gold.tbf"
BIRCH = ROOT / "examples" / "systems" / "birch.tbf"


def tbf(path: Path, *documents: tuple[str, list[tuple[str, str, str, str]]]) -> Path:
    lines = []
    for doc_id, mentions in documents:
        lines.append(f"#BeginOfDocument {doc_id}")
        lines += [
            f"sys\t{doc_id}\t{name}\t{span}\tword\t{type_}\t{realis}"
            for name, span, type_, realis in mentions
        ]
        lines.append("#EndOfDocument")
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


ATTACK, DIE = "Conflict_Attack", "Life_Die"


@pytest.fixture
def world(tmp_path: Path) -> Explanation:
    gold = tbf(
        tmp_path / "gold.tbf",
        (
            "d1",
            [
                ("E1", "0,4", ATTACK, "Actual"),
                ("E2", "10,14", ATTACK, "Actual"),
                ("E3", "20,24", ATTACK, "Actual"),
                ("E4", "30,34", ATTACK, "Actual"),
                ("E5", "40,44", DIE, "Other"),
                ("E6", "50,54", ATTACK, "Actual"),
                ("E7", "50,58", DIE, "Actual"),
            ],
        ),
        ("d2", [("E1", "0,4", ATTACK, "Actual")]),
    )
    system = tbf(
        tmp_path / "system.tbf",
        (
            "d1",
            [
                ("S1", "0,4", ATTACK, "Actual"),
                ("S2", "10,12", ATTACK, "Actual"),
                ("S3", "20,24", DIE, "Actual"),
                ("S4", "30,34", ATTACK, "Generic"),
                ("S5", "40,44", ATTACK, "Actual"),
                ("S6", "50,54", ATTACK, "Actual"),
                ("S7", "0,4", ATTACK, "Actual"),
                ("S8", "90,94", ATTACK, "Actual"),
                ("S9", "12,14", DIE, "Actual"),
            ],
        ),
        ("d3", [("S1", "0,4", ATTACK, "Actual")]),
    )
    return lydite.explain(gold, system, budget=True)


def test_every_item_has_its_cause(world: Explanation) -> None:
    found = {(one.document, one.side, one.id): one.cause for one in world.verdicts}
    assert found == {
        ("d1", "gold", "E1"): "right",
        ("d1", "gold", "E2"): "partial-span",
        ("d1", "gold", "E3"): "wrong-type",
        ("d1", "gold", "E4"): "wrong-realis",
        ("d1", "gold", "E5"): "wrong-type-and-realis",
        ("d1", "gold", "E6"): "right",
        ("d1", "gold", "E7"): "outcompeted",
        ("d2", "gold", "E1"): "no-document",
        ("d1", "system", "S1"): "right",
        ("d1", "system", "S2"): "partial-span",
        ("d1", "system", "S3"): "wrong-type",
        ("d1", "system", "S4"): "wrong-realis",
        ("d1", "system", "S5"): "wrong-type-and-realis",
        ("d1", "system", "S6"): "right",
        ("d1", "system", "S7"): "duplicate",
        ("d1", "system", "S8"): "spurious",
        ("d1", "system", "S9"): "outcompeted",
        ("d3", "system", "S1"): "left-out",
    }


def test_a_sentence_names_the_other_item_and_the_number_that_decided(world: Explanation) -> None:
    assert world.why("E2") == (
        "d1, gold E2: partial-span: paired with S2 (line 3): spans overlap, Dice 0.67, same type and realis"
    )
    assert world.why("S9") == (
        "d1, system S9: outcompeted: overlaps E2 (line 3; Dice 0.67), which is paired with S2 (line 3; Dice 0.67)"
    )


def test_the_rivals_of_an_item_are_told_with_their_partners(world: Explanation) -> None:
    verdict = next(one for one in world.verdicts if one.id == "E7")
    assert [(rival.id, round(rival.similarity, 2), rival.paired_with) for rival in verdict.rivals] == [
        ("S6", 0.67, "E6")
    ]


def test_faults_are_counted_and_their_shares_add_up(world: Explanation) -> None:
    budget = world.budget
    assert budget is not None
    items = {row.fault: row.items for row in budget.faults}
    assert items == {
        "duplicate": 1,
        "spurious": 1,
        "outcompeted": 1,
        "span": 1,
        "type": 2,
        "realis": 2,
        "missed": 2,
    }
    assert budget.perfect == 1
    assert sum(row.share for row in budget.faults) == 1 - Fraction(world.headline["value"])


def test_a_perfect_system_is_right_and_its_budget_empty() -> None:
    explanation = lydite.explain(GOLD, GOLD)
    assert {one.cause for one in explanation.verdicts} == {"right"}
    assert explanation.budget is not None
    assert all(row[1:] == (0, 0, 0) for row in explanation.budget.faults)


def _renamed(line: str) -> str:
    columns = line.split("\t")
    columns[2] = f"added-{columns[2]}"
    return "\t".join(columns)


def _edit(fault: str, tmp_path: Path) -> Path:
    """The birch example with the items that a row of its budget names mended by hand, line by line."""
    explanation = lydite.explain(GOLD, BIRCH)
    gold, lines = GOLD.read_text("utf-8").splitlines(), BIRCH.read_text("utf-8").splitlines()
    said = {(one.side, one.document, one.id): one for one in explanation.verdicts}
    edited: list[str | None] = list(lines)
    for verdict in said.values():
        if verdict.side == "gold":
            if fault == "missed" and verdict.cause in {"missed", "outcompeted", "no-document"}:
                end = lines.index(f"#BeginOfDocument {verdict.document}")
                edited[end] = f"{edited[end]}\n{_renamed(gold[verdict.line - 1])}"
            continue
        at = verdict.line - 1
        if fault == "spurious" and verdict.cause == "spurious":
            edited[at] = None
        elif verdict.other is not None:
            ours = said["gold", verdict.document, verdict.other]
            theirs, right = lines[at].split("\t"), gold[ours.line - 1].split("\t")
            column = {"type": 5, "realis": 6}.get(fault)
            if column and (fault in verdict.cause):
                theirs[column] = right[column]
            elif fault == "span":
                theirs[3:5] = right[3:5]
            edited[at] = "\t".join(theirs)
    path = tmp_path / f"{fault}.tbf"
    # Links to mentions that are gone would be refused; they take no part in the headline.
    kept = [line for line in edited if line is not None and not line.startswith("@")]
    path.write_text("\n".join(kept) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("fault", ["spurious", "span", "type", "realis", "missed"])
def test_mending_by_hand_gives_what_the_budget_says(fault: str, tmp_path: Path) -> None:
    budget = lydite.explain(GOLD, BIRCH).budget
    assert budget is not None
    row = next(row for row in budget.faults if row.fault == fault)
    mended = lydite.score(GOLD, _edit(fault, tmp_path))["type+realis"].micro.f1
    assert mended is not None
    assert Fraction(mended) - budget.figure == row.gain_alone


@pytest.mark.parametrize("muc_alignment", ["greedy", "best"])
def test_verdicts_of_the_muc_style_measure_belong_to_its_own_pairs(
    muc_alignment: str, tmp_path: Path
) -> None:
    # The system's long mention covers two of gold; a document without gold counts too.
    gold = tbf(
        tmp_path / "gold.tbf",
        (
            "d1",
            [("E1", "0,4", ATTACK, "Actual"), ("E2", "4,8", DIE, "Actual"), ("E3", "20,24", DIE, "Other")],
        ),
        ("d2", []),
    )
    system = tbf(
        tmp_path / "system.tbf",
        (
            "d1",
            [("S1", "0,9", ATTACK, "Actual"), ("S2", "5,7", DIE, "Other"), ("S3", "20,24", DIE, "Actual")],
        ),
        ("d2", [("S1", "0,4", DIE, "Actual")]),
    )
    explanation = lydite.explain(gold, system, measures=("muc-partial",), muc_alignment=muc_alignment)
    (row,) = (row for row in explanation.summary.corpus_rows() if row.metric == "muc-partial")
    assert row.tally == {"correct": 1, "partial": 2, "possible": 3, "actual": 4}
    found = {(one.document, one.id): (one.cause, one.credit) for one in explanation.verdicts}
    assert found == {
        ("d1", "E1"): ("partial-span", 0.5),
        ("d1", "E2"): ("partial-span", 0.5),
        ("d1", "E3"): ("right", 1.0),
        ("d1", "S1"): ("partial-span", 0.5),
        ("d1", "S2"): ("partial-span", 0.5),
        ("d1", "S3"): ("right", 1.0),
        ("d2", "S1"): ("spurious", 0.0),
    }
    assert "which counts one half (muc-partial)" in explanation.why("S1")
    assert explanation.budget is not None
    assert explanation.budget.perfect == 1


def verdict_of(explanation: Explanation, document: str, item: str) -> tuple[str, str]:
    (found,) = (
        (one.cause, one.why) for one in explanation.verdicts if (one.document, one.id) == (document, item)
    )
    return found


def test_what_the_white_list_removes_has_a_verdict_where_no_gold_mention_is_left(tmp_path: Path) -> None:
    (tmp_path / "types").write_text("conflict attack\n")
    gold = tbf(tmp_path / "gold.tbf", ("d1", [("E1", "0,4", DIE, "Actual")]))
    mentions = [("S1", "0,4", ATTACK, "Actual"), ("S2", "0,4", DIE, "Actual")]
    found = lydite.explain(
        gold, tbf(tmp_path / "s.tbf", ("d1", mentions)), type_whitelist=str(tmp_path / "types")
    )
    removed = "the type Life_Die of {} is not on the white list (type-whitelist)"
    assert verdict_of(found, "d1", "E1") == ("left-out", removed.format("E1"))
    assert verdict_of(found, "d1", "S2") == ("left-out", removed.format("S2"))
    skipped = "S1 is left out: document d1 has no gold mentions (quirk skip-documents-without-gold)"
    assert verdict_of(found, "d1", "S1") == ("left-out", skipped)


def test_coreference_verdicts_have_every_mention_that_is_in_no_cluster(tmp_path: Path) -> None:
    (tmp_path / "types").write_text("conflict attack\n")
    mentions = [("E1", "t1", ATTACK, "Actual"), ("E1", "t2", ATTACK, "Actual"), ("E2", "t3", DIE, "Actual")]
    gold = tbf(tmp_path / "gold.tbf", ("d1", mentions))
    system = tbf(tmp_path / "s.tbf", ("d1", [("S1", "t1", ATTACK, "Actual"), ("S2", "t3", DIE, "Actual")]))
    options = {"coref": "on", "reading": "as-official", "type_whitelist": str(tmp_path / "types")}
    found = lydite.explain(gold, system, profile="kbp2015", **options)
    found.measurement = "coref"
    assert [(one.id, one.cause) for one in found.verdicts] == [
        ("E1", "right"),
        ("E1", "left-out"),
        ("E2", "left-out"),
        ("S1", "right"),
        ("S2", "left-out"),
    ]


def test_documents_that_version_1_0_does_not_count_are_left_out(tmp_path: Path) -> None:
    one = [("E1", "t1", ATTACK, "Actual")]
    gold = tbf(tmp_path / "gold.tbf", ("d1", one), ("d2", one), ("d3", one))
    system = tbf(tmp_path / "s.tbf", ("d1", one), ("d2", []))
    found = lydite.explain(gold, system, profile="pilot2014", measures=["original-v1.0"], budget=True)
    assert [(one.document, one.cause) for one in found.verdicts if one.side == "gold"] == [
        ("d1", "right"),
        ("d2", "left-out"),
        ("d3", "left-out"),
    ]
    missing = "the system lacks document d3, and only documents of both sides count (measure original-v1.0)"
    assert verdict_of(found, "d3", "E1")[1] == f"E1 is left out: {missing}"


def test_a_document_behind_a_duplicate_id_is_not_said_to_be_missing_in_gold(tmp_path: Path) -> None:
    one = ("S1", "0,4", ATTACK, "Actual")
    gold = tbf(tmp_path / "gold.tbf", ("d1", [one]), ("d2", [one]))
    system = tbf(tmp_path / "s.tbf", ("d1", [one, one]), ("d2", [one]))
    found = lydite.explain(gold, system, profile="kbp2016", reading="as-official")
    behind = "comes after a duplicate mention id (quirk stop-at-duplicate-id)"
    assert {(one.side, one.why) for one in found.verdicts if one.document == "d2"} == {
        ("gold", f"S1 is left out: document d2 {behind}"),
        ("system", f"S1 is left out: document d2 is not in gold, or it {behind}"),
    }


def test_a_duplicate_costs_where_the_measure_counts_it(tmp_path: Path) -> None:
    one = ("S1", "t1", ATTACK, "Actual")
    gold = tbf(tmp_path / "gold.tbf", ("d1", [one]))
    system = tbf(tmp_path / "s.tbf", ("d1", [one, ("S2", *one[1:])]))
    for profile, lost in (("pilot2014", 1), ("exact", 0)):
        found = lydite.explain(gold, system, profile=profile, pairing="sets", unit="token")
        (copy,) = (one for one in found.verdicts if one.id == "S2")
        assert (copy.cause, copy.lost) == ("duplicate", lost)

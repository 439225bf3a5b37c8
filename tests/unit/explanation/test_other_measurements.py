"""Verdicts of measurements beside the headline's: links of nuggets, the strict measure, other elements of ACE."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError
from lydite.explanation import Explanation
from lydite.model.verdict import Verdict

ROOT = Path(__file__).parent.parent.parent.parent
CASES = ROOT / "tests" / "conformance"
EXAMPLES = ROOT / "examples"


def tbf(path: Path, letter: str, mentions: int, relations: list[str]) -> Path:
    lines = [
        f"sys\td1\t{letter}{at}\t{at * 10},{at * 10 + 4}\tword{at}\tConflict_Attack\tActual"
        for at in range(1, mentions + 1)
    ]
    path.write_text("\n".join(["#BeginOfDocument d1", *lines, *relations, "#EndOfDocument"]) + "\n")
    return path


def linked(tmp_path: Path, gold: list[str], system: list[str], *, gold_mentions: int = 4) -> Explanation:
    explanation = lydite.explain(
        tbf(tmp_path / "gold.tbf", "E", gold_mentions, gold),
        tbf(tmp_path / "system.tbf", "M", 4, system),
        sequencing="on",
        budget=False,
    )
    explanation.measurement = "sequencing"
    return explanation


def causes(explanation: Explanation) -> dict[tuple[str, str], str]:
    return {(one.side, one.id): one.cause for one in explanation.verdicts}


def said(explanation: Explanation, item: str) -> Verdict:
    (found,) = (one for one in explanation.verdicts if one.id == item)
    return found


def test_a_link_is_right_if_the_other_side_has_it_or_implies_it(tmp_path: Path) -> None:
    found = linked(
        tmp_path, ["@After\tR1\tE1,E2", "@After\tR2\tE2,E3"], ["@After\tS1\tM1,M2", "@After\tS2\tM3,M2"]
    )
    assert causes(found) == {
        ("gold", "After(E1,E2)"): "right",
        ("gold", "After(E2,E3)"): "missed",
        ("system", "After(M1,M2)"): "right",
        ("system", "After(M3,M2)"): "spurious",
    }
    assert said(found, "After(E2,E3)").why == "the system has it the other way round: After(M3,M2)"


def test_a_link_that_gold_implies_earns_a_little_of_recall(tmp_path: Path) -> None:
    found = linked(tmp_path, ["@After\tR1\tE1,E2", "@After\tR2\tE2,E3"], ["@After\tS1\tM1,M3"])
    implied = said(found, "After(E1,E3)")
    # Two events are in links of both sides, so there is room for one link, and one more: 0.99 / 2.
    assert (implied.side, implied.cause, implied.credit, implied.lost) == (
        "gold",
        "right",
        Fraction(99, 200),
        0,
    )
    assert said(found, "After(M1,M3)").why == "After(M1,M3) follows from the links of gold"


def test_a_link_that_is_not_scored_says_why(tmp_path: Path) -> None:
    found = linked(
        tmp_path,
        ["@Coreference\tC1\tE1,E2", "@After\tR1\tE1,E2", "@After\tR2\tE2,E3"],
        ["@After\tS1\tM1,M2", "@After\tS2\tM2,M3", "@After\tS3\tM1,M3"],
        gold_mentions=3,
    )
    assert said(found, "After(E1,E2)").cause == "left-out"
    assert "in one cluster" in said(found, "After(E1,E2)").why
    assert said(found, "After(M1,M3)").cause == "left-out"
    assert "third cluster" in said(found, "After(M1,M3)").why
    assert causes(found)["gold", "After(E1,E3)"] == "right"


def test_links_without_sequencing_are_refused(tmp_path: Path) -> None:
    explanation = linked(tmp_path, [], [])
    explanation.measurement = "afterwards"
    with pytest.raises(UsageError, match="afterwards"):
        list(explanation.verdicts)
    plain = lydite.explain(tmp_path / "gold.tbf", tmp_path / "system.tbf", budget=False)
    plain.measurement = "after"
    with pytest.raises(UsageError, match="sequencing is not measured"):
        list(plain.verdicts)


def test_what_is_inexact_is_wrong_under_the_strict_measure() -> None:
    folder = EXAMPLES / "arguments"
    found = lydite.explain(
        folder / "annotation", folder / "systems" / "alder", task="arguments", budget=False
    )
    of_standard = {(one.document, one.id): one.cause for one in found.verdicts if one.side == "system"}
    found.measurement = "strict"
    inexact = [one for one in found.verdicts if one.cause.startswith("inexact-")]
    assert {one.cause for one in inexact} == {"inexact-string"}
    assert {of_standard[one.document, one.id] for one in inexact} == {"right"}


@pytest.mark.parametrize(
    ("case", "measurement", "expected"),
    [
        ("event_argument_errors", "event", {"right", "mention-errors"}),
        ("event_attribute_errors", "event", {"attribute-error"}),
        ("relation_missed_and_spurious", "relation", {"right", "missed", "spurious"}),
        ("value_errors", "value", {"right", "attribute-error", "missed", "spurious"}),
        ("timex2_attributes", "timex2", {"attribute-error"}),
    ],
)
def test_other_elements_of_ace_have_verdicts(case: str, measurement: str, expected: set[str]) -> None:
    folder = CASES / "ace" / case
    found = lydite.explain(folder / "ref", folder / "sys", task="ace", budget=False)
    found.measurement = measurement
    told = list(found.verdicts)
    assert {one.cause for one in told} == expected
    ids = {one.id for one in told}
    kinds = {
        element.id
        for corpus in (found.inputs.gold, found.inputs.system)
        for document in corpus.documents.values()
        for element in document.layers["ace"]
        if element.kind == measurement
    }
    assert ids == kinds


def test_the_document_says_whose_verdicts_it_holds(tmp_path: Path) -> None:
    found = linked(tmp_path, [], [])
    assert found.to_dict()["measurement"] == "sequencing"
    found.measurement = None
    assert "measurement" not in found.to_dict()


def test_links_of_a_document_that_gold_lacks_are_left_out(tmp_path: Path) -> None:
    linked(tmp_path, ["@After\tR1\tE1,E2"], ["@After\tS1\tM1,M2"])
    more = "#BeginOfDocument d2\nsys\td2\tM9\t0,4\tfire\tConflict_Attack\tActual\n"
    more += "sys\td2\tM8\t5,9\tshot\tConflict_Attack\tActual\n@After\tS9\tM9,M8\n@Subevent\tS8\tM9,M8\n"
    system = tmp_path / "system.tbf"
    system.write_text(system.read_text() + more + "#EndOfDocument\n")
    found = lydite.explain(tmp_path / "gold.tbf", system, sequencing="on", coref="on", budget=False)
    found.measurement = "after"
    (link,) = (one for one in found.verdicts if one.document == "d2")
    assert (link.side, link.id, link.cause, link.credit, link.lost) == (
        "system", "After(M9,M8)", "left-out", 0, 0,
    )  # fmt: skip
    assert (link.line, link.type, link.text) == (11, "After", "fire > shot")
    assert link.why.startswith("After(M9,M8) is left out: gold has no document d2")
    found.measurement = "coref"
    assert {one.id: one.cause for one in found.verdicts if one.document == "d2"} == {
        "M9": "left-out",
        "M8": "left-out",
    }


def test_other_elements_of_a_document_that_gold_lacks_are_left_out(tmp_path: Path) -> None:
    folder = CASES / "ace" / "relation_missed_and_spurious"
    (document,) = (folder / "sys").glob("*.xml")
    system = tmp_path / "sys"
    system.mkdir()
    text = document.read_text()
    (system / document.name).write_text(text)
    doc_id = text.split('DOCID="')[1].split('"')[0]
    elsewhere = text.replace(doc_id, "elsewhere").replace('ID="S-FA', 'ID="S-elsewhere-FA')
    (system / "other.apf.xml").write_text(elsewhere)
    found = lydite.explain(folder / "ref", system, task="ace", budget=False)
    found.measurement = "relation"
    there = {one.id: one.cause for one in found.verdicts if one.document == "elsewhere"}
    assert there == dict.fromkeys((*(f"S-elsewhere-R{at}" for at in (1, 2, 4)), "S-elsewhere-FA"), "left-out")

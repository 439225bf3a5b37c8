from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, run_case

RESPONSE = "{id}\tD\tContact.Meet\tEntity\t{text}\t{span}\t0-99\t{span}\tNIL\tActual\t0.5"
PERFECT = "C\tC\tC\tC\t1\tActual\tNAME"


def outcome(folder: Path, expected: Any, files: Any) -> CaseOutcome:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")
    return run_case(folder, ADAPTERS.__getitem__)


def test_remarks_and_line_separators_in_strings_are_no_responses_of_a_quote_case(tmp_path: Path) -> None:
    line = RESPONSE.format(id=7, text="Ask\u2028Bo", span="10-15")
    files = {"docs/D": "<DOC>" + "x" * 95, "system/D": f"# by hand\n{line}\n"}
    expected = {"kind": "arguments.quote-filter", "regions": {"D": []}, "kept_response_ids": {"D": [7]}}
    assert outcome(tmp_path, expected, files).differences == ()


LINKED = {
    "tp": 1, "fp": 0, "fn": 0, "arg": 1.0, "link_precision": 1.0, "link_recall": 1.0, "link": 1.0, "overall": 1.0,
}  # fmt: skip


def linking_files() -> dict[str, str]:
    line = RESPONSE.format(id=7, text="Ask", span="10-12")
    files = {"system/arguments/D": line, "system/linking/D": "7\n", "reference-linking/D": "7\n"}
    return {**files, "annotation/D": f"{line}\t{PERFECT}\n"}


def linking_scores() -> dict[str, Any]:
    aggregate = {**LINKED, "arg_precision": 1.0, "arg_recall": 1.0}
    return {"aggregate": aggregate, "by_document": {"D": {**LINKED, "items": 1}}}


def test_every_block_of_a_linking_case_is_compared(tmp_path: Path) -> None:
    wrong = linking_scores()
    wrong["aggregate"]["tp"] = 2
    expected = {
        "kind": "arguments.score-linking",
        "profile": "kbp2015",
        "scores": linking_scores(),
        "also": [{"options": {"documents": ["D"]}, "scores": wrong}],
    }
    found = outcome(tmp_path, expected, linking_files())
    assert [difference.path for difference in found.differences] == ["also[0].scores.aggregate.tp"]


def test_a_refusal_agrees_by_its_reason_and_not_by_its_wording(tmp_path: Path) -> None:
    files = {**linking_files(), "reference-linking/D": "INCOMPLETE\t7\n"}
    expected = {"kind": "arguments.score-linking", "profile": "kbp2015"}
    for reason, agrees in (
        ("the INCOMPLETE line is not empty", True),
        ("system response not assessed", False),
    ):
        assert (outcome(tmp_path, {**expected, "error": reason}, files).differences == ()) is agrees


@pytest.mark.parametrize("kind", ["arguments.score", "arguments.score-linking"])
def test_a_case_without_any_document_scores_zero(tmp_path: Path, kind: str) -> None:
    profile = "kbp2015" if kind.endswith("linking") else "kbp2014"
    found = outcome(tmp_path, {"kind": kind, "profile": profile, "scores": {}}, {})
    counts = {difference.found for difference in found.differences if difference.path.endswith(("tp", "f1"))}
    assert found.error is None
    assert counts == {0}


def test_a_submission_that_is_not_there_is_an_empty_store(tmp_path: Path) -> None:
    missing = {"check": "missing-document", "severity": "error", "file": "D", "line": None, "column": None}
    expected = {"kind": "arguments.validate", "submission": "system", "valid": False, "findings": [missing]}
    assert outcome(tmp_path, expected, {"docs/D": "text"}).differences == ()


def test_a_refusal_for_another_place_is_a_difference(tmp_path: Path) -> None:
    files = {"docs/D": "<DOC><quote>never", "system/D": ""}
    for place, agrees in ((5, True), (6, False)):
        expected = {"kind": "arguments.quote-filter", "error": f"the quote at {place} is never closed"}
        assert (outcome(tmp_path, expected, files).differences == ()) is agrees

"""Cases with one file for each side: scores that are listed, findings, absences and refusals are compared."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, run_case

CASES = Path(__file__).parent.parent.parent / "conformance"


def run(tmp_path: Path, name: str, **changes: Any) -> CaseOutcome:
    folder = tmp_path / "case"
    shutil.copytree(CASES / name, folder)
    file = folder / "expected.json"
    expected = {**json.loads(file.read_text(encoding="utf-8")), **changes}
    file.write_text(json.dumps({key: value for key, value in expected.items() if value is not None}))
    return run_case(folder, ADAPTERS.__getitem__)


PREDICTED, WINDOWS = "modern-reading/01-predicted-clusters-e2e", "modern-textee/11-windows-left-out"
GOLD_ONLY = "modern-reading/03-nothing-predicted-for-the-task"


@pytest.mark.parametrize("name", [PREDICTED, WINDOWS, GOLD_ONLY])
def test_a_case_agrees_with_nothing_left_out(tmp_path: Path, name: str) -> None:
    outcome = run(tmp_path, name)
    assert (outcome.status, outcome.not_compared) == ("agrees", ())


def differing(outcome: CaseOutcome) -> list[tuple[str, object, object]]:
    assert outcome.status == "differs"
    return [(one.path, one.expected, one.found) for one in outcome.differences]


def test_a_figure_that_differs_is_told(tmp_path: Path) -> None:
    outcome = run(tmp_path, PREDICTED, scores={"conll": {"f1": 0.5}, "lost": {"f1": 1.0}})
    assert [path for path, *_ in differing(outcome)] == ["scores.conll.f1", "scores.lost.f1"]


def test_a_finding_that_does_not_fire_is_told(tmp_path: Path) -> None:
    expected = [{"check": "extra-window", "severity": "warning"}]
    assert differing(run(tmp_path, PREDICTED, must_fire=expected))[0][1:] == ("extra-window", "(missing)")


def test_a_finding_that_must_not_fire_is_told(tmp_path: Path) -> None:
    assert differing(run(tmp_path, WINDOWS, must_fire=[]))[-1][2] == "warning"


def test_a_measurement_that_must_not_be_there_is_told(tmp_path: Path) -> None:
    assert run(tmp_path, WINDOWS, absent=["entity"]).status == "agrees"
    shutil.rmtree(tmp_path / "case")
    assert differing(run(tmp_path, WINDOWS, absent=["entity", "ac"]))[0][:2] == ("absent[1]", "ac")


def test_a_refusal_for_another_reason_is_told(tmp_path: Path) -> None:
    assert differing(run(tmp_path, GOLD_ONLY, error="records-differ")) == [
        ("error", "records-differ", "gold-only-layer")
    ]


def test_scores_in_place_of_a_refusal_are_told(tmp_path: Path) -> None:
    found = differing(run(tmp_path, PREDICTED, scores=None, must_fire=None, error="gold-only-layer"))
    assert found == [("error", "gold-only-layer", "scored")]


def test_further_runs_on_the_same_files_have_their_own_options(tmp_path: Path) -> None:
    other = {"kind": "coref.score", "profile": "conll-8.01", "options": {"system_keys": "plain"}}
    right = {**other, "scores": {"conll": {"f1": 1.0}}}
    assert run(tmp_path, PREDICTED, also=[right]).status == "agrees"
    shutil.rmtree(tmp_path / "case")
    wrong = {**other, "scores": {"conll": {"f1": 0.5}}}
    assert differing(run(tmp_path, PREDICTED, also=[wrong])) == [("also[0].scores.conll.f1", 0.5, 1.0)]

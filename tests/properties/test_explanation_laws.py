"""Verdicts add up to the numerators, shares of the budget to what is missing, on scored conformance cases.

A share of the cases is explained here; LYDITE_EVERY_CASE=1 explains all of them.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from explained_cases import (
    check_budget,
    check_measurements,
    check_verdicts,
    explained,
    figure_of_gold,
    scored_runs,
)
from lydite.verify.cases import find_cases

ROOT = Path(__file__).parent.parent / "conformance"
STEP = 1 if os.environ.get("LYDITE_EVERY_CASE") else 9
MOST_SCORINGS = 4096 if STEP == 1 else 128
FOLDERS = (
    "nugget",
    "coref",
    "coref-corefud",
    "coref-xml",
    "triples",
    "arguments",
    "arguments-linking",
    "ace",
    "records-strict",
    "records-read",
)
CASES = [folder for name in FOLDERS for folder in [*find_cases([ROOT / name])][::STEP]]
CASES += [*find_cases([ROOT.parent / "conformance-spans"])][::STEP]


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_verdicts_and_budgets_of_scored_cases_add_up(folder: Path) -> None:
    for run in scored_runs(folder):
        explanation = explained(run, budget=True)
        check_verdicts(explanation)
        check_measurements(explanation)
        has_budget = explanation.inputs.explainer.faults(explanation.inputs.settings)
        if has_budget and explanation.budget_effort.scorings <= MOST_SCORINGS:
            check_budget(explanation, figure_of_gold(run, explanation))

"""The scored runs of conformance cases, explained: laws that hold for each of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import fsum
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from lydite.errors import LyditeError
from lydite.explanation import Explanation, explain_sides
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_files
from lydite.facade.sides import read_sides
from lydite.metrics import METRICS
from lydite.model.verdict import Verdict
from lydite.pipeline.reading import PathLike
from lydite.pipeline.task import PerDocument
from lydite.verify import ADAPTERS
from lydite.verify.cases import run_case

Run = tuple[UserChoice, PathLike, PathLike]


def scored_runs(folder: Path) -> list[Run]:
    """Gold, system and settings of every score that a case asks for and gets."""
    runs: list[Run] = []

    def recording(choice: UserChoice, gold: PathLike, systems: Sequence[PathLike], **more: Any) -> Any:
        outcome = score_files(choice, gold, systems, **more)
        runs.extend((choice, gold, system) for system in systems)
        return outcome

    with patch("lydite.verify.cases.score_files", recording):
        run_case(folder, ADAPTERS.__getitem__)
    # Mappings that a case writes for a second run are gone by now.
    return [run for run in runs if not run[0].options.get("prefer")]


def explained(run: Run, *, budget: bool | None = False) -> Explanation:
    choice, gold, system = run
    (found,) = explain_sides(*read_sides(choice, gold, [system]), budget=budget)
    return found


def check_verdicts(explanation: Explanation) -> list[Verdict]:
    """The laws of verdicts: known causes, sentences that say something, and the law of sums."""
    found = list(explanation.verdicts)
    causes = explanation.inputs.explainer.causes
    known: dict[str, set[str]] = {}
    for verdict in found:
        known.setdefault(verdict.document, set()).add(verdict.id)
    for verdict in found:
        assert verdict.cause in causes, verdict
        # A sentence can be checked: it names an item that is there, of records and strings the values.
        by_value = "gold_value" in verdict.more and bool(verdict.why.strip())
        assert by_value or any(item in verdict.why for item in known[verdict.document]), verdict
        assert verdict.cause != "left-out" or (verdict.credit == 0 == verdict.lost), verdict
    earned = {
        side: [verdict.credit for verdict in found if verdict.side == side] for side in ("gold", "system")
    }
    for side, credit in numerators(explanation).items():
        if isinstance(credit, Fraction):
            assert sum(map(Fraction, earned[side]), Fraction(0)) == credit, side
        else:
            assert fsum(earned[side]) == pytest.approx(credit, rel=1e-12, abs=1e-12), side
    return found


def numerators(explanation: Explanation) -> dict[str, Fraction | float]:
    """What the credits of either side add up to."""
    return _NUMERATORS[explanation.summary.task](explanation)


def _of_headline(explanation: Explanation) -> dict[str, Fraction | float]:
    lead = explanation.summary.headline
    row = next(
        row
        for row in explanation.summary.corpus_rows()
        if (row.measurement, row.metric, row.average) == (lead["measurement"], lead["metric"], "micro")
    )
    tally = row.tally
    if "correct" in tally:
        return {"gold": tally["correct"], "system": tally["correct"]}
    if "gold_covered" in tally:
        return {"gold": tally["gold_covered"], "system": tally["system_covered"]}
    return {"gold": tally["gold_credit"], "system": tally["system_credit"]}


def _of_assessed(explanation: Explanation) -> dict[str, Fraction | float]:
    if explanation.summary.headline["measurement"] == "ac":
        return _of_headline(explanation)
    tally = next(row.tally for row in explanation.summary.corpus_rows() if row.measurement == "standard")
    return {"gold": tally["gold_credit"], "system": tally["system_credit"]}


def _of_value(explanation: Explanation) -> dict[str, Fraction | float]:
    section = explanation.measurement or "entity"
    row = next(
        row
        for row in explanation.summary.corpus_rows()
        if (row.measurement, row.metric) == (section, "ace-value")
    )
    tally = row.tally
    kept = fsum([tally["gold_value"], -tally["missed_cost"], -tally["error_cost"], -tally["correct_cost"]])
    return {"gold": kept, "system": fsum([kept, -tally["spurious_cost"]])}


def _of_b_cubed(explanation: Explanation) -> dict[str, Fraction | float]:
    tallies = [METRICS["b-cubed"].measure(one.comparison.alignment) for one in explanation.inputs.explained()]
    return {
        "gold": sum((tally.gold_credit.fraction for tally in tallies), Fraction(0)),
        "system": sum((tally.system_credit.fraction for tally in tallies), Fraction(0)),
    }


def _of_spans(explanation: Explanation) -> dict[str, Fraction | float]:
    """Dice coefficients exactly; of schemata half of what is partial."""
    row = explanation.summary.corpus_rows()[0]
    if "system" in row.tally:
        return {"gold": row.tally["correct"], "system": row.tally["correct"]}
    if "partial" in row.tally:
        earned = row.tally["correct"] + Fraction(row.tally["partial"], 2)
        return {"gold": earned, "system": earned}
    return {
        side: Fraction(row.tally.get(f"{side}_exact", row.tally[f"{side}_credit"]))
        for side in ("gold", "system")
    }


def _of_records(explanation: Explanation) -> dict[str, Fraction | float]:
    """Leaves; a figure of a program may be a mean, which credits do not add up to."""
    is_of_leaves = explanation.summary.headline["metric"] == "leaf-agreement"
    return _of_headline(explanation) if is_of_leaves else {}


_NUMERATORS = {
    "records": _of_records,
    "spans": _of_spans,
    "nugget": _of_headline,
    "coref": _of_b_cubed,
    "triples": _of_headline,
    "arguments": _of_assessed,
    "ace": _of_value,
}


def check_budget(explanation: Explanation, perfect: float | None) -> None:
    """The laws of the budget: it starts from the figure, its shares add up, and all mended is gold against itself."""
    budget = explanation.budget
    assert budget is not None
    assert float(budget.figure) == (explanation.headline["value"] or 0.0)
    assert sum((row.share for row in budget.faults), Fraction(0)) == budget.perfect - budget.figure
    if perfect is not None:
        assert float(budget.perfect) == pytest.approx(perfect, rel=1e-12)


def figure_of_gold(run: Run, explanation: Explanation) -> float | None:
    """The headline of gold against itself, where gold can be a system and all of its documents are scored."""
    inputs = explanation.inputs
    if isinstance(inputs.task.compare, PerDocument) and not set(inputs.gold.documents) <= {
        *inputs.documents()
    }:
        return None
    choice, gold, _ = run
    if choice.options.get("ground") or _has_alternatives(Path(gold)):
        return None  # words of gold without a place are never right; alternatives are those of gold alone
    if explanation.summary.task == "arguments" and explanation.summary.headline["measurement"] != "ac":
        return None  # gold judges responses, wrong ones too: as a system it would not be perfect
    try:
        return float(explained((choice, gold, gold)).headline["value"] or 0.0)
    except LyditeError:
        return None


def check_measurements(explanation: Explanation) -> None:
    """The law of sums of the measurements beside the headline's: nugget coreference and links, other ACE elements."""
    if explanation.summary.task == "ace":
        for section in explanation.inputs.explainer.measurements:
            if any(row.measurement == section for row in explanation.summary.corpus_rows()):
                explanation.measurement = section
                check_verdicts(explanation)
    if explanation.summary.task == "arguments":
        _check_exactly(explanation, "strict", "assessed")
    if explanation.summary.task == "nugget":
        for name, metric in _NUGGET_MEASUREMENTS.items():
            _check_exactly(explanation, name, metric)
    explanation.measurement = None


_NUGGET_MEASUREMENTS = {
    "coref": "b-cubed",
    **dict.fromkeys(("subevent", "after", "sequencing"), "temporal-awareness"),
}


def _check_exactly(explanation: Explanation, name: str, metric: str) -> None:
    rows = explanation.summary.corpus_rows()
    tally = next((row.tally for row in rows if (row.measurement, row.metric) == (name, metric)), None)
    if tally is None:
        return
    explanation.measurement = name
    found = list(explanation.verdicts)
    assert all(verdict.why.strip() for verdict in found)
    for side in ("gold", "system"):
        counted = [one for one in found if one.side == side and one.cause != "left-out"]
        earned = sum((Fraction(one.credit) for one in counted), Fraction(0))
        exact = tally.get(f"{side}_exact", tally[f"{side}_credit"])
        assert earned == Fraction(exact), (name, side)


def _has_alternatives(gold: Path) -> bool:
    """Whether records of gold accept several values."""
    return gold.is_file() and b'"$any"' in gold.read_bytes()

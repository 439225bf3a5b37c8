"""The cases of labelled spans: what seqeval and nervaluate gave on the same tags."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.facade.choosing import UserChoice
from lydite.model import ScoreRow, Summary
from lydite.verify.cases import Case, CaseResult, figures, summary_of
from lydite.verify.strings import is_about_strings, score_strings


def score(case: Case) -> CaseResult:
    """``spans.score``: the figures of every measurement, and by type where the case has them.

    ``unstable`` names the recorded figures that depend on the order of spans; they are not compared.
    """
    if is_about_strings(case, "spans"):
        return score_strings(case, "spans")
    options = {"reading": case.reading, **case.options}
    choice = UserChoice(task="spans", profile=case.expected["profile"], options=options)
    summary = summary_of(choice, case.path("gold.jsonl"), case.path("system.jsonl"), "type")
    left_out = [f"scores.{name}" for name in case.expected.get("unstable", ())]
    return CaseResult({"scores": _scores(summary)}, left_out=left_out, input_keys=("unstable",))


def _scores(summary: Summary) -> dict[str, object]:
    scores: dict[str, object] = {row.measurement: _figures(row) for row in summary.corpus_rows()}
    parts = summary.rows_by("type")
    measures = summary.settings["measures"]
    assert isinstance(measures, Sequence)
    if parts or measures[0] == "entity":
        scores["by_type"] = {
            row.by["type"]: {**_figures(row), "support": row.counts["gold_total"]} for row in parts
        }
    return scores


def _figures(row: ScoreRow) -> dict[str, object]:
    return {**figures(row), **(row.tally if "possible" in row.tally else {})}

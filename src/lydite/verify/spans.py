"""The cases of labelled spans: what seqeval and nervaluate gave on the same tags."""

from __future__ import annotations

from collections.abc import Sequence

from lydite.facade.choosing import UserChoice
from lydite.model import ScoreRow
from lydite.verify import modern
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import FIGURES, values_of
from lydite.verify.strings import is_about_strings, score_strings


def score(case: Case) -> CaseResult:
    """``spans.score``: the figures of every measurement, and by type where the case has them.

    ``unstable`` names the recorded figures that depend on the order of spans; they are not compared.
    """
    if is_about_strings(case, "spans"):
        return score_strings(case, "spans")
    if modern.is_modern(case):
        return modern.score(case)
    options = {"reading": case.reading, **case.options}
    choice = UserChoice(task="spans", profile=case.expected["profile"], options=options)
    summary = summary_of(choice, case.path("gold.jsonl"), case.path("system.jsonl"), "type")

    def figures(row: ScoreRow) -> dict[str, object]:
        return values_of(row, FIGURES) | (dict(row.tally) if "possible" in row.tally else {})

    scores: dict[str, object] = {row.measurement: figures(row) for row in summary.corpus_rows()}
    parts, measures = summary.rows_by("type"), summary.settings["measures"]
    if parts or (isinstance(measures, Sequence) and measures[0] == "entity"):
        scores["by_type"] = {
            row.by["type"]: figures(row) | {"support": row.counts["gold_total"]} for row in parts
        }
    left_out = [f"scores.{name}" for name in case.expected.get("unstable", ())]
    return CaseResult({"scores": scores}, left_out=left_out, input_keys=("unstable",))

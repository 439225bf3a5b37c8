"""The figures of RAMS's scorer under the names that it gives them: its precision is recall, and its recall precision."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.errors import UsageError
from lydite.model import ScoreRow, Summary


def report(summary: Summary) -> str:
    """Totals, then roles and distances, times 100."""
    if summary.settings.get("match") != "links":
        hint = "--profile rams has a layout of its own"
        raise UsageError(f"profile {summary.profile!r} has no official layout", hint=hint)
    lines = [line for name, value in printed(summary).items() for line in [f"{name}: {value:.4f}"]]
    for attribute in ("role", "distance"):
        rows = [row for row in summary.rows if row.scope == "corpus" and attribute in row.by]
        lines += [f"{row.by[attribute]}: {_figures(row, summary)}" for row in rows]
    return "\n".join((*lines, ""))


def printed(summary: Summary) -> dict[str, float]:
    """The totals under the program's names."""
    (row,) = summary.corpus_rows()
    return dict(zip(("Precision", "Recall", "F1"), _values(row, summary), strict=True))


def _figures(row: ScoreRow, summary: Summary) -> str:
    names = ("Precision", "Recall", "F1")
    return " ".join(f"{name} {value:.4f}" for name, value in zip(names, _values(row, summary), strict=True))


def _values(row: ScoreRow, summary: Summary) -> Iterator[float]:
    score = row.score
    first, second = score.precision, score.recall
    if summary.settings.get("swapped-names"):
        first, second = second, first
    return (100 * (value or 0.0) for value in (first, second, score.f1))

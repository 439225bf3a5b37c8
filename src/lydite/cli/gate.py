"""``--fail-under``: a figure that must not fall below a limit."""

from __future__ import annotations

from typing import NamedTuple

from lydite.cli.output import tell
from lydite.errors import UsageError
from lydite.model import ScoreRow, Summary
from lydite.report.tables import headline_name

FIGURES = ("precision", "recall", "f1", "value")
AVERAGES = ("micro", "macro")


class Gate(NamedTuple):
    """A limit, and which figure it is for; None for the headline."""

    limit: float
    measurement: str | None = None
    metric: str | None = None
    average: str | None = None
    figure: str = "f1"


def parse_gate(text: str) -> Gate:
    """``0.6``, ``type.f1=0.6``, ``coref.b-cubed.recall=0.5``, ``span.micro.precision=0.8``."""
    what, equals, number = text.rpartition("=")
    try:
        limit = float(number)
    except ValueError:
        raise UsageError(f"--fail-under {text}: expected a fraction such as 0.6, found {number!r}") from None
    if not 0 <= limit <= 1:
        hint = f"did you mean {limit / 100:g}?" if 1 < limit <= 100 else None
        raise UsageError(f"--fail-under {text}: expected a fraction from 0 to 1, found {number}", hint=hint)
    if not equals:
        return Gate(limit)
    measurement, *rest = what.split(".")
    if not rest or rest[-1] not in FIGURES:
        raise UsageError(
            f"--fail-under {text}: expected MEASUREMENT[.METRIC][.AVERAGE].FIGURE={number}",
            hint=f"FIGURE is one of {', '.join(FIGURES)}",
        )
    figure = rest.pop()
    average = rest.pop() if rest and rest[-1] in AVERAGES else None
    metric = ".".join(rest) or None
    return Gate(limit, measurement, metric, average, figure)


def check_gate(gate: Gate, summary: Summary) -> int:
    """0 if every system reaches the limit, else 1, with a line on stderr for each that does not."""
    failed = 0
    for system in summary.systems:
        figure, name = _figure(gate, summary, system)
        if figure is None or figure < gate.limit:
            shown = "undefined" if figure is None else f"{figure:.6g}"
            tell(f"gate: {system}: {name} is {shown}, below {gate.limit:g}")
            failed = 1
    return failed


def _figure(gate: Gate, summary: Summary, system: str) -> tuple[float | None, str]:
    if gate.measurement is None:
        headline = summary.headline
        return summary.headline_score(system), f"{headline_name(headline)} {headline['figure']}"
    rows = [row for row in summary.corpus_rows() if row.system == system and _fits(gate, row)]
    name = ".".join(part for part in (gate.measurement, gate.metric, gate.average, gate.figure) if part)
    if not rows:
        known = sorted({f"{row.measurement}.{row.metric}.{row.average}" for row in summary.corpus_rows()})
        raise UsageError(f"--fail-under: no figure {name!r}", hint=f"known: {', '.join(known)}")
    figure: float | None = getattr(rows[0].score, gate.figure)
    return figure, name


def _fits(gate: Gate, row: ScoreRow) -> bool:
    return (
        row.measurement == gate.measurement
        and gate.metric in {None, row.metric}
        and gate.average in {None, row.average}
    )

"""Gates: a lower limit for a figure (``--fail-under``), and a limit for its drop (``--against``, ``--max-drop``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.cli.output import show_findings, show_notes
from lydite.comparison.compare import figure_of_system
from lydite.comparison.drops import DropLimits, show_figure
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.model import Score, Summary
from lydite.model.tally import TINY
from lydite.numerals import decimal_of
from lydite.report.paper import find_figure
from lydite.report.tables import headline_name

MOST_ITEMS = 20
"""The number of newly wrong items that are shown."""


def parse_limit_gate(text: str) -> tuple[float, str | None]:
    """The limit and the figure that it is for, None for the headline: ``0.6``, ``type.f1=0.6``, ``span.micro.f1=0.8``."""
    what, equals, number = text.rpartition("=")
    limit = decimal_of(number)
    if limit is None:
        raise UsageError(f"--fail-under {text}: expected a fraction such as 0.6, found {number!r}")
    if not 0 <= limit <= 1:
        hint = f"did you mean {limit / 100:g}?" if 1 < limit <= 100 else None
        raise UsageError(f"--fail-under {text}: expected a fraction from 0 to 1, found {number}", hint=hint)
    if not equals:
        return limit, None
    measurement, _, figure = what.rpartition(".")
    if not measurement or figure not in Score._fields:
        raise UsageError(
            f"--fail-under {text}: expected MEASUREMENT[.METRIC][.AVERAGE].FIGURE={number}",
            hint=f"FIGURE is one of {', '.join(Score._fields)}",
        )
    return limit, what


def check_limit_gate(limit: float, what: str | None, summary: Summary) -> Iterator[str]:
    """A sentence for every system whose figure is below the limit."""
    for system in summary.systems:
        figure, name = _find_figure(what, summary, system)
        if figure is None or limit - figure > TINY:
            yield f"gate: {system}: {name} is {show_figure(figure)}, below {limit:g}"


def _find_figure(what: str | None, summary: Summary, system: str) -> tuple[float | None, str]:
    if what is None:
        headline = summary.headline
        return summary.headline_score(system), f"{headline_name(headline)} {headline['figure']}"
    try:
        found = find_figure(summary, what)
    except UsageError as error:
        raise UsageError(f"--fail-under: {error}", hint=error.hint) from None
    return figure_of_system(summary, system, found), str(found)


def parse_drop_limits(texts: Sequence[str]) -> DropLimits:
    """How far figures may drop: ``0.005`` is for the headline, ``type=0.05`` for the headline of every type."""
    headline, parts = None, {}
    for text in texts:
        attribute, equals, number = text.rpartition("=")
        limit = decimal_of(number)
        if limit is None or not 0 <= limit <= 1 or bool(equals) != bool(attribute):
            expected = "a fraction from 0 to 1, or ATTRIBUTE=X as in type=0.05"
            raise UsageError(f"--max-drop {text}: expected {expected}")
        if attribute:
            parts["doc" if attribute == "document" else attribute] = limit
        else:
            headline = limit
    return DropLimits(headline, parts)


def check_drop_gate(before: Summary, limits: DropLimits, summary: Summary) -> Iterator[str]:
    """A sentence for every figure that dropped too far; if there are any, also the items that are newly wrong."""
    from lydite.comparison.drops import broken_items, find_drops, pair_systems
    from lydite.comparison.golds import rules_differ

    show_findings(list(rules_differ(before, summary)))
    failed = [drop for drop in find_drops(before, summary, limits) if drop.is_too_large]
    paired = pair_systems(before, summary).values()
    absent = (name for name in summary.systems if name not in paired)
    show_notes(f"--against: {name} is not in the saved summary" for name in absent)
    for drop in failed:
        yield f"gate: {drop.system}: {drop.sentence}"
    broken = broken_items(before, summary) if failed else []
    for item in broken[:MOST_ITEMS]:
        yield f"  {item.system}  {item.document}  {item.item}: now wrong"
    if len(broken) > MOST_ITEMS:
        yield f"  … and {counted(len(broken) - MOST_ITEMS, 'more item')}, now wrong"

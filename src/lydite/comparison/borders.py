"""Figures that are at an end of their range in every unit: resampling cannot show what further units might do.

The interval is then that of Clopper and Pearson on units.  With α = 1 − level, n units that are all alike leave room for
a share of 1 − α^(1/n) of all units that are not, and these are taken to be at the other end of the range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lydite.comparison.counts import UnitCounts
from lydite.comparison.draws import Interval
from lydite.errors import Finding, Severity
from lydite.escaping import counted
from lydite.metrics import METRICS
from lydite.model.comparison import FigureName
from lydite.model.tally import TINY

_BEST = 1.0
_WORST_SHARE = 0.0
"""The lower end of a metric that is not declared: the figures of records are shares."""
_COPIES = 2.0**20


class Border(NamedTuple):
    """The end of the range at which a number of units are, and the other end; None if the range has none."""

    end: float
    other: float | None
    units: int

    def interval(self, level: float) -> Interval:
        """The interval of Clopper and Pearson; of width 0 if the range has no other end."""
        if self.other is None:
            return Interval(self.end, self.end)
        share = 1 - (1 - level) ** (1 / self.units)
        bound = self.end + (self.other - self.end) * share
        return Interval(min(self.end, bound), max(self.end, bound))


def border_of(counts: UnitCounts, system: str, figure: str) -> Border | None:
    """The border at which a figure of a system is in every unit that defines it; None if there is none."""
    import numpy as np

    metric = counts.key[1]
    worst = METRICS[metric].worst if metric in METRICS else _WORST_SHARE
    table, figure_of = counts.tables[system], counts.figure(figure)
    whole = table.sum(axis=0)
    total = float(figure_of(whole[None, :])[0])
    ends = {_BEST: worst} if worst is None else {_BEST: worst, worst: _BEST}
    for end, other in ends.items():
        if not abs(total - end) <= TINY:
            continue
        filled = table[np.any(table != 0, axis=1)]
        at_end = np.abs(figure_of(filled) - end) <= TINY
        # A unit without a figure of its own, such as precision where a system has nothing, changes no total, however
        # often it comes up.
        rest = figure_of(whole + _COPIES * filled[~at_end])
        if at_end.any() and np.all(np.abs(rest - end) <= TINY):
            return Border(end, other, int(at_end.sum()))
    return None


class BorderPlace(NamedTuple):
    """A figure of a system that is at a border; ``part`` is the attribute and value to which it is narrowed."""

    system: str
    figure: FigureName
    border: Border
    part: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = "".join(f" of {attribute} {value}" for attribute, value in self.part)
        return f"{self.figure}{parts}"


def border_findings(places: Sequence[BorderPlace], kind: str) -> list[Finding]:
    """The finding about figures at a border: the first of them, and how many more there are.

    It is a warning if there is a figure of the whole corpus; parts of a few units are often at a border.
    """
    if not places:
        return []
    first, more = places[0], places[1:]
    units = first.border.units
    subject = (
        f"the only {kind} with this figure is" if units == 1 else f"all {units} {kind}s with this figure are"
    )
    state = "perfect" if first.border.end == _BEST else "worthless"
    follows = "the interval is that of Clopper and Pearson on units"
    if first.border.other is None:
        follows = "the interval has no width, because the range of the figure has no other end"
    message = (
        f"{first} of a system: {subject} {state}; resampling cannot show what others might be, and {follows}"
    )
    if more:
        are = "is" if len(more) == 1 else "are"
        message += f"; {counted(len(more), 'more figure')} {are} at an end of the range in all units"
    severity: Severity = "note" if first.part else "warning"
    return [Finding("bound-by-units", severity, message, hint="more documents make it surer")]

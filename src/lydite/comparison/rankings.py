"""Ranks of systems by several figures, and how far they agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import sqrt

from lydite.model.comparison import Comparison, FigureName, FigureRanks, RankAgreement, SystemRanks
from lydite.model.tally import ranks

Ranks = Mapping[str, int]
"""By system; those without a figure have no rank."""


def ranks_of_comparisons(comparisons: Sequence[Comparison]) -> FigureRanks | None:
    """The ranks by the figures of comparisons of the same systems."""
    return rank_by_figures(
        {one.figure: {place.system: place.figure for place in one.systems} for one in comparisons}
    )


def with_others(comparisons: Sequence[Comparison]) -> Comparison:
    """The first comparison, with those by further figures and the ranks by all figures."""
    first, *others = comparisons
    return replace(first, others=tuple(others), ranks=ranks_of_comparisons(comparisons)) if others else first


def rank_by_figures(figures: Mapping[FigureName, Mapping[str, float | None]]) -> FigureRanks | None:
    """The ranks by several figures, in the order of the first one; None for one figure or one system.

    ``figures`` are by figure, and by system, best first by the first figure.
    """
    by_figure = {name: _rank(values) for name, values in figures.items()}
    systems = list(next(iter(figures.values()), ()))
    if len(by_figure) < 2 or len(systems) < 2:
        return None
    return FigureRanks(
        tuple(by_figure),
        tuple(SystemRanks(name, tuple(each.get(name) for each in by_figure.values())) for name in systems),
        tuple(
            RankAgreement(
                a, b, kendall_tau(by_figure[a], by_figure[b]), len(by_figure[a].keys() & by_figure[b].keys())
            )
            for a, b in combinations(by_figure, 2)
        ),
    )


def _rank(values: Mapping[str, float | None]) -> Ranks:
    defined = {name: value for name, value in values.items() if value is not None}
    return dict(zip(defined, ranks(list(defined.values())), strict=True))


def kendall_tau(one: Ranks, other: Ranks) -> float | None:
    """Kendall's τ-b over the systems that both rank; None if either ranks them all alike.

    Pairs in the same order less pairs in the opposite order, over the geometric mean of the numbers of pairs that each
    ranking tells apart.

    >>> kendall_tau({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2})
    0.3333333333333333
    """
    same = opposite = apart_in_one = apart_in_other = 0
    for a, b in combinations([name for name in one if name in other], 2):
        gap, other_gap = one[a] - one[b], other[a] - other[b]
        apart_in_one += gap != 0
        apart_in_other += other_gap != 0
        same += gap * other_gap > 0
        opposite += gap * other_gap < 0
    pairs = apart_in_one * apart_in_other
    return (same - opposite) / sqrt(pairs) if pairs else None

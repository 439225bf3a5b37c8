"""Systems by one figure: intervals, ranks, paired tests, groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations, count
from math import ceil
from string import ascii_letters
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from lydite.comparison.borders import Border, BorderPlace, border_findings, border_of
from lydite.comparison.corrections import CORRECTIONS
from lydite.comparison.counts import UnitCounts, Units, units_of_row
from lydite.comparison.differences import Differences, UnitPair
from lydite.comparison.draws import NO_INTERVAL, Interval, draw_sums, interval, rank_intervals
from lydite.comparison.randomization import EXACT_LIMIT, NO_TEST, Significance, randomization_test
from lydite.errors import Finding, UsageError
from lydite.escaping import counted, in_bytes
from lydite.frozen import FrozenDict
from lydite.metrics import METRICS
from lydite.model import Summary
from lydite.model.comparison import Comparison, FigureName, Resampling, SystemPair, SystemPlace, Testing
from lydite.model.tally import ranks
from lydite.registry import near_or_known

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

FEW_UNITS, TOO_FEW_UNITS = 10, 6


class _Draws(NamedTuple):
    """The units of a figure with their counts and draws; without units there are neither."""

    figure: FigureName
    resampling: Resampling
    testing: Testing
    units: Units
    counts: UnitCounts | None
    figures: Mapping[str, Array]
    """The figure of each system over the draws."""
    borders: Mapping[str, Border]
    """Of the systems that are at a border in every unit."""
    measures: Mapping[str, str]
    """Profile and settings of every system, if they are not the same."""

    def interval_of_system(self, name: str) -> Interval:
        """The interval of the figure of a system."""
        if name in self.borders:
            return self.borders[name].interval(self.resampling.level)
        return self.interval_of(self.figures[name]) if self.figures else NO_INTERVAL

    def interval_of(self, values: Array) -> Interval:
        """The interval of values over the draws."""
        level, kind = self.resampling.level, self.resampling.interval
        return interval(values, len(self.units.ids), level=level, kind=kind)

    @property
    def undefined(self) -> int:
        """The number of draws that leave a system without a figure."""
        import numpy as np

        undefined = [np.isnan(values) for values in self.figures.values()]
        return int(np.count_nonzero(np.any(undefined, axis=0))) if undefined else 0


def compare_systems(
    summary: Summary,
    units: Units,
    figure: FigureName,
    *,
    resampling: Resampling,
    testing: Testing,
    differences: Differences,
    measures: Mapping[str, str] = MappingProxyType({}),
) -> Comparison:
    """Compare the systems of a summary by one figure, with intervals and tests over the units.

    ``measures`` are profile and settings of every system, if they are not the same.
    """
    figures = {name: figure_of_system(summary, name, figure) for name in summary.systems}
    order = sorted(figures, key=lambda name: (figures[name] is None, -(figures[name] or 0.0), in_bytes(name)))
    if testing.against is not None and testing.against not in figures:
        hint = near_or_known(testing.against, order)
        raise UsageError(f"--against {testing.against}: no such system", hint=hint)
    units = units_of_row(units, figure[:3])
    counts = units.counts.get(figure[:3])
    why = why_no_units(units, figure, counts)
    counts = None if why else counts
    drawn = {} if counts is None else _draw_figures(counts, figure.figure, resampling)
    borders = {} if counts is None else {name: border_of(counts, name, figure.figure) for name in order}
    at_border = {name: border for name, border in borders.items() if border is not None}
    draws = _Draws(figure, resampling, testing, units, counts, drawn, at_border, measures)
    pairs = _compare_pairs(order, figures, draws, differences)
    letters: Mapping[str, str] = {}
    if drawn and testing.against is None and not measures:
        with_figure = [name for name in order if figures[name] is not None]
        position = {name: place for place, name in enumerate(with_figure)}
        differing = {frozenset({position[pair.a], position[pair.b]}) for pair in pairs if pair.significant}
        letters = dict(zip(with_figure, compact_letters(len(with_figure), differing), strict=True))
    return Comparison(
        version=summary.version,
        task=summary.task,
        profile=summary.profile,
        signature=resampling_signature(summary.signature, units.kind, resampling, tested=len(order) > 1),
        figure=figure,
        unit_kind=units.kind,
        unit_count=len(units.ids),
        resampling=resampling._replace(left_out=draws.undefined),
        test=testing,
        systems=tuple(_place_systems(order, figures, draws, letters)),
        pairs=tuple(pairs),
        findings=(
            *unit_findings(units, why),
            *border_findings([BorderPlace(name, figure, one) for name, one in at_border.items()], units.kind),
            *_pattern_findings(pairs, resampling, testing),
        ),
        contents=FrozenDict({item.name: item.content for item in summary.inputs if item.role == "system"}),
        departures=summary.departures,
        measures=measures,
    )


def resampling_signature(signature: str, kind: str, resampling: Resampling, *, tested: bool) -> str:
    """The signature of a run with how it was resampled: ``|ci:x95.10000.s0|ar:10000.s0|by:document``."""
    head, _, version = signature.rpartition("|v:")
    draws = f"{resampling.resamples}.s{resampling.seed}"
    test = f"|ar:{draws}" if tested else ""
    letter = {"expanded": "x", "percentile": "p"}[resampling.interval]
    return f"{head}|ci:{letter}{100 * resampling.level:g}.{draws}{test}|by:{kind}|v:{version}"


def figure_of_system(summary: Summary, system: str, figure: FigureName) -> float | None:
    """The figure of a system in a summary; None if it is undefined or not there."""
    for row in summary.corpus_rows():
        if row.system == system and (row.measurement, row.metric, row.average) == figure[:3]:
            value: float | None = getattr(row.score, figure.figure)
            return value
    return None


# --------------------------------------------------------------------------------------------------------- units


def why_no_units(units: Units, figure: FigureName, counts: UnitCounts | None) -> str | None:
    """Why there is nothing to draw for a figure, or None."""
    if units.missing:
        return units.missing
    if len(units.ids) < 2:
        one = f"{units.ids[0]!r} is the only {units.kind}" if units.ids else f"there is no {units.kind}"
        return f"{one}: nothing can be drawn again"
    if counts is None:
        return f"{figure} has no counts by {units.kind}"
    if units.across and METRICS[figure.metric].links_between:
        return f"{figure.metric} also counts links between units: it does not add up over units"
    return None


def unit_findings(units: Units, why: str | None) -> Iterable[Finding]:
    """Findings about the units: that there are none, or few, or that they are not independent."""
    if why is not None:
        yield Finding(
            "no-units", "warning", f"no interval and no test: {why}", hint=_hint_without_units(units)
        )
        return
    if units.kind == "element":
        message = "elements are drawn; the mapping of the whole corpus stays as it is"
        yield Finding("mapping-kept", "note", message)
    if units.joined:
        message = f"{units.kind}s are drawn that share elements, so that intervals and tests are rough: {units.joined}"
        hint = "elements are drawn under ace08-global and ace08-global-mentions"
        yield Finding("units-share-elements", "warning", message, hint=hint)
    if len(units.ids) < FEW_UNITS:
        count = len(units.ids)
        message = f"drawn from only {counted(count, 'unit')} ({units.kind}): intervals of so few are rough"
        if count < TOO_FEW_UNITS:
            message += f", and the test cannot get below 2/2^{count} = {_least_p(count):g}"
        yield Finding("few-units", "warning", message, hint="more documents make it surer")


_OTHER_UNITS = {
    "component": "try --unit topic --resample-by topic",
    "topic": "say by --topic-of what a topic is, or leave out --resample-by topic",
}


def _hint_without_units(units: Units) -> str:
    if units.missing:
        return "compare the files themselves: lydite compare GOLD SYSTEM SYSTEM"
    if len(units.ids) > 1:
        return "try another figure"
    # A single document is one unit however it is cut.
    return _OTHER_UNITS.get(units.kind if units.documents > 1 else "", "score more documents at once")


# ------------------------------------------------------------------------------------------------------- systems


def _draw_figures(counts: UnitCounts, figure: str, resampling: Resampling) -> dict[str, Array]:
    # Systems in the order of their names: what is computed cannot depend on the order of the command line.
    names = sorted(counts.tables, key=in_bytes)
    sums = draw_sums([counts.tables[name] for name in names], resampling.resamples, resampling.seed)
    figure_of_sums = counts.figure(figure)
    return {name: figure_of_sums(drawn) for name, drawn in zip(names, sums, strict=True)}


def _place_systems(
    order: Sequence[str], figures: Mapping[str, float | None], draws: _Draws, letters: Mapping[str, str]
) -> Iterable[SystemPlace]:
    import numpy as np

    rank_ends: Sequence[tuple[int | None, int | None]] = [(None, None)] * len(order)
    if draws.figures:
        rank_ends = rank_intervals(np.array([draws.figures[name] for name in order]))
    ranked = zip(order, ranks([figures[name] for name in order]), rank_ends, strict=True)
    for name, rank, (rank_low, rank_high) in ranked:
        low, high = draws.interval_of_system(name)
        yield SystemPlace(name, figures[name], low, high, rank, rank_low, rank_high, letters.get(name))


# --------------------------------------------------------------------------------------------------------- pairs


def _compare_pairs(
    order: Sequence[str], figures: Mapping[str, float | None], draws: _Draws, differences: Differences
) -> list[SystemPair]:
    figure, resampling, testing, units, counts, drawn = draws[:6]
    names = [
        (a, b) for a, b in combinations(order, 2) if testing.against is None or testing.against in {a, b}
    ]
    unit_pairs: list[UnitPair | None] = [None] * len(names)
    if counts is not None:
        tables, figure_of_sums = counts.tables, counts.figure(figure.figure)
        unit_pairs = [UnitPair(units.ids, tables[a], tables[b], figure_of_sums) for a, b in names]
    tested = [
        None if draws.measures.get(a) != draws.measures.get(b) else pair
        for (a, b), pair in zip(names, unit_pairs, strict=True)
    ]
    tests = _test_pairs(tested, resampling)
    ps = [test.p for test in tests if test.p is not None]
    correction = CORRECTIONS[testing.correction]
    corrected, limits = iter(correction.correct(ps)), iter(correction.limits(ps, testing.alpha))
    # The smallest p of the test where all units differ.
    count = len(units.ids)
    least_p = _least_p(count) if count <= EXACT_LIMIT else 1 / (1 + resampling.resamples)
    pairs = []
    for (a, b), unit_pair, test in zip(names, unit_pairs, tests, strict=True):
        p_corrected, significant, gap = None, None, None
        drawn_differences = drawn[a] - drawn[b] if drawn else None
        if test.p is not None and drawn_differences is not None:
            p_corrected, limit = next(corrected), next(limits)
            significant = p_corrected <= testing.alpha
            if not significant and least_p <= limit:
                gap = _detectable_gap(drawn_differences, limit)
        figure_a, figure_b = figures[a], figures[b]
        low, high = NO_INTERVAL if drawn_differences is None else draws.interval_of(drawn_differences)
        pairs.append(
            SystemPair(
                a=a,
                b=b,
                difference=None if figure_a is None or figure_b is None else figure_a - figure_b,
                low=low,
                high=high,
                p=test.p,
                p_corrected=p_corrected,
                significant=significant,
                exact=test.exact,
                changed_units=test.changed_units,
                units=None if unit_pair is None else unit_pair.wins(),
                items=differences.items(a, b),
                top_units=() if unit_pair is None else unit_pair.top(differences.top),
                top_parts=differences.top_parts(figure, a, b),
                detectable_gap=gap,
            )
        )
    return pairs


def _test_pairs(pairs: Sequence[UnitPair | None], resampling: Resampling) -> list[Significance]:
    def changed_units(place: int) -> int:
        pair = pairs[place]
        return 0 if pair is None else int((pair.first != pair.second).any(axis=1).sum())

    tests = [NO_TEST] * len(pairs)
    # Pairs in which as many units differ share their patterns, which are kept until the number changes.
    for place in sorted(range(len(pairs)), key=changed_units):
        if (pair := pairs[place]) is not None:
            tests[place] = randomization_test(*pair[1:], resamples=resampling.resamples, seed=resampling.seed)
    return tests


def _detectable_gap(drawn_differences: Array, limit: float) -> float | None:
    """The true difference that would get a p up to the limit four times in five."""
    from statistics import NormalDist

    import numpy as np

    defined = drawn_differences[~np.isnan(drawn_differences)]
    if not len(defined):
        return None
    # In standard errors: the two-sided limit, and the 80 % quantile beyond it.
    standard_errors = NormalDist().inv_cdf(1 - limit / 2) + NormalDist().inv_cdf(0.8)
    return float(standard_errors * np.std(defined))


def _pattern_findings(
    pairs: Sequence[SystemPair], resampling: Resampling, testing: Testing
) -> Iterable[Finding]:
    """Warnings about pairs that are not told apart although their p is as small as their patterns allow."""
    not_apart = [pair for pair in pairs if pair.significant is False]
    fewer = "" if testing.against or len(pairs) == 1 else "; --against NAME tests fewer pairs"
    corrected = f", corrected for {len(pairs)} pairs" if len(pairs) > 1 else ""
    least = 1 / (1 + resampling.resamples)
    if too_few := [pair for pair in not_apart if not pair.exact and pair.p == least]:
        message = (
            f"{counted(len(too_few), 'pair')} not told apart by the number of draws alone: {resampling.resamples} random "
            f"patterns give no p below {least:.2g}{corrected}, and the limit is {testing.alpha:g}"
        )
        hint = f"--resamples {ceil(len(pairs) / testing.alpha)} or more{fewer}"
        yield Finding("few-resamples", "warning", message, hint=hint)
    exact = [pair for pair in not_apart if pair.exact and pair.p == _least_p(pair.changed_units or 0)]
    if too_few := [pair for pair in exact if pair.p is not None and pair.p <= testing.alpha]:
        message = (
            f"{counted(len(too_few), 'pair')} not told apart by the number of units alone: where so few differ, no p is "
            f"smaller{corrected}, and the limit is {testing.alpha:g}"
        )
        yield Finding("few-units", "warning", message, hint=f"more documents make it surer{fewer}")


def _least_p(units: int) -> float:
    """The smallest p of the exact test: one pattern of swaps and its opposite, out of all patterns."""
    return 2.0 ** (1 - units)


def compact_letters(systems: int, differing: Collection[frozenset[int]]) -> list[str]:
    """The letters of each system, best first (compact letter display by insert and absorb, Piepho 2004).

    ``differing`` are the pairs of positions that differ significantly.  Letters are given in the order of the best
    system that has them: a to z, A to Z, and then those of other alphabets, so that none is made of others.
    """
    columns: list[frozenset[int]] = [frozenset(range(systems))]
    for one, other in sorted(sorted(pair) for pair in differing):
        # A column with both systems becomes two with one of them; parts of another column go.
        parts = [
            part
            for column in columns
            for part in ((column - {one}, column - {other}) if {one, other} <= column else (column,))
        ]
        distinct = list(dict.fromkeys(parts))
        columns = [column for column in distinct if not any(column < larger for larger in distinct)]
    letters = chain(ascii_letters, filter(str.isalpha, map(chr, count(ord("À")))))
    lettered = [*zip(letters, sorted(columns, key=sorted), strict=False)]
    return ["".join(letter for letter, column in lettered if system in column) for system in range(systems)]

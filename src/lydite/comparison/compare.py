"""Systems by one figure: intervals, ranks, paired tests, groups."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain, combinations, count
from math import ceil
from string import ascii_letters
from typing import TYPE_CHECKING

from lydite.comparison.corrections import CORRECTIONS
from lydite.comparison.counts import UnitCounts, Units, units_of_row
from lydite.comparison.differences import Differences, UnitPair
from lydite.comparison.draws import NO_INTERVAL, Interval, drawn_sums, interval, rank_intervals
from lydite.comparison.randomization import EXACT_LIMIT, NO_TEST, Significance, randomization_test
from lydite.errors import Finding, UsageError
from lydite.escaping import counted, in_bytes
from lydite.frozen import FrozenDict
from lydite.metrics import METRICS
from lydite.model import PlainSummary
from lydite.model.comparison import Comparison, FigureName, Place, Resampling, SystemPair, Testing
from lydite.model.tally import ranks
from lydite.records import NamedTuple
from lydite.registry import near_or_known

if TYPE_CHECKING:
    from lydite.comparison.draws import Array

FEW_UNITS, TOO_FEW_UNITS = 10, 6


class _Drawing(NamedTuple):
    """What systems and pairs are compared with; without units there are neither counts nor draws."""

    figure: FigureName
    resampling: Resampling
    testing: Testing
    units: Units
    counts: UnitCounts | None
    drawn: Mapping[str, Array]
    """The figure of each system over the draws."""

    def interval(self, values: Array) -> Interval:
        """The interval of values over the draws."""
        how = self.resampling
        return interval(values, len(self.units.ids), level=how.level, kind=how.interval)

    @property
    def left_out(self) -> int:
        """How many draws left a system without a figure."""
        import numpy as np

        undefined = [np.isnan(values) for values in self.drawn.values()]
        return int(np.count_nonzero(np.any(undefined, axis=0))) if undefined else 0


def compare_systems(
    summary: PlainSummary,
    units: Units,
    figure: FigureName,
    *,
    resampling: Resampling,
    testing: Testing,
    differences: Differences,
) -> Comparison:
    """The systems of a summary by one figure; the units decide how sure it is."""
    figures = {name: figure_in(summary, name, figure) for name in summary.systems}
    order = sorted(figures, key=lambda name: (figures[name] is None, -(figures[name] or 0.0), in_bytes(name)))
    if testing.against is not None and testing.against not in figures:
        hint = near_or_known(testing.against, order)
        raise UsageError(f"--against {testing.against}: no such system", hint=hint)
    units = units_of_row(units, figure[:3])
    counts = units.counts.get(figure[:3])
    why = why_no_units(units, figure, counts)
    counts = None if why else counts
    drawn = {} if counts is None else _draw(counts, figure.figure, resampling)
    work = _Drawing(figure, resampling, testing, units, counts, drawn)
    pairs = _pairs(order, figures, work, differences)
    letters: Mapping[str, str] = {}
    if drawn and testing.against is None:
        letters = _letters([name for name in order if figures[name] is not None], pairs)
    return Comparison(
        version=summary.version,
        task=summary.task,
        profile=summary.profile,
        signature=signed(summary.signature, units.kind, resampling, tested=len(order) > 1),
        figure=figure,
        unit_kind=units.kind,
        unit_count=len(units.ids),
        resampling=resampling._replace(left_out=work.left_out),
        test=testing,
        systems=tuple(_places(order, figures, work, letters)),
        pairs=tuple(pairs),
        findings=(*unit_findings(units, why), *_pattern_findings(pairs, resampling, testing)),
        contents=FrozenDict({item.name: item.content for item in summary.inputs if item.role == "system"}),
        departures=summary.departures,
    )


def signed(signature: str, kind: str, resampling: Resampling, *, tested: bool) -> str:
    """The signature of a run with how its figures were resampled: ``|ci:x95.10000.s0|ar:10000.s0|by:document``."""
    head, _, version = signature.rpartition("|v:")
    how = f"{resampling.resamples}.s{resampling.seed}"
    test = f"|ar:{how}" if tested else ""
    letter = {"expanded": "x", "percentile": "p"}[resampling.interval]
    return f"{head}|ci:{letter}{100 * resampling.level:g}.{how}{test}|by:{kind}|v:{version}"


def figure_in(summary: PlainSummary, system: str, figure: FigureName) -> float | None:
    """The figure of a system as the summary has it."""
    for row in summary.corpus_rows():
        if row.system == system and (row.measurement, row.metric, row.average) == figure[:3]:
            found: float | None = getattr(row.score, figure.figure)
            return found
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
    """What is to be said of the units: that there are none, or few."""
    if why is not None:
        yield Finding("no-units", "warning", f"no interval and no test: {why}", hint=_what_to_try(units))
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


def _what_to_try(units: Units) -> str:
    if units.missing:
        return "compare the files themselves: lydite compare GOLD SYSTEM SYSTEM"
    if len(units.ids) > 1:
        return "try another figure"
    # A single document is one unit however it is cut.
    return _OTHER_UNITS.get(units.kind if units.documents > 1 else "", "score more documents at once")


# ------------------------------------------------------------------------------------------------------- systems


def _draw(counts: UnitCounts, figure: str, resampling: Resampling) -> dict[str, Array]:
    # Systems in the order of their names: what is computed cannot depend on the order of the command line.
    names = sorted(counts.tables, key=in_bytes)
    sums = drawn_sums([counts.tables[name] for name in names], resampling.resamples, resampling.seed)
    of = counts.figure(figure)
    return {name: of(drawn) for name, drawn in zip(names, sums, strict=True)}


def _places(
    order: Sequence[str],
    figures: Mapping[str, float | None],
    work: _Drawing,
    letters: Mapping[str, str],
) -> Iterable[Place]:
    import numpy as np

    rank = ranks([figures[name] for name in order])
    of_ranks: Sequence[tuple[int | None, int | None]] = [(None, None)] * len(order)
    if work.drawn:
        of_ranks = rank_intervals(np.array([work.drawn[name] for name in order]))
    for place, name in enumerate(order):
        ends = work.interval(work.drawn[name]) if work.drawn else NO_INTERVAL
        yield Place(
            name, figures[name], ends.low, ends.high, rank[place], *of_ranks[place], letters.get(name)
        )


# --------------------------------------------------------------------------------------------------------- pairs


def _pairs(
    order: Sequence[str], figures: Mapping[str, float | None], work: _Drawing, differences: Differences
) -> list[SystemPair]:
    figure, resampling, testing, units, counts, drawn = work
    chosen = [
        (a, b) for a, b in combinations(order, 2) if testing.against is None or testing.against in {a, b}
    ]
    by_unit: list[UnitPair | None] = [None] * len(chosen)
    if counts is not None:
        tables, of = counts.tables, counts.figure(figure.figure)
        by_unit = [UnitPair(units.ids, tables[a], tables[b], of) for a, b in chosen]
    outcomes = _outcomes(by_unit, resampling)
    tested = [outcome.p for outcome in outcomes if outcome.p is not None]
    correction = CORRECTIONS[testing.correction]
    corrected, limits = iter(correction.correct(tested)), iter(correction.limits(tested, testing.alpha))
    found = []
    for (a, b), pair, outcome in zip(chosen, by_unit, outcomes, strict=True):
        p_corrected, significant, gap = None, None, None
        paired = drawn[a] - drawn[b] if drawn else None
        if outcome.p is not None and paired is not None:
            p_corrected, limit = next(corrected), next(limits)
            significant = p_corrected <= testing.alpha
            if not significant and _least_p_of_test(len(units.ids), resampling) <= limit:
                gap = _found_gap(paired, limit)
        one, other = figures[a], figures[b]
        ends = NO_INTERVAL if paired is None else work.interval(paired)
        found.append(
            SystemPair(
                a=a,
                b=b,
                difference=None if one is None or other is None else one - other,
                low=ends.low,
                high=ends.high,
                p=outcome.p,
                p_corrected=p_corrected,
                significant=significant,
                exact=outcome.exact,
                changed_units=outcome.changed_units,
                units=None if pair is None else pair.wins(),
                items=differences.items(a, b),
                top_units=() if pair is None else pair.top(differences.top),
                top_parts=differences.top_parts(figure, a, b),
                found_gap=gap,
            )
        )
    return found


def _outcomes(pairs: Sequence[UnitPair | None], resampling: Resampling) -> list[Significance]:
    def changed(place: int) -> int:
        pair = pairs[place]
        return 0 if pair is None else int((pair.first != pair.second).any(axis=1).sum())

    outcomes = [NO_TEST] * len(pairs)
    # Pairs in which as many units differ share their patterns: one after the other.
    for place in sorted(range(len(pairs)), key=changed):
        if (pair := pairs[place]) is not None:
            outcomes[place] = randomization_test(
                *pair[1:], resamples=resampling.resamples, seed=resampling.seed
            )
    return outcomes


def _found_gap(paired: Array, limit: float) -> float | None:
    """How large a true difference would get a p up to the limit four times in five."""
    from statistics import NormalDist

    import numpy as np

    known = paired[~np.isnan(paired)]
    if not len(known):
        return None
    # In standard errors: the two-sided limit, and the 80 % quantile beyond it.
    needed = NormalDist().inv_cdf(1 - limit / 2) + NormalDist().inv_cdf(0.8)
    return float(needed * np.std(known))


def _pattern_findings(
    pairs: Sequence[SystemPair], resampling: Resampling, testing: Testing
) -> Iterable[Finding]:
    """Warnings where the number of patterns alone keeps pairs from being told apart: p cannot get smaller."""
    left = [pair for pair in pairs if pair.significant is False]
    fewer = "" if testing.against or len(pairs) == 1 else "; --against NAME tests fewer pairs"
    corrected = f", corrected for {len(pairs)} pairs" if len(pairs) > 1 else ""
    least = 1 / (1 + resampling.resamples)
    if held := [pair for pair in left if not pair.exact and pair.p == least]:
        message = (
            f"{counted(len(held), 'pair')} not told apart by the number of draws alone: {resampling.resamples} random "
            f"patterns give no p below {least:.2g}{corrected}, and the limit is {testing.alpha:g}"
        )
        hint = f"--resamples {ceil(len(pairs) / testing.alpha)} or more{fewer}"
        yield Finding("few-resamples", "warning", message, hint=hint)
    exact = [pair for pair in left if pair.exact and pair.p == _least_p(pair.changed_units or 0)]
    if held := [pair for pair in exact if pair.p is not None and pair.p <= testing.alpha]:
        message = (
            f"{counted(len(held), 'pair')} not told apart by the number of units alone: where so few differ, no p is "
            f"smaller{corrected}, and the limit is {testing.alpha:g}"
        )
        yield Finding("few-units", "warning", message, hint=f"more documents make it surer{fewer}")


def _least_p(units: int) -> float:
    """How small p of the paired test can get: one pattern of swaps, and its opposite, out of all."""
    return 2.0 ** (1 - units)


def _least_p_of_test(units: int, resampling: Resampling) -> float:
    """How small p can get where all units differ."""
    return _least_p(units) if units <= EXACT_LIMIT else 1 / (1 + resampling.resamples)


def _letters(order: Sequence[str], pairs: Iterable[SystemPair]) -> dict[str, str]:
    """The letters of the systems that have a figure: without one there is nothing that could be told apart."""
    place = {name: position for position, name in enumerate(order)}
    differing = {frozenset({place[pair.a], place[pair.b]}) for pair in pairs if pair.significant}
    return dict(zip(order, groups(len(order), differing), strict=True))


def groups(systems: int, differing: Collection[frozenset[int]]) -> list[str]:
    """The letters of each system, best first (compact letter display by insert and absorb, Piepho 2004).

    ``differing`` are the pairs of positions that differ significantly.  Letters are given in the order of the best
    system that has them: a to z, A to Z, and then those of other alphabets, so that none is made of others.
    """
    columns: list[frozenset[int]] = [frozenset(range(systems))]
    for pair in sorted(sorted(pair) for pair in differing):
        one, other = pair
        split = [part for column in columns for part in _without_both(column, one, other)]
        columns = _absorbed(split)
    names = chain(ascii_letters, filter(str.isalpha, map(chr, count(ord("À")))))
    named = [*zip(names, sorted(columns, key=sorted), strict=False)]
    return ["".join(name for name, column in named if system in column) for system in range(systems)]


def _without_both(column: frozenset[int], one: int, other: int) -> Iterable[frozenset[int]]:
    return (column - {one}, column - {other}) if {one, other} <= column else (column,)


def _absorbed(columns: list[frozenset[int]]) -> list[frozenset[int]]:
    """Each set once, and none that is part of another."""
    distinct = list(dict.fromkeys(columns))
    return [column for column in distinct if not any(column < other for other in distinct)]

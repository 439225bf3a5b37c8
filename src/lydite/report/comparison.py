"""Comparisons as tables and sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lydite.escaping import counted, printable
from lydite.model.comparison import Comparison, FigureName, FigureRanks, Golds, SystemPair, SystemPlace
from lydite.report.tables import FIGURE_HEADS, UNDEFINED, Table, departing, percent, points, separated_lines

_INTERVALS = {"expanded": "expanded percentile", "percentile": "percentile"}
CORRECTIONS = {
    "holm": "corrected by Holm",
    "benjamini-hochberg": "corrected by Benjamini and Hochberg",
    "none": "not corrected",
}
PAIRS_AT_ONCE = 45
"""The number of pairs that are shown: all of ten systems."""
MOST_CHANGES = 20
"""The number of changed items in the text."""


def unit_name(comparison: Comparison) -> str:
    """The number and kind of the units: ``20 documents``."""
    return counted(comparison.unit_count, comparison.unit_kind)


def heading(comparison: Comparison) -> list[str]:
    """The first lines: the figure; the units and draws; the test."""
    return list(map(printable, _heading(comparison)))


def _heading(comparison: Comparison) -> list[str]:
    figure, draws, test = comparison.figure, comparison.resampling, comparison.test
    average = f" {figure.average}" if figure.average else ""
    name = f"{figure.measurement} {figure.metric}{average} {FIGURE_HEADS[figure.figure]}"
    profile = " ".join((comparison.profile, *departing(comparison.departures)))
    lines = [f"lydite compare {comparison.task}, profile {profile}: {name}"]
    if missing := [finding.message for finding in comparison.findings if finding.code == "no-units"]:
        return [*lines, f"{unit_name(comparison)}; {missing[0]}"]
    level = f"{100 * draws.level:g} %"
    lines.append(
        f"{unit_name(comparison)}; {level} intervals ({_INTERVALS[draws.interval]}) "
        f"from {counted(draws.resamples, 'draw')}, seed {draws.seed}"
    )
    if comparison.unit_kind == "element":
        lines.append("elements are drawn; the mapping of the whole corpus stays as it is")
    if tested := [pair for pair in comparison.pairs if comparison.is_tested(pair)]:
        against = f" against {test.against}" if test.against else ""
        lines.append(
            f"paired randomisation test of {counted(len(tested), 'pair')}{against}, "
            f"{CORRECTIONS[test.correction]}, limit {test.alpha:g}"
        )
    return lines


def systems_table(comparison: Comparison) -> Table:
    """The systems, best first, with intervals, ranks and letters."""
    places = comparison.systems
    rows = [
        (
            *(f"{place.rank}", place.system, percent(place.figure), show_interval(place.low, place.high)),
            *(rank_span(place.rank_low, place.rank_high) or "", place.group or ""),
        )
        for place in places
    ]
    level = f"{100 * comparison.resampling.level:g} % interval"
    columns = ("rank", "system", FIGURE_HEADS[comparison.figure.figure], level, "ranks", "group")
    best = frozenset((row, 2) for row, place in enumerate(places) if place.rank == 1)
    raised = {(row, 2): place.group for row, place in enumerate(places) if place.group}
    table = Table("systems", columns, tuple(rows), text_columns=2, best=best, raised=raised)
    return _without_blank_columns(table)


def _without_blank_columns(table: Table) -> Table:
    return table.only([place for place in range(len(table.columns)) if any(row[place] for row in table.rows)])


def rank_span(low: int | None, high: int | None) -> str | None:
    """The ranks that a system may have; None without units."""
    if low is None or high is None:
        return None
    return f"{low}" if low == high else f"{low}–{high}"


def show_interval(low: float | None, high: float | None) -> str:
    """An interval in percent with two decimals; empty without units."""
    return "" if low is None or high is None else f"[{percent(low)}, {percent(high)}]"


def pairs_table(comparison: Comparison, most: int | None = None) -> Table:
    """The pairs, or the first ``most`` of them: difference, interval, p."""
    corrected = comparison.test.correction != "none" and len(comparison.pairs) > 1
    rows = []
    for pair in comparison.pairs[:most]:
        p = (show_p(pair.p), *((show_p(pair.p_corrected),) if corrected else ()))
        interval = show_interval(pair.low, pair.high)
        significant = "yes" if pair.significant else "" if pair.significant is None else "no"
        rows.append((f"{pair.a} – {pair.b}", points(pair.difference), interval, *p, significant))
    level = f"{100 * comparison.resampling.level:g} % interval"
    columns = ("pair", "difference", level, "p", *(("corrected",) if corrected else ()), "significant")
    return _without_blank_columns(Table("pairs", columns, tuple(rows)))


def show_p(p: float | None) -> str:
    """A p-value with four decimals, or ``<0.0001``."""
    if p is None:
        return ""
    return "<0.0001" if p < 0.00005 else f"{p:.4f}"


def sentences(comparison: Comparison) -> Iterator[str]:
    """Sentences: which system is best, which cannot be told apart, and how large a gap would be found."""
    for pair in [untested for untested in comparison.pairs if not comparison.is_tested(untested)][:5]:
        yield _say_two_measures(comparison, pair)
    if all(pair.significant is None for pair in comparison.pairs):
        return
    if comparison.test.against is None and not comparison.measures:
        best = [place.system for place in comparison.systems if place.rank == 1]
        yield who_is_best(best, [(pair.a, pair.b) for pair in comparison.pairs if not pair.significant])
    not_apart = [pair for pair in comparison.pairs if pair.significant is False]
    for pair in not_apart[:5]:
        yield _say_not_apart(comparison, pair)
    if len(not_apart) > 5:
        yield f"{counted(len(not_apart) - 5, 'more pair')} cannot be told apart."
    if any(place.group for place in comparison.systems):
        yield "Systems that share a letter are not significantly different."


def _say_two_measures(comparison: Comparison, pair: SystemPair) -> str:
    measures, contents = comparison.measures, comparison.contents
    if contents.get(pair.a) == contents.get(pair.b):
        follows = "are one run under two measures: the difference is that of the measures"
    else:
        follows = "were scored by two measures: the difference is not that of the systems alone"
    return f"{pair.a} and {pair.b} {follows} ({measures[pair.a]} and {measures[pair.b]}), and is not tested."


def who_is_best(best: Sequence[str], not_apart: Iterable[tuple[str, str]]) -> str:
    """A sentence about the best systems; ``not_apart`` are the pairs that are not significantly different."""
    rivals = list(dict.fromkeys(b for a, b in not_apart if a in best and b not in best))
    if len(best) == 1 and not rivals:
        return f"{best[0]} is best: every other system is significantly worse."
    has, is_ = ("has", "is") if len(best) == 1 else ("share", "are")
    sentence = f"{_enumerate(best)} {has} the best figure"
    if rivals:
        sentence += f", but {is_} not significantly better than {_enumerate(rivals)}"
    return f"{sentence}."


def _enumerate(names: Sequence[str]) -> str:
    """At most five names, and how many more there are: ``a, b and c``."""
    shown = list(names[:5]) + ([f"{len(names) - 5} more"] if len(names) > 5 else [])
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def say_no_difference(comparison: Comparison, a: str, b: str) -> str:
    """A sentence about two systems that are equal in every unit."""
    verb = "shows" if comparison.unit_count == 1 else "show"
    return f"{unit_name(comparison)} {verb} no difference between {a} and {b}."


def _say_not_apart(comparison: Comparison, pair: SystemPair) -> str:
    if pair.changed_units == 0:
        return say_no_difference(comparison, pair.a, pair.b)
    p = pair.p_corrected if pair.p_corrected is not None else pair.p
    shown = UNDEFINED if p is None else f"{p:.4f}" if p < 0.01 else f"{p:.2f}"
    verb = "does" if comparison.unit_count == 1 else "do"
    sentence = f"{unit_name(comparison)} {verb} not tell {pair.a} and {pair.b} apart (p {shown})"
    if pair.detectable_gap:
        gap = f"{100 * pair.detectable_gap:.1f} points"
        sentence += f"; a true gap of {gap} would be found four times in five"
    return f"{sentence}."


def difference_tables(comparison: Comparison, pair: SystemPair) -> Iterator[Table]:
    """Tables of where two systems differ: units by contribution, parts by difference."""
    kind = comparison.unit_kind
    if pair.top_units:
        columns = (kind, pair.a, pair.b, "contribution")
        units = tuple((u.unit, percent(u.a), percent(u.b), points(u.contribution)) for u in pair.top_units)
        yield Table(f"{pair.a} and {pair.b}: {kind}s by contribution to the difference", columns, units)
    if pair.top_parts:
        names = ("by", "part", pair.a, pair.b, "difference")
        parts = tuple(
            (part.by, part.value, percent(part.a), percent(part.b), points((part.a or 0) - (part.b or 0)))
            for part in pair.top_parts
        )
        yield Table(f"{pair.a} and {pair.b}: parts by difference", names, parts, text_columns=2)


def where_lines(comparison: Comparison, pair: SystemPair) -> Iterator[str]:
    """In how many units each of two systems is better, and how many gold items each has right."""
    if pair.units is not None:
        units = pair.units
        yield (
            f"{pair.a} is better in {units['a']} of {unit_name(comparison)}, {pair.b} in {units['b']}, "
            f"{units['equal']} {'is' if units['equal'] == 1 else 'are'} equal"
        )
    if pair.items is not None:
        both, only_a, only_b, none = pair.items
        yield (
            f"gold items right in both {both}, only in {pair.a} {only_a}, only in {pair.b} {only_b}, "
            f"in none {none}"
        )


def golds_table(golds: Golds) -> Table:
    """The figures and ranks under two golds."""
    rows = tuple(
        (
            *(system.system, percent(system.before), percent(system.after)),
            points(None if system.before is None or system.after is None else system.after - system.before),
            *(f"{system.rank_before}", f"{system.rank_after}"),
        )
        for system in golds.systems
    )
    columns = ("system", "before", "after", "change", "rank before", "rank after")
    return Table("before and after", columns, rows)


def change_lines(golds: Golds, *, show_all: bool) -> Iterator[str]:
    """The items whose standing changed: the number of each kind, then one line for each."""
    if not golds.changes:
        yield "no item changed its standing"
        return
    kinds = Counter(change.change for change in golds.changes)
    yield f"items: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}"
    shown = golds.changes if show_all else golds.changes[:MOST_CHANGES]
    for change in shown:
        yield f"  {change.system}  {change.document}  {change.item}: {change.change}"
    if len(shown) < len(golds.changes):
        yield f"  … and {len(golds.changes) - len(shown)} more; -v shows all"


def figure_labels(figures: Sequence[FigureName]) -> list[str]:
    """The figures by the parts of their names in which they differ."""
    differing = [len(set(parts)) > 1 for parts in zip(*figures, strict=True)]
    return [
        ".".join(part for part, is_own in zip(one, differing, strict=True) if part and is_own)
        for one in figures
    ]


def ranks_tables(ranks: FigureRanks) -> Iterator[Table]:
    """The ranks by every figure, and Kendall's τ of every two figures."""
    labels = dict(zip(ranks.figures, figure_labels(ranks.figures), strict=True))
    shared = ".".join(
        parts[0] for parts in zip(*ranks.figures, strict=True) if parts[0] and len(set(parts)) == 1
    )
    rows = tuple(
        (one.system, *(UNDEFINED if rank is None else f"{rank}" for rank in one.ranks))
        for one in ranks.systems
    )
    title = f"ranks by figures of {shared}" if shared else "ranks by figure"
    yield Table(title, ("system", *labels.values()), rows, turns=True)
    pairs = tuple((f"{labels[one.a]} – {labels[one.b]}", show_tau(one.tau)) for one in ranks.agreement)
    yield Table("agreement of ranks", ("figures", "Kendall's τ"), pairs)


def show_tau(tau: float | None) -> str:
    """A τ with two decimals."""
    return UNDEFINED if tau is None else f"{tau:.2f}"


def separated(comparisons: Iterable[Comparison]) -> str:
    """The systems of all comparisons as CSV, unrounded, with the figure in front."""
    rows = (
        (str(comparison.figure), *place._replace(system=printable(place.system)))
        for comparison in comparisons
        for place in comparison.systems
    )
    return separated_lines([("of", *SystemPlace._fields), *rows])

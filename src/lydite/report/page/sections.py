"""The sections of a page: each a function from the material to sentences, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.escaping import counted
from lydite.model import ScoreRow, Summary
from lydite.model.comparison import Comparison, FigureRanks, Golds, SystemPair, SystemPlace
from lydite.model.summary import COUNTS
from lydite.model.verdict import MISSED, SPURIOUS, ConfusionMatrix
from lydite.report.charts.bars import StackedBar, stacked_bars
from lydite.report.charts.dots import Dot, DotsRow, connected_dots, dot_plot
from lydite.report.charts.matrix import matrix
from lydite.report.charts.planes import Point, Series, lines, scatter
from lydite.report.charts.svg import shortened
from lydite.report.comparison import (
    CORRECTIONS,
    PAIRS_AT_ONCE,
    figure_labels,
    rank_span,
    say_no_difference,
    unit_name,
    who_is_best,
)
from lydite.report.page.grids import Chart, Column, Grid, Kind, PageSection, Panel, Value, columns_of
from lydite.report.page.material import PageMaterial
from lydite.report.tables import figure_name, headline_name, percent, ranked_systems

SMALL = 10
"""Parts with fewer gold items than this are grey."""
_PARTS_SHOWN = 25
_MATRIX_SIDE = 26
"""The most values on each side of a matrix, with (missed) and (spurious)."""
_POINTS_DRAWN = 20_000
"""The most points in all scatter plots of pairs of systems together; later pairs only have tables."""
_POINTS_OF_A_PAIR = 1000
_MOST_SERIES = 8


def measurement_title(material: PageMaterial, measurement: str, metric: str) -> str:
    """The name of a measurement with the title of its metric, or only the title where both are the same."""
    titles = {definition.name: definition.title for definition in material.definitions}
    title = titles.get(metric, metric)
    return title if measurement in {metric, ""} else f"{measurement}: {title}"


def _axis(rows: Sequence[ScoreRow]) -> str:
    """The title of an axis for the figures of these rows."""
    known = [name for name in ("f1", "value") if any(getattr(row.score, name) is not None for row in rows)]
    return f"{' or '.join(known).replace('f1', 'F1') or 'figure'} (%)"


def ranked(material: PageMaterial) -> list[str]:
    """The systems, best first: in the order of the comparison, or else by the headline."""
    if material.comparison is not None:
        return [place.system for place in material.comparison.systems]
    return ranked_systems(material.summary)


def figure_of(row: ScoreRow, figure: str = "f1") -> float | None:
    """A figure of a row; if it is undefined, its F1 or value."""
    value: float | None = getattr(row.score, figure)
    if value is not None:
        return value
    return row.score.f1 if row.score.f1 is not None else row.score.value


# ----------------------------------------------------------------------------------------------------- ranking


def answer(material: PageMaterial, systems: Sequence[str]) -> str:
    """One or two sentences: which system is best, its figure, and how sure that is."""
    comparison = material.comparison
    if not systems:
        return ""
    if comparison is None:
        first = _places_by_headline(material, systems)[0]
        figure, level = material.summary.headline, ""
    else:
        first, figure = comparison.systems[0], comparison.figure._asdict()
        level = f"{100 * comparison.resampling.level:g} % interval"
    if first.figure is None:
        return ""
    sentence = f"{figure_name(figure)} is {percent(first.figure)}"
    if first.low is not None:
        sentence += f" ({level} {percent(first.low)} to {percent(first.high)})"
    name = shortened(systems[0], 40)
    return f"The {sentence}." if len(systems) == 1 else f"{_say_best(name, comparison)} Its {sentence}."


def _places_by_headline(material: PageMaterial, systems: Sequence[str]) -> list[SystemPlace]:
    """The places of systems by the headline alone, without intervals."""
    return [
        SystemPlace(name, material.summary.headline_score(name), None, None, rank, None, None, None)
        for rank, name in enumerate(systems, 1)
    ]


def _say_best(name: str, comparison: Comparison | None) -> str:
    if comparison is None or all(pair.significant is None for pair in comparison.pairs):
        return f"{name} has the best figure; nothing was tested."
    best = [shortened(place.system, 40) for place in comparison.systems if place.rank == 1]
    pairs = [pair for pair in comparison.pairs if not pair.significant]
    return who_is_best(best, [(shortened(pair.a, 40), shortened(pair.b, 40)) for pair in pairs])


def ranking(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """The systems with headline, interval, ranks and groups; and all other figures."""
    axis = f"{figure_name(material.summary.headline)} (%)"
    comparison = material.comparison
    if comparison is None:
        places: Sequence[SystemPlace] = _places_by_headline(material, systems)
    else:
        places = comparison.systems
        axis = f"{figure_name(comparison.figure._asdict())} (%)"
    dots = [Dot(one.system, one.figure, one.low, one.high, one.group or "") for one in places]
    rows: list[list[Value]] = [
        [one.rank, *one[:4], rank_span(one.rank_low, one.rank_high), one.group] for one in places
    ]
    head = [Column("rank", "count"), Column("system", "system"), *columns_of("percent", axis, "low", "high")]
    grid = Grid("ranking", "Systems, best first", [*head, *columns_of("text", "ranks", "group")], rows)
    title = f"Systems by {axis}"
    drawn = dot_plot(dots, name="ranking", title=title, axis=axis)
    chart = Chart(title, drawn, rows=tuple(range(len(systems))))
    grids = [grid.without_empty_columns(after=3), _all_figures(material, systems)]
    return PageSection("ranking", "Ranking", _ranking_lead(comparison), [chart], grids)


def _ranking_lead(comparison: Comparison | None) -> str:
    if comparison is None:
        return "Systems by the headline of the profile, without intervals."
    drawn, test = comparison.resampling, comparison.test
    if comparison.systems and comparison.systems[0].low is None:
        # In the words of the finding.
        why = next((one.message for one in comparison.findings if one.code == "no-units"), "")
        return f"{(why[:1].upper() + why[1:]) or 'No interval and no test'}."
    lead = (
        f"Whiskers are {100 * drawn.level:g} % intervals from {counted(drawn.resamples, 'draw')} of "
        f"{unit_name(comparison)}."
    )
    if any(one.code == "bound-by-units" for one in comparison.findings):
        lead += (
            " Where all units are perfect, or all are worthless, the interval is that of Clopper and Pearson."
        )
    if not comparison.pairs:
        return lead
    return (
        f"{lead} Systems that share a letter cannot be told apart "
        f"(paired randomisation test, {CORRECTIONS[test.correction]}, limit {test.alpha:g})."
    )


def _all_figures(material: PageMaterial, systems: Sequence[str]) -> Grid:
    place = {name: position for position, name in enumerate(systems)}
    rows = sorted(
        (row for row in material.summary.corpus_rows() if row.metric != COUNTS),
        key=lambda row: place.get(row.system, len(place)),
    )
    head = [
        Column("system", "system"),
        *columns_of("text", "measurement", "metric", "average"),
        *columns_of("percent", "precision", "recall", "F1", "value"),
    ]
    cells = [[row.system, row.measurement, row.metric, row.average, *row.score] for row in rows]
    return Grid("figures-all", "Every figure", head, cells, folded=True).without_empty_columns(after=3)


# ----------------------------------------------------------------------------------------------------- figures


def figures(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """Figures side by side: measurements, precision and recall, micro and macro."""
    summary = material.summary
    charts = [
        *(list(_chart_pilot_study(material, systems)) or _chart_gaps(material, systems)),
        *_chart_precision_recall(material, systems),
        *_chart_averages(summary, systems),
    ]
    lead = _HOW_TO_READ_GAPS if _is_first_most_lenient(summary) else _HOW_TO_READ_WAYS
    grids = [] if material.ranks is None else _tabulate_ranks(material.ranks)
    absent = "" if charts or grids else "There is one figure or none: nothing stands beside it."
    return PageSection(
        "figures", "Figures side by side", lead if charts else "", charts, grids, absent=absent
    )


def _tabulate_ranks(ranks: FigureRanks) -> list[Grid]:
    """The ranks by every figure, and how far every two of these agree."""
    labels = dict(zip(ranks.figures, figure_labels(ranks.figures), strict=True))
    head = [Column("system", "system"), *columns_of("count", *labels.values())]
    rows: list[list[Value]] = [[one.system, *one.ranks] for one in ranks.systems]
    pairs_head = [
        *columns_of("text", "figure", "other figure"),
        Column("Kendall's τ", "tau"),
        Column("systems", "count"),
    ]
    pairs: list[list[Value]] = [
        [labels[one.a], labels[one.b], one.tau, one.systems] for one in ranks.agreement
    ]
    return [
        Grid("ranks", "Ranks by figure", head, rows),
        Grid(
            "ranks-agreement",
            "Agreement of ranks",
            pairs_head,
            pairs,
        ),
    ]


_HOW_TO_READ_GAPS = (
    "Gaps between the dots of a system show where it loses: a wide gap after the first dot is its bottleneck."
)
_HOW_TO_READ_RANKS = (
    "Kendall's τ is 1 if two figures put the systems into the same order, and −1 if into the opposite one."
)
_HOW_TO_READ_WAYS = (
    "Every dot is another way to count the same output: where systems change places from one to the next, "
    "the ranking hangs on the choice."
)


def _is_first_most_lenient(summary: Summary) -> bool:
    """Whether there is one metric, and no system is better in a later measurement than in the first."""
    by_measurement = _lead_rows(summary)
    first = next(iter(by_measurement.values()), {})
    return len({metric for _, metric in by_measurement}) == 1 and all(
        (figure_of(row) or 0.0) <= (figure_of(first[system]) or 0.0)
        for rows in by_measurement.values()
        for system, row in rows.items()
        if system in first
    )


def _lead_rows(summary: Summary) -> dict[tuple[str, str], dict[str, ScoreRow]]:
    """The totals of the headline's average (and metric, if it has several), by measurement and metric, then system."""
    totals = _totals(summary)
    metric = summary.headline.get("metric", "")
    of_metric = {key: rows for key, rows in totals.items() if key[1] == metric}
    return of_metric if len(of_metric) > 1 else totals


def _totals(summary: Summary) -> dict[tuple[str, str], dict[str, ScoreRow]]:
    """The totals of the headline's average, by measurement and metric, then system."""
    average = summary.headline.get("average", "")
    totals: dict[tuple[str, str], dict[str, ScoreRow]] = {}
    for row in summary.corpus_rows():
        if row.metric != COUNTS and (row.average or "") in {average, ""} and figure_of(row) is not None:
            totals.setdefault((row.measurement, row.metric), {})[row.system] = row
    return totals


class _SideBySide(NamedTuple):
    """Figures that stand side by side in a chart: its name, its title, their measurements and metrics."""

    name: str
    title: str
    keys: Sequence[tuple[str, str]]


_PILOT_STUDY = (
    _SideBySide(
        "pilot-1",
        "Pilot study, figure 1: F1 of spans, and accuracies of attributes",
        (("span", "original"), ("type", "accuracy"), ("realis", "accuracy")),
    ),
    _SideBySide(
        "pilot-2",
        "Pilot study, figure 2: F1 of spans, and its products with the accuracies",
        (
            ("span", "original"),
            *((name, "multiplicative") for name in ("span*type", "span*realis", "span*type*realis")),
        ),
    ),
    _SideBySide(
        "pilot-3",
        "Pilot study, figure 3: augmented F1, with corrected precision",
        tuple((name, "augmented") for name in ("span", "type", "realis", "type+realis")),
    ),
)
"""The charts of the pilot study of event nuggets: its measures before and after their repair."""


def _chart_pilot_study(material: PageMaterial, systems: Sequence[str]) -> Iterator[Chart]:
    """The figures of the pilot study, as far as the run has its measures, sorted by the headline."""
    totals = _totals(material.summary)
    for name, title, keys in _PILOT_STUDY:
        known = [key for key in keys if key in totals]
        if len(known) > 1:
            names = [
                measurement if metric != "accuracy" else f"{measurement} accuracy"
                for measurement, metric in known
            ]
            yield _chart_dots(totals, known, names, systems, name=name, title=title, drawn_by="headline")


def _chart_gaps(material: PageMaterial, systems: Sequence[str]) -> Iterator[Chart]:
    """The figures of every system in all measurements, joined by a line."""
    totals = _lead_rows(material.summary)
    if len(totals) < 2:
        return
    keys = list(totals)[:_MOST_SERIES]
    metrics = {metric for _, metric in keys}
    names = [
        measurement
        if len(metrics) == 1
        else measurement_title(material, "" if len(metrics) == len(keys) else measurement, metric)
        for measurement, metric in keys
    ]
    first = {system: figure_of(row) or 0.0 for system, row in totals[keys[0]].items()}
    order = sorted(systems, key=lambda system: (system not in first, -first.get(system, 0.0)))
    title = f"{names[0]} against {', '.join(names[1:])}"
    chart = _chart_dots(totals, keys, names, order, name="gaps", title=title, drawn_by=names[0])
    yield chart._replace(rows=tuple(systems.index(system) for system in order))


def _chart_dots(
    totals: Mapping[tuple[str, str], Mapping[str, ScoreRow]],
    keys: Sequence[tuple[str, str]],
    names: Sequence[str],
    order: Sequence[str],
    *,
    name: str,
    title: str,
    drawn_by: str,
) -> Chart:
    """The figures of these measurements and metrics, joined by a line for every system, in this order."""
    rows = [
        DotsRow(system, [figure_of(totals[key][system]) if system in totals[key] else None for key in keys])
        for system in order
    ]
    head = [Column("system", "system"), *columns_of("percent", *names)]
    grid = Grid(name, "Figures by system", head, [[row.label, *row.values] for row in rows])
    axis = _axis([row for key in keys for row in totals[key].values()])
    drawn = connected_dots(rows, names, name=name, title=title, axis=axis)
    return Chart(title, drawn, grid, rows=tuple(range(len(order))), drawn_by=drawn_by)


def _chart_precision_recall(material: PageMaterial, systems: Sequence[str]) -> Iterator[Chart]:
    """Precision against recall of the headline, or of the first measurement that has them."""
    summary = material.summary
    totals = _lead_rows(summary)
    headline = (summary.headline.get("measurement", ""), summary.headline.get("metric", ""))
    for key in sorted(totals, key=lambda key: key != headline):
        found = [totals[key][system] for system in systems if system in totals[key]]
        rows = [row for row in found if None not in row.score[:2]]
        if rows:
            break
    else:
        return
    points = [
        Point(row.system, row.score.recall or 0.0, row.score.precision or 0.0, systems.index(row.system))
        for row in rows
    ]
    name = measurement_title(material, *key)
    titles = (f"Precision against recall of {name}", f"Precision and recall of {name}")
    yield _chart_scatter(
        "precision-recall", titles, ("recall", "precision"), points, len(systems), iso_f1=True
    )


def _chart_scatter(
    name: str,
    titles: tuple[str, str],
    axes: tuple[str, str],
    points: Sequence[Point],
    systems: int,
    *,
    iso_f1: bool = False,
) -> Chart:
    """One figure of each system against another, with a table; ``titles`` are those of chart and table."""
    head = [Column("system", "system"), *columns_of("percent", *axes)]
    grid = Grid(name, titles[1], head, [[point.label, point.x, point.y] for point in points])
    x, y = (f"{axis} (%)" for axis in axes)
    drawn = scatter(points, name=name, title=titles[0], axes=(x, y), iso_f1=iso_f1, diagonal=not iso_f1)
    return Chart(titles[0], drawn, grid, series=tuple(range(systems)))


def _chart_averages(summary: Summary, systems: Sequence[str]) -> Iterator[Chart]:
    """Micro against macro average of the headline."""
    headline = (summary.headline.get("measurement"), summary.headline.get("metric"))
    by_average: dict[str, dict[str, float]] = {}
    for row in summary.corpus_rows():
        value = figure_of(row)
        if (row.measurement, row.metric) == headline and row.average and value is not None:
            by_average.setdefault(row.system, {})[row.average] = value
    points = [
        Point(system, by_average[system]["micro"], by_average[system]["macro"], place)
        for place, system in enumerate(systems)
        if {"micro", "macro"} <= by_average.get(system, {}).keys()
    ]
    if not points:
        return
    title = f"Micro against macro of {headline_name(summary.headline)}"
    yield _chart_scatter("averages", (title, "Micro and macro"), ("micro", "macro"), points, len(systems))


# ------------------------------------------------------------------------------------------------ error budget


def budget(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """The points between each score and perfection, divided among kinds of fault."""
    title = "Error budget"
    budgets = {
        system: (one.value or 0.0, one.budget)
        for system in systems
        if (one := material.explanations.get(system)) is not None and one.budget
    }
    if not budgets:
        return PageSection("budget", title, absent=material.absent.get("budget", "No error budget was made."))
    faults = list(dict.fromkeys(row.fault for _, budget in budgets.values() for row in budget.faults))
    bars: list[StackedBar] = []
    columns: list[Column] = [Column("fault", "item")]
    cells: dict[str, list[Value]] = {fault: [fault] for fault in faults}
    for system, (value, budget) in budgets.items():
        of_fault = {row.fault: row for row in budget.faults}
        shares = [float(of_fault[fault].share) if fault in of_fault else 0.0 for fault in faults]
        bars.append(StackedBar(system, value, shares))
        rank = systems.index(system)
        columns.append(Column(f"{system}: items", "count", rank))
        columns += [Column(f"{system}: {name}", "points", rank) for name in ("share", "alone")]
        for fault in faults:
            row = of_fault.get(fault)
            cells[fault] += [row.items, float(row.share), float(row.gain_alone)] if row else [None] * 3
    axis = f"{figure_name(material.summary.headline)} (%)"
    chart_title = "What each score lacks, by kind of fault"
    grid = Grid("budget", "Error budget in points", columns, [cells[fault] for fault in faults])
    drawn = stacked_bars(bars, faults, name="budget", title=chart_title, axis=axis)
    chart = Chart(chart_title, drawn, rows=tuple(systems.index(system) for system in budgets))
    lead = (
        "Shares add up to what lies between the score and perfection; “alone” is what mending only this fault "
        "would give, and does not add up. Choose a fault to list its items."
    )
    perfect = sorted({float(budget.perfect or 1) for _, budget in budgets.values()})
    if perfect[0] < 1:
        lead += (
            f" With every fault mended the score would be {', '.join(map(percent, perfect))} here, not 100."
        )
    return PageSection("budget", title, lead, [chart], [grid])


# ------------------------------------------------------------------------------------------------------- parts


def parts(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """The headline by type, role, relation, genre and so on, with frequencies."""
    summary = material.summary
    charts: list[Chart] = []
    known = list(dict.fromkeys(name for row in summary.rows if row.scope == "corpus" for name in row.by))
    # Common attributes come first, the others in the order of the task.
    order = {name: _FIRST_PARTS.index(name) for name in known if name in _FIRST_PARTS}
    for attribute in sorted(known, key=lambda name: order.get(name, len(known))):
        rows = [row for row in summary.parts(attribute) if row.by.get(attribute)]
        for chart in _chart_parts(material, attribute, rows, systems):
            shown = sum(not other.folded for other in charts)
            few = chart.grid is None or len(chart.grid.rows) < 2
            is_fine = "|" in attribute or attribute == "cluster" or few
            charts.append(chart._replace(folded=shown >= _MOST_OPEN_CHARTS or is_fine))
    if all(chart.folded for chart in charts):
        charts = [chart._replace(folded=False) for chart in charts]
    lead = f"Parts with fewer than {SMALL} gold items are greyed: their figures move with every item."
    absent = "" if charts else "There is nothing here that the headline is broken down by."
    return PageSection("parts", "Parts", lead if charts else "", charts, absent=absent)


_MOST_OPEN_CHARTS = 4
_FIRST_PARTS = ("type", "role", "relation", "subtype", "genre", "source", "level")


_SIDES = {"recall": "gold_total", "precision": "system_total"}
"""The figures of one side, and the count of its items."""


def _figures_of_parts(rows: Sequence[ScoreRow]) -> tuple[str, Callable[[ScoreRow], float | None]]:
    """The title of the axis for parts, and the function that gives the figure of one part.

    Where every part is on one side only, such as a cluster of gold or of a system, it is the figure of that side.
    """
    if any(all(row.tally.get(total) != 0 for total in _SIDES.values()) for row in rows):
        return _axis(rows), figure_of
    known = [name for name, total in _SIDES.items() if any(row.tally.get(total) for row in rows)]

    def figure_of_side(row: ScoreRow) -> float | None:
        value: float | None = getattr(row.score, "recall" if row.tally.get("gold_total") else "precision")
        return value

    return f"{' or '.join(known) or 'figure'} (%)", figure_of_side


def _chart_parts(
    material: PageMaterial, attribute: str, rows: Sequence[ScoreRow], systems: Sequence[str]
) -> Iterator[Chart]:
    by_value: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        by_value.setdefault(row.by[attribute], {}).setdefault(row.system, row)
    axis, figure = _figures_of_parts(rows)
    figures = {
        value: [figure(by_system[system]) if system in by_system else None for system in systems]
        for value, by_system in by_value.items()
    }
    if all(figure is None for line in figures.values() for figure in line):
        return
    counts: dict[str, float | None] = {}
    for value, by_system in by_value.items():
        golds = [count for row in by_system.values() if (count := _gold_items(row.tally)) is not None]
        counts[value] = max(golds, default=None)
    order = sorted(by_value, key=lambda value: -(counts[value] or 0))
    drawn = [
        DotsRow(value, figures[value][:_MOST_SERIES], counts[value], _is_small(counts[value]))
        for value in order[:_PARTS_SHOWN]
    ]
    columns = [Column(attribute), Column("gold", "count")]
    columns += [Column(system, "percent", rank) for rank, system in enumerate(systems)]
    cells: list[list[Value]] = [[value, counts[value], *figures[value]] for value in order]
    faint = frozenset(place for place, value in enumerate(order) if _is_small(counts[value]))
    row = rows[0]
    what = measurement_title(material, row.measurement, row.metric)
    description = f"{counted(len(order), 'value')} by frequency in gold"
    description += f"; the {_PARTS_SHOWN} most frequent are drawn." if len(order) > _PARTS_SHOWN else "."
    is_counted = any(count is not None for count in counts.values())
    title = f"By {attribute}: {what}" + (", and how frequent it is in gold" if is_counted else "")
    title += f"; the first {_MOST_SERIES} systems are drawn" if len(systems) > _MOST_SERIES else ""
    shown, name = systems[:_MOST_SERIES], f"parts-{attribute}"
    svg = connected_dots(drawn, shown, name=name, title=title, axis=axis, description=description)
    grid = Grid(name, f"By {attribute} ({what})", columns, cells, faint)
    yield Chart(title, svg, grid, series=tuple(range(len(shown))))


def _is_small(count: float | None) -> bool:
    return (count or 0) < SMALL


def _gold_items(tally: Mapping[str, object]) -> float | None:
    """The number of gold items behind a figure; an ACE element counts once for each document in which it occurs."""
    names = ("correct", "error", "missed") if "gold_elements" in tally else ("gold_total",)
    counts = [count for name in names if isinstance(count := tally.get(name), int | float)]
    return float(sum(counts)) if counts else None


# --------------------------------------------------------------------------------------------------- confusion


def confusion(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """Gold values against system values."""
    charts = [
        _chart_confusion(rank, system, table)
        for rank, system in enumerate(systems)
        if system in material.explanations
        for table in material.explanations[system].confusions.values()
        if any(map(any, table.counts))
    ]
    absent = "" if charts else material.absent.get("confusion", "There are no pairs of values to count.")
    lead = "Gold values in rows, found ones in columns. The data list the largest confusions first; choose one to list its items."
    return PageSection("confusion", "Confusion", lead if charts else "", charts, absent=absent)


def _chart_confusion(rank: int, system: str, table: ConfusionMatrix) -> Chart:
    attribute, rows, columns, counts = table
    down = _most_frequent(range(len(rows)), rows, list(map(sum, counts)))
    drawn_rows = {rows[place] for place in down}
    sums = [sum(counts[row][place] for row in down) for place in range(len(columns))]
    drawable = [
        place
        for place, value in enumerate(columns)
        if value in drawn_rows or value.startswith("(") or sums[place]
    ]
    across = _most_frequent(drawable, columns, sums)
    cells: list[list[Value]] = [
        [value, found, counts[row][column]]
        for row, value in enumerate(rows)
        for column, found in enumerate(columns)
        if counts[row][column]
    ]
    cells.sort(key=lambda entry: (entry[0] == entry[1], -float(entry[2] or 0), str(entry[0]), str(entry[1])))
    title = f"{attribute} of {system}: gold in rows, found in columns"
    if len(down) < len(rows) or len(across) < len(drawable):
        title += "; the most frequent values are drawn"
    name = f"confusion-{attribute}-{rank}"
    svg = matrix(
        [rows[place] for place in down],
        [columns[place] for place in across],
        [[counts[row][column] for column in across] for row in down],
        name=name,
        title=title,
        items={(str(one[0]), str(one[1])): place for place, one in enumerate(cells) if one[0] != one[1]},
    )
    head = [Column("gold"), Column("found"), Column("items", "item", rank)]
    return Chart(title, svg, Grid(name, f"{attribute} of {system}", head, cells), series=(rank,))


def _most_frequent(places: Iterable[int], values: Sequence[str], sums: Sequence[int]) -> list[int]:
    """The places of the most frequent values in ascending order, always with (missed) and (spurious)."""
    markers = {MISSED, SPURIOUS}
    return sorted(sorted(places, key=lambda one: (values[one] not in markers, -sums[one]))[:_MATRIX_SIDE])


# --------------------------------------------------------------------------------------------------- documents


def document_rows(summary: Summary) -> tuple[tuple[str, str], dict[str, dict[str, ScoreRow]]]:
    """The headline by document, or the figure nearest to it: measurement and metric, rows by document and system."""
    rows = summary.keep(lambda row: row.metric != COUNTS).parts("doc")
    by_document: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        by_document.setdefault(str(row.document), {}).setdefault(row.system, row)
    return (rows[0].measurement, rows[0].metric) if rows else ("", ""), by_document


def documents(material: PageMaterial, systems: Sequence[str], doc_ids: Sequence[str]) -> PageSection:
    """All documents with the figure of every system."""
    key, by_document = document_rows(material.summary)
    what = measurement_title(material, *key)
    columns = [Column("document", "document")]
    columns += [Column(system, "percent", rank) for rank, system in enumerate(systems)]
    columns += [Column("shape"), Column("spread", "points")] if len(systems) > 1 else []
    rows: list[list[Value]] = []
    for doc_id in doc_ids:
        by_system = by_document.get(doc_id, {})
        values = [
            figure_of(by_system[system], material.summary.headline["figure"]) if system in by_system else None
            for system in systems
        ]
        known = [value for value in values if value is not None]
        spread: list[Value] = [_sparkline(values), max(known) - min(known) if known else None]
        rows.append([doc_id, *values, *(spread if len(systems) > 1 else ())])
    grid = Grid("documents", f"Documents ({what or 'no figure by document'})", columns, rows)
    lead = f"{what} by document. " if what else ""
    lead += "Choose a document to read it with what gold and systems say."
    return PageSection("documents", "Documents", lead, grids=[grid])


_BARS = "▁▂▃▄▅▆▇█"


def _sparkline(values: Sequence[float | None]) -> str:
    """One bar per system, as high as its figure; a dot where it is undefined."""
    return "".join(
        "·" if value is None else _BARS[min(int(max(value, 0.0) * len(_BARS)), len(_BARS) - 1)]
        for value in values
    )


# ------------------------------------------------------------------------------------------------------ curves


def curves(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """The figures of systems that keep only items with a confidence at or above a threshold."""
    drawable = {
        rank: material.curves[system]
        for rank, system in enumerate(systems)
        if system in material.curves and material.curves[system].points
    }
    if not drawable:
        absent = material.absent.get("curves", "No system says how sure it is.")
        return PageSection("curves", "Curves", absent=absent)

    def draw(name: str, title: str, x: str, y: str, axes: tuple[str, str]) -> Chart:
        series = [
            Series(
                curve.system,
                [
                    (float(across), float(up))
                    for point in curve.points
                    if (across := getattr(point, x)) is not None and (up := getattr(point, y)) is not None
                ],
                rank,
            )
            for rank, curve in drawable.items()
        ]
        drawn = [one for one in series if one.points]
        svg = lines(drawn, name=name, title=title, axes=axes, of_percent=x != "threshold")
        return Chart(title, svg, series=tuple(range(len(systems))), numbers=("grid-curves", "thresholds"))

    rows: list[list[Value]] = [[curve.system, *one] for curve in drawable.values() for one in curve.points]
    best: list[list[Value]] = [
        [
            one.system,
            *((one.best.threshold, one.best.f1) if one.best else (None, None)),
            one.average_precision,
        ]
        for one in drawable.values()
    ]
    threshold = [Column("system", "system"), Column("threshold", "exact")]
    head = [*threshold, *columns_of("percent", "best F1", "average precision")]
    of_best = Grid("curve-best", "Best F1, and average precision", head, best)
    figures = columns_of("percent", "coverage", "precision", "recall", "F1", "accuracy")
    head = [*threshold, Column("kept", "count"), *figures]
    grid = Grid("curves", "Thresholds", head, rows, folded=True)
    charts = [
        draw("curve-pr", "Precision against recall", "recall", "precision", ("recall (%)", "precision (%)")),
        draw("curve-f1", "F1 against threshold", "threshold", "f1", ("threshold", "F1 (%)")),
    ]
    with_accuracy = {row[0] for row in rows if row[-1] is not None}
    if with_accuracy:
        title = "Accuracy against coverage (risk–coverage)"
        if len(with_accuracy) < len(drawable):
            title += ", of systems without partial credit"
        charts.append(draw("curve-risk", title, "coverage", "accuracy", ("coverage (%)", "accuracy (%)")))
    charts += _chart_calibration(material, {rank: one.system for rank, one in drawable.items()}, len(systems))
    name = next(iter(drawable.values())).confidence
    lead = f"Every system is cut at the {name} of its items: those at or above the threshold stay, and are scored as always."
    return PageSection("curves", "Curves", lead, charts, [of_best, grid])


def _chart_calibration(material: PageMaterial, names: Mapping[int, str], systems: int) -> Iterator[Chart]:
    """The share of right items by confidence."""
    by_rank = {rank: (system, bins) for rank, system in names.items() if (bins := material.bins.get(system))}
    if not by_rank:
        return
    title = "Calibration: share of right items against mean confidence, in ten bins"
    series = [
        Series(system, [(one.confidence or 0.0, one.right / one.items) for one in bins if one.items], rank)
        for rank, (system, bins) in by_rank.items()
    ]
    rows: list[list[Value]] = [
        [system, *one, one.right / one.items if one.items else None]
        for system, bins in by_rank.values()
        for one in bins
    ]
    head = [
        Column("system", "system"),
        *columns_of("percent", "from", "to"),
        *columns_of("count", "items", "right"),
        *columns_of("percent", "mean confidence", "share right"),
    ]
    axes = ("mean confidence (%)", "share right (%)")
    drawn = lines(series, name="calibration", title=title, axes=axes, diagonal=True)
    grid = Grid("calibration", "Right items by confidence", head, rows)
    yield Chart(title, drawn, grid, series=tuple(range(systems)))


# ------------------------------------------------------------------------------------------------- differences


def differences(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """Pairs of systems, and what changed with gold."""
    comparison = material.comparison
    if comparison is None or not (comparison.pairs or comparison.golds):
        absent = material.absent.get("differences", "There is one system: nothing to compare it with.")
        return PageSection("differences", "Differences", absent=absent)
    grids = [_tabulate_pairs(comparison.pairs)] if comparison.pairs else []
    grids += [] if comparison.golds is None else _tabulate_golds(comparison.golds)
    lead = "Each difference is that of the better system minus the other" if comparison.pairs else ""
    if any(pair.low is not None for pair in comparison.pairs):
        lead += ", with its interval from the same draws."
    elif comparison.pairs:
        lead += "; nothing was drawn again, so it has no interval."
    for pair in [one for one in comparison.pairs if one.changed_units == 0][:5]:
        lead += f" {say_no_difference(comparison, shortened(pair.a, 40), shortened(pair.b, 40))}"
    panels = list(_panels(material, comparison, systems))
    return PageSection("differences", "Differences", lead, grids=grids, grids_first=True, panels=panels)


def _panels(material: PageMaterial, comparison: Comparison, systems: Sequence[str]) -> Iterator[Panel]:
    """A panel for every pair of systems, with scatter plots as long as there is room for their points."""
    what, by_document = document_rows(material.summary)
    drawn = 0
    for place, pair in enumerate(comparison.pairs):
        charts = (
            list(_chart_units(material, pair, systems, what, by_document)) if drawn < _POINTS_DRAWN else []
        )
        drawn += min(len(by_document), _POINTS_OF_A_PAIR)
        a, b = systems.index(pair.a), systems.index(pair.b)
        tops = _tabulate_tops(pair, f"{a}-{b}", comparison.unit_kind)
        yield Panel(a, b, f"{pair.a} and {pair.b}", charts, tops, waits=place >= PAIRS_AT_ONCE)


def _tabulate_pairs(pairs: Sequence[SystemPair]) -> Grid:
    head = [
        *columns_of("system", "better", "other"),
        *columns_of("points", "difference", "low", "high"),
        *columns_of("p", "p", "corrected"),
        Column("significant"),
        *columns_of("count", "both right", "only better", "only other", "none"),
    ]
    rows: list[list[Value]] = [
        [
            *(pair.a, pair.b, pair.difference, pair.low, pair.high),
            *(pair.p, pair.p_corrected, pair.significant),
            *(pair.items or [None] * 4),
        ]
        for pair in pairs
    ]
    return Grid("pairs", "Pairs of systems", head, rows)


def _chart_units(
    material: PageMaterial,
    pair: SystemPair,
    systems: Sequence[str],
    what: tuple[str, str],
    by_document: Mapping[str, Mapping[str, ScoreRow]],
) -> Iterator[Chart]:
    """The documents by the figures of both systems."""
    figure = material.summary.headline["figure"]
    points = []
    for doc_id, by_system in by_document.items():
        if pair.a in by_system and pair.b in by_system:
            x, y = (figure_of(by_system[system], figure) for system in (pair.b, pair.a))
            if x is not None and y is not None:
                points.append(Point(doc_id, x, y))
    if points:
        a, b = systems.index(pair.a), systems.index(pair.b)
        title = f"Documents: {pair.a} (upwards) against {pair.b}, {measurement_title(material, *what)}"
        title += f"; the first {_POINTS_OF_A_PAIR}" if len(points) > _POINTS_OF_A_PAIR else ""
        drawn, name, axes = points[:_POINTS_OF_A_PAIR], f"units-{a}-{b}", (f"{pair.b} (%)", f"{pair.a} (%)")
        svg = scatter(drawn, name=name, title=title, axes=axes, diagonal=True, alike=True)
        yield Chart(title, svg, numbers=("documents", "table of documents"))


def _tabulate_tops(pair: SystemPair, ranks: str, unit: str) -> list[Grid]:
    """The units and parts in which two systems differ most; ``ranks`` names the tables."""
    name, both = f"{pair.a} and {pair.b}", columns_of("percent", pair.a, pair.b)
    kind: Kind = "document" if unit == "document" else "text"
    head = [Column("unit", kind), *both, Column("contribution", "points")]
    units = Grid(f"top-units-{ranks}", f"Units where {name} differ most", head, pair.top_units, folded=True)
    head = [*columns_of("text", "by", "value"), *both]
    parts = Grid(f"top-parts-{ranks}", f"Parts where {name} differ most", head, pair.top_parts, folded=True)
    return [grid for grid in (units, parts) if grid.rows]


def _tabulate_golds(golds: Golds) -> list[Grid]:
    system_column = Column("system", "system")
    head = [system_column, *columns_of("percent", "before", "after")]
    head += columns_of("count", "rank before", "rank after")
    return [
        Grid("golds", "Under the gold of before and under this one", head, golds.systems),
        Grid(
            "gold-changes",
            "Items whose standing changed with gold",
            [system_column, Column("document", "document"), *columns_of("text", "item", "change")],
            golds.changes,
            folded=True,
        ),
    ]

"""The sections of a page: each a function from the material to sentences, charts and tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from lydite.escaping import counted
from lydite.model import PlainSummary, ScoreRow
from lydite.model.comparison import Golds, PlainComparison, SystemPair, SystemPlace
from lydite.model.verdict import MISSED, SPURIOUS, ConfusionMatrix
from lydite.report.charts.bars import StackedBar, stacked_bars
from lydite.report.charts.dots import Dot, DotsRow, connected_dots, dot_plot
from lydite.report.charts.matrix import matrix
from lydite.report.charts.planes import Point, Series, lines, scatter
from lydite.report.charts.svg import shortened
from lydite.report.comparison import CORRECTIONS, PAIRS_AT_ONCE, rank_span, unit_name, who_is_best
from lydite.report.page.grids import Chart, Column, Grid, Kind, PageSection, Panel, Value, columns_of
from lydite.report.page.material import PageMaterial
from lydite.report.tables import COUNTS, figure_name, headline_name, percent, ranked_systems

SMALL = 10
"""Parts with fewer gold items than this are greyed."""
_PARTS_SHOWN = 25
_MATRIX_SIDE = 26
"""So many values on each side of a matrix, with those that were missed or spurious."""
_POINTS_DRAWN = 20_000
"""So many points in all scatters of pairs of systems; pairs after that have tables only."""
_POINTS_OF_A_PAIR = 1000
_SERIES = 8


def measurement_title(material: PageMaterial, measurement: str, metric: str) -> str:
    """What a measurement is called, with the title of its metric; once where both say the same."""
    titles = {definition.name: definition.title for definition in material.definitions}
    title = titles.get(metric, metric)
    return title if measurement in {metric, ""} else f"{measurement}: {title}"


def _axis(rows: Sequence[ScoreRow]) -> str:
    """What the figures of rows are."""
    known = [name for name in ("f1", "value") if any(getattr(row.score, name) is not None for row in rows)]
    return f"{' or '.join(known).replace('f1', 'F1') or 'figure'} (%)"


def ranked(material: PageMaterial) -> list[str]:
    """The systems, best first: as the comparison has them, else by the headline."""
    if material.comparison is not None:
        return [place.system for place in material.comparison.systems]
    return ranked_systems(material.summary)


def figure_of(row: ScoreRow, figure: str = "f1") -> float | None:
    """A figure of a row; where it has none, the other that ranks."""
    found: float | None = getattr(row.score, figure)
    if found is not None:
        return found
    return row.score.f1 if row.score.f1 is not None else row.score.value


# ----------------------------------------------------------------------------------------------------- ranking


def answer(material: PageMaterial, systems: Sequence[str]) -> str:
    """Who is best and how sure that is, for readers who read one sentence."""
    comparison = material.comparison
    if not systems:
        return ""
    if comparison is None:
        first = _unranked(material, systems)[0]
        figure, level = material.summary.headline, ""
    else:
        first, figure = comparison.systems[0], comparison.figure._asdict()
        level = f"{100 * comparison.resampling.level:g} % interval"
    if first.figure is None:
        return ""
    said = f"{figure_name(figure)} is {percent(first.figure)}"
    if first.low is not None:
        said += f" ({level} {percent(first.low)} to {percent(first.high)})"
    name = shortened(systems[0], 40)
    return f"The {said}." if len(systems) == 1 else f"{_best(name, comparison)} Its {said}."


def _unranked(material: PageMaterial, systems: Sequence[str]) -> list[SystemPlace]:
    """Systems without a comparison: the headline, and nothing about how sure it is."""
    return [
        SystemPlace(name, material.summary.headline_score(name), None, None, rank, None, None, None)
        for rank, name in enumerate(systems, 1)
    ]


def _best(name: str, comparison: PlainComparison | None) -> str:
    if comparison is None or all(pair.significant is None for pair in comparison.pairs):
        return f"{name} has the best figure; nothing was tested."
    best = [shortened(place.system, 40) for place in comparison.systems if place.rank == 1]
    pairs = [pair for pair in comparison.pairs if not pair.significant]
    not_apart = [(shortened(pair.a, 40), shortened(pair.b, 40)) for pair in pairs]
    return who_is_best(best, not_apart)


def ranking(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """Systems with the headline, its interval, ranks and groups; and every other figure."""
    axis = f"{figure_name(material.summary.headline)} (%)"
    comparison = material.comparison
    if comparison is None:
        places: Sequence[SystemPlace] = _unranked(material, systems)
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


def _ranking_lead(comparison: PlainComparison | None) -> str:
    if comparison is None:
        return "Systems by the headline of the profile, without intervals."
    drawn, test = comparison.resampling, comparison.test
    if comparison.systems and comparison.systems[0].low is None:
        return _not_drawn(comparison)
    lead = (
        f"Whiskers are {100 * drawn.level:g} % intervals from {counted(drawn.resamples, 'draw')} of "
        f"{unit_name(comparison)}."
    )
    if not comparison.pairs:
        return lead
    return (
        f"{lead} Systems that share a letter cannot be told apart "
        f"(paired randomisation test, {CORRECTIONS[test.correction]}, limit {test.alpha:g})."
    )


def _not_drawn(comparison: PlainComparison) -> str:
    """Why there is no interval, in the words of the finding."""
    told = next((found.message for found in comparison.findings if found.code == "no-units"), "")
    return f"{(told[:1].upper() + told[1:]) or 'No interval and no test'}."


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
    """The figures beside each other: gaps between measurements, precision and recall, micro and macro."""
    summary = material.summary
    charts = [*_gaps(material, systems), *_precision_recall(material, systems), *_averages(summary, systems)]
    lead = _GAPS_READ if _is_stricter_after_the_first(summary) else _WAYS_READ
    absent = "" if charts else "There is one figure or none: nothing stands beside it."
    return PageSection("figures", "Figures side by side", lead if charts else "", charts, absent=absent)


_GAPS_READ = (
    "Gaps between the dots of a system show where it loses: a wide gap after the first dot is its bottleneck."
)
_WAYS_READ = (
    "Every dot is another way to count the same output: where systems change places from one to the next, "
    "the ranking hangs on the choice."
)


def _is_stricter_after_the_first(summary: PlainSummary) -> bool:
    """Whether one metric asks for more and more: no system does better in a later measurement than in the first."""
    found = _lead_rows(summary)
    first = next(iter(found.values()), {})
    return len({metric for _, metric in found}) == 1 and all(
        (figure_of(row) or 0.0) <= (figure_of(first[system]) or 0.0)
        for rows in found.values()
        for system, row in rows.items()
        if system in first
    )


def _lead_rows(summary: PlainSummary) -> dict[tuple[str, str], dict[str, ScoreRow]]:
    """The corpus rows of the headline's kind of average, by measurement and metric, then by system."""
    average = summary.headline.get("average", "")
    found: dict[tuple[str, str], dict[str, ScoreRow]] = {}
    for row in summary.corpus_rows():
        if row.metric != COUNTS and (row.average or "") in {average, ""} and figure_of(row) is not None:
            found.setdefault((row.measurement, row.metric), {})[row.system] = row
    metric = summary.headline.get("metric", "")
    alike = {key: rows for key, rows in found.items() if key[1] == metric}
    return alike if len(alike) > 1 else found


def _gaps(material: PageMaterial, systems: Sequence[str]) -> Iterator[Chart]:
    found = _lead_rows(material.summary)
    if len(found) < 2:
        return
    keys = list(found)[:_SERIES]
    metrics = {metric for _, metric in keys}
    names = [
        measurement
        if len(metrics) == 1
        else measurement_title(material, "" if len(metrics) == len(keys) else measurement, metric)
        for measurement, metric in keys
    ]

    def values(system: str) -> list[float | None]:
        return [figure_of(found[key][system]) if system in found[key] else None for key in keys]

    def first(system: str) -> float:
        return next((value for value in values(system)[:1] if value is not None), -1.0)

    order = sorted(systems, key=lambda system: -first(system))
    rows = [DotsRow(system, values(system)) for system in order]
    rows_of = [row for key in keys for row in found[key].values()]
    head = [Column("system", "system"), *columns_of("percent", *names)]
    grid = Grid("gaps", "Figures by system", head, [[row.label, *row.values] for row in rows])
    title = f"{names[0]} against {', '.join(names[1:])}"
    yield Chart(
        title,
        connected_dots(rows, names, name="gaps", title=title, axis=_axis(rows_of)),
        grid,
        rows=tuple(systems.index(system) for system in order),
    )


def _precision_recall(material: PageMaterial, systems: Sequence[str]) -> Iterator[Chart]:
    summary = material.summary
    found = _lead_rows(summary)
    headline = (summary.headline.get("measurement", ""), summary.headline.get("metric", ""))
    for key in sorted(found, key=lambda key: key != headline):
        rows = [
            found[key][system]
            for system in systems
            if system in found[key] and None not in (found[key][system].score[:2])
        ]
        if rows:
            break
    else:
        return
    points = [
        Point(row.system, row.score.recall or 0.0, row.score.precision or 0.0, systems.index(row.system))
        for row in rows
    ]
    name = measurement_title(material, *key)
    yield _scatter_chart(
        "precision-recall",
        (f"Precision against recall of {name}", f"Precision and recall of {name}"),
        ("recall", "precision"),
        points,
        len(systems),
        iso_f1=True,
    )


def _scatter_chart(
    name: str,
    titles: tuple[str, str],
    axes: tuple[str, str],
    points: Sequence[Point],
    systems: int,
    *,
    iso_f1: bool = False,
) -> Chart:
    """One figure of each system against another, and both as a table; the titles are those of chart and table."""
    head = [Column("system", "system"), *columns_of("percent", *axes)]
    grid = Grid(name, titles[1], head, [[point.label, point.x, point.y] for point in points])
    x, y = (f"{axis} (%)" for axis in axes)
    drawn = scatter(points, name=name, title=titles[0], axes=(x, y), iso_f1=iso_f1, diagonal=not iso_f1)
    return Chart(titles[0], drawn, grid, series=tuple(range(systems)))


def _averages(summary: PlainSummary, systems: Sequence[str]) -> Iterator[Chart]:
    wanted = (summary.headline.get("measurement"), summary.headline.get("metric"))
    found: dict[str, dict[str, float]] = {}
    for row in summary.corpus_rows():
        value = figure_of(row)
        if (row.measurement, row.metric) == wanted and row.average and value is not None:
            found.setdefault(row.system, {})[row.average] = value
    points = [
        Point(system, found[system]["micro"], found[system]["macro"], place)
        for place, system in enumerate(systems)
        if {"micro", "macro"} <= found.get(system, {}).keys()
    ]
    if not points:
        return
    title = f"Micro against macro of {headline_name(summary.headline)}"
    yield _scatter_chart("averages", (title, "Micro and macro"), ("micro", "macro"), points, len(systems))


# ------------------------------------------------------------------------------------------------ error budget


def budget(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """What lies between each score and perfection, divided among kinds of fault."""
    title = "Error budget"
    told = {system: material.explanations[system] for system in systems if system in material.explanations}
    found = {system: (one.value or 0.0, one.budget) for system, one in told.items() if one.budget}
    if not found:
        absent = material.absent.get("budget", "No error budget was made.")
        return PageSection("budget", title, absent=absent)
    faults = list(dict.fromkeys(row.fault for _, budget in found.values() for row in budget.faults))
    bars: list[StackedBar] = []
    columns: list[Column] = [Column("fault", "item")]
    cells: dict[str, list[Value]] = {fault: [fault] for fault in faults}
    for system, (value, budget) in found.items():
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
    said = "What each score lacks, by kind of fault"
    grid = Grid("budget", "Error budget in points", columns, [cells[fault] for fault in faults])
    chart = Chart(
        said,
        stacked_bars(bars, faults, name="budget", title=said, axis=axis),
        rows=tuple(systems.index(system) for system in found),
    )
    lead = (
        "Shares add up to what lies between the score and perfection; “alone” is what mending only this fault "
        "would give, and does not add up. Choose a fault to list its items."
    )
    most = sorted({float(budget.perfect or 1) for _, budget in found.values()})
    if most[0] < 1:
        lead += f" With every fault mended the score would be {', '.join(map(percent, most))} here, not 100."
    return PageSection("budget", title, lead, [chart], [grid])


# ------------------------------------------------------------------------------------------------------- parts


def parts(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """The headline by type, role, relation, genre: frequency and figure of every system."""
    summary = material.summary
    charts: list[Chart] = []
    for attribute in _part_names(summary):
        rows = [row for row in summary.parts(attribute) if row.by.get(attribute)]
        for chart in _parts_of(material, attribute, rows, systems):
            shown = sum(not known.folded for known in charts)
            charts.append(chart._replace(folded=shown >= _PARTS_OPEN or _is_fine(attribute, chart)))
    if all(chart.folded for chart in charts):
        charts = [chart._replace(folded=False) for chart in charts]
    lead = f"Parts with fewer than {SMALL} gold items are greyed: their figures move with every item."
    return PageSection(
        "parts",
        "Parts",
        lead if charts else "",
        charts,
        absent="" if charts else "There is nothing here that the headline is broken down by.",
    )


_PARTS_OPEN = 4
_FIRST_PARTS = ("type", "role", "relation", "subtype", "genre", "source", "level")


def _part_names(summary: PlainSummary) -> list[str]:
    """What the headline is broken down by: what people ask for first, then in the order of the task."""
    known = list(dict.fromkeys(name for row in summary.rows if row.scope == "corpus" for name in row.by))
    return sorted(known, key=lambda name: _FIRST_PARTS.index(name) if name in _FIRST_PARTS else len(known))


def _is_fine(attribute: str, chart: Chart) -> bool:
    """Whether a breakdown is too fine, or of too few parts, to be among the first ones."""
    count = len(chart.grid.rows) if chart.grid is not None else 0
    return "|" in attribute or attribute == "cluster" or count < 2


_SIDES = {"recall": "gold_total", "precision": "system_total"}
"""Figures of one side, and what that side has to count."""


def _figures_of_parts(rows: Sequence[ScoreRow]) -> tuple[str, Callable[[ScoreRow], float | None]]:
    """What is shown of parts, in words, and of one.

    Where no part is on both sides, as a cluster of gold and one of a system, it is the figure of the side that it is on.
    """
    if any(all(row.tally.get(total) != 0 for total in _SIDES.values()) for row in rows):
        return _axis(rows), figure_of
    known = [name for name, total in _SIDES.items() if any(row.tally.get(total) for row in rows)]

    def of_side(row: ScoreRow) -> float | None:
        found: float | None = getattr(row.score, "recall" if row.tally.get("gold_total") else "precision")
        return found

    return f"{' or '.join(known) or 'figure'} (%)", of_side


def _parts_of(
    material: PageMaterial, attribute: str, rows: Sequence[ScoreRow], systems: Sequence[str]
) -> Iterator[Chart]:
    found: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        found.setdefault(row.by[attribute], {}).setdefault(row.system, row)
    axis, figure = _figures_of_parts(rows)
    figures = {
        value: [figure(by_system[system]) if system in by_system else None for system in systems]
        for value, by_system in found.items()
    }
    if all(figure is None for line in figures.values() for figure in line):
        return
    counts = {value: _gold_total(by_system) for value, by_system in found.items()}
    order = sorted(found, key=lambda value: -(counts[value] or 0))
    drawn = [
        DotsRow(value, figures[value][:_SERIES], counts[value], _is_small(counts[value]))
        for value in order[:_PARTS_SHOWN]
    ]
    columns = [Column(attribute), Column("gold", "count")]
    columns += [Column(system, "percent", rank) for rank, system in enumerate(systems)]
    cells: list[list[Value]] = [[value, counts[value], *figures[value]] for value in order]
    faint = frozenset(place for place, value in enumerate(order) if _is_small(counts[value]))
    row = rows[0]
    what = measurement_title(material, row.measurement, row.metric)
    said = f"{counted(len(order), 'value')} by frequency in gold"
    said += f"; the {_PARTS_SHOWN} most frequent are drawn." if len(order) > _PARTS_SHOWN else "."
    is_counted = any(count is not None for count in counts.values())
    title = f"By {attribute}: {what}" + (", and how frequent it is in gold" if is_counted else "")
    title += f"; the first {_SERIES} systems are drawn" if len(systems) > _SERIES else ""
    yield Chart(
        title,
        connected_dots(
            drawn,
            systems[:_SERIES],
            name=f"parts-{attribute}",
            title=title,
            axis=axis,
            description=said,
        ),
        Grid(f"parts-{attribute}", f"By {attribute} ({what})", columns, cells, faint),
        series=tuple(range(len(systems[:_SERIES]))),
    )


def _is_small(count: float | None) -> bool:
    return (count or 0) < SMALL


def _gold_total(by_system: Mapping[str, ScoreRow]) -> float | None:
    return max(
        (total for row in by_system.values() if (total := _gold_items(row.tally)) is not None), default=None
    )


def _gold_items(tally: Mapping[str, object]) -> float | None:
    """How many gold items a figure is about; of ACE elements the documents in which each occurs, as its value counts."""
    names = ("correct", "error", "missed") if "gold_elements" in tally else ("gold_total",)
    counts = [count for name in names if isinstance(count := tally.get(name), int | float)]
    return float(sum(counts)) if counts else None


# --------------------------------------------------------------------------------------------------- confusion


def confusion(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """Gold values against what was found for them."""
    charts = [
        _confused(rank, system, table)
        for rank, system in enumerate(systems)
        if system in material.explanations
        for table in material.explanations[system].confusions.values()
        if any(map(any, table.counts))
    ]
    absent = "" if charts else material.absent.get("confusion", "There are no pairs of values to count.")
    lead = "Gold values in rows, found ones in columns. The data list the largest confusions first; choose one to list its items."
    return PageSection("confusion", "Confusion", lead if charts else "", charts, absent=absent)


def _confused(rank: int, system: str, table: ConfusionMatrix) -> Chart:
    attribute, rows, columns, counts = table
    down = _largest(range(len(rows)), rows, list(map(sum, counts)))
    chosen = {rows[place] for place in down}
    sums = [sum(counts[row][place] for row in down) for place in range(len(columns))]
    known = [
        place
        for place, value in enumerate(columns)
        if value in chosen or value.startswith("(") or sums[place]
    ]
    across = _largest(known, columns, sums)
    cells: list[list[Value]] = [
        [value, found, counts[row][column]]
        for row, value in enumerate(rows)
        for column, found in enumerate(columns)
        if counts[row][column]
    ]
    cells.sort(key=lambda entry: (entry[0] == entry[1], -float(entry[2] or 0), str(entry[0]), str(entry[1])))
    title = f"{attribute} of {system}: gold in rows, found in columns"
    if len(down) < len(rows) or len(across) < len(known):
        title += "; the most frequent values are drawn"
    svg = matrix(
        [rows[place] for place in down],
        [columns[place] for place in across],
        [[counts[row][column] for column in across] for row in down],
        name=f"confusion-{attribute}-{rank}",
        title=title,
        items={
            (str(entry[0]), str(entry[1])): place for place, entry in enumerate(cells) if entry[0] != entry[1]
        },
    )
    grid = Grid(
        f"confusion-{attribute}-{rank}",
        f"{attribute} of {system}",
        [Column("gold"), Column("found"), Column("items", "item", rank)],
        cells,
    )
    return Chart(title, svg, grid, series=(rank,))


def _largest(places: Iterable[int], values: Sequence[str], sums: Sequence[int]) -> list[int]:
    """The places of the most frequent values, in their order; (missed) and (spurious) are among them."""
    markers = {MISSED, SPURIOUS}
    return sorted(
        sorted(places, key=lambda place: (values[place] not in markers, -sums[place]))[:_MATRIX_SIDE]
    )


# --------------------------------------------------------------------------------------------------- documents


def document_rows(summary: PlainSummary) -> tuple[tuple[str, str], dict[str, dict[str, ScoreRow]]]:
    """The figure by document that stands nearest to the headline: measurement and metric, rows by document and system."""
    rows = summary.keep(lambda row: row.metric != COUNTS).parts("doc")
    found: dict[str, dict[str, ScoreRow]] = {}
    for row in rows:
        found.setdefault(str(row.document), {}).setdefault(row.system, row)
    return (rows[0].measurement, rows[0].metric) if rows else ("", ""), found


def documents(material: PageMaterial, systems: Sequence[str], doc_ids: Sequence[str]) -> PageSection:
    """Every document with the figure of every system."""
    key, found = document_rows(material.summary)
    what = measurement_title(material, *key)
    columns = [Column("document", "document")]
    columns += [Column(system, "percent", rank) for rank, system in enumerate(systems)]
    columns += [Column("shape"), Column("spread", "points")] if len(systems) > 1 else []
    rows: list[list[Value]] = []
    for doc_id in doc_ids:
        by_system = found.get(doc_id, {})
        values = [
            figure_of(by_system[system], material.summary.headline["figure"]) if system in by_system else None
            for system in systems
        ]
        known = [value for value in values if value is not None]
        beside: list[Value] = [_spark(values), max(known) - min(known) if known else None]
        rows.append([doc_id, *values, *(beside if len(systems) > 1 else ())])
    grid = Grid("documents", f"Documents ({what or 'no figure by document'})", columns, rows)
    lead = f"{what} by document. " if what else ""
    lead += "Choose a document to read it with what gold and systems say."
    return PageSection("documents", "Documents", lead, grids=[grid])


_BARS = "▁▂▃▄▅▆▇█"


def _spark(values: Sequence[float | None]) -> str:
    """One bar per system, as high as its figure; a dot where it is undefined."""
    return "".join(
        "·" if value is None else _BARS[min(int(max(value, 0.0) * len(_BARS)), len(_BARS) - 1)]
        for value in values
    )


# ------------------------------------------------------------------------------------------------------ curves


def curves(material: PageMaterial, systems: Sequence[str]) -> PageSection:
    """What would be if systems kept only what they are sure of."""
    known = {
        rank: material.curves[system]
        for rank, system in enumerate(systems)
        if system in material.curves and material.curves[system].points
    }
    if not known:
        absent = material.absent.get("curves", "No system says how sure it is.")
        return PageSection("curves", "Curves", absent=absent)

    def drawn(name: str, title: str, x: str, y: str, axes: tuple[str, str]) -> Chart:
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
            for rank, curve in known.items()
        ]
        svg = lines(
            [one for one in series if one.points],
            name=name,
            title=title,
            axes=axes,
            of_percent=x != "threshold",
        )
        every = tuple(range(len(systems)))
        return Chart(title, svg, series=every, numbers=("grid-curves", "thresholds"))

    rows: list[list[Value]] = [[curve.system, *point] for curve in known.values() for point in curve.points]
    best: list[list[Value]] = [
        [
            curve.system,
            *((curve.best.threshold, curve.best.f1) if curve.best else (None, None)),
            curve.average_precision,
        ]
        for curve in known.values()
    ]
    named = Column("system", "system")
    head = [named, Column("threshold", "exact"), *columns_of("percent", "best F1", "average precision")]
    of_best = Grid("curve-best", "Best F1, and average precision", head, best)
    figures = columns_of("percent", "coverage", "precision", "recall", "F1", "accuracy")
    head = [named, Column("threshold", "exact"), Column("kept", "count"), *figures]
    grid = Grid("curves", "Thresholds", head, rows, folded=True)
    charts = [
        drawn("curve-pr", "Precision against recall", "recall", "precision", ("recall (%)", "precision (%)")),
        drawn("curve-f1", "F1 against threshold", "threshold", "f1", ("threshold", "F1 (%)")),
    ]
    if any(row[-1] is not None for row in rows):
        axes = ("coverage (%)", "accuracy (%)")
        charts.append(
            drawn("curve-risk", "Risk–coverage: accuracy of what is kept", "coverage", "accuracy", axes)
        )
    charts += _calibration(material, {rank: curve.system for rank, curve in known.items()}, len(systems))
    lead = (
        "Every system cut at its confidences: items at or above the threshold stay, and are scored as always."
    )
    return PageSection("curves", "Curves", lead, charts, [of_best, grid])


def _calibration(material: PageMaterial, known: Mapping[int, str], systems: int) -> Iterator[Chart]:
    """How often items are right, by how sure the system is of them."""
    told = {rank: (system, bins) for rank, system in known.items() if (bins := material.bins.get(system))}
    if not told:
        return
    title = "Calibration: share of right items against mean confidence, in ten bins"
    series = [
        Series(
            system,
            [(one.confidence or 0.0, one.right / one.items) for one in bins if one.items],
            rank,
        )
        for rank, (system, bins) in told.items()
    ]
    rows: list[list[Value]] = [
        [system, *one, one.right / one.items if one.items else None]
        for system, bins in told.values()
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
    """Two systems beside each other, and what changed with gold."""
    comparison = material.comparison
    if comparison is None or not (comparison.pairs or comparison.golds):
        absent = material.absent.get("differences", "There is one system: nothing to compare it with.")
        return PageSection("differences", "Differences", absent=absent)
    grids = [_pairs(comparison.pairs)] if comparison.pairs else []
    grids += [] if comparison.golds is None else _golds(comparison.golds)
    lead = "Each difference is that of the better system minus the other" if comparison.pairs else ""
    if any(pair.low is not None for pair in comparison.pairs):
        lead += ", with its interval from the same draws."
    elif comparison.pairs:
        lead += "; nothing was drawn again, so it has no interval."
    panels = list(_panels(material, comparison, systems))
    return PageSection("differences", "Differences", lead, grids=grids, grids_first=True, panels=panels)


def _panels(material: PageMaterial, comparison: PlainComparison, systems: Sequence[str]) -> Iterator[Panel]:
    """A panel for every pair of systems; scatters while there is room for their points."""
    what, found = document_rows(material.summary)
    drawn = 0
    for place, pair in enumerate(comparison.pairs):
        charts = list(_units(material, pair, systems, what, found)) if drawn < _POINTS_DRAWN else []
        drawn += min(len(found), _POINTS_OF_A_PAIR)
        a, b = systems.index(pair.a), systems.index(pair.b)
        tops = _tops(pair, f"{a}-{b}", comparison.unit_kind)
        yield Panel(a, b, f"{pair.a} and {pair.b}", charts, tops, waits=place >= PAIRS_AT_ONCE)


def _pairs(pairs: Sequence[SystemPair]) -> Grid:
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


def _units(
    material: PageMaterial,
    pair: SystemPair,
    systems: Sequence[str],
    what: tuple[str, str],
    found: Mapping[str, Mapping[str, ScoreRow]],
) -> Iterator[Chart]:
    figure = material.summary.headline["figure"]
    points = []
    for doc_id, by_system in found.items():
        if pair.a in by_system and pair.b in by_system:
            x, y = (figure_of(by_system[system], figure) for system in (pair.b, pair.a))
            if x is not None and y is not None:
                points.append(Point(doc_id, x, y))
    if points:
        a, b = systems.index(pair.a), systems.index(pair.b)
        title = f"Documents: {pair.a} (upwards) against {pair.b}, {measurement_title(material, *what)}"
        title += f"; the first {_POINTS_OF_A_PAIR}" if len(points) > _POINTS_OF_A_PAIR else ""
        svg = scatter(
            points[:_POINTS_OF_A_PAIR],
            name=f"units-{a}-{b}",
            title=title,
            axes=(f"{pair.b} (%)", f"{pair.a} (%)"),
            diagonal=True,
            alike=True,
        )
        yield Chart(title, svg, numbers=("documents", "table of documents"))


def _tops(pair: SystemPair, ranks: str, unit: str) -> list[Grid]:
    """Where two systems differ most; the tables are called by the ranks of the systems, whatever these are called."""
    name, both = f"{pair.a} and {pair.b}", columns_of("percent", pair.a, pair.b)
    kind: Kind = "document" if unit == "document" else "text"
    head = [Column("unit", kind), *both, Column("contribution", "points")]
    units = Grid(f"top-units-{ranks}", f"Units where {name} differ most", head, pair.top_units, folded=True)
    head = [*columns_of("text", "by", "value"), *both]
    of_parts = Grid(
        f"top-parts-{ranks}", f"Parts where {name} differ most", head, pair.top_parts, folded=True
    )
    return [grid for grid in (units, of_parts) if grid.rows]


def _golds(golds: Golds) -> list[Grid]:
    named = Column("system", "system")
    head = [
        named,
        *columns_of("percent", "before", "after"),
        *columns_of("count", "rank before", "rank after"),
    ]
    return [
        Grid("golds", "Under the gold of before and under this one", head, golds.systems),
        Grid(
            "gold-changes",
            "Items whose standing changed with gold",
            [named, Column("document", "document"), *columns_of("text", "item", "change")],
            golds.changes,
            folded=True,
        ),
    ]

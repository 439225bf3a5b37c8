"""Tables for papers: one line per system, the conventional columns of the task, the best figures in bold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from lydite.errors import UsageError
from lydite.model import Score, ScoreRow, Summary
from lydite.model.comparison import FigureName
from lydite.model.summary import COUNTS
from lydite.registry import did_you_mean
from lydite.report.tables import FIGURE_HEADS, UNDEFINED, Table, figure_text, percent, ranked_systems

_PRF = ("precision", "recall", "f1")
CONVENTIONAL: Mapping[str, tuple[tuple[str, str | None, tuple[str, ...]], ...]] = {
    "coref": (
        ("coref", "muc", _PRF),
        ("coref", "b-cubed", _PRF),
        ("coref", "ceaf-e", _PRF),
        ("coref", "conll", ("f1",)),
    ),
    "nugget": (
        ("span", None, _PRF),
        ("type", None, _PRF),
        ("realis", None, _PRF),
        ("type+realis", None, _PRF),
    ),
    "arguments": (
        ("standard", "assessed", _PRF),
        ("ai", "detection", _PRF),
        ("ac", "detection", _PRF),
        ("arguments", "linking", ("value",)),
        ("linking", "linking", ("value",)),
        ("overall", "linking", ("value",)),
    ),
    "triples": (
        ("partial_same", None, _PRF),
        ("exact_same", None, ("f1",)),
        ("partial_ignored", None, ("f1",)),
        ("exact_ignored", None, ("f1",)),
    ),
    "ace": (
        ("entity", "ace-value", ("value",)),
        ("value", "ace-value", ("value",)),
        ("timex2", "ace-value", ("value",)),
        ("relation", "ace-value", ("value",)),
        ("event", "ace-value", ("value",)),
    ),
}
"""The columns that tables of papers have, by task: measurement, metric (None: the headline's) and figures."""

_METRIC_TITLES = {
    "muc": "MUC",
    "b-cubed": "B³",
    "ceaf-e": "CEAFe",
    "ceaf-m": "CEAFm",
    "blanc": "BLANC",
    "lea": "LEA",
    "conll": "CoNLL",
}


def paper_table(
    summary: Summary,
    columns: Sequence[FigureName],
    *,
    raised: Mapping[str, str] | None = None,
    at: FigureName | None = None,
) -> Table:
    """One line per system, best first; ``raised`` are letters of systems, shown beside the figure ``at``."""
    systems = ranked_systems(summary)
    rows = {(row.system, row.measurement, row.metric, row.average): row for row in summary.corpus_rows()}
    lines = [[rows.get((system, *column[:3])) for column in columns] for system in systems]
    figures = [
        [
            None if row is None else getattr(row.score, column.figure)
            for row, column in zip(line, columns, strict=True)
        ]
        for line in lines
    ]
    defined = [place for place in range(len(columns)) if any(line[place] is not None for line in figures)]
    cells = tuple(
        (system, *(_cell(line[place], columns[place].figure) for place in defined))
        for system, line in zip(systems, lines, strict=True)
    )
    shown = [columns[place] for place in defined]
    letters = {
        (row, 1 + shown.index(at)): raised[system]
        for row, system in enumerate(systems)
        if raised and at in shown and raised.get(system)
    }
    names = [_group_name(column, shown) for column in shown]
    return Table(
        title=f"{summary.task}, {summary.profile}",
        columns=("system", *(FIGURE_HEADS[column.figure] for column in shown)),
        rows=cells,
        groups=(("", 1), *((name, len(list(same))) for name, same in groupby(names))),
        best=frozenset(_best_cells(figures, defined)) if len(systems) > 1 else frozenset(),
        raised=letters,
    )


def _cell(row: ScoreRow | None, figure: str) -> str:
    return UNDEFINED if row is None else figure_text(row, figure)


def _group_name(column: FigureName, columns: Sequence[FigureName]) -> str:
    """The name of a group of figures: the usual title of the metric, else the measurement."""
    if column.metric in _METRIC_TITLES:
        return _METRIC_TITLES[column.metric]
    metrics = {figure.metric for figure in columns if figure.measurement == column.measurement}
    averages = {figure.average for figure in columns}
    name = f"{column.measurement} {column.metric}" if len(metrics) > 1 else column.measurement
    return f"{name} {column.average}" if len(averages) > 1 and column.average else name


def _best_cells(lines: Sequence[Sequence[float | None]], places: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Row and column of the best figure of each column, and of those that are equal to it as they are shown."""
    for column, place in enumerate(places, 1):
        values = [line[place] for line in lines]
        best = percent(max(value for value in values if value is not None))
        yield from ((row, column) for row, value in enumerate(values) if percent(value) == best)


def chosen_columns(summary: Summary, names: str | None) -> list[FigureName]:
    """The columns with these names, separated by commas; the conventional ones if there are no names."""
    if not names:
        return conventional_columns(summary)
    return named_columns(summary, [name.strip() for name in names.split(",") if name.strip()])


def conventional_columns(summary: Summary) -> list[FigureName]:
    """The columns that papers have for the task, as far as the summary has them; else those of the headline."""
    lead = summary.headline
    defined = {
        FigureName(row.measurement, row.metric, row.average, name)
        for row in summary.corpus_rows()
        for name, figure in row.score._asdict().items()
        if figure is not None
    }
    average = lead["average"] or None
    conventional = [
        FigureName(measurement, metric or lead["metric"], average, figure)
        for measurement, metric, figures in CONVENTIONAL.get(summary.task, ())
        for figure in figures
    ]
    headline = [FigureName(lead["measurement"], lead["metric"], average, name) for name in Score._fields]
    known = [figure for figure in conventional if figure in defined]
    return known or [figure for figure in headline if figure in defined]


def find_figure(summary: Summary, name: str | None) -> FigureName:
    """The figure with this name, ``MEASUREMENT[.METRIC][.AVERAGE].FIGURE``; the headline if the name is None.

    A short name means the headline's metric and average; where the measurement lacks that metric, the mean of its
    metrics, or the only one it has.
    """
    if name is None:
        lead = summary.headline
        return FigureName(lead["measurement"], lead["metric"], lead["average"] or None, lead["figure"])
    known = figures_of(summary)
    if fitting := [
        figure for figure in known if name.endswith(f".{figure.figure}") and name in _spellings(figure)
    ]:
        return _resolve_short_name(summary, name, fitting)
    names = [str(figure) for figure in known]
    spelt = (
        spelling
        for figure in known
        for spelling in _spellings(figure)
        if spelling.endswith(f".{figure.figure}")
    )
    near = did_you_mean(name, sorted(spelt))
    hint = f"MEASUREMENT[.METRIC][.AVERAGE].FIGURE, one of {', '.join(names[:12])}"
    more = f", … ({len(names)} in all)" if len(names) > 12 else ""
    raise UsageError(f"no figure {name!r}", hint=f"{near} {hint}{more}" if near else f"{hint}{more}")


def _resolve_short_name(summary: Summary, name: str, fitting: Sequence[FigureName]) -> FigureName:
    """The figure that a short name means, of all that it fits, which have the headline's rows first."""
    metrics = dict.fromkeys(figure.metric for figure in fitting)
    if len(metrics) == 1 or summary.headline["metric"] in metrics:
        return fitting[0]
    means = {
        row.metric
        for row in summary.corpus_rows()
        if row.tally and all(isinstance(counts, Mapping) for counts in row.tally.values())
    } & {*metrics}
    if len(means) == 1:
        return next(figure for figure in fitting if figure.metric in means)
    raise UsageError(
        f"{name!r} does not say which metric is meant",
        hint=f"name one of {', '.join(map(str, fitting[:12]))}",
    )


def named_columns(summary: Summary, names: Sequence[str]) -> list[FigureName]:
    """The columns with these names, ``MEASUREMENT[.METRIC][.AVERAGE][.FIGURE]``; without FIGURE all of a row."""
    known = figures_of(summary)
    columns: list[FigureName] = []
    for name in names:
        fitting = [figure for figure in known if name in _spellings(figure)]
        if not fitting:
            spelt = sorted({spelling for figure in known for spelling in _spellings(figure)})
            near = did_you_mean(name, spelt)
            hint = f"for instance {', '.join(spelt[:6])}"
            raise UsageError(f"--show-columns: no figure {name!r}", hint=f"{near} {hint}" if near else hint)
        first = _resolve_short_name(summary, name, fitting)
        columns.extend(figure for figure in fitting if figure[:3] == first[:3])
    return list(dict.fromkeys(columns))


def _spellings(figure: FigureName) -> set[str]:
    """All names of a figure, short and long; those without its last part mean all figures of a row."""
    metrics = ("", f".{figure.metric}")
    averages = ("", f".{figure.average}") if figure.average else ("",)
    rows = [f"{figure.measurement}{metric}{average}" for metric in metrics for average in averages]
    return {*rows, *(f"{row}.{figure.figure}" for row in rows)}


def figures_of(summary: Summary) -> list[FigureName]:
    """Every figure of the corpus rows; first those of the headline's metric and average, which short names mean.

    Rows of counts have none.
    """
    lead = summary.headline

    def place(row: ScoreRow) -> tuple[bool, bool]:
        return row.metric != lead["metric"], (row.average or "") != lead["average"]

    return list(
        dict.fromkeys(
            FigureName(row.measurement, row.metric, row.average, name)
            for row in sorted(summary.corpus_rows(), key=place)
            if row.metric != COUNTS
            for name, value in row.score._asdict().items()
            if value is not None or name in _undefined(row.score, lead["figure"])
        )
    )


def _undefined(score: Score, lead: str) -> Sequence[str]:
    """The figures of a row that are undefined for its counts; a row without any is taken for the headline's kind."""
    if score == Score():
        return ("value",) if lead == "value" else _PRF
    return _PRF if score.f1 is None and score.value is None else ()

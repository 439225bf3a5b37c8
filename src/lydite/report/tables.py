"""One layout, many renderings: text, terminal, Markdown, LaTeX, HTML, CSV, TSV.

A :class:`Table` is already text: figures are percentages with two decimals here and nowhere before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lydite.escaping import printable
from lydite.model import ScoreRow, Summary
from lydite.model.summary import flat_row

if TYPE_CHECKING:
    from rich.table import Table as RichTable

UNDEFINED = "–"
HEADLINE_MARK = "*"


class Table(NamedTuple):
    """Cells of text under a heading; ``marked`` are the rows that hold the headline."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[tuple[str, int], ...] = ()
    """A line above the columns: (text, over how many columns)."""
    marked: frozenset[int] = frozenset()
    text_columns: int = 1
    """How many columns, from the left, hold words; the others hold numbers."""


def percent(figure: float | None) -> str:
    """A fraction as a percentage with two decimals."""
    return UNDEFINED if figure is None else f"{100 * figure:.2f}"


def number(count: float) -> str:
    """A count: whole if it is, else two decimals."""
    return f"{count:.0f}" if float(count).is_integer() else f"{count:.2f}"


# ------------------------------------------------------------------------------------------------ what is shown


def is_headline(row: ScoreRow, headline: Mapping[str, str]) -> bool:
    """Whether the row holds the campaign's ranking figure."""
    wanted = (headline.get("measurement"), headline.get("metric"), headline.get("average"))
    return (row.measurement, row.metric, row.average or "") == wanted


COUNTS = "counts"
"""The metric of rows that only count: they stand in a line of their own, not in tables of scores."""


def count_lines(summary: Summary) -> list[str]:
    """One line per system and counting row, with every count that is not zero."""
    lines = []
    for row in summary.corpus_rows():
        if row.metric != COUNTS:
            continue
        counts = [f"{name.replace('_', ' ')} {number(value)}" for name, value in row.tally.items() if value]
        if counts:
            lines.append(f"{row.system}, {row.measurement}: {', '.join(counts)}")
    return lines


def overview(summary: Summary) -> Table:
    """The totals: one system with all its averages, or many systems in the order of the headline."""
    summary = summary.keep(lambda row: row.metric != COUNTS)
    if len(summary.systems) == 1:
        return _one_system(summary)
    return _many_systems(summary)


def _figures(row: ScoreRow | None) -> tuple[str, str, str]:
    if row is None:
        return "", "", ""
    score = row.score
    if score.value is not None and score.f1 is None:
        sides = (score.precision, score.recall)
        precision, recall = ("" if figure is None else percent(figure) for figure in sides)
        return precision, recall, percent(score.value)
    return percent(score.precision), percent(score.recall), percent(score.f1)


def _one_system(summary: Summary) -> Table:
    totals = summary.corpus_rows()
    averages = list(dict.fromkeys(row.average for row in totals))
    lines = list(dict.fromkeys((row.measurement, row.metric) for row in totals))
    several_metrics = len({metric for _, metric in lines}) > 1
    cells = {(row.measurement, row.metric, row.average): row for row in totals}
    rows, marked = [], set()
    for position, (measurement, metric) in enumerate(lines):
        found = [cells.get((measurement, metric, average)) for average in averages]
        if any(row is not None and is_headline(row, summary.headline) for row in found):
            marked.add(position)
        label = (measurement, metric) if several_metrics else (measurement,)
        rows.append((*label, *(text for row in found for text in _figures(row))))
    head = ("measurement", "metric") if several_metrics else ("measurement",)
    return Table(
        title=summary.systems[0],
        columns=(*head, *("P", "R", "F1") * len(averages)),
        rows=tuple(rows),
        groups=(("", len(head)), *((average or "", 3) for average in averages)),
        marked=frozenset(marked),
        text_columns=len(head),
    )


def ranked_systems(summary: Summary) -> list[str]:
    """Systems by headline, best first; undefined ones last, equal ones by name."""
    figures = {system: summary.headline_score(system) for system in summary.systems}

    def place(system: str) -> tuple[bool, float, str]:
        figure = figures[system]
        return figure is None, -(figure or 0.0), system

    return sorted(summary.systems, key=place)


WIDEST = 8
"""How many figures beside the headline a table of systems has room for."""


def _companions(known: list[tuple[str, str]], lead: tuple[str, str]) -> list[tuple[str, str]]:
    """What stands beside the headline: everything if there is room, else one metric per measurement.

    Of a measurement that has the headline's metric it is that one, of another the last, where its mean stands.
    """
    others = [key for key in known if key != lead]
    if len(others) <= WIDEST:
        return others
    chosen = dict(others)
    chosen.update({measurement: metric for measurement, metric in others if metric == lead[1]})
    return [key for key in others if chosen[key[0]] == key[1]]


def _many_systems(summary: Summary) -> Table:
    totals = summary.corpus_rows()
    lead = summary.headline
    others = _companions(
        list(dict.fromkeys((row.measurement, row.metric) for row in totals)),
        (lead["measurement"], lead["metric"]),
    )
    cells = {(row.system, row.measurement, row.metric, row.average or ""): row for row in totals}
    rows = []
    for system in ranked_systems(summary):
        best = cells.get((system, lead["measurement"], lead["metric"], lead["average"]))
        rest = (
            _figures(cells.get((system, *key, lead["average"])) or cells.get((system, *key, "")))[2]
            for key in others
        )
        figures = _figures(best)
        rows.append((system, *(figures[2:] if lead["figure"] == "value" else figures), *rest))
    several_metrics = len({measurement for measurement, _ in others}) < len(others)
    names = [f"{measurement} {metric}" if several_metrics else measurement for measurement, metric in others]
    head = ("value",) if lead["figure"] == "value" else ("P", "R", "F1")
    figure = lead["figure"] if lead["figure"] == "value" else lead["figure"].upper()
    return Table(
        title=f"{len(rows)} systems, by {lead['measurement']} {lead['average']} {figure}",
        columns=("system", *head[:-1], f"{head[-1]}{HEADLINE_MARK}", *("F1" for _ in others)),
        rows=tuple(rows),
        groups=(("", 1), (lead["measurement"], len(head)), *((name, 1) for name in names)),
    )


def breakdown(summary: Summary, attribute: str) -> Table | None:
    """The headline measurement by document or by the values of an attribute; None if there is nothing to show."""
    lead = summary.headline
    part = summary.by(attribute)
    same = [row for row in part.rows if row.measurement == lead["measurement"]]
    metrics = dict.fromkeys(row.metric for row in same)
    if not metrics:
        return None
    # A mean of metrics has no parts; the first metric of the measurement that has them stands for it.
    shown = lead["metric"] if lead["metric"] in metrics else next(iter(metrics))
    rows = [row for row in same if row.metric == shown]
    key = "document" if attribute in {"doc", "document"} else attribute
    title = f"{lead['measurement']} by {key}"
    values = list(dict.fromkeys(_value(row, key) for row in rows))
    if len(summary.systems) == 1:
        return _breakdown_of_one(title, key, rows)
    systems = ranked_systems(summary)
    cells = {(row.system, _value(row, key)): row for row in rows}
    lines = (
        (
            value,
            _count(cells, systems, value),
            *(_figures(cells.get((system, value)))[2] for system in systems),
        )
        for value in sorted(values)
    )
    return Table(f"{title}, F1", (key, "gold", *systems), tuple(lines))


def _value(row: ScoreRow, key: str) -> str:
    return row.document or "" if key == "document" else row.by[key]


def _count(cells: Mapping[tuple[str, str], ScoreRow], systems: Sequence[str], value: str) -> str:
    for system in systems:
        row = cells.get((system, value))
        if row is not None and "gold_total" in row.tally:
            return number(row.tally["gold_total"])
    return ""


def _breakdown_of_one(title: str, key: str, rows: Iterable[ScoreRow]) -> Table:
    lines = tuple(
        (
            _value(row, key),
            *(
                number(row.tally[side]) if side in row.tally else ""
                for side in ("gold_total", "system_total")
            ),
            *_figures(row),
        )
        for row in rows
    )
    return Table(title, (key, "gold", "system", "P", "R", "F1"), lines)


Change = tuple[str, str, tuple[float, float, float]]
"""System, part, and the change of the total F1 if precision, recall or both of the part were perfect."""


def what_if_table(summary: Summary, attribute: str, changes: Iterable[Change]) -> Table:
    """How the total F1 would change, in points, if precision, recall or both of a part were perfect."""
    several = len(summary.systems) > 1
    rows = tuple(
        (*((system,) if several else ()), part, *(f"{100 * points:+.2f}" for points in change))
        for system, part, change in changes
    )
    head = ("system", attribute) if several else (attribute,)
    title = f"change of {summary.headline['measurement']} F1 if a {attribute} had perfect"
    return Table(title, (*head, "P", "R", "both"), rows, text_columns=len(head))


def percentile_table(summary: Summary, found: Mapping[str, Mapping[str, Mapping[int, float]]]) -> Table:
    """Percentiles of precision, recall and F1 of the headline over resampled documents."""
    quantiles = next(iter(next(iter(found.values())).values()))
    rows = tuple(
        (system, name, *(percent(value) for value in figures.values()))
        for system, by_figure in found.items()
        for name, figures in by_figure.items()
    )
    columns = ("system", "figure", *(f"{quantile}%" for quantile in quantiles))
    return Table(
        f"{summary.headline['measurement']}, percentiles over documents", columns, rows, text_columns=2
    )


# ------------------------------------------------------------------------------------------------- how it looks


def shown_table(table: Table) -> Table:
    """The table with everything in it in one line: names come from files, and forge no row."""
    return table._replace(
        title=printable(table.title),
        columns=tuple(map(printable, table.columns)),
        rows=tuple(tuple(map(printable, row)) for row in table.rows),
        groups=tuple((printable(text), size) for text, size in table.groups),
    )


def plain_text(table: Table) -> str:
    """Aligned columns, words to the left and numbers to the right, the headline marked with a star."""
    table = shown_table(table)
    cells = [_marked(table, position) for position in range(len(table.rows))]
    widths = [max(map(len, column)) for column in zip(table.columns, *cells, strict=True)]
    lines = [table.title]
    if table.groups:
        lines.append(_group_line(table, widths))
    lines.append(_text_line(table, table.columns, widths))
    lines.extend(_text_line(table, row, widths) for row in cells)
    return "\n".join(line.rstrip() for line in lines)


def _marked(table: Table, position: int) -> tuple[str, ...]:
    row = table.rows[position]
    return (f"{row[0]} {HEADLINE_MARK}", *row[1:]) if position in table.marked else row


def _text_line(table: Table, cells: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        cell.ljust(width) if position < table.text_columns else cell.rjust(width)
        for position, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )


def _group_line(table: Table, widths: list[int]) -> str:
    texts, start = [], 0
    for text, size in table.groups:
        room = sum(widths[start : start + size]) + 2 * (size - 1)
        if len(text) > room:
            # A group wider than its columns pushes its last column out.
            widths[start + size - 1] += len(text) - room
            room = len(text)
        texts.append(text.rjust(room) if start >= table.text_columns else text.ljust(room))
        start += size
    return "  ".join(texts)


def rich_table(table: Table) -> RichTable:
    """The table for a terminal."""
    from rich.table import Table as Terminal
    from rich.text import Text

    table = shown_table(table)
    shown = Terminal(
        title=Text(table.title), title_justify="left", header_style="bold", box=None, pad_edge=False
    )
    starts, place = {}, 0
    for text, size in table.groups:
        starts[place + size - 1] = text
        place += size
    for position, column in enumerate(table.columns):
        heading = f"{starts[position]}\n{column}" if table.groups and position in starts else f"\n{column}"
        shown.add_column(
            Text(heading if table.groups else column),
            justify="left" if position < table.text_columns else "right",
        )
    for position in range(len(table.rows)):
        style = "bold" if position in table.marked else None
        shown.add_row(*map(Text, _marked(table, position)), style=style)
    return shown


def _flat_columns(table: Table) -> list[str]:
    """Column names with the group's name in front, for layouts that have one heading line."""
    names, place = list(table.columns), 0
    for text, size in table.groups:
        for position in range(place, place + size):
            names[position] = f"{text} {names[position]}".strip()
        place += size
    return names


def markdown(table: Table) -> str:
    """A pipe table; the headline in bold."""
    table = shown_table(table)
    names = [name.translate(_MARKDOWN) for name in _flat_columns(table)]
    rule = [":---" if position < table.text_columns else "---:" for position in range(len(names))]
    lines = [names, rule]
    for position, row in enumerate(table.rows):
        cells = [cell.translate(_MARKDOWN) for cell in row]
        lines.append([f"**{cell}**" if cell and position in table.marked else cell for cell in cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|`[]<>"})
"""What would be a column, code, a link or HTML."""

_LATEX = str.maketrans(
    {
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "–": "--",
    }
)  # fmt: skip


def latex(table: Table) -> str:
    """A booktabs table, ready to be pasted; the headline in bold."""
    table = shown_table(table)
    columns = "".join("l" if position < table.text_columns else "r" for position in range(len(table.columns)))
    lines = [rf"% {table.title}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    if table.groups:
        cells = [rf"\multicolumn{{{size}}}{{c}}{{{text.translate(_LATEX)}}}" for text, size in table.groups]
        lines.append(f"{' & '.join(cells)} \\\\")
    lines += [f"{' & '.join(name.translate(_LATEX) for name in table.columns)} \\\\", r"\midrule"]
    for position, row in enumerate(table.rows):
        cells = [cell.translate(_LATEX) for cell in row]
        if position in table.marked:
            cells = [rf"\textbf{{{cell}}}" for cell in cells]
        lines.append(f"{' & '.join(cells)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def html_table(table: Table) -> str:
    """A plain HTML table for notebooks."""
    from html import escape

    head = "".join(f"<th>{escape(name)}</th>" for name in _flat_columns(table))
    body = []
    for position, row in enumerate(table.rows):
        weight = ' style="font-weight:bold"' if position in table.marked else ""
        body.append(f"<tr{weight}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
    caption = f"<caption>{escape(table.title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def separated(summary: Summary, separator: str) -> str:
    """All rows, unrounded, one line each: CSV or TSV with a heading."""
    import csv
    import io

    rows = [flat_row(row) for row in summary.rows]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    stream = io.StringIO()
    writer = csv.DictWriter(stream, columns, delimiter=separator, restval="", lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({key: _cell(value) for key, value in row.items()})
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return printable(value)
    return "" if value is None else repr(value) if isinstance(value, float) else value


def heading(summary: Summary) -> str:
    """The first line of a report: task, profile, every setting that differs from it, how much was scored."""
    gold = next(item for item in summary.inputs if item.role == "gold")
    parts = [f"{summary.task} · {summary.profile}"]
    if summary.departures:
        parts.append(f"with {', '.join(summary.departures)}")
    parts.append(f"{gold.documents} gold document{'' if gold.documents == 1 else 's'}")
    macro = summary.settings.get("macro-f")
    if macro is not None and any(row.average == "macro" for row in summary.rows):
        parts.append(_MACRO_F1[macro])
    return " · ".join(parts)


_MACRO_F1 = {
    "mean": "macro F1 is the mean of the documents' F1s",
    "harmonic": "macro F1 is the harmonic mean of macro P and R",
}
"""Two figures that go by one name, so the report says which one it shows."""


def signature_line(summary: Summary, layout: str) -> str:
    """The last line of a report."""
    signature = f"`{summary.signature}`" if layout == "markdown" else summary.signature
    return f"{HEADLINE_MARK} headline   {signature}" if layout == "text" else signature

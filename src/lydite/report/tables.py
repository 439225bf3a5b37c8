"""Tables of a summary, and tables as Markdown, LaTeX, HTML, CSV and TSV; text is in :mod:`lydite.report.text`.

The cells of a :class:`Table` are text: figures become percentages with two decimals here, and not before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lydite.escaping import counted, printable
from lydite.model import ScoreRow, Summary
from lydite.model.summary import COUNTS, flat_row, is_headline
from lydite.model.tally import ranks

UNDEFINED = "–"
FIGURE_HEADS = {"precision": "P", "recall": "R", "f1": "F1", "value": "value"}
"""What columns of figures are called."""
HEADLINE_MARK = "*"


class Table(NamedTuple):
    """Cells of text under a heading; ``marked`` are the rows of the headline."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    groups: tuple[tuple[str, int], ...] = ()
    """A line above the columns: (text, over how many columns)."""
    marked: frozenset[int] = frozenset()
    text_columns: int = 1
    """The number of columns of words, from the left; the others have numbers."""
    turns: bool = False
    """Whether rows may become columns where that is less wide."""
    names_in_columns: int = 0
    """The number of columns, from the right, that are headed by names of any length."""
    best: frozenset[tuple[int, int]] = frozenset()
    """Row and column of the cells that are bold in a table for a paper."""
    raised: Mapping[tuple[int, int], str] = MappingProxyType({})
    """Superscript letters in a table for a paper, by row and column."""

    def only(self, places: Sequence[int]) -> Table:
        """The table with these columns; groups and numbers of columns stay as they are."""
        return self._replace(
            columns=tuple(self.columns[place] for place in places),
            rows=tuple(tuple(row[place] for place in places) for row in self.rows),
        )


def percent(figure: float | None) -> str:
    """A fraction as a percentage with two decimals."""
    return UNDEFINED if figure is None else f"{100 * figure:.2f}"


def number(count: float) -> str:
    """A count: whole if it is, else two decimals."""
    return f"{count:.0f}" if float(count).is_integer() else f"{count:.2f}"


def points(difference: float | None) -> str:
    """A difference of fractions in points, with its sign."""
    return UNDEFINED if difference is None else f"{100 * difference:+.2f}"


def all_digits(figure: float) -> str:
    """A number with all its digits: a rounded threshold would cut elsewhere."""
    return repr(figure).removesuffix(".0")


# ------------------------------------------------------------------------------------------------ what is shown


_OWN_NAMES = {"conll": "CoNLL"}
"""Metrics that give the headline its name, instead of the measurement."""


def headline_name(headline: Mapping[str, str]) -> str:
    """The name of the headline in reports: its measurement, or the name of its metric (CoNLL)."""
    return _OWN_NAMES.get(headline["metric"], headline["measurement"])


def figure_name(headline: Mapping[str, str]) -> str:
    """The name of the headline with its figure: ``type+realis F1``."""
    figure = {"f1": "F1"}.get(headline["figure"], headline["figure"])
    return f"{headline_name(headline)} {figure}"


ANSWERS = "json"
"""The measurement of how answers were read: it has a line of its own, and no rows in the tables."""
CAUSES = "causes"


def _answers(counts: Mapping[str, object]) -> str:
    """``100 answers: 91 plain, 6 repaired (fence 5, fence+commas 1), 3 unparseable, 0 absent; valid 91.0 %, …``."""

    def known(name: str) -> int:
        found = counts.get(name, 0)
        return int(found) if isinstance(found, int | float) else 0

    prefix = "repaired by "
    steps = sorted((-known(name), name.removeprefix(prefix)) for name in counts if name.startswith(prefix))
    shown = f" ({', '.join(f'{name} {-number}' for number, name in steps)})" if steps else ""
    total, plain, repaired = known("records"), known("plain"), known("repaired")
    shares = {"valid": plain, "usable": plain + repaired}
    if "schema_valid" in counts:
        shares["schema-valid"] = known("schema_valid")
    figures = (
        ", ".join(f"{name} {100 * part / total:.1f} %" for name, part in shares.items())
        if total
        else "no answers"
    )
    return (
        f"{counted(total, 'answer')}: {plain} plain, {repaired} repaired{shown}, "
        f"{known('unparseable')} unparseable, {known('absent')} absent; {figures}"
    )


def count_lines(summary: Summary) -> list[str]:
    """One line per system and counting row, with every count that is not zero."""
    lines = []
    whose = "" if len(summary.systems) == 1 else "{}, "
    for row in summary.corpus_rows():
        if row.metric != COUNTS:
            continue
        if row.measurement in {ANSWERS, CAUSES}:
            most_first = sorted(row.counts.items(), key=lambda item: (-item[1], item[0]))
            listed = ", ".join(f"{name} {number(value)}" for name, value in most_first if value)
            text = _answers(row.counts) if row.measurement == ANSWERS else listed
            if text:
                lines.append(f"{whose.format(row.system)}{row.measurement}  {text}")
            continue
        counts = [f"{name.replace('_', ' ')} {number(value)}" for name, value in row.counts.items() if value]
        if counts:
            lines.append(f"{row.system}, {row.measurement}: {', '.join(counts)}")
    return lines


def overview(summary: Summary) -> Table:
    """The totals: of one system with all averages, or of many systems in the order of the headline."""
    summary = summary.keep(lambda row: row.metric != COUNTS and row.measurement != ANSWERS)
    table = _one_system(summary) if len(summary.systems) == 1 else _many_systems(summary)
    return _without_empty_columns(table)


def _without_empty_columns(table: Table) -> Table:
    """The table without columns of numbers that have none; as it is if there is no number at all.

    A column that is headed by the name of a system stays, also if none of its figures is defined.
    """
    words, names = table.text_columns, len(table.columns) - table.names_in_columns
    places = [
        place
        for place in range(len(table.columns))
        if not words <= place < names or any(row[place] not in {"", UNDEFINED} for row in table.rows)
    ]
    if len(places) == words:
        return table
    groups, start = [], 0
    for text, size in table.groups:
        groups.append((text, sum(start <= place < start + size for place in places)))
        start += size
    return table.only(places)._replace(groups=tuple((text, size) for text, size in groups if size))


def _figures(row: ScoreRow | None) -> tuple[str, str, str]:
    if row is None:
        return "", "", ""
    if row.score.value is not None and row.score.f1 is None:
        sides = ("precision", "recall")
        precision, recall = (
            "" if getattr(row.score, name) is None else figure_text(row, name) for name in sides
        )
        return precision, recall, figure_text(row, "value")
    return figure_text(row, "precision"), figure_text(row, "recall"), figure_text(row, "f1")


def figure_text(row: ScoreRow, name: str) -> str:
    """A figure, with its interval if the row has one: ``74.28 [70.4, 77.6]``."""
    ends = (row.interval or {}).get(name)
    shown = percent(getattr(row.score, name))
    return shown if ends is None else f"{shown} [{100 * ends[0]:.1f}, {100 * ends[1]:.1f}]"


def _last_figure(rows: Iterable[ScoreRow]) -> str:
    """The heading of the last column of figures: F1, or value if no row has an F1."""
    scores = [row.score for row in rows]
    only_values = all(score.f1 is None for score in scores) and any(
        score.value is not None for score in scores
    )
    return "value" if only_values else "F1"


def _one_system(summary: Summary) -> Table:
    totals = summary.corpus_rows()
    averages = list(dict.fromkeys(row.average for row in totals))
    lines = list(dict.fromkeys((row.measurement, row.metric) for row in totals))
    several_metrics = len({metric for _, metric in lines}) > 1
    cells = {(row.measurement, row.metric, row.average): row for row in totals}
    rows, marked = [], set()
    for position, (measurement, metric) in enumerate(lines):
        by_average = [cells.get((measurement, metric, average)) for average in averages]
        if any(row is not None and is_headline(row, summary.headline) for row in by_average):
            marked.add(position)
        label = (measurement, metric) if several_metrics else (measurement,)
        rows.append((*label, *(text for row in by_average for text in _figures(row))))
    head = ("measurement", "metric") if several_metrics else ("measurement",)
    return Table(
        title=summary.systems[0],
        columns=(*head, *("P", "R", _last_figure(totals)) * len(averages)),
        rows=tuple(rows),
        groups=(("", len(head)), *((average or "", 3) for average in averages)),
        marked=frozenset(marked),
        text_columns=len(head),
    )


def ranked_systems(summary: Summary) -> list[str]:
    """The systems by headline, best first; undefined figures last, equal ones by name."""
    figures = {system: summary.headline_score(system) for system in summary.systems}
    return sorted(summary.systems, key=lambda name: (figures[name] is None, -(figures[name] or 0.0), name))


MOST_OTHERS = 8
"""The number of figures beside the headline for which a table of systems has room."""


def _beside_headline(known: list[tuple[str, str]], lead: tuple[str, str]) -> list[tuple[str, str]]:
    """The measurements and metrics beside the headline: all if there is room, else one metric per measurement.

    That is the headline's metric if the measurement has it, else its last one, which is the mean of the others.
    """
    others = [key for key in known if key != lead]
    if len(others) <= MOST_OTHERS:
        return others
    chosen = dict(others)
    chosen.update({measurement: metric for measurement, metric in others if metric == lead[1]})
    return [key for key in others if chosen[key[0]] == key[1]]


def _many_systems(summary: Summary) -> Table:
    totals = summary.corpus_rows()
    lead = summary.headline
    known = list(dict.fromkeys((row.measurement, row.metric) for row in totals))
    others = _beside_headline(known, (lead["measurement"], lead["metric"]))
    cells = {(row.system, row.measurement, row.metric, row.average or ""): row for row in totals}
    systems, rows = ranked_systems(summary), []
    for system, rank in zip(systems, ranks(list(map(summary.headline_score, systems))), strict=True):
        best = cells.get((system, lead["measurement"], lead["metric"], lead["average"]))
        rest = (
            _figures(cells.get((system, *key, lead["average"])) or cells.get((system, *key, "")))[2]
            for key in others
        )
        figures = _figures(best)
        rows.append((system, f"{rank}", *(figures[2:] if lead["figure"] == "value" else figures), *rest))
    several_metrics = len({measurement for measurement, _ in others}) < len(others)
    names = [f"{measurement} {metric}" if several_metrics else measurement for measurement, metric in others]
    kinds = [_last_figure(row for row in totals if (row.measurement, row.metric) == key) for key in others]
    head = ("value",) if lead["figure"] == "value" else ("P", "R", "F1")
    figure = lead["figure"] if lead["figure"] == "value" else lead["figure"].upper()
    return Table(
        title=f"{len(rows)} systems, by {headline_name(lead)} {lead['average']} {figure}",
        columns=("system", "rank", *head[:-1], f"{head[-1]}{HEADLINE_MARK}", *kinds),
        rows=tuple(rows),
        groups=(("", 2), (headline_name(lead), len(head)), *((name, 1) for name in names)),
        turns=True,
    )


def breakdown(summary: Summary, attribute: str) -> Table | None:
    """The headline measurement by document or by the values of an attribute; None if it has no such rows."""
    rows = summary.parts(attribute)
    if not rows:
        return None
    key = "document" if attribute in {"doc", "document"} else attribute
    title = f"{_part_name(summary, rows[0])} by {key}"
    values = list(dict.fromkeys(_value(row, key) for row in rows))
    if len(summary.systems) == 1:
        return _breakdown_of_one(title, key, rows)
    systems = ranked_systems(summary)
    cells = {(row.system, _value(row, key)): row for row in rows}
    lines = tuple(
        (
            part,
            _gold_count(cells, systems, part),
            *(_figures(cells.get((system, part)))[2] for system in systems),
        )
        for part in sorted(values)
    )
    title, head = f"{title}, {_last_figure(rows)}", (key, "gold", *systems)
    return _without_empty_columns(Table(title, head, lines, names_in_columns=len(systems)))


def _part_name(summary: Summary, row: ScoreRow) -> str:
    """The name of the measurement that is broken down, with its metric if that is not the headline's."""
    lead = summary.headline
    if row.metric == lead["metric"] and row.measurement == lead["measurement"]:
        return headline_name(lead)
    if row.measurement != lead["measurement"]:
        return row.measurement
    return f"{row.measurement} {row.metric}"


def _value(row: ScoreRow, key: str) -> str:
    return row.document or "" if key == "document" else row.by[key]


def _gold_count(cells: Mapping[tuple[str, str], ScoreRow], systems: Sequence[str], value: str) -> str:
    for system in systems:
        row = cells.get((system, value))
        if row is not None and "gold_total" in row.counts:
            return number(row.counts["gold_total"])
    return ""


def _breakdown_of_one(title: str, key: str, rows: Sequence[ScoreRow]) -> Table:
    lines = tuple(
        (
            _value(row, key),
            *(number(row.counts[key]) if key in row.counts else "" for key in ("gold_total", "system_total")),
            *_figures(row),
        )
        for row in rows
    )
    return _without_empty_columns(Table(title, (key, "gold", "system", "P", "R", _last_figure(rows)), lines))


def what_if_table(
    summary: Summary, attribute: str, changes: Iterable[tuple[str, str, tuple[float, float, float]]]
) -> Table:
    """By system and part: how the total would change if precision, recall or both of the part were perfect."""
    several = len(summary.systems) > 1
    rows = tuple(
        (*((system,) if several else ()), part, *map(points, change)) for system, part, change in changes
    )
    parts = summary.parts(attribute)
    name = _part_name(summary, parts[0]) if parts else headline_name(summary.headline)
    figure = _last_figure(parts)
    key = "document" if attribute in {"doc", "document"} else attribute
    # Parts share counts, so the change is that of the micro average, also if the headline is a mean over documents.
    average = "micro " if summary.headline["average"] == "macro" else ""
    title = f"change of {name} {average}{figure} if a {key} had perfect"
    head = ("system", key) if several else (key,)
    return Table(title, (*head, "P", "R", "both"), rows, text_columns=len(head))


# ------------------------------------------------------------------------------------------------- how it looks


def printable_table(table: Table) -> Table:
    """The table with every cell in one line and without control characters, since names come from files."""
    return table._replace(
        title=printable(table.title),
        columns=tuple(map(printable, table.columns)),
        rows=tuple(tuple(map(printable, row)) for row in table.rows),
        groups=tuple((printable(text), size) for text, size in table.groups),
    )


def _columns_with_groups(table: Table) -> list[str]:
    """Column names with the name of their group in front, for layouts with one heading line."""
    names, place = list(table.columns), 0
    for text, size in table.groups:
        for position in range(place, place + size):
            names[position] = f"{text} {names[position]}".strip()
        place += size
    return names


def markdown(table: Table) -> str:
    """A Markdown table with the headline in bold."""
    table = printable_table(table)
    names = [name.translate(_MARKDOWN) for name in _columns_with_groups(table)]
    rule = [":---" if position < table.text_columns else "---:" for position in range(len(names))]
    lines = [names, rule]
    for position, row in enumerate(table.rows):
        cells = [cell.translate(_MARKDOWN) for cell in row]
        lines.append([f"**{cell}**" if cell and position in table.marked else cell for cell in cells])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def titled_markdown(table: Table) -> str:
    """A Markdown table below its title."""
    title = markdown_sentence(table.title)
    return f"{title}\n\n{markdown(table)}" if title else markdown(table)


def markdown_sentence(text: str) -> str:
    """A line of text for Markdown, escaped also where it would begin a list."""
    return re.sub(r"^(\d*)([-+.)])", r"\1\\\2", printable(text).translate(_MARKDOWN))


def markdown_lines(text: str) -> str:
    """Lines as a code block of Markdown; its fence is longer than any in the lines."""
    fence = max(["``", *re.findall("`{3,}", text)], key=len) + "`"
    return f"{fence}text\n{text}\n{fence}"


_MARKDOWN = str.maketrans({sign: f"\\{sign}" for sign in "\\|`[]<>*_~&$#"})
"""Escapes for signs that would make columns, code, links, HTML, emphasis, formulas or headings."""

_LATEX = str.maketrans(
    {
        "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
        "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "–": "--", "τ": r"$\tau$",
        "³": r"\textsuperscript{3}", "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    }
)  # fmt: skip


def _latex_cell(table: Table, row: int, column: int, cell: str) -> str:
    text = cell.translate(_LATEX)
    if column == 0 and cell.startswith(("[", "*")):
        # After a line end LaTeX would read these as its argument.
        text = f"{{}}{text}"
    if cell and (row in table.marked or (row, column) in table.best):
        text = rf"\textbf{{{text}}}"
    letters = table.raised.get((row, column))
    return rf"{text}\textsuperscript{{{letters}}}" if letters else text


def latex(table: Table) -> str:
    """A LaTeX table for the package booktabs, with the headline in bold."""
    table = printable_table(table)
    columns = "".join("l" if position < table.text_columns else "r" for position in range(len(table.columns)))
    lines = [rf"% {table.title}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule"]
    if table.groups:
        cells = [rf"\multicolumn{{{size}}}{{c}}{{{text.translate(_LATEX)}}}" for text, size in table.groups]
        lines.append(f"{' & '.join(cells)} \\\\")
    lines += [f"{' & '.join(name.translate(_LATEX) for name in table.columns)} \\\\", r"\midrule"]
    for position, row in enumerate(table.rows):
        cells = [_latex_cell(table, position, place, cell) for place, cell in enumerate(row)]
        lines.append(f"{' & '.join(cells)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}"])


def latex_remark(text: str) -> str:
    """A line of text as a LaTeX comment."""
    return f"% {printable(text)}"


def html_table(table: Table) -> str:
    """An HTML table for notebooks."""
    from html import escape

    table = printable_table(table)
    head = "".join(f"<th>{escape(name)}</th>" for name in _columns_with_groups(table))
    body = []
    for position, row in enumerate(table.rows):
        weight = ' style="font-weight:bold"' if position in table.marked else ""
        body.append(f"<tr{weight}>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>")
    caption = f"<caption>{escape(table.title)}</caption>"
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{''.join(body)}</tbody></table>"


def separated(summary: Summary) -> str:
    """All rows of a summary, unrounded, as CSV with a heading."""
    rows = [flat_row(row) for row in summary.rows]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    cells = ([_cell(row.get(key)) for key in columns] for row in rows)
    return separated_lines([columns, *cells])


def separated_lines(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV."""
    import csv
    import io

    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(rows)
    return stream.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return printable(value)
    return "" if value is None else repr(value) if isinstance(value, float) else value


def heading(summary: Summary) -> str:
    """The first line of a report: task, profile, settings that differ from it, number of gold documents, and of those scored."""
    gold = next(item for item in summary.inputs if item.role == "gold")
    parts = [f"{summary.task} · {summary.profile}"]
    parts += departing(summary.departures)
    some = f"{gold.facts['scored']} of " if "scored" in gold.facts else ""
    parts.append(some + counted(gold.documents, "gold document"))
    macro = summary.settings.get("macro-f")
    if macro is not None and any(row.average == "macro" for row in summary.rows):
        parts.append(_MACRO_F1[str(macro)])
    return " · ".join(parts)


def departing(departures: Sequence[str]) -> list[str]:
    """The text for settings that differ from the profile, in a list; empty if there are none."""
    return [f"with {', '.join(departures)}"] if departures else []


_MACRO_F1 = {
    "mean": "macro F1 is the mean of the documents' F1s",
    "harmonic": "macro F1 is the harmonic mean of macro P and R",
}
"""There are two kinds of macro F1, so the report says which one it shows."""


def signature_line(signature: str, layout: str) -> str:
    """The last line of a report."""
    return _SIGNATURES[layout].format(printable(signature))


_SIGNATURES = {"text": f"{HEADLINE_MARK} headline   {{}}", "markdown": "`{}`", "latex": "% {}"}

"""The tables of the NIST ACE scorers, from the rows of a summary.

Percentages are taken of what the scorers take them of: counts of gold occurrences, the gold value of the row, and
(the last group) the gold value of the whole section.  Denominators are at least 1e-30; false alarms, and in the layout
of 2008 the ways in which mapped elements lose, are cut at 999.9, false alarms of the section at 999.99, and the value
at −999.9, as the scorers print them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from lydite.model import ScoreRow, Summary
from lydite.model.ace import condition_name
from lydite.model.ace_settings import Inventories

SMALLEST = 1e-30
LARGEST = 999.9
LARGEST_OF_SECTION = 999.99
_COUNTS = (
    *("ref_docs", "fa_docs", "miss_docs", "err_docs"),
    *("fa_docs_pct", "miss_docs_pct", "err_docs_pct"),
    *("precision", "recall", "f"),
)
_SHOWN_IN_FULL = frozenset({"miss", "err"})
"""The kinds of loss that a row shows in full, however large they are."""
_VALUE = ("value", "value_precision", "value_recall", "value_f", "max_value")


def _column_names(*losses: str) -> tuple[str, ...]:
    """The columns of a layout; ``losses`` are the kinds of loss that it tells apart."""
    return (*_COUNTS, *(f"cost_{loss}" for loss in losses), *_VALUE, *(f"u_{loss}" for loss in losses))


class AceLayout(NamedTuple):
    """The tables that an official scorer prints, and their columns."""

    columns: tuple[str, ...]
    groups: tuple[tuple[str, int], ...]
    """Titles over the columns, and how many columns each of them spans."""
    entity_tables: tuple[str, ...]
    frame_tables: tuple[str, ...]
    other_tables: tuple[str, ...]
    """The tables of values and time expressions."""
    b_cubed: bool = False
    """Whether precision, recall and F of entities are those of B-cubed."""
    external_links: bool = False
    """Whether elements with external links have tables of their own."""
    roles_by_type: bool = False
    """Whether roles of arguments are also counted by agreement of types."""


_ACE05 = AceLayout(
    columns=_column_names("fa", "miss", "err"),
    groups=(
        ("occurrences", 4),
        ("percent", 3),
        ("unweighted", 3),
        ("cost (%)", 3),
        ("value", 1),
        ("weighted", 3),
        ("of the section (%)", 4),
    ),
    entity_tables=("type", "level", "value", "mention-count", "class", "source", "subtype|type"),
    frame_tables=("type", "modality", "source", "argument-errors", "subtype|type"),
    other_tables=("source",),
    external_links=True,
)
LAYOUTS: Mapping[str, AceLayout] = {
    "ace05": _ACE05,
    "ace07": _ACE05._replace(
        frame_tables=("type", "modality", "source", "argument-errors", "num-arguments", "subtype|type")
    ),
    "ace08": AceLayout(
        columns=(
            *("ref_elements", "fa_elements", "miss_elements"),
            *_column_names("fa", "miss", "attr", "sub_fa", "sub_miss", "sub_err"),
        ),
        groups=(
            ("elements", 3),
            ("documents", 4),
            ("percent", 3),
            ("unweighted", 3),
            ("cost (%)", 6),
            ("value", 1),
            ("weighted", 3),
            ("of the section (%)", 7),
        ),
        entity_tables=(
            *("language", "type", "level", "value", "mention-count", "class", "source", "cross-doc"),
            *("name-entropy", "type|level", "cross-doc|type", "subtype|type"),
        ),
        frame_tables=(
            *("language", "type", "modality", "value", "source", "argument-errors", "num-arguments"),
            "subtype|type",
        ),
        other_tables=("language", "source"),
        b_cubed=True,
        roles_by_type=True,
    ),
}
"""The layouts, by the name in the setting ``official-layout``."""

WITHOUT_B_CUBED = ("language", "name-entropy")
ALL, TOTAL = "ALL", "total"

Numbers = Mapping[str, float]


def layout_of(summary: Summary) -> AceLayout:
    """The layout that the profile's scorer prints."""
    return LAYOUTS[str(summary.settings["official-layout"])]


def table_names(layout: AceLayout, section: str) -> tuple[str, ...]:
    """The tables of a section, in the official order."""
    kind = section.removeprefix("mention_")
    if kind == "entity":
        return layout.entity_tables
    return layout.frame_tables if kind in {"relation", "event"} else layout.other_tables


def sections(summary: Summary) -> Iterator[str]:
    """The sections that were scored, in the official order."""
    for row in summary.corpus_rows():
        if row.metric == "ace-value" and row.counts["gold_elements"]:
            yield row.measurement


class Tables:
    """All tables of one system, one section at a time."""

    def __init__(self, summary: Summary) -> None:
        self.summary = summary
        self.layout = layout_of(summary)
        self._rows: dict[tuple[str, str, str], dict[str, ScoreRow]] = {}
        """The rows by section, metric and table; the table without a name has the total."""
        for row in summary.rows:
            if row.scope == "corpus":
                for table, value in (row.by or {"": ""}).items():
                    self._rows.setdefault((row.measurement, row.metric, table), {})[value] = row

    def total(self, section: str) -> list[float]:
        """The total row of a section, with B-cubed where it applies."""
        return self._cells(section, self._section_counts(section), self._b_cubed(section))

    def _section_counts(self, section: str) -> Numbers:
        return self._rows[section, "ace-value", ""][""].counts

    def tables(self, section: str) -> dict[str, dict[str, list[float]]]:
        """Every table of a section by its official name; "A given B" is one table for each value of B."""
        found: dict[str, dict[str, list[float]]] = {}
        for table in table_names(self.layout, section):
            row_name, _, given = table.partition("|")
            title = condition_name(row_name)
            if given:
                title += f"|{condition_name(given)}="
                found[title + ALL] = self._table(section, row_name)
                found |= {title + above: rows for above, rows in self._given_tables(section, table)}
            else:
                found[title] = self._table(section, table)
        if self.layout.external_links and self._rows.get((section, "ace-external-links", "type")):
            for table in ("type", "value"):
                found[f"{condition_name(table)}|external"] = self._external_table(section, table)
        return found

    def _table(self, section: str, table: str) -> dict[str, list[float]]:
        with_b_cubed = table not in WITHOUT_B_CUBED
        rows = {
            value: self._cells(
                section, row.counts, self._b_cubed(section, table, value) if with_b_cubed else None
            )
            for value, row in self._rows.get((section, "ace-value", table), {}).items()
            if self._has_row(section, table, value)
        }
        total = self.total(section) if with_b_cubed else self._cells(section, self._section_counts(section))
        return {**rows, TOTAL: total}

    def _given_tables(self, section: str, table: str) -> Iterator[tuple[str, dict[str, list[float]]]]:
        """The tables under each value of the condition above."""
        row_name = table.partition("|")[0]
        by_given: dict[str, dict[str, Numbers]] = {}
        for key, row in self._rows.get((section, "ace-value", table), {}).items():
            value, _, above = key.rpartition("|")
            by_given.setdefault(above, {})[value] = row.counts
        for above, counts in sorted(by_given.items()):
            rows = {
                value: self._cells(section, tally, self._b_cubed(section, table, f"{value}|{above}"))
                for value, tally in counts.items()
                if self._has_row(section, row_name, value)
            }
            of_all = self._b_cubed(section, table, above=above)
            yield above, {**rows, TOTAL: self._cells(section, add_counts(counts.values()), of_all)}

    def _has_row(self, section: str, table: str, value: str) -> bool:
        """Whether a value has a row of its own: subtypes outside the inventory are counted in totals only."""
        if table != "subtype":
            return True
        inventories = cast("Inventories", self.summary.settings["inventories"])  # as the profile declares it
        types = inventories[section.removeprefix("mention_")]["types"]
        return any(value in subtypes for subtypes in types.values())

    def _external_table(self, section: str, table: str) -> dict[str, list[float]]:
        rows = {value: row.counts for value, row in self._rows[section, "ace-external-links", table].items()}
        total = add_counts(rows.values())
        return {
            value: self._cells(section, tally, section_value=total["gold_value"])
            for value, tally in {**rows, TOTAL: total}.items()
        }

    def _b_cubed(
        self, section: str, table: str = "", value: str = "", *, above: str | None = None
    ) -> tuple[Numbers, Numbers] | None:
        """The tallies of B-cubed, by count and by value, of a row or of all rows under a value ``above``."""
        if section != "entity" or not self.layout.b_cubed:
            return None
        counts, values = (
            [
                row.counts
                for key, row in self._rows.get((section, metric, table), {}).items()
                if (key == value if above is None else key.rpartition("|")[2] == above)
            ]
            for metric in ("ace-b-cubed", "ace-b-cubed-value")
        )
        return (add_counts(counts), add_counts(values)) if counts and values else None

    def _cells(
        self,
        section: str,
        tally: Numbers,
        b_cubed: tuple[Numbers, Numbers] | None = None,
        *,
        section_value: float | None = None,
    ) -> list[float]:
        """The numbers of a row, in the order of the layout."""
        if section_value is None:
            section_value = self._section_counts(section)["gold_value"]
        numbers = row_numbers(tally, section_value)
        if b_cubed is not None:
            numbers.update(_figures("", *_b_cubed_rates(b_cubed[0])))
            numbers.update(_figures("value_", *_b_cubed_rates(b_cubed[1])))
        return [numbers[name] for name in self.layout.columns]


def add_counts(tallies: Iterable[Numbers]) -> dict[str, float]:
    """The sum of tallies, name by name."""
    total: dict[str, float] = {}
    for tally in tallies:
        for name, number in tally.items():
            total[name] = total.get(name, 0) + number
    return total


def row_numbers(tally: Numbers, section_value: float) -> dict[str, float]:
    """All columns of all layouts from the counts of a row and the gold value of the section."""
    gold_docs = tally["correct"] + tally["error"] + tally["missed"]
    value = tally["gold_value"]
    lost = tally["error_cost"] + tally["correct_cost"]
    kept = max(0.0, value - tally["missed_cost"] - lost)
    numbers: dict[str, float] = {
        "ref_elements": tally["gold_elements"],
        "fa_elements": tally["spurious_elements"],
        "miss_elements": tally["missed_elements"],
        "ref_docs": gold_docs,
        "fa_docs": tally["spurious"],
        "miss_docs": tally["missed"],
        "err_docs": tally["error"],
        "fa_docs_pct": min(LARGEST, _percent(tally["spurious"], gold_docs)),
        "miss_docs_pct": _percent(tally["missed"], gold_docs),
        "err_docs_pct": _percent(tally["error"], gold_docs),
        "value": max(-LARGEST, _percent(value - tally["missed_cost"] - lost - tally["spurious_cost"], value)),
        "max_value": _percent(value, section_value),
    }
    costs = {
        "fa": tally["spurious_cost"],
        "miss": tally["missed_cost"],
        "err": lost,
        "attr": tally["attribute_cost"],
        "sub_fa": tally["part_spurious_cost"],
        "sub_miss": tally["part_missed_cost"],
        "sub_err": tally["part_error_cost"],
    }
    for loss, cost in costs.items():
        numbers[f"cost_{loss}"] = min(math.inf if loss in _SHOWN_IN_FULL else LARGEST, _percent(cost, value))
        numbers[f"u_{loss}"] = min(
            LARGEST_OF_SECTION if loss == "fa" else math.inf, _percent(cost, section_value)
        )
    found = tally["correct"] + tally["error"] + tally["spurious"]
    numbers.update(_figures("", _ratio(tally["correct"], found), _ratio(tally["correct"], gold_docs)))
    claimed = value - tally["missed_cost"] + tally["spurious_cost"]
    numbers.update(_figures("value_", _ratio(kept, claimed), _ratio(kept, value)))
    return numbers


def _ratio(part: float, whole: float) -> float:
    return part / max(SMALLEST, whole)


def _percent(part: float, whole: float) -> float:
    return 100 * _ratio(part, whole)


def _b_cubed_rates(tally: Numbers) -> tuple[float, float]:
    return (
        _ratio(tally["system_credit"], tally["system_total"]),
        _ratio(tally["gold_credit"], tally["gold_total"]),
    )


def _figures(prefix: str, precision: float, recall: float) -> dict[str, float]:
    return {
        f"{prefix}precision": 100 * precision,
        f"{prefix}recall": 100 * recall,
        f"{prefix}f": 100 * _ratio(2 * precision * recall, precision + recall),
    }


# ------------------------------------------------------------------------------------------------------ text

_TITLES = {
    "entity": "Entity Detection and Recognition",
    "value": "Value Detection and Recognition",
    "timex2": "Time Expression Recognition and Normalisation",
    "relation": "Relation Detection and Recognition",
    "event": "Event Detection and Recognition",
    "mention_entity": "Entity Mention Detection",
    "mention_relation": "Relation Mention Detection",
    "mention_event": "Event Mention Detection",
}
_SHORT_NAMES = {"precision": "pre", "recall": "rec", "value": "value", "max_value": "max"}
_BINS = (
    *("<=0.2", "0.2-0.5", "0.5-1.0", "1-2", "2-4", "<=0.3", "0.3-0.6", "0.6-1.0", ">1.0"),
    *("0", "1", "2", "3", "3-4", "4", "5-8", ">8", ">4", ">1"),
)
_LABEL_WIDTH, _CELL_WIDTH, _GAP = 30, 7, 2
"""In characters: the first column, the others, and the gap between groups."""


def report(summary: Summary) -> str:
    """The tables that the scorers print, section by section, with a blank between all columns.

    Counts are whole, percentages have one decimal, those of the whole section two.
    """
    tables = Tables(summary)
    lines = [summary.signature, f"parameters: {summary.profile}", ""]
    for section in sections(summary):
        lines += [f"======== {_TITLES[section]} ========", ""]
        for name, rows in tables.tables(section).items():
            lines += [f"{_TITLES[section]}, by {_table_title(name)}", *_table_lines(tables.layout, rows), ""]
    lines += _document_lines(summary)
    return "\n".join(lines)


def _table_title(table: str) -> str:
    name, _, given = table.partition("|")
    if given == "external":
        return f"{name} for externally linked elements"
    return f"{name} given {given}" if given else name


def _table_lines(layout: AceLayout, rows: Mapping[str, Sequence[float]]) -> Iterator[str]:
    starts, groups, position = set(), "", 0
    for title, size in layout.groups:
        starts.add(position)
        groups += " " * _GAP + title.center(size * _CELL_WIDTH)
        position += size
    names = [_SHORT_NAMES.get(part, part) for part in map(_column_name, layout.columns)]
    yield (" " * _LABEL_WIDTH + groups).rstrip()
    yield " " * _LABEL_WIDTH + "".join(
        " " * _GAP * (i in starts) + name.rjust(_CELL_WIDTH) for i, name in enumerate(names)
    )
    for label, numbers in sorted(rows.items(), key=_row_order):
        cells = (_cell(name, number) for name, number in zip(layout.columns, numbers, strict=True))
        body = "".join(
            " " * _GAP * (i in starts) + " " + cell.rjust(_CELL_WIDTH - 1) for i, cell in enumerate(cells)
        )
        yield f"{label[:_LABEL_WIDTH]:<{_LABEL_WIDTH}}{body}"


def _row_order(row: tuple[str, Sequence[float]]) -> tuple[int, int, str]:
    """The sort key of a row: bins ascending, other rows by name, then ``(multi)``, then the total."""
    label = row[0]
    return {"(multi)": 1, TOTAL: 2}.get(label, 0), _BINS.index(label) if label in _BINS else -1, label


def _column_name(name: str) -> str:
    for prefix in ("cost_", "u_", "value_"):
        name = name.removeprefix(prefix)
    return name.removesuffix("_elements").removesuffix("_pct").removesuffix("_docs").replace("sub_", "s-")


def _cell(name: str, number: float) -> str:
    if name.endswith(("_elements", "_docs")):
        return f"{number:.0f}"
    return f"{number:.2f}" if name.startswith("u_") or name == "max_value" else f"{number:.1f}"


def _document_lines(summary: Summary) -> Iterator[str]:
    rows = [row for row in summary.rows if row.scope == "document" and row.metric == "ace-value"]
    if not rows:
        return
    yield "scores of documents: percent, value, maximum, task, document"
    for row in rows:
        maximum = row.counts["gold_value"]
        if maximum:
            lost = ("missed_cost", "error_cost", "correct_cost", "spurious_cost")
            value = maximum - sum(row.counts[name] for name in lost)
            yield f"{100 * value / maximum:8.2f} {value:12.6f} {maximum:12.6f}  {row.measurement:<16} {row.document}"
    yield ""


def mapping(summary: Summary) -> str:
    """The pairs that were mapped in every document, what they earned, and why they lost, as tab-separated columns."""
    columns = ("section", "document", "gold", "system", "status", "value", "maximum", "lost", "why")
    lines = ["\t".join(columns)]
    for entry in summary.diagnosis.get("documents", ()):
        for section, items in entry["mapping"].items():
            for item in items:
                lost = ", ".join(f"{name} {cost:.6f}" for name, cost in item["lost"].items())
                cells = (section, entry["document"], item["gold"] or "", item["system"] or "", item["status"])
                numbers = (f"{item['value']:.8f}", f"{item['maximum']:.8f}", lost, "; ".join(item["why"]))
                lines.append("\t".join((*cells, *numbers)))
    return "\n".join(lines) + "\n"

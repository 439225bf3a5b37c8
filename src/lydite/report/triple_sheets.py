"""The workbook of a triple comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from lydite.escaping import counted
from lydite.model import ScoreRow, Summary
from lydite.model.diagnosis import TriplesOfDocument
from lydite.model.triple import TripleDocument
from lydite.report.spreadsheet import Cell, Sheet, breakdowns
from lydite.report.triple_log import contingency

_SHARES = frozenset({"% gold", "% system"})
_TOTALS = ("gold_total", "system_total")
_TRIPLE_COLUMNS = (
    *("system", "document", "id", "relation"),
    *("first ids", "first label", "first comment"),
    *("second ids", "second label", "second comment"),
    "profile",
)


_LISTS: dict[str, Literal["missed", "wrong_relation", "spurious"]] = {
    "Missed": "missed",
    "Wrong relation": "wrong_relation",
    "Spurious": "spurious",
}


def sheets(summary: Summary) -> Iterable[Sheet]:
    """Overview, relations, profiles, documents, confusion, and missed, wrong, correct and spurious triples."""
    yield _overview(summary)
    yield _relations(summary)
    yield _profiles(summary)
    yield from (sheet for sheet in breakdowns(summary) if sheet.name == "Documents")
    entries: Sequence[TriplesOfDocument] = summary.diagnosis.get("documents", ())
    yield _confusion(summary, entries)
    for title, key in _LISTS.items():
        rows = [_triple(one, triple) for one in entries if key in one for triple in one[key]["triples"]]
        yield Sheet(title, _TRIPLE_COLUMNS, rows)
    rows = [_triple(entry, pair["gold"]) for entry in entries for pair in entry["correct"]["pairs"]]
    yield Sheet("Correct", _TRIPLE_COLUMNS, rows)


def _overview(summary: Summary) -> Sheet:
    rows: list[list[Cell]] = [["signature", "", "", summary.signature]]
    rows += [[item.role, item.name, "documents", item.path, item.documents] for item in summary.inputs]
    for system in summary.systems:
        rows.extend(_counts(summary, system))
    for row in summary.corpus_rows():
        label = f"{row.metric} {row.average or ''}".strip()
        rows.append([row.system, row.measurement, label, "", None, *row.score[:3]])
    columns = ("what", "name", "of", "text", "number", "precision", "recall", "f1")
    return Sheet("Overview", columns, [[*row, *[None] * (len(columns) - len(row))] for row in rows])


def _confusion(summary: Summary, entries: Sequence[TriplesOfDocument]) -> Sheet:
    """A contingency table; for several systems one row for each cell that is not empty."""
    if len(summary.systems) == 1:
        columns, rows = contingency(entries)
        return Sheet("Confusion", ("system relation", *columns), [[row, *counts] for row, counts in rows])
    cells: list[list[Cell]] = []
    for system in summary.systems:
        columns, rows = contingency([entry for entry in entries if entry["system"] == system])
        for row, counts in rows:
            cells += [[system, row, col, count] for col, count in zip(columns, counts, strict=True) if count]
    return Sheet("Confusion", ("system", "system relation", "gold relation", "pairs"), cells)


def _counts(summary: Summary, system: str) -> Iterator[list[Cell]]:
    documents: Sequence[TriplesOfDocument] = summary.diagnosis.get("documents", ())
    entries = [entry for entry in documents if entry["system"] == system]
    scopes = [entry["scope"] for entry in entries if entry["scope"] is not None]
    yield [system, "scope", "", counted(sum(scopes), "token id") if scopes else "none"]
    for side in ("gold", "system"):
        for name in ("triples", "in_range", "out_of_range", "unique"):
            total = sum(entry["counts"][side][name] for entry in entries)
            yield [system, f"{side} {name.replace('_', ' ')}", "", "", total]
        for element in ("first", "second"):
            sides = [entry["counts"][side] for entry in entries]
            ids = sum(one["first_ids"] if element == "first" else one["second_ids"] for one in sides)
            triples = sum(entry["counts"][side]["in_range"] for entry in entries)
            mean = ids / triples if triples else None
            yield [system, f"{side} ids per {element} element", "mean", "", mean]


def _relations(summary: Summary) -> Sheet:
    columns = ("system", "measurement", "relation", "gold", "% gold", "system triples", "% system", "correct")
    rows: list[list[Cell]] = []
    parts = summary.rows_by("relation")
    totals: dict[tuple[str, str, str], float] = {}
    for row in parts:
        for name in _TOTALS:
            key = row.system, row.measurement, name
            totals[key] = totals.get(key, 0) + row.counts[name]

    def place(row: ScoreRow) -> tuple[str, str, float, float, str]:
        gold, system = (-row.counts[name] for name in _TOTALS)
        return row.system, row.measurement, gold, system, row.by["relation"]

    for row in sorted(parts, key=place):
        counts: list[Cell] = []
        for name in _TOTALS:
            count, whole = row.counts[name], totals[row.system, row.measurement, name]
            counts += [count, 100 * count / whole if whole else None]
        head = [row.system, row.measurement, row.by["relation"]]
        rows.append([*head, *counts, row.counts["correct"], *row.score[:3]])
    return Sheet("Relations", (*columns, "precision", "recall", "f1"), rows, percents=_SHARES)


def _profiles(summary: Summary) -> Sheet:
    rows: list[list[Cell]] = [
        [
            *(row.system, row.by["profile"], row.measurement),
            *(row.counts["system_total"], row.counts["hits"], row.score.precision),
        ]
        for row in summary.rows_by("profile")
    ]
    return Sheet(
        "Profiles", ("system", "profile", "measurement", "system triples", "hits", "precision"), rows
    )


def _triple(entry: TriplesOfDocument, triple: TripleDocument) -> list[Cell]:
    elements = [
        cell
        for element in (triple["first"], triple["second"])
        for cell in (" ".join(element["ids"]), element["label"], element["comment"])
    ]
    head = [entry["system"], entry["document"], triple["id"], triple["relation"]]
    return [*head, *elements, triple["profile_id"]]

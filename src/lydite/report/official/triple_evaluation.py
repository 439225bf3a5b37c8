"""The tables of TripleEvaluation: plain run, debug run, and the overview of folders.

Percentages are cut to whole numbers and averages of ids are divided as integers, as that program does; both appear
here only.  ``null`` stands where it prints NaN.  Its files are tab-separated text under the name of a spreadsheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lydite.errors import UsageError
from lydite.model import ScoreRow, Summary
from lydite.model.agreement import add_tables
from lydite.model.diagnosis import ListedTriples, SideCounts, TriplesOfDocument

MODES = ("exact_same", "exact_ignored", "partial_same", "partial_ignored")
SAME_MODES = ("exact_same", "partial_same")
ELEMENTS = ("first", "second")
DEBUG = "debug:"


def figures(summary: Summary) -> dict[str, object]:
    """All figures of the program, nested by run and table: a folder has one overview, a file two runs."""
    if _is_folder(summary):
        return _overview_figures(summary)
    return {"evaluate": _plain_figures(summary), "debug": _debug_figures(summary)}


def report(summary: Summary) -> str:
    """The figures as tab-separated lines, one figure per line under the headings of its table."""
    if summary.settings["matching"] != "first-come":
        raise UsageError(
            f"profile {summary.profile!r} gives no figures in the layout of TripleEvaluation",
            hint="choose --profile reference or reference-0.1",
        )
    return "".join(f"{line}\n" for line in _flat_lines(figures(summary), ()))


def _flat_lines(value: Mapping[str, object], path: tuple[str, ...]) -> Iterator[str]:
    for key, item in value.items():
        here = (*path, str(key))
        if isinstance(item, Mapping):
            yield from _flat_lines(item, here)
        else:
            yield "\t".join((*here, "NaN" if item is None else str(item)))


def _is_folder(summary: Summary) -> bool:
    return any(item.role == "gold" and item.facts.get("folder") for item in summary.inputs)


def _documents(summary: Summary) -> Sequence[TriplesOfDocument]:
    documents: Sequence[TriplesOfDocument] = summary.diagnosis.get("documents", ())
    return documents


def _cut_percent(part: float, whole: float) -> float:
    return 100 * part // whole if whole else 0


def _total_row(summary: Summary, measurement: str) -> ScoreRow:
    return next(row for row in summary.corpus_rows() if row.measurement == measurement)


def _rows_by(summary: Summary, attribute: str, measurement: str) -> dict[str, ScoreRow]:
    rows = (row for row in summary.rows_by(attribute) if row.measurement == measurement)
    return {row.by[attribute]: row for row in rows}


def _mode(row: ScoreRow, system: float | None = None) -> dict[str, float | None]:
    tally = row.counts
    divisor = tally["system_total"] if system is None else system
    return {
        "correct": tally["correct"],
        "precision": tally["correct"] / divisor if divisor else None,
        "recall": tally["correct"] / tally["gold_total"] if tally["gold_total"] else None,
    }


_AVERAGES = ("average_first_ids", "average_second_ids")


def _whole_average_ids(side: SideCounts) -> dict[str, int]:
    triples = side["in_range"]
    ids = (side["first_ids"], side["second_ids"])
    return {name: total // triples if triples else 0 for name, total in zip(_AVERAGES, ids, strict=True)}


# --------------------------------------------------------------------------------------------------- the plain run


def _plain_figures(summary: Summary) -> dict[str, object]:
    (document,) = _documents(summary)
    mode = summary.headline["measurement"]
    gold, system = document["counts"]["gold"], document["counts"]["system"]
    table = _relations(summary, mode, gold["in_range"], system["in_range"])
    return {
        "gold": {"triples": gold["in_range"], **_whole_average_ids(gold)},
        "system": {
            "triples": system["triples"],
            "in_range": system["in_range"],
            "out_of_range": system["out_of_range"],
            **_whole_average_ids(system),
            "unique": system["unique"],
        },
        "modes": {mode: _mode(_total_row(summary, mode))},
        "per_relation": table,
        "per_relation_total": _relation_totals(table, ("partial_same",)),
        **{f"{name}_elements": _element_figures(summary, document, name) for name in ELEMENTS},
    }


def _relations(summary: Summary, measurement: str, gold: int, system: int) -> dict[str, dict[str, float]]:
    """Rows with shares; headed as partial ids with the same relation, also where the run ignores relations."""
    return {
        name: {
            "gold": row.counts["gold_total"],
            "gold_percent": _cut_percent(row.counts["gold_total"], gold),
            "system": row.counts["system_total"],
            "system_percent": _cut_percent(row.counts["system_total"], system),
            **_relation_figures("partial_same", row.counts),
        }
        for name, row in _rows_by(summary, "relation", measurement).items()
    }


def _relation_figures(mode: str, tally: Mapping[str, float]) -> dict[str, float]:
    return {
        f"{mode}_correct": tally["correct"],
        f"{mode}_recall_percent": _cut_percent(tally["correct"], tally["gold_total"]),
        f"{mode}_precision_percent": _cut_percent(tally["correct"], tally["system_total"]),
    }


def _relation_totals(table: Mapping[str, Mapping[str, float]], modes: Iterable[str]) -> dict[str, float]:
    gold = sum(row["gold"] for row in table.values())
    system = sum(row["system"] for row in table.values())
    total = {"gold": gold, "system": system}
    for mode in modes:
        right = sum(row[f"{mode}_correct"] for row in table.values())
        total.update(_relation_figures(mode, {"correct": right, "gold_total": gold, "system_total": system}))
    return total


def _element_figures(summary: Summary, document: TriplesOfDocument, name: str) -> dict[str, object]:
    row = _total_row(summary, f"{name}_elements")
    shown: dict[str, object] = {
        "gold": row.counts["gold_total"],
        "system": row.counts["system_total"],
        **_mode(row),
    }
    if summary.settings["all-elements-correct"]:
        return shown
    counted = document["elements"][name]
    more = {key: value for key, value in counted.items() if key not in {"gold", "system", "correct"}}
    return {**shown, **more}


# --------------------------------------------------------------------------------------------------- the debug run


def _debug_figures(summary: Summary) -> dict[str, object]:
    (document,) = _documents(summary)
    tables = {mode: _rows_by(summary, "relation", f"{DEBUG}{mode}") for mode in SAME_MODES}
    table = {
        name: {
            "gold": row.counts["gold_total"],
            "system": row.counts["system_total"],
            **{
                key: value
                for mode in SAME_MODES
                for key, value in _relation_figures(mode, tables[mode][name].counts).items()
            },
        }
        for name, row in tables["partial_same"].items()
    }
    return {
        "modes": {mode: _mode(_total_row(summary, f"{DEBUG}{mode}")) for mode in MODES},
        "per_profile": _profile_table(summary),
        "per_relation": table,
        "per_relation_total": _relation_totals(table, SAME_MODES),
        "missed": without_triples(document["missed"]),
        "wrong_relation": without_triples(document["wrong_relation"]),
        "profile_confusion": document["profile_confusion"],
    }


def without_triples(listed: ListedTriples) -> dict[str, object]:
    """How many triples are listed, in all and by relation."""
    return {"count": listed["count"], "by_relation": listed["by_relation"]}


def _profile_table(summary: Summary) -> dict[str, dict[str, float]]:
    tables = {mode: _rows_by(summary, "profile", f"{DEBUG}{mode}") for mode in MODES}
    return {
        name: {
            "system": row.counts["system_total"],
            **{mode: tables[mode][name].counts["hits"] for mode in MODES},
        }
        for name, row in tables["partial_same"].items()
    }


# ------------------------------------------------------------------------------------------------------- folders


def _overview_figures(summary: Summary) -> dict[str, object]:
    documents = _documents(summary)
    gold = [document["counts"]["gold"] for document in documents]
    system = [document["counts"]["system"] for document in documents]
    rows = {mode: _total_row(summary, f"{DEBUG}{mode}") for mode in MODES}
    modes = {mode: _mode(row) for mode, row in rows.items()}
    if summary.settings["divide-exact-by-partial"]:
        modes["exact_ignored"] = _mode(rows["exact_ignored"], rows["partial_ignored"].counts["system_total"])
    table = _relations(summary, f"{DEBUG}partial_same", _in_range(gold), _in_range(system))
    confusion = add_tables(document["confusion"] for document in documents)
    return {
        "gold": {"triples": _in_range(gold), **_average_ids(gold)},
        "system": {"in_range": _in_range(system), **_average_ids(system)},
        "modes": modes,
        "per_relation": table,
        "per_relation_total": _relation_totals(table, ("partial_same",)),
        **{
            f"{name}_elements": {
                side: sum(document["elements"][name][side] for document in documents)
                for side in ("gold", "system")
            }
            for name in ELEMENTS
        },
        "overview": {
            "system": _in_range(system),
            "unique": rows["partial_same"].counts["system_total"],
            **_with_f1(modes[summary.headline["measurement"]]),
        },
        "confusion": confusion,
        "mismatch_lines": sum(count for row in confusion.values() for count in row.values()),
        "missed": sum(document["missed"]["count"] for document in documents),
        "wrong_relation": sum(document["wrong_relation"]["count"] for document in documents),
    }


def _with_f1(mode: Mapping[str, float | None]) -> dict[str, float | None]:
    precision, recall = mode["precision"], mode["recall"]
    if precision is None or recall is None or precision + recall == 0:
        return {**mode, "f1": None}
    return {**mode, "f1": 2 * precision * recall / (precision + recall)}


def _in_range(sides: Iterable[SideCounts]) -> int:
    return sum(side["in_range"] for side in sides)


def _average_ids(sides: Iterable[SideCounts]) -> dict[str, float | None]:
    """The sum of the documents' whole averages, divided by the number of triples."""
    triples = _in_range(sides)
    each = [_whole_average_ids(side) for side in sides]
    return {name: sum(one[name] for one in each) / triples if triples else None for name in _AVERAGES}

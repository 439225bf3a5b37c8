"""The report and the comparison file of EvmEval, byte for byte.

The percentages are made as that program makes them: TP is multiplied by 100 before it is divided, and averages are
running sums over documents in the order of their ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lydite.model import ScoreRow, Summary
from lydite.report.official import conll

NAMES = {
    "span": "plain",
    "type": "mention_type",
    "realis": "realis_status",
    "type+realis": "mention_type+realis_status",
}
PRF = "Prec  \tRec  \tF1   "


def report(summary: Summary) -> str:
    """The report in the layout that the profile names."""
    layout = summary.settings["official-layout"]
    if layout == "evmeval-1.1":
        return _pilot_report(summary)
    return _report(summary, with_types=layout == "evmeval-1.8")


# ------------------------------------------------------------------------------------------------ 2015 to 2017


def _measured(summary: Summary) -> list[str]:
    return [name for name in summary.measurements if name in NAMES]


def _documents(summary: Summary) -> dict[str, dict[str, ScoreRow]]:
    """Rows of documents by id and measurement, in the order of the ids."""
    table: dict[str, dict[str, ScoreRow]] = {}
    for row in summary.rows:
        if row.scope == "document" and not row.by and row.metric in {"detection", "augmented"}:
            table.setdefault(row.document or "", {})[row.measurement] = row
    return table


def _hundredfold(credit: float, total: float) -> float | None:
    return 100 * credit / total if total else None


def _f1(precision: float | None, recall: float | None) -> float | None:
    if precision is None or recall is None or precision + recall == 0:
        return None
    return 2 * precision * recall / (precision + recall)


def _two(figure: float | None) -> str:
    return "nan" if figure is None else f"{figure:.2f}"


def _triple(precision: float | None, recall: float | None) -> str:
    return "\t".join(map(_two, (precision, recall, _f1(precision, recall))))


def _document_figures(row: ScoreRow) -> tuple[float | None, float | None]:
    tally = row.tally
    return (
        _hundredfold(tally["system_credit"], tally["system_total"]),
        _hundredfold(tally["gold_credit"], tally["gold_total"]),
    )


def _bytes_rjust(text: str, width: int) -> str:
    return " " * (width - len(text.encode("utf-8", "surrogateescape"))) + text


def _report(summary: Summary, *, with_types: bool) -> str:
    measured = _measured(summary)
    documents = _documents(summary)
    lines = [*_document_table(documents, measured), ""]
    if summary.settings["official-layout"] == "evmeval-1.6.2" and summary.settings["coref"] == "on":
        lines += ["", *_document_coreference(summary), ""]
    if with_types:
        lines += ["", *_type_table(summary), ""]
    lines += _final_table(documents, measured, skip=summary.settings["skip-documents-without-gold"])
    if summary.settings["coref"] == "on":
        lines += ["", *_coreference(summary, colon=summary.settings["official-layout"] == "evmeval-1.6.3")]
    if summary.settings["sequencing"] == "on":
        lines += ["", *_sequencing(summary)]
    return "\n".join([*lines, ""])


# -------------------------------------------------------------------------------- coreference and sequencing

_COREF_ORDER = ("bcub", "ceafe", "ceafm", "muc", "blanc")
_LINK_SETS = {"Subevent": "subevent", "After": "after", "All": "sequencing"}


def averaged(summary: Summary) -> tuple[str, ...]:
    """The metrics that the official report averages, in the order in which it adds them."""
    return tuple(name for name in _COREF_ORDER if name != "ceafm" or summary.settings["average-with-ceafm"])


def printed_coreference(summary: Summary) -> dict[str, float]:
    """The F1 of every metric as the CoNLL scorer prints it: running sums, percentages cut to two decimals."""
    figures = conll.printed_f1(conll.total(summary))
    return {name: figures.get(name, 0.0) for name in _COREF_ORDER}


def _coreference(summary: Summary, *, colon: bool) -> Iterator[str]:
    """The block of v1.8; v1.6.3 writes colons."""
    gap = " : " if colon else "\t"
    figures = printed_coreference(summary)
    yield "=======Final Mention Coreference Results========="
    for name in _COREF_ORDER:
        mark = " *" if name == "ceafm" else ""
        yield f"Metric : {name}\tScore{gap}{figures[name]:.2f}{mark}"
    yield f"Overall Average CoNLL score{gap}{conll.mean_of_printed(figures, averaged(summary)):.2f}"
    yield ""
    yield "* Score not included for final CoNLL score."


def document_averages(summary: Summary) -> dict[str, float]:
    """The mean of printed F1s of every document (v1.6.2): of four metrics, without MUC if no side has a cluster."""
    with_chains = {entry["document"]: entry["has_chains"] for entry in summary.diagnosis["documents"]}
    averages = {}
    for doc_id, counts in conll.by_document(summary).items():
        names = ("bcub", "ceafe", "muc", "blanc") if with_chains[doc_id] else ("bcub", "ceafe", "blanc")
        figures = conll.printed_f1(counts)
        # A document that was left out because its average is 0 has no rows.
        averages[doc_id] = conll.mean_of_printed(figures, names) if figures else 0.0
    return averages


def _document_coreference(summary: Summary) -> Iterator[str]:
    yield "========Document Mention Corefrence Results (CoNLL Average)=========="
    for doc_id, average in document_averages(summary).items():
        yield f"{doc_id}\t{average:.2f}"


def _sequencing(summary: Summary) -> Iterator[str]:
    scores = {row.measurement: row.score for row in summary.corpus_rows()}
    for title, measurement in _LINK_SETS.items():
        score = scores[measurement]
        f1, precision, recall = (_six_places(figure) for figure in (score.f1, score.precision, score.recall))
        yield f"=======Event Sequencing Results for {title} ======="
        yield "=== Temporal Awareness Score ==="
        yield "Evaluated considering implicit relations in recall as well"
        yield "Temporal Score\tF1\tP\tR"
        yield f"\t\t{f1}\t{precision}\t{recall}\t"
        yield f"Overall Temporal Awareness Score (F1 score): {f1}"
        yield ""


def _six_places(figure: float | None) -> str:
    """A fraction rounded to six places, as a percentage with at most four decimals and at least one."""
    text = f"{100 * round(figure or 0.0, 6):.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _document_table(
    documents: Mapping[str, Mapping[str, ScoreRow]], measured: Sequence[str]
) -> Iterator[str]:
    width = max((len(doc_id.encode("utf-8", "surrogateescape")) for doc_id in documents), default=0)
    yield "========Document Mention Detection Results=========="
    yield "\t".join([" " * width, "\t|\t".join(NAMES[name].rjust(18) for name in measured)])
    yield "\t".join(["Doc ID".rjust(width), "\t|\t".join(PRF for _ in measured)])
    for doc_id, rows in documents.items():
        figures = "\t|\t".join(_triple(*_document_figures(rows[name])) for name in measured)
        yield f"{_bytes_rjust(doc_id, width)}\t{figures}"


def _type_table(summary: Summary) -> Iterator[str]:
    """By type of the gold mention; with the quirk, from the pairs that agree on type and realis."""
    from_both = summary.settings["type-table-from-type-and-realis"]
    measurement = _measured(summary)[-1:] if from_both else ["type"]
    rows = [
        (_official_type(row.by["type"]), row)
        for row in summary.by("type").rows
        if row.measurement in measurement and row.tally["gold_total"]
    ]
    rows.sort(key=lambda entry: entry[0])
    yield "========Mention Type Results=========="
    if not rows:
        return
    width = max(len(name) for name, _ in rows)
    yield "\t".join(["Type".rjust(width), "Prec", "Rec", "F1", "#Gold", "#Sys"])
    for name, row in rows:
        figures = (row.score.precision, row.score.recall, row.score.f1)
        counts = (row.tally["gold_total"], row.tally["system_total"])
        shown = (*(f"{figure or 0:.2f}" for figure in figures), *(str(count) for count in counts))
        yield "\t".join([name.rjust(width), *shown])


def _official_type(name: str) -> str:
    return "".join(letter for letter in name if letter.isascii() and letter.isalnum()).lower()


def _final_table(
    documents: Mapping[str, Mapping[str, ScoreRow]], measured: Sequence[str], *, skip: bool
) -> Iterator[str]:
    yield "=======Final Mention Detection Results========="
    yield "\t".join([" " * 26, "Micro Average".rjust(18), "Macro Average".rjust(18)])
    yield "\t".join(["Attributes".rjust(26), PRF, PRF])
    for name in measured:
        rows = [rows[name] for rows in documents.values() if rows[name].tally["gold_total"] or not skip]
        yield "\t".join([NAMES[name].rjust(26), _micro(rows), _macro(rows)])


def _micro(rows: Sequence[ScoreRow]) -> str:
    credit = _running(row.tally["gold_credit"] for row in rows)
    gold = sum(row.tally["gold_total"] for row in rows)
    system = sum(row.tally["system_total"] for row in rows)
    return _triple(_hundredfold(credit, system), _hundredfold(credit, gold))


def _macro(rows: Sequence[ScoreRow]) -> str:
    figures = [_document_figures(row) for row in rows]
    if not figures:
        return _triple(None, None)
    precision = _running(precision or 0.0 for precision, _ in figures) / len(figures)
    recall = _running(recall or 0.0 for _, recall in figures) / len(figures)
    return _triple(precision, recall)


def _running(numbers: Iterator[float]) -> float:
    # Not sum(): from Python 3.12 on it compensates rounding, which the official program does not.
    total = 0.0
    for number in numbers:
        total += number
    return total


# --------------------------------------------------------------------------------------------------- the pilot


def _pilot_report(summary: Summary) -> str:
    spans = {
        row.document: row for row in summary.rows if row.scope == "document" and row.metric == "original"
    }
    accuracies = {
        (row.document, row.measurement): row.score.value
        for row in summary.rows
        if row.scope == "document" and row.metric == "accuracy"
    }
    lines = ["========Document results=========="]
    for document, row in spans.items():
        tally, score = row.tally, row.score
        false_positives = tally["system_total"] - tally["system_credit"]
        values = (score.precision, score.recall, score.f1)
        # What a run was told not to measure is not known, and shown so.
        attributes = (accuracies.get((document, "type")), accuracies.get((document, "realis")))
        lines.append("TP\tFP\t#Gold\tPrec\tRecall\tF1\tType\tRealis\tDoc Id")
        lines.append(
            f"{tally['gold_credit']:.2f}\t{false_positives:.2f}\t{tally['gold_total']:d}\t"
            + "\t".join(_four(value) for value in (*values, *attributes))
            + f"\t{document}"
        )
    return "\n".join([*lines, "", "=======Final Results=========", *_pilot_totals(summary), ""])


def _four(figure: float | None) -> str:
    return "nan" if figure is None else f"{figure:.4f}"


_PILOT_LINES = (
    ("Precision", "span", "original", "precision"),
    ("Recall", "span", "original", "recall"),
    ("F1", "span", "original", "f1"),
    ("Mention type detection accuracy", "type", "accuracy", "value"),
    ("Mention realis status accuracy", "realis", "accuracy", "value"),
)


def _pilot_totals(summary: Summary) -> Iterator[str]:
    totals = {(row.measurement, row.metric, row.average): row.score for row in summary.corpus_rows()}
    for average in ("micro", "macro"):
        for title, measurement, metric, figure in _PILOT_LINES:
            score = totals.get((measurement, metric, average))
            value = None if score is None else getattr(score, figure)
            yield f"{title} ({average.capitalize()} Average): {_four(value)}"


# -------------------------------------------------------------------------------------------- comparison file


def comparison(summary: Summary) -> str:
    """The comparison file (``-d``): each gold mention with its partner in the span mapping, then spurious ones."""
    system_path = next(item.path for item in summary.inputs if item.role == "system")
    name = system_path.replace("\\", "/").rpartition("/")[2]
    with_text = summary.settings["official-layout"] == "evmeval-1.8"
    in_characters = summary.settings["unit"] == "char"
    lines = []
    for document in summary.diagnosis["documents"]:
        lines.append(f"#BeginOfDocument {document['document']}")
        lines.extend(_comparison_lines(document, name, with_text=with_text, in_characters=in_characters))
        if summary.settings["coref"] == "on":
            lines.extend(_comparison_chains(document))
        lines.append("#EndOfDocument ")
    return "\n".join([*lines, ""])


def _comparison_lines(
    document: Mapping[str, Any], name: str, *, with_text: bool, in_characters: bool
) -> Iterator[str]:
    def part(mention: Mapping[str, Any] | None) -> str:
        if mention is None:
            return "-"
        span = _offsets(mention["span"]) if in_characters else mention["span"]
        columns = [mention["id"], span, *mention["compared"].values()]
        return "\t".join([*columns, mention["text"]] if with_text else columns)

    entries = [(pair["gold"], pair["system"], f"{pair['similarity']:.2f}") for pair in document["pairs"]]
    entries += [(missed, None, "-") for missed in document["missed"]]
    for gold, system, score in sorted(entries, key=lambda entry: entry[0]["position"]):
        yield f"{name}\t{part(gold)}\t|\t{part(system)}\t{score}"
    for spurious in document["spurious"]:
        yield f"{name}\t-\t|\t{part(spurious)}\t-"


def _comparison_chains(document: Mapping[str, Any]) -> Iterator[str]:
    for side in ("gold", "system"):
        for members in document["chains"][side]:
            shown = (f"{member['id']}:{(member['text'] or '').replace(',', '')}" for member in members)
            yield f"@coref\t{side}\t{','.join(shown)}"


def _offsets(span: str) -> str:
    """Every offset of every segment, in written order."""
    ranges = [tuple(map(int, segment.split(","))) for segment in span.split(";")] if span else []
    return ",".join(str(offset) for begin, end in ranges for offset in range(begin, end))

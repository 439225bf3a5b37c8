"""The report and the comparison file of EvmEval, byte for byte.

The percentages are made as that program makes them: TP is multiplied by 100 before it is divided, and averages are
running sums over documents in the order of their ids.  Without the quirk ``official-summation-order`` sums are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple, cast

from lydite.errors import UsageError, refuse
from lydite.escaping import in_bytes
from lydite.grouping import grouped
from lydite.model import Score, ScoreRow, Summary
from lydite.model.diagnosis import MentionsOfDocument, Partner, ShownMention
from lydite.model.tally import Empty, harmonic_mean, ratio
from lydite.python2_sets import set_order
from lydite.report.official import conll
from lydite.resource_limits import hint_to_raise, limit

NAMES = {
    "span": "plain",
    "type": "mention_type",
    "realis": "realis_status",
    "type+realis": "mention_type+realis_status",
}
PRF = "Prec  \tRec  \tF1   "


class VersionTexts(NamedTuple):
    """The report and the comparison file of one version, and how they differ from those of other versions."""

    report: Callable[[Summary], str]
    comparison: Callable[[Summary, MentionsOfDocument], Iterator[str]]
    """The lines of a comparison file about the mentions of a document."""
    measures: tuple[str, ...] = ("detection", "augmented")
    """The tables show the first of these measures that a run has."""
    type_table: bool = False
    document_averages: bool = False
    """Whether every document has a coreference average."""
    gap: str = "\t"
    """The text before a coreference figure."""
    named_by_file: bool = False
    """Whether the comparison file names a run after its file; otherwise after the first column of its first mention."""
    with_texts: bool = False
    """Whether the comparison file shows the words of mentions, in clusters without their commas."""


def report(summary: Summary) -> str:
    """The report in the layout that the profile names."""
    return _layout(summary).report(summary)


def _layout(summary: Summary) -> VersionTexts:
    return LAYOUTS[str(summary.settings["official-layout"])]


def _measures(settings: Mapping[str, object]) -> Collection[object]:
    return cast("Collection[object]", settings["measures"])


def _metric(summary: Summary) -> str:
    """The metric of the tables; a run with none of the measures of the layout is refused."""
    measures, measured = _layout(summary).measures, _measures(summary.settings)
    metric = next((measure for measure in measures if measure in measured), None)
    if metric is None:
        layout = summary.settings["official-layout"]
        raise UsageError(
            f"the official layout {layout} shows the measure {measures[0]!r}, which this run does not have",
            hint="choose another one with --official-layout, or other --measures",
        )
    return metric


Summation = Callable[[Iterable[float]], float]


def _summation(summary: Summary) -> Summation:
    """The function that adds numbers: one by one as the official program does, or exactly."""
    return conll.running_sum if summary.settings["official-summation-order"] else math.fsum


# ------------------------------------------------------------------------------------------------ 2015 to 2017


def _table_measurements(summary: Summary) -> list[str]:
    return [name for name in summary.measurements if name in NAMES]


def _rows_by_document(summary: Summary) -> dict[str, dict[str, ScoreRow]]:
    """Rows of documents by id and measurement, in the order of the ids."""
    table: dict[str, dict[str, ScoreRow]] = {}
    metric = _metric(summary)
    for row in summary.rows_by("doc"):
        if row.metric == metric:
            table.setdefault(row.document or "", {})[row.measurement] = row
    return table


def _format_figures(figures: Iterable[float | None], places: int) -> list[str]:
    return ["nan" if figure is None else f"{figure:.{places}f}" for figure in figures]


def _format_prf(score: Score) -> str:
    return "\t".join(_format_figures(score[:3], 2))


def _empty(summary: Summary) -> Empty:
    """The setting for 0/0, which the official program does not define."""
    return cast("Empty", summary.settings["undefined"])


def _document_percentages(row: ScoreRow, empty: Empty) -> Score:
    """In percent: TP is multiplied by 100 before it is divided."""
    tally = row.counts
    p = ratio(100 * tally["system_credit"], tally["system_total"], empty=empty)
    return Score.of(p, ratio(100 * tally["gold_credit"], tally["gold_total"], empty=empty), empty=empty)


def _detection_report(summary: Summary) -> str:
    layout = _layout(summary)
    document_table, final_table = _tables(summary)
    lines = ["========Document Mention Detection Results==========", *document_table, ""]
    if layout.document_averages and summary.settings["coref"] == "on":
        lines += ["", "========Document Mention Corefrence Results (CoNLL Average)=========="]
        lines += [f"{doc_id}\t{average:.2f}" for doc_id, average in document_averages(summary).items()]
        lines.append("")
    if layout.type_table:
        lines += ["", *_type_table(summary), ""]
    lines += ["=======Final Mention Detection Results=========", *final_table]
    if summary.settings["coref"] == "on" and has_coreference(summary):
        lines += ["", *_coreference(summary, layout.gap)]
    if summary.settings["sequencing"] == "on":
        lines += ["", *_sequencing(summary)]
    return "\n".join([*lines, ""])


def _augmented_report(summary: Summary) -> str:
    """The pilot's augmented measures: the two tables under other headlines."""
    document_table, final_table = _tables(summary)
    tables = (*document_table, "", "=======Final Results=========", *final_table)
    return "\n".join(["========Document results==========", *tables, ""])


def _tables(summary: Summary) -> tuple[Iterator[str], Iterator[str]]:
    measured, documents = _table_measurements(summary), _rows_by_document(summary)
    return _document_table(documents, measured, _empty(summary)), _final_table(summary, documents, measured)


# -------------------------------------------------------------------------------- coreference and sequencing

_COREF_ORDER = ("bcub", "ceafe", "ceafm", "muc", "blanc")
LINK_SETS = {"Subevent": "subevent", "After": "after", "All": "sequencing"}


def has_coreference(summary: Summary) -> bool:
    """Whether there are coreference figures: where no document was scored there are none."""
    return any(row.measurement == "coref" for row in summary.corpus_rows())


def averaged_metrics(summary: Summary) -> tuple[str, ...]:
    """The metrics that the official report averages, in the order in which it adds them."""
    return tuple(name for name in _COREF_ORDER if name != "ceafm" or summary.settings["average-with-ceafm"])


def printed_coreference(summary: Summary) -> dict[str, float]:
    """The F1 of every metric as the CoNLL scorer prints it: running sums, percentages cut to two decimals."""
    figures = conll.printed_f1(conll.total_counts(summary))
    return {name: figures.get(name, 0.0) for name in _COREF_ORDER}


def _coreference(summary: Summary, gap: str) -> Iterator[str]:
    figures = printed_coreference(summary)
    yield "=======Final Mention Coreference Results========="
    for name in _COREF_ORDER:
        mark = " *" if name == "ceafm" else ""
        yield f"Metric : {name}\tScore{gap}{figures[name]:.2f}{mark}"
    yield f"Overall Average CoNLL score{gap}{conll.mean_of_printed(figures, averaged_metrics(summary)):.2f}"
    yield ""
    yield "* Score not included for final CoNLL score."


def document_averages(summary: Summary) -> dict[str, float]:
    """The mean of printed F1s of every document (v1.6.2): of four metrics, without MUC if no side has a cluster."""
    with_chains = {entry["document"]: entry["has_chains"] for entry in summary.diagnosis["documents"]}
    averages = {}
    for doc_id, counts in conll.counts_by_document(summary).items():
        names = ("bcub", "ceafe", "muc", "blanc") if with_chains[doc_id] else ("bcub", "ceafe", "blanc")
        figures = conll.printed_f1(counts)
        # A document that was left out because its average is 0 has no rows.
        averages[doc_id] = conll.mean_of_printed(figures, names) if figures else 0.0
    return averages


def _sequencing(summary: Summary) -> Iterator[str]:
    for title, measurement in LINK_SETS.items():
        f1, precision, recall = map(_rounded_percent, sequencing_figures(summary, measurement))
        yield f"=======Event Sequencing Results for {title} ======="
        yield "=== Temporal Awareness Score ==="
        yield "Evaluated considering implicit relations in recall as well"
        yield "Temporal Score\tF1\tP\tR"
        yield f"\t\t{f1}\t{precision}\t{recall}\t"
        yield f"Overall Temporal Awareness Score (F1 score): {f1}"
        yield ""


def sequencing_figures(summary: Summary, measurement: str) -> tuple[float, float, float]:
    """F1, precision and recall of a set of links; the credit of documents for recall is a running sum."""
    row = next(row for row in summary.corpus_rows() if row.measurement == measurement)
    precision, recall = row.score.precision or 0.0, row.score.recall or 0.0
    entries = _diagnosed_documents(summary)
    if summary.settings["official-summation-order"] and row.counts["gold_total"] and entries:
        earned = (entry["running"][measurement]["gold_credit"] for entry in entries)
        recall = conll.running_sum(earned) / row.counts["gold_total"]
    return harmonic_mean(precision, recall) or 0.0, precision, recall


def _diagnosed_documents(summary: Summary) -> Sequence[MentionsOfDocument]:
    entries: Sequence[MentionsOfDocument] = summary.diagnosis.get("documents", ())
    return entries


def six_places(figure: float) -> float:
    """A fraction rounded to six places; half-way cases go away from zero, as in Python 2: 5/128 is 0.039063."""
    from decimal import ROUND_HALF_UP, Decimal

    return float(Decimal(figure).quantize(Decimal("0.000001"), rounding=ROUND_HALF_UP))


def _rounded_percent(figure: float) -> str:
    """A fraction rounded to six places, as a percentage with at most four decimals and at least one."""
    text = f"{100 * six_places(figure):.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text


def _document_table(
    documents: Mapping[str, Mapping[str, ScoreRow]], measured: Sequence[str], empty: Empty
) -> Iterator[str]:
    width = max((len(in_bytes(doc_id)) for doc_id in documents), default=0)
    yield "\t".join([" " * width, "\t|\t".join(NAMES[name].rjust(18) for name in measured)])
    yield "\t".join(["Doc ID".rjust(width), "\t|\t".join(PRF for _ in measured)])
    for doc_id, rows in documents.items():
        figures = "\t|\t".join(_format_prf(_document_percentages(rows[name], empty)) for name in measured)
        yield f"{' ' * (width - len(in_bytes(doc_id)))}{doc_id}\t{figures}"


class TypeRow(NamedTuple):
    """One type of the official table: what its gold mentions earned, and how many mentions of it each side has."""

    name: str
    credit: float
    gold: float
    system: float

    @property
    def precision(self) -> float | None:
        """Precision; above 1 where system mentions of other types were paired with gold mentions of this one."""
        return ratio(self.credit, self.system)

    @property
    def recall(self) -> float:
        """Recall; a type without gold mentions has no row."""
        return self.credit / self.gold

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        return harmonic_mean(self.precision, self.recall)


def breakdowns(settings: Mapping[str, object]) -> tuple[str, ...]:
    """The breakdowns that the report needs: by document, and by type where the credit of single mentions is not known."""
    return ("doc",) if _credits_mentions(settings) else ("doc", "type")


def _credits_mentions(settings: Mapping[str, object]) -> bool:
    """Whether the tables count pairs of mentions one to one, so that the diagnosis knows what each mention earned."""
    return settings["pairing"] != "sets" and "detection" in _measures(settings)


def type_rows(summary: Summary) -> list[TypeRow]:
    """The rows by type of the gold mention, with the quirk from the pairs that agree on type and realis."""
    with_type = [name for name in _table_measurements(summary) if name.startswith("type")]
    if not with_type:
        return []
    measurement = with_type[-1] if summary.settings["type-table-from-type-and-realis"] else with_type[0]
    entries = _diagnosed_documents(summary)
    if not (entries and _credits_mentions(summary.settings)):
        return _type_rows_from_scores(summary, measurement)
    of_gold = grouped(
        pair
        for entry in entries
        for pair in zip(entry["types"]["gold"], entry["credits"][measurement], strict=True)
    )
    of_system = Counter(name for entry in entries for name in entry["types"]["system"])
    add = _summation(summary)
    return [TypeRow(key, add(earned), len(earned), of_system[key]) for key, earned in sorted(of_gold.items())]


def _type_rows_from_scores(summary: Summary, measurement: str) -> list[TypeRow]:
    """The rows from the scores by type, where the credit of single mentions is not known."""
    metric, names = _metric(summary), ("gold_credit", "gold_total", "system_total")
    return [
        TypeRow(row.by["type"], *(row.counts[name] for name in names))
        for row in summary.rows_by("type")
        if (row.measurement, row.metric) == (measurement, metric) and row.counts["gold_total"]
    ]


def _type_table(summary: Summary) -> Iterator[str]:
    yield "========Mention Type Results=========="
    rows = type_rows(summary)
    if not rows:
        return
    width = max(len(row.name) for row in rows)
    yield "\t".join(["Type".rjust(width), "Prec", "Rec", "F1", "#Gold", "#Sys"])
    for row in rows:
        figures = (f"{figure or 0:.2f}" for figure in (row.precision, row.recall, row.f1))
        yield "\t".join([row.name.rjust(width), *figures, str(row.gold), str(row.system)])


def _final_table(
    summary: Summary, documents: Mapping[str, Mapping[str, ScoreRow]], measured: Sequence[str]
) -> Iterator[str]:
    yield "\t".join([" " * 26, "Micro Average".rjust(18), "Macro Average".rjust(18)])
    yield "\t".join(["Attributes".rjust(26), PRF, PRF])
    for name in measured:
        rows = _averaged_rows(summary, (rows[name] for rows in documents.values()))
        if summary.settings["official-summation-order"]:
            empty = _empty(summary)
            scores = [_document_percentages(row, empty) for row in rows]
            averages = _micro_average(rows, empty), _macro_average(scores, conll.running_sum, empty)
        else:
            averages = _exact_average(summary, name, "micro"), _exact_average(summary, name, "macro")
        yield "\t".join([NAMES[name].rjust(26), *map(_format_prf, averages)])


def _averaged_rows(summary: Summary, rows: Iterable[ScoreRow]) -> list[ScoreRow]:
    """The documents that are averaged: those with gold mentions; without the quirk those with any mentions."""
    skip = summary.settings["skip-documents-without-gold"]
    return [row for row in rows if row.counts["gold_total"] or (row.counts["system_total"] and not skip)]


def _exact_average(summary: Summary, measurement: str, average: str) -> Score:
    """The average as the summary has it, from exact sums, in percent."""
    key = measurement, _metric(summary), average
    score = next(
        row.score for row in summary.corpus_rows() if (row.measurement, row.metric, row.average) == key
    )
    return Score(*(None if figure is None else 100 * figure for figure in score))


def _micro_average(rows: Sequence[ScoreRow], empty: Empty) -> Score:
    hundredfold = conll.running_sum(row.counts["gold_credit"] * 100 for row in rows)
    gold = sum(row.counts["gold_total"] for row in rows)
    return Score.of_credit(hundredfold, sum(row.counts["system_total"] for row in rows), gold, empty=empty)


def _macro_average(scores: Sequence[Score], add: Summation, empty: Empty) -> Score:
    """The score of the mean precision and the mean recall over documents."""
    precision = _mean([score.precision for score in scores], add, empty)
    return Score.of(precision, _mean([score.recall for score in scores], add, empty), empty=empty)


# --------------------------------------------------------------------------------------------------- the pilot


def _pilot_report(summary: Summary) -> str:
    rows = summary.rows_by("doc")
    spans = [row for row in rows if row.metric == _metric(summary)]
    accuracies = {(row.document, row.measurement): row for row in rows if row.metric == "accuracy"}
    lines = ["========Document results=========="]
    for row in spans:
        shares = [accuracies.get((row.document, attribute)) for attribute in ("type", "realis")]
        # Attributes that the run does not measure are shown as nan.
        figures = (*row.score[:3], *(share and share.score.value for share in shares))
        lines.append("TP\tFP\t#Gold\tPrec\tRecall\tF1\tType\tRealis\tDoc Id")
        lines.append(
            f"{row.counts['gold_credit']:.2f}\t{_false_positives(row):.2f}\t{row.counts['gold_total']:d}\t"
            + "\t".join(_format_figures(figures, 4))
            + f"\t{row.document}"
        )
    totals = _pilot_totals(summary, spans, [*accuracies.values()])
    return "\n".join([*lines, "", "=======Final Results=========", *totals, ""])


_PILOT_LINES = (
    "Precision ({} Average): ",
    "Recall ({} Average):",
    "F1 ({} Average):",
    "Mention type detection accuracy ({} Average):",
    "Mention realis status accuracy ({} Average):",
)
_MORE_BLANKS = {"Macro": ("Recall ({} Average):", "F1 ({} Average):")}
"""By average, the lines that end in a blank after the colon in its block only."""


def _pilot_totals(
    summary: Summary, spans: Sequence[ScoreRow], accuracies: Sequence[ScoreRow]
) -> Iterator[str]:
    empty, add = _empty(summary), _summation(summary)
    rows = _averaged_rows(summary, spans)
    of_attributes = [[row for row in accuracies if row.measurement == name] for name in ("type", "realis")]
    for average, score, value in (
        ("Micro", _pilot_micro_average(rows, add, empty), _micro_accuracy),
        ("Macro", _macro_average([row.score for row in rows], add, empty), _macro_accuracy),
    ):
        values = (value(found, add, empty) if found else None for found in of_attributes)
        for line, figure in zip(_PILOT_LINES, _format_figures((*score[:3], *values), 4), strict=True):
            blank = " " * (line in _MORE_BLANKS.get(average, ()))
            yield f"{line.format(average)}{blank}{figure}"


def _pilot_micro_average(rows: Sequence[ScoreRow], add: Summation, empty: Empty) -> Score:
    credit = add(row.counts["gold_credit"] for row in rows)
    false_positives = sum(_false_positives(row) for row in rows)
    gold = sum(row.counts["gold_total"] for row in rows)
    return Score.of_credit(credit, credit + false_positives, gold, empty=empty)


def _false_positives(row: ScoreRow) -> float:
    """A whole number of mentions; the tally holds its sum with the credit."""
    return float(round(row.counts["system_total"] - row.counts["system_credit"]))


def _mean(figures: Sequence[float | None], add: Summation, empty: Empty) -> float | None:
    """The mean over documents; an undefined figure counts as 0."""
    return ratio(add(figure or 0.0 for figure in figures), len(figures), empty=empty)


def _micro_accuracy(rows: Sequence[ScoreRow], add: Summation, empty: Empty) -> float | None:
    whole = sum(row.counts["whole"] for row in rows)
    return ratio(add(row.counts["part"] for row in rows), whole, empty=empty)


def _macro_accuracy(rows: Sequence[ScoreRow], add: Summation, empty: Empty) -> float | None:
    """The mean accuracy of the documents with gold mentions."""
    return _mean([row.score.value for row in rows if row.counts["whole"]], add, empty)


# -------------------------------------------------------------------------------------------- comparison file


def comparison(summary: Summary) -> str:
    """The comparison file (``-d``): each gold mention with its partner or partners, then spurious ones."""
    layout = _layout(summary)
    _metric(summary)  # refuses a run without the measure whose pairs the file shows
    lines = []
    for document in _diagnosed_documents(summary):
        lines.append(f"#BeginOfDocument {document['document']}")
        lines.extend(layout.comparison(summary, document))
        if summary.settings["coref"] == "on":
            lines.extend(_comparison_chains(document, with_commas=not layout.with_texts))
        lines.append("#EndOfDocument ")
    return "\n".join([*lines, ""]) if lines else ""


ShownPair = tuple[ShownMention, ShownMention | None, float | None]


def _run_name(summary: Summary, document: MentionsOfDocument) -> str:
    """The name of a run: in later versions that of its file, in earlier ones the one in the line of its first mention."""
    if _layout(summary).named_by_file:
        path = next(item.path for item in summary.inputs if item.role == "system")
        return path.replace("\\", "/").rpartition("/")[2]
    return str(document["run"])


def _one_to_one(summary: Summary, document: MentionsOfDocument) -> Iterator[str]:
    """The pairs of the span mapping, in the order of gold mentions."""
    entries: list[ShownPair] = [(one["gold"], one["system"], one["similarity"]) for one in document["pairs"]]
    entries += [(missed, None, None) for missed in document["missed"]]
    entries.sort(key=lambda entry: entry[0]["position"])
    with_texts = _layout(summary).with_texts
    in_characters = summary.settings["unit"] == "char"
    if in_characters:
        _check_offsets(document)

    def format_mention(mention: ShownMention) -> str:
        # Token ids as the line has them, repeats and invisible ones included.
        units = _offsets(mention) if in_characters else _written_columns(mention, document)[3]
        columns = [mention["id"], units, *mention["compared"].values()]
        return "\t".join([*columns, mention["text"]] if with_texts else columns)

    yield from _comparison_lines(_run_name(summary, document), entries, document["spurious"], format_mention)


def _many_to_one(summary: Summary, document: MentionsOfDocument) -> Iterator[str]:
    """The pilot's augmented measures: a line for every partner, by rising similarity."""
    gold, system = _mentions_by_side(document)
    partners = _partners(document)
    entries: list[ShownPair] = []
    for position, mention in enumerate(gold):
        found = sorted(partners.get(position, ()), key=lambda pair: pair["similarity"])
        entries += [(mention, system[pair["system"]], pair["similarity"]) for pair in found]
        if not found:
            entries.append((mention, None, None))
    paired = {pair["system"] for pair in document["partners"]}
    spurious = [mention for position, mention in enumerate(system) if position not in paired]

    def format_mention(mention: ShownMention) -> str:
        return "\t".join([mention["id"], ",".join(_compared_tokens(mention)), *mention["compared"].values()])

    yield from _comparison_lines(_run_name(summary, document), entries, spurious, format_mention)


def _comparison_lines(
    run: str,
    entries: Iterable[ShownPair],
    spurious: Iterable[ShownMention],
    format_mention: Callable[[ShownMention], str],
) -> Iterator[str]:
    for gold, system, score in entries:
        right = "-\t-" if system is None else f"{format_mention(system)}\t{score:.2f}"
        yield f"{run}\t{format_mention(gold)}\t|\t{right}"
    for mention in spurious:
        yield f"{run}\t-\t|\t{format_mention(mention)}\t-"


def _pilot_comparison(summary: Summary, document: MentionsOfDocument) -> Iterator[str]:
    """The pilot's original measures: the gold line, the best similarity, and every partner in the order taken.

    The words of a partner are those of the token table, their ASCII letters in lower case.
    """
    gold, system = _mentions_by_side(document)
    partners = _partners(document)
    run = _run_name(summary, document)
    for position, mention in enumerate(gold):
        found = partners.get(position, [])
        similarity = f"{found[0]['similarity']:.4f}" if found else "-"
        columns = [run, *_written_columns(mention, document)[1:], similarity]
        for pair in found:
            partner = system[pair["system"]]
            tokens = _compared_tokens(partner)
            words = " ".join(partner.get("words", {}).get(token) or "" for token in tokens)
            columns += ["|", ",".join(tokens), words.translate(_TO_LOWER), partner["type"], partner["realis"]]
        yield "\t".join(columns if found else [*columns, "|", "MISS"])


_TO_LOWER = str.maketrans(ascii_uppercase, ascii_lowercase)


def _mentions_by_side(document: MentionsOfDocument) -> tuple[list[ShownMention], list[ShownMention]]:
    """All mentions of both sides, in file order."""
    gold = [*(pair["gold"] for pair in document["pairs"]), *document["missed"]]
    system = [*(pair["system"] for pair in document["pairs"]), *document["spurious"]]
    return sorted(gold, key=_position), sorted(system, key=_position)


def _position(mention: ShownMention) -> int:
    return mention["position"]


def _partners(document: MentionsOfDocument) -> dict[int, list[Partner]]:
    return grouped((pair["gold"], pair) for pair in document["partners"])


def _comparison_chains(document: MentionsOfDocument, *, with_commas: bool) -> Iterator[str]:
    for side in ("gold", "system"):
        for members in document["chains"][side]:
            texts = (member["text"] or "" for member in members)
            shown = (text if with_commas else text.replace(",", "") for text in texts)
            named = ",".join(f"{member['id']}:{text}" for member, text in zip(members, shown, strict=True))
            yield f"@coref\t{side}\t{named}"


def _check_offsets(document: MentionsOfDocument) -> None:
    """Refuse spans so long that their offsets, written one by one, would fill memory."""
    mentions = chain.from_iterable(_mentions_by_side(document))
    size = sum(end - begin for mention in mentions for begin, end in _segments(mention))
    most = limit("tokens")
    if size > most:
        doc_id = document["document"]
        message = f"the comparison file would have {size} offsets of document {doc_id!r}, more than {most}"
        raise refuse(doc_id, "too-large", message, hint=hint_to_raise("tokens"))


def _segments(mention: ShownMention) -> Iterator[tuple[int, int]]:
    for segment in mention["span"].split(";") if mention["span"] else ():
        begin, _, end = segment.partition(",")
        yield int(begin), int(end)


def _offsets(mention: ShownMention) -> str:
    """Every offset of every segment, in written order."""
    return ",".join(str(offset) for begin, end in _segments(mention) for offset in range(begin, end))


def _written_columns(mention: ShownMention, document: MentionsOfDocument) -> list[str]:
    """The columns of the mention's line; those that TBF would have if it came from another format."""
    if "written" in mention:
        return str(mention["written"]).split("\t")
    return ["", document["document"], *(mention[name] for name in ("id", "span", "text", "type", "realis"))]


def _compared_tokens(mention: ShownMention) -> list[str]:
    """The token ids that are compared, in the order of a set of the official program."""
    tokens = mention["span"].split(",") if mention["span"] else []
    keys = set_order(in_bytes(token) for token in tokens)
    return [key.decode("utf-8", "surrogateescape") for key in keys]


LAYOUTS: Mapping[str, VersionTexts] = {
    "evmeval-1.8": VersionTexts(
        _detection_report, _one_to_one, type_table=True, named_by_file=True, with_texts=True
    ),
    "evmeval-1.6.3": VersionTexts(_detection_report, _one_to_one, gap=" : ", named_by_file=True),
    "evmeval-1.6.2": VersionTexts(_detection_report, _one_to_one, document_averages=True),
    "evmeval-1.2": VersionTexts(_augmented_report, _many_to_one, measures=("augmented",)),
    "evmeval-1.1": VersionTexts(_pilot_report, _pilot_comparison, measures=("original",)),
}
"""The versions, by the name in the setting ``official-layout``."""

"""The report and the comparison file of EvmEval, byte for byte.

The percentages are made as that program makes them: TP is multiplied by 100 before it is divided, and averages are
running sums over documents in the order of their ids.  Without the quirk ``official-summation-order`` sums are exact.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import cast

from lydite.errors import UsageError, refuse
from lydite.escaping import in_bytes
from lydite.grouping import grouped
from lydite.limits import limit, setting_of
from lydite.model import PlainSummary, Score, ScoreRow
from lydite.model.diagnosis import MentionsOfDocument, Partner, ShownMention
from lydite.model.tally import Empty, harmonic_mean, ratio
from lydite.records import NamedTuple
from lydite.report.official import conll
from lydite.set_order import set_order

NAMES = {
    "span": "plain",
    "type": "mention_type",
    "realis": "realis_status",
    "type+realis": "mention_type+realis_status",
}
PRF = "Prec  \tRec  \tF1   "


class Layout(NamedTuple):
    """The texts of one version: what they show, and how they differ from those of others."""

    report: Callable[[PlainSummary], str]
    comparison: Callable[[PlainSummary, MentionsOfDocument], Iterator[str]]
    """The lines about the mentions of a document."""
    measures: tuple[str, ...] = ("detection", "augmented")
    """What the tables show: the first of these measures that a run has."""
    type_table: bool = False
    document_averages: bool = False
    """Documents have a coreference average each."""
    gap: str = "\t"
    """What stands before a coreference figure."""
    named_by_file: bool = False
    """The comparison file calls a run what its file is called; other versions, what its first mention says."""
    texts: bool = False
    """The comparison file shows the words of mentions, and those of clusters without their commas."""


def report(summary: PlainSummary) -> str:
    """The report in the layout that the profile names."""
    return _layout(summary).report(summary)


def _layout(summary: PlainSummary) -> Layout:
    """The layout that the profile names."""
    return LAYOUTS[str(summary.settings["official-layout"])]


def _measures(settings: Mapping[str, object]) -> Collection[object]:
    return cast("Collection[object]", settings["measures"])


def _metric(summary: PlainSummary) -> str:
    """The metric of the tables; a run that has none of those that the layout shows is refused."""
    measures, measured = _layout(summary).measures, _measures(summary.settings)
    metric = next((measure for measure in measures if measure in measured), None)
    if metric is None:
        layout = summary.settings["official-layout"]
        raise UsageError(
            f"the official layout {layout} shows the measure {measures[0]!r}, which this run does not have",
            hint="choose another one with --official-layout, or other --measures",
        )
    return metric


Adding = Callable[[Iterable[float]], float]


def _adding(summary: PlainSummary) -> Adding:
    """How numbers are added up: as the official program does, or without rounding."""
    return conll.running_sum if summary.settings["official-summation-order"] else math.fsum


# ------------------------------------------------------------------------------------------------ 2015 to 2017


def _measured(summary: PlainSummary) -> list[str]:
    return [name for name in summary.measurements if name in NAMES]


def _documents(summary: PlainSummary) -> dict[str, dict[str, ScoreRow]]:
    """Rows of documents by id and measurement, in the order of the ids."""
    table: dict[str, dict[str, ScoreRow]] = {}
    metric = _metric(summary)
    for row in summary.rows_by("doc"):
        if row.metric == metric:
            table.setdefault(row.document or "", {})[row.measurement] = row
    return table


def _figures(figures: Iterable[float | None], places: int) -> list[str]:
    return ["nan" if figure is None else f"{figure:.{places}f}" for figure in figures]


def _triple(score: Score) -> str:
    return "\t".join(_figures(score[:3], 2))


def _empty(summary: PlainSummary) -> Empty:
    """The answer of the run to 0/0, which the official program does not define."""
    return cast("Empty", summary.settings["undefined"])


def _document_score(row: ScoreRow, empty: Empty) -> Score:
    """In percent: TP is multiplied by 100 before it is divided."""
    tally = row.counts
    precision = ratio(100 * tally["system_credit"], tally["system_total"], empty=empty)
    return Score.of(
        precision, ratio(100 * tally["gold_credit"], tally["gold_total"], empty=empty), empty=empty
    )


def _report(summary: PlainSummary) -> str:
    layout = _layout(summary)
    document_table, final_table = _tables(summary)
    lines = ["========Document Mention Detection Results==========", *document_table, ""]
    if layout.document_averages and summary.settings["coref"] == "on":
        lines += ["", *_document_coreference(summary), ""]
    if layout.type_table:
        lines += ["", *_type_table(summary), ""]
    lines += ["=======Final Mention Detection Results=========", *final_table]
    if summary.settings["coref"] == "on" and has_coreference(summary):
        lines += ["", *_coreference(summary, layout.gap)]
    if summary.settings["sequencing"] == "on":
        lines += ["", *_sequencing(summary)]
    return "\n".join([*lines, ""])


def _augmented_report(summary: PlainSummary) -> str:
    """The pilot's augmented measures: the two tables under other headlines."""
    document_table, final_table = _tables(summary)
    tables = (*document_table, "", "=======Final Results=========", *final_table)
    return "\n".join(["========Document results==========", *tables, ""])


def _tables(summary: PlainSummary) -> tuple[Iterator[str], Iterator[str]]:
    measured, documents = _measured(summary), _documents(summary)
    return _document_table(documents, measured, _empty(summary)), _final_table(summary, documents, measured)


# -------------------------------------------------------------------------------- coreference and sequencing

_COREF_ORDER = ("bcub", "ceafe", "ceafm", "muc", "blanc")
LINK_SETS = {"Subevent": "subevent", "After": "after", "All": "sequencing"}


def has_coreference(summary: PlainSummary) -> bool:
    """Whether there are coreference figures: where no document was scored there are none."""
    return any(row.measurement == "coref" for row in summary.corpus_rows())


def averaged(summary: PlainSummary) -> tuple[str, ...]:
    """The metrics that the official report averages, in the order in which it adds them."""
    return tuple(name for name in _COREF_ORDER if name != "ceafm" or summary.settings["average-with-ceafm"])


def printed_coreference(summary: PlainSummary) -> dict[str, float]:
    """The F1 of every metric as the CoNLL scorer prints it: running sums, percentages cut to two decimals."""
    figures = conll.printed_f1(conll.total(summary))
    return {name: figures.get(name, 0.0) for name in _COREF_ORDER}


def _coreference(summary: PlainSummary, gap: str) -> Iterator[str]:
    figures = printed_coreference(summary)
    yield "=======Final Mention Coreference Results========="
    for name in _COREF_ORDER:
        mark = " *" if name == "ceafm" else ""
        yield f"Metric : {name}\tScore{gap}{figures[name]:.2f}{mark}"
    yield f"Overall Average CoNLL score{gap}{conll.mean_of_printed(figures, averaged(summary)):.2f}"
    yield ""
    yield "* Score not included for final CoNLL score."


def document_averages(summary: PlainSummary) -> dict[str, float]:
    """The mean of printed F1s of every document (v1.6.2): of four metrics, without MUC if no side has a cluster."""
    with_chains = {entry["document"]: entry["has_chains"] for entry in summary.diagnosis["documents"]}
    averages = {}
    for doc_id, counts in conll.by_document(summary).items():
        names = ("bcub", "ceafe", "muc", "blanc") if with_chains[doc_id] else ("bcub", "ceafe", "blanc")
        figures = conll.printed_f1(counts)
        # A document that was left out because its average is 0 has no rows.
        averages[doc_id] = conll.mean_of_printed(figures, names) if figures else 0.0
    return averages


def _document_coreference(summary: PlainSummary) -> Iterator[str]:
    yield "========Document Mention Corefrence Results (CoNLL Average)=========="
    for doc_id, average in document_averages(summary).items():
        yield f"{doc_id}\t{average:.2f}"


def _sequencing(summary: PlainSummary) -> Iterator[str]:
    for title, measurement in LINK_SETS.items():
        f1, precision, recall = map(_rounded_percent, sequencing_figures(summary, measurement))
        yield f"=======Event Sequencing Results for {title} ======="
        yield "=== Temporal Awareness Score ==="
        yield "Evaluated considering implicit relations in recall as well"
        yield "Temporal Score\tF1\tP\tR"
        yield f"\t\t{f1}\t{precision}\t{recall}\t"
        yield f"Overall Temporal Awareness Score (F1 score): {f1}"
        yield ""


def sequencing_figures(summary: PlainSummary, measurement: str) -> tuple[float, float, float]:
    """F1, precision and recall of a set of links; the credit of documents for recall is a running sum."""
    row = next(row for row in summary.corpus_rows() if row.measurement == measurement)
    precision, recall = row.score.precision or 0.0, row.score.recall or 0.0
    entries = _entries(summary)
    if summary.settings["official-summation-order"] and row.counts["gold_total"] and entries:
        earned = (entry["running"][measurement]["gold_credit"] for entry in entries)
        recall = conll.running_sum(earned) / row.counts["gold_total"]
    return harmonic_mean(precision, recall) or 0.0, precision, recall


def _entries(summary: PlainSummary) -> Sequence[MentionsOfDocument]:
    """What the diagnosis says about the documents."""
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
        figures = "\t|\t".join(_triple(_document_score(rows[name], empty)) for name in measured)
        yield f"{' ' * (width - len(in_bytes(doc_id)))}{doc_id}\t{figures}"


class TypeRow(NamedTuple):
    """One type of the official table: what its gold mentions earned, and how many mentions of it each side has."""

    name: str
    credit: float
    gold: float
    system: float

    @property
    def precision(self) -> float | None:
        """Above 1 where system mentions of other types were paired with gold mentions of this one."""
        return ratio(self.credit, self.system)

    @property
    def recall(self) -> float:
        """A type without gold mentions has no row."""
        return self.credit / self.gold

    @property
    def f1(self) -> float | None:
        """From the two."""
        return harmonic_mean(self.precision, self.recall)


def breakdowns(settings: Mapping[str, object]) -> tuple[str, ...]:
    """By document; by type too where no credit of a mention is known."""
    return ("doc",) if _credits_mentions(settings) else ("doc", "type")


def _credits_mentions(settings: Mapping[str, object]) -> bool:
    """Whether the tables count pairs of mentions one to one, so that the diagnosis knows what each mention earned."""
    return settings["pairing"] != "sets" and "detection" in _measures(settings)


def type_rows(summary: PlainSummary) -> list[TypeRow]:
    """By type of the gold mention; with the quirk, from the last pairs that agree on type and more."""
    with_type = [name for name in _measured(summary) if name.startswith("type")]
    if not with_type:
        return []
    measurement = with_type[-1] if summary.settings["type-table-from-type-and-realis"] else with_type[0]
    entries = _entries(summary)
    if not (entries and _credits_mentions(summary.settings)):
        return _plain_type_rows(summary, measurement)
    of_gold = grouped(
        pair
        for entry in entries
        for pair in zip(entry["types"]["gold"], entry["credits"][measurement], strict=True)
    )
    of_system = Counter(name for entry in entries for name in entry["types"]["system"])
    add = _adding(summary)
    return [
        TypeRow(name, add(earned), len(earned), of_system[name]) for name, earned in sorted(of_gold.items())
    ]


def _plain_type_rows(summary: PlainSummary, measurement: str) -> list[TypeRow]:
    """From the figures by type, where it is not known what single mentions earned."""
    wanted, names = (measurement, _metric(summary)), ("gold_credit", "gold_total", "system_total")
    return [
        TypeRow(row.by["type"], *(row.counts[name] for name in names))
        for row in summary.rows_by("type")
        if (row.measurement, row.metric) == wanted and row.counts["gold_total"]
    ]


def _type_table(summary: PlainSummary) -> Iterator[str]:
    yield "========Mention Type Results=========="
    rows = type_rows(summary)
    if not rows:
        return
    width = max(len(row.name) for row in rows)
    yield "\t".join(["Type".rjust(width), "Prec", "Rec", "F1", "#Gold", "#Sys"])
    for row in rows:
        shown = (f"{figure or 0:.2f}" for figure in (row.precision, row.recall, row.f1))
        yield "\t".join([row.name.rjust(width), *shown, str(row.gold), str(row.system)])


def _final_table(
    summary: PlainSummary, documents: Mapping[str, Mapping[str, ScoreRow]], measured: Sequence[str]
) -> Iterator[str]:
    yield "\t".join([" " * 26, "Micro Average".rjust(18), "Macro Average".rjust(18)])
    yield "\t".join(["Attributes".rjust(26), PRF, PRF])
    for name in measured:
        rows = _averaged_rows(summary, (rows[name] for rows in documents.values()))
        if summary.settings["official-summation-order"]:
            empty = _empty(summary)
            scores = [_document_score(row, empty) for row in rows]
            averages = _micro(rows, empty), _macro(scores, conll.running_sum, empty)
        else:
            averages = _exact(summary, name, "micro"), _exact(summary, name, "macro")
        yield "\t".join([NAMES[name].rjust(26), *map(_triple, averages)])


def _averaged_rows(summary: PlainSummary, rows: Iterable[ScoreRow]) -> list[ScoreRow]:
    """The documents that averages are of: those with gold mentions, or without the quirk with any."""
    skip = summary.settings["skip-documents-without-gold"]
    return [row for row in rows if row.counts["gold_total"] or (row.counts["system_total"] and not skip)]


def _exact(summary: PlainSummary, measurement: str, average: str) -> Score:
    """The figures of the summary, whose sums are exact."""
    wanted = measurement, _metric(summary), average
    score = next(
        row.score for row in summary.corpus_rows() if (row.measurement, row.metric, row.average) == wanted
    )
    return Score(*(None if figure is None else 100 * figure for figure in score))


def _micro(rows: Sequence[ScoreRow], empty: Empty) -> Score:
    hundredfold = conll.running_sum(row.counts["gold_credit"] * 100 for row in rows)
    gold = sum(row.counts["gold_total"] for row in rows)
    system = sum(row.counts["system_total"] for row in rows)
    return Score.of_credit(hundredfold, system, gold, empty=empty)


def _macro(scores: Sequence[Score], add: Adding, empty: Empty) -> Score:
    """From the means over documents of P and of R."""
    precision = _mean([score.precision for score in scores], add, empty)
    return Score.of(precision, _mean([score.recall for score in scores], add, empty), empty=empty)


# --------------------------------------------------------------------------------------------------- the pilot


def _pilot_report(summary: PlainSummary) -> str:
    rows = summary.rows_by("doc")
    spans = [row for row in rows if row.metric == _metric(summary)]
    accuracies = {(row.document, row.measurement): row for row in rows if row.metric == "accuracy"}
    lines = ["========Document results=========="]
    for row in spans:
        shares = [accuracies.get((row.document, attribute)) for attribute in ("type", "realis")]
        # What a run was told not to measure is not known, and shown so.
        figures = (*row.score[:3], *(share and share.score.value for share in shares))
        lines.append("TP\tFP\t#Gold\tPrec\tRecall\tF1\tType\tRealis\tDoc Id")
        lines.append(
            f"{row.counts['gold_credit']:.2f}\t{_false_positives(row):.2f}\t{row.counts['gold_total']:d}\t"
            + "\t".join(_figures(figures, 4))
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
"""The lines that have a blank behind the colon in the one block and none in the other."""


def _pilot_totals(
    summary: PlainSummary, spans: Sequence[ScoreRow], accuracies: Sequence[ScoreRow]
) -> Iterator[str]:
    empty, add = _empty(summary), _adding(summary)
    rows = _averaged_rows(summary, spans)
    of_attributes = [
        [row for row in accuracies if row.measurement == attribute] for attribute in ("type", "realis")
    ]
    for average, score, value in (
        ("Micro", _pilot_micro(rows, add, empty), _share),
        ("Macro", _macro([row.score for row in rows], add, empty), _mean_value),
    ):
        values = (value(found, add, empty) if found else None for found in of_attributes)
        for line, figure in zip(_PILOT_LINES, _figures((*score[:3], *values), 4), strict=True):
            blank = " " * (line in _MORE_BLANKS.get(average, ()))
            yield f"{line.format(average)}{blank}{figure}"


def _pilot_micro(rows: Sequence[ScoreRow], add: Adding, empty: Empty) -> Score:
    credit = add(row.counts["gold_credit"] for row in rows)
    false_positives = sum(_false_positives(row) for row in rows)
    gold = sum(row.counts["gold_total"] for row in rows)
    return Score.of_credit(credit, credit + false_positives, gold, empty=empty)


def _false_positives(row: ScoreRow) -> float:
    """A whole number of mentions; the tally holds its sum with the credit."""
    return float(round(row.counts["system_total"] - row.counts["system_credit"]))


def _mean(figures: Sequence[float | None], add: Adding, empty: Empty) -> float | None:
    """The mean over documents; an undefined figure counts as 0."""
    return ratio(add(figure or 0.0 for figure in figures), len(figures), empty=empty)


def _share(rows: Sequence[ScoreRow], add: Adding, empty: Empty) -> float | None:
    whole = sum(row.counts["whole"] for row in rows)
    return ratio(add(row.counts["part"] for row in rows), whole, empty=empty)


def _mean_value(rows: Sequence[ScoreRow], add: Adding, empty: Empty) -> float | None:
    """Over documents with gold mentions, without which there is nothing to be right about."""
    return _mean([row.score.value for row in rows if row.counts["whole"]], add, empty)


# -------------------------------------------------------------------------------------------- comparison file


def comparison(summary: PlainSummary) -> str:
    """The comparison file (``-d``): each gold mention with its partner or partners, then spurious ones."""
    layout = _layout(summary)
    _metric(summary)  # refuses a run without the measure whose pairs the file shows
    lines = []
    for document in _entries(summary):
        lines.append(f"#BeginOfDocument {document['document']}")
        lines.extend(layout.comparison(summary, document))
        if summary.settings["coref"] == "on":
            lines.extend(_comparison_chains(document, with_commas=not layout.texts))
        lines.append("#EndOfDocument ")
    return "\n".join([*lines, ""]) if lines else ""


Entry = tuple[ShownMention, ShownMention | None, float | None]


def _run_name(summary: PlainSummary, document: MentionsOfDocument) -> str:
    """What a run is called: later versions take the name of its file, earlier ones what its first mention says."""
    if _layout(summary).named_by_file:
        path = next(item.path for item in summary.inputs if item.role == "system")
        return path.replace("\\", "/").rpartition("/")[2]
    return str(document["run"])


def _one_to_one(summary: PlainSummary, document: MentionsOfDocument) -> Iterator[str]:
    """By the span mapping."""
    entries: list[Entry] = [(pair["gold"], pair["system"], pair["similarity"]) for pair in document["pairs"]]
    entries += [(missed, None, None) for missed in document["missed"]]
    entries.sort(key=lambda entry: entry[0]["position"])
    with_texts = _layout(summary).texts
    in_characters = summary.settings["unit"] == "char"
    if in_characters:
        _check_offsets(document)

    def part(mention: ShownMention) -> str:
        # Token ids as the line has them, repeats and invisible ones included.
        units = _offsets(mention) if in_characters else _written_columns(mention, document)[3]
        columns = [mention["id"], units, *mention["compared"].values()]
        return "\t".join([*columns, mention["text"]] if with_texts else columns)

    yield from _lines(_run_name(summary, document), entries, document["spurious"], part)


def _many_to_one(summary: PlainSummary, document: MentionsOfDocument) -> Iterator[str]:
    """The pilot's augmented measures: a line for every partner, by rising similarity."""
    gold, system = _sides(document)
    partners = _partners(document)
    entries: list[Entry] = []
    for position, mention in enumerate(gold):
        found = sorted(partners.get(position, ()), key=lambda pair: pair["similarity"])
        entries += [(mention, system[pair["system"]], pair["similarity"]) for pair in found]
        if not found:
            entries.append((mention, None, None))
    taken = {pair["system"] for pair in document["partners"]}
    others = [mention for position, mention in enumerate(system) if position not in taken]

    def part(mention: ShownMention) -> str:
        return "\t".join([mention["id"], ",".join(_visible(mention)), *mention["compared"].values()])

    yield from _lines(_run_name(summary, document), entries, others, part)


def _lines(
    run: str, entries: Iterable[Entry], others: Iterable[ShownMention], part: Callable[[ShownMention], str]
) -> Iterator[str]:
    for gold, system, score in entries:
        right = "-\t-" if system is None else f"{part(system)}\t{score:.2f}"
        yield f"{run}\t{part(gold)}\t|\t{right}"
    for mention in others:
        yield f"{run}\t-\t|\t{part(mention)}\t-"


def _original(summary: PlainSummary, document: MentionsOfDocument) -> Iterator[str]:
    """The pilot's original measures: the gold line, the best similarity, and every partner in the order taken."""
    gold, system = _sides(document)
    partners = _partners(document)
    run = _run_name(summary, document)
    for position, mention in enumerate(gold):
        found = partners.get(position, [])
        columns = [
            run,
            *_written_columns(mention, document)[1:],
            f"{found[0]['similarity']:.4f}" if found else "-",
        ]
        for pair in found:
            partner = system[pair["system"]]
            tokens = _visible(partner)
            words = " ".join(partner.get("words", {}).get(token) or "" for token in tokens)
            columns += ["|", ",".join(tokens), words, partner["type"], partner["realis"]]
        yield "\t".join(columns if found else [*columns, "|", "MISS"])


def _sides(document: MentionsOfDocument) -> tuple[list[ShownMention], list[ShownMention]]:
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
    """Refuse to write offset by offset what two numbers said: a span of billions would fill memory."""
    mentions = chain.from_iterable(_sides(document))
    size = sum(end - begin for mention in mentions for begin, end in _segments(mention))
    most = limit("tokens")
    if size > most:
        doc_id = document["document"]
        message = f"the comparison file would have {size} offsets of document {doc_id!r}, more than {most}"
        raise refuse(doc_id, "too-many-tokens", message, hint=setting_of("tokens"))


def _segments(mention: ShownMention) -> Iterator[tuple[int, int]]:
    for segment in mention["span"].split(";") if mention["span"] else ():
        begin, _, end = segment.partition(",")
        yield int(begin), int(end)


def _offsets(mention: ShownMention) -> str:
    """Every offset of every segment, in written order."""
    return ",".join(str(offset) for begin, end in _segments(mention) for offset in range(begin, end))


def _written_columns(mention: ShownMention, document: MentionsOfDocument) -> list[str]:
    """The columns of the mention's line; of a mention that came from another format, as TBF would have them."""
    if "written" in mention:
        return str(mention["written"]).split("\t")
    named = (mention[name] for name in ("id", "span", "text", "type", "realis"))
    return ["", document["document"], *named]


def _visible(mention: ShownMention) -> list[str]:
    """The token ids that are compared, in the order of a set of the official program."""
    tokens = mention["span"].split(",") if mention["span"] else []
    keys = set_order(in_bytes(token) for token in tokens)
    return [key.decode("utf-8", "surrogateescape") for key in keys]


LAYOUTS: Mapping[str, Layout] = {
    "evmeval-1.8": Layout(_report, _one_to_one, type_table=True, named_by_file=True, texts=True),
    "evmeval-1.6.3": Layout(_report, _one_to_one, gap=" : ", named_by_file=True),
    "evmeval-1.6.2": Layout(_report, _one_to_one, document_averages=True),
    "evmeval-1.2": Layout(_augmented_report, _many_to_one, measures=("augmented",)),
    "evmeval-1.1": Layout(_pilot_report, _original, measures=("original",)),
}
"""By the name that the profile gives to its official layout."""

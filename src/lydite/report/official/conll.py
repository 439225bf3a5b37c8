"""The text of the CoNLL reference scorer 8.01 (totals, or documents too), NewsReader's table, the CorefUD scorer's text.

The scorer cuts percentages to two decimals, and it adds doubles one by one; both show in the last digit.  Its figures are
therefore made here, from the counts of the summary and the running sums of its diagnosis, and appear nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import cast

from lydite.errors import UsageError
from lydite.model import Score, ScoreRow, Summary, Tally
from lydite.model.cluster import ClusterTally, LinkTally
from lydite.model.diagnosis import ClustersOfDocument, ReadSide, RunningSums
from lydite.model.tally import amount, sum_of

NAMES = {"muc": "muc", "b-cubed": "bcub", "ceaf-m": "ceafm", "ceaf-e": "ceafe", "blanc": "blanc"}
"""The official names of the metrics, in the official order."""

RULE = "-" * 74


MetricCounts = Tally | ClusterTally | LinkTally
"""The counts that the official program adds up for a metric: two kinds of links for BLANC, else credit and totals."""


def report(summary: Summary) -> str:
    """The report in the layout that the profile names."""
    return _LAYOUTS[str(summary.settings["official-layout"])](summary)


def _scorer_text(summary: Summary, *, in_full: bool) -> str:
    """What the CoNLL scorer prints for ``all``: the totals of each metric, after every document if ``in_full``."""
    _refuse_other_definitions(summary)
    counts = total_counts(summary)
    if "mentions" not in counts or len(counts) == 1:
        raise UsageError(
            "the official layout v8.01 needs the metric mentions and at least one other",
            hint=f"--metrics mentions,{','.join(NAMES)}, or some of the others",
        )
    documents = counts_by_document(summary)
    diagnosed: Sequence[ClustersOfDocument] = summary.diagnosis["documents"]
    entries = [entry for entry in diagnosed if "place" in entry]
    entries.sort(key=lambda entry: entry["place"])
    only = summary.settings["only-document"]
    if in_full and only is not None and not entries:
        entries = [{"document": str(only), "echo": {"gold": None, "system": None}}]
        documents[str(only)] = {name: type(count)() for name, count in counts.items()}
    lines = ["version: 8.01 lydite"]
    for metric, name in NAMES.items():
        if metric in counts:
            shown = (
                _document_lines(metric, entry, documents[entry["document"]], named=only is not None)
                if in_full
                else _repeated_mentions(entry)
                for entry in entries
            )
            lines += ["", f"METRIC {name}:", *chain.from_iterable(shown), *_total_lines(metric, counts)]
    return "\n".join([*lines, ""])


_DEFINED_BY = {"match": "same", "ceafe-alignment": "phi4", "zero-division": "zero"}
"""The settings that the figures of the CoNLL scorer depend on; other layouts show other definitions, too."""


def _refuse_other_definitions(summary: Summary) -> None:
    for name, value in _DEFINED_BY.items():
        if summary.settings[name] != value:
            raise UsageError(
                f"the official layout v8.01 needs {name} = {value}, this run has {summary.settings[name]}",
                hint="--official-layout deliverable shows the figures of the run",
            )


def _document_lines(
    metric: str, entry: ClustersOfDocument, counts: Mapping[str, MetricCounts], *, named: bool
) -> Iterator[str]:
    """A document as the official program shows it: the clusters of both sides, six counts of mentions, the figures.

    A document that was asked for by name has its name before the clusters.  BLANC has no figures here, and a colon
    without a name.
    """
    name = entry["document"]
    if named:
        yield f"{name}:"
    for side in ("gold", "system"):
        yield from _clusters_as_read(name, entry["echo"][side])
    if not named:
        yield ":" if metric == "blanc" else f"{name}:"
    yield from _repeated_mentions(entry)
    correct, gold, _, system = _four_numbers(counts["mentions"])
    invented = system - correct + len(entry.get("copies", {}).get("gold", ()))
    yield f"Total key mentions: {gold}"
    yield f"Total response mentions: {system}"
    yield f"Strictly correct identified mentions: {correct}"
    yield "Partially correct identified mentions: 0"
    yield f"No identified: {gold - correct}"
    yield f"Invented: {invented}"
    if metric != "blanc":
        yield from _figure_lines("", counts[metric])


def _clusters_as_read(name: str, side: ReadSide | None) -> Iterator[str]:
    """The clusters of a side as they were read; without the name if the side lacks the document."""
    shown = name if side is not None else ""
    yield f"====> {shown}:"
    if side is not None:
        yield from (f"Discarded {item}" for item in side["discarded"])
    yield f"File {shown}:"
    if side is not None:
        yield from (f"Entity {place}: {' '.join(members)}" for place, members in enumerate(side["clusters"]))


def _repeated_mentions(entry: ClustersOfDocument) -> Iterator[str]:
    """Lines about mentions that occur again; the two numbers at the end have no blank between them."""
    copies = entry.get("copies", {})
    for first, last, before, again in copies.get("gold", ()):
        yield f"Repeated mention in the key: {first}, {last} {before}{again}"
    for first, last, number in copies.get("system", ()):
        yield f"Repeated mention in the response: {first}, {last} {number}{number}"


def _total_lines(metric: str, counts: Mapping[str, MetricCounts]) -> Iterator[str]:
    yield ""
    yield "====== TOTALS ======="
    yield from _figure_lines("Identification of Mentions: ", counts["mentions"])
    links = counts[metric]
    if not isinstance(links, LinkTally):
        yield from _figure_lines("Coreference: ", links)
        return
    yield ""
    yield "Coreference:"
    yield from _figure_lines("Coreference links: ", links.coreference)
    yield from _figure_lines("Non-coreference links: ", links.other)
    recall, precision, f1 = figures_of(links)
    yield f"BLANC: {_figures((recall, 1, precision, 1), (recall, precision, f1))}"
    yield RULE


def _figure_lines(title: str, counts: MetricCounts) -> Iterator[str]:
    yield title + _figures(_four_numbers(counts), figures_of(counts))
    yield RULE


def _four_numbers(counts: MetricCounts) -> tuple[float, ...]:
    """Numerator and denominator of recall, then those of precision."""
    names = ("gold_credit", "gold_total", "system_credit", "system_total")
    return tuple(amount(counts.as_dict(), name) for name in names)


def figures_of(counts: MetricCounts) -> tuple[float, float, float]:
    """Recall, precision and F1; 0/0 is 0."""
    score = counts.score(empty="zero")
    return score.recall or 0.0, score.precision or 0.0, score.f1 or 0.0


def _figures(counts: Sequence[float], figures: Sequence[float]) -> str:
    recall_credit, recall_total, precision_credit, precision_total = (f"{value:.15g}" for value in counts)
    recall, precision, f1 = map(format_percentage, figures)
    return (
        f"Recall: ({recall_credit} / {recall_total}) {recall}\t"
        f"Precision: ({precision_credit} / {precision_total}) {precision}\tF1: {f1}"
    )


def format_percentage(figure: float) -> str:
    """A percentage cut, not rounded, to two decimals: 2/3 is ``66.66%``, 3/4 is ``75%``."""
    return f"{cut_percent(figure):.15g}%"


def cut_percent(figure: float) -> float:
    """The percentage as a number: ``int(v * 10000) / 100`` in doubles."""
    return int(figure * 10000) / 100


def counts_by_document(summary: Summary) -> dict[str, dict[str, MetricCounts]]:
    """The counts of every document by metric."""
    diagnosed: Sequence[ClustersOfDocument] = summary.diagnosis["documents"]
    running: dict[str, RunningSums] = {entry["document"]: entry.get("running", {}) for entry in diagnosed}
    documents: dict[str, dict[str, MetricCounts]] = {name: {} for name in running}
    for row in summary.rows_by("doc"):
        if row.metric in _PRINTED_METRICS:
            documents[row.document or ""][row.metric] = _counts_of_row(row, running[row.document or ""])
    return documents


_PRINTED_METRICS = frozenset({"mentions", *NAMES})


def _counts_of_row(row: ScoreRow, running: RunningSums) -> MetricCounts:
    if row.metric == "blanc":
        return LinkTally().from_counts(row.counts)
    counts = Tally().from_counts(row.counts)
    if row.metric == "b-cubed" and running:
        return replace(counts, **running["b-cubed"])
    if row.metric == "ceaf-e" and running:
        credit = running["ceaf-e"]["credit"]
        return replace(counts, gold_credit=credit, system_credit=credit)
    return counts


def total_counts(summary: Summary) -> dict[str, MetricCounts]:
    """The counts of all documents, added one by one in the order of their names; 0 without documents."""
    totals: dict[str, MetricCounts] = {
        row.metric: LinkTally() if row.metric == "blanc" else Tally()
        for row in summary.corpus_rows()
        if row.metric in _PRINTED_METRICS
    }
    for counts in counts_by_document(summary).values():
        for name, part in counts.items():
            totals[name] = cast("MetricCounts", sum_of((totals[name], part)))
    return totals


def printed_f1(counts: Mapping[str, MetricCounts]) -> dict[str, float]:
    """The F1 of every metric as the official program prints it, under its official name."""
    return {NAMES[name]: cut_percent(figures_of(part)[2]) for name, part in counts.items() if name in NAMES}


def mean_of_printed(figures: Mapping[str, float], names: Sequence[str]) -> float:
    """The mean of printed percentages, added in the order given, as the event nugget scorer does for its averages."""
    return running_sum(figures[name] for name in names) / len(names)


def running_sum(numbers: Iterable[float]) -> float:
    """The sum of doubles added one after the other, as the official programs do."""
    # Not sum(): from Python 3.12 on it compensates rounding.
    total = 0.0
    for number in numbers:
        total += number
    return total


# ------------------------------------------------------------------------------------------------- NewsReader

_ROWS = (
    ("MUC", "muc"),
    ("B3", "b-cubed"),
    ("CEAFm", "ceaf-m"),
    ("CEAFe", "ceaf-e"),
    ("BLANC", "blanc"),
    ("MELA", "conll"),
)


def deliverable_table(summary: Summary) -> str:
    """The table of the deliverable: fractions with nine decimals, recall before precision; MELA has an F-measure only."""
    scores = _scores(summary, dict(_ROWS).values())
    lines = ["Metrics,Recall,Precision,F-measure"]
    for title, metric in _ROWS:
        if metric in scores:
            score = scores[metric]
            figures = (score.recall, score.precision, score.f1)
            lines.append(",".join([title, *("" if one is None else f"{one:.9f}" for one in figures)]))
    return "\n".join([*lines, ""])


def _scores(summary: Summary, known: Collection[str]) -> dict[str, Score]:
    """The corpus scores by metric; refused if none of them is of the metrics ``known`` to the layout."""
    scores = {row.metric: row.score for row in summary.corpus_rows() if row.average == "micro"}
    if not scores:
        raise UsageError(
            "official layouts show totals, which this run does not have", hint="--averages micro"
        )
    if scores.keys().isdisjoint(known):
        hint = f"it has {', '.join(known)}"
        raise UsageError("this official layout shows none of the metrics of this run", hint=hint)
    return scores


# ---------------------------------------------------------------------------------------------------- CorefUD

_COREFUD = {
    name: NAMES.get(name, name)
    for name in ("muc", "b-cubed", "ceaf-e", "ceaf-m", "blanc", "lea", "mor", "zero")
}
"""The names of the metrics, in the order of that scorer."""
_MATCHES = {"partial": "partial-corefud"}


def corefud_text(summary: Summary) -> str:
    """What the CorefUD scorer prints: two lines about the options, then percentages with two decimals, rounded."""
    settings = summary.settings
    if settings["match"] == "same":
        raise UsageError(
            "the official layout corefud needs mentions over nodes, this run has match = same",
            hint="--profile corefud pairs such mentions; --official-layout deliverable shows the figures of the run",
        )
    scores = _scores(summary, _COREFUD)
    measured = [metric for metric in _COREFUD if metric in scores]
    mentions = "coreferential mentions" + (", singletons" if settings["singletons"] == "keep" else "")
    match = _MATCHES.get(str(settings["match"]), settings["match"])
    evaluated = f"{mentions}, zeros (using {settings['zeros']} match method)"
    lines = [
        f"The scorer is evaluating {evaluated} using {match} match evaluation setting.",
        f"The following metrics will be evaluated: {', '.join(_COREFUD[metric] for metric in measured)}",
        "",
    ]
    for metric in measured:
        recall, precision, f1 = (
            f"{100 * (figure or 0.0):.2f}"
            for figure in (scores[metric].recall, scores[metric].precision, scores[metric].f1)
        )
        lines += [_COREFUD[metric], f"Recall: {recall}  Precision: {precision}  F1: {f1}"]
    if "conll" in scores:
        lines.append(f"CoNLL score: {100 * (scores['conll'].f1 or 0.0):.2f}")
    return "\n".join([*lines, ""])


_LAYOUTS: Mapping[str, Callable[[Summary], str]] = {
    "v8.01": partial(_scorer_text, in_full=False),
    "v8.01-documents": partial(_scorer_text, in_full=True),
    "deliverable": deliverable_table,
    "corefud": corefud_text,
}


# ------------------------------------------------------------------------------------------- comparison file


def differing_clusters(summary: Summary) -> str:
    """The clusters that are not the same on both sides: document, side, cluster, fate, and where its parts are."""
    columns = ("document", "side", "cluster", "mentions", "fate", "parts", "mentions without partner")
    documents: Sequence[ClustersOfDocument] = summary.diagnosis.get("documents", ())
    rows = (row for document in documents for row in _cluster_rows(document))
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))


def _cluster_rows(document: ClustersOfDocument) -> Iterator[Sequence[str]]:
    for side in ("gold", "system"):
        for cluster in document["clusters"][side]:
            if cluster["fate"] != "whole":
                yield (
                    document["document"],
                    side,
                    cluster["id"],
                    str(cluster["size"]),
                    cluster["fate"],
                    ", ".join(f"{name}: {count}" for name, count in cluster["parts"].items()),
                    ", ".join(cluster["missed"] if side == "gold" else cluster["spurious"]),
                )

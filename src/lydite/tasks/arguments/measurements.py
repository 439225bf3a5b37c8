"""The measurements: standard, strict and lax over assessed arguments; argument, link and overall score of 2015."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from operator import itemgetter

from lydite.metrics.assessed import MEASURES, Measure, standard, tally, tally_of
from lydite.metrics.linking import Figure, LinkingFigures, linking_figures
from lydite.model import DocumentPair, Figures, Score, ScoreRow, Tally
from lydite.model.argument_alignment import ArgumentCluster, RuleCounts
from lydite.model.outcome import PAIRED, UNPAIRED, Outcome
from lydite.model.tally import Counts
from lydite.model.verdict import GOLD
from lydite.pipeline.task import AnyMeasurement, Derived, Headline, Measurement
from lydite.results.averages import Average
from lydite.tasks.arguments import exact, links, sentences, strings_by_role, templates
from lydite.tasks.arguments.documents import ArgumentComparison, compare_prepared
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.settings import ArgumentSettings

COUNTS = "counts"
"""The metric of rows with counts and without a score."""

RULES = "rules"
"""The measurement that counts the arguments that each rule touched."""

MICRO = Average("micro", empty="zero")
FRAME_FIGURES: dict[str, Figure] = {"arguments": "argument", "linking": "link", "overall": "overall"}


COMPARISONS: Mapping[str, Callable[[DocumentPair, ArgumentSettings], ItemComparison]] = {
    "sentences": sentences.SentenceComparison,
    "links": links.LinkComparison,
    "templates": templates.TemplateComparison,
    "role-strings": strings_by_role.StringComparison,
}
"""The comparisons that are tables of items."""
_MEASUREMENTS: Mapping[str, Callable[[ArgumentSettings], Sequence[AnyMeasurement]]] = {
    "sentences": lambda _settings: sentences.measurements(),
    "links": lambda _settings: links.measurements(),
    "templates": templates.measurements,
    "role-strings": lambda _settings: strings_by_role.measurements(),
}


def headline(settings: ArgumentSettings) -> Headline:
    """Standard F1; the overall score where frames are scored; argument classification of the exact profile."""
    if settings.match != "assessment":
        first = measurements(settings)[0] if settings.match == "role-strings" else None
        metric = "relation-match" if settings.match in COMPARISONS else "detection"
        return Headline("ac", metric) if first is None else Headline(first.name, first.metric)
    if settings.frames:
        return Headline("overall", "linking", figure="value")
    return Headline("standard", "assessed")


def compare(pair: DocumentPair, settings: ArgumentSettings) -> exact.EventComparison | ItemComparison:
    """The comparison of a pair, which all measurements share."""
    if settings.match == "assessment":
        return compare_prepared(pair)
    if settings.match in COMPARISONS:
        return COMPARISONS[settings.match](pair, settings)
    return exact.compare_words(pair) if settings.match == "words" else exact.compare_spans(pair, settings)


def measurements(settings: ArgumentSettings) -> Sequence[AnyMeasurement]:
    """The measurements under a profile."""
    if settings.match in COMPARISONS:
        return _MEASUREMENTS[settings.match](settings)
    if settings.match != "assessment":
        return exact.measurements(given_triggers=settings.given == "triggers")
    assessed = [_assessed_measurement(name) for name in MEASURES]
    counts: Measurement[ArgumentComparison] = Measurement(
        RULES, COUNTS, lambda comparison: comparison.alignment.counts, (MICRO,), empty_counts=RuleCounts()
    )
    if not settings.frames:
        return [*assessed, counts]
    return [
        *(_frame_measurement(name, figure, settings) for name, figure in FRAME_FIGURES.items()),
        *assessed,
        counts,
    ]


def _assessed_measurement(name: str) -> Measurement[ArgumentComparison]:
    measure = MEASURES[name]
    return Measurement(
        name,
        "assessed",
        lambda comparison: tally_of(measure, comparison.alignment.cases),
        (MICRO,),
        {
            "type": partial(_by_type, measure),
            "role": lambda comparison: (
                (".".join(names), tally(*counts)) for names, counts in comparison.by_role[measure].items()
            ),
            "genre": partial(_by_genre, measure),
        },
        MICRO,
    )


def _by_type(measure: Measure, comparison: ArgumentComparison) -> Iterator[tuple[str, Tally]]:
    types: dict[str, list[int]] = {}
    for (event_type, _), counts in comparison.by_role[measure].items():
        known = types.get(event_type)
        types[event_type] = counts if known is None else [a + b for a, b in zip(known, counts, strict=True)]
    for event_type, counts in types.items():
        yield event_type, tally(*counts)


def _by_genre(measure: Measure, comparison: ArgumentComparison) -> Iterator[tuple[str, Tally]]:
    if comparison.by_role[measure]:
        yield comparison.genre, tally_of(measure, comparison.alignment.cases)


def _frame_measurement(
    name: str, figure: Figure, settings: ArgumentSettings
) -> Measurement[ArgumentComparison]:
    beta, share = settings.beta, settings.link_share

    def measure(comparison: ArgumentComparison) -> LinkingFigures:
        assert comparison.frames is not None
        return linking_figures(comparison.frames, shows=figure, beta=beta, share=share)

    return Measurement(
        name,
        "linking",
        measure,
        (MICRO,),
        document_score=_document_score,
        empty_counts=LinkingFigures(figure, beta, share),
    )


def _document_score(figures: Figures) -> Score:
    assert isinstance(figures, LinkingFigures)
    return figures.document_score()


UNASSESSED_RIGHT = "standard, unassessed right"


def derive(settings: ArgumentSettings) -> Sequence[Derived]:
    """The upper bound of the standard score, for which all unassessed arguments are right.

    The score itself is the lower bound: an argument that nobody assessed counts as wrong.  For the upper bound each
    selected argument without assessment becomes a true positive instead of a false one, and its cluster no miss.
    """
    del settings
    sources = ("standard", "assessed", "micro"), (RULES, COUNTS, "micro")
    return [Derived(UNASSESSED_RIGHT, "assessed", "micro", sources, _with_unassessed_right, _has_unassessed)]


def _has_unassessed(rows: Sequence[ScoreRow]) -> bool:
    return bool(rows[1].counts["unassessed_selected"])


def _with_unassessed_right(rows: Sequence[ScoreRow]) -> tuple[Score, Counts]:
    scored, rules = (row.counts for row in rows)
    selected, found = rules["unassessed_selected"], rules["unassessed_found"]
    best = Tally(
        scored["gold_credit"] + selected,
        scored["gold_total"] + selected - found,
        scored["system_credit"] + selected,
        scored["system_total"],
    )
    return best.score(empty="zero"), best.as_dict()


# --------------------------------------------------------------------------------------------------- outcomes


def outcomes(
    comparison: exact.EventComparison, _settings: ArgumentSettings, figure: Headline
) -> Sequence[Outcome] | None:
    """Clusters of gold with a good argument, paired if the system's is good; for events the members of the set.

    Good means what the measure asks for.  Frames count arguments as the standard measure does; their links are no items.
    """
    if isinstance(comparison, ItemComparison):
        from lydite.tasks.arguments.item_verdicts import gold_outcomes

        return gold_outcomes(comparison, figure)
    if not isinstance(comparison, ArgumentComparison):
        return comparison.outcomes(figure.measurement)
    measure = _MEASURES_OF_ITEMS.get(figure.measurement)
    if measure is None:
        return None
    rows = []
    for at, cluster in enumerate(comparison.alignment.clusters):
        tp, _, fn = measure(cluster.case)
        if tp or fn:
            rows.append(Outcome(GOLD, at, PAIRED if tp else UNPAIRED, name=_cluster_name(cluster)))
    return rows


_MEASURES_OF_ITEMS: Mapping[str, Measure] = {**MEASURES, "overall": standard, "arguments": standard}


@lru_cache(maxsize=1024)  # systems share the clusters of a document
def _cluster_name(cluster: ArgumentCluster) -> str:
    event_type, role, realis, filler = cluster.identity
    if isinstance(filler, int) and cluster.gold:
        text, (start, _) = cluster.gold[0].canonical
        if len(cluster.gold) > 1:
            text, (start, _) = min([argument.canonical for argument in cluster.gold], key=itemgetter(1))
        return f"{event_type}.{role} {realis} {text!r} at {start} ({filler})"
    return f"{event_type}.{role} {realis} {filler}"

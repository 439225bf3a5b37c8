"""Labelled spans: named entities and whatever else is tagged (CoNLL-2003, MUC, SemEval 2013)."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter

from lydite.metrics import METRICS
from lydite.metrics.spans import exact_by_type
from lydite.model import Figures
from lydite.model.span_alignment import SpanAlignment
from lydite.pipeline.task import Checks, Diagnosis, Headline, Measurement, PerDocument, Reading, Task
from lydite.results.averages import Average
from lydite.tasks.reading import check_documents, pair_documents
from lydite.tasks.spans.documents import (
    SpanComparison,
    check,
    check_pair,
    check_submission,
    diagnose,
    prepare,
    severity,
)
from lydite.tasks.spans.grounding import choose_format, match_documents
from lydite.tasks.spans.outcomes import outcomes
from lydite.tasks.spans.settings import METRIC_OF, SpanSettings
from lydite.tasks.strings.wrapping import with_strings

_ALIGNMENTS = dict.fromkeys(("entity", "types", "types-weighted"), "unpaired") | {"overlap": "by_overlap"}
"""The alignment behind a measure, where it is not the one by rank."""
MICRO = Average("micro", empty="zero")


def headline(settings: SpanSettings) -> Headline:
    """The first measure of the profile."""
    first = settings.measures[0]
    return Headline(first, METRIC_OF[first])


def measurements(settings: SpanSettings) -> list[Measurement[SpanComparison]]:
    """The measures of the profile."""
    return [_measurement(name, METRICS[METRIC_OF[name]].measure) for name in settings.measures]


def _measurement(name: str, metric: Callable[[SpanAlignment], Figures]) -> Measurement[SpanComparison]:
    alignment: Callable[[SpanComparison], SpanAlignment] = attrgetter(_ALIGNMENTS.get(name, "by_rank"))
    return Measurement(
        name,
        METRIC_OF[name],
        lambda comparison: metric(alignment(comparison)),
        (MICRO,),
        breakdowns={"type": lambda both: exact_by_type(both.unpaired)} if name == "entity" else {},
        part_average=MICRO,
        empty_counts=metric(SpanAlignment((), (), ())),
    )


_OF_OFFSETS = Task(
    name="spans",
    title="Labelled spans",
    layers=("mentions", "tags"),
    default_profile="conll03",
    settings=SpanSettings,
    headline=headline,
    measurements=measurements,
    compare=PerDocument(SpanComparison, prepare=prepare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,),
        submission=(check_submission,),
        corpora=(check_documents,),
        pair=(check_pair,),
        severity=severity,
    ),
    reading=Reading(choose_format=choose_format, match_documents=match_documents),
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose),
    explained_at="lydite.tasks.spans.verdicts:OF_OFFSETS",
    examples=(
        ("spans gold.bio system.bio", "F1 of named entities, as conlleval"),
        ("spans gold.jsonl system.jsonl --by type", "broken down by type"),
        ("spans gold/ system/ --profile semeval2013", "brat folders, four schemata"),
        ("spans gold.bio --runs runs/", "one table, best first"),
    ),
    cite=("tjongkimsang2003conll", "segurabedmar2013semeval"),
)

SPANS = with_strings(_OF_OFFSETS, "entities", "lydite.tasks.spans.verdicts:EXPLAINER")

"""Labelled spans: named entities and whatever else is tagged (CoNLL-2003, MUC, SemEval 2013)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import attrgetter

from lydite.errors import UsageError
from lydite.metrics import METRICS
from lydite.metrics.spans import exact_by_type
from lydite.model import Figures
from lydite.model.span_alignment import SpanAlignment
from lydite.pipeline.task import (
    AnyMeasurement,
    Checks,
    Diagnosis,
    Headline,
    Measurement,
    PerDocument,
    Reading,
    Task,
)
from lydite.results.averages import Average
from lydite.tasks.reading import pair_documents
from lydite.tasks.relations.documents import check_corpora
from lydite.tasks.relations.measurements import MATCH
from lydite.tasks.spans import entities
from lydite.tasks.spans.documents import (
    SpanComparison,
    check,
    check_pair,
    check_submission,
    prepare,
    severity,
)
from lydite.tasks.spans.grounding import choose_format
from lydite.tasks.spans.settings import LEVELS, METRIC_OF, SpanSettings
from lydite.tasks.strings.wrapping import with_strings

_ALIGNMENTS = dict.fromkeys(("entity", "types", "types-weighted"), "unpaired") | {"overlap": "by_overlap"}
"""The alignment behind a measure, where it is not the one by rank."""
MICRO = Average("micro", empty="zero")


def headline(settings: SpanSettings) -> Headline:
    """The first measure of the profile."""
    first = settings.measures[0]
    return Headline(first, MATCH if settings.of == "sentences" else METRIC_OF[first])


def measurements(settings: SpanSettings) -> Sequence[AnyMeasurement]:
    """The measures of the profile."""
    if settings.of == "sentences":
        return entities.measurements(settings)
    if LEVELS in settings.measures:
        raise UsageError(f"{LEVELS!r} is measured of sentences alone", hint="--profile oneie")
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
    compare=PerDocument(entities.compare, prepare=prepare, pair_documents=pair_documents),
    checks=Checks(
        document=(check,),
        submission=(check_submission,),
        corpora=(check_corpora,),
        pair=(check_pair,),
        severity=severity,
    ),
    reading=Reading(
        choose_format=choose_format,
        infer_profile=entities.infer_profile,
        decide=entities.decide,
        match_documents=entities.match_documents,
    ),
    outcomes=entities.outcomes_of,
    diagnosis=Diagnosis(entities.diagnose),
    explained_at="lydite.tasks.spans.explaining:OF_OFFSETS",
    examples=(
        ("spans gold.bio system.bio", "F1 of named entities, as conlleval"),
        ("spans gold.jsonl system.jsonl --by type", "broken down by type"),
        ("spans gold/ system/ --profile semeval2013", "brat folders, four schemata"),
        ("spans gold.bio --runs runs/", "one table, best first"),
    ),
    cite=("tjongkimsang2003conll", "segurabedmar2013semeval"),
)

SPANS = with_strings(_OF_OFFSETS, "entities", "lydite.tasks.spans.explaining:EXPLAINER")

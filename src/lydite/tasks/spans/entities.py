"""Entities of sentences as the programs of relation extraction count them, in place of spans that are each there once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lydite.errors import UsageError
from lydite.formats import FORMATS
from lydite.formats.base import ALL_LAYERS
from lydite.model import Corpus, DocumentPair
from lydite.model.graphs import GRAPHS
from lydite.model.outcome import Outcome
from lydite.pipeline.task import AnyMeasurement, Headline
from lydite.profile import Profile
from lydite.tasks.relations import documents as relation_documents
from lydite.tasks.relations import outcomes
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.documents import known_program
from lydite.tasks.relations.measurements import item_measurement, mean_over_types
from lydite.tasks.spans import grounding
from lydite.tasks.spans.documents import SpanComparison
from lydite.tasks.spans.documents import diagnose as diagnose_spans
from lydite.tasks.spans.outcomes import outcomes as outcomes_of_spans
from lydite.tasks.spans.settings import SpanSettings


def compare(pair: DocumentPair, settings: SpanSettings) -> SpanComparison | GraphComparison:
    """The spans of both sides, or the entities of their sentences."""
    return GraphComparison(pair, settings) if settings.of == "sentences" else SpanComparison(pair, settings)


def measurements(settings: SpanSettings) -> Sequence[AnyMeasurement]:
    """The measures of the profile, and their means over types."""
    found: list[AnyMeasurement] = []
    for name in settings.measures:
        found.append(item_measurement(name))
        if "types" in settings.macro:
            found.append(mean_over_types(name))
    return found


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Sentences with entities are compared as exact, and not as tags are."""
    return known_program(corpora) if all(has_sentences(corpus) for corpus in corpora) else None


def has_sentences(corpus: Corpus) -> bool:
    """Whether the format of a corpus is one of sentences with entities; an empty system has any format."""
    return not corpus.format or GRAPHS in FORMATS[corpus.format].layers


def decide(profile: Profile[SpanSettings], corpora: Sequence[Corpus]) -> Mapping[str, object]:
    """Refuses files without sentences under a profile that compares these."""
    if profile.settings.of == "sentences":
        for corpus in corpora:
            if not has_sentences(corpus) and ALL_LAYERS not in FORMATS[corpus.format].layers:
                hint = "choose a profile of spans: --profile exact, for instance"
                raise UsageError(
                    f"profile {profile.name!r} compares entities of sentences; {corpus.path} is {corpus.format}",
                    hint=hint,
                )
    return {}


AnyComparison = SpanComparison | GraphComparison


def match_documents(
    gold: Corpus, systems: Sequence[Corpus], settings: SpanSettings
) -> tuple[Corpus, Sequence[Corpus]]:
    """Sentences as relations match them; with grounding, words placed in the text."""
    if settings.ground:
        return grounding.match_documents(gold, systems, settings)
    return relation_documents.match_documents(gold, systems, settings)


def outcomes_of(
    comparison: AnyComparison, settings: SpanSettings, figure: Headline
) -> Iterable[Outcome] | None:
    """What became of spans, or of the gold entities of sentences."""
    if isinstance(comparison, GraphComparison):
        return outcomes.gold_outcomes(comparison, settings, figure)
    return outcomes_of_spans(comparison, settings, figure)


def diagnose(comparison: AnyComparison) -> Mapping[str, object]:
    """Pairs, missed and spurious spans or entities."""
    if isinstance(comparison, GraphComparison):
        return outcomes.diagnose(comparison)
    return diagnose_spans(comparison)

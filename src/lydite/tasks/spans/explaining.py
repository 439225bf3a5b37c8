"""Why spans and entities of sentences count: each by the outcomes of its comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lydite.model import Document
from lydite.model.outcome import Outcome
from lydite.model.verdict import Confusion, Corrections, Explained, Explainer, Judge, Side
from lydite.tasks.paired import why_unscored
from lydite.tasks.relations import corrections, outcomes
from lydite.tasks.relations import verdicts as relations
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.names import Names
from lydite.tasks.spans import verdicts as spans
from lydite.tasks.spans.entities import AnyComparison
from lydite.tasks.spans.settings import SpanSettings
from lydite.tasks.strings.verdicts import with_strings


def _outcomes(explained: Explained[AnyComparison], settings: SpanSettings) -> Iterable[Outcome]:
    comparison = explained.comparison
    if isinstance(comparison, GraphComparison):
        found = outcomes.outcomes(comparison, comparison.headline)
        return relations.rows_of(comparison.pair, Names(comparison.pair, comparison), found)
    return spans.outcomes(explained, settings)  # type: ignore[arg-type]


def _left_out(document: Document, side: Side, settings: SpanSettings) -> Iterator[Outcome]:
    if settings.of == "sentences":
        why = why_unscored(document, settings.only_document)
        return relations.left_out_items(document, side, why, lambda pair: GraphComparison(pair, settings))
    return spans.left_out(document, side, settings)


def _find_faults(explained: Explained[AnyComparison], settings: SpanSettings) -> Corrections[Document]:
    if isinstance(explained.comparison, GraphComparison):
        return corrections.RelationCorrections(explained, settings)  # type: ignore[arg-type]
    return spans.OF_OFFSETS.find_faults(explained, settings)  # type: ignore[misc, arg-type]


def _faults(settings: SpanSettings) -> tuple[str, ...]:
    return corrections.FAULTS if settings.of == "sentences" else spans.OF_OFFSETS.faults(settings)


def _confusions(comparison: AnyComparison, settings: SpanSettings) -> Iterable[Confusion]:
    if isinstance(comparison, GraphComparison):
        return relations.type_confusions(comparison, settings)
    return spans.OF_OFFSETS.confusions["type"](comparison, settings)


def _text(explained: Explained[AnyComparison]) -> str | None:
    if isinstance(explained.comparison, GraphComparison):
        return relations.words(explained)  # type: ignore[arg-type]
    return spans.text(explained)  # type: ignore[arg-type]


OF_OFFSETS: Explainer[SpanSettings, AnyComparison] = Explainer(
    causes=spans.CAUSES,
    headline=Judge(_outcomes, _left_out),
    faults=_faults,
    find_faults=_find_faults,
    confusions={"type": _confusions},
    text=_text,
)
EXPLAINER = with_strings(OF_OFFSETS)

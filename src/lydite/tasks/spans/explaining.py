"""Why spans and entities of sentences count: each by the outcomes of its comparison."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lydite.model import Document
from lydite.model.verdict import Confusion, Explained, Explainer, Judge, Mending, Side, Verdict
from lydite.tasks.paired import why_unscored
from lydite.tasks.relations import mends, outcomes
from lydite.tasks.relations import verdicts as relations
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.names import Names
from lydite.tasks.spans import verdicts as spans
from lydite.tasks.spans.entities import AnyComparison
from lydite.tasks.spans.mends import SpanFaults
from lydite.tasks.spans.settings import SpanSettings


def _verdicts(explained: Explained[AnyComparison], settings: SpanSettings) -> Iterable[Verdict]:
    comparison = explained.comparison
    if isinstance(comparison, GraphComparison):
        found = outcomes.outcomes(comparison, comparison.headline)
        names = Names(comparison.pair, comparison)
        return relations.verdicts_of(explained.doc_id, comparison.pair, names, found)
    return spans.verdicts(explained, settings)  # type: ignore[arg-type]


def _left_out(document: Document, side: Side, settings: SpanSettings) -> Iterator[Verdict]:
    if settings.of == "sentences":
        why = why_unscored(document, settings.only_document)
        return relations.left_out_items(document, side, why, lambda pair: GraphComparison(pair, settings))
    return spans.left_out(document, side, settings)


def _find_faults(explained: Explained[AnyComparison], settings: SpanSettings) -> Mending[Document]:
    if isinstance(explained.comparison, GraphComparison):
        return mends.RelationFaults(explained, settings)  # type: ignore[arg-type]
    return SpanFaults(explained, settings)  # type: ignore[arg-type]


def _faults(settings: SpanSettings) -> tuple[str, ...]:
    return mends.FAULTS if settings.of == "sentences" else spans.EXPLAINER.faults(settings)


def _confusions(comparison: AnyComparison, settings: SpanSettings) -> Iterable[Confusion]:
    if isinstance(comparison, GraphComparison):
        return relations.type_confusions(comparison, settings)
    return spans.EXPLAINER.confusions["type"](comparison, settings)


def _text(explained: Explained[AnyComparison]) -> str | None:
    if isinstance(explained.comparison, GraphComparison):
        return relations.words(explained)  # type: ignore[arg-type]
    return spans.text(explained)  # type: ignore[arg-type]


EXPLAINER: Explainer[SpanSettings, AnyComparison] = Explainer(
    causes=spans.CAUSES,
    headline=Judge(_verdicts, _left_out),
    faults=_faults,
    find_faults=_find_faults,
    confusions={"type": _confusions},
    text=_text,
)

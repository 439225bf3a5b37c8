"""Scorers for spaCy pipelines: ``lydite.coref.v1``, ``lydite.nugget.v1``, ``lydite.spans.v1``.

In a pipeline's configuration::

    [components.coref.scorer]
    @scorers = "lydite.coref.v1"
    profile = "conll-8.01"

Spans are compared by character offsets, so that the two sides may be tokenised differently.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import spacy
from spacy.tokens import Doc, Span
from spacy.training import Example

from lydite.streaming.metric import Metric

Scorer = Callable[..., dict[str, float]]


@spacy.registry.scorers("lydite.coref.v1")
def make_coref_scorer(profile: str | None = None, prefix: str = "coref_clusters") -> Scorer:
    """Clusters are the span groups ``prefix_1``, ``prefix_2`` …"""

    def clusters(doc: Doc) -> list[list[tuple[int, int]]]:
        return [
            [(span.start_char, span.end_char) for span in group]
            for key, group in doc.spans.items()
            if key.startswith(f"{prefix}_")
        ]

    return _scorer("coref", profile, clusters)


@spacy.registry.scorers("lydite.nugget.v1")
def make_nugget_scorer(profile: str | None = None, key: str = "events") -> Scorer:
    """Mentions are the spans of the group ``key``, with their labels as types."""
    return _scorer("nugget", profile, lambda doc: [_labelled_span(span) for span in doc.spans.get(key, ())])


@spacy.registry.scorers("lydite.spans.v1")
def make_spans_scorer(profile: str | None = "exact", key: str | None = None) -> Scorer:
    """Labelled spans are the entities of the document, or the spans of the group ``key``."""
    return _scorer(
        "spans",
        profile,
        lambda doc: [_labelled_span(span) for span in (doc.ents if key is None else doc.spans.get(key, ()))],
    )


def _scorer(task: str, profile: str | None, read: Callable[[Doc], Sequence[object]]) -> Scorer:
    Metric(task, profile)  # Refuses wrong settings now, not after an epoch.

    def score(examples: Iterable[Example], **_options: object) -> dict[str, float]:
        metric = Metric(task, profile)
        pairs = [(read(example.reference), read(example.predicted)) for example in examples]
        if not pairs:
            return {}
        metric.update([gold for gold, _ in pairs], [system for _, system in pairs])
        return {f"lydite/{name}": value for name, value in metric.compute_dict().items()}

    return score


def _labelled_span(span: Span) -> tuple[int, int, str]:
    return span.start_char, span.end_char, span.label_

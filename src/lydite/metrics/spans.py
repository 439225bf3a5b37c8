"""Labelled spans: the same span with the same type, the schemata of MUC and SemEval 2013, and overlap.

All of them see a :class:`~lydite.model.span_alignment.SpanAlignment`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter

from lydite.metrics.base import Law, MetricDeclaration
from lydite.metrics.coreference import sum_of_fractions
from lydite.model import Tally
from lydite.model.cluster import ClusterTally
from lydite.model.span_alignment import SchemaTally, SpanAlignment, SpanPair, TypeTally


def exact(alignment: SpanAlignment) -> Tally:
    """Spans that both sides have, with equal place and type, over the spans of a side."""
    common = len(set(alignment.gold).intersection(alignment.system))
    return Tally(common, len(alignment.gold), common, len(alignment.system))


def exact_by_type(alignment: SpanAlignment) -> Iterator[tuple[str, Tally]]:
    """The same for the spans of each type."""
    ours, theirs = ([span.type for span in side] for side in (alignment.gold, alignment.system))
    common = [span.type for span in set(alignment.gold).intersection(alignment.system)]
    for name in sorted({*ours, *theirs}):
        credit = common.count(name)
        yield name, Tally(credit, ours.count(name), credit, theirs.count(name))


def by_type(alignment: SpanAlignment) -> TypeTally:
    """The mean over types."""
    return TypeTally(dict(exact_by_type(alignment)))


def by_type_weighted(alignment: SpanAlignment) -> TypeTally:
    """The mean over types, each weighed by its gold spans."""
    return TypeTally(dict(exact_by_type(alignment)), weighted=True)


def _schema(
    is_correct: Callable[[SpanPair], bool], *, half_credit: bool = False
) -> Callable[[SpanAlignment], SchemaTally]:
    """The metric of a schema: pairs for which ``is_correct`` is false are incorrect, or earn half."""

    def measure(alignment: SpanAlignment) -> SchemaTally:
        gold, system, pairs = alignment
        paired, correct = len(pairs), sum(map(is_correct, pairs))
        incorrect, partial = (0, paired - correct) if half_credit else (paired - correct, 0)
        return SchemaTally(correct, incorrect, partial, len(gold) - paired, len(system) - paired)

    return measure


strict = _schema(lambda pair: pair.same_place and pair.same_type)
boundaries, types = _schema(attrgetter("same_place")), _schema(attrgetter("same_type"))
partial_boundaries = _schema(attrgetter("same_place"), half_credit=True)


def muc(alignment: SpanAlignment) -> SchemaTally:
    """Two slots of every span, its type and its text, added up (MUC-6)."""
    return types(alignment) + boundaries(alignment)


def overlap(alignment: SpanAlignment) -> ClusterTally:
    """A pair earns its Dice coefficient, exactly."""
    credit = sum_of_fractions((2 * one.common, one.gold_size + one.system_size) for one in alignment.pairs)
    return ClusterTally(credit, len(alignment.gold), credit, len(alignment.system))


_metric = partial(MetricDeclaration, domain="spans")

SPAN_EXACT = _metric(
    "span-exact",
    "Spans",
    "tjongkimsang2003conll",
    exact,
    "a boundary that is off by one costs as much as a missed span, twice",
)
SPAN_TYPES = _metric(
    "span-types",
    "Spans, mean over types",
    "tjongkimsang2003conll",
    by_type,
    "a type with one span weighs as much as one with thousands",
)
SPAN_TYPES_WEIGHTED = _metric(
    "span-types-weighted",
    "Spans, mean over types weighed by gold",
    "tjongkimsang2003conll",
    by_type_weighted,
    "types that only the system has cost nothing",
    ((Law.SWAP, "types are weighed by their share of gold on both sides"),),
)
SPAN_STRICT = _metric(
    "span-strict",
    "Strict schema",
    "segurabedmar2013semeval",
    strict,
    "as the plain figure, with wrong pairs told from missed spans",
)
SPAN_BOUNDARIES = _metric(
    "span-boundaries", "Exact boundaries, any type", "segurabedmar2013semeval", boundaries, "blind to types"
)
SPAN_PARTIAL = _metric(
    "span-partial",
    "Half credit for overlap, any type",
    "segurabedmar2013semeval",
    partial_boundaries,
    "blind to types; one shared character earns half",
)
SPAN_TYPE = _metric(
    "span-type", "Type, any overlap", "segurabedmar2013semeval", types, "one shared character is enough"
)
SPAN_MUC = _metric(
    "span-muc",
    "MUC: type and text",
    "grishman1996muc",
    muc,
    "half of the credit is blind to types, half to boundaries",
)
SPAN_OVERLAP = _metric(
    "span-overlap", "Overlap (Dice)", "dice1945measures", overlap, "long spans forgive more than short ones"
)

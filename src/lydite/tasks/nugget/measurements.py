"""What is measured on event nuggets, and how documents are averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial
from itertools import combinations

from lydite.align.attributes import NORMALISATIONS
from lydite.align.comparison import MentionComparison
from lydite.checks.ontology import inventories
from lydite.errors import UsageError
from lydite.metrics.detection import (
    ExchangedMucCounts,
    MucCounts,
    TwoSidedShare,
    attribute_accuracy,
    best_partners,
    by_value,
    detection,
    muc_partial,
    original_detection,
)
from lydite.model import Alignment, DocumentPair, Figures, Score, ScoreRow, Share, Tally
from lydite.model.mention import NOT_ANNOTATED
from lydite.model.outcome import Outcome, pair_outcomes
from lydite.pipeline.task import Derived, Headline, Measurement
from lydite.results.averages import Average
from lydite.tasks.nugget import coreference
from lydite.tasks.nugget.documents import ATTRIBUTES_LAYER
from lydite.tasks.nugget.settings import ATTRIBUTES, NuggetSettings

SPAN = "span"


def measurement_name(agree: tuple[str, ...]) -> str:
    """``span`` for no attribute, else the attributes joined by ``+``."""
    return "+".join(agree) or SPAN


def compared_attributes(settings: NuggetSettings) -> tuple[str, ...]:
    """The attributes under evaluation in their own order, in whatever order they were named."""
    return tuple(name for name in ATTRIBUTES if name in settings.attributes)


def attribute_sets(settings: NuggetSettings) -> list[tuple[str, ...]]:
    """All combinations of the attributes under evaluation, smallest first: (), type, realis, type+realis."""
    attributes = compared_attributes(settings)
    return [subset for size in range(len(attributes) + 1) for subset in combinations(attributes, size)]


MUC_PARTIAL, ORIGINAL_V1_0 = "muc-partial", "original-v1.0"
_OF_ATTRIBUTE_SETS = ("detection", "augmented")
"""The measures that are taken for every combination of attributes."""


def headline(settings: NuggetSettings) -> Headline:
    """Micro F1 with all attributes under evaluation, or of spans where no measure takes attributes into account."""
    measures = (*_OF_ATTRIBUTE_SETS, *_MEASUREMENTS)
    metric = next(measure for measure in measures if measure in settings.measures)
    return Headline(measurement_name(headline_attributes(settings)), metric)


def headline_attributes(settings: NuggetSettings) -> tuple[str, ...]:
    """The attributes that a mention must have right under the headline, beside its span."""
    return () if set(_OF_ATTRIBUTE_SETS).isdisjoint(settings.measures) else compared_attributes(settings)


def headline_alignment(comparison: MentionComparison, settings: NuggetSettings) -> Alignment:
    """The pairs that the headline counts."""
    return _alignment_of(comparison, settings, headline(settings).metric, headline_attributes(settings))


def _alignment_of(
    comparison: MentionComparison, settings: NuggetSettings, measure: str, agree: tuple[str, ...]
) -> Alignment:
    """The pairs that a metric counts; under the pilot's measures, except muc-partial, the best partners."""
    if measure == "detection":
        return comparison.align(agree)
    if measure == MUC_PARTIAL:
        return _muc_alignment(comparison, settings)
    return augmented_alignment(comparison, agree)


def compare(pair: DocumentPair, settings: NuggetSettings) -> MentionComparison:
    """The two sides of a prepared pair with their candidates."""
    normalise = NORMALISATIONS[settings.normalisation]
    with_placeholder = () if settings.placeholder_never_matches else settings.placeholder
    return MentionComparison(
        pair,
        pair.gold.layers.get(ATTRIBUTES_LAYER, _NO_VALUES),
        pair.system.layers.get(ATTRIBUTES_LAYER, _NO_VALUES),
        similarity=settings.similarity,
        pairing=settings.pairing,
        placeholder={attribute: normalise(NOT_ANNOTATED) for attribute in with_placeholder},
        count_repeats=settings.count_repeated_characters,
        chains=coreference.chain_rule(settings),
        link_rule=coreference.link_rule(settings),
        link_order=coreference.link_order(settings, pair.doc_id),
        several_partners=not {"augmented", "original"}.isdisjoint(settings.measures),
    )


_NO_VALUES: dict[str, Sequence[str]] = {"type": (), "realis": ()}


# ----------------------------------------------------------------------------------------------------- averages


def _has_gold(figures: Figures) -> bool:
    return bool(_totals(figures)[0])


def _is_not_empty(figures: Figures) -> bool:
    return any(_totals(figures))


def _totals(figures: Figures) -> tuple[float, float]:
    if isinstance(figures, Tally):
        return figures.gold_total, figures.system_total
    if isinstance(figures, TwoSidedShare):
        return figures.share.whole, figures.system_total
    assert isinstance(figures, Share)
    return figures.whole, 0


def averages(settings: NuggetSettings) -> tuple[Average, Average]:
    """Micro and macro.

    With the quirk ``skip-documents-without-gold`` only documents with gold mentions take part in either.  Without it
    every document counts in micro, and in macro every document that is not empty on both sides.
    """
    empty = settings.undefined
    if settings.skip_documents_without_gold:
        return Average("micro", _has_gold, empty=empty), Average("macro", _has_gold, empty=empty)
    return Average("micro", empty=empty), Average("macro", _is_not_empty, empty=empty)


# ------------------------------------------------------------------------------------------------- measurements


def measurements(settings: NuggetSettings) -> list[Measurement[MentionComparison]]:
    """The measurements of a profile, the headline's metric first."""
    if "multiplicative" in settings.measures and "original" not in settings.measures:
        raise UsageError(
            "measure multiplicative is a product of the figures of original",
            hint="--measures original,multiplicative",
        )
    measurements: list[Measurement[MentionComparison]] = []
    for measure in settings.measures:
        if measure in _MEASUREMENTS:
            measurements.extend(_MEASUREMENTS[measure](settings))
    measurements.extend(coreference.measurements(settings))
    return measurements


Align = Callable[[MentionComparison, tuple[str, ...]], Alignment]
"""The pairs whose mentions agree on some attributes."""


def _measurements_by_attributes(
    settings: NuggetSettings, *, metric: str, align: Align
) -> Iterable[Measurement[MentionComparison]]:
    for agree in attribute_sets(settings):
        by_type = partial(_by_type, align=align, agree=agree, how=settings.normalisation)
        yield Measurement(
            measurement_name(agree),
            metric,
            partial(_measure_pairs, align=align, agree=agree),
            averages(settings),
            breakdowns={"type": by_type},
            part_average=Average("micro", empty=settings.undefined),
        )


def _measure_pairs(comparison: MentionComparison, *, align: Align, agree: tuple[str, ...]) -> Tally:
    return detection(align(comparison, agree))


def _by_type(
    comparison: MentionComparison, *, align: Align, agree: tuple[str, ...], how: str
) -> Iterable[tuple[str, Tally]]:
    alignment = align(comparison, agree)
    gold, system = comparison.gold_columns["type"], comparison.system_columns["type"]
    if alignment.gold is not comparison.gold.mentions:
        # Where sets of keys are compared, a key has a type only if types must agree.
        if "type" not in agree:
            return ()
        place = 1 + agree.index("type")
        gold, system = ([key[place] for key in side] for side in (alignment.gold, alignment.system))
    return ((shown_type(value, how), tally) for value, tally in by_value(alignment, gold, system))


@lru_cache(maxsize=4096)
def shown_type(value: str, how: str) -> str:
    """The usual spelling of a normalised type (``Conflict_Attack``), or the value if no inventory has it."""
    return _spellings(how).get(value, value)


@lru_cache(maxsize=4)
def _spellings(how: str) -> dict[str, str]:
    normalise = NORMALISATIONS[how]
    return {normalise(name): name for types in inventories().values() for name in types if "_" in name}


# --------------------------------------------------------------------------------------------- the pilot study


def augmented_alignment(comparison: MentionComparison, agree: tuple[str, ...]) -> Alignment:
    """Every gold mention with the best of its partners that agrees, by a mapping made without attributes (Algorithm 4)."""
    shared = comparison.many_to_one
    best = best_partners(
        pair
        for pair in shared.pairs
        if all(comparison.agrees(attribute, pair.gold, pair.system) for attribute in agree)
    )
    return Alignment(shared.gold, shared.system, tuple(best))


def _original_measurements(settings: NuggetSettings) -> Iterable[Measurement[MentionComparison]]:
    """Algorithms 1 to 3 as in version 1.1: every gold document, a missing realis always right."""
    micro, macro = averages(settings)
    yield Measurement(SPAN, "original", _original_measure(settings), (micro, macro))
    for attribute in compared_attributes(settings):
        # Only realis has an exception for NOT_ANNOTATED in version 1.1.
        lenient = attribute == "realis"
        yield Measurement(
            attribute,
            "accuracy",
            partial(_measure_accuracy, attribute=attribute, lenient=lenient),
            (micro, macro._replace(of="value")),
            empty_counts=Share(),
        )


def _original_measurements_v1_0(settings: NuggetSettings) -> Iterable[Measurement[MentionComparison]]:
    """The same as in version 1.0: only documents in both files, no exception for a missing realis.

    A document whose precision or recall is undefined, because one side is empty, is left out of every average.
    """
    micro, macro = (average._replace(includes=_is_defined) for average in averages(settings))
    yield Measurement(
        SPAN, ORIGINAL_V1_0, _if_system_has_document(_original_measure(settings)), (micro, macro)
    )
    for attribute in compared_attributes(settings):
        yield Measurement(
            attribute,
            "accuracy-v1.0",
            _if_system_has_document(partial(_measure_strict_accuracy, attribute=attribute)),
            (micro, macro._replace(of="value")),
            empty_counts=TwoSidedShare(Share()),
        )


def _is_defined(figures: Figures) -> bool:
    return all(_totals(figures))


def _measure_strict_accuracy(comparison: MentionComparison, *, attribute: str) -> TwoSidedShare:
    share = _measure_accuracy(comparison, attribute=attribute, lenient=False)
    return TwoSidedShare(share, len(comparison.system.mentions))


def _original_measure(settings: NuggetSettings) -> Callable[[MentionComparison], Tally]:
    printed = settings.misses_as_false_positives
    return lambda comparison: original_detection(comparison.many_to_one, misses_as_alarms=printed)


def _measure_accuracy(comparison: MentionComparison, *, attribute: str, lenient: bool) -> Share:
    gold, system = comparison.gold_columns[attribute], comparison.system_columns[attribute]
    placeholder = comparison.placeholder.get(attribute) if lenient else None
    return attribute_accuracy(comparison.many_to_one, gold, system, placeholder)


def _if_system_has_document(
    measure: Callable[[MentionComparison], Figures],
) -> Callable[[MentionComparison], Figures | None]:
    return lambda comparison: measure(comparison) if comparison.system.present else None


def _muc_measurements(settings: NuggetSettings) -> Iterable[Measurement[MentionComparison]]:
    average = Average("micro", empty=settings.undefined)
    exchanged = settings.muc_denominators_exchanged
    yield Measurement(
        SPAN,
        MUC_PARTIAL,
        lambda comparison: muc_partial(_muc_alignment(comparison, settings), exchanged=exchanged),
        (average,),
        empty_counts=ExchangedMucCounts() if exchanged else MucCounts(),
    )


def _muc_alignment(comparison: MentionComparison, settings: NuggetSettings) -> Alignment:
    """The greedy alignment, or the one with the highest F: an exact pair is worth 1, a partial one 0.5."""
    if settings.muc_alignment != "best":
        return comparison.align_greedily()
    from lydite.align.optimal import pair_optimally

    candidates = {pair[:2]: pair for pair in comparison.candidates}
    weighted = [one if one.similarity == 1 else one._replace(similarity=0.5) for one in comparison.candidates]
    pairs = tuple(candidates[pair[:2]] for pair in pair_optimally(weighted))
    return Alignment(comparison.gold.mentions, comparison.system.mentions, pairs)


_MEASUREMENTS: dict[str, Callable[[NuggetSettings], Iterable[Measurement[MentionComparison]]]] = {
    "detection": partial(_measurements_by_attributes, metric="detection", align=MentionComparison.align),
    "augmented": partial(_measurements_by_attributes, metric="augmented", align=augmented_alignment),
    "original": _original_measurements,
    ORIGINAL_V1_0: _original_measurements_v1_0,
    MUC_PARTIAL: _muc_measurements,
}


def derive(settings: NuggetSettings) -> Sequence[Derived]:
    """The multiplicative combination of the pilot paper: micro F1 of spans times micro accuracies."""
    if not {"multiplicative", "original"} <= set(settings.measures):
        return ()
    return [
        Derived(
            measurement_name((SPAN, *agree)).replace("+", "*"),
            "multiplicative",
            "micro",
            ((SPAN, "original", "micro"), *((attribute, "accuracy", "micro") for attribute in agree)),
            _multiply,
        )
        for agree in attribute_sets(settings)[1:]
    ]


def _multiply(rows: Sequence[ScoreRow]) -> tuple[Score, Mapping[str, float]]:
    span, *accuracies = rows
    product = 1.0
    for factor in (span.score.f1, *(row.score.value for row in accuracies)):
        if factor is None:
            return Score(), {}
        product = product * factor
    return Score(value=product), {}


# --------------------------------------------------------------------------------------------------- outcomes


def outcomes(
    comparison: MentionComparison, settings: NuggetSettings, figure: Headline
) -> list[Outcome] | None:
    """The mentions under a figure; they agree if their spans are equal and the attributes of the figure agree.

    Clusters, links and products have no mentions of their own.
    """
    agree = next(
        (one for one in attribute_sets(settings) if measurement_name(one) == figure.measurement), None
    )
    if agree is None or figure.metric not in _METRICS_OF_MENTIONS:
        return None
    return _outcomes_in(_alignment_of(comparison, settings, figure.metric, agree))


_METRICS_OF_MENTIONS = {*_MEASUREMENTS, "accuracy", "accuracy-v1.0"}


def span_outcomes(comparison: MentionComparison) -> list[Outcome]:
    """The mentions under the alignment of spans, whatever their attributes."""
    return _outcomes_in(comparison.align_spans())


def _outcomes_in(alignment: Alignment) -> list[Outcome]:
    similarities = {(gold, system): similarity for gold, system, similarity in alignment.pairs}
    # Where sets of keys are compared, an item is a key.
    gold, system = (
        [item.id if hasattr(item, "id") else " ".join(map(str, item)) for item in side]
        for side in (alignment.gold, alignment.system)
    )
    return pair_outcomes(
        gold, system, similarities, lambda ours, theirs: {SPAN: similarities[ours, theirs] == 1}
    )

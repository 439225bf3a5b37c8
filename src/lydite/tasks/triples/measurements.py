"""The measurements of triples, by the profile's way of giving credit."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeVar

from lydite.metrics.triples import (
    FIRST_COME,
    TRIPLE_COVERAGE,
    TRIPLE_MATCH,
    CoverageCounts,
    ElementCounts,
    ExtractionRuleCounts,
    HitCounts,
    MatchCounts,
    RelationCounts,
    count_pairs,
)
from lydite.model import Figures
from lydite.model.outcome import Outcome, pair_outcomes
from lydite.model.tally import amount
from lydite.model.triple import Triple
from lydite.pipeline.task import AnyMeasurement, Headline, Measurement
from lydite.results.averages import Average
from lydite.tasks.triples.comparison import (
    ELEMENTS,
    MODES,
    SAME_MODES,
    AnyComparison,
    Credit,
    FirstComeComparison,
    TripleComparison,
    headline_mode,
)
from lydite.tasks.triples.settings import TripleSettings

R = TypeVar("R")
Breakdown = Callable[..., Iterable[tuple[str, Figures]]]
MICRO = Average("micro")
MACRO = Average("macro", of="each")
UNARY = "unary_triples"
DEBUG = "debug"
"""The prefix of the measurements of the reference's debug run."""


def headline(settings: TripleSettings) -> Headline:
    """Partial ids with the same relation, or without relation if relations are ignored."""
    if settings.matching == "first-come":
        return Headline(headline_mode(settings), FIRST_COME.name)
    metric = TRIPLE_COVERAGE if settings.matching == "coverage" else TRIPLE_MATCH
    return Headline(headline_mode(settings), metric.name)


def measurements(settings: TripleSettings) -> Sequence[AnyMeasurement]:
    """The measurements under a profile, the headline's condition first."""
    if settings.matching == "first-come":
        no_elements = ElementCounts() if settings.greedy_elements else MatchCounts()
        return (*_first_come_measurements(headline_mode(settings), no_elements), *_unary(settings))
    modes = sorted(MODES, key=lambda mode: mode != headline_mode(settings))
    measurements: list[AnyMeasurement] = []
    if settings.matching != "coverage":
        measurements.extend(map(_one_to_one, modes))
    if settings.matching != "one-to-one":
        measurements.extend(map(_coverage, modes))
    measurements.extend(_unary(settings))
    return (*measurements, *(_elements(f"{name}{kind}") for name in ELEMENTS for kind in ("", "_exact")))


def relation_name(value: str, figures: Figures) -> str:
    """The spelling under which a relation is shown."""
    return figures.name if isinstance(figures, RelationCounts) else value


def by_size(value: str, figures: Figures) -> tuple[int, int, str]:
    """Parts with more gold triples first, then those with more system triples, then by name."""
    counts = figures.as_dict()
    return -amount({"gold_total": 0, **counts}, "gold_total"), -amount(counts, "system_total"), value


_averaged = partial(Measurement, averages=(MICRO, MACRO))


def _one_to_one(mode: str) -> AnyMeasurement:
    breakdowns: dict[str, Breakdown] = {"profile": partial(TripleComparison.by_profile, mode=mode)}
    if mode in SAME_MODES:
        breakdowns["relation"] = partial(TripleComparison.by_relation, mode=mode)
    return _averaged(
        name=mode,
        metric=TRIPLE_MATCH.name,
        measure=partial(TripleComparison.matched, mode=mode),
        breakdowns=breakdowns,
        part_name=relation_name,
        part_order=by_size,
        empty_counts=MatchCounts(),
        part_empty_counts={"profile": ExtractionRuleCounts()},
    )


def _coverage(mode: str) -> AnyMeasurement:
    return _averaged(
        name=mode,
        metric=TRIPLE_COVERAGE.name,
        measure=partial(TripleComparison.coverage, mode=mode),
        empty_counts=CoverageCounts(),
    )


def _unary(settings: TripleSettings) -> Iterator[AnyMeasurement]:
    """The triples without second element by the headline's condition and by equal ids, where they count apart."""
    if settings.unary != "apart":
        return
    mode = headline_mode(settings)
    for name, condition in ((UNARY, mode), (f"{UNARY}_exact", mode.replace("partial", "exact"))):
        if settings.matching == "first-come":
            one = _first_come(name, condition, partial(_credit_under, condition))
        else:
            one = (_coverage if settings.matching == "coverage" else _one_to_one)(condition)
        breakdowns = {by: partial(_of_unary, part) for by, part in one.breakdowns.items()}
        yield one._replace(name=name, measure=partial(_of_unary, one.measure), breakdowns=breakdowns)


def _credit_under(mode: str, comparison: FirstComeComparison) -> Credit:
    return comparison.plain if mode == comparison.headline else comparison.debug[mode]


def _of_unary(measure: Callable[[AnyComparison], R], comparison: AnyComparison) -> R:
    assert comparison.unary is not None
    return measure(comparison.unary)


def _elements(name: str) -> AnyMeasurement:
    element, _, kind = name.partition("_")
    return _averaged(
        name=f"{element}_elements{'_' + kind if kind else ''}",
        metric=TRIPLE_MATCH.name,
        measure=lambda comparison: count_pairs(comparison.elements[name]),
        empty_counts=MatchCounts(),
    )


def _first_come_measurements(mode: str, no_elements: Figures) -> Sequence[AnyMeasurement]:
    plain = _first_come(mode, mode, lambda comparison: comparison.plain)
    debug = [_debug_run(other) for other in MODES]
    return (plain, *debug, *(_greedy_elements(name, no_elements) for name in ELEMENTS))


def _first_come(
    name: str,
    mode: str,
    credit: Callable[[FirstComeComparison], Credit],
    extra: Mapping[str, Breakdown] | None = None,
) -> AnyMeasurement:
    def by_relation(comparison: FirstComeComparison) -> Iterable[tuple[str, Figures]]:
        return comparison.by_relation(credit(comparison))

    breakdowns: dict[str, Breakdown] = dict(extra or {})
    if mode in SAME_MODES or name == mode:
        # The plain run has a table per relation even when its headline ignores relations.
        breakdowns["relation"] = by_relation
    return Measurement(
        name=name,
        metric=FIRST_COME.name,
        measure=lambda comparison: comparison.counts(credit(comparison)),
        breakdowns=breakdowns,
        part_order=by_size,
        empty_counts=MatchCounts(),
        part_empty_counts={"profile": HitCounts()},
    )


def _debug_run(mode: str) -> AnyMeasurement:
    extra: dict[str, Breakdown] = {"profile": partial(FirstComeComparison.by_profile, mode=mode)}
    return _first_come(f"{DEBUG}:{mode}", mode, lambda comparison: comparison.debug[mode], extra)


def _greedy_elements(name: str, nothing: Figures) -> AnyMeasurement:
    return Measurement(
        name=f"{name}_elements",
        metric=FIRST_COME.name,
        measure=lambda comparison: comparison.element_counts(name),
        empty_counts=nothing,
    )


# --------------------------------------------------------------------------------------------------- outcomes


def outcomes(
    comparison: AnyComparison, settings: TripleSettings, figure: Headline
) -> Sequence[Outcome] | None:
    """Triples, paired if they are credited under the figure's condition; or elements, paired if they have a partner.

    The greedy counts of elements have no items.
    """
    mode = figure.measurement
    if mode.startswith(UNARY):
        assert comparison.unary is not None
        comparison = comparison.unary
        mode = (
            headline_mode(settings).replace("partial", "exact") if mode != UNARY else headline_mode(settings)
        )
    if isinstance(comparison, FirstComeComparison):
        if "_elements" in mode:
            return None
        name = mode.removeprefix(f"{DEBUG}:")
        credit = comparison.debug[name] if mode != comparison.headline else comparison.plain
        gold, system = (
            {item.position: at for at, item in enumerate(items)}
            for items in (comparison.gold_items, comparison.system_items)
        )
        return pair_outcomes(
            [_triple_id(item.triple) for item in comparison.gold_items],
            [_triple_id(item.triple) for item in comparison.system_items],
            ((gold[one.gold.position], system[one.system.position]) for one in credit.credited),
        )
    if "_elements" in mode:
        alignment = comparison.elements[mode.replace("_elements", "")]
        gold_names, system_names = (
            [",".join(sorted(one.ids)) for one in side] for side in (alignment.gold, alignment.system)
        )
    else:
        covered = figure.metric == TRIPLE_COVERAGE.name
        alignment = comparison.covering_alignment(mode) if covered else comparison.alignments[mode]
        gold_names, system_names = (
            [_triple_id(one) for one in side] for side in (alignment.gold, alignment.system)
        )
    return pair_outcomes(gold_names, system_names, (pair[:2] for pair in alignment.pairs))


def _triple_id(triple: Triple) -> str:
    first, second = (",".join(element.ids) for element in (triple.first, triple.second))
    return f"{triple.relation}({first}; {second})" if second else f"{triple.relation}({first})"

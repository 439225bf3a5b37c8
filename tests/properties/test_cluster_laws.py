"""Every law over every cluster metric that claims it, and a position on every law."""

from __future__ import annotations

import random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from lydite.metrics import METRICS
from lydite.metrics.base import Law, Metric
from lydite.model import Figures
from lydite.model.cluster import ClusterAlignment

Partition = list[tuple[int, ...]]

CLUSTER_METRICS = [metric for metric in METRICS.values() if metric.domain == "clusters"]


def claiming(law: Law) -> list[Metric]:
    return [metric for metric in CLUSTER_METRICS if law in metric.laws]


def clusters(labels: list[int]) -> Partition:
    found: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append(mention)
    return [tuple(members) for members in found.values()]


@st.composite
def alignments(draw: st.DrawFn, least: int = 0) -> ClusterAlignment:
    size = draw(st.integers(least, 14))
    sides = [draw(st.lists(st.integers(-1, 5), min_size=size, max_size=size)) for _ in range(2)]
    return ClusterAlignment.of(*map(clusters, sides))


def figures(tally: Figures) -> tuple[float, ...]:
    return tuple(figure for figure in tally.score(empty="zero") if figure is not None)


def test_every_cluster_metric_has_taken_a_position_on_every_law() -> None:
    for metric in CLUSTER_METRICS:
        excepted = {law for law, why in metric.exceptions if why}
        assert set(metric.laws) | excepted == set(Law), metric.name
        assert not set(metric.laws) & excepted, metric.name
        assert metric.weaknesses, metric.name
        assert metric.cite, metric.name


@pytest.mark.parametrize("metric", claiming(Law.SELF), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(1))
def test_a_system_equal_to_gold_scores_one(metric: Metric, alignment: ClusterAlignment) -> None:
    assume(alignment.gold)
    same = ClusterAlignment.of(alignment.gold, alignment.gold)
    assert set(figures(metric.measure(same))) == {1.0}


@pytest.mark.parametrize("metric", CLUSTER_METRICS, ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(2))
def test_with_links_of_both_kinds_every_metric_gives_equal_sides_one(
    metric: Metric, alignment: ClusterAlignment
) -> None:
    gold = alignment.gold
    assume(len(gold) > 1 and any(len(cluster) > 1 for cluster in gold))
    assert set(figures(metric.measure(ClusterAlignment.of(gold, gold)))) == {1.0}


@pytest.mark.parametrize("metric", claiming(Law.SWAP), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    metric: Metric, alignment: ClusterAlignment
) -> None:
    swapped, exchanged = metric.measure(alignment).swapped(), metric.measure(alignment.swapped())
    assert swapped == exchanged
    assert swapped.score(empty="zero") == exchanged.score(empty="zero")


@pytest.mark.parametrize("metric", claiming(Law.RENAME), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(), seed=st.integers(0, 9))
def test_renaming_and_shuffling_change_nothing(
    metric: Metric, alignment: ClusterAlignment, seed: int
) -> None:
    assert Law.SHUFFLE in metric.laws
    chance = random.Random(seed)
    names = list(range(100, 200))
    chance.shuffle(names)
    sides = [
        [[names[mention] for mention in cluster] for cluster in side]
        for side in (alignment.gold, alignment.system)
    ]
    for side in sides:
        chance.shuffle(side)
        for cluster in side:
            chance.shuffle(cluster)
    other = ClusterAlignment.of(*sides)
    assert metric.measure(other).score(empty="zero") == metric.measure(alignment).score(empty="zero")


@pytest.mark.parametrize("metric", claiming(Law.ADD), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(parts=st.lists(alignments(), min_size=3, max_size=3))
def test_tallies_add_in_any_order_and_grouping(metric: Metric, parts: list[ClusterAlignment]) -> None:
    first, second, third = map(metric.measure, parts)
    one, other = (first + second) + third, third + (second + first)
    assert one == other
    assert one.score(empty="zero") == other.score(empty="zero")


@pytest.mark.parametrize("metric", claiming(Law.SPURIOUS), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(), place=st.integers(0, 6))
def test_a_spurious_mention_never_raises_precision(
    metric: Metric, alignment: ClusterAlignment, place: int
) -> None:
    system = [tuple(cluster) for cluster in alignment.system]
    if place < len(system):
        worse = [*system[:place], (*system[place], 999), *system[place + 1 :]]
    else:
        worse = [*system, (999,)]
    before = metric.measure(alignment).score(empty="zero").precision
    after = metric.measure(ClusterAlignment.of(alignment.gold, worse)).score(empty="zero").precision
    assert (after or 0.0) <= (before or 0.0)


@pytest.mark.parametrize("metric", claiming(Law.BOUNDS), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments())
def test_figures_lie_between_zero_and_one(metric: Metric, alignment: ClusterAlignment) -> None:
    assert all(0 <= figure <= 1 for figure in figures(metric.measure(alignment)))

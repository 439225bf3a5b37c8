"""Every law over every cluster metric that claims it, and a position on every law."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import lydite
from lydite.metrics import METRICS
from lydite.metrics.base import Law, MetricDeclaration
from lydite.metrics.clusters import ON_PARTITIONS
from lydite.model import Figures
from lydite.model.cluster import ClusterAlignment
from lydite.tasks.coref.settings import METRICS as EVERY_METRIC
from lydite.tasks.coref.settings import ONLY_OVER_NODES

Partition = list[tuple[int, ...]]
SETTING = tuple(name for name in EVERY_METRIC if name not in ONLY_OVER_NODES)

CLUSTER_METRICS = [metric for metric in METRICS.values() if metric.domain == "clusters"]


def holds_for_partitions(metric: MetricDeclaration, law: Law) -> bool:
    """Whether the metric claims the law, or disclaims it for other input alone."""
    return law in metric.laws or dict(metric.exceptions)[law].startswith(ON_PARTITIONS)


def claiming(law: Law) -> list[MetricDeclaration]:
    return [metric for metric in CLUSTER_METRICS if holds_for_partitions(metric, law)]


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


def test_every_cluster_metric_names_its_weaknesses_and_its_source() -> None:
    for metric in CLUSTER_METRICS:
        assert metric.weaknesses, metric.name
        assert metric.cite, metric.name


@pytest.mark.parametrize("metric", claiming(Law.SELF), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(1))
def test_a_system_equal_to_gold_scores_one(metric: MetricDeclaration, alignment: ClusterAlignment) -> None:
    assume(alignment.gold)
    same = ClusterAlignment.of(alignment.gold, alignment.gold)
    assert set(figures(metric.measure(same))) == {1.0}


@pytest.mark.parametrize("metric", CLUSTER_METRICS, ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(2))
def test_with_links_of_both_kinds_every_metric_gives_equal_sides_one(
    metric: MetricDeclaration, alignment: ClusterAlignment
) -> None:
    gold = alignment.gold
    assume(len(gold) > 1 and any(len(cluster) > 1 for cluster in gold))
    assert set(figures(metric.measure(ClusterAlignment.of(gold, gold)))) == {1.0}


@pytest.mark.parametrize("metric", claiming(Law.SWAP), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments())
def test_exchanging_the_sides_exchanges_precision_and_recall(
    metric: MetricDeclaration, alignment: ClusterAlignment
) -> None:
    exchanged = ClusterAlignment.of(alignment.system, alignment.gold, repeated=alignment.repeated)
    precision, recall, f1, value = metric.measure(alignment).score(empty="zero")
    assert metric.measure(exchanged).score(empty="zero") == (recall, precision, f1, value)


@pytest.mark.parametrize("metric", claiming(Law.RENAME), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(), seed=st.integers(0, 9))
def test_renaming_and_shuffling_change_nothing(
    metric: MetricDeclaration, alignment: ClusterAlignment, seed: int
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
def test_tallies_add_in_any_order_and_grouping(
    metric: MetricDeclaration, parts: list[ClusterAlignment]
) -> None:
    first, second, third = map(metric.measure, parts)
    one, other = (first + second) + third, third + (second + first)
    assert one == other
    assert one.score(empty="zero") == other.score(empty="zero")


@pytest.mark.parametrize("metric", claiming(Law.SPURIOUS), ids=lambda metric: metric.name)
@settings(deadline=None)
@given(alignment=alignments(), place=st.integers(0, 6))
def test_a_spurious_mention_never_raises_precision(
    metric: MetricDeclaration, alignment: ClusterAlignment, place: int
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
def test_figures_lie_between_zero_and_one(metric: MetricDeclaration, alignment: ClusterAlignment) -> None:
    assert all(0 <= figure <= 1 for figure in figures(metric.measure(alignment)))


REPEATED = (
    ([(1,)], [(2, 1, 1, 1, 3, 3)]),
    ([(1, 2, 3, 4)], [(1, 1, 1, 2, 3, 4, 4, 4)]),
    ([(1, 2, 3, 4, 4, 4)], [(4,)]),
    ([(2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 5)], [(5,), (2, 3, 4, 5)]),
)


@pytest.mark.parametrize("metric", claiming(Law.BOUNDS), ids=lambda metric: metric.name)
def test_only_metrics_that_say_so_exceed_one_where_mentions_repeat(metric: MetricDeclaration) -> None:
    highest = max(
        figure
        for gold, system in REPEATED
        for figure in figures(metric.measure(ClusterAlignment.of(gold, system, repeated=True)))
    )
    assert (highest > 1) == metric.counts_copies


# ------------------------------------------------------------------------------------- from files, all metrics

Corpus = dict[str, list[int]]
"""Documents of single tokens: the cluster of each, -1 for none."""

MEASURED = (*SETTING, "conll", "kbp")


def test_every_cluster_metric_is_measured_from_files() -> None:
    assert {metric.name for metric in CLUSTER_METRICS} == set(MEASURED)


@st.composite
def corpora(draw: st.DrawFn) -> tuple[Corpus, Corpus]:
    sizes = {f"d{number}": draw(st.integers(0, 6)) for number in range(draw(st.integers(1, 3)))}
    gold, system = (
        {
            name: draw(st.lists(st.integers(-1, 3), min_size=size, max_size=size))
            for name, size in sizes.items()
        }
        for _ in range(2)
    )
    return gold, system


def written(corpus: Corpus, order: Iterable[str], names: dict[int, int]) -> str:
    lines = []
    for name in order:
        lines.append(f"#begin document {name}")
        lines.extend(f"w\t({names[label]})" if label >= 0 else "w\t-" for label in corpus[name])
        lines.append("#end document")
    return "\n".join([*lines, ""])


def scored(gold: str, system: str) -> lydite.Summary:
    with TemporaryDirectory() as folder:
        paths = [Path(folder, f"{name}.conll") for name in ("gold", "system")]
        for path, text in zip(paths, (gold, system), strict=True):
            path.write_text(text, encoding="utf-8")
        return lydite.score(*paths, metrics=SETTING, complete=True, by=("doc",))


def as_written(corpus: Corpus) -> str:
    return written(corpus, corpus, {label: label for label in range(9)})


def rows_of(summary: lydite.Summary) -> dict[tuple[str | None, str], tuple[Any, Any]]:
    return {(row.document, row.metric): (row.score, row.tally) for row in summary.rows}


@settings(deadline=None)
@given(sides=corpora(), chance=st.randoms(use_true_random=False))
def test_names_of_clusters_and_the_order_of_documents_change_no_row(
    sides: tuple[Corpus, Corpus], chance: random.Random
) -> None:
    texts = []
    for corpus in sides:
        names = dict(enumerate(chance.sample(range(50), 9)))
        texts.append(written(corpus, chance.sample(list(corpus), len(corpus)), names))
    plain, other = scored(*map(as_written, sides)), scored(*texts)
    assert rows_of(other) == rows_of(plain)
    assert other.signature == plain.signature


@settings(deadline=None)
@given(sides=corpora())
def test_the_counts_of_a_corpus_are_the_sums_of_its_documents(sides: tuple[Corpus, Corpus]) -> None:
    summary = scored(*map(as_written, sides))
    by_metric: dict[str, list[Any]] = {name: [] for name in MEASURED}
    for row in summary.by("doc").rows:
        by_metric[row.metric].append(row.tally)
    for row in summary.corpus_rows():
        assert _numbers(row.tally) == _sum(map(_numbers, by_metric[row.metric])), row.metric


def _numbers(tally: Any, path: str = "") -> dict[str, Fraction]:
    """The counts, a credit that is no whole number as its exact fraction."""
    counts: dict[str, Fraction] = {}
    for name, value in tally.items():
        if isinstance(value, dict):
            counts |= _numbers(value, f"{path}{name}.")
        elif not name.endswith("_exact") and name != "expected":
            counts[path + name] = Fraction(tally.get(name.replace("_credit", "_exact"), value))
    return counts


def _sum(tallies: Iterable[dict[str, Fraction]]) -> dict[str, Fraction]:
    total: dict[str, Fraction] = {}
    for counts in tallies:
        for name, value in counts.items():
            total[name] = total.get(name, Fraction()) + value
    return total


@settings(deadline=None)
@given(sides=corpora())
def test_exchanged_files_exchange_precision_and_recall(sides: tuple[Corpus, Corpus]) -> None:
    one, other = scored(*map(as_written, sides)), scored(*map(as_written, reversed(sides)))
    exchanged = {row.metric: row.score for row in other.corpus_rows()}
    for row in one.corpus_rows():
        if holds_for_partitions(METRICS[row.metric], Law.SWAP):
            mirrored = exchanged[row.metric]
            assert row.score.precision == mirrored.recall, row.metric
            assert row.score.recall == mirrored.precision, row.metric
            assert (row.score.f1, row.score.value) == (mirrored.f1, mirrored.value), row.metric


@settings(deadline=None)
@given(sides=corpora())
def test_a_file_scored_against_itself_gets_one_where_that_is_claimed(sides: tuple[Corpus, Corpus]) -> None:
    text = as_written(sides[0])
    assume("(" in text)
    for row in scored(text, text).corpus_rows():
        if holds_for_partitions(METRICS[row.metric], Law.SELF):
            assert {figure for figure in row.score if figure is not None} == {1.0}, row.metric

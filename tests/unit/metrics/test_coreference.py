"""The cluster metrics: worked examples of the papers, degenerate cases, laws, plain against arrays."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.metrics import coreference as plain
from lydite.metrics import coreference_repeats as repeats
from lydite.metrics import coreference_variants as variants
from lydite.metrics.cluster_counts import ClusterCounts, count_table
from lydite.metrics.clusters import KBP, blanc_completed
from lydite.metrics.label_counts import count_labels
from lydite.model.cluster import (
    ClusterAlignment,
    LinkTally,
    overlap_table,
    overlap_table_of_copies,
    overlap_tables_of_documents,
)

Partition = list[tuple[int, ...]]

GOLD: Partition = [(1,), (2, 3), (4, 5, 6), (7, 8)]
SYSTEM: Partition = [(1,), (2, 3, 11), (4, 5, 12), (13,), (14,)]
METRICS = (
    *(plain.mention_detection, plain.muc, plain.b_cubed, plain.ceaf_m, plain.ceaf_e, plain.lea, plain.blanc),
    *(plain.exact_clusters, plain.rand),
)


def counts_of(gold: Partition, system: Partition) -> ClusterCounts:
    return count_table(overlap_table(gold, system))


def clusters(labels: list[int], first: int = 0) -> Partition:
    found: dict[int, list[int]] = {}
    for mention, label in enumerate(labels):
        if label >= 0:
            found.setdefault(label, []).append(first + mention)
    return [tuple(members) for members in found.values()]


labels = st.integers(0, 30).flatmap(
    lambda size: st.tuples(*(st.lists(st.integers(-1, 6), min_size=size, max_size=size) for _ in range(2)))
)


def numbers(tally: object) -> tuple[object, ...]:
    return (
        tally.gold_credit.fraction,  # type: ignore[attr-defined]
        tally.gold_total,  # type: ignore[attr-defined]
        tally.system_credit.fraction,  # type: ignore[attr-defined]
        tally.system_total,  # type: ignore[attr-defined]
    )


def test_the_table_holds_only_pairs_of_clusters_that_meet() -> None:
    assert overlap_table([(1, 2, 3), (4,)], [(1, 2), (3, 9)]).cells == [(0, 0, 2), (0, 1, 1)]


def test_the_example_of_luo_scores_as_in_the_paper() -> None:
    gold: Partition = [(1, 2, 3, 4, 5), (6, 7), (8, 9, 10, 11, 12)]
    system: Partition = [(1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 11, 12)]
    counts = counts_of(gold, system)
    assert numbers(plain.muc(counts)) == (9, 9, 9, 10)
    assert numbers(plain.b_cubed(counts)) == (12, 12, Fraction(64, 7), 12)
    assert numbers(plain.ceaf_m(counts)) == (10, 12, 10, 12)
    assert numbers(plain.ceaf_e(counts)) == (Fraction(11, 6), 3, Fraction(11, 6), 2)


@pytest.mark.parametrize(
    ("variant", "recall", "precision"),
    [
        ("b_cubed_0", Fraction(13, 24), Fraction(1)),
        ("b_cubed_all", Fraction(17, 24), Fraction(19, 27)),
        ("b_cubed_rn", Fraction(13, 24), Fraction(11, 21)),
        ("b_cubed_cs", Fraction(17, 24), Fraction(22, 30)),
        ("ceaf_m_rn", Fraction(5, 8), Fraction(5, 7)),
        ("ceaf_m_cs", Fraction(6, 8), Fraction(6, 10)),
        ("ceaf_e_rn", Fraction(37, 60), Fraction(37, 45)),
        ("ceaf_e_cs", Fraction(52, 60), Fraction(52, 90)),
    ],
)
def test_the_variants_for_predicted_mentions_on_the_worked_case(
    variant: str, recall: Fraction, precision: Fraction
) -> None:
    tally = getattr(variants, variant)(GOLD, SYSTEM)
    assert tally.gold_credit.fraction / tally.gold_total == recall
    assert tally.system_credit.fraction / tally.system_total == precision


def test_one_common_mention_has_no_link() -> None:
    counts = counts_of([(1,)], [(1,)])
    assert plain.muc(counts).score().f1 == 0
    assert plain.blanc(counts).score() == (0, 0, 0, None)
    assert (
        plain.b_cubed(counts).score().f1
        == plain.ceaf_e(counts).score().f1
        == plain.lea(counts).score().f1
        == 1
    )


def test_two_empty_sides_score_zero_everywhere() -> None:
    counts = counts_of([], [])
    for metric in METRICS[:-1]:
        assert metric(counts).score().f1 == 0


def test_blanc_of_singletons_counts_the_other_links_alone() -> None:
    assert plain.blanc(counts_of([(1,), (2,), (3,)], [(1,), (2,), (3,)])).score() == (1, 1, 1, None)


def test_blanc_leaves_a_kind_of_link_out_only_if_gold_lacks_it() -> None:
    gold_has_both = LinkTally(0, 3, 0, 5, 5, 10)
    assert gold_has_both.score().recall == 0.5
    gold_lacks_coreference = LinkTally(0, 0, 3, 5, 10, 7)
    assert gold_lacks_coreference.score().recall == 0.5


def test_the_f1_of_blanc_is_the_mean_of_two_f1s() -> None:
    score = LinkTally(1, 2, 1, 1, 4, 1).score()
    assert score.f1 == pytest.approx((2 / 3 + 0.4) / 2)


def test_the_original_blanc_gives_a_single_mention_one_and_else_the_same() -> None:
    assert blanc_completed(ClusterAlignment.of([(1,)], [(1,)])).score().f1 == 1
    sides: tuple[Partition, Partition] = ([(1, 2), (3,)], [(1,), (2, 3)])
    assert blanc_completed(ClusterAlignment.of(*sides)).score() == plain.blanc(counts_of(*sides)).score()


def test_the_kbp_average_of_singletons_is_three_quarters() -> None:
    same = [(1,), (2,), (3,)]
    assert KBP.measure(ClusterAlignment.of(same, same)).score().f1 == 0.75


def test_the_alignment_of_phi3_is_worth_less_or_as_much_in_phi4() -> None:
    gold: Partition = [(1, 2, 3, 4, 5, 6), (7,)]
    system: Partition = [(1, 2, 3, 7), (4, 5)]
    counts = counts_of(gold, system)
    assert plain.ceaf_e_over_phi3(counts).gold_credit.value <= plain.ceaf_e(counts).gold_credit.value


def test_rand_counts_pairs_on_which_the_sides_agree() -> None:
    assert plain.rand(counts_of([(1, 2), (3,)], [(1,), (2, 3)])).score().value == pytest.approx(1 / 3)


def test_adjusted_rand_agrees_with_the_definition() -> None:
    gold: Partition = [(1, 2, 3), (4, 5, 6)]
    system: Partition = [(1, 2), (3, 4), (5, 6)]
    assert plain.adjusted_rand(counts_of(gold, system)).score().value == pytest.approx(0.24242424242424246)


def test_a_running_sum_of_doubles_can_lie_below_the_exact_sum() -> None:
    gold: Partition = [(1, 2, 3), (4,), (5,), (6,)]
    system: Partition = [(1, 2), (3,), (4,), (5,), (6,)]
    recall, precision = repeats.running_b_cubed(gold, system)
    assert recall < plain.b_cubed(counts_of(gold, system)).gold_credit.value == 14 / 3
    assert precision == 6


@settings(deadline=None)
@given(both=labels)
def test_labels_and_clusters_have_the_same_figures(both: tuple[list[int], list[int]]) -> None:
    of_clusters, of_labels = counts_of(*map(clusters, both)), count_labels(*map(np.array, both))
    for metric in METRICS:
        expected, found = metric(of_clusters), metric(of_labels)
        assert found == expected, metric
        assert found.score() == expected.score(), metric
        assert found.as_dict() == expected.as_dict(), metric


@settings(deadline=None)
@given(documents=st.lists(labels, max_size=4))
def test_one_count_of_the_corpus_equals_the_sum_over_documents(
    documents: list[tuple[list[int], list[int]]],
) -> None:
    gold = np.array([label for document in documents for label in document[0]], dtype=np.int64)
    system = np.array([label for document in documents for label in document[1]], dtype=np.int64)
    of = np.array([at for at, document in enumerate(documents) for _ in document[0]], dtype=np.int64)
    of_labels = count_labels(gold, system, of)
    tables = overlap_tables_of_documents([tuple(map(clusters, document)) for document in documents])
    of_tables = count_table(tables.table, tables.bounds)
    for metric in METRICS:
        total = metric(counts_of([], []))
        for document in documents:
            total += metric(counts_of(*map(clusters, document)))
        assert metric(of_labels) == metric(of_tables) == total, metric


@pytest.mark.parametrize("limit", [0, 8000])
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(both=labels)
def test_ceaf_is_the_best_of_all_alignments(
    monkeypatch: pytest.MonkeyPatch, limit: int, both: tuple[list[int], list[int]]
) -> None:
    monkeypatch.setattr(plain, "ARRAY_LIMIT", limit)
    gold, system = map(clusters, both)
    few, many = sorted((gold, system), key=len)

    def best(weight: Callable[[int, int], Fraction]) -> Fraction:
        choices = itertools.permutations(many, len(few))
        return max(
            sum(
                (
                    weight(len({*one} & {*two}), len(one) + len(two))
                    for one, two in zip(few, chosen, strict=True)
                ),
                Fraction(),
            )
            for chosen in choices
        )

    counts = counts_of(gold, system)
    assert plain.ceaf_m(counts).gold_credit.fraction == best(lambda common, _: Fraction(common))
    assert plain.ceaf_e(counts).gold_credit.fraction == best(
        lambda common, sizes: Fraction(2 * common, sizes)
    )


@settings(deadline=None)
@given(both=labels)
def test_without_repeats_the_reading_of_repeats_changes_nothing(both: tuple[list[int], list[int]]) -> None:
    gold, system = map(clusters, both)
    alignment = ClusterAlignment.of(gold, system)
    assert repeats.b_cubed(alignment) == plain.b_cubed(counts_of(gold, system))
    assert sorted(overlap_table_of_copies(gold, system).cells) == sorted(overlap_table(gold, system).cells)
    assert repeats.blanc(alignment) == plain.blanc(counts_of(gold, system))


def links_by_enumeration(partition: Partition) -> tuple[set[frozenset[int]], set[frozenset[int]]]:
    places = [(mention, at) for at, cluster in enumerate(partition) for mention in cluster]
    same, other = set(), set()
    for (mention, at), (another, where) in itertools.combinations(places, 2):
        (same if at == where else other).add(frozenset((mention, another)))
    return same, other


repeating = st.lists(st.lists(st.integers(0, 7), min_size=1, max_size=5).map(tuple), max_size=5)


@settings(deadline=None)
@given(gold=repeating, system=repeating)
def test_links_with_repeats_equal_the_enumerated_sets(gold: Partition, system: Partition) -> None:
    (gold_same, gold_other), (system_same, system_other) = map(links_by_enumeration, (gold, system))
    assert repeats.blanc(ClusterAlignment.of(gold, system, repeated=True)) == LinkTally(
        len(gold_same & system_same),
        len(gold_same),
        len(system_same),
        len(gold_other & system_other),
        len(gold_other),
        len(system_other),
    )


def test_links_with_repeats_are_counted_by_where_mentions_stand_and_not_pair_by_pair(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[object] = []
    kinds = repeats._link_kinds
    monkeypatch.setattr(repeats, "_link_kinds", lambda *places: compared.append(places) or kinds(*places))
    everything = tuple(range(1000))
    links = repeats.blanc(ClusterAlignment.of([everything, everything], [everything], repeated=True))
    assert (links.gold_coreference, links.gold_other, links.common_other) == (499_500, 500_500, 0)
    assert len(compared) < 10

"""What clusters say: one digest for the same clusters, however they are written, another one for others."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Hashable
from itertools import chain
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lydite
from lydite.model.cluster import Cluster, Partition

SPANS: list[list[Hashable]] = [[(0, 1), (4, 6)], [(2, 3)]]


def digest(clusters: list[list[Hashable]]) -> str:
    return Partition.numbered(clusters).digest


def test_order_and_ids_do_not_change_the_digest() -> None:
    assert digest([[(2, 3)], [(4, 6), (0, 1)]]) == digest(SPANS)
    assert Partition([Cluster("b", ((2, 3),)), Cluster("a", ((0, 1), (4, 6)))]).digest == digest(SPANS)


def test_the_digest_is_the_same_on_every_machine() -> None:
    """The state of a metric outlives its process: another digest means that copies of documents are refused."""
    assert digest(SPANS).startswith("f67df2fb")
    assert digest([["a", "b"], ["c"]]).startswith("8419f440")
    assert digest([]).startswith("4f53cda1")


class Run(NamedTuple):
    first: int
    end: int


@pytest.mark.parametrize(
    "same",
    [
        [[(np.int64(0), np.int32(1)), (4, 6)], [(2, 3)]],
        [[Run(0, 1), Run(4, 6)], [(2, 3)]],
    ],
)
def test_numbers_of_any_library_and_named_tuples_say_the_same(same: list[list[Hashable]]) -> None:
    assert repr(Partition.numbered(same)) == repr(Partition.numbered(SPANS))
    one, other = lydite.Metric("coref"), lydite.Metric("coref")
    one.update([SPANS], [SPANS], ["d"])
    other.update([same], [same], ["d"])
    assert one.compute().signature == other.compute().signature


@pytest.mark.parametrize(
    "other",
    [
        [[(0, 1), (4, 6), (2, 3)]],
        [[(0, 1), (4, 7)], [(2, 3)]],
        [[(0, 1, 4), (6, 2, 3)]],
        [[(0, 1), (4, 6)], [(2, "3")]],
        [[(0, 1), (4, 6)], [(2, 3.5)]],
        [[(0, 1), (4, 6)], [(2, (3,))]],
        [[frozenset({0, 1}), frozenset({4, 6})], [frozenset({2, 3})]],
        [[0, 1], [2]],
        [["(0, 1)", "(4, 6)"], ["(2, 3)"]],
        [[(0, 1), (4, 6)], [(2, 2**40)]],
    ],
)
def test_other_clusters_have_another_digest(other: list[list[Hashable]]) -> None:
    assert digest(other) != digest(SPANS)


def test_the_order_of_sets_does_not_change_the_digest() -> None:
    # 8 and 0 fall on one place of the table: the set that was made first gives them in another order.
    one, other = frozenset([8, 0]), frozenset([0, 8])
    assert list(one) != list(other)
    assert digest([[one], [("d", one)]]) == digest([[("d", other)], [other]])
    script = "from lydite.model.cluster import Partition as P; print(P.numbered([[frozenset('abcdef')], ['x', ('y', 1)]]).digest)"
    found = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


MENTIONS = st.recursive(
    st.integers(-3, 3) | st.integers(-(2**40), 2**40) | st.sampled_from(["", "a", "1", None, 0.5, b""]),
    lambda inner: st.tuples(inner, inner) | st.tuples(inner) | st.frozensets(inner, max_size=2),
    max_leaves=4,
)
CLUSTERS = st.lists(st.lists(MENTIONS, min_size=1, max_size=3), max_size=3)


@given(CLUSTERS, CLUSTERS)
def test_digests_are_equal_where_what_is_shown_is_equal(
    one: list[list[Hashable]], other: list[list[Hashable]]
) -> None:
    ours, theirs = Partition.numbered(one), Partition.numbered(other)
    turned = Partition.numbered(reversed([[*reversed(cluster)] for cluster in one]))
    assert repr(turned) == repr(ours)
    if ours.digest == theirs.digest:
        assert repr(ours) == repr(theirs)
    if len(set(chain.from_iterable(one))) == sum(map(len, one)):
        assert (ours.digest == theirs.digest) == (repr(ours) == repr(theirs))
        assert turned.digest == ours.digest


@pytest.mark.parametrize("again", [(0, 1), "a"])
def test_the_order_of_clusters_changes_the_digest_where_a_mention_stands_again(again: Hashable) -> None:
    assert digest([[again, (4, 6)], [again]]) != digest([[again], [again, (4, 6)]])
    assert digest([[again, (4, 6)], [again]]) == digest([[(4, 6), again], [again]])


@pytest.mark.parametrize("odd", [(3, []), (3, set()), (1, [2])])
def test_a_tuple_that_cannot_be_hashed_is_refused_or_made_one_that_can(odd: Hashable) -> None:
    metric = lydite.Metric("coref")
    if odd == (3, set()):
        with pytest.raises(lydite.InvalidInput, match=r"clusters\[0\]\[1\]: expected a mention that can be"):
            metric.update([[[(1, 2), odd]]], [[[(1, 2)]]])
    else:
        metric.update([[[(1, 2), odd]]], [[[(1, 2), odd]]])
        assert metric.value == 1.0


def test_clusters_keep_the_ids_that_they_are_given() -> None:
    partition = Partition.named({"7": [(0, 1), (4, 6)], "3": [(2, 3)]})
    assert partition == (Cluster("7", ((0, 1), (4, 6))), Cluster("3", ((2, 3),)))
    assert partition.digest == Partition.numbered(SPANS).digest
    assert pickle.loads(pickle.dumps(partition)) == partition  # noqa: S301 - our own


def test_a_partition_is_a_sequence_of_clusters() -> None:
    partition = Partition.numbered(SPANS)
    assert partition == (Cluster("0", ((0, 1), (4, 6))), Cluster("1", ((2, 3),)))
    assert partition == Partition(partition)
    assert hash(partition) == hash(Partition(partition))
    assert (partition[1].id, len(partition), bool(Partition())) == ("1", 2, False)
    assert partition[:1] == (Cluster("0", ((0, 1), (4, 6))),)
    assert copy.deepcopy(partition) == partition
    assert partition != SPANS

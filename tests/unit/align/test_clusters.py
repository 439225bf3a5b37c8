"""Numbering mentions: repeats, singletons, name spaces."""

from __future__ import annotations

from lydite.align.clusters import align_clusters, find_repeats, with_common_prefixes
from lydite.model import Document
from lydite.model.cluster import Cluster, ClusterAlignment, Partition


def partition(*clusters: str) -> list[Cluster]:
    return [Cluster(str(number), tuple(members)) for number, members in enumerate(clusters)]


def aligned(gold: list[Cluster], system: list[Cluster], **options: object) -> ClusterAlignment:
    return align_clusters(gold, system, **options)  # type: ignore[arg-type]


def sizes(alignment: ClusterAlignment) -> tuple[list[int], list[int]]:
    return [len(cluster) for cluster in alignment.gold], [len(cluster) for cluster in alignment.system]


def test_equal_mentions_get_the_same_number() -> None:
    alignment = aligned(partition("ab", "c"), partition("b", "cx"))
    assert alignment.gold == [[0, 1], [2]]
    assert alignment.system == [[1], [2, 3]]


def test_a_later_system_copy_of_a_gold_mention_is_dropped_and_its_empty_cluster_goes() -> None:
    gold, system = partition("ab"), partition("ab", "a")
    assert sizes(aligned(gold, system)) == ([2], [2])
    assert [repeat.dropped for repeat in find_repeats(gold, system, "v8.01")] == [True]


def test_copies_of_spurious_mentions_and_gold_copies_stay() -> None:
    gold, system = partition("ab", "a"), partition("xx", "bx")
    alignment = aligned(gold, system)
    assert sizes(alignment) == ([2, 1], [2, 2])
    assert alignment.repeated
    assert not any(repeat.dropped for repeat in find_repeats(gold, system, "v8.01"))


def test_first_keeps_the_first_copy_on_both_sides() -> None:
    alignment = aligned(partition("ab", "ac"), partition("xx", "bx"), repeats="first")
    assert sizes(alignment) == ([2, 1], [1, 1])
    assert not alignment.repeated


def test_merge_joins_clusters_that_share_a_mention() -> None:
    alignment = aligned(partition("ab", "cd", "bc", "e"), partition("a"), repeats="merge")
    assert sizes(alignment) == ([4, 1], [1])


def test_singletons_go_after_repeats_were_treated() -> None:
    alignment = aligned(partition("ab"), partition("ab", "ac"), singletons=False)
    assert sizes(alignment) == ([2], [2])


def document(prefix: str, address: str | None) -> Document:
    clusters = Partition([Cluster("1", (("d", f"{prefix}:d#1"),))])
    return Document("d", layers={"clusters": clusters, "prefixes": {prefix: address} if address else {}})


def test_two_prefixes_of_one_address_are_equal_if_both_sides_declare_them() -> None:
    gold, system = with_common_prefixes(document("a", "http://x"), document("b", "http://x"))
    assert gold == system


def test_a_prefix_that_one_side_does_not_declare_is_compared_as_written() -> None:
    gold, system = with_common_prefixes(document("a", "http://x"), document("a", None))
    assert gold == system


def test_a_prefix_that_only_gold_declares_is_compared_as_written_although_both_declare_something() -> None:
    plain = document("a", None)
    system = plain._replace(layers={**plain.layers, "prefixes": {"c": "http://y"}})
    gold, other = with_common_prefixes(document("a", "http://x"), system)
    assert gold == other


def test_two_prefixes_of_one_address_are_equal_also_where_both_sides_declare_both() -> None:
    both = {"a": "http://x", "b": "http://x"}
    sides = [document("a", "http://x"), document("b", "http://x")]
    gold, system = with_common_prefixes(
        *(side._replace(layers={**side.layers, "prefixes": both}) for side in sides)
    )
    assert gold == system


def test_gold_keeps_its_own_names_whatever_a_system_calls_the_name_space() -> None:
    raw = [cluster.members for cluster in document("a", "http://x").layers["clusters"]]
    for other in ("a", "b"):
        gold, _ = with_common_prefixes(document("a", "http://x"), document(other, "http://x"))
        assert [cluster.members for cluster in gold] == raw

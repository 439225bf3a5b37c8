"""Links between nuggets: raised to clusters, reduced, spread, in order; ids that no or several mentions have."""

from __future__ import annotations

from lydite.align.links import LinkRule, align_links
from nugget_documents import document, paired


def test_links_are_raised_to_clusters_and_spread_over_their_members() -> None:
    gold = document("abcd", "Coreference bc", "After ab", "After cd")
    links = align_links(paired(gold, document("")), gold, document(""), LinkRule())
    assert links.gold.links == (
        ("After", 0, 1),
        ("After", 0, 2),
        ("After", 1, 3),
        ("After", 2, 3),
    )


def test_a_link_that_a_way_over_a_third_cluster_makes_superfluous_goes() -> None:
    gold = document("abc", "After ab", "After bc", "After ac")
    links = align_links(paired(gold, document("")), gold, document(""), LinkRule())
    assert links.gold.links == (("After", 0, 1), ("After", 1, 2))


def test_every_link_on_a_longer_cycle_goes() -> None:
    gold = document("abcde", "After ab", "After bc", "After ca", "After de")
    assert align_links(paired(gold, document("")), gold, document(""), LinkRule()).gold.links == (
        ("After", 3, 4),
    )


def test_links_inside_a_cluster_and_with_unknown_ends_go() -> None:
    gold = document("ab", "Coreference ab", "After ab", "Subevent aq")
    assert align_links(paired(gold, document("")), gold, document(""), LinkRule()).gold.links == ()


def test_system_links_use_the_nodes_of_their_partners_whatever_the_similarity() -> None:
    gold, system = document("ab"), document("xyz", "Subevent xy", "After zx")
    links = align_links(paired(gold, system, (1, 0, 0.1)), gold, system, LinkRule())
    assert links.system.links == (("Subevent", 1, 3), ("After", 4, 1))


def test_a_given_order_of_links_is_kept() -> None:
    gold = document("abc", "After ab", "After ac")
    order = {"gold": [["After", "a", "c"], ["After", "a", "b"]], "system": []}
    links = align_links(paired(gold, document("")), gold, document(""), LinkRule(), order=order)
    assert links.gold.links == (("After", 0, 2), ("After", 0, 1))


def test_links_come_in_the_order_of_a_set_of_the_official_program() -> None:
    gold = document("abcde", "After ab", "After bc", "After cd", "After de")
    found = align_links(paired(gold, document("")), gold, document(""), LinkRule(in_set_order=True)).gold
    assert [first for _, first, _ in found.written] == ["d", "a", "c", "b"]
    assert found.links[0] == ("After", 3, 4)


def test_the_copy_of_an_id_that_is_numbered_last_takes_its_links() -> None:
    gold, system = document("ab", "After ab"), document("aba", "After ab")
    pairs = paired(gold, system, (0, 0, 1.0), (1, 1, 1.0))
    assert align_links(pairs, gold, system, LinkRule(last_copy=True)).system.links == (("After", 4, 1),)
    assert set(align_links(pairs, gold, system, LinkRule()).system.links) == {
        ("After", 0, 1),
        ("After", 4, 1),
    }


def test_of_paired_copies_the_partner_of_the_later_gold_mention_takes_the_links() -> None:
    gold, system = document("abc"), document("xyx", "After xy")
    pairs = paired(gold, system, (2, 0, 1.0), (1, 1, 1.0), (0, 2, 1.0))
    assert align_links(pairs, gold, system, LinkRule(last_copy=True)).system.links == (("After", 2, 1),)


def test_an_id_without_mention_stands_for_its_cluster_or_its_link_goes() -> None:
    gold = document("ab", "Coreference ag", "Coreference bh", "After gh")
    found = align_links(paired(gold, document("")), gold, document(""), LinkRule(unknown_ends=True)).gold
    assert found.links == (("After", 0, 1),)
    assert set(found.written) == {("After", one, other) for one in "ag" for other in "bh"}
    assert align_links(paired(gold, document("")), gold, document(""), LinkRule()).gold.links == ()


def test_an_id_in_two_clusters_is_raised_to_the_last_and_spread_from_both() -> None:
    gold = document("abcd", "Coreference ab", "Coreference bc", "After bd")
    links = align_links(paired(gold, document("")), gold, document(""), LinkRule()).gold.links
    assert links == (("After", 1, 3), ("After", 2, 3))

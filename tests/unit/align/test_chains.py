"""Pairs of nuggets as elements of clusters, and links raised, reduced and spread."""

from __future__ import annotations

from lydite.align.chains import ChainRule, Link, align_chains, align_links
from lydite.model import Alignment, Document, Mention, Pair, Relation, Span


def document(names: str, *relations: str) -> Document:
    mentions = tuple(Mention(name, Span(((10 * at, 10 * at + 4),))) for at, name in enumerate(names))
    parsed = tuple(
        Relation(kind, "R", tuple(members)) for kind, members in (line.split() for line in relations)
    )
    return Document("d", mentions, parsed)


def paired(gold: Document, system: Document, *pairs: tuple[int, int, float]) -> Alignment:
    return Alignment(gold.mentions, system.mentions, tuple(Pair(*pair) for pair in pairs))


def test_a_pair_is_one_element_and_other_mentions_are_elements_of_their_side() -> None:
    gold, system = document("abc", "Coreference ab"), document("xyz", "Coreference xz")
    clusters = align_chains(paired(gold, system, (0, 0, 1.0), (1, 1, 0.5)), gold, system, ChainRule())
    assert clusters.gold == [[0, 1], [2]]
    assert clusters.system == [[0, 5], [4]]


def test_gold_mentions_without_partner_can_be_left_out_of_gold() -> None:
    gold, system = document("abc", "Coreference ab"), document("x")
    rule = ChainRule(keep_unpaired_gold=False)
    assert align_chains(paired(gold, system, (0, 0, 1.0)), gold, system, rule).gold == [[0]]


def test_a_mention_belongs_to_the_first_cluster_that_names_it_and_unknown_names_are_ignored() -> None:
    gold = document("abc", "Coreference abq", "Coreference bc")
    assert align_chains(paired(gold, gold), gold, document(""), ChainRule()).gold == [[0, 1], [2]]


def test_links_are_raised_to_clusters_and_spread_over_their_members() -> None:
    gold = document("abcd", "Coreference bc", "After ab", "After cd")
    links = align_links(paired(gold, document("")), gold, document(""))
    assert links.gold == (Link("After", 0, 1), Link("After", 0, 2), Link("After", 1, 3), Link("After", 2, 3))


def test_a_link_that_a_way_over_a_third_cluster_makes_superfluous_goes() -> None:
    gold = document("abc", "After ab", "After bc", "After ac")
    links = align_links(paired(gold, document("")), gold, document(""))
    assert links.gold == (Link("After", 0, 1), Link("After", 1, 2))


def test_every_link_on_a_longer_cycle_goes() -> None:
    gold = document("abcde", "After ab", "After bc", "After ca", "After de")
    assert align_links(paired(gold, document("")), gold, document("")).gold == (Link("After", 3, 4),)


def test_links_inside_a_cluster_and_with_unknown_ends_go() -> None:
    gold = document("ab", "Coreference ab", "After ab", "Subevent aq")
    assert align_links(paired(gold, document("")), gold, document("")).gold == ()


def test_system_links_use_the_nodes_of_their_partners_whatever_the_similarity() -> None:
    gold, system = document("ab"), document("xyz", "Subevent xy", "After zx")
    links = align_links(paired(gold, system, (1, 0, 0.1)), gold, system)
    assert links.system == (Link("Subevent", 1, 3), Link("After", 4, 1))


def test_a_given_order_of_links_is_kept() -> None:
    gold = document("abc", "After ab", "After ac")
    order = {"gold": [["After", "a", "c"], ["After", "a", "b"]], "system": []}
    links = align_links(paired(gold, document("")), gold, document(""), order)
    assert links.gold == (Link("After", 0, 2), Link("After", 0, 1))

"""Pairs of nuggets as elements of clusters."""

from __future__ import annotations

from lydite.align.chains import ChainRule, align_chains
from nugget_documents import document, paired


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

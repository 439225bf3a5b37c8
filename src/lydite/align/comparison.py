"""Two prepared documents side by side: what all measurements of mentions share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from operator import and_
from typing import TYPE_CHECKING, Any

from lydite.align.pairing import pair_by_key, pair_greedily, pair_many_to_one
from lydite.align.similarity import SIMILARITIES, candidates
from lydite.model import Alignment, DocumentPair, Pair

if TYPE_CHECKING:
    from lydite.align.chains import ChainRule
    from lydite.align.links import LinkOrder, LinkRule, Links
    from lydite.model.cluster import ClusterAlignment

Columns = Mapping[str, Sequence[str]]
"""Attribute values of the mentions of a document, as they are compared: ``{"type": (...), "realis": (...)}``."""


class MentionComparison:
    """The mentions of a document pair and their alignments, each made when it is first asked for and then kept.

    They depend on the pair and the settings alone, not on the order in which they are asked for.

    ``placeholder`` maps an attribute to the gold value that agrees with anything.  ``chains`` says which pairs are one
    element of a cluster, where coreference or sequencing is measured; ``link_rule`` says how odd ids and the order of
    links are treated, where they are measured, and ``link_order`` fixes an order.  ``several_partners`` says that a gold
    mention may have more than one.  ``memo`` keeps what several measurements of the pair share.
    """

    def __init__(
        self,
        pair: DocumentPair,
        gold_columns: Columns,
        system_columns: Columns,
        *,
        similarity: str,
        pairing: str,
        placeholder: Mapping[str, str],
        count_repeats: bool,
        chains: ChainRule | None = None,
        link_rule: LinkRule | None = None,
        link_order: LinkOrder | None = None,
        several_partners: bool = False,
    ) -> None:
        self.pair, self.gold, self.system = pair, pair.gold, pair.system
        self.gold_columns, self.system_columns = gold_columns, system_columns
        self.placeholder = placeholder
        self._similarity, self._pairing, self._count_repeats = similarity, pairing, count_repeats
        self._sizes = len(pair.gold.mentions), len(pair.system.mentions)
        self._agreements: dict[str, bytes] = {}
        self.alignments: dict[tuple[str, ...], Alignment] = {}
        """The alignments made so far, by the attributes on which paired mentions agree."""
        self.chains = chains
        self._link_rule, self._link_order = link_rule, link_order
        self.several_partners = several_partners
        self.memo: dict[object, Any] = {}

    @property
    def has_links(self) -> bool:
        """Whether links are measured."""
        return self._link_rule is not None

    @cached_property
    def candidates(self) -> list[Pair]:
        """All pairs whose spans overlap, best first."""
        return candidates(
            self.gold.columns,
            self.system.columns,
            SIMILARITIES[self._similarity],
            # A span is equal to itself, however often its segments cover a character.
            count_repeats=self._count_repeats and self._similarity != "exact",
        )

    def align(self, agree: tuple[str, ...] = ()) -> Alignment:
        """The alignment in which paired mentions agree on these attributes."""
        alignment = self.alignments.get(agree)
        if alignment is None:
            alignment = self.alignments[agree] = self._align(agree)
        return alignment

    def align_greedily(self, agree: tuple[str, ...] = ()) -> Alignment:
        """The greedy alignment, whatever the profile's pairing."""
        return self._with_pairs(pair_greedily(self.agreeing_candidates(agree), *self._sizes))

    def align_spans(self) -> Alignment:
        """The alignment of spans whatever their attributes; one of mentions even where sets of keys are measured."""
        return self.align() if self._pairing == "optimal" else self.align_greedily()

    @cached_property
    def many_to_one(self) -> Alignment:
        """Each system mention with its best gold mention, whatever their attributes."""
        return self._with_pairs(pair_many_to_one(self.candidates))

    @cached_property
    def clusters(self) -> ClusterAlignment:
        """The partitions of both sides over elements, which are pairs and mentions without a partner."""
        from lydite.align.chains import align_chains

        return align_chains(self.shared_alignment, self.gold, self.system, self._chain_rule)

    @property
    def element_labels(self) -> tuple[Sequence[int], Sequence[int]]:
        """The same partitions, as the cluster of every element on each side, which takes less memory."""
        from lydite.align.chains import element_labels

        return element_labels(self.shared_alignment, self.gold, self.system, self._chain_rule)

    @property
    def elements(self) -> dict[int, int]:
        """The pairs of mentions that are one element of clusters, gold position to system position."""
        threshold = self._chain_rule.threshold
        pairs = self.shared_alignment.pairs
        return {gold: system for gold, system, similarity in pairs if similarity >= threshold}

    @cached_property
    def links(self) -> Links:
        """The links of both sides over common nodes; any pair of the mapping is a node, whatever its similarity."""
        from lydite.align.links import align_links

        assert self._link_rule is not None
        return align_links(self.shared_alignment, self.gold, self.system, self._link_rule, self._link_order)

    @property
    def shared_alignment(self) -> Alignment:
        """The alignment whose pairs are elements of clusters and nodes of links."""
        agree = self._chain_rule.agree
        # Sets of keys have no mentions to put into clusters.
        return self.align_greedily(agree) if self._pairing == "sets" else self.align(agree)

    @property
    def _chain_rule(self) -> ChainRule:
        assert self.chains is not None, "clusters and links are asked for where they are measured"
        return self.chains

    def _align(self, agree: tuple[str, ...]) -> Alignment:
        if self._pairing == "sets":
            return pair_by_key(self.mention_keys("gold", agree), self.mention_keys("system", agree))
        if self._pairing == "optimal":
            from lydite.align.optimal import pair_optimally

            return self._with_pairs(pair_optimally(self.agreeing_candidates(agree)))
        return self.align_greedily(agree)

    def _with_pairs(self, pairs: tuple[Pair, ...]) -> Alignment:
        return Alignment(self.gold.mentions, self.system.mentions, pairs)

    def agreeing_candidates(self, agree: tuple[str, ...]) -> list[Pair]:
        """The candidates that agree on all these attributes, in their order."""
        if not agree:
            return self.candidates
        first, *others = map(self._agreement_flags, agree)
        flags: Iterable[int] = first
        for other in others:
            flags = map(and_, flags, other)
        return list(compress(self.candidates, flags))

    def _agreement_flags(self, attribute: str) -> bytes:
        """For every candidate whether it agrees on an attribute."""
        flags = self._agreements.get(attribute)
        if flags is None:
            gold, system = self.gold_columns[attribute], self.system_columns[attribute]
            placeholder = self.placeholder.get(attribute)
            flags = self._agreements[attribute] = bytes(
                [gold[pair[0]] == system[pair[1]] or gold[pair[0]] == placeholder for pair in self.candidates]
            )
        return flags

    def mention_keys(self, side: str, agree: tuple[str, ...]) -> list[tuple[object, ...]]:
        """What identifies each mention of a side in a set: its span and these attributes.

        A mention whose span is empty is equal to no other, not even of its own side.
        """
        document, columns = (
            (self.gold, self.gold_columns) if side == "gold" else (self.system, self.system_columns)
        )
        # Saved summaries name items by their keys: tokens are in a fixed order.
        spans: list[tuple[object, ...]] = [
            mention.span.merged() or tuple(sorted(set(mention.span.tokens))) or (side, position)
            for position, mention in enumerate(document.mentions)
        ]
        return list(zip(spans, *(columns[attribute] for attribute in agree), strict=True))

    def agrees(self, attribute: str, gold: int, system: int) -> bool:
        """Whether a gold and a system mention, by position, agree on an attribute."""
        value = self.gold_columns[attribute][gold]
        return value in {self.system_columns[attribute][system], self.placeholder.get(attribute)}

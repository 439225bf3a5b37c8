"""Mentions of two sides joined by their places alone, so that the attributes of two annotators can be compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lydite.model.ace import overlap
from lydite.model.ace_alignment import KindAlignment, MentionMatches, Occurrence, ScoredMention


class AceMentionPair(NamedTuple):
    """A mention of either side, each with the occurrence of its element."""

    gold: ScoredMention
    system: ScoredMention
    gold_occurrence: Occurrence
    system_occurrence: Occurrence


def pair_mentions(section: KindAlignment, entries: MentionMatches, doc_id: str) -> Iterator[AceMentionPair]:
    """The matching mentions of a document one to one, the largest overlap first; ties go by the order of the files.

    Whether two mentions match is decided by their places (and, where the profile says so, by the words of their
    heads), never by type, class or role, which the mapping of elements looks at.
    """
    found = []
    for (gold_id, system_id), pairs in entries.items():
        gold = section.gold[gold_id].occurrences[doc_id]
        system = section.system[system_id].occurrences[doc_id]
        for one, other, _ in pairs:
            pair = AceMentionPair(gold.mentions[one], system.mentions[other], gold, system)
            found.append((-overlap(pair.gold.place, pair.system.place), pair))
    order = sorted(found, key=lambda item: (item[0], item[1].gold.place[:2], item[1].system.place[:2]))
    taken: set[int] = set()
    for _, pair in order:
        ids = {id(pair.gold), id(pair.system)}
        if taken.isdisjoint(ids):
            taken |= ids
            yield pair

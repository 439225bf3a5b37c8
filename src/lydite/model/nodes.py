"""Mentions as sets of nodes (words and empty nodes) of dependency trees with a head, as in CorefUD.

A node is (number of the sentence in the file, ID as a number): ``(4, 7.1)`` is the first empty node after word 7.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Node: TypeAlias = tuple[int, float]
Dependency: TypeAlias = tuple[float, str]
"""A parent (0 for the root) and the full label."""


class NodeMention(NamedTuple):
    """The nodes of a mention in order, and its head; a mention whose head is an empty node is a *zero*.

    ``dependencies`` are those of the head of a zero, None if the file does not have them.
    """

    nodes: tuple[Node, ...]
    head: Node
    is_zero: bool = False
    dependencies: tuple[Dependency, ...] | None = None
    type: str = ""


class NodeCluster(NamedTuple):
    """Mentions of one entity in one document."""

    id: str
    members: tuple[NodeMention, ...]


class SentenceNode(NamedTuple):
    """A word or an empty node as written."""

    id: str
    form: str
    dependencies: str = "_"

    @property
    def is_empty(self) -> bool:
        """Whether it is an empty node."""
        return "." in self.id


class Sentence(NamedTuple):
    """A sentence: its number in the file, the document that begins with it, its ``sent_id``, its nodes in order."""

    number: int
    begins: str | None
    sent_id: str | None
    nodes: tuple[SentenceNode, ...]

    @property
    def words(self) -> list[str]:
        """The forms of the words, without empty nodes."""
        return [node.form for node in self.nodes if not node.is_empty]


class Trees(NamedTuple):
    """The sentences of a document and the clusters over their nodes, in the order of their first mentions."""

    sentences: tuple[Sentence, ...]
    clusters: tuple[NodeCluster, ...]


def node_text(node: Node) -> str:
    """Return a node as text: sentence and ID."""
    sentence, number = node
    return f"{sentence}:{number:g}"


def node_mention_text(mention: NodeMention) -> str:
    """Return a mention as text: the sentences and IDs of its nodes."""
    return "+".join(map(node_text, mention.nodes))


class FoundMentions(NamedTuple):
    """Where the mentions of each cluster are found on the other side, after mentions were paired.

    ``gold`` and ``system`` have for every mention, by cluster, the position of the cluster of the other side with its
    partner, or None.  ``twins`` map a gold mention (by number) to the system mention by which an anaphor is judged.
    """

    gold: Sequence[Sequence[int | None]]
    system: Sequence[Sequence[int | None]]
    gold_mentions: Sequence[Sequence[NodeMention]]
    system_mentions: Sequence[Sequence[NodeMention]]
    twins: Mapping[int, int]
    system_homes: Mapping[int, int]


NOTHING_FOUND = FoundMentions((), (), (), (), {}, {})
"""Two sides without clusters."""

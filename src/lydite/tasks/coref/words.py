"""The words of a document and of its mentions, where the format has them, and the kinds of mentions."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache

from lydite.formats.words import LazyWords
from lydite.model.nodes import Node, NodeMention, Sentence
from lydite.model.verdict import Explained
from lydite.model.word_text import AddressedWords, Ranges, WordText
from lydite.tasks.coref.comparison import Coreference
from lydite.tasks.coref.outcomes import is_run, runs_of


class DocumentWords:
    """The words of a document by their numbers, or by the nodes of its trees."""

    def __init__(
        self, words: Sequence[str] | AddressedWords, nodes: Mapping[Node, int] | None = None
    ) -> None:
        self._words = words if isinstance(words, AddressedWords) else WordText(words)
        self._nodes = nodes

    @property
    def text(self) -> str | None:
        """All words, or None if none is known."""
        return self._words.text if self._words.words else None

    def words_and_place(self, key: Hashable) -> tuple[str, Ranges]:
        """The words of a mention, and where they stand in :attr:`text`."""
        words = self._words.words
        if not words:
            return "", ()
        if self._nodes is None and is_run(key):
            return " ".join(words[key[0] : key[1]]), self._words.run(key[0], key[1])
        places = self._places(key)
        return " ".join(words[place] for place in places), self._words.of(places)

    def _places(self, key: Hashable) -> list[int]:
        if isinstance(self._words, AddressedWords):
            return self._words.places_of(key)
        if isinstance(key, NodeMention):
            known = self._nodes or {}
            return [known[node] for node in key.nodes if node in known]
        last = len(self._words.words)
        runs = ((first, min(end, last)) for doc_id, first, end in runs_of(key) if doc_id is None)
        return [place for first, end in runs for place in range(first, end)]


def words_of(explained: Explained[Coreference]) -> DocumentWords:
    """The words that gold has, else those that the system has."""
    for document in (explained.gold, explained.system):
        if (addressed := document.layers.get("addressed-words")) and (found := addressed()).words:
            return DocumentWords(found)
        tokens = document.tokens
        trees = document.layers.get("trees")
        if tokens is not None and trees is not None:
            return _words_of_trees(trees.sentences)
        words = tokens.in_order if isinstance(tokens, LazyWords) else list((tokens or {}).values())
        if words:
            return DocumentWords(words)
    return DocumentWords(())


def _words_of_trees(sentences: Iterable[Sentence]) -> DocumentWords:
    words: list[str] = []
    nodes: dict[Node, int] = {}
    for sentence in sentences:
        for node in sentence.nodes:
            if not node.is_empty:
                nodes[sentence.number, float(node.id)] = len(words)
                words.append(node.form)
    return DocumentWords(words, nodes)


# ------------------------------------------------------------------------------------------------------ kinds


_PRONOUNS = {
    "English": (
        "i me my mine myself you your yours yourself yourselves he him his himself she her hers "
        "herself it its itself we us our ours ourselves they them their theirs themselves this "
        "that these those who whom whose which one"
    ),
    "German": (
        "ich mich mir du dich dir er ihn ihm sie ihr es wir uns euch ihnen sich sein seine seinen seiner"
    ),
    "French": "je me moi tu te toi il elle lui nous vous ils elles eux leur leurs se soi",
    "Spanish": "yo mi ti él ella ello nosotros vosotros ellos ellas lo la los las le les su sus",
    "Italian": "io lui lei noi voi loro",
    "Portuguese": "eu ele ela nós eles elas",
    "Dutch": "hij zij hem haar wij ons hun",
}
PRONOUNS = frozenset(" ".join(_PRONOUNS.values()).split())
"""Personal, possessive, reflexive and a few demonstrative pronouns of some languages with alphabets."""


@lru_cache(maxsize=4096)
def kind_of(text: str) -> str:
    """``pronoun``, ``name`` (its words begin with capitals) or ``nominal``; empty where the words are not known."""
    words = text.split()
    if not words:
        return ""
    if len(words) == 1 and words[0].lower() in PRONOUNS:
        return "pronoun"
    initials = [word[0] for word in words if word[0].isalpha()]
    return "name" if 2 * sum(map(str.isupper, initials)) > len(initials) else "nominal"

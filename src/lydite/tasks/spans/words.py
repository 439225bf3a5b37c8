"""Where spans stand: characters of the source text, or of the words that carry the tags."""

from __future__ import annotations

from lydite.model import Mention
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import Explained
from lydite.model.word_text import Ranges, WordText
from lydite.tasks.spans.documents import Comparison


class Places:
    """Finds the characters of spans; those of tags are characters of the words, where a side has them."""

    def __init__(self, comparison: Comparison) -> None:
        sides = comparison.pair.gold, comparison.pair.system
        self._are_words = any(TAGS_LAYER in side.layers for side in sides)
        tokens = next((side.tokens for side in sides if side.tokens), {})
        self._words = WordText(list(tokens.values()))

    def of(self, mention: Mention) -> Ranges:
        """The characters of a span; none if its words are not known."""
        if not self._are_words:
            return mention.span.ranges
        return tuple(place for begin, end in mention.span.ranges for place in self._words.run(begin, end))

    @property
    def text(self) -> str | None:
        """The words, where spans are numbered by them and the words are known."""
        return self._words.text or None if self._are_words else None


def text(explained: Explained[Comparison]) -> str | None:
    """The words that carry the tags; without tags the source text is the text."""
    return Places(explained.comparison).text

"""Where mentions stand: characters of the source text, or of the words of a token table."""

from __future__ import annotations

from lydite.align.comparison import MentionComparison
from lydite.model import Mention
from lydite.model.verdict import Explained
from lydite.model.word_text import Ranges, WordText


class Places:
    """Finds the characters of mentions; those of token ids are characters of the words of the table."""

    def __init__(self, comparison: MentionComparison) -> None:
        tokens = comparison.gold.tokens or comparison.system.tokens or {}
        self._place = {token: place for place, token in enumerate(tokens)}
        self._words = WordText(list(tokens.values()))

    def of(self, mention: Mention) -> Ranges:
        """The characters of a mention."""
        tokens = mention.span.tokens
        if not tokens:
            return mention.span.ranges
        return self._words.of(self._place[token] for token in tokens if token in self._place)

    @property
    def text(self) -> str | None:
        """The words of the table."""
        return self._words.text or None


def text(explained: Explained[MentionComparison]) -> str | None:
    """The words of the token table, where mentions are token ids; else the source text is the text."""
    comparison = explained.comparison
    mentions = [*comparison.gold.mentions, *comparison.system.mentions]
    return Places(comparison).text if any(mention.span.tokens for mention in mentions) else None

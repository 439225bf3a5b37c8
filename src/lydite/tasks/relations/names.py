"""The names, words and places of items, whatever they are: entities, relations, facts, pairs of events."""

from __future__ import annotations

from lydite.model import DocumentPair
from lydite.model.event_pairs import EventRelation
from lydite.model.facts import FACTS, Fact, FactSheet
from lydite.model.graphs import GraphEntity, GraphWords
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.model.windows import WINDOWS, Range, Windows
from lydite.tasks.relations.comparison import GraphComparison
from lydite.tasks.relations.matching import Item

NO_WINDOWS = Windows("name", ())


class Names:
    """The names of the items of a comparison, with their words and places as far as files have them."""

    def __init__(self, pair: DocumentPair, comparison: object) -> None:
        self._documents = {GOLD: pair.gold, SYSTEM: pair.system}
        self._words = {side: GraphWords(document) for side, document in self._documents.items()}
        self._sentences = comparison.sentences if isinstance(comparison, GraphComparison) else ()
        self._page: FactSheet = pair.gold.layers.get(FACTS, FactSheet())

    def _window(self, side: Side, item: Item) -> int:
        """The number of the window of an item in the document of its side."""
        if not self._sentences:
            return 0
        sentence = self._sentences[item.window]
        return (sentence.gold_window if side == GOLD else sentence.system_window) or 0

    def line(self, side: Side, item: Item) -> int:
        """The line of the record of an item."""
        if isinstance(item.content, Fact):
            return item.content.line
        windows = self._documents[side].layers.get(WINDOWS, NO_WINDOWS).windows
        at = self._window(side, item)
        return windows[at].line if at < len(windows) else self._documents[side].line

    def name(self, side: Side, item: Item) -> str:
        """An item on one line: its window if there are several, its type, and what it joins."""
        content = item.content
        if isinstance(content, Fact):
            return f"{item.type} {content.head} {content.tail}"
        if isinstance(content, EventRelation):
            return f"{item.type} {content.first} {content.second}"
        windows = self._documents[side].layers.get(WINDOWS, NO_WINDOWS).windows
        places = [content.place] if isinstance(content, GraphEntity) else [content.head, content.tail]
        shown = f"{item.type} {' '.join(f'{begin}-{end}' for begin, end in places)}"
        return f"{windows[self._window(side, item)].name}: {shown}" if len(windows) > 1 else shown

    def text(self, side: Side, item: Item) -> str:
        """The words of an item, with dots between those of two ends; empty if the files do not have them."""
        content = item.content
        if isinstance(content, Fact):
            ends = (self._page.entities[at : at + 1] for at in (content.head, content.tail))
            return " … ".join(entity.names[0] for found in ends for entity in found if entity.names)
        if isinstance(content, EventRelation):
            return ""
        places = [content.place] if isinstance(content, GraphEntity) else [content.head, content.tail]
        window = self._window(side, item)
        return " … ".join(self._words[side].words(window, place) for place in places)

    def ranges(self, side: Side, item: Item) -> tuple[Range, ...]:
        """The characters that an item covers, where they are known."""
        content = item.content
        if isinstance(content, Fact | EventRelation):
            return ()
        places = [content.place] if isinstance(content, GraphEntity) else [content.head, content.tail]
        window = self._window(side, item)
        return tuple(found for place in places for found in self._words[side].characters(window, place))

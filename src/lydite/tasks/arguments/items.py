"""Comparisons whose figures are read from a small table of items: which of both sides agree."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator

from lydite.errors import Finding
from lydite.model import DocumentPair
from lydite.tasks.relations.matching import Matching


class ItemComparison(ABC):
    """A document of both sides as items."""

    wordless: tuple[Finding, ...] = ()
    """Places are numbers here: none lacks its words."""

    def __init__(self, pair: DocumentPair) -> None:
        self.pair = pair

    @abstractmethod
    def matching(self, measure: str) -> Matching:
        """The items of a measure."""

    def findings(self) -> Iterator[Finding]:
        """What is wrong with the items."""
        return iter(())

"""Triples as a profile sees them: relations renamed and filtered, the scope applied, duplicates found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement

SKIPPED = frozenset({"TIME", "LOCATION"})
"""The relations that ``skip-time-and-location`` drops: upper case, as the Kybot conversion makes them."""

NO_TOKENS = frozenset({""})
"""Stands for the ids of an empty element: no token has an empty id, so empty elements match each other and nothing else."""


@dataclass(frozen=True, slots=True)
class Preparation:
    """The steps before the scope, applied to both sides alike.

    ``mapping`` renames relations (one step, exact names); ``dropped`` relations go; of the rest only ``relations``
    stay (None: all), and only triples whose elements carry ``first_label`` and ``second_label`` (None: any).
    ``without_second`` empties the second element.
    """

    mapping: Mapping[str, str]
    dropped: frozenset[str] = frozenset()
    relations: frozenset[str] | None = None
    first_label: str | None = None
    second_label: str | None = None
    without_second: bool = False

    def apply(self, triples: Iterable[Triple]) -> tuple[Triple, ...]:
        """The triples that remain, prepared, in their order."""
        renamed = (self._with_new_relation(triple) for triple in triples) if self.mapping else triples
        kept = tuple(triple for triple in renamed if self._keeps(triple))
        return tuple(map(_without_second, kept)) if self.without_second else kept

    def _with_new_relation(self, triple: Triple) -> Triple:
        name = self.mapping.get(triple.relation)
        return triple if name is None else triple._replace(relation=name)

    def _keeps(self, triple: Triple) -> bool:
        return (
            triple.relation not in self.dropped
            and (self.relations is None or triple.relation in self.relations)
            and (self.first_label is None or triple.first.label == self.first_label)
            and (self.second_label is None or triple.second.label == self.second_label)
        )


def _without_second(triple: Triple) -> Triple:
    comment = triple.second.comment
    return triple._replace(second=TripleElement(comment=comment) if comment else EMPTY_ELEMENT)


def ids_of(element: TripleElement) -> frozenset[str]:
    """The set of token ids; :data:`NO_TOKENS` for an empty element."""
    return frozenset(element.ids) or NO_TOKENS


@dataclass(frozen=True)
class TripleSide:
    """One side of a document pair: its prepared triples and those in range.

    A triple is in range when at least one id of its first element is in the scope; the second element is not looked
    at.  ``scope`` None puts everything in range.  ``key`` makes relations comparable.  ``keep_duplicates`` makes
    every triple in range unique.
    """

    triples: tuple[Triple, ...]
    scope: frozenset[str] | None
    key: Callable[[str], str]
    keep_duplicates: bool = False

    @cached_property
    def in_range(self) -> tuple[Triple, ...]:
        """The triples in range, in file order, with duplicates."""
        scope = self.scope
        if scope is None:
            return self.triples
        return tuple(triple for triple in self.triples if not scope.isdisjoint(triple.first.ids))

    @property
    def out_of_range(self) -> int:
        """How many triples are out of range."""
        return len(self.triples) - len(self.in_range)

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The relation of every triple in range, as it is compared."""
        return tuple(self.key(triple.relation) for triple in self.in_range)

    @cached_property
    def firsts(self) -> tuple[frozenset[str], ...]:
        """The ids of every first element in range."""
        return tuple(ids_of(triple.first) for triple in self.in_range)

    @cached_property
    def seconds(self) -> tuple[frozenset[str], ...]:
        """The ids of every second element in range."""
        return tuple(ids_of(triple.second) for triple in self.in_range)

    @cached_property
    def unique(self) -> tuple[int, ...]:
        """The positions in range of the triples that do not repeat an earlier one.

        Duplicates agree in relation and in both sets of ids; labels, comments, ids and profiles do not count.
        """
        if self.keep_duplicates:
            return tuple(range(len(self.in_range)))
        seen: dict[object, int] = {}
        for position, content in enumerate(zip(self.relations, self.firsts, self.seconds, strict=True)):
            seen.setdefault(content, position)
        return tuple(seen.values())

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The first spelling of each relation, by the relation as it is compared."""
        found: dict[str, str] = {}
        for position in self.unique:
            found.setdefault(self.relations[position], self.in_range[position].relation)
        return found

    def mean_ids(self, element: str) -> float | None:
        """Mean number of ids of the ``first`` or ``second`` elements in range, duplicates included."""
        if not self.in_range:
            return None
        return self.total_ids(element) / len(self.in_range)

    def total_ids(self, element: str) -> int:
        """Number of ids of the ``first`` or ``second`` elements in range together."""
        return sum(len(getattr(triple, element).ids) for triple in self.in_range)


def relation_key(*, case_sensitive: bool) -> Callable[[str], str]:
    """The function that makes relations comparable: it trims them and ignores case unless case counts."""
    return str.strip if case_sensitive else _without_case


def _without_case(relation: str) -> str:
    return relation.strip().casefold()


def first_element_scope(gold: Iterable[Triple]) -> frozenset[str]:
    """The ids of all gold first elements."""
    return frozenset(token for triple in gold for token in triple.first.ids)


def sentence_scope(gold: Iterable[Triple], sentences: Mapping[str, str]) -> frozenset[str]:
    """All tokens of sentences with a token of a gold triple; ``sentences`` gives the sentence of every token."""
    touched = {
        sentences[token]
        for triple in gold
        for token in (*triple.first.ids, *triple.second.ids)
        if token in sentences
    }
    return frozenset(token for token, sentence in sentences.items() if sentence in touched)

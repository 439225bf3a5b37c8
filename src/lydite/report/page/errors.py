"""Verdicts by document for the viewer, and errors as columns for lists over the whole corpus."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter

from lydite.model.verdict import FINE, VerdictDocument, faults_of
from lydite.report.page.material import PageMaterial, ShownDocument
from lydite.report.page.sides import Json, PageSide


class Verdicts:
    """The verdicts of all systems by document, compressed until their document is read."""

    def __init__(self, material: PageMaterial) -> None:
        self._packed: dict[str, dict[str, bytes]] = {}
        for system, explanation in material.explanations.items():
            for doc_id, verdicts in groupby(explanation.verdicts(), key=itemgetter("document")):
                by_system = self._packed.setdefault(doc_id, {})
                before = _unpack(by_system[system]) if system in by_system else []
                by_system[system] = _pack([*before, *verdicts])

    def __iter__(self) -> Iterator[str]:
        """The documents that have verdicts."""
        return iter(self._packed)

    def of(self, doc_id: str) -> dict[str, list[VerdictDocument]]:
        """The verdicts of a document by system."""
        return {system: _unpack(packed) for system, packed in self._packed.get(doc_id, {}).items()}


def _pack(verdicts: list[VerdictDocument]) -> bytes:
    return zlib.compress(json.dumps(verdicts, separators=(",", ":")).encode("ascii"), 1)


def _unpack(packed: bytes) -> list[VerdictDocument]:
    verdicts: list[VerdictDocument] = json.loads(zlib.decompress(packed))
    return verdicts


def lost_credit(verdicts: Mapping[str, Sequence[VerdictDocument]]) -> float:
    """The credit that all systems together lost in a document."""
    return sum(float(verdict["lost"] or 0) for of_system in verdicts.values() for verdict in of_system)


class ErrorColumns:
    """All errors as columns: document, side, ids, cause, faults, and the values of both sides.

    Columns have numbers for words, which are positions in one list; -1 stands for none.  The faults of an item are the
    bits of a number, in the order of the budget.
    """

    def __init__(self, systems: Sequence[str], faults: Sequence[str] = ()) -> None:
        self._systems, self._faults = systems, faults
        self._words: dict[str, int] = {}
        self._columns: dict[str, list[str | float | None]] = {
            name: [] for name in ("system", "document", "side", "id", "other", "cause", "lost", "faults")
        }
        self._values: dict[str, tuple[list[int], list[int]]] = {}
        self._count = 0

    def add(
        self, number: int, document: ShownDocument, verdicts: Mapping[str, Sequence[VerdictDocument]]
    ) -> None:
        """Add the errors of the document with this number."""
        gold = _attributes(document.gold)
        for rank, system in enumerate(self._systems):
            if system in verdicts:
                predicted = _attributes(document.systems[system]) if system in document.systems else {}
                for verdict in verdicts[system]:
                    if verdict["cause"] not in FINE:
                        self._add(rank, number, verdict, gold, predicted)

    def _add(
        self,
        rank: int,
        number: int,
        verdict: VerdictDocument,
        gold: Mapping[str, Mapping[str, str]],
        predicted: Mapping[str, Mapping[str, str]],
    ) -> None:
        is_gold = verdict["side"] == "gold"
        own, other = verdict["id"], verdict["other"]
        cause, lost = self._word(verdict["cause"]), verdict["lost"]
        gold_id, system_id = (own, other) if is_gold else (other, own)
        sides = (
            gold.get(gold_id, {}) if gold_id is not None else {},
            predicted.get(system_id, {}) if system_id is not None else {},
        )
        both = {**sides[0], **sides[1]}
        differing = [name for name in both if sides[0].get(name) != sides[1].get(name)]
        faults = faults_of(verdict["side"], verdict["cause"], self._faults, differing)
        bits = sum(1 << self._faults.index(one) for one in faults if one in self._faults)
        row = (rank, number, 0 if is_gold else 1, own, other, cause, lost, bits)
        for column, value in zip(self._columns.values(), row, strict=True):
            column.append(value)
        for name in both:
            if name in _LISTED_ATTRIBUTES and name not in self._values:
                self._values[name] = [-1] * self._count, [-1] * self._count
        for name, columns_of_name in self._values.items():
            for values, side in zip(columns_of_name, sides, strict=True):
                values.append(self._word(side[name]) if name in side else -1)
        self._count += 1

    def _word(self, word: str) -> int:
        return self._words.setdefault(word, len(self._words))

    def to_dict(self) -> Json:
        """The columns in the data of the page."""
        return {
            "words": list(self._words),
            **self._columns,
            "values": {name: list(both) for name, both in self._values.items()},
        }


_LISTED_ATTRIBUTES = frozenset({"type", "realis", "relation", "role", "subtype", "class"})


def _attributes(side: PageSide) -> dict[str, Mapping[str, str]]:
    return {item.of: item.attributes for item in reversed(side.items)}

"""Verdicts: by document for the viewer, and what went wrong as columns for lists over the whole corpus."""

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
    """The verdicts of all systems, document by document; while they wait for their document they are packed."""

    def __init__(self, material: PageMaterial) -> None:
        self._packed: dict[str, dict[str, bytes]] = {}
        for system, explanation in material.explanations.items():
            for doc_id, verdicts in groupby(explanation.verdicts(), key=itemgetter("document")):
                held = self._packed.setdefault(doc_id, {})
                before = _unpacked(held[system]) if system in held else []
                held[system] = _packed([*before, *verdicts])

    def __iter__(self) -> Iterator[str]:
        """The documents that have verdicts."""
        return iter(self._packed)

    def of(self, doc_id: str) -> dict[str, list[VerdictDocument]]:
        """The verdicts of a document by system."""
        return {system: _unpacked(held) for system, held in self._packed.get(doc_id, {}).items()}


def _packed(verdicts: list[VerdictDocument]) -> bytes:
    return zlib.compress(json.dumps(verdicts, separators=(",", ":")).encode("ascii"), 1)


def _unpacked(held: bytes) -> list[VerdictDocument]:
    found: list[VerdictDocument] = json.loads(zlib.decompress(held))
    return found


def lost_in(verdicts: Mapping[str, Sequence[VerdictDocument]]) -> float:
    """What all systems lost in a document."""
    return sum(float(verdict["lost"] or 0) for of_system in verdicts.values() for verdict in of_system)


class ErrorColumns:
    """Everything that went wrong, column by column: document, side, ids, cause, faults, and the values of both sides.

    Words stand in one list, and columns hold their places in it; -1 stands for none.  The faults of an item are bits
    of a number, in the order of the budget.
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
        """The errors of a document, which has that number."""
        gold = _attributes(document.gold)
        for rank, system in enumerate(self._systems):
            if system in verdicts:
                found = _attributes(document.systems[system]) if system in document.systems else {}
                for verdict in verdicts[system]:
                    if verdict["cause"] not in FINE:
                        self._add(rank, number, verdict, gold, found)

    def _add(
        self,
        rank: int,
        number: int,
        verdict: VerdictDocument,
        gold: Mapping[str, Mapping[str, str]],
        found: Mapping[str, Mapping[str, str]],
    ) -> None:
        of_gold = verdict["side"] == "gold"
        own, other = verdict["id"], verdict["other"]
        columns = self._columns
        columns["system"].append(rank)
        columns["document"].append(number)
        columns["side"].append(0 if of_gold else 1)
        columns["id"].append(own)
        columns["other"].append(other)
        columns["cause"].append(self._word(verdict["cause"]))
        columns["lost"].append(verdict["lost"])
        ours, theirs = (own, other) if of_gold else (other, own)
        sides = tuple(
            {} if name is None else held.get(name, {}) for held, name in ((gold, ours), (found, theirs))
        )
        both = {**sides[0], **sides[1]}
        differing = [name for name in both if sides[0].get(name) != sides[1].get(name)]
        faults = faults_of(verdict["side"], verdict["cause"], self._faults, differing)
        columns["faults"].append(sum(1 << self._faults.index(one) for one in faults if one in self._faults))
        for name in both:
            if name in _SHOWN and name not in self._values:
                self._values[name] = [-1] * self._count, [-1] * self._count
        for name, columns_of_name in self._values.items():
            for values, side in zip(columns_of_name, sides, strict=True):
                values.append(self._word(side[name]) if name in side else -1)
        self._count += 1

    def _word(self, said: str) -> int:
        return self._words.setdefault(said, len(self._words))

    def to_dict(self) -> Json:
        """As it stands in the data."""
        return {
            "words": list(self._words),
            **self._columns,
            "values": {name: list(both) for name, both in self._values.items()},
        }


_SHOWN = frozenset({"type", "realis", "relation", "role", "subtype", "class"})


def _attributes(side: PageSide) -> dict[str, Mapping[str, str]]:
    return {item.of: item.attributes for item in reversed(side.items)}

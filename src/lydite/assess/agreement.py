"""How far two assessors agree: a confusion table, accuracy and Cohen's kappa per judgement, B³ of coreference ids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lydite.assess.stores import OpenedStore, cluster_ids, settled_rows
from lydite.formats.eal import system_columns
from lydite.model import Score, Tally
from lydite.model.argument import Assessment

COLUMNS = {
    "event type": "event_type",
    "role": "role",
    "canonical string": "text",
    "base filler": "filler",
    "realis": "realis",
    "mention type": "mention_type",
}
"""The judgements that are compared, and the fields of an assessment that hold them."""

Cells = Counter[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class ColumnAgreement:
    """One judgement over all arguments that both assessors judged: ``cells`` counts (first, second) values."""

    name: str
    cells: Mapping[tuple[str, str], int]

    @property
    def total(self) -> int:
        """How many arguments both judged."""
        return sum(self.cells.values())

    @property
    def accuracy(self) -> float | None:
        """The share of equal judgements."""
        same = sum(count for (first, second), count in self.cells.items() if first == second)
        return same / self.total if self.total else None

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa (p_o − p_e) / (1 − p_e); undefined if chance alone explains all agreement."""
        if not self.total:
            return None
        first, second = self._margins()
        same = sum(count for (one, other), count in self.cells.items() if one == other)
        # In integers as long as possible: p_o = same / n and p_e = Σ a_k b_k / n².
        chance = sum(first[value] * second[value] for value in first)
        n = self.total
        return (same * n - chance) / (n * n - chance) if n * n != chance else None

    def _margins(self) -> tuple[Counter[str], Counter[str]]:
        first: Counter[str] = Counter()
        second: Counter[str] = Counter()
        for (one, other), count in self.cells.items():
            first[one] += count
            second[other] += count
        return first, second


@dataclass(frozen=True, slots=True)
class Agreement:
    """Everything two stores can be asked about each other."""

    judged_by_both: int
    judged_by_first: int
    judged_by_second: int
    columns: tuple[ColumnAgreement, ...]
    coreference: Score
    disagreements: tuple[Mapping[str, Any], ...]


def agreement(first: OpenedStore, second: OpenedStore) -> Agreement:
    """The agreement of two annotation stores over the arguments that both judged."""
    cells: dict[str, Cells] = {name: Counter() for name in COLUMNS}
    judged = [0, 0, 0]
    disagreements: list[Mapping[str, Any]] = []
    tallies: list[Tally] = []
    for doc_id in sorted(set(first.doc_ids) | set(second.doc_ids)):
        ours, theirs = first.rows(doc_id), second.rows(doc_id)
        tallies.append(b_cubed(cluster_ids(ours), cluster_ids(theirs)))
        mine = {argument: row.assessment for argument, row in settled_rows(ours).items() if row.assessment}
        other = {argument: row.assessment for argument, row in settled_rows(theirs).items() if row.assessment}
        judged[0] += len(mine)
        judged[1] += len(other)
        for argument in sorted(set(mine) & set(other)):
            judged[2] += 1
            differing = _compare(mine[argument], other[argument], cells)
            if differing:
                shown = "\t".join(system_columns(argument, 1.0)[1:10])
                disagreements.append({"document": doc_id, "argument": shown, "judgements": differing})
    return Agreement(
        judged[2],
        judged[0],
        judged[1],
        tuple(ColumnAgreement(name, dict(sorted(counts.items()))) for name, counts in cells.items()),
        _total(tallies).score(),
        tuple(disagreements),
    )


def _compare(mine: Assessment, other: Assessment, cells: dict[str, Cells]) -> dict[str, list[str]]:
    differing: dict[str, list[str]] = {}
    for name, field in COLUMNS.items():
        one, two = getattr(mine, field) or "NIL", getattr(other, field) or "NIL"
        cells[name][one, two] += 1
        if one != two:
            differing[name] = [one, two]
    return differing


def b_cubed(first: Mapping[Any, int], second: Mapping[Any, int]) -> Tally:
    """B³ (Bagga & Baldwin 1998) of two partitions, over the strings that have an id on both sides."""
    common = [filler for filler in first if filler in second]
    sizes_first = Counter(first[filler] for filler in common)
    sizes_second = Counter(second[filler] for filler in common)
    cells = Counter((first[filler], second[filler]) for filler in common)
    # The n strings that share both clusters earn n/|cluster| each.
    return Tally(
        math.fsum(n * n / sizes_first[one] for (one, _), n in sorted(cells.items())),
        len(common),
        math.fsum(n * n / sizes_second[two] for (_, two), n in sorted(cells.items())),
        len(common),
    )


def _total(tallies: Iterable[Tally]) -> Tally:
    tallies = list(tallies)
    return Tally(
        math.fsum(tally.gold_credit for tally in tallies),
        sum(tally.gold_total for tally in tallies),
        math.fsum(tally.system_credit for tally in tallies),
        sum(tally.system_total for tally in tallies),
    )

"""The records of the agreement of annotators: every pair, and the means over the pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from lydite.model.plain import plain
from lydite.model.summary import Summary

SCHEMA = "lydite.agreement/1"
Contingency = Mapping[str, Mapping[str, int]]
"""Value of the first side → value of the second side → how many pairs."""


def contingency(values: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Count pairs of values: value of the first side → value of the second side → number, in sorted order."""
    table: dict[str, dict[str, int]] = {}
    for row, column in sorted(values):
        cells = table.setdefault(row, {})
        cells[column] = cells.get(column, 0) + 1
    return table


def add_tables(tables: Iterable[Contingency]) -> dict[str, dict[str, int]]:
    """The sum of contingency tables."""
    total: dict[str, dict[str, int]] = {}
    for table in tables:
        for row, cells in table.items():
            total_cells = total.setdefault(row, {})
            for column, count in cells.items():
                total_cells[column] = total_cells.get(column, 0) + count
    return total


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """The agreement of two annotators: the summary with the first as gold; contingency and kappa by attribute."""

    first: str
    second: str
    summary: Summary
    contingency: Mapping[str, Contingency]
    kappa: Mapping[str, float | None]

    def to_dict(self) -> dict[str, object]:
        """The pair in the agreement document."""
        summary = self.summary.to_dict()
        return {
            "first": self.first,
            "second": self.second,
            "kappa": dict(self.kappa),
            "contingency": plain(self.contingency),
            **{key: summary[key] for key in ("signature", "scores", "diagnosis", "findings")},
        }


@dataclass(frozen=True, slots=True)
class MeanAgreement:
    """The mean F1 of one total over the pairs in which it is defined."""

    measurement: str
    metric: str
    average: str | None
    f1: float | None


@dataclass(frozen=True, slots=True)
class Agreement:
    """The agreement of all pairs of annotators, in the order in which they were given, and the means over the pairs."""

    task: str
    profile: str
    annotators: tuple[str, ...]
    pairs: tuple[PairAgreement, ...]
    means: tuple[MeanAgreement, ...]
    mean_kappa: Mapping[str, float | None]

    def to_dict(self) -> dict[str, object]:
        """The agreement document (schema ``lydite.agreement/1``)."""
        return {
            "schema": SCHEMA,
            "task": self.task,
            "profile": self.profile,
            "annotators": list(self.annotators),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "means": [asdict(mean) for mean in self.means],
            "mean_kappa": dict(self.mean_kappa),
        }

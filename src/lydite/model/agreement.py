"""Agreement of annotators: every pair compared, and the means over the pairs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict

from lydite.model.plain import plain
from lydite.model.summary import PlainSummary
from lydite.records import dataclass

SCHEMA = "lydite.agreement/1"
Contingency = Mapping[str, Mapping[str, int]]
"""Value of the first side → value of the second side → how many pairs."""


def contingency(values: Iterable[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """How often each pair of values occurs: value of the first side → value of the second side → number, both sorted."""
    table: dict[str, dict[str, int]] = {}
    for row, column in sorted(values):
        cells = table.setdefault(row, {})
        cells[column] = cells.get(column, 0) + 1
    return table


def added_tables(tables: Iterable[Contingency]) -> dict[str, dict[str, int]]:
    """Contingency tables of documents as one."""
    total: dict[str, dict[str, int]] = {}
    for table in tables:
        for row, cells in table.items():
            into = total.setdefault(row, {})
            for column, count in cells.items():
                into[column] = into.get(column, 0) + count
    return total


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two annotators: the summary with the first as gold, contingency and kappa of each attribute of paired items."""

    first: str
    second: str
    summary: PlainSummary
    contingency: Mapping[str, Contingency]
    kappa: Mapping[str, float | None]

    def to_dict(self) -> dict[str, object]:
        """As it stands in the agreement document."""
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
    """All pairs of annotators, in the order in which they were named, and the means over them."""

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

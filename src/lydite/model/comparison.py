"""The records of a comparison: which system is better, and how sure that is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding
from lydite.escaping import printable
from lydite.model.plain import plain
from lydite.model.summary import frames_of

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "lydite.comparison/1"


class FigureName(NamedTuple):
    """A figure of a corpus row: ``coref.b-cubed.micro.f1``."""

    measurement: str
    metric: str
    average: str | None
    figure: str

    def __str__(self) -> str:
        return ".".join(part for part in self if part)


class Resampling(NamedTuple):
    """How units are drawn, and which interval is taken; ``left_out`` draws left the figure of a system undefined."""

    resamples: int = 10_000
    seed: int = 0
    level: float = 0.95
    interval: str = "expanded"
    left_out: int = 0


class Testing(NamedTuple):
    """How pairs are tested: correction, limit of p, and the system with which all others are compared, if any."""

    correction: str = "holm"
    alpha: float = 0.05
    against: str | None = None


class SystemPlace(NamedTuple):
    """The place of a system in the ranking: figure with interval, rank with interval, letters of its groups."""

    system: str
    figure: float | None
    low: float | None
    high: float | None
    rank: int
    rank_low: int | None
    rank_high: int | None
    group: str | None


class UnitDifference(NamedTuple):
    """A unit: the figure of both systems, and what it contributes to the difference of the totals."""

    unit: str
    a: float | None
    b: float | None
    contribution: float | None


class PartDifference(NamedTuple):
    """A value of an attribute: the figure of both systems for the items that have it."""

    by: str
    value: str
    a: float | None
    b: float | None


class ItemCounts(NamedTuple):
    """How many gold items both systems have right, only one of them, or neither."""

    both: int
    only_a: int
    only_b: int
    none: int


@dataclass(frozen=True, slots=True)
class SystemPair:
    """Two systems, the better one first: difference with interval, test, and where they differ."""

    a: str
    b: str
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_corrected: float | None
    significant: bool | None
    exact: bool | None
    changed_units: int | None
    units: Mapping[str, int] | None
    items: ItemCounts | None
    top_units: tuple[UnitDifference, ...]
    top_parts: tuple[PartDifference, ...]
    detectable_gap: float | None = None
    """For a pair that is not told apart: the true difference that would be found significant four times in five.

    None where so few units or draws find no difference, however large.  The comparison document does not have it.
    """

    def to_dict(self) -> dict[str, object]:
        """The pair in the comparison document."""
        return {name: plain(getattr(self, name)) for name in self.__slots__ if name != "detectable_gap"}


class SystemChange(NamedTuple):
    """The figure and rank of a system under two golds."""

    system: str
    before: float | None
    after: float | None
    rank_before: int
    rank_after: int


class ItemChange(NamedTuple):
    """A gold item whose standing changed: ``now right``, ``now wrong``, ``new in gold``, ``no longer in gold``."""

    system: str
    document: str
    item: str
    change: str


@dataclass(frozen=True, slots=True)
class Golds:
    """The changes that another gold brought; ``before`` is the signature of the run under the earlier gold."""

    before: str
    systems: tuple[SystemChange, ...]
    changes: tuple[ItemChange, ...]


class SystemRanks(NamedTuple):
    """The rank of a system by each figure; None where its figure is undefined."""

    system: str
    ranks: tuple[int | None, ...]


class RankAgreement(NamedTuple):
    """Kendall's τ-b of the ranks by two figures, over as many systems; None where it is undefined."""

    a: FigureName
    b: FigureName
    tau: float | None
    systems: int


@dataclass(frozen=True, slots=True)
class FigureRanks:
    """The ranks of systems by several figures, and how far every two of these agree."""

    figures: tuple[FigureName, ...]
    systems: tuple[SystemRanks, ...]
    agreement: tuple[RankAgreement, ...]

    def to_dict(self) -> dict[str, object]:
        """The ranks in the comparison document."""
        return {name: plain(getattr(self, name)) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The systems by one figure, best first, and every pair that was tested."""

    version: str
    task: str
    profile: str
    signature: str
    figure: FigureName
    unit_kind: str
    unit_count: int
    resampling: Resampling
    test: Testing
    systems: tuple[SystemPlace, ...]
    pairs: tuple[SystemPair, ...]
    golds: Golds | None = None
    findings: tuple[Finding, ...] = ()
    contents: Mapping[str, str] = field(default_factory=dict)
    """The hash of the content of every system, by name; of many systems the signature has one hash over all."""
    departures: tuple[str, ...] = ()
    """The settings that differ from the profile, as ``name=value``; in the document only the signature has them."""
    measures: Mapping[str, str] = field(default_factory=dict)
    """Profile and settings of every system, if they are not the same: its pairs are then those of two measures.

    The document has a finding instead.
    """

    others: tuple[Comparison, ...] = ()
    """The comparisons by further figures; this is that by the first."""
    ranks: FigureRanks | None = None
    """The ranks by all figures with Kendall's τ; None for one figure or one system."""

    def is_tested(self, pair: SystemPair) -> bool:
        """Whether both systems of a pair were scored by one measure."""
        return self.measures.get(pair.a) == self.measures.get(pair.b)

    def to_dict(self) -> dict[str, object]:
        """The comparison document (schema ``lydite.comparison/1``): nothing rounded, nothing in percent.

        Of several figures it is a list of them under ``comparisons``, and ``ranks``.
        """
        if self.others:
            documents = [replace(self, others=()).to_dict(), *(one.to_dict() for one in self.others)]
            return {"comparisons": documents, "ranks": None if self.ranks is None else self.ranks.to_dict()}
        return {
            "schema": SCHEMA,
            "version": self.version,
            "task": self.task,
            "profile": self.profile,
            "signature": self.signature,
            "figure": plain(self.figure),
            "units": {"kind": self.unit_kind, "count": self.unit_count},
            "resampling": plain(self.resampling),
            "test": {"name": "randomization", **self.test._asdict()},
            "systems": plain(self.systems),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "golds": plain(self.golds),
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def to_pandas(self) -> pd.DataFrame:
        """The systems, one row each, best first."""
        frame: pd.DataFrame = frames_of("pandas").DataFrame([place._asdict() for place in self.systems])
        return frame

    def _repr_html_(self) -> str:
        from html import escape

        from lydite.report.comparison import heading, pairs_table, ranks_tables, systems_table
        from lydite.report.tables import html_table

        shown = []
        for one in (self, *self.others):
            title = "<br>".join(escape(line) for line in heading(one))
            tables = [systems_table(one), *([pairs_table(one)] if one.pairs else ())]
            signature = escape(printable(one.signature))
            shown += [f"<p>{title}</p>", *map(html_table, tables), f"<p><code>{signature}</code></p>"]
        ranks = () if self.ranks is None else ranks_tables(self.ranks)
        return "".join([*shown, *map(html_table, ranks)])

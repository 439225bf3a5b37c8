"""What became of an item and why, and what a task must know to say so and to mend its faults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeAlias, TypedDict, TypeVar

from lydite.model.document import Document
from lydite.profile import Settings
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from fractions import Fraction

GOLD: Literal["gold"] = "gold"
SYSTEM: Literal["system"] = "system"
Side = Literal["gold", "system"]
Credit: TypeAlias = "int | float | Fraction"

LEFT_OUT = "left-out"
"""The cause of items that are not counted."""
RIGHT = frozenset({"right", "found"})
"""The causes of items that are as gold has them."""
FINE = RIGHT | {LEFT_OUT}
"""The causes of items that are no errors."""

_FAULT_OF: Mapping[Side, Mapping[str, str]] = {
    GOLD: {"outcompeted": "missed", "no-document": "missed", "found-with-other-realis": "missed"},
    SYSTEM: {"outranked": "redundant", "mapped-to-none-by-cost": "spurious"},
}
"""Causes that are counted under a fault of another name, by side."""
_WORDS = {"mentions": "mention"}
"""Faults of a budget that causes have another word for."""
_OTHER = "other attributes"

S = TypeVar("S", bound=Settings)
C = TypeVar("C")
R_co = TypeVar("R_co", covariant=True)


class Rival(NamedTuple):
    """An item of the other side that competed for this one: how similar it is, and whom it went to."""

    id: str
    similarity: float
    paired_with: str | None = None


class VerdictDocument(TypedDict):
    """A verdict as it stands in the explanation document."""

    document: str
    side: Side
    id: str
    other: str | None
    cause: str
    credit: int | float
    lost: int | float
    why: str
    rivals: list[dict[str, str | float | None]]


class Fault(NamedTuple):
    """A row of the budget: how many items have the fault, its share, and what mending only it would give."""

    fault: str
    items: int
    share: Fraction
    gain_alone: Fraction

    def to_dict(self) -> dict[str, object]:
        """As it stands in the explanation document."""
        return {**self._asdict(), "share": float(self.share), "gain_alone": float(self.gain_alone)}


class Budget(NamedTuple):
    """All rows; the shares add up to what lies between the figure as it is and after mending everything."""

    figure: Fraction
    perfect: Fraction
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, object]:
        """As it stands in the explanation document."""
        return {"perfect": float(self.perfect), "faults": [fault.to_dict() for fault in self.faults]}


MISSED, SPURIOUS = "(missed)", "(spurious)"
"""What stands in a confusion for the partner that an item lacks."""


def confused_value(value: str) -> str:
    """A value as it stands in a confusion: one that is called like a partner that lacks has quotes."""
    return f"'{value}'" if value.strip("'") in {MISSED, SPURIOUS} else value


class ConfusionMatrix(NamedTuple):
    """Gold values in rows, found ones in columns; the last row and column hold what has no partner."""

    attribute: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self) -> dict[str, object]:
        """As it stands in the explanation document."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "counts": [list(row) for row in self.counts],
        }

    def largest(self) -> list[tuple[str, str, int]]:
        """The cells where gold and system differ, largest first: gold value, found value, how often."""
        cells = [cell for cell in self._cells() if cell[2] and cell[0] != cell[1]]
        return sorted(cells, key=lambda cell: (-cell[2], cell[0], cell[1]))

    @property
    def agreeing(self) -> int:
        """How many pairs agree."""
        return sum(count for row, column, count in self._cells() if row == column)

    def _cells(self) -> Iterator[tuple[str, str, int]]:
        for row, line in zip(self.rows, self.counts, strict=True):
            for column, count in zip(self.columns, line, strict=True):
                yield row, column, count


class Verdict(NamedTuple):
    """What became of one item: its cause, what it earned and lost of the headline's numerator, and why.

    ``other`` is the item of the other side that decided.  ``line``, ``type``, ``text``
    and ``traits`` say where the item stands and what it is; they are for people and filters.
    """

    document: str
    side: Side
    id: str
    other: str | None
    cause: str
    credit: Credit
    lost: Credit
    why: str
    rivals: tuple[Rival, ...] = ()
    line: int = 0
    type: str = ""
    text: str = ""
    traits: Mapping[str, str] = MappingProxyType({})
    """What verdicts can be broken down by, beside the type."""
    ranges: tuple[tuple[int, int], ...] = ()
    """The characters of the text that it covers, where they are known."""

    def to_dict(self) -> VerdictDocument:
        """As it stands in the explanation document."""
        return {
            "document": self.document,
            "side": self.side,
            "id": self.id,
            "other": self.other,
            "cause": self.cause,
            "credit": plain(self.credit),
            "lost": plain(self.lost),
            "why": self.why,
            "rivals": [rival._asdict() for rival in self.rivals],
        }


def faults_of(side: Side, cause: str, faults: Sequence[str], differing: Collection[str]) -> list[str]:
    """The faults of an item with this cause: a wrong type and realis is a fault of type and one of realis.

    Of an error of attributes ``differing`` says of which ones, by the values of the pair.
    """
    if cause in _FAULT_OF[side]:
        return [_FAULT_OF[side][cause]]
    words = cause.split("-")
    if "attribute" in words:
        return [fault for fault in faults if fault in differing] or [_OTHER]
    return [fault for fault in faults if _WORDS.get(fault, fault) in words]


def named(item: str, why: str) -> str:
    """A sentence about an item, which it names."""
    return why if item in why else f"{item} is left out: {why}"


def uncounted(
    document: str,
    side: Side,
    item: str,
    why: str,
    *,
    nothing: Credit = 0,
    line: int = 0,
    type: str = "",  # noqa: A002 - the word of the record
    text: str = "",
) -> Verdict:
    """The verdict on an item that is left out; ``nothing`` is 0 as the credits of its task are written."""
    why = named(item, why)
    return Verdict(
        document, side, item, None, LEFT_OUT, nothing, nothing, why, line=line, type=type, text=text
    )


def plain(credit: Credit) -> int | float:
    """A credit as JSON has numbers."""
    return credit if isinstance(credit, int | float) else float(credit)


class Explained(NamedTuple, Generic[C]):
    """A compared document with both sides as they were read."""

    doc_id: str
    comparison: C
    gold: Document
    system: Document


class Mending(Protocol[R_co]):
    """The faults of one system output, and the output after mending some of them."""

    @property
    def items(self) -> Mapping[str, int]:
        """How many items have each fault; faults that nothing has may be left out."""

    def mend(self, faults: frozenset[str]) -> R_co:
        """The output in which exactly these faults are mended."""


Confusion = tuple[str | None, str | None]
"""The values of an attribute in gold and in the system; None on the side where nothing was paired."""

Documents = Mapping[str, Document]


class Judge(NamedTuple, Generic[S, C]):
    """What judges the items of a measurement: those of a compared document, and those of one that is not scored."""

    verdicts: Callable[[Explained[C], S], Iterable[Verdict]]
    left_out: Callable[[Document, Side, S], Iterable[Verdict]]


class Explainer(NamedTuple, Generic[S, C]):
    """What explains the headline of a task.

    ``causes`` are the closed list of causes, each with one sentence.  ``headline`` judges the items.  ``faults`` are the
    rows of the error budget in the order in which they are mended, ``find_faults`` finds them in a document,
    ``find_faults_of_corpora`` where elements are joined across documents.  ``confusions`` pair the values of an attribute.
    """

    causes: Mapping[str, str]
    headline: Judge[S, C]
    faults: Callable[[S], tuple[str, ...]]
    find_faults: Callable[[Explained[C], S], Mending[Document]] | None = None
    find_faults_of_corpora: (
        Callable[[Documents, Documents, Mapping[str, C], S], Mending[Documents]] | None
    ) = None
    confusions: Mapping[str, Callable[[C, S], Iterable[Confusion]]] = MappingProxyType({})
    measurements: Mapping[str, Judge[S, C]] = MappingProxyType({})
    """What judges the items of measurements beside the headline's."""
    measured_causes: Mapping[str, str] = MappingProxyType({})
    """Causes that only those have."""
    text: Callable[[Explained[C]], str | None] | None = None
    """The text that the ranges of verdicts are of, where that is made of words; else it is the source text."""
    chains: Callable[[Explained[C], S], Iterable[str]] | None = None
    """A document in words: clusters, and what became of them."""

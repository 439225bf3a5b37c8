"""Verdicts: what became of an item and why; and what a task must declare to give them and to correct its faults."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypedDict, TypeVar

from lydite.model.document import Document
from lydite.profile import Settings

if TYPE_CHECKING:
    from fractions import Fraction

    from lydite.model.outcome import Outcome

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
"""The fault of causes that have another name, by side."""
_WORD_OF_FAULT = {"mentions": "mention"}
"""The word in a cause for a fault of another name."""
_OTHER_ATTRIBUTES = "other attributes"

S = TypeVar("S", bound=Settings)
C = TypeVar("C")
R_co = TypeVar("R_co", covariant=True)


class Rival(NamedTuple):
    """An item of the other side that competed for this one: how similar it is, and with which item it is paired."""

    id: str
    similarity: float
    paired_with: str | None = None


class VerdictDocument(TypedDict):
    """A verdict in the explanation document."""

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
    """A row of the budget: how many items have the fault, its share, and what correcting only it would give."""

    fault: str
    items: int
    share: Fraction
    gain_alone: Fraction

    def to_dict(self) -> dict[str, object]:
        """The row in the explanation document."""
        return {**self._asdict(), "share": float(self.share), "gain_alone": float(self.gain_alone)}


class Budget(NamedTuple):
    """The error budget: the shares of the faults add up to ``perfect − figure``; ``perfect`` is with all corrected."""

    figure: Fraction
    perfect: Fraction
    faults: tuple[Fault, ...]

    def to_dict(self) -> dict[str, object]:
        """The budget in the explanation document."""
        return {"perfect": float(self.perfect), "faults": [fault.to_dict() for fault in self.faults]}


MISSED, SPURIOUS = "(missed)", "(spurious)"
"""The column and the row of a confusion matrix for items without a partner."""


def confused_value(value: str) -> str:
    """A value in a confusion matrix; one that is itself ``(missed)`` or ``(spurious)`` gets quotes."""
    return f"'{value}'" if value.strip("'") in {MISSED, SPURIOUS} else value


class ConfusionMatrix(NamedTuple):
    """Gold values in rows, system values in columns; the last row and column count items without a partner."""

    attribute: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self) -> dict[str, object]:
        """The matrix in the explanation document."""
        counts = [list(row) for row in self.counts]
        return {"rows": list(self.rows), "columns": list(self.columns), "counts": counts}

    def largest(self) -> list[tuple[str, str, int]]:
        """The cells where gold and system differ, largest first: gold value, system value, count."""
        cells = [cell for cell in self._cells() if cell[2] and cell[0] != cell[1]]
        return sorted(cells, key=lambda cell: (-cell[2], cell[0], cell[1]))

    @property
    def agreeing(self) -> int:
        """The number of pairs that agree."""
        return sum(count for row, column, count in self._cells() if row == column)

    def _cells(self) -> Iterator[tuple[str, str, int]]:
        for row, line in zip(self.rows, self.counts, strict=True):
            for column, count in zip(self.columns, line, strict=True):
                yield row, column, count


class Verdict(NamedTuple):
    """What became of one item: the cause, what it earned and lost of the headline's numerator, and why.

    ``other`` is the item of the other side that decided.  ``line``, ``type``, ``text`` and ``traits`` say where the
    item stands and what it is, for readers and filters.
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
    """Attributes by which verdicts can be broken down, beside the type."""
    ranges: tuple[tuple[int, int], ...] = ()
    """The characters of the text that the item covers, where they are known."""
    more: Mapping[str, object] = MappingProxyType({})
    """What the explanation document shows of it beside the usual: path and values of a record."""

    def to_dict(self) -> VerdictDocument:
        """The verdict in the explanation document."""
        shown: VerdictDocument = {
            "document": self.document,
            "side": self.side,
            "id": self.id,
            "other": self.other,
            "cause": self.cause,
            "credit": credit_as_number(self.credit),
            "lost": credit_as_number(self.lost),
            "why": self.why,
            "rivals": [rival._asdict() for rival in self.rivals],
        }
        shown.update(self.more)  # type: ignore[typeddict-item]  # of one task alone
        return shown


def faults_of(side: Side, cause: str, faults: Sequence[str], differing: Collection[str]) -> list[str]:
    """The faults of an item with this cause: ``wrong-type-and-realis`` is a fault of type and one of realis.

    ``differing`` are the attributes in which a pair differs, for causes that do not name them.
    """
    if cause in _FAULT_OF[side]:
        return [_FAULT_OF[side][cause]]
    words = cause.split("-")
    if "attribute" in words:
        return [fault for fault in faults if fault in differing] or [_OTHER_ATTRIBUTES]
    return [fault for fault in faults if _WORD_OF_FAULT.get(fault, fault) in words]


def name_left_out(item: str, why: str) -> str:
    """The sentence ``why`` about an item that is left out, with the name of the item if it lacks it."""
    return why if item in why else f"{item} is left out: {why}"


def credit_as_number(credit: Credit) -> int | float:
    """A credit as a number for JSON: fractions become floats."""
    return credit if isinstance(credit, int | float) else float(credit)


class Explained(NamedTuple, Generic[C]):
    """A compared document with both sides as they were read."""

    doc_id: str
    comparison: C
    gold: Document
    system: Document


class Corrections(Protocol[R_co]):
    """The faults of one system output, and the output after correcting some of them."""

    @property
    def items(self) -> Mapping[str, int]:
        """The number of items with each fault; faults without items may be left out."""

    def correct(self, faults: frozenset[str]) -> R_co:
        """The output in which exactly these faults are corrected."""


Confusion = tuple[str | None, str | None]
"""The values of an attribute in gold and in the system; None on the side where nothing was paired."""

Documents = Mapping[str, Document]


class Judge(NamedTuple, Generic[S, C]):
    """Makes the outcomes of a measurement: for the items of a compared document, and of one that is not scored."""

    outcomes: Callable[[Explained[C], S], Iterable[Outcome]]
    left_out: Callable[[Document, Side, S], Iterable[Outcome]]


class Explainer(NamedTuple, Generic[S, C]):
    """How the headline of a task is explained.

    ``causes`` is the closed list of causes, each with one sentence.  ``headline`` makes the outcomes.  ``faults`` are
    the rows of the error budget in the order in which they are corrected; ``find_faults`` finds them in a document,
    ``find_faults_of_corpora`` in whole corpora, where elements are joined across documents.  ``confusions`` pair the
    values of an attribute.
    """

    causes: Mapping[str, str]
    headline: Judge[S, C]
    faults: Callable[[S], tuple[str, ...]]
    find_faults: Callable[[Explained[C], S], Corrections[Document]] | None = None
    find_faults_of_corpora: (
        Callable[[Documents, Documents, Mapping[str, C], S], Corrections[Documents]] | None
    ) = None
    confusions: Mapping[str, Callable[[C, S], Iterable[Confusion]]] = MappingProxyType({})
    measurements: Mapping[str, Judge[S, C]] = MappingProxyType({})
    """The verdicts of other measurements, by name."""
    measured_causes: Mapping[str, str] = MappingProxyType({})
    """The causes that only those measurements have."""
    text: Callable[[Explained[C]], str | None] | None = None
    """The text to which the ranges of verdicts refer, where it is made of words; else it is the source text."""
    chains: Callable[[Explained[C], S], Iterable[str]] | None = None
    """The clusters of a document in words, and what became of them."""

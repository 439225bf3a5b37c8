"""What became of an item and why, and what a task must know to say so and to mend its faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
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


class FaultDocument(TypedDict):
    """A row of the error budget as it stands in the explanation document."""

    fault: str
    items: int
    share: float
    gain_alone: float


class BudgetDocument(TypedDict):
    """``budget`` of an explanation document."""

    perfect: float
    faults: list[FaultDocument]


class ConfusionDocument(TypedDict):
    """A confusion as it stands in the explanation document: gold values in rows, found ones in columns."""

    rows: list[str]
    columns: list[str]
    counts: list[list[int]]


class HeadlineDocument(TypedDict):
    """``headline`` of an explanation document."""

    measurement: str
    metric: str
    average: str
    figure: str
    value: float | None


class OtherMeasurement(TypedDict, total=False):
    """Whose verdicts an explanation document has, if not the headline's."""

    measurement: str


class ExplanationHead(OtherMeasurement):
    """An explanation document without confusions and verdicts."""

    schema: str
    version: str
    task: str
    profile: str
    signature: str
    system: str
    headline: HeadlineDocument
    budget: BudgetDocument | None


class ExplanationDocument(ExplanationHead):
    """A document of schema ``lydite.explanation/1``; its verdicts may be made when they are gone through."""

    confusion: dict[str, ConfusionDocument]
    verdicts: Iterable[VerdictDocument]


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

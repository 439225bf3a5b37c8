"""What a page is made from: a summary, a comparison, explanations, and the documents as they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from lydite.model import PlainSummary
from lydite.model.comparison import PlainComparison
from lydite.model.curve import Bin, Curve
from lydite.model.verdict import Budget, ConfusionMatrix, VerdictDocument
from lydite.records import NamedTuple, dataclass, field
from lydite.report.page.sides import EMPTY_SIDE, PageSide


class ShownDocument(NamedTuple):
    """A document with its text, what gold says and what each system says, by name."""

    doc_id: str
    text: str | None
    gold: PageSide = EMPTY_SIDE
    systems: Mapping[str, PageSide] = {}


class Definition(NamedTuple):
    """A metric that stands on the page: its name, what people call it, who defined it, and its formula."""

    name: str
    title: str
    cite: str
    formula: str = ""


class ExplainedSystem(NamedTuple):
    """Why a system has the headline that it has; its verdicts are made when they are gone through."""

    value: float | None
    budget: Budget | None
    confusions: Mapping[str, ConfusionMatrix]
    verdicts: Callable[[], Iterable[VerdictDocument]]


@dataclass(frozen=True, slots=True)
class PageMaterial:
    """Everything on the page; it computes no score.

    ``explanations``, ``curves`` and ``bins`` are by system.  What is missing leaves out its section, and ``absent`` says
    why, by section.
    """

    summary: PlainSummary
    comparison: PlainComparison | None = None
    explanations: Mapping[str, ExplainedSystem] = field(default_factory=dict)
    documents: Callable[[], Iterable[ShownDocument]] = tuple
    curves: Mapping[str, Curve] = field(default_factory=dict)
    bins: Mapping[str, Sequence[Bin]] = field(default_factory=dict)
    definitions: tuple[Definition, ...] = ()
    cite: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)

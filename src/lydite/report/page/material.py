"""What a page is made from: a summary, a comparison, explanations, and the documents as they are shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence

from lydite.errors import Finding
from lydite.model import Summary
from lydite.model.comparison import Comparison
from lydite.model.curve import Bin, Curve
from lydite.model.letters import letters
from lydite.model.verdict import Budget, ConfusionMatrix, VerdictDocument
from lydite.records import NamedTuple, dataclass, field, replace
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
    """Why a system has the headline that it has; its verdicts may be made when they are gone through."""

    value: float | None
    budget: Budget | None
    confusions: Mapping[str, ConfusionMatrix]
    verdicts: Iterable[VerdictDocument]


@dataclass(frozen=True, slots=True)
class Material:
    """Everything on the page; it computes no score.

    ``explanations``, ``curves`` and ``bins`` are by system.  What is missing leaves out its section, and ``absent`` says
    why, by section.
    """

    summary: Summary
    comparison: Comparison | None = None
    explanations: Mapping[str, ExplainedSystem] = field(default_factory=dict)
    documents: Callable[[], Iterable[ShownDocument]] = tuple
    curves: Mapping[str, Curve] = field(default_factory=dict)
    bins: Mapping[str, Sequence[Bin]] = field(default_factory=dict)
    definitions: tuple[Definition, ...] = ()
    cite: tuple[str, ...] = ()
    absent: Mapping[str, str] = field(default_factory=dict)


def anonymous(material: Material, order: Iterable[str]) -> Material:
    """The same with letters for the names of systems, best first; their paths are left out.

    What a finding says of a system's file keeps its words, with the letter for the name.
    """
    names = {system: letters(place) for place, system in enumerate(order)}
    summary = material.summary
    paths = {item.path: names[item.name] for item in summary.inputs if item.role == "system"}
    told = _Renamed({**names, **paths})
    inputs = tuple(
        item._replace(name=names[item.name], path="", sha256="") if item.role == "system" else item
        for item in summary.inputs
    )
    return replace(
        material,
        summary=replace(
            summary,
            rows=tuple(row._replace(system=names[row.system]) for row in summary.rows),
            inputs=inputs,
            findings=tuple(map(told.finding, summary.findings)),
        ),
        comparison=None if material.comparison is None else told.comparison(material.comparison),
        explanations={names[system]: one for system, one in material.explanations.items()},
        curves={
            names[system]: replace(curve, system=names[system]) for system, curve in material.curves.items()
        },
        bins={names[system]: bins for system, bins in material.bins.items()},
        documents=lambda: (
            document._replace(systems={names[system]: shown for system, shown in document.systems.items()})
            for document in material.documents()
        ),
    )


class _Renamed:
    """Text and records in which systems have other names."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {name: letter for name, letter in names.items() if name}
        longest_first = sorted(self._names, key=len, reverse=True)
        self._pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))

    def text(self, said: str) -> str:
        return self._pattern.sub(lambda found: self._names[found.group()], said) if self._names else said

    def path(self, path: str) -> str:
        return next((letter for name, letter in self._names.items() if name and path.startswith(name)), path)

    def finding(self, finding: Finding) -> Finding:
        return finding._replace(
            message=self.text(finding.message),
            hint=None if finding.hint is None else self.text(finding.hint),
            location=finding.location and finding.location._replace(path=self.path(finding.location.path)),
        )

    def comparison(self, found: Comparison) -> Comparison:
        names = self._names
        golds = found.golds and replace(
            found.golds,
            systems=tuple(one._replace(system=names[one.system]) for one in found.golds.systems),
            changes=tuple(one._replace(system=names[one.system]) for one in found.golds.changes),
        )
        return replace(
            found,
            systems=tuple(place._replace(system=names[place.system]) for place in found.systems),
            pairs=tuple(replace(pair, a=names[pair.a], b=names[pair.b]) for pair in found.pairs),
            golds=golds,
            findings=tuple(map(self.finding, found.findings)),
        )

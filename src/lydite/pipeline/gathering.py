"""What is gathered of the documents of a system: tallies, breakdowns, document rows, diagnoses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic

from lydite.frozen import FrozenDict, frozen
from lydite.model import Figures, Score, ScoreRow
from lydite.model.summary import EVERYTHING
from lydite.pipeline.settings import C, S, TaskSettings
from lydite.records import NamedTuple
from lydite.results.averages import Gatherer

if TYPE_CHECKING:
    from lydite.pipeline import Derived, Detail, Measurement, Task

EVERY_BREAKDOWN = "*"

SourcePart = tuple[str, str]
"""An attribute, and one of its values."""


class Measured(NamedTuple):
    """What the measurements counted in one document, each at its position; None where one leaves the document out.

    ``parts`` are the counts of breakdowns: (position of the measurement, attribute, value, counts).
    """

    figures: tuple[Figures | None, ...]
    parts: tuple[tuple[int, str, str, Figures], ...] = ()


def measured(measurements: Sequence[Measurement[C]], comparison: C, by: Collection[str] = ()) -> Measured:
    """One compared document, measured; ``by`` names the breakdowns."""
    figures = tuple([measurement.measure(comparison) for measurement in measurements])
    if not by:
        return Measured(figures)
    parts = [
        (position, attribute, value, counts)
        for position, measurement in enumerate(measurements)
        if figures[position] is not None
        for attribute in measurement.breakdowns
        if attribute in by or EVERY_BREAKDOWN in by
        for value, counts in measurement.breakdowns[attribute](comparison)
    ]
    return Measured(figures, tuple(parts))


class PartOf(NamedTuple):
    """The counts of one part of a breakdown in a document or element; ``position`` is that of the measurement."""

    scope: str
    name: str
    position: int
    part: SourcePart
    figures: Figures


class Gathered(Generic[S, C]):
    """What is gathered for one system while documents stream by.

    Of a block of documents it is gathered apart, comes back from another process without the measurements, which are
    functions, and is taken.  Elements that reach across documents do not travel.
    """

    def __init__(
        self, name: str, measurements: Sequence[Measurement[C]], detail: Detail, *, apart: bool = False
    ) -> None:
        self.name = name
        self._apart = apart
        self.measurements = measurements
        self.detail = detail
        self.documents: list[ScoreRow] = []
        self.diagnoses = detail.keep()
        self.standing = detail.keep()
        self._elements: dict[tuple[str, int], Figures] = {}
        self.taken = 0
        self._totals: list[list[Gatherer]] = [
            [average.start(measurement.nothing, apart=apart) for average in measurement.averages]
            for measurement in measurements
        ]
        self._parts: list[dict[SourcePart, Gatherer]] = [{} for _ in measurements]
        self._parts_of: list[PartOf] = []

    def add(self, doc_id: str, counted: Measured) -> None:
        """Take in one measured document."""
        self.taken += 1
        keep_documents = "doc" in self.detail.by
        for measurement, totals, figures in zip(
            self.measurements, self._totals, counted.figures, strict=True
        ):
            if figures is None:
                continue
            for gatherer in totals:
                gatherer.add(figures)
            if keep_documents:
                self.documents.append(self._document_row(doc_id, measurement, figures))
        for position, attribute, value, figures in counted.parts:
            self._part(position, (attribute, value)).add(figures)
            if self.detail.parts:
                self._parts_of.append(PartOf("document", doc_id, position, (attribute, value), figures))

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "measurements": (), "_elements": {}}

    def take_block(self, block: Gathered[TaskSettings, object]) -> None:
        """Take in the documents of a block; blocks are taken in the order of their documents."""
        self.taken += block.taken
        for ours, theirs in zip(self._totals, block._totals, strict=True):
            for total, more in zip(ours, theirs, strict=True):
                total.take(more)
        for position, parts in enumerate(block._parts):
            for part, more in parts.items():
                self._part(position, part).take(more)
        self.documents.extend(block.documents)
        self._parts_of.extend(block._parts_of)
        self.diagnoses.extend(block.diagnoses)
        self.standing.extend(block.standing)

    def take(self, task: Task[S, C], settings: S, doc_id: str, comparison: C) -> None:
        """Measure one compared document; keep its diagnosis if it was asked for."""
        self.add(doc_id, measured(self.measurements, comparison, self.detail.by))
        if self.detail.elements:
            for name, is_gold, part in task.sampling_unit(settings).elements(comparison):
                self._add_element(name if is_gold else f"{name} of {self.name}", part)
        if self.detail.standing:
            items = _told_apart(task.standing(comparison, settings))
            self.standing.append({"system": self.name, "document": doc_id, "items": items})
        if self.detail.diagnosis:
            brief = task.diagnosis.for_layout if self.detail.for_layout else None
            diagnose = task.diagnosis.of_document if brief is None else brief
            self.diagnoses.append({"system": self.name, "document": doc_id, **diagnose(comparison)})

    def _add_element(self, name: str, part: C) -> None:
        counted = measured(self.measurements, part, self.detail.by if self.detail.parts else ())
        for position, figures in enumerate(counted.figures):
            if figures is not None and any(figures.as_dict().values()):
                before = self._elements.get((name, position))
                self._elements[name, position] = figures if before is None else before + figures
        for position, attribute, value, of_part in counted.parts:
            self._parts_of.append(PartOf("element", name, position, (attribute, value), of_part))

    def _part(self, position: int, part: SourcePart) -> Gatherer:
        parts = self._parts[position]
        gatherer = parts.get(part)
        if gatherer is None:
            average = self.measurements[position].part_average
            gatherer = parts[part] = average.start(apart=self._apart)
        return gatherer

    def _document_row(
        self, doc_id: str, measurement: Measurement[C], figures: Figures, scope: str = "document"
    ) -> ScoreRow:
        if measurement.document_score is not None:
            score = measurement.document_score(figures)
        else:
            empty = measurement.averages[0].empty if measurement.averages else "undefined"
            score = figures.score(empty=empty)
        return self._row(measurement, None, score, figures, scope=scope, document=doc_id)

    def _row(
        self,
        measurement: Measurement[C],
        average: str | None,
        score: Score,
        figures: Figures,
        *,
        scope: str = "corpus",
        document: str | None = None,
        by: Mapping[str, str] = EVERYTHING,
    ) -> ScoreRow:
        name, metric = measurement.name, measurement.metric
        tally = frozen(figures.as_dict())
        return ScoreRow(self.name, name, metric, average, score, tally, scope, document, by)

    def totals(self) -> list[ScoreRow]:
        """The rows of the corpus."""
        return [
            self._row(measurement, average.name, gatherer.score(), gatherer.figures)
            for measurement, gatherers in zip(self.measurements, self._totals, strict=True)
            if self.taken or not measurement.needs_documents
            for average, gatherer in zip(measurement.averages, gatherers, strict=True)
        ]

    def rows(self, totals: Sequence[ScoreRow], derived: Iterable[Derived]) -> Iterator[ScoreRow]:
        """All rows of this system: its ``totals``, what is derived from them, parts, documents."""
        yield from totals
        yield from (one.made(sources) for one in derived if (sources := one.sources_in(totals)))
        yield from self._part_rows()
        yield from self.documents
        for (name, position), figures in self._elements.items():
            yield self._document_row(name, self.measurements[position], figures, "element")
        yield from map(self._row_of_part, self._parts_of)

    def _row_of_part(self, one: PartOf) -> ScoreRow:
        """Counts alone: nothing else is asked of a part of a document."""
        measurement = self.measurements[one.position]
        attribute, value = one.part
        whole = self._parts[one.position][one.part].figures
        by = FrozenDict({attribute: measurement.part_name(value, whole)})
        return self._row(measurement, None, Score(), one.figures, scope=one.scope, document=one.name, by=by)

    def _part_rows(self) -> Iterator[ScoreRow]:
        for measurement, parts in zip(self.measurements, self._parts, strict=True):
            order = {key: measurement.part_order(key[1], gatherer.figures) for key, gatherer in parts.items()}
            for attribute, value in sorted(parts, key=lambda key: (key[0], order[key])):
                gatherer = parts[attribute, value]
                by = FrozenDict({attribute: measurement.part_name(value, gatherer.figures)})
                average = measurement.part_average.name
                yield self._row(measurement, average, gatherer.score(), gatherer.figures, by=by)


def _told_apart(items: Iterable[tuple[str, bool]]) -> dict[str, bool]:
    """Items by id; one whose id was there before has a number behind it."""
    items = list(items)
    found = dict(items)
    if len(found) == len(items):
        return found
    found.clear()
    seen: dict[str, int] = {}
    for item, right in items:
        seen[item] = seen.get(item, 0) + 1
        found[item if seen[item] == 1 else f"{item} ({seen[item]})"] = right
    return found

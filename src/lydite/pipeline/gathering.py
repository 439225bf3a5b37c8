"""Adding up the documents of a system: tallies, breakdowns, rows of documents, diagnoses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Generic, NamedTuple

from lydite.frozen import FrozenDict, frozen
from lydite.model import Figures, Score, ScoreRow
from lydite.model.outcome import gold_items_right
from lydite.model.settings import C, S
from lydite.model.summary import ALL_ITEMS
from lydite.results.averages import Gatherer

if TYPE_CHECKING:
    from lydite.pipeline.task import Derived, Headline, KeptResults, Measurement, Task

EVERY_BREAKDOWN = "*"

Part = tuple[str, str]
"""An attribute and one of its values, by which scores are broken down."""


class DocumentFigures(NamedTuple):
    """The counts of one document, one for each measurement; None where a measurement leaves the document out."""

    figures: tuple[Figures | None, ...]
    parts: tuple[tuple[int, str, str, Figures], ...] = ()
    """The counts of breakdowns: position of the measurement, attribute, value, counts."""


def measure_document(
    measurements: Sequence[Measurement[C]], comparison: C, by: Collection[str] = ()
) -> DocumentFigures:
    """Measure one compared document; ``by`` names the breakdowns."""
    figures = tuple([measurement.measure(comparison) for measurement in measurements])
    if not by:
        return DocumentFigures(figures)
    parts = [
        (position, attribute, value, counts)
        for position, measurement in enumerate(measurements)
        if figures[position] is not None
        for attribute in measurement.breakdowns
        if attribute in by or EVERY_BREAKDOWN in by
        for value, counts in measurement.breakdowns[attribute](comparison)
    ]
    return DocumentFigures(figures, tuple(parts))


class PartCounts(NamedTuple):
    """The counts of one part of a breakdown in one document or element; ``position`` is that of the measurement."""

    scope: str
    name: str
    position: int
    part: Part
    figures: Figures


class Accumulator(Generic[S, C]):
    """Adds up the documents of one system as they stream by.

    A block of documents has an accumulator of its own (``for_block``), which comes back from another process without the
    measurements, as functions do not travel, and is added to that of the whole run.  Elements that reach across
    documents do not travel either.
    """

    def __init__(
        self,
        name: str,
        measurements: Sequence[Measurement[C]],
        detail: KeptResults,
        *,
        for_block: bool = False,
    ) -> None:
        self.name = name
        self._for_block = for_block
        self.measurements = measurements
        self.detail = detail
        self.documents: list[ScoreRow] = []
        self.diagnoses = detail.keep()
        self.standing = detail.keep()
        self._elements: dict[tuple[str, int], Figures] = {}
        self.document_count = 0
        self._totals: list[list[Gatherer]] = [
            [average.start(measurement.empty_counts, for_block=for_block) for average in measurement.averages]
            for measurement in measurements
        ]
        self._parts: list[dict[Part, Gatherer]] = [{} for _ in measurements]
        self._part_counts: list[PartCounts] = []

    def add(self, doc_id: str, counted: DocumentFigures) -> None:
        """Add one measured document."""
        self.document_count += 1
        keep_documents = "doc" in self.detail.by
        by_measurement = zip(self.measurements, self._totals, counted.figures, strict=True)
        for measurement, totals, figures in by_measurement:
            if figures is None:
                continue
            for gatherer in totals:
                gatherer.add(figures)
            if keep_documents:
                self.documents.append(self._document_row(doc_id, measurement, figures))
        for position, attribute, value, figures in counted.parts:
            self._part_gatherer(position, (attribute, value)).add(figures)
            if self.detail.parts:
                part = attribute, value
                self._part_counts.append(PartCounts("document", doc_id, position, part, figures))

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "measurements": (), "_elements": {}}

    def add_block(self, block: Accumulator[S, C]) -> None:
        """Add the documents of a block; blocks are added in the order of their documents."""
        self.document_count += block.document_count
        for totals, block_totals in zip(self._totals, block._totals, strict=True):
            for total, block_total in zip(totals, block_totals, strict=True):
                total.take(block_total)
        for position, parts in enumerate(block._parts):
            for part, block_part in parts.items():
                self._part_gatherer(position, part).take(block_part)
        self.documents.extend(block.documents)
        self._part_counts.extend(block._part_counts)
        self.diagnoses.extend(block.diagnoses)
        self.standing.extend(block.standing)

    def measure(self, task: Task[S, C], settings: S, doc_id: str, comparison: C) -> None:
        """Measure one compared document and add it; keep its diagnosis if it is asked for."""
        self.add(doc_id, measure_document(self.measurements, comparison, self.detail.by))
        if self.detail.elements:
            for name, is_gold, part in task.sampling_unit(settings).elements(comparison):
                self._add_element(name if is_gold else f"{name} of {self.name}", part)
        for figure in self._figures_with_items(task.headline(settings)):
            outcomes = task.outcomes(comparison, settings, figure)
            if outcomes is not None:
                names = {"measurement": figure.measurement, "metric": figure.metric}
                items = _with_distinct_ids(gold_items_right(outcomes))
                entry = {"system": self.name, "document": doc_id, **names, "items": items}
                self.standing.append(entry)
        if self.detail.diagnosis:
            for_layout = task.diagnosis.for_layout if self.detail.for_layout else None
            diagnose = for_layout or task.diagnosis.of_document
            self.diagnoses.append({"system": self.name, "document": doc_id, **diagnose(comparison)})

    def _figures_with_items(self, headline: Headline) -> list[Headline]:
        """The figures whose gold items are kept; a name without metric means the headline's, or all that there are."""
        figures: dict[Headline, None] = {}
        for name in self.detail.standing:
            if name is None:
                figures[headline] = None
                continue
            meant = [one.metric for one in self.measurements if name.startswith(f"{one.name}.")]
            measurement = name.partition(".")[0]
            spelt = [metric for metric in meant if name.startswith(f"{measurement}.{metric}.")]
            for metric in spelt or ([headline.metric] if headline.metric in meant else meant):
                figures[headline._replace(measurement=measurement, metric=metric)] = None
        return list(figures)

    def _add_element(self, name: str, part: C) -> None:
        counted = measure_document(self.measurements, part, self.detail.by if self.detail.parts else ())
        for position, figures in enumerate(counted.figures):
            if figures is not None and any(figures.as_dict().values()):
                before = self._elements.get((name, position))
                self._elements[name, position] = figures if before is None else before + figures
        for position, attribute, value, part_figures in counted.parts:
            self._part_counts.append(PartCounts("element", name, position, (attribute, value), part_figures))

    def _part_gatherer(self, position: int, part: Part) -> Gatherer:
        parts = self._parts[position]
        gatherer = parts.get(part)
        if gatherer is None:
            average = self.measurements[position].part_average
            gatherer = parts[part] = average.start(for_block=self._for_block)
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
        by: Mapping[str, str] = ALL_ITEMS,
    ) -> ScoreRow:
        name, metric = measurement.name, measurement.metric
        tally = frozen(figures.as_dict())
        return ScoreRow(self.name, name, metric, average, score, tally, scope, document, by)

    def totals(self) -> list[ScoreRow]:
        """The rows of the corpus."""
        return [
            self._row(measurement, average.name, gatherer.score(), gatherer.figures)
            for measurement, gatherers in zip(self.measurements, self._totals, strict=True)
            if self.document_count or not measurement.needs_documents
            for average, gatherer in zip(measurement.averages, gatherers, strict=True)
        ]

    def rows(self, totals: Sequence[ScoreRow], derived: Iterable[Derived]) -> Iterator[ScoreRow]:
        """All rows of this system: its ``totals``, rows derived from them, breakdowns, documents, elements."""
        yield from totals
        yield from (one.made(sources) for one in derived if (sources := one.sources_in(totals)))
        yield from self._part_rows()
        yield from self.documents
        for (name, position), figures in self._elements.items():
            yield self._document_row(name, self.measurements[position], figures, "element")
        for one in self._part_counts:
            # With counts and without a score, as nobody asks for one.
            measurement = self.measurements[one.position]
            attribute, value = one.part
            whole = self._parts[one.position][one.part].figures
            by = FrozenDict({attribute: measurement.part_name(value, whole)})
            yield self._row(
                measurement, None, Score(), one.figures, scope=one.scope, document=one.name, by=by
            )

    def _part_rows(self) -> Iterator[ScoreRow]:
        for measurement, parts in zip(self.measurements, self._parts, strict=True):
            order = {key: measurement.part_order(key[1], gatherer.figures) for key, gatherer in parts.items()}
            for attribute, value in sorted(parts, key=lambda key: (key[0], order[key])):
                gatherer = parts[attribute, value]
                by = FrozenDict({attribute: measurement.part_name(value, gatherer.figures)})
                average = measurement.part_average.name
                yield self._row(measurement, average, gatherer.score(), gatherer.figures, by=by)


def _with_distinct_ids(items: Iterable[tuple[str, bool]]) -> dict[str, bool]:
    """Items by id; an id that occurs again gets a number: ``E1``, ``E1 (2)``."""
    items = list(items)
    if len(distinct := dict(items)) == len(items):
        return distinct
    numbered: dict[str, bool] = {}
    occurrences: dict[str, int] = {}
    for item, right in items:
        number = occurrences[item] = occurrences.get(item, 0) + 1
        numbered[item if number == 1 else f"{item} ({number})"] = right
    return numbered

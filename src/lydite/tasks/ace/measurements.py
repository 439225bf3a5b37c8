"""The measurements: value, counts and B-cubed by section, with every official table as a breakdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeAlias

from lydite.align.ace import PresentSections, align
from lydite.formats.lists import read_mapping
from lydite.metrics import ace_b_cubed, ace_recognition
from lydite.metrics.ace_b_cubed import WeighedItem
from lydite.metrics.ace_recognition import Counts, as_figures
from lydite.metrics.ace_value import (
    CONDITIONS,
    AceFigures,
    CountedFigures,
    WeightedFigures,
    element_figures,
    elements_by_first_document,
    judge_by_links,
    outcome_figures,
    split,
)
from lydite.model import Document, Figures, Tally
from lydite.model.ace import ENTITY, EVENT, KINDS, RELATION, condition_name
from lydite.model.ace_alignment import AceAlignment, CorpusElement, ElementOutcome, KindAlignment
from lydite.model.ace_settings import AceSettings
from lydite.model.outcome import FILTERED, PAIRED, UNPAIRED, Outcome
from lydite.model.verdict import GOLD, SYSTEM
from lydite.pipeline.task import Headline, Measurement
from lydite.tasks.ace.selection import select

VALUE_METRIC, WEIGHTED_METRIC, COUNTS_METRIC = "ace-value", "ace-value-weighted", "ace-counts"
EXTERNAL_LINKS = "ace-external-links"
RECOGNITION, DETECTION, NAMES = "ace-recognition", "ace-mention-detection", "ace-names"

MENTION_SECTIONS = tuple(f"mention_{kind}" for kind in (ENTITY, RELATION, EVENT))

_ENTITY_TABLES = (
    "language",
    "languages",
    "type",
    "level",
    "value",
    "mention-count",
    "class",
    "source",
    "cross-doc",
    "name-entropy",
    "subtype",
    "type|level",
    "cross-doc|type",
    "subtype|type",
)
_FRAME_TABLES = (
    "language",
    "languages",
    "type",
    "modality",
    "value",
    "source",
    "argument-errors",
    "num-arguments",
    "subtype",
    "subtype|type",
)
TABLES: Mapping[str, tuple[str, ...]] = {
    ENTITY: _ENTITY_TABLES,
    "value": ("language", "languages", "source"),
    "timex2": ("language", "languages", "source"),
    RELATION: _FRAME_TABLES,
    EVENT: _FRAME_TABLES,
}
"""The breakdowns of each kind: a condition, or one condition under another."""


@dataclass(frozen=True, slots=True, eq=False)
class DocumentView:
    """One document of a comparison of whole corpora."""

    doc_id: str
    whole: AceAlignment
    counted_elements: Mapping[str, Mapping[str, Sequence[tuple[CorpusElement, bool]]]]
    b_cubed: dict[str, list[WeighedItem]]
    """The items of B-cubed of this document: mentions, documents, or both, as in the setting."""
    splits: ace_b_cubed.BCubedSplits
    kinds: tuple[str, ...]
    system_path: str = ""
    figures: dict[str, AceFigures] = field(default_factory=dict, init=False)
    """The figures of its sections, which several measurements read."""

    def scored_sections(self) -> dict[str, KindAlignment]:
        """The sections that are chosen and of which gold has elements."""
        return {
            name: section
            for name, section in self.whole.sections.items()
            if section.in_gold and kind_of(name) in self.kinds
        }

    def outcomes(self, name: str) -> Sequence[ElementOutcome]:
        """The outcomes of the occurrences of this document."""
        section = self.whole.sections.get(name)
        return () if section is None else section.outcomes.get(self.doc_id, ())

    def elements(self, name: str) -> Sequence[tuple[CorpusElement, bool]]:
        """The elements that are counted in this document."""
        return self.counted_elements.get(name, {}).get(self.doc_id, ())


Breakdown: TypeAlias = Callable[[DocumentView], Iterable[tuple[str, Figures]]]
"""The parts of a document by a condition, with the counts of each."""
WeighedTally: TypeAlias = Callable[[Iterable[WeighedItem]], Tally]


def compare_corpora(
    gold: Mapping[str, Document],
    system: Mapping[str, Document],
    settings: AceSettings,
    present: PresentSections = frozenset(),
) -> Iterator[tuple[str, DocumentView]]:
    """Value and map all elements of the corpus, then hand out one view per gold document.

    ``present`` are the sections that the sides have in all documents, where these are but some of them.
    """
    parameters = settings
    selection = select(gold, system, settings)
    system_path = next((document.path for document in system.values()), "")
    known = [document for doc_id, document in selection.system.items() if doc_id in selection.gold]
    whole = align(
        selection.gold.values(),
        known,
        parameters,
        mentions=settings.mentions,
        preferred=read_mapping(settings.prefer) if settings.prefer else frozenset(),
        present=present,
        unscored=selection.unscored,
    )
    counted = {name: elements_by_first_document(section) for name, section in whole.sections.items()}
    b_cubed = {over: _B_CUBED_ITEMS[over](whole) for over in _b_cubed_over(settings)}
    splits = ace_b_cubed.BCubedSplits(whole.sections[ENTITY])
    for doc_id in whole.doc_ids:
        items = {over: by_document.get(doc_id, []) for over, by_document in b_cubed.items()}
        yield doc_id, DocumentView(doc_id, whole, counted, items, splits, settings.kinds, system_path)


_B_CUBED_ITEMS = {"mentions": ace_b_cubed.b_cubed_items, "documents": ace_b_cubed.b_cubed_documents}
_B_CUBED_METRICS = {"mentions": "ace-b-cubed", "documents": "ace-b-cubed-documents"}
"""By items, the metric where each counts one; where it counts its value, ``-value`` follows."""


def _b_cubed_over(settings: AceSettings) -> list[str]:
    """The items of B-cubed under a profile; mentions only where they are used."""
    return [
        over
        for over in _B_CUBED_METRICS
        if over in settings.b_cubed and (settings.use_mentions or over == "documents")
    ]


def measurements(settings: AceSettings) -> list[Measurement[DocumentView]]:
    """The measurements under a profile: sections that cannot be scored under it are left out."""
    kinds = settings.kinds
    sections = [kind for kind in KINDS if kind in kinds]
    if settings.mentions and settings.use_mentions:
        scored = MENTION_SECTIONS if not settings.use_name_similarity else MENTION_SECTIONS[:1]
        sections.extend(name for name in scored if kind_of(name) in kinds)
    measurements: list[Measurement[DocumentView]] = []
    for name in sections:
        measurements.extend(_value_measurements(name, recognition=settings.recognition))
        if settings.recognition:
            measurements.extend(_recognition_measurements(name, settings))
    for over in _b_cubed_over(settings) if ENTITY in kinds else ():
        measurements.extend(_b_cubed_measurements(over))
    return measurements


def headline(settings: AceSettings) -> Headline:
    """The value of entities, or of the first kind that is scored if they are not."""
    kinds = [kind for kind in KINDS if kind in settings.kinds]
    return Headline(kinds[0] if kinds and ENTITY not in kinds else ENTITY, VALUE_METRIC, figure="value")


def kind_of(section: str) -> str:
    """The kind that a section scores."""
    return section.removeprefix("mention_")


def _scored_section(view: DocumentView, name: str) -> KindAlignment | None:
    """The section, if gold has an element of it; where gold has none, nothing is scored."""
    section = view.whole.sections.get(name)
    return section if section is not None and section.in_gold else None


def _section_figures(view: DocumentView, name: str) -> AceFigures:
    figures = view.figures.get(name)
    if figures is None:
        section = _scored_section(view, name)
        figures = AceFigures()
        if section is not None:
            figures = outcome_figures(view.outcomes(name)) + element_figures(section, view.elements(name))
        view.figures[name] = figures
    return figures


def _split_section(view: DocumentView, *, name: str, table: str) -> Iterator[tuple[str, AceFigures]]:
    section = _scored_section(view, name)
    if section is None:
        return
    row, above = _table_conditions(table)
    given = CONDITIONS[above] if above else None
    for names, figures in split(section, view.outcomes(name), view.elements(name), CONDITIONS[row], given):
        yield _part_name(names, above), figures


def _table_conditions(table: str) -> tuple[str, str | None]:
    """The condition of the rows of a table, and the one that stands above it."""
    row, _, above = table.partition("|")
    return condition_name(row), condition_name(above) if above else None


def _part_name(names: tuple[str, str], above: str | None) -> str:
    given, value = names
    return f"{value}|{given}" if above else value


def _value_measurements(name: str, *, recognition: bool) -> Iterator[Measurement[DocumentView]]:
    yield Measurement(
        name,
        VALUE_METRIC,
        partial(_section_figures, name=name),
        breakdowns={one: partial(_split_section, name=name, table=one) for one in TABLES[kind_of(name)]},
        empty_counts=AceFigures(),
    )
    for metric, figures in ((WEIGHTED_METRIC, WeightedFigures), (COUNTS_METRIC, CountedFigures)):
        measure = partial(_figures_read_as, name=name, figures=figures)
        yield Measurement(name, metric, measure, empty_counts=figures(AceFigures()))
    if name == ENTITY and recognition:
        yield Measurement(
            name,
            EXTERNAL_LINKS,
            lambda view: outcome_figures(_linked_outcomes(view)),
            breakdowns={table: partial(_split_linked_outcomes, table=table) for table in ("type", "value")},
            empty_counts=AceFigures(),
        )


def _figures_read_as(view: DocumentView, *, name: str, figures: Callable[[AceFigures], Figures]) -> Figures:
    return figures(_section_figures(view, name))


def _linked_outcomes(view: DocumentView) -> list[ElementOutcome]:
    section = _scored_section(view, ENTITY)
    return [] if section is None else list(judge_by_links(section, view.outcomes(ENTITY)))


def _split_linked_outcomes(view: DocumentView, *, table: str) -> Iterator[tuple[str, AceFigures]]:
    section = _scored_section(view, ENTITY)
    if section is not None:
        condition = CONDITIONS[condition_name(table)]
        for (_, value), figures in split(section, _linked_outcomes(view), (), condition):
            yield value, figures


def _recognition_measurements(name: str, settings: AceSettings) -> Iterator[Measurement[DocumentView]]:
    kind = kind_of(name)
    parameters = settings

    def breakdown(rows: Callable[[Sequence[ElementOutcome]], Counts]) -> Breakdown:
        return lambda view: as_figures(rows(view.outcomes(name)) if _scored_section(view, name) else {})

    def total(rows: Callable[[Sequence[ElementOutcome]], Counts]) -> Callable[[DocumentView], Figures]:
        return lambda view: ace_recognition.total(
            rows(view.outcomes(name)) if _scored_section(view, name) else {}
        )

    attributes = partial(ace_recognition.attributes, kind)
    breakdowns = {
        "attribute": breakdown(attributes),
        "confusion": breakdown(partial(ace_recognition.confusions, kind)),
    }
    if kind in {RELATION, EVENT} and not (
        parameters.mention_arguments_never_right and name in MENTION_SECTIONS
    ):
        breakdowns["argument-role"] = breakdown(ace_recognition.roles)
    nothing = ace_recognition.Recognised()
    yield Measurement(name, RECOGNITION, total(attributes), breakdowns=breakdowns, empty_counts=nothing)
    if kind != ENTITY:
        return
    yield Measurement(
        name,
        NAMES,
        total(ace_recognition.names),
        breakdowns={"type": breakdown(ace_recognition.names)},
        empty_counts=nothing,
    )
    if settings.use_mentions:
        by = {
            attribute: partial(ace_recognition.mentions, attribute=attribute, parameters=parameters)
            for attribute in ("type", "style", "role")
        }
        breakdowns = {f"mention-{attribute}": breakdown(rows) for attribute, rows in by.items()}
        yield Measurement(name, DETECTION, total(by["type"]), breakdowns=breakdowns, empty_counts=nothing)


def _b_cubed_measurements(over: str) -> Iterator[Measurement[DocumentView]]:
    tables = [
        table
        for table in _ENTITY_TABLES
        if all(name in (None, *ace_b_cubed.SPLITS) for name in _table_conditions(table))
    ]
    for suffix, tally in (("", ace_b_cubed.tally_counts), ("-value", ace_b_cubed.tally_values)):
        yield Measurement(
            ENTITY,
            _B_CUBED_METRICS[over] + suffix,
            partial(_b_cubed, over=over, tally=tally),
            breakdowns={one: partial(_split_b_cubed, over=over, tally=tally, table=one) for one in tables},
        )


def _b_cubed(view: DocumentView, *, over: str, tally: WeighedTally) -> Tally:
    return tally(view.b_cubed.get(over, ())) if _scored_section(view, ENTITY) else Tally()


def _split_b_cubed(
    view: DocumentView, *, over: str, tally: WeighedTally, table: str
) -> Iterator[tuple[str, Tally]]:
    if _scored_section(view, ENTITY) is None:
        return
    row, above = _table_conditions(table)
    for names, part in view.splits.split(view.b_cubed.get(over, ()), row, above):
        yield _part_name(names, above), tally(part)


_METRICS_OF_ELEMENTS = {VALUE_METRIC, WEIGHTED_METRIC, COUNTS_METRIC, RECOGNITION}


def outcomes(view: DocumentView, _settings: AceSettings, figure: Headline) -> list[Outcome] | None:
    """The elements of the figure's kind of a document; they agree if no attribute differs.

    Names, mentions, external links and B-cubed count no elements.
    """
    return outcomes_in(view, figure.measurement) if figure.metric in _METRICS_OF_ELEMENTS else None


def outcomes_in(view: DocumentView, name: str) -> list[Outcome]:
    """The elements of a section, gold first; an item is the number of its element outcome, which a pair shares."""
    gold, system = [], []
    for at, one in enumerate(view.outcomes(name)):
        pair = Outcome(GOLD, at, PAIRED, at, {"attributes": one.status == "correct"})
        if one.gold is not None:
            row = Outcome(GOLD, at, UNPAIRED) if one.status == "miss" else pair
            gold.append(row._replace(name=one.gold.element))
        if one.system is not None:
            row = pair._replace(side=SYSTEM)
            if one.status in {"free", "miss"}:
                # An element that belongs to no target, or differs too much from its partner here, costs nothing.
                row = Outcome(SYSTEM, at, FILTERED)
            elif one.gold is None:
                row = Outcome(SYSTEM, at, UNPAIRED)
            system.append(row._replace(name=one.system.element))
    return gold + system

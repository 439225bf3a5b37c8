"""Documents of the arguments task under a profile: gold prepared once, any number of systems held against it."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from typing import Final, Literal

from lydite.align.arguments import (
    GoldSide,
    Rules,
    SystemSide,
    align_arguments,
    answers_of,
    prepare_gold,
    prepare_system,
)
from lydite.align.frames import align_frames, resolve_frames
from lydite.checks import arguments as checks
from lydite.checks.quotes import is_quoted
from lydite.errors import Finding
from lydite.formats.bridges import with_layers
from lydite.formats.eal import ArgumentStore, as_in_store, open_argument_store, with_linking, without_suffixes
from lydite.formats.lists import genre_of, read_document_list, read_genres
from lydite.formats.quote_filters import kept_quote_filter
from lydite.formats.texts import Texts, kept_texts
from lydite.memory import kept_for_a_run
from lydite.metrics.assessed import MEASURES, Measure
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.argument import EVENTS_LAYER, Argument, identifier_2015
from lydite.model.argument_alignment import ArgumentAlignment, ArgumentCluster, FrameAlignment, Refusal
from lydite.model.argument_lines import LAYER, ArgumentLines, lines_of
from lydite.pipeline.sides import content_of, documents_of
from lydite.pipeline.task import Confidence
from lydite.tasks.arguments.settings import ArgumentSettings

PREPARED: Final = "prepared"
"""The layer of a prepared document that holds its :class:`PreparedLines`."""


Entry = dict[str, object]
"""A cluster as a list of the diagnosis shows it."""

Listed = tuple[tuple[object, ...], list[tuple[int, Entry]]]
"""A cluster in the diagnosis: its sort key, and its entries with the numbers of the lists that they belong to."""


@lru_cache(maxsize=4)  # asked for with every document
def rules_of(settings: ArgumentSettings) -> Rules:
    """The rules of the profile for assessed arguments."""
    return Rules(**{rule.name: getattr(settings, rule.name) for rule in fields(Rules)})


@dataclass(frozen=True)
class ArgumentComparison:
    """A document of both sides: its clusters, its frames where the profile scores them, its genre."""

    pair: DocumentPair
    gold: GoldSide
    system: SystemSide
    alignment: ArgumentAlignment
    genre: str
    frames: FrameAlignment | None = None
    refusals: tuple[Refusal, ...] = ()
    inconsistencies: tuple[Finding, ...] = ()
    """Judgements of gold that contradict each other."""
    quoted: frozenset[Argument] = frozenset()
    """Arguments of the system that the quote filter left out."""
    listed: dict[ArgumentCluster, Listed] = field(default_factory=dict)
    """The diagnosis of clusters, kept for the next system, which may share them."""

    @cached_property
    def by_role(self) -> dict[Measure, dict[tuple[str, str], list[int]]]:
        """Numbers of true positives, false positives and misses by measure, event type and role, if not all are 0."""
        counts_of: dict[Measure, dict[tuple[str, str], list[int]]] = {one: {} for one in MEASURES.values()}
        kinds = Counter([(one.identity[0], one.identity[1], one.case) for one in self.alignment.clusters])
        for (event_type, role, case), number in kinds.items():
            for measure, roles in counts_of.items():
                tp, fp, fn = measure(case)
                if tp or fp or fn:
                    counts = roles.setdefault((event_type, role), [0, 0, 0])
                    counts[0] += number * tp
                    counts[1] += number * fp
                    counts[2] += number * fn
        return counts_of


class PreparedLines:
    """A document under a profile; what it is as gold and as system output is computed when it is asked for."""

    def __init__(self, document: Document, settings: ArgumentSettings) -> None:
        self.doc_id = document.doc_id
        self.lines: ArgumentLines = lines_of(document)
        self._document = document
        self.settings = settings
        self.rules = rules_of(settings)
        self._listed: dict[ArgumentCluster, Listed] = {}

    @cached_property
    def gold(self) -> GoldSide:
        """The document as assessments."""
        # A line of system output in an annotation store gives a finding; it is no unassessed argument as well.
        return prepare_gold((row for row in self.lines.rows if row.width == 18), self.rules)

    @cached_property
    def answers(self) -> dict[Argument, float]:
        """The document as system output: its arguments outside of quotes, with their confidences."""
        rows = self.lines.rows
        if self.quoted:
            rows = tuple(row for row in rows if row.argument not in self.quoted)
        return answers_of(rows, self.rules)

    @cached_property
    def quoted(self) -> frozenset[Argument]:
        """The arguments of the document that the quote filter removes."""
        path = self.settings.quote_filter
        regions = kept_quote_filter(path).get(self.doc_id, ()) if path else ()
        if not regions:
            return frozenset()
        return frozenset(row.argument for row in self.lines.rows if is_quoted(row.argument, regions))

    @cached_property
    def inconsistencies(self) -> tuple[Finding, ...]:
        """Findings about judgements of an annotation file that contradict each other."""
        problems = checks.reader_findings(self._document, "gold", integer_ids=False)
        document = checks.restrict_to_width(self._document, 18)
        findings = checks.consistency_findings(document, checks.faulty_lines(problems))
        return (*findings, *checks.accepted_date_findings(self._document))

    def compare_with(self, system: PreparedLines, pair: DocumentPair) -> ArgumentComparison:
        """The comparison of the document as gold with a system's document."""
        side = prepare_system(system.answers, self.gold)
        if system.quoted:
            side = replace(side, counts={**side.counts, "quoted": len(system.quoted)})
        genres = read_genres(self.settings.genres) if self.settings.genres else {}
        genre = genre_of(self.doc_id, genres)
        frames, refusals = self._frames(system, side) if self.settings.frames else (None, ())
        alignment = frames.arguments if frames else align_arguments(self.gold, side)
        together = (*alignment.refusals, *refusals)
        return ArgumentComparison(
            pair,
            self.gold,
            side,
            alignment,
            genre,
            frames,
            together,
            self.inconsistencies,
            system.quoted,
            self._listed,
        )

    def _frames(self, system: PreparedLines, side: SystemSide) -> tuple[FrameAlignment, list[Refusal]]:
        gold_lines = self._gold_linking
        gold_frames, of_gold = resolve_frames(gold_lines.frames, self.lines.rows, self.rules, side="gold")
        system_frames, of_system = resolve_frames(
            system.lines.frames, system.lines.rows, self.rules, side="system"
        )
        refusals = (
            *of_gold,
            *of_system,
            *_file_refusals(gold_lines, self.lines, "gold"),
            *_file_refusals(system.lines, system.lines, "system"),
        )
        linking = open_linking(str(self.settings.linking))
        folder = f"{linking.store.path}/linking" if linking.nested else linking.store.path
        places = {"gold": f"{folder}/{self.doc_id}", "system": checks.linking_path(system._document)}
        aligned = align_frames(
            self.gold, gold_frames, side, system_frames, right_strings=self.settings.neutralize_coref
        )
        return aligned, [refusal._replace(path=places[refusal.side]) for refusal in refusals]

    @cached_property
    def _gold_linking(self) -> ArgumentLines:
        return _gold_linking(self.doc_id, str(self.settings.linking))


def _file_refusals(
    linking: ArgumentLines, lines: ArgumentLines, side: Literal["gold", "system"]
) -> Iterator[Refusal]:
    if not linking.linked and lines.rows:
        message = f"the {side} linking has no file for this document"
        yield Refusal("linking-file", message, None, None, side)
    if linking.incomplete:
        message = checks.incomplete_message(linking, side)
        yield Refusal("linking-incomplete", message, None, None, side)
    # Those of the system are among its other findings.
    for problem in linking.problems if side == "gold" else ():
        severity: Literal["warning", "error"] = "warning" if problem.code in checks.WARNINGS else "error"
        yield Refusal(problem.code, problem.message, None, problem.line, side, severity, problem.hint)


@kept_for_a_run(2)
def open_linking(path: str) -> ArgumentStore:
    """The linking files at ``path``, which may be a store with ``linking/`` inside."""
    store = open_argument_store(path)
    if store.linking is not None:
        return store
    files, renamed = without_suffixes(store.store)
    return replace(store, linking=files, findings=(*store.findings, *renamed))


def _gold_linking(doc_id: str, path: str) -> ArgumentLines:
    """The frames of a document in the gold linking."""
    found = (open_linking(path).linking or {}).get(doc_id)
    return ArgumentLines() if found is None else with_linking(ArgumentLines(), found.read())


def prepare(document: Document, settings: ArgumentSettings) -> Document:
    """The document with the layer that is compared: prepared lines, or events, made from other layers if need be."""
    if settings.match != "assessment":
        return with_layers(document, ("events",))
    document = as_in_store(document)
    return document._replace(layers={**document.layers, PREPARED: PreparedLines(document, settings)})


def compare_prepared(pair: DocumentPair) -> ArgumentComparison:
    """The comparison of a prepared pair."""
    return prepared_lines(pair.gold).compare_with(prepared_lines(pair.system), pair)


def prepared_lines(document: Document) -> PreparedLines:
    """The prepared layer of a document."""
    prepared = document.layers[PREPARED]
    assert isinstance(prepared, PreparedLines)
    return prepared


def pair_documents(gold: Corpus, system: Corpus, settings: ArgumentSettings) -> Collection[str]:
    """The listed documents, else those of either side, or of gold where programs leave others out."""
    either_side = settings.match not in {"links", "templates", "role-strings"}
    return listed_documents(settings) or documents_of(gold, system, either_side=either_side)


def listed_documents(settings: ArgumentSettings) -> tuple[str, ...]:
    """The documents that the profile lists, by id or in a file with one id per line."""
    listed: tuple[str, ...] = settings.document_list
    return read_document_list(listed[0]) if len(listed) == 1 and os.path.isfile(listed[0]) else listed  # noqa: PTH113 - an id may be no path at all


def texts_of(settings: ArgumentSettings) -> Texts | None:
    """The source documents, where they were given."""
    path = settings.documents
    return kept_texts(path, utf16=settings.offsets == "utf16") if path else None


def source_text(folder: str, doc_id: str, settings: ArgumentSettings) -> str | None:
    """The source text of a document, in characters or UTF-16 units."""
    return kept_texts(folder, utf16=settings.offsets == "utf16").text(doc_id)


def text_if_given(doc_id: str, settings: ArgumentSettings) -> str | None:
    """The source text of a document, if a folder of texts was given."""
    return source_text(settings.documents, doc_id, settings) if settings.documents else None


def content(document: Document, settings: ArgumentSettings) -> Iterator[str]:
    """What the content hash covers: the layers, and whatever else decides what is compared.

    Where words are compared and some must be taken from the text, that is the text.  Where frames are scored it is
    the frames that the gold linking makes of assessed lines, because the linking may name lines by their ids.
    """
    yield from content_of(document, settings)
    if settings.match == "words" and document.text is not None:
        events = document.layers.get(EVENTS_LAYER, ())
        words = [text for event in events for text in (event.text, *(one.text for one in event.arguments))]
        if not all(words):
            yield f"text\x1f{document.text}"
    rows = lines_of(document).rows
    if settings.frames and settings.linking and any(row.width == 18 for row in rows):
        linking = _gold_linking(document.doc_id, settings.linking)
        frames, _ = resolve_frames(linking.frames, rows, rules_of(settings), side="gold")
        yield f"frames\x1f{sorted(sorted(map(identifier_2015, frame)) for frame in frames)}"


# ------------------------------------------------------------------------------------------------ confidences


def _confidences(document: Document, _settings: ArgumentSettings) -> Iterator[float | None]:
    return (row.confidence for row in lines_of(document).rows)


def _drop_below(document: Document, threshold: float, _settings: ArgumentSettings) -> Document:
    """The document with the arguments at or above the threshold and the frames that they are in."""
    lines = lines_of(document)
    kept = lines.with_rows([row if row.confidence >= threshold else None for row in lines.rows])
    return document._replace(layers={**document.layers, LAYER: kept}, content=None)


CONFIDENCE = Confidence(_confidences, _drop_below)

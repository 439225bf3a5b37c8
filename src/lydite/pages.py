"""From names and paths to the material of a page: scores, comparison, explanations, and documents as they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from lydite.citations import reference
from lydite.comparison.curves import curve, curve_effort
from lydite.comparison.files import ComparisonPlan, compare_sides
from lydite.errors import UsageError
from lydite.escaping import in_bytes
from lydite.explanation.explanation import Explanation, explain_sides
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.sides import NO_TEAMS, read_sides
from lydite.metrics import METRICS
from lydite.model import Corpus, Document, Mention, PlainSummary, Span
from lydite.model.curve import Bin, Curve
from lydite.model.letters import letters
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import LEFT_OUT, RIGHT, SYSTEM
from lydite.pipeline import PerDocument, Progress, TaskSettings
from lydite.pipeline.reading import PathLike
from lydite.records import replace
from lydite.report.page.formulas import FORMULAS
from lydite.report.page.material import Definition, ExplainedSystem, PageMaterial, ShownDocument
from lydite.report.page.sides import EMPTY_SIDE, page_side, text_of
from lydite.report.tables import ranked_systems


def page_files(
    choice: UserChoice,
    gold: PathLike,
    systems: Sequence[PathLike],
    *,
    teams: Mapping[str, str] = NO_TEAMS,
    gold_before: PathLike | None = None,
    documents: str | None = None,
    curves: bool | None = None,
    anonymous: bool = False,
    progress: Progress | None = None,
) -> tuple[PageMaterial, Request]:
    """Everything for a page about these systems, and what was inferred.

    ``documents`` is a folder or archive of source texts; curves are drawn where they are quick, unless it is said.
    ``anonymous`` systems have letters for names, best first.
    """
    request, read = read_sides(choice, gold, systems, teams=teams)
    called: dict[str, str] = {}

    def choose(summary: PlainSummary) -> Mapping[str, str]:
        for place, name in enumerate(ranked_systems(summary)):
            called[name] = letters(place) if anonymous else name
        return called

    compared = compare_sides(
        request, read, ComparisonPlan(), gold_before=gold_before, choose=choose, progress=progress
    )
    read = [read[0], *(replace(system, name=called[system.name]) for system in read[1:])]
    # What all systems decided together counts for each of them.
    request = request.with_settings_of_run(compared.summary.settings)
    absent: dict[str, str] = {}
    explanations = _explanations(request, read, absent)
    drawn = _curves(request, read, absent, wanted=curves)
    (comparison,) = compared.comparisons
    material = PageMaterial(
        replace(
            compared.summary,
            findings=(*comparison.findings, *compared.summary.findings),
            signature=comparison.signature,
        ),
        comparison,
        {
            system: ExplainedSystem(one.value, one.budget, one.confusions(), one.verdict_documents)
            for system, one in explanations.items()
        },
        _Documents(request, read, documents),
        drawn,
        {system: _bins(request, explanations[system]) for system in drawn},
        definitions=tuple(_definitions(compared.summary)),
        cite=tuple(map(reference, request.task.cite)),
        absent=absent,
    )
    return material, request


QUICK_CURVES = 50_000
"""So many items are scored again for curves that nobody asked for, a few seconds."""


def _curves(
    request: Request,
    read: Sequence[Corpus],
    absent: dict[str, str],
    *,
    wanted: bool | None,
) -> Mapping[str, Curve]:
    found: dict[str, Curve] = {}
    gold, *systems = read
    if wanted is False:
        absent["curves"] = "Curves over confidences were switched off (--no-curve)."
        return found
    if wanted is None:
        work = {system.name: curve_effort(request, system) for system in systems}
        systems = [system for system in systems if work[system.name]]
        if sum(work.values()) > QUICK_CURVES:
            absent["curves"] = (
                "Curves over confidences would take long here: lydite report --curve draws them."
            )
            return found
    for system in systems:
        try:
            found[system.name] = curve(request, gold, system)
        except UsageError as error:
            absent["curves"] = f"{error}."
    return found


BINS = 10


def _bins(request: Request, explanation: Explanation) -> list[Bin]:
    """How many of the items are right, by their confidence in ten bins of equal width.

    Empty where items are not right or wrong (no verdicts), or where a confidence is not between 0 and 1.
    """
    sure = _confidence_of(request, explanation.inputs.system)
    rows: list[list[float]] = [[] for _ in range(BINS)]
    right = [0] * BINS
    for verdict in explanation.verdicts:
        confidence = sure.get((verdict.document, verdict.id)) if verdict.side == SYSTEM else None
        if confidence is None or verdict.cause == LEFT_OUT:
            continue
        if not 0 <= confidence <= 1:
            return []
        place = min(int(confidence * BINS), BINS - 1)
        rows[place].append(confidence)
        right[place] += verdict.cause in RIGHT
    if not any(rows):
        return []
    return [
        Bin(
            place / BINS,
            (place + 1) / BINS,
            len(held),
            right[place],
            fsum(held) / len(held) if held else None,
        )
        for place, held in enumerate(rows)
    ]


def _confidence_of(request: Request, system: Corpus) -> dict[tuple[str, str], float]:
    """The confidence of every item by document and id, as verdicts know them."""
    found: dict[tuple[str, str], float] = {}
    assert request.task.confidence is not None
    for doc_id in system.documents:
        document = system.documents[doc_id]
        sure = list(request.task.confidence.of(document))
        items = page_side(document).items
        if len(items) == len(sure):
            found.update(
                {(doc_id, item.of): one for item, one in zip(items, sure, strict=True) if one is not None}
            )
    return found


def _explanations(
    request: Request, read: Sequence[Corpus], absent: dict[str, str]
) -> Mapping[str, Explanation]:
    found = explain_sides(request, read)
    without = [explanation.why_no_budget for explanation in found if explanation.budget is None]
    if without:
        absent["budget"] = f"There is no budget here: {without[0]}."
    return {explanation.system: explanation for explanation in found}


class _Documents:
    """The documents of all sides, read when they are shown, under the ids by which they belong together."""

    def __init__(self, request: Request, read: Sequence[Corpus], texts: str | None = None) -> None:
        self._task = request.task
        profile, self._gold, self._systems = self._task.prepare_sides(request.profile, read[0], read[1:])
        self._settings: TaskSettings = profile.settings
        self._texts = texts or self._settings.documents

    def __call__(self) -> Iterator[ShownDocument]:
        """Every document of any side, in the order of their ids."""
        every = {doc_id for corpus in (self._gold, *self._systems) for doc_id in corpus.documents}
        for doc_id in sorted(every, key=in_bytes):
            gold, *systems = (
                self._readable(corpus.documents[doc_id]) if doc_id in corpus.documents else None
                for corpus in (self._gold, *self._systems)
            )
            texts = (text_of(side) for side in (gold, *systems) if side is not None)
            yield ShownDocument(
                doc_id,
                next((text for text in texts if text is not None), None),
                EMPTY_SIDE if gold is None else page_side(gold),
                {
                    corpus.name: page_side(side)
                    for corpus, side in zip(self._systems, systems, strict=True)
                    if side is not None
                },
            )

    def _readable(self, document: Document) -> Document:
        """The document with its source text, or with the words of its token table, where the settings name them."""
        if TAGS_LAYER in document.layers and isinstance(self._task.compare, PerDocument):
            return _with_words(self._task.compare.prepare(document, self._settings))
        if self._settings.tokens and document.tokens is None and isinstance(self._task.compare, PerDocument):
            return document._replace(tokens=self._task.compare.prepare(document, self._settings).tokens)
        if not self._texts:
            return document
        found = self._task.shown_text(self._texts, document.doc_id, self._settings)
        return document if found is None else document._replace(text=found)


def _with_words(document: Document) -> Document:
    """A document of tags whose spans, which count words, name them instead."""
    words = document.tokens or {}

    def named(mention: Mention) -> Mention:
        names = tuple(str(at) for begin, end in mention.span.ranges for at in range(begin, end))
        said = " ".join(words[name] for name in names if name in words)
        return mention._replace(span=Span(tokens=names), text=said)

    return document._replace(text=None, mentions=tuple(map(named, document.mentions)))


def _definitions(summary: PlainSummary) -> Iterator[Definition]:
    for name in dict.fromkeys(row.metric for row in summary.corpus_rows()):
        if name in METRICS:
            metric = METRICS[name]
            sources = "; ".join(reference(key.strip()) for key in metric.cite.split(","))
            yield Definition(name, metric.title, sources, FORMULAS.get(name, ""))

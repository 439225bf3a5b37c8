"""From paths to the material of the report page: scores, comparison, explanations, curves and documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum

from lydite.citations import reference
from lydite.comparison.compare import figure_of_system
from lydite.comparison.curves import curve, curve_effort
from lydite.comparison.files import ComparisonAnswer, ComparisonPlan, compare_sides
from lydite.comparison.rankings import rank_by_figures
from lydite.errors import UsageError
from lydite.escaping import in_bytes
from lydite.explanation.explanation import Explanation, explain_sides
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.sides import NO_TEAMS, read_sides
from lydite.metrics import METRICS
from lydite.model import Corpus, Document, Mention, Span, Summary
from lydite.model.comparison import Comparison, FigureRanks
from lydite.model.curve import Bin, Curve
from lydite.model.letters import letters
from lydite.model.settings import TaskSettings
from lydite.model.tags import TAGS_LAYER
from lydite.model.verdict import LEFT_OUT, RIGHT, SYSTEM
from lydite.parallel import Progress
from lydite.pipeline.reading import PathLike
from lydite.pipeline.task import PerDocument
from lydite.report.page.formulas import FORMULAS
from lydite.report.page.material import Definition, ExplainedSystem, PageMaterial, ShownDocument
from lydite.report.page.sides import EMPTY_SIDE, page_side, text_of
from lydite.report.paper import conventional_columns, find_figure
from lydite.report.tables import ranked_systems


def page_files(
    choice: UserChoice,
    gold: PathLike,
    systems: Sequence[PathLike],
    *,
    teams: Mapping[str, str] = NO_TEAMS,
    gold_before: PathLike | None = None,
    figures: Sequence[str] = (),
    documents: str | None = None,
    anonymous: bool = False,
    progress: Progress | None = None,
) -> tuple[PageMaterial, Request]:
    """The material of a page about these systems, and the request with what was inferred.

    Systems are also ranked by ``figures``, or by the usual ones of the task.  ``documents`` is a folder or archive of source texts.  Curves
    are drawn if that is quick.  With ``anonymous``, systems have letters for names, best first.
    """
    request, read = read_sides(choice, gold, systems, teams=teams)
    names: dict[str, str] = {}

    def choose(summary: Summary) -> Mapping[str, str]:
        for place, name in enumerate(ranked_systems(summary)):
            names[name] = letters(place) if anonymous else name
        return names

    compared = compare_sides(
        request, read, ComparisonPlan(), gold_before=gold_before, choose=choose, progress=progress
    )
    read = [read[0], *(replace(system, name=names[system.name]) for system in read[1:])]
    # The settings that all systems decided together hold for each of them.
    request = request.with_settings_of_run(compared.summary.settings)
    material = page_material(request, read, compared, figures=figures, documents=documents)
    return material, request


def page_material(
    request: Request,
    read: Sequence[Corpus],
    compared: ComparisonAnswer,
    *,
    figures: Sequence[str] = (),
    documents: str | None = None,
) -> PageMaterial:
    """The material of a page about systems that were compared, under the settings that the comparison ended with."""
    absent: dict[str, str] = {}
    explanations = _explain_systems(request, read, absent)
    drawn = _draw_curves(request, read, absent)
    (comparison,) = compared.comparisons
    findings = (*comparison.findings, *compared.summary.findings)
    return PageMaterial(
        replace(compared.summary, findings=findings, signature=comparison.signature),
        comparison,
        {
            system: ExplainedSystem(one.value, one.budget, one.confusions(), one.verdict_documents)
            for system, one in explanations.items()
        },
        _Documents(request, read, documents),
        drawn,
        {system: _fill_bins(request, explanations[system]) for system in drawn},
        definitions=tuple(
            Definition(
                name,
                METRICS[name].title,
                "; ".join(reference(key.strip()) for key in METRICS[name].cite.split(",")),
                FORMULAS.get(name, ""),
            )
            for name in dict.fromkeys(row.metric for row in compared.summary.corpus_rows())
            if name in METRICS
        ),
        cite=tuple(map(reference, request.task.cite)),
        absent=absent,
        ranks=_rank_systems(compared.summary, comparison, figures),
    )


def _rank_systems(summary: Summary, comparison: Comparison, names: Sequence[str]) -> FigureRanks | None:
    """The ranks by the figure of the comparison and by others: those that are named, or the usual F1s and values."""
    usual = [one for one in conventional_columns(summary) if one.figure in {"f1", "value"}]
    figures = [comparison.figure, *([find_figure(summary, name) for name in names] or usual)]
    systems = [place.system for place in comparison.systems]
    return rank_by_figures(
        {figure: {name: figure_of_system(summary, name, figure) for name in systems} for figure in figures}
    )


QUICK_CURVES = 50_000
"""At most so many items are scored for curves, which takes a few seconds."""


def _draw_curves(request: Request, read: Sequence[Corpus], absent: dict[str, str]) -> Mapping[str, Curve]:
    """The curves of the systems; where there are none, ``absent`` gets the reason."""
    curves: dict[str, Curve] = {}
    gold, *systems = read
    efforts = {system.name: curve_effort(request, system) for system in systems}
    systems = [system for system in systems if efforts[system.name]]
    if sum(efforts.values()) > QUICK_CURVES:
        absent["curves"] = "Curves over confidences would take long here: lydite score --curve computes them."
        return curves
    for system in systems:
        try:
            curves[system.name] = curve(request, gold, system)
        except UsageError as error:
            absent["curves"] = f"{error}."
    return curves


BINS = 10


def _fill_bins(request: Request, explanation: Explanation) -> list[Bin]:
    """The system items, and those of them that are right, in ten bins of confidence of equal width.

    Empty if no item has both a confidence and a verdict, or if a confidence is not between 0 and 1.
    """
    confidences = _confidences(request, explanation.inputs.system)
    by_bin: list[list[float]] = [[] for _ in range(BINS)]
    right = [0] * BINS
    for verdict in explanation.verdicts:
        confidence = confidences.get((verdict.document, verdict.id)) if verdict.side == SYSTEM else None
        if confidence is None or verdict.cause == LEFT_OUT:
            continue
        if not 0 <= confidence <= 1:
            return []
        place = min(int(confidence * BINS), BINS - 1)
        by_bin[place].append(confidence)
        right[place] += verdict.cause in RIGHT
    if not any(by_bin):
        return []
    means = [fsum(in_bin) / len(in_bin) if in_bin else None for in_bin in by_bin]
    return [
        Bin(place / BINS, (place + 1) / BINS, len(in_bin), right[place], means[place])
        for place, in_bin in enumerate(by_bin)
    ]


def _confidences(request: Request, system: Corpus) -> dict[tuple[str, str], float]:
    """The confidence of every item by document and id, with the ids of verdicts."""
    by_item: dict[tuple[str, str], float] = {}
    assert request.task.confidence is not None
    for doc_id in system.documents:
        document = system.documents[doc_id]
        confidences = list(request.task.confidence.of(document, request.profile.settings))
        items = page_side(document).items
        if len(items) == len(confidences):
            pairs = zip(items, confidences, strict=True)
            by_item.update({(doc_id, item.of): one for item, one in pairs if one is not None})
    return by_item


def _explain_systems(
    request: Request, read: Sequence[Corpus], absent: dict[str, str]
) -> Mapping[str, Explanation]:
    """The explanations by system; where one has no budget, ``absent`` gets the reason."""
    explanations = explain_sides(request, read)
    reasons = [one.why_no_budget for one in explanations if one.budget is None]
    if reasons:
        absent["budget"] = f"There is no budget here: {reasons[0]}."
    return {explanation.system: explanation for explanation in explanations}


class _Documents:
    """The documents of all sides, read one after the other, under the ids by which they are paired."""

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
        """The document with its source text, or with the words of its token table, if there are any."""
        if TAGS_LAYER in document.layers and isinstance(self._task.compare, PerDocument):
            return _with_words(self._task.compare.prepare(document, self._settings))
        if self._settings.tokens and document.tokens is None and isinstance(self._task.compare, PerDocument):
            return document._replace(tokens=self._task.compare.prepare(document, self._settings).tokens)
        if not self._texts:
            return document
        text = self._task.shown_text(self._texts, document.doc_id, self._settings)
        return document if text is None else document._replace(text=text)


def _with_words(document: Document) -> Document:
    """A document of tags in which spans have the ids of their words instead of word counts."""
    words = document.tokens or {}

    def with_token_ids(mention: Mention) -> Mention:
        ids = tuple(str(number) for begin, end in mention.span.ranges for number in range(begin, end))
        text = " ".join(words[one] for one in ids if one in words)
        return mention._replace(span=Span(tokens=ids), text=text)

    return document._replace(text=None, mentions=tuple(map(with_token_ids, document.mentions)))

"""From names and paths to the material of a page: scores, comparison, explanations, and documents as they are shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lydite.comparison.curves import curve
from lydite.comparison.files import Compared, Question, compare_by_units, compare_files, units_of
from lydite.errors import UsageError
from lydite.explanation.explanation import Explanation, explain_files
from lydite.facade import ALL_BREAKDOWNS, Choice, Request, read_sides, score_sides
from lydite.formats.texts import open_texts
from lydite.metrics import METRICS
from lydite.model import Corpus, Document, Summary
from lydite.pipeline import PerDocument, Progress, Wanted, in_bytes
from lydite.pipeline.reading import PathLike
from lydite.report.page.material import Definition, Material, ShownDocument
from lydite.report.page.shown import NOTHING_SHOWN, Names, shown, shown_text
from lydite.tasks.coref.diagnosis import mention_text
from lydite.tasks.triples.fates import names_of

NAMES = Names(mention_text, names_of)


def page_files(
    choice: Choice,
    gold: PathLike,
    systems: Sequence[PathLike],
    *,
    gold_before: PathLike | None = None,
    curves: bool = False,
    progress: Progress | None = None,
) -> tuple[Material, Request]:
    """Everything for a page about these systems, and what was inferred."""
    asked, read = read_sides(choice, gold, systems)
    settled = choice._replace(task=asked.task.name, profile=choice.profile or asked.profile.name)
    if len(read) > 2 or gold_before is not None:
        compared = compare_files(
            settled, gold, systems, Question(), gold_before=gold_before, progress=progress
        )
    else:
        compared = _alone(asked, read, progress)
    absent: dict[str, str] = {}
    material = Material(
        compared.summary,
        compared.comparisons[0].to_dict(),
        _explanations(settled, asked, gold, systems, absent),
        _Documents(asked, read),
        _curves(asked, read, absent) if curves else {},
        definitions=tuple(_definitions(compared.summary)),
        cite=asked.task.cite,
        absent={"curves": "Curves over confidences were not asked for (--curve).", **absent},
    )
    return material, asked


def _alone(asked: Request, read: Sequence[Corpus], progress: Progress | None) -> Compared:
    """One system: nothing to compare it with, but its figure has an interval."""
    wanted = Wanted(by=ALL_BREAKDOWNS, standing=True, elements=True)
    summary = score_sides(asked, read, wanted=wanted, progress=progress)
    units = units_of(summary, asked, read, None, {name: name for name in summary.systems})
    return Compared(compare_by_units(summary, units, Question()), summary, asked)


def _curves(
    asked: Request, read: Sequence[Corpus], absent: dict[str, str]
) -> Mapping[str, Mapping[str, Any]]:
    found = {}
    gold, *systems = read
    for system in systems:
        try:
            found[system.name] = curve(asked, gold, system).to_dict()
        except UsageError as error:
            absent["curves"] = f"{error}."
    return found


def _explanations(
    choice: Choice, asked: Request, gold: PathLike, systems: Sequence[PathLike], absent: dict[str, str]
) -> Mapping[str, Mapping[str, Any]]:
    if asked.task.explainer is None:
        absent["budget"] = absent["confusion"] = f"The task {asked.task.name} has no verdicts yet."
        return {}
    found, _ = explain_files(choice, gold, systems)
    if any(explanation.budget is None for explanation in found):
        absent["budget"] = "The budget would take long here: lydite explain --budget makes it."
    return {explanation.system: _explained(explanation) for explanation in found}


def _explained(explanation: Explanation) -> dict[str, Any]:
    return explanation.to_dict(tuple(explanation.inputs.explainer.confusions))


class _Documents:
    """The documents of all sides, read when they are shown, under the ids by which they belong together."""

    def __init__(self, asked: Request, read: Sequence[Corpus]) -> None:
        self._task = asked.task
        profile = self._task.with_input(asked.profile, read)
        self._values, self._settings = profile.values, profile.settings
        self._gold, self._systems = self._task.match_documents(read[0], read[1:], self._settings)

    def __call__(self) -> Iterator[ShownDocument]:
        """Every document of any side, in the order of their ids."""
        every = {doc_id for corpus in (self._gold, *self._systems) for doc_id in corpus.documents}
        for doc_id in sorted(every, key=in_bytes):
            gold, *systems = (
                self._readable(corpus.documents[doc_id]) if doc_id in corpus.documents else None
                for corpus in (self._gold, *self._systems)
            )
            texts = (shown_text(side) for side in (gold, *systems) if side is not None)
            yield ShownDocument(
                doc_id,
                next((text for text in texts if text is not None), None),
                NOTHING_SHOWN if gold is None else shown(gold, NAMES),
                {
                    corpus.name: shown(side, NAMES)
                    for corpus, side in zip(self._systems, systems, strict=True)
                    if side is not None
                },
            )

    def _readable(self, document: Document) -> Document:
        """The document with its source text, or with the words of its token table, where the settings name them."""
        texts, tables = self._values.get("documents"), self._values.get("tokens")
        if tables and document.tokens is None and isinstance(self._task.compare, PerDocument):
            return document._replace(tokens=self._task.compare.prepare(document, self._settings).tokens)
        if not texts:
            return document
        found = open_texts(str(texts), utf16=self._values.get("offsets") == "utf16").text(document.doc_id)
        return document if found is None else document._replace(text=found)


def _definitions(summary: Summary) -> Iterator[Definition]:
    for name in dict.fromkeys(row.metric for row in summary.corpus_rows()):
        if name in METRICS:
            metric = METRICS[name]
            yield Definition(name, metric.title, metric.cite)

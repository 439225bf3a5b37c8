"""Passes over the compared documents of one system, with both sides as they were read, for verdicts and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic, NamedTuple

from lydite.errors import UsageError
from lydite.escaping import in_bytes
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.settings import C, S
from lydite.model.verdict import GOLD, SYSTEM, Explained, Explainer, Judge, Verdict
from lydite.parallel import Progress
from lydite.pipeline.task import PerDocument, Task, by_id
from lydite.registry import near_or_known


class Inputs(NamedTuple, Generic[S, C]):
    """A system and gold with their final settings; their documents have common ids."""

    task: Task[S, C]
    gold: Corpus
    system: Corpus
    settings: S

    @property
    def explainer(self) -> Explainer[S, C]:
        """The explainer of the task."""
        return self.task.explainer()

    def documents(self) -> list[str]:
        """The ids of the documents that are compared, in the order in which they are scored."""
        stage = self.task.compare
        if not isinstance(stage, PerDocument):
            return list(self.gold.documents)
        return sorted(set(stage.pair_documents(self.gold, self.system, self.settings)), key=in_bytes)

    def explained(self) -> Iterator[Explained[C]]:
        """Compare all documents again, one after the other."""
        stage = self.task.compare
        if isinstance(stage, PerDocument):
            for doc_id in self.documents():
                yield self.explain_document(stage, doc_id)
            return
        sides = by_id(self.gold.documents), by_id(self.system.documents)
        for doc_id, comparison in stage.compare(*sides, self.settings):
            yield Explained(
                doc_id, comparison, *(document_as_read(side, doc_id) for side in (self.gold, self.system))
            )

    def explain_document(self, stage: PerDocument[S, C], doc_id: str) -> Explained[C]:
        """Compare one document along the official path."""
        gold = document_as_read(self.gold, doc_id)
        system = stage.aligned(gold, document_as_read(self.system, doc_id), self.settings)
        pair = DocumentPair(doc_id, *(stage.prepare(side, self.settings) for side in (gold, system)))
        return Explained(doc_id, stage.compare(pair, self.settings), gold, system)

    def find_explained(self, doc_id: str) -> Explained[C] | None:
        """The compared document with this id; None if neither side has it."""
        stage = self.task.compare
        if isinstance(stage, PerDocument):
            known = doc_id in self.gold.documents or doc_id in self.system.documents
            return self.explain_document(stage, doc_id) if known else None
        return next((one for one in self.explained() if one.doc_id == doc_id), None)

    def verdicts(
        self, progress: Progress | None = None, *, measurement: str | None = None
    ) -> Iterator[Verdict]:
        """A verdict for every item of the headline, or of a measurement beside it."""
        known = self.explainer.measurements
        if measurement is None:
            return self._judge(self.explainer.headline, progress)
        if measurement not in known:
            hint = near_or_known(measurement, known)
            raise UsageError(f"--measurement {measurement}: no verdicts of task {self.task.name}", hint=hint)
        return self._judge(known[measurement], progress)

    def _judge(self, judge: Judge[S, C], progress: Progress | None) -> Iterator[Verdict]:
        """A verdict for every item, document by document; then for those of documents that are not scored."""
        seen: set[str] = set()
        total = len(self.documents()) if progress is not None else 0
        for explained in self.explained():
            seen.add(explained.doc_id)
            for outcome in judge.outcomes(explained, self.settings):
                yield outcome.verdict(explained.doc_id)
            if progress is not None:
                progress(len(seen), total)
        for side, corpus in ((GOLD, self.gold), (SYSTEM, self.system)):
            for doc_id in sorted(corpus.documents, key=in_bytes):
                if doc_id not in seen:
                    document = corpus.documents[doc_id]
                    for outcome in judge.left_out(document, side, self.settings):
                        yield outcome.verdict(doc_id)


def document_as_read(corpus: Corpus, doc_id: str) -> Document:
    """The document of a side; an empty one if the side lacks it."""
    if doc_id in corpus.documents:
        return corpus.documents[doc_id]
    return Document(doc_id, path=corpus.path, present=False)

"""The comparisons of one system once more, with both sides as they were read: what verdicts and mends are made from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Generic

from lydite.errors import UsageError
from lydite.escaping import in_bytes
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.verdict import GOLD, SYSTEM, Explained, Explainer, Judge, Verdict
from lydite.pipeline import C, PerDocument, Progress, S, Task, by_id
from lydite.records import NamedTuple
from lydite.registry import near_or_known


class Inputs(NamedTuple, Generic[S, C]):
    """What is explained: a system against gold, under settled settings, documents under common ids."""

    task: Task[S, C]
    gold: Corpus
    system: Corpus
    settings: S

    @property
    def explainer(self) -> Explainer[S, C]:
        """What explains the task."""
        return self.task.explainer()

    def documents(self) -> list[str]:
        """The documents that are compared, in the order in which they are scored."""
        stage = self.task.compare
        if not isinstance(stage, PerDocument):
            return list(self.gold.documents)
        return sorted(set(stage.pair_documents(self.gold, self.system, self.settings)), key=in_bytes)

    def explained(self) -> Iterator[Explained[C]]:
        """Every compared document."""
        stage = self.task.compare
        if isinstance(stage, PerDocument):
            for doc_id in self.documents():
                yield self.explained_document(stage, doc_id)
            return
        sides = by_id(self.gold.documents), by_id(self.system.documents)
        for doc_id, comparison in stage.compare(*sides, self.settings):
            yield Explained(doc_id, comparison, *(as_read(side, doc_id) for side in (self.gold, self.system)))

    def explained_document(self, stage: PerDocument[S, C], doc_id: str) -> Explained[C]:
        """One document, compared along the official path."""
        gold, system = as_read(self.gold, doc_id), as_read(self.system, doc_id)
        prepared = (stage.prepare(side, self.settings) for side in (gold, system))
        pair = DocumentPair(doc_id, *prepared)
        return Explained(doc_id, stage.compare(pair, self.settings), gold, system)

    def explained_as(self, doc_id: str) -> Explained[C] | None:
        """The document of that name, compared; None if neither side has it."""
        stage = self.task.compare
        if isinstance(stage, PerDocument):
            known = doc_id in self.gold.documents or doc_id in self.system.documents
            return self.explained_document(stage, doc_id) if known else None
        return next((one for one in self.explained() if one.doc_id == doc_id), None)

    def verdicts(
        self, progress: Progress | None = None, *, measurement: str | None = None
    ) -> Iterator[Verdict]:
        """A verdict for every item of the headline, or of a measurement beside it."""
        known = self.explainer.measurements
        if measurement is None:
            return self._judged(self.explainer.headline, progress)
        if measurement not in known:
            hint = near_or_known(measurement, known)
            raise UsageError(f"--measurement {measurement}: no verdicts of task {self.task.name}", hint=hint)
        return self._judged(known[measurement], progress)

    def _judged(self, judge: Judge[S, C], progress: Progress | None) -> Iterator[Verdict]:
        """A verdict for every item, document by document; then what is not scored at all."""
        seen: set[str] = set()
        total = len(self.documents()) if progress is not None else 0
        for explained in self.explained():
            seen.add(explained.doc_id)
            yield from judge.verdicts(explained, self.settings)
            if progress is not None:
                progress(len(seen), total)
        for side, corpus in ((GOLD, self.gold), (SYSTEM, self.system)):
            for doc_id in sorted(corpus.documents, key=in_bytes):
                if doc_id not in seen:
                    yield from judge.left_out(corpus.documents[doc_id], side, self.settings)


def as_read(corpus: Corpus, doc_id: str) -> Document:
    """The document as a side has it; an empty one if the side lacks it."""
    if doc_id in corpus.documents:
        return corpus.documents[doc_id]
    return Document(doc_id, path=corpus.path, present=False)

"""Settings that several tasks have, and the documents that they choose."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Protocol

from lydite.errors import Finding, Location
from lydite.model import Corpus
from lydite.pipeline.sides import documents_of
from lydite.registry import did_you_mean


class ScoredDocuments(Protocol):
    """The settings of a task that choose documents."""

    @property
    def only_document(self) -> str | None:
        """The only document that is scored."""

    @property
    def scored_documents(self) -> str:
        """Those of gold, or those of either side."""

    @property
    def joins_documents(self) -> bool:
        """Whether several documents are scored as one."""


def pair_documents(gold: Corpus, system: Corpus, settings: ScoredDocuments) -> Collection[str]:
    """The documents of gold, or of either side; one alone if asked for."""
    either = settings.scored_documents == "either"
    return documents_of(gold, system, either_side=either, only=settings.only_document)


def check_documents(gold: Corpus, system: Corpus, settings: ScoredDocuments) -> Iterator[Finding]:
    """Documents that one side lacks; of a run over one document, whether gold has it."""
    only = settings.only_document
    if only is not None:
        if only not in gold.documents:
            message, hint = f"gold has no document {only!r}", did_you_mean(only, list(gold.documents))
            if settings.joins_documents:
                hint = "documents are scored together; --unit document scores each by itself"
            yield Finding("unknown-only-document", "error", message, Location(gold.path), hint=hint)
        return
    missing = 0
    for doc_id in gold.documents:
        if doc_id not in system.documents:
            missing += 1
            message = f"document {doc_id!r} is missing in {system.name}; it counts as empty"
            yield Finding("document-missing-in-system", "warning", message, Location(system.path), doc_id)
    if len(system) == len(gold) - missing:
        return
    either_side = settings.scored_documents == "either"
    consequence = "all its mentions are spurious" if either_side else "it is not scored"
    for doc_id in system.documents:
        if doc_id not in gold.documents:
            message = f"document {doc_id!r} of {system.name} is not in gold; {consequence}"
            yield Finding("document-missing-in-gold", "warning", message, Location(system.path), doc_id)

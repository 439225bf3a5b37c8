"""Which documents the two sides have."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.errors import Finding, Location
from lydite.model import Corpus
from lydite.registry import did_you_mean


def scored_documents(
    gold: Corpus, system: Corpus, *, only: str | None, either_side: bool
) -> Iterator[Finding]:
    """Documents that one side lacks; of a run over one document, whether gold has it.

    ``either_side`` says that documents of the system alone are scored too.
    """
    if only is not None:
        if only not in gold.documents:
            message, hint = f"gold has no document {only!r}", did_you_mean(only, list(gold.documents))
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
    consequence = "all its mentions are spurious" if either_side else "it is not scored"
    for doc_id in system.documents:
        if doc_id not in gold.documents:
            message = f"document {doc_id!r} of {system.name} is not in gold; {consequence}"
            yield Finding("document-missing-in-gold", "warning", message, Location(system.path), doc_id)

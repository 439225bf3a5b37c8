"""Settings that several tasks have, and the documents that they choose."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from functools import cache
from typing import Protocol

from lydite.errors import Finding, Location, UsageError
from lydite.formats import FORMATS
from lydite.formats.base import TOPIC
from lydite.model import Corpus
from lydite.pipeline import documents_of
from lydite.profile import choice, setting, switch
from lydite.registry import did_you_mean
from lydite.toml_files import read_text

FINDING_CODES = f"{os.path.dirname(__file__)}/../data/finding-codes.txt"  # noqa: PTH120 - pathlib takes long to import
"""The codes of all findings, one on each line: the headings of the pages under ``docs/errors/``."""

READING = choice(
    "refuse broken input, or read it as-official with a warning for each oddity",
    ("refuse", "as-official"),
    table="read",
)

SYSTEM_KEYS = choice(
    "JSON with predictions beside gold: the keys of a system, plain ones or predicted_… (auto: predicted, if there are any)",
    ("auto", "plain", "predicted"),
    table="read",
)

REPAIR_OFFSETS = choice(
    "move words in a conversion whose offsets count something else than the characters of their text",
    ("none", "utf-16", "bytes", "crlf", "bom", "tags", "shift"),
    table="convert",
    signed=False,
)

GROUND = switch("place words that have no offsets in the text, when scoring or converting", table="convert")

ONLY_DOCUMENT: str | None = setting(
    "str", None, "score this document alone", table="select", abbreviation="document"
)

SCORED_DOCUMENTS = choice(
    "which documents are scored: those of gold, or those of either side", ("gold", "either"), table="select"
)

TOPIC_OF = setting(
    "pattern",
    TOPIC,
    "regular expression for the topic in a document's name (its first group, if it has one)",
    table="read",
)


def findings(sentence: str, *, flag: bool = True) -> tuple[str, ...]:
    """The declaration of a setting that lists findings by code; ``sentence`` says what they do."""
    return setting("list", (), sentence, table="check", signed=False, flag=flag, check=_refuse_unknown_code)


def _refuse_unknown_code(code: str) -> None:
    """Refuse a code that no finding has, unless other packages add formats: their findings have codes of their own."""
    if code in _finding_codes() or FORMATS.plugins():
        return
    hint = did_you_mean(code, list(_finding_codes())) or "the pages under docs/errors/ list all codes"
    raise UsageError(f"no finding has the code {code!r}", hint=hint)


@cache
def _finding_codes() -> frozenset[str]:
    return frozenset(read_text(FINDING_CODES).split())


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

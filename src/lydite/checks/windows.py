"""Checks of windows: those that a side lacks, and those whose tokens differ."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from lydite.errors import Finding, Location
from lydite.escaping import counted, first_of
from lydite.model import Corpus, Document
from lydite.model.windows import WINDOWS, pair_windows


def missing_windows(gold: Corpus, system: Corpus, *, only: Collection[str] = ()) -> Iterator[Finding]:
    """Records that one side lacks, told by their names; of the documents ``only``, if there are any."""
    ours, theirs = _records(gold), _records(system)
    if ours is None or theirs is None:
        return
    place = Location(system.path)
    if missing := _lacking(ours, theirs, only):
        message = f"{counted(len(missing), 'record')} of gold missing in {system.name} ({first_of(missing)}); nothing is predicted there"
        hint = "a system may leave out what it found nothing in; did it run to its end?"
        yield Finding("missing-window", "warning", message, place, hint=hint)
    if extra := _lacking(theirs, ours, only):
        message = f"{counted(len(extra), 'record')} of {system.name} not in gold ({first_of(extra)}); what is predicted there is wrong"
        hint = "were both sides cut into windows alike?"
        yield Finding("extra-window", "warning", message, place, hint=hint)


def _records(corpus: Corpus) -> Mapping[str, tuple[str, ...]] | None:
    """The names of the records of each document; none of a document that is a record.  None if the format has no records."""
    if "records" in corpus.facts:
        return corpus.facts["records"]
    return dict.fromkeys(corpus.documents, ()) if "key" in corpus.facts else None


def _lacking(
    ours: Mapping[str, tuple[str, ...]], theirs: Mapping[str, tuple[str, ...]], only: Collection[str]
) -> list[str]:
    """The names of the records of one side that the other lacks; of a whole document, if its records have no names."""
    found: list[str] = []
    for doc_id, names in ours.items():
        if only and doc_id not in only:
            continue
        if doc_id not in theirs:
            found.extend(names or [doc_id])
        elif theirs[doc_id]:
            known = frozenset(theirs[doc_id])
            found.extend(name for name in names if name not in known)
    return found


def differing_windows(gold: Document, system: Document) -> Iterator[Finding]:
    """The first token that differs between windows of one name."""
    ours, theirs = gold.layers.get(WINDOWS), system.layers.get(WINDOWS)
    if ours is None or theirs is None:
        return
    for partner, window in pair_windows(ours, theirs):
        if partner is None or partner.words == window.words:
            continue
        pairs = enumerate(zip(partner.words, window.words, strict=False))
        shorter = min(len(partner.words), len(window.words))
        at = next((number for number, (one, other) in pairs if one != other), shorter)
        gold_word, word = (
            repr(words[at]) if at < len(words) else "no token" for words in (partner.words, window.words)
        )
        message = f"document {system.doc_id!r}, {window.title}: token {at} is {gold_word} in gold, {word} here; token numbers are compared as they are"
        hint = "were both sides made from the same text?"
        yield system.finding("texts-differ", "warning", message, window.line, hint=hint)
        return

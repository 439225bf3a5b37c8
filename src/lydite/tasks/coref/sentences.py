"""Whether two files of dependency trees have the same sentences: mentions over nodes mean nothing without that."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.errors import Finding, Location
from lydite.model import Corpus
from lydite.model.nodes import Sentence


def compare_sentences(gold: Corpus, system: Corpus) -> Iterator[Finding]:
    """The first sentence that differs, and what one side lacks at an end: words of sentences, sentences of the file.

    Documents, ``sent_id`` and words must agree, sentence by sentence, as far as both sides go; empty nodes may differ.
    """
    ours, theirs = _sentences(gold), _sentences(system)
    if not ours or not theirs:
        return
    shorter = []
    for one, other in zip(ours, theirs, strict=False):
        difference = _difference(one[1], other[1])
        if difference is not None:
            what, expected, found = difference
            message = f"sentence {one[1].number}: gold has {what} {expected!r}, here it is {found!r}"
            hint = "mentions are compared sentence by sentence: were both files made from the same text?"
            yield Finding("sentence-differs", "error", message, Location(system.path), other[0], hint=hint)
            return
        if len(one[1].words) != len(other[1].words):
            shorter.append((one, other))
    for one, other in shorter:
        message = (
            f"sentence {one[1].number} has {len(one[1].words)} words in gold and {len(other[1].words)} here"
        )
        yield Finding("words-missing", "warning", message, Location(system.path), other[0])
    if len(ours) != len(theirs):
        message = f"gold has {len(ours)} sentences, here are {len(theirs)}; the others are not compared"
        yield Finding("sentences-missing", "warning", message, Location(system.path))


def _sentences(corpus: Corpus) -> list[tuple[str, Sentence]]:
    """All sentences in the order of the file, with their documents."""
    found = [
        (doc_id, sentence)
        for doc_id, document in corpus.documents.items()
        if (trees := document.layers.get("trees")) is not None
        for sentence in trees.sentences
    ]
    return sorted(found, key=lambda entry: entry[1].number)


def _difference(gold: Sentence, system: Sentence) -> tuple[str, object, object] | None:
    """What differs first: the beginning of a document, the id, a word."""
    if gold.begins != system.begins:
        return "document", gold.begins, system.begins
    if gold.sent_id != system.sent_id:
        return "sent_id", gold.sent_id, system.sent_id
    for place, (one, other) in enumerate(zip(gold.words, system.words, strict=False), 1):
        if one != other:
            return f"word {place}", one, other
    return None

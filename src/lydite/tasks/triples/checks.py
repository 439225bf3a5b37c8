"""Checks of a pair of triple files beyond their format."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.align.triple_scope import TripleSide
from lydite.errors import Finding, Location
from lydite.escaping import counted, first_of
from lydite.formats.naf import NafText
from lydite.model import DocumentPair
from lydite.tasks.triples.comparison import ELEMENTS, triple_sides
from lydite.tasks.triples.documents import scope_kind, text_of, triples_of
from lydite.tasks.triples.settings import TripleSettings

MOST_IDS_PER_GOLD_ID = 2
"""Above this ratio of the mean lengths of system and gold elements, partial matching is too easy."""


def check_pair(pair: DocumentPair, settings: TripleSettings) -> Iterator[Finding]:
    """Findings about ids that the text lacks, tokens of the text, long system elements, and the scope."""
    gold, system = triple_sides(pair, settings)
    text = text_of(pair, settings)
    if text is not None:
        yield from _unknown_ids(pair, text)
        yield from _ambiguous_tokens(pair, text, settings)
    yield from _long_elements(pair, gold, system)
    kind = scope_kind(settings)
    if system.scope is not None:
        source = str(settings.token_range) if kind == "token-range" else f"{kind} of gold"
        yield _scope_note(pair, gold, system, source)
    elif kind in {"token-range", "sentences"}:
        where = str(settings.token_range if kind == "token-range" else settings.text)
        message = f"scope: none for document {pair.doc_id!r} (nothing for it in {where})"
        yield Finding("no-scope", "warning", message, Location(where), pair.doc_id)
    elif settings.scope != "none" and not settings.token_range:
        # Without document and place it is reported once, however many documents there are.
        yield Finding("no-scope", "note", "scope: none (no token range and no text given)")


def _scope_note(pair: DocumentPair, gold: TripleSide, system: TripleSide, source: str) -> Finding:
    ranges = ", ".join(
        f"{len(side.in_range)} of {len(side.triples)} {name} triples"
        for name, side in (("gold", gold), ("system", system))
    )
    message = f"scope: {counted(len(system.scope or ()), 'token id')} ({source}); in range are {ranges}"
    return Finding("triples-in-range", "note", message, Location(pair.system.path), pair.doc_id)


def _ambiguous_tokens(pair: DocumentPair, text: NafText, settings: TripleSettings) -> Iterator[Finding]:
    """Tokens of the text that share an id, or that are in no sentence where sentences are the scope."""
    where = Location(settings.text or "")
    if text.repeated:
        some = first_of(text.repeated)
        message = f"{counted(len(text.repeated), 'token')} of the text with an id that one before has ({some}); the last one counts"
        hint = "give every token an id of its own"
        yield Finding("repeated-id", "warning", message, where, pair.doc_id, hint=hint)
    without_sentence = [token for token, sentence in text.sentences.items() if not sentence]
    if without_sentence and scope_kind(settings) == "sentences":
        message = (
            f"{counted(len(without_sentence), 'token')} of the text without a sentence ({first_of(without_sentence)}):"
            " all such count as one sentence"
        )
        hint = "give every wf its sentence in the attribute 'sent', or choose another scope"
        yield Finding("token-without-sentence", "warning", message, where, pair.doc_id, hint=hint)


def _unknown_ids(pair: DocumentPair, text: NafText) -> Iterator[Finding]:
    for side, document in (("gold", pair.gold), ("system", pair.system)):
        ids = {token for triple in triples_of(document) for token in (*triple.first.ids, *triple.second.ids)}
        unknown = sorted(ids - text.words.keys())
        if unknown:
            message = (
                f"{len(unknown)} of {len(ids)} {side} ids are not in the text ({', '.join(unknown[:3])})"
            )
            hint = "gold, system and text must use the ids of one tokenisation"
            place = Location(document.path)
            yield Finding("unknown-token", "warning", message, place, pair.doc_id, hint=hint)


def _long_elements(pair: DocumentPair, gold: TripleSide, system: TripleSide) -> Iterator[Finding]:
    for element in ELEMENTS:
        ours, theirs = gold.mean_ids(element), system.mean_ids(element)
        if ours and theirs and theirs / ours > MOST_IDS_PER_GOLD_ID:
            message = (
                f"{element} elements have {theirs:.2f} ids on average in the system and {ours:.2f} in gold"
            )
            hint = "long elements make partial matching easy; look at the exact figures too"
            place = Location(pair.system.path)
            yield Finding("long-elements", "warning", message, place, pair.doc_id, hint=hint)

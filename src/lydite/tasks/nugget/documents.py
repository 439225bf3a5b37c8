"""A document as a profile sees it: filtered by the white list, invisible words removed, attributes normalised."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Final

from lydite.align.attributes import NORMALISATIONS, normalised
from lydite.formats.lists import read_type_list
from lydite.formats.tokens import WHITE_SPACE, TokenTable, find_table, offset_columns
from lydite.memory import kept_for_a_run
from lydite.model import Corpus, Document, Mention, Relation, Span
from lydite.model.document import some_layers
from lydite.model.mention import SYSTEM_LAYER, WRITTEN_LAYER, columns_of
from lydite.numerals import decimal_of
from lydite.pipeline import Confidence, in_official_order
from lydite.tasks import reading
from lydite.tasks.nugget.settings import NuggetSettings

ATTRIBUTES_LAYER: Final = "attributes"
"""The layer of a prepared document that holds its attribute values as the profile compares them."""


def prepare(document: Document, settings: NuggetSettings) -> Document:
    """The document that is compared; the one that was read stays as it is."""
    document = compared(document, settings)
    table = token_table(settings, document.doc_id)
    return Document(
        document.doc_id,
        document.mentions,
        document.relations,
        document.path,
        document.line,
        document.text,
        tokens=table.strings if table is not None else None,
        layers={
            # What official layouts show of the file and no measurement looks at.
            **some_layers(document.layers, (SYSTEM_LAYER, WRITTEN_LAYER)),
            ATTRIBUTES_LAYER: _attributes(document.mentions, settings),
        },
        present=document.present,
    )


def compared(document: Document, settings: NuggetSettings) -> Document:
    """The mentions that are compared, with the tokens that count."""
    document = filtered(document, settings)
    if document.columns.bounds is not None:
        return document
    table = token_table(settings, document.doc_id)
    return document._replace(mentions=_with_compared_tokens(document.mentions, table, settings))


def filtered(document: Document, settings: NuggetSettings) -> Document:
    """The document without mentions whose type the white list lacks, and without what relations say about them."""
    if not white_list(settings):
        return document
    kept = compared_places(document, settings)
    mentions = tuple(document.mentions[at] for at in kept)
    relations = surviving(document.relations, {mention.id for mention in mentions})
    layers = document.layers
    if WRITTEN_LAYER in layers:
        layers = {**layers, WRITTEN_LAYER: partial(_picked, layers[WRITTEN_LAYER], kept)}
    return document._replace(mentions=mentions, relations=relations, layers=layers)


def compared_places(document: Document, settings: NuggetSettings) -> Sequence[int]:
    """Where the mentions that are compared stand among those that were read."""
    wanted = white_list(settings)
    if not wanted:
        return range(len(document.mentions))
    normalise = NORMALISATIONS[settings.normalisation]
    return [at for at, type_ in enumerate(document.columns.types) if normalise(type_) in wanted]


def _picked(written: Callable[[], Sequence[str]], kept: Sequence[int]) -> list[str]:
    lines = written()
    return [lines[at] for at in kept]


def _attributes(mentions: Sequence[Mention], settings: NuggetSettings) -> Mapping[str, tuple[str, ...]]:
    how = settings.normalisation
    columns = columns_of(mentions)
    return {"type": normalised(columns.types, how), "realis": normalised(columns.realis, how)}


def white_list(settings: NuggetSettings) -> Collection[str]:
    """The normalised types of the white list; empty if there is none, or if its file has no line."""
    path = settings.type_whitelist
    return _normalised_list(path, settings.normalisation) if path else ()


@kept_for_a_run(16)
def _normalised_list(path: str, how: str) -> frozenset[str]:
    return frozenset(map(NORMALISATIONS[how], read_type_list(path)))


def surviving(relations: tuple[Relation, ...], known: Collection[str]) -> tuple[Relation, ...]:
    """Relations without the members that were filtered out; those left with fewer than two are dropped."""
    kept = []
    for relation in relations:
        members = tuple(member for member in relation.members if member in known)
        if len(members) > 1:
            kept.append(relation._replace(members=members))
    return tuple(kept)


# ---------------------------------------------------------------------------------------------- texts and tokens


def token_table(settings: NuggetSettings, doc_id: str) -> TokenTable | None:
    """The token table of a document in a token-unit run, or None."""
    return given_table(settings, doc_id) if settings.tokens and settings.unit == "token" else None


def given_table(settings: NuggetSettings, doc_id: str) -> TokenTable | None:
    """The token table of a document in the folder that the profile names, or None if it lacks one.

    The official programs search the current folder where the one named does not exist.
    """
    folder = settings.tokens or ""
    if settings.reading == "as-official" and not os.path.isdir(folder):  # noqa: PTH112 - pathlib takes long to import
        folder = "."
    return _kept_table(
        folder,
        doc_id,
        suffix=settings.token_suffix,
        header=settings.token_header,
        columns=offset_columns(settings.token_offsets),
    )


_kept_table = kept_for_a_run(8)(find_table)


def invisible_tokens(table: TokenTable, settings: NuggetSettings) -> frozenset[str]:
    """Ids of the tokens that do not count.

    Token strings are lower-cased before they are looked up, and the official list has a capital ``I``: with the
    quirk ``capital-i-stays-visible`` it is never found, without it the word is invisible.
    """
    words = set(settings.invisible_words)
    if not settings.capital_i_stays_visible:
        words = {word.lower() for word in words}
    if not words:
        return frozenset()
    return frozenset(
        token for token, text in table.strings.items() if text.strip(WHITE_SPACE).lower() in words
    )


def spelt_as_table(token: str, table: Collection[str]) -> str:
    """``t48`` and ``48`` mean the same token: the table's spelling."""
    if token in table:
        return token
    other = token.removeprefix("t") if token.startswith("t") else f"t{token}"
    return other if other in table else token


def _with_compared_tokens(
    mentions: Sequence[Mention], table: TokenTable | None, settings: NuggetSettings
) -> Sequence[Mention]:
    """The mentions with the tokens that count, each once: in the spelling of the table, without invisible words."""
    known = table.strings if table is not None and settings.reading != "as-official" else {}
    invisible = frozenset() if table is None else invisible_tokens(table, settings)
    changed = {}
    for at, mention in enumerate(mentions):
        spelt = (spelt_as_table(token, known) for token in mention.span.tokens)
        tokens = tuple(dict.fromkeys(token for token in spelt if token not in invisible))
        if tokens != mention.span.tokens:
            changed[at] = mention._replace(span=Span(tokens=tokens))
    # What was read knows more of itself than a copy.
    return tuple(changed.get(at, one) for at, one in enumerate(mentions)) if changed else mentions


# ------------------------------------------------------------------------------------------------ which documents


def pair_documents(gold: Corpus, system: Corpus, settings: NuggetSettings) -> Collection[str]:
    """Ids of the documents that are scored."""
    wanted = reading.pair_documents(gold, system, settings)
    if stops_at_duplicate_id(settings):
        return _before_duplicate_id(in_official_order(wanted), system, settings)
    return wanted


def stops_at_duplicate_id(settings: NuggetSettings) -> bool:
    """Whether a duplicate id of the system ends the run; otherwise such a file is refused, or scored as a whole."""
    return settings.stop_at_duplicate_id and settings.reading == "as-official"


def _before_duplicate_id(doc_ids: Sequence[str], system: Corpus, settings: NuggetSettings) -> Sequence[str]:
    """The documents before the first in which the system uses a mention id twice: there the official run ends.

    What the white list removes is not looked at.
    """
    for position, doc_id in enumerate(doc_ids):
        if doc_id in system.documents:
            ids = filtered(system.documents[doc_id], settings).columns.ids
            if len(set(ids)) < len(ids):
                return doc_ids[:position]
    return doc_ids


# ------------------------------------------------------------------------------------------------ confidences


def _confidence_of(mention: Mention) -> float | None:
    """The first confidence of a mention, if it is a number."""
    return decimal_of(mention.confidences[0]) if mention.confidences else None


def _cut(document: Document, threshold: float) -> Document:
    """The mentions at or above the threshold, clusters of them, and links between them."""
    kept = tuple(mention for mention in document.mentions if (_confidence_of(mention) or 0.0) >= threshold)
    linked = surviving(document.relations, {mention.id for mention in kept})
    return document._replace(mentions=kept, relations=linked, content=None)


CONFIDENCE = Confidence(lambda document: map(_confidence_of, document.mentions), _cut)

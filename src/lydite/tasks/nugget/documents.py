"""What is compared of a document: types filtered by the white list, invisible words removed, attributes normalised."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from math import prod
from typing import Final

from lydite.align.attributes import NORMALISATIONS, normalised
from lydite.formats.lists import read_type_list
from lydite.formats.tokens import WHITE_SPACE, TokenTable, find_table, offset_columns
from lydite.memory import kept_for_a_run
from lydite.model import Corpus, Document, Mention, Relation, Span
from lydite.model.document import some_layers
from lydite.model.mention import SYSTEM_LAYER, WRITTEN_LAYER, columns_of
from lydite.model.windows import WINDOWS
from lydite.numerals import decimal_of
from lydite.pipeline.sides import in_official_order
from lydite.pipeline.task import Confidence
from lydite.tasks import reading
from lydite.tasks.nugget.settings import NuggetSettings

ATTRIBUTES_LAYER: Final = "attributes"
"""The layer of a prepared document that holds its attribute values as the profile compares them."""


def prepare(document: Document, settings: NuggetSettings) -> Document:
    """The document that is compared, made from the one that was read."""
    document = keep_compared_mentions(document, settings)
    table = token_table(settings, document.doc_id)
    columns, how = columns_of(document.mentions), settings.normalisation
    return Document(
        document.doc_id,
        document.mentions,
        document.relations,
        document.path,
        document.line,
        document.text,
        tokens=table.strings if table is not None else None,
        layers={
            # Official layouts show these; no measurement needs them.
            **some_layers(document.layers, (SYSTEM_LAYER, WINDOWS, WRITTEN_LAYER)),
            ATTRIBUTES_LAYER: {
                "type": normalised(columns.types, how),
                "realis": normalised(columns.realis, how),
            },
        },
        present=document.present,
    )


def keep_compared_mentions(document: Document, settings: NuggetSettings) -> Document:
    """The document with the mentions that are compared, and with those of their tokens that count."""
    document = filter_types(document, settings)
    if document.columns.bounds is not None:
        return document
    table = token_table(settings, document.doc_id)
    return document._replace(mentions=_with_compared_tokens(document.mentions, table, settings))


def filter_types(document: Document, settings: NuggetSettings) -> Document:
    """The document without mentions whose type the white list lacks; relations lose them too."""
    if not white_list(settings):
        return document
    positions = compared_positions(document, settings)
    mentions = tuple(document.mentions[at] for at in positions)
    relations = surviving_relations(document.relations, {mention.id for mention in mentions})
    layers = document.layers
    if WRITTEN_LAYER in layers:
        layers = {**layers, WRITTEN_LAYER: partial(_pick_lines, layers[WRITTEN_LAYER], positions)}
    return document._replace(mentions=mentions, relations=relations, layers=layers)


def compared_positions(document: Document, settings: NuggetSettings) -> Sequence[int]:
    """The positions of the mentions that are compared among those that were read."""
    types = white_list(settings)
    if not types:
        return range(len(document.mentions))
    normalise = NORMALISATIONS[settings.normalisation]
    return [at for at, type_ in enumerate(document.columns.types) if normalise(type_) in types]


def _pick_lines(read_lines: Callable[[], Sequence[str]], positions: Sequence[int]) -> list[str]:
    lines = read_lines()
    return [lines[at] for at in positions]


def white_list(settings: NuggetSettings) -> Collection[str]:
    """The normalised types of the white list; empty if there is none, or if its file has no line."""
    path = settings.type_whitelist
    return _normalised_list(path, settings.normalisation) if path else ()


@kept_for_a_run(16)
def _normalised_list(path: str, how: str) -> frozenset[str]:
    return frozenset(map(NORMALISATIONS[how], read_type_list(path)))


def surviving_relations(relations: tuple[Relation, ...], known: Collection[str]) -> tuple[Relation, ...]:
    """Relations without the members that were filtered out; those left with fewer than two are dropped."""
    left = (
        relation._replace(members=tuple(member for member in relation.members if member in known))
        for relation in relations
    )
    return tuple(relation for relation in left if len(relation.members) > 1)


# ---------------------------------------------------------------------------------------------- texts and tokens


def token_table(settings: NuggetSettings, doc_id: str) -> TokenTable | None:
    """The token table of a document in a token-unit run, or None."""
    return find_token_table(settings, doc_id) if settings.tokens and settings.unit == "token" else None


def find_token_table(settings: NuggetSettings, doc_id: str) -> TokenTable | None:
    """The token table of a document in the folder that the profile names, or None if it lacks one.

    The official programs search the current folder where the one named does not exist.
    """
    folder = settings.tokens or ""
    if settings.reading == "as-official" and not os.path.isdir(folder):  # noqa: PTH112 - pathlib takes long to import
        folder = "."
    return _find_table_once(
        folder,
        doc_id,
        suffix=settings.token_suffix,
        header=settings.token_header,
        columns=offset_columns(settings.token_offsets),
    )


_find_table_once = kept_for_a_run(8)(find_table)


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
    return frozenset(one for one, text in table.strings.items() if text.strip(WHITE_SPACE).lower() in words)


def spell_token(token: str, table: Collection[str]) -> str:
    """The token id as the table spells it: ``t48`` and ``48`` mean the same token."""
    if token in table:
        return token
    other = token.removeprefix("t") if token.startswith("t") else f"t{token}"
    return other if other in table else token


def _with_compared_tokens(
    mentions: Sequence[Mention], table: TokenTable | None, settings: NuggetSettings
) -> Sequence[Mention]:
    """The mentions with the tokens that count, each once: spelt as in the table, without invisible words."""
    known = table.strings if table is not None and settings.reading != "as-official" else {}
    invisible = frozenset() if table is None else invisible_tokens(table, settings)
    changed = {}
    for at, mention in enumerate(mentions):
        spelt = (spell_token(token, known) for token in mention.span.tokens)
        tokens = tuple(dict.fromkeys(token for token in spelt if token not in invisible))
        if tokens != mention.span.tokens:
            changed[at] = mention._replace(span=Span(tokens=tokens))
    # Mentions that were read in one piece keep their columns; a copy has to make them again.
    return tuple(changed.get(at, one) for at, one in enumerate(mentions)) if changed else mentions


# ------------------------------------------------------------------------------------------------ which documents


def pair_documents(gold: Corpus, system: Corpus, settings: NuggetSettings) -> Collection[str]:
    """Ids of the documents that are scored."""
    doc_ids = reading.pair_documents(gold, system, settings)
    if stops_at_duplicate_id(settings):
        return _before_duplicate_id(in_official_order(doc_ids), system, settings)
    return doc_ids


def stops_at_duplicate_id(settings: NuggetSettings) -> bool:
    """Whether a duplicate id of the system ends the run; otherwise such a file is refused, or scored as a whole."""
    return settings.stop_at_duplicate_id and settings.reading == "as-official"


def _before_duplicate_id(doc_ids: Sequence[str], system: Corpus, settings: NuggetSettings) -> Sequence[str]:
    """The documents before the first in which the system uses a compared id twice: the official run ends there."""
    for position, doc_id in enumerate(doc_ids):
        if doc_id in system.documents:
            ids = filter_types(system.documents[doc_id], settings).columns.ids
            if len(set(ids)) < len(ids):
                return doc_ids[:position]
    return doc_ids


# ------------------------------------------------------------------------------------------------ confidences


_PLACES = {"span": (0,), "type": (1,), "realis": (2,), "product": (0, 1, 2)}
"""Where the confidences of a mention stand that the setting ``confidence`` names."""


def _confidence_of(mention: Mention, settings: NuggetSettings) -> float | None:
    """The chosen confidence of a mention, None if the line lacks it or it is no number."""
    places = _PLACES[settings.confidence]
    if len(mention.confidences) <= places[-1]:
        return None
    numbers = [decimal_of(mention.confidences[place]) for place in places]
    known = [number for number in numbers if number is not None]
    return prod(known) if len(known) == len(numbers) else None


def _confidences(document: Document, settings: NuggetSettings) -> Iterator[float | None]:
    return (_confidence_of(mention, settings) for mention in document.mentions)


def _cut_below(document: Document, threshold: float, settings: NuggetSettings) -> Document:
    """The document with the mentions at or above the threshold, and the clusters and links among these."""
    kept = tuple(one for one in document.mentions if (_confidence_of(one, settings) or 0.0) >= threshold)
    linked = surviving_relations(document.relations, {mention.id for mention in kept})
    return document._replace(mentions=kept, relations=linked, content=None)


def _name_confidence(settings: NuggetSettings) -> str:
    if settings.confidence == "product":
        return "product of the confidences of span, type and realis"
    return f"confidence of the {settings.confidence}"


CONFIDENCE = Confidence(_confidences, _cut_below, _name_confidence)

"""Telling the inputs of the arguments task apart: stores of assessed arguments, or events with triggers."""

from __future__ import annotations

import os
from collections.abc import Sequence

from lydite.errors import FormatError, UsageError
from lydite.formats import EXTENSIONS, FORMATS, formats_of, serves
from lydite.formats.bridges import has_layer
from lydite.formats.source import Source, open_source
from lydite.formats.store import ARCHIVES
from lydite.model import Corpus
from lydite.profile import Profile
from lydite.tasks.arguments.settings import ArgumentSettings

STORE = "eal"
ARGUMENTS, EVENTS = "arguments", "events"
AS_EVENTS = (EVENTS, "ace", "mentions")
"""The layers that events can be made from; ``events`` itself first."""
_HEAD = 1 << 16
_LAYER_TITLES = {
    ARGUMENTS: "event arguments of stores",
    EVENTS: "events with triggers",
    "ace": "ACE elements",
    "mentions": "event mentions",
}


def choose_format(settings: ArgumentSettings, path: str) -> str | None:
    """The format of a store, unless the files are of another format (None: recognise it).

    Stores have no extension of their own, and their files may be empty: a folder or archive is a store unless the name
    and content of a file show that it holds events.  A single file of no recognised format, which is not JSON either, is
    read as a store under a profile of stores; the reader then explains what a store is.
    """
    if path == "-":
        return None
    try:
        source = open_source(path)
    except FormatError:
        return STORE  # an empty folder, for instance; the reader reports what is wrong with it
    if settings.map and not _is_of_events(_head(source, 0)):
        return EVENTS
    if os.path.isdir(path) or path.lower().endswith(ARCHIVES):  # noqa: PTH112 - text in, text out
        return None if _holds_events(source) else STORE
    head = _head(source, 0)
    is_other = _is_of_events(head) or head.lstrip().startswith((b"{", b"["))
    return None if settings.match != "assessment" or is_other else STORE


def _holds_events(source: Source) -> bool:
    """Whether the first file that is not empty holds events; files with the extension of such a format come first."""
    candidates = [number for number, part in enumerate(source.parts) if _may_hold_events(part.name.lower())]
    heads = (_head(source, number) for number in candidates or (0,))
    head = next((head for head in heads if head.strip()), None)
    if head is None:
        return bool(candidates)
    return not FORMATS[STORE].recognise(head) and _is_of_events(head)


def _may_hold_events(name: str) -> bool:
    """Whether a file has the extension of a format that may hold events; other formats are not loaded."""
    if not name.endswith((*EXTENSIONS, ".json")):
        return False
    formats = [one for ending, names in EXTENSIONS.items() if name.endswith(ending) for one in names]
    return name.endswith(".json") or any(serves(one, "arguments") for one in formats)


def _is_of_events(head: bytes) -> bool:
    return any(FORMATS[name].recognise(head) for name in formats_of("arguments") if name != STORE)


def _head(source: Source, number: int) -> bytes:
    with source.parts[number].open() as stream:
        return stream.read(_HEAD)


def corpora_of_events(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora that hold events or layers to make them from; an empty list if some corpus holds another layer."""
    layers = [_layer_of(corpus, AS_EVENTS) for corpus in corpora]
    with_events = [corpus for corpus, layer in zip(corpora, layers, strict=True) if layer in AS_EVENTS]
    return with_events if len(with_events) + layers.count(None) == len(corpora) else []


def _layer_of(corpus: Corpus, preferred: Sequence[str]) -> str | None:
    """The layer that a corpus has for this task: a ``preferred`` one if there is one, else another, else None."""
    declared = FORMATS[corpus.format].layers
    if "*" not in declared:
        return next((name for name in (*preferred, *_LAYER_TITLES) if name in declared), None)
    other: str | None = None
    for document in corpus.documents.values():
        # A document may have the layer and nothing in it.
        present = (
            name
            for name in (*preferred, *_LAYER_TITLES)
            if name in document.layers or has_layer(document, name)
        )
        layer = next(present, None)
        if layer in preferred:
            return layer
        other = other or layer
    return other


def refuse_other_layers(profile: Profile[ArgumentSettings], corpora: Sequence[Corpus]) -> None:
    """Refuse corpora of events under a profile of stores, and the other way round."""
    compared = AS_EVENTS if profile.settings.match != "assessment" else (ARGUMENTS,)
    for corpus in corpora:
        layer = _layer_of(corpus, compared)
        if layer is not None and layer not in compared:
            hint = (
                "choose a profile of stores, for instance kbp2014-official; lydite list profiles shows all"
                if layer == ARGUMENTS
                else "score it with --profile exact, against gold that holds events"
            )
            raise UsageError(
                f"profile {profile.name!r} compares {_LAYER_TITLES[compared[0]]}; {corpus.path} is {corpus.format} and holds "
                f"{_LAYER_TITLES[layer]}",
                hint=hint,
            )

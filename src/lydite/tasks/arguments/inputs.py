"""What files of the arguments task hold: stores of assessed arguments, or events with triggers; and which are which."""

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
"""What events can be made from, if they are not there themselves."""
_HEAD = 1 << 16
_SAID = {
    ARGUMENTS: "event arguments of stores",
    EVENTS: "events with triggers",
    "ace": "ACE elements",
    "mentions": "event mentions",
}


def choose_format(settings: ArgumentSettings, path: str) -> str | None:
    """A store, unless the files are something else.

    Stores have no telling extension, and their files may be empty: a folder or archive is one if no file of it says
    by its name and content that it holds events.  A single file that looks like nothing else, not even like JSON, is
    taken for one by a profile of stores; its reader says what a store is.
    """
    if path == "-":
        return None
    try:
        source = open_source(path)
    except FormatError:
        return STORE  # an empty folder, for instance; what is wrong with it is for the reader to say
    if settings.map and not _is_of_events(_head(source, 0)):
        return EVENTS
    if os.path.isdir(path) or path.lower().endswith(ARCHIVES):  # noqa: PTH112 - text in, text out
        return None if _holds_events(source) else STORE
    head = _head(source, 0)
    is_other = _is_of_events(head) or head.lstrip().startswith((b"{", b"["))
    return None if settings.match != "assessment" or is_other else STORE


def _holds_events(source: Source) -> bool:
    """Whether the first file with the name of such a format, else the first file, is one of events; empty ones aside."""
    telling = [number for number, part in enumerate(source.parts) if _is_telling(part.name.lower())]
    heads = (_head(source, number) for number in telling or (0,))
    head = next((head for head in heads if head.strip()), None)
    if head is None:
        return bool(telling)
    return not FORMATS[STORE].recognise(head) and _is_of_events(head)


def _is_telling(name: str) -> bool:
    """Whether a file has the name of a format that may hold events; formats of other names are not loaded."""
    if not name.endswith((*EXTENSIONS, ".json")):
        return False
    formats = [one for ending, names in EXTENSIONS.items() if name.endswith(ending) for one in names]
    return name.endswith(".json") or any(serves(one, "arguments") for one in formats)


def _is_of_events(head: bytes) -> bool:
    return any(FORMATS[name].recognise(head) for name in formats_of("arguments") if name != STORE)


def _head(source: Source, number: int) -> bytes:
    with source.parts[number].open() as stream:
        return stream.read(_HEAD)


def of_events(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Those that hold events, or something that events can be made from; none if one holds anything else."""
    found = [_layer_of(corpus, AS_EVENTS) for corpus in corpora]
    held = [corpus for corpus, layer in zip(corpora, found, strict=True) if layer in AS_EVENTS]
    return held if len(held) + found.count(None) == len(corpora) else []


def _layer_of(corpus: Corpus, wanted: Sequence[str]) -> str | None:
    """The layer that a corpus holds for this task: one that is wanted if it is there, else another, else None."""
    declared = FORMATS[corpus.format].layers
    if "*" not in declared:
        return next((name for name in (*wanted, *_SAID) if name in declared), None)
    found: str | None = None
    for document in corpus.documents.values():
        # Where events are all that can be said, it may be said that there are none.
        said = (name for name in (*wanted, *_SAID) if name in document.layers or has_layer(document, name))
        here = next(said, None)
        if here in wanted:
            return here
        found = found or here
    return found


def refuse_others(profile: Profile[ArgumentSettings], corpora: Sequence[Corpus]) -> None:
    """A profile compares what stores hold, or what events hold: the other has nothing that it could look at."""
    wanted = AS_EVENTS if profile.settings.match != "assessment" else (ARGUMENTS,)
    for corpus in corpora:
        found = _layer_of(corpus, wanted)
        if found is not None and found not in wanted:
            hint = (
                "choose a profile of stores, for instance kbp2014-official; lydite list profiles shows all"
                if found == ARGUMENTS
                else "score it with --profile exact, against gold that holds events"
            )
            raise UsageError(
                f"profile {profile.name!r} compares {_SAID[wanted[0]]}; {corpus.path} is {corpus.format} and holds "
                f"{_SAID[found]}",
                hint=hint,
            )

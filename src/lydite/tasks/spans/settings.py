"""The settings of the task of labelled spans."""

from __future__ import annotations

from operator import itemgetter

from lydite.model.settings import (
    GROUND,
    ONLY_DOCUMENT,
    READING,
    SCORED_DOCUMENTS,
    SYSTEM_KEYS,
    TOPIC_OF,
    findings,
)
from lydite.model.tags import SCHEMES
from lydite.profile import choice, path, quirk, setting, switch
from lydite.tasks.strings.settings import StringSettings

METRIC_OF = {
    "entity": "span-exact",
    "types": "span-types",
    "types-weighted": "span-types-weighted",
    "strict": "span-strict",
    "exact": "span-boundaries",
    "partial": "span-partial",
    "type": "span-type",
    "muc": "span-muc",
    "overlap": "span-overlap",
}
"""What can be measured, and the metric that does."""
MEASURES = tuple(METRIC_OF)
LEVELS = "mention"
"""What only sentences have: entities with their level (name, noun, pronoun) in place of the type."""


class SpanSettings(StringSettings):
    """What can be set for labelled spans."""

    reading: str = READING
    system_keys: str = SYSTEM_KEYS
    topic_of: str = TOPIC_OF
    scheme: str = choice(
        "the scheme of tags: told by their letters (auto), or named", ("auto", *SCHEMES), table="read"
    )
    text_bounds: str = choice(
        "brat: every text-bound annotation (T) is a span, or those of events alone",
        ("spans", "events"),
        table="read",
    )
    documents: str | None = path(
        "folder of texts named by id, in which words are placed", table="read", signed=False
    )
    ground: bool = GROUND
    only_document: str | None = ONLY_DOCUMENT
    scored_documents: str = SCORED_DOCUMENTS
    measures: tuple[str, ...] = setting(
        "list",
        ("entity",),
        "what is measured: the first one is the headline",
        (*MEASURES, LEVELS),
        table="measure",
        headline_of=itemgetter(0),
        needs_one=True,
    )
    of: str = choice(
        "what is compared: the spans of a document, each once, or the entities of its sentences as files list them",
        ("documents", "sentences"),
        "score",
    )
    macro: tuple[str, ...] = setting(
        "list", (), "of sentences: means over types beside the micro average", ("types",), table="measure"
    )
    max_span_width: int = setting(
        "int",
        0,
        "entities of more tokens are left out on both sides; 0 keeps all",
        table="select",
        needs="of=sentences",
    )
    no_overlapping: bool = switch(
        "leave out entities that overlap others of their side", "select", needs="of=sentences"
    )
    errors: tuple[str, ...] = findings("findings that refuse the input")
    further_errors: tuple[str, ...] = findings("findings that refuse the input in this profile", flag=False)
    official_errors: tuple[str, ...] = findings("findings that stop the program, under reading = as-official")
    lenient_tags: bool = quirk("a tag that cannot continue a span begins one: every tag but O counts")
    recall_above_one: bool = quirk("repeats count, and any number of predictions match one gold item")
    last_label: bool = quirk("a span has one label: the last in the file")

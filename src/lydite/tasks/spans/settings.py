"""The settings of the task of labelled spans."""

from __future__ import annotations

from operator import itemgetter

from lydite.model.settings import (
    GROUND,
    ONLY_DOCUMENT,
    READING,
    SCORED_DOCUMENTS,
    TOPIC_OF,
    findings,
)
from lydite.model.tags import SCHEMES
from lydite.profile import choice, path, quirk, setting
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


class SpanSettings(StringSettings):
    """What can be set for labelled spans."""

    reading: str = READING
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
        MEASURES,
        table="measure",
        headline_of=itemgetter(0),
        needs_one=True,
    )
    errors: tuple[str, ...] = findings("findings that refuse the input")
    further_errors: tuple[str, ...] = findings("findings that refuse the input in this profile", flag=False)
    official_errors: tuple[str, ...] = findings("findings that stop the program, under reading = as-official")
    lenient_tags: bool = quirk("a tag that cannot continue a span begins one: every tag but O counts")

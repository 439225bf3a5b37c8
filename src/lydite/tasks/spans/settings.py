"""The settings of the task of labelled spans."""

from __future__ import annotations

from lydite.model.tags import SCHEMES
from lydite.profile import QUIRKS, Settings, setting
from lydite.tasks.reading import READING

MEASURES = ("entity", "types", "types-weighted", "strict", "exact", "partial", "type", "muc", "overlap")


class SpanSettings(Settings):
    """What can be set for labelled spans."""

    reading: str = READING
    scheme: str = setting(
        "str",
        "auto",
        "the scheme of tags: told by their letters (auto), or named",
        ("auto", *SCHEMES),
        table="read",
    )
    text_bounds: str = setting(
        "str",
        "spans",
        "brat: every text-bound annotation (T) is a span, or those of events alone",
        ("spans", "events"),
        table="read",
    )
    only_document: str | None = setting(
        "str", None, "score this document alone", table="select", abbreviation="document"
    )
    scored_documents: str = setting(
        "str",
        "gold",
        "which documents are scored: those of gold, or those of either side",
        ("gold", "either"),
        table="select",
    )
    measures: tuple[str, ...] = setting(
        "list",
        ("entity",),
        "what is measured: the first one is the headline",
        MEASURES,
        table="measure",
        signed=False,
    )
    errors: tuple[str, ...] = setting(
        "list", (), "findings that refuse the input", table="check", signed=False
    )
    official_errors: tuple[str, ...] = setting(
        "list",
        (),
        "findings that stop the program, under reading = as-official",
        table="check",
        signed=False,
    )
    lenient_tags: bool = setting(
        "bool", False, "a tag that cannot continue a span begins one: every tag but O counts", table=QUIRKS
    )

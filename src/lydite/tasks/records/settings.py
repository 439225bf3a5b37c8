"""The settings of records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lydite.formats.answers import REPAIRS
from lydite.formats.record_files import DEFAULT_REPAIRS
from lydite.model.settings import READING, TOPIC_OF, TaskSettings
from lydite.profile import choice, path, quirk, setting
from lydite.tasks.records.schema import SIMILARITIES

SCORINGS = (
    "leaves",
    "entities",
    "mapped-templates",
    "typed-templates",
    "rows",
    "anls",
    "thresholds",
    "cells",
    "trees",
    "slots",
)
"""How records are scored; the first is that of the profile ``strict``, the others are those of programs."""

Scoring = Literal[
    "leaves",
    "entities",
    "mapped-templates",
    "typed-templates",
    "rows",
    "anls",
    "thresholds",
    "cells",
    "trees",
    "slots",
]


class RecordSettings(TaskSettings):
    """What can be set for records."""

    reading: str = READING
    topic_of: str = TOPIC_OF
    scoring: Scoring = setting(
        "str",
        "leaves",
        "what is compared: leaves, or what a program compares",
        SCORINGS,
        table="score",
        flag=False,
    )
    schema: str | None = path(
        "file with the schema: JSON Schema with x-lydite, or TOML; else gold shows it", table="read"
    )
    repair: tuple[str, ...] = setting(
        "list", DEFAULT_REPAIRS, "steps by which an answer that is no JSON is repaired", REPAIRS, table="read"
    )
    unparseable: Literal["empty", "skip", "refuse"] = choice(
        "an answer that is no JSON after repair counts as empty, is skipped with its gold, or refuses the run",
        ("empty", "skip", "refuse"),
        table="read",
    )
    documents: str | None = path(
        "folder of texts named by id, in which values are looked up", table="read", signed=False
    )
    short_ids: bool = setting(
        "bool", False, "ids of a system may be the short form of MUC-4", table="read", flag=False
    )
    empty: Literal["null", "value"] = choice(
        "an empty string is nothing, as null is, or a value", ("null", "value"), table="score"
    )
    similarity: str = setting(
        "str", "dice", "how alike two elements of lists must be to pair", SIMILARITIES, table="score"
    )
    extra: Literal["count", "ignore"] = choice(
        "keys that neither the schema nor gold has are spurious, or left out",
        ("count", "ignore"),
        table="score",
    )
    entity_similarity: Literal["subset", "proportional"] = choice(
        "the headline of entities: all mentions of the system's are gold's, or their share",
        ("subset", "proportional"),
        table="score",
    )
    template_similarity: Literal["phi3", "phi-subset"] = choice(
        "the headline of typed templates: mentions that are right, or entities with one",
        ("phi3", "phi-subset"),
        table="score",
    )
    types: tuple[str, ...] = setting(
        "list", (), "the closed list of types of templates; those of gold if empty", table="score"
    )
    roles: Mapping[str, tuple[str, ...]] = setting(
        "lists",
        {},
        "JSON file with the slots of each type: {type: [slot, …]}; those of gold if empty",
        table="score",
    )
    alternatives_in_recall: bool = quirk(
        "Mentions of every alternative of a template's type count for recall."
    )
    fullest_first: bool = quirk("The system row with most cells chooses its gold row first.")
    absent_beside_fields: bool = quirk(
        "What is absent in one pair is not counted where another pair has fields."
    )
    hallucinated_left_out: bool = quirk("Items that are not in the text are left out instead of spurious.")

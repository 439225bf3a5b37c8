"""The settings of items that are known by their words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from lydite.model.settings import TaskSettings
from lydite.model.strings import DEFAULT_STEPS, STEPS
from lydite.profile import choice, quirk, setting

Rules = Literal["none", "forms", "in-text", "as-written", "generated", "closed-types"]


class StringSettings(TaskSettings):
    """What can be set where entities, relations and events are compared by their words alone."""

    compare_strings: Rules = choice(
        "how items are compared by their words alone: not, by their forms, or as a program does",
        ("none", "forms", "in-text", "as-written", "generated", "closed-types"),
        table="strings",
    )
    steps: tuple[str, ...] = setting(
        "list", DEFAULT_STEPS, "how strings are normalised, in this order", tuple(STEPS), table="strings"
    )
    counting: Literal["multiset", "set"] = choice(
        "items that say the same count each, or once", ("multiset", "set"), table="strings"
    )
    types: tuple[str, ...] = setting(
        "list", (), "the closed list of labels or types; those of gold if empty", table="strings"
    )
    roles: Mapping[str, tuple[str, ...]] = setting(
        "lists",
        {},
        "JSON file with the roles of each type: {type: [role, …]}; those of gold if empty",
        table="strings",
    )
    hallucinated_left_out: bool = quirk("Items that are not in the text are left out instead of spurious.")

"""Checks of types against inventories and lists."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from lydite.errors import Finding, Severity
from lydite.model import Document
from lydite.registry import near_names
from lydite.toml_files import shipped_toml

_INVENTORIES = f"{os.path.dirname(__file__)}/../data/event-types.toml"  # noqa: PTH120 - pathlib takes long to import


@cache
def inventories() -> Mapping[str, tuple[str, ...]]:
    """The event type inventories that ship with lydite, by name."""
    return {name: tuple(inventory["types"]) for name, inventory in shipped_toml(_INVENTORIES).items()}


def types_outside(
    document: Document,
    known: Mapping[str, str],
    *,
    code: str,
    severity: Severity,
    where: str,
    normalise: Callable[[str], str],
) -> Iterator[Finding]:
    """Mentions whose type is unknown, with a hint at similar names.

    ``known`` maps the key of a type to its usual spelling; a written type has the key ``normalise(type)``.  A
    spelling without a subtype (``Life``) stands for all its subtypes.
    """
    unknown = {written for written in set(document.columns.types) if normalise(written) not in known}
    if unknown:
        broad = tuple(key for key, name in known.items() if name.istitle() and name.isalpha())
        unknown = {written for written in unknown if not (broad and normalise(written).startswith(broad))}
    if not unknown:
        return
    for mention in document.mentions:
        if mention.type in unknown:
            near = near_names(normalise(mention.type), list(known), most=2)
            hint = f"did you mean {' or '.join(known[key] for key in near)}?" if near else None
            message = f"type {mention.type!r} is not in {where}"
            yield document.finding(code, severity, message, mention.line, mention.id, hint=hint)

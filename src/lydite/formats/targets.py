"""Targets: the entities that an evaluation is restricted to.

One target per line: an entity id (or the id of an external link), and after tabs the documents that count, if not all
do.  JSON lines with ``id``, ``handle`` and other keys of a target profile are read too; ``documents`` is a list.
Lines that start with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lydite.errors import FormatError, UsageError
from lydite.formats.json_values import json_value
from lydite.formats.names import refuse_misspelt_keys
from lydite.formats.numbered_lines import filled_lines, parse_lines
from lydite.grouping import grouped
from lydite.memory import kept_for_a_run


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that is looked for; without documents it counts wherever gold has it."""

    id: str
    handle: str = ""
    documents: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def read_targets(path: str) -> Mapping[str, Target]:
    """The targets of a file by id, in its order; broken lines are refused together."""
    lines = [(number, line) for number, line in filled_lines(path) if not line.startswith("#")]
    parsed, findings = parse_lines(lines, path, "bad-side-file", _parse_target)
    targets: dict[str, Target] = {}
    for target_id, same in grouped((target.id, target) for _, target in parsed).items():
        documents = frozenset[str]()
        if all(target.documents for target in same):
            # A line without documents means all of them, whatever the other lines of the target say.
            documents = documents.union(*(target.documents for target in same))
        names = dict.fromkeys(name for target in same for name in target.names)
        targets[target_id] = Target(target_id, same[0].handle, documents, tuple(names))
    if findings:
        raise FormatError(findings)
    if not targets:
        raise UsageError(f"{path}: lists no target", hint="one id per line, or a target profile as JSON")
    return targets


kept_targets = kept_for_a_run(4)(read_targets)
"""As :func:`read_targets`, but targets that were read are kept for a run."""


def _parse_target(line: str) -> Target:
    if line.lstrip().startswith("{"):
        return _target_from_json(json_value(line))
    target_id, *documents = (column.strip() for column in line.split("\t"))
    if not target_id:
        raise ValueError("expected a target id before the first tab, found none")
    return Target(target_id, target_id, frozenset(filter(None, documents)))


KEYS = ("id", "handle", "documents", "aliases", "variants", "type", "languages", "confusable_with", "status")


def _target_from_json(entry: object) -> Target:
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise ValueError("expected a target with a text under 'id', found none")
    refuse_misspelt_keys(entry, KEYS)
    handle = optional_text(entry, "handle")
    names = [
        name_form({"text": value} if isinstance(value, str) else value, key).text
        for key in ("aliases", "variants")
        for value in list_at(entry, key)
    ]
    documents = frozenset(texts_at(entry, "documents"))
    return Target(entry["id"], handle or entry["id"], documents, (*filter(None, [handle]), *names))


# ------------------------------------------------------------------------------------- values of profiles


class BadTargetError(ValueError):
    """A value that a target profile cannot have."""


@dataclass(frozen=True, slots=True)
class NameForm:
    """A name of a target: an alias or a variant, its language, and of a variant its kind."""

    text: str
    language: str = ""
    kind: str = ""


KINDS = ("orthographic", "transliteration", "short", "acronym")
"""The kinds of variants."""


def name_form(value: object, key: str) -> NameForm:
    """One of the names under a key of a target."""
    if not isinstance(value, dict):
        raise BadTargetError(f"expected objects with 'text' and 'lang' under {key!r}, found {value!r}")
    refuse_misspelt_keys(value, ("text", "lang", "kind"))
    kind = optional_text(value, "kind")
    if kind and kind not in KINDS:
        raise BadTargetError(f"expected the kind {', '.join(KINDS)} under {key!r}, found {kind!r}")
    return NameForm(text_at(value, "text"), optional_text(value, "lang"), kind)


def text_at(entry: Mapping[str, object], key: str) -> str:
    """A text that must be there."""
    value = optional_text(entry, key)
    if not value.strip():
        raise BadTargetError(f"expected a text under {key!r}, found none")
    return value


def optional_text(entry: Mapping[str, object], key: str) -> str:
    """A text, empty where there is none."""
    value = entry.get(key) or ""
    if not isinstance(value, str):
        raise BadTargetError(f"expected a text under {key!r}, found {value!r}")
    return value


def list_at(entry: Mapping[str, object], key: str) -> list[object]:
    """A list, empty where there is none."""
    values = entry.get(key) or []
    if not isinstance(values, list):
        raise BadTargetError(f"expected a list under {key!r}, found {values!r}")
    return values


def texts_at(entry: Mapping[str, object], key: str) -> tuple[str, ...]:
    """The texts of a list, none where there is no list."""
    values = entry.get(key) or []
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadTargetError(f"expected a list of texts under {key!r}, found {values!r}")
    return tuple(values)

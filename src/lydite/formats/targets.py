"""Targets: the entities of an evaluation that only looks at some.

One target per line: an entity id (or the id of an external link), and after tabs the documents that count, if not all
do.  JSON lines with ``id``, ``handle`` and other keys of a target profile are read too; ``documents`` is a list.
Lines that start with ``#`` are comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.errors import Finding, FormatError, Location
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.names import expect_keys
from lydite.formats.text import whole_text
from lydite.memory import kept_for_a_run
from lydite.records import dataclass


@dataclass(frozen=True, slots=True)
class Target:
    """An entity that is looked for; without documents it counts wherever gold has it."""

    id: str
    handle: str = ""
    documents: frozenset[str] = frozenset()
    names: tuple[str, ...] = ()


def read_targets(path: str) -> Mapping[str, Target]:
    """The targets of a file by id, in its order; broken lines are refused together."""
    text = whole_text(path)
    targets: dict[str, Target] = {}
    findings: list[Finding] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            target = _json_target(line) if line.lstrip().startswith("{") else _plain_target(line)
        except ValueError as error:
            findings.append(Finding("bad-target", "error", str(error), Location(path, number)))
            continue
        if target.id in targets:
            first = targets[target.id]
            # Without documents a line means all of them, and no other line takes one away.
            limited = first.documents and target.documents
            documents = first.documents | target.documents if limited else frozenset[str]()
            names = dict.fromkeys((*first.names, *target.names))
            target = Target(target.id, first.handle, documents, tuple(names))
        targets[target.id] = target
    if findings:
        raise FormatError(findings)
    return targets


kept_targets = kept_for_a_run(4)(read_targets)
"""The same for who asks again for every document of a run."""


def _plain_target(line: str) -> Target:
    target_id, *documents = (column.strip() for column in line.split("\t"))
    if not target_id:
        raise ValueError("expected a target id before the first tab, found none")
    return Target(target_id, target_id, frozenset(filter(None, documents)))


KEYS = ("id", "handle", "documents", "aliases", "variants", "type", "languages", "confusable_with", "status")


def _json_target(line: str) -> Target:
    try:
        entry = json_value(line)
    except NotJSONError as error:
        raise ValueError(f"expected a JSON object, found broken JSON: {error}") from None
    if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"]:
        raise ValueError("expected a target with a text under 'id', found none")
    expect_keys(entry, KEYS)
    handle = entry.get("handle")
    documents = entry.get("documents", [])
    if not isinstance(documents, list) or not all(isinstance(item, str) for item in documents):
        raise ValueError("expected a list of document ids under 'documents'")
    names = tuple(_names(entry))
    return Target(
        entry["id"], handle if isinstance(handle, str) else entry["id"], frozenset(documents), names
    )


def _names(entry: dict[str, object]) -> Iterator[str]:
    if isinstance(entry.get("handle"), str):
        yield str(entry["handle"])
    for key in ("aliases", "variants"):
        items = entry.get(key)
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("text"), str):
                yield item["text"]
            elif isinstance(item, str):
                yield item

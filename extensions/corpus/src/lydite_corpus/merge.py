"""Merge entities across documents by replaying a log of operations.

A member is an entity of a document, written ``DOCUMENT#ENTITY``; in an operation it stands for its current global entity.
The log has one JSON object per line with ``time``, ``user``, ``op`` and::

    merge   a, b          the two global entities become one
    split   a, members    these members of the global entity of a become a new global entity
    assign  member, g     the member moves to the global entity of g
    new     member        the member becomes a new global entity
    reject  a, b          the two are never proposed to each other again
    link    g, resource, id
    undo    n             the last n operations that are not yet undone are undone

The log is never changed; its replay gives the state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Required, TypedDict, cast

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.numbered_lines import read_json_lines
from lydite.grouping import grouped
from lydite.model import Corpus
from lydite.model.ace import ENTITY, LAYER, Element

KEYS: dict[str, tuple[str, ...]] = {
    "merge": ("a", "b"),
    "split": ("a", "members"),
    "assign": ("member", "g"),
    "new": ("member",),
    "reject": ("a", "b"),
    "link": ("g", "resource", "id"),
    "undo": ("n",),
}
"""The operations and the keys that each needs."""
_MEMBERS = ("a", "b", "member", "g")


class Operation(TypedDict, total=False):
    """A line of the log: ``op``, ``time``, ``user``, and the keys of the operation."""

    op: Required[str]
    time: Required[str]
    user: Required[str]
    a: str
    b: str
    member: str
    members: list[str]
    g: str
    resource: str
    id: str
    n: int


@dataclass(frozen=True, slots=True)
class DocumentEntity:
    """An entity of a document."""

    document: str
    element: Element

    @property
    def member(self) -> str:
        """The name of the entity in the log."""
        return f"{self.document}#{self.element.id}"


def entities_of(corpus: Corpus) -> dict[str, DocumentEntity]:
    """Return the entities of all documents by member, in file order."""
    entities = [
        DocumentEntity(document.doc_id, element)
        for document in corpus.documents.values()
        for element in document.layers.get(LAYER, ())
        if element.kind == ENTITY
    ]
    return {entity.member: entity for entity in entities}


@dataclass
class State:
    """A partition of members into global entities, with links, and pairs that are never proposed again."""

    group: dict[str, int]
    """The global entity of each member, as a number."""
    members: dict[int, list[str]]
    rejected: list[tuple[str, str]] = field(default_factory=list)
    links: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Links by the member that stood for the global entity in the log."""

    @classmethod
    def of(cls, members: Iterable[str]) -> State:
        """Return the initial state: entities with the same id are one global entity, as in APF, all others separate."""
        numbers: dict[str, int] = {}
        group = {member: numbers.setdefault(member.rpartition("#")[2], len(numbers)) for member in members}
        return cls(group, grouped((number, member) for member, number in group.items()))

    def members_with(self, member: str) -> list[str]:
        """Return the members of the global entity of a member, in file order."""
        return self.members[self.group[member]]

    def partition(self) -> list[list[str]]:
        """Return the global entities, in the order of their first members."""
        places = {member: place for place, member in enumerate(self.group)}
        return sorted(self.members.values(), key=lambda members: places[members[0]])

    def rejected_groups(self, member: str) -> set[int]:
        """Return the global entities that are never proposed to that of this member."""
        own = self.group[member]
        pairs = [(self.group[a], self.group[b]) for a, b in self.rejected]
        return {b for a, b in pairs if a == own} | {a for a, b in pairs if b == own}

    def apply(self, operation: Operation) -> None:
        """Apply an operation; raise :class:`ValueError` if that is impossible."""
        _OPERATIONS[operation["op"]](self, operation)

    def merge(self, operation: Operation) -> None:
        """Merge two global entities."""
        one, other = self.group[operation["a"]], self.group[operation["b"]]
        if one != other:
            self._move(self.members[other], one)

    def split(self, operation: Operation) -> None:
        """Make members of a global entity a new one."""
        group = self.group[operation["a"]]
        others = [member for member in operation["members"] if self.group[member] != group]
        if others:
            raise ValueError(f"expected members of the entity of {operation['a']!r}, found {others[0]!r}")
        if len(set(operation["members"])) == len(self.members[group]):
            raise ValueError("expected some members of an entity, found all of them")
        self._move(operation["members"], self._new_group())

    def assign(self, operation: Operation) -> None:
        """Move a member to another global entity."""
        self._move([operation["member"]], self.group[operation["g"]])

    def new(self, operation: Operation) -> None:
        """Make a member a new global entity."""
        if len(self.members_with(operation["member"])) > 1:
            self._move([operation["member"]], self._new_group())

    def reject(self, operation: Operation) -> None:
        """Never propose two global entities to each other."""
        if self.group[operation["a"]] == self.group[operation["b"]]:
            raise ValueError("expected two global entities, found two members of the same one")
        self.rejected.append((operation["a"], operation["b"]))

    def link(self, operation: Operation) -> None:
        """Link a global entity to an external resource."""
        self.links.setdefault(operation["g"], []).append((operation["resource"], operation["id"]))

    def _new_group(self) -> int:
        return max(self.members) + 1

    def _move(self, members: Sequence[str], to: int) -> None:
        for member in list(members):
            group = self.group[member]
            if group == to:
                continue
            self.members[group].remove(member)
            if not self.members[group]:
                del self.members[group]
            self.members.setdefault(to, []).append(member)
            self.group[member] = to


# The methods that a log may name.
_OPERATIONS: dict[str, Callable[[State, Operation], None]] = {
    "merge": State.merge,
    "split": State.split,
    "assign": State.assign,
    "new": State.new,
    "reject": State.reject,
    "link": State.link,
}


def read_log(path: str) -> list[tuple[int, Operation]]:
    """Read the operations of a log with their line numbers; all broken lines are reported together."""
    operations, findings = read_json_lines(path, "bad-merge-log", check_operation)
    if findings:
        raise FormatError(findings)
    return operations


def check_operation(entry: object) -> Operation:
    """Return an operation if it is valid; raise :class:`ValueError` otherwise."""
    op = entry.get("op") if isinstance(entry, dict) else entry
    if not isinstance(entry, dict) or not isinstance(op, str) or op not in KEYS:
        raise ValueError(f"expected the op {', '.join(KEYS)}, found {op!r}")
    for key in ("time", "user", *KEYS[op]):
        value = entry.get(key)
        if key == "n":
            if not isinstance(value, int) or isinstance(value, bool) or value < 1:
                raise ValueError(f"expected a number of 1 or more under 'n', found {value!r}")
        elif key == "members":
            if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
                raise ValueError(f"expected a list of members under 'members', found {value!r}")
        elif not isinstance(value, str) or not value:
            raise ValueError(f"expected a text under {key!r} in a {entry['op']}, found {value!r}")
    return cast("Operation", entry)  # as was just checked


def effective_operations(operations: Sequence[tuple[int, Operation]]) -> list[tuple[int, Operation]]:
    """Return the operations that are not undone, without the undo operations themselves."""
    effective: list[tuple[int, Operation]] = []
    for number, operation in operations:
        if operation["op"] == "undo":
            if operation["n"] > len(effective):
                most = counted(len(effective), "operation")
                raise ValueError(f"line {number}: expected at most {most} to undo, found {operation['n']}")
            del effective[len(effective) - operation["n"] :]
        else:
            effective.append((number, operation))
    return effective


def replay(members: Iterable[str], operations: Sequence[tuple[int, Operation]], path: str = "") -> State:
    """Replay a log; refuse members that the documents do not have, and operations that are impossible."""
    state = State.of(members)
    findings: list[Finding] = []
    try:
        effective = effective_operations(operations)
    except ValueError as error:
        raise FormatError([Finding("bad-merge-log", "error", str(error), Location(path))]) from None
    for number, operation in effective:
        values = dict(operation)
        named = [str(values[key]) for key in KEYS[operation["op"]] if key in _MEMBERS]
        unknown = [name for name in (*named, *operation.get("members", ())) if name not in state.group]
        place = Location(path, number)
        if unknown:
            message = f"expected a member DOCUMENT#ENTITY of the documents, found {unknown[0]!r}"
            findings.append(Finding("unknown-member", "error", message, place, item=unknown[0]))
            continue
        try:
            state.apply(operation)
        except ValueError as error:
            findings.append(Finding("bad-merge-log", "error", str(error), place))
    if findings:
        raise FormatError(findings)
    order = {member: place for place, member in enumerate(state.group)}
    for members_of_group in state.members.values():
        members_of_group.sort(key=order.__getitem__)
    return state

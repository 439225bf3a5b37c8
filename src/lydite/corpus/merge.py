"""Merging entities across documents: a log of operations, replayed to a partition.

A member is an entity of a document, written ``DOCUMENT#ENTITY``; it stands for the global entity that holds it at that
moment.  The log has one JSON object per line with ``time``, ``user``, ``op`` and::

    merge   a, b          the two global entities become one
    split   a, members    these members of the global entity of a become one of their own
    assign  member, g     the member moves to the global entity of g
    new     member        the member becomes a global entity of its own
    reject  a, b          the two are never proposed to each other again
    link    g, resource, id
    undo    n             the last n operations that still count are taken back

Nothing is ever changed in the log: the state is what its replay gives.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Required, TypedDict, cast

from lydite.errors import Finding, FormatError, Location
from lydite.escaping import counted
from lydite.formats.numbered_lines import read_json_lines
from lydite.grouping import grouped
from lydite.model import Corpus
from lydite.model.ace import ENTITY, LAYER, Element
from lydite.records import dataclass, field

KEYS: dict[str, tuple[str, ...]] = {
    "merge": ("a", "b"),
    "split": ("a", "members"),
    "assign": ("member", "g"),
    "new": ("member",),
    "reject": ("a", "b"),
    "link": ("g", "resource", "id"),
    "undo": ("n",),
}
"""The operations and what each needs."""
_MEMBERS = ("a", "b", "member", "g")


class Operation(TypedDict, total=False):
    """A line of the log: ``op``, ``time``, ``user``, and what the operation needs."""

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
    """What one document says about one entity."""

    document: str
    element: Element

    @property
    def member(self) -> str:
        """How the log names it."""
        return f"{self.document}#{self.element.id}"


def entities_of(corpus: Corpus) -> dict[str, DocumentEntity]:
    """The entities of all documents by member, in file order."""
    found = [
        DocumentEntity(document.doc_id, element)
        for document in corpus.documents.values()
        for element in document.layers.get(LAYER, ())
        if element.kind == ENTITY
    ]
    return {entity.member: entity for entity in found}


@dataclass
class State:
    """A partition of members into global entities, with links, and pairs that are never proposed again."""

    group: dict[str, int]
    """The global entity of each member, as a number."""
    members: dict[int, list[str]]
    rejected: list[tuple[str, str]] = field(default_factory=list)
    links: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    """Links by the member that stands for the global entity."""

    @classmethod
    def of(cls, members: Iterable[str]) -> State:
        """Every entity alone; an id that stands in several documents is one entity already, as in APF."""
        numbers: dict[str, int] = {}
        group = {member: numbers.setdefault(member.rpartition("#")[2], len(numbers)) for member in members}
        return cls(group, grouped((number, member) for member, number in group.items()))

    def together(self, member: str) -> list[str]:
        """The members of the global entity that holds this one, in file order."""
        return self.members[self.group[member]]

    def partition(self) -> list[list[str]]:
        """The global entities, in the order of their first members."""
        places = {member: place for place, member in enumerate(self.group)}
        return sorted(self.members.values(), key=lambda members: places[members[0]])

    def rejected_groups(self, member: str) -> set[int]:
        """The global entities that are never proposed to this one again."""
        own = self.group[member]
        pairs = [(self.group[a], self.group[b]) for a, b in self.rejected]
        return {b for a, b in pairs if a == own} | {a for a, b in pairs if b == own}

    def apply(self, operation: Operation) -> None:
        """One operation; a :class:`ValueError` says why it cannot be done."""
        _OPERATIONS[operation["op"]](self, operation)

    def merge(self, operation: Operation) -> None:
        """Two global entities become one."""
        one, other = self.group[operation["a"]], self.group[operation["b"]]
        if one != other:
            self._move(self.members[other], one)

    def split(self, operation: Operation) -> None:
        """Members of one global entity become another."""
        home = self.group[operation["a"]]
        strangers = [member for member in operation["members"] if self.group[member] != home]
        if strangers:
            raise ValueError(f"expected members of the entity of {operation['a']!r}, found {strangers[0]!r}")
        if len(set(operation["members"])) == len(self.members[home]):
            raise ValueError("expected some members of an entity, found all of them")
        self._move(operation["members"], self._fresh())

    def assign(self, operation: Operation) -> None:
        """A member moves."""
        self._move([operation["member"]], self.group[operation["g"]])

    def new(self, operation: Operation) -> None:
        """A member stands alone."""
        if len(self.together(operation["member"])) > 1:
            self._move([operation["member"]], self._fresh())

    def reject(self, operation: Operation) -> None:
        """Two global entities are different."""
        if self.group[operation["a"]] == self.group[operation["b"]]:
            raise ValueError("expected two global entities, found members of one")
        self.rejected.append((operation["a"], operation["b"]))

    def link(self, operation: Operation) -> None:
        """A link to an outside resource."""
        self.links.setdefault(operation["g"], []).append((operation["resource"], operation["id"]))

    def _fresh(self) -> int:
        return max(self.members) + 1

    def _move(self, moved: Sequence[str], to: int) -> None:
        for member in list(moved):
            home = self.group[member]
            if home == to:
                continue
            self.members[home].remove(member)
            if not self.members[home]:
                del self.members[home]
            self.members.setdefault(to, []).append(member)
            self.group[member] = to


# A word of a file chooses among these and nothing else of a state.
_OPERATIONS: dict[str, Callable[[State, Operation], None]] = {
    "merge": State.merge,
    "split": State.split,
    "assign": State.assign,
    "new": State.new,
    "reject": State.reject,
    "link": State.link,
}


def read_log(path: str) -> list[tuple[int, Operation]]:
    """The operations of a log with their lines; broken lines are refused together."""
    operations, findings = read_json_lines(path, "bad-merge-log", checked_operation)
    if findings:
        raise FormatError(findings)
    return operations


def checked_operation(entry: object) -> Operation:
    """The operation, if it is one; a :class:`ValueError` that says what was expected."""
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
    return cast("Operation", entry)  # as was just seen


def counting(operations: Sequence[tuple[int, Operation]]) -> Iterator[tuple[int, Operation]]:
    """The operations that count: without those taken back, and without undo itself."""
    kept: list[tuple[int, Operation]] = []
    for number, operation in operations:
        if operation["op"] == "undo":
            if operation["n"] > len(kept):
                raise ValueError(
                    f"line {number}: expected at most {counted(len(kept), 'operation')} to undo, found {operation['n']}"
                )
            del kept[len(kept) - operation["n"] :]
        else:
            kept.append((number, operation))
    yield from kept


def replay(members: Iterable[str], operations: Sequence[tuple[int, Operation]], path: str = "") -> State:
    """The state that a log gives; members that the documents do not have, and what cannot be done, are refused."""
    state = State.of(members)
    findings: list[Finding] = []
    try:
        effective = list(counting(operations))
    except ValueError as error:
        raise FormatError([Finding("bad-merge-log", "error", str(error), Location(path))]) from None
    for number, operation in effective:
        said = dict(operation)
        named = [str(said[key]) for key in KEYS[operation["op"]] if key in _MEMBERS]
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
    for held in state.members.values():
        held.sort(key=order.__getitem__)
    return state

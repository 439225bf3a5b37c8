"""Doc2EDAG: rows of cells by event type; the fullest row of a system chooses its gold row first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.errors import UsageError
from lydite.tasks.figures import Errors

EVENT_KEYS = ("events", "event_list")
TYPE_KEYS = ("event_type", "type")
FILLER_KEYS = ("argument", "text")


class Row(NamedTuple):
    """An event as a row of cells, one for each role of its type; None is an empty cell."""

    cells: tuple[object, ...]
    place: str

    @property
    def filled(self) -> int:
        """How many cells are filled."""
        return sum(cell is not None for cell in self.cells)


class EventTable(NamedTuple):
    """The rows of one event type on both sides, and which gold row each system row took."""

    type: str
    roles: Sequence[str]
    gold: Sequence[Row]
    system: Sequence[Row]
    taken: Mapping[int, int]
    """System row → gold row."""
    order: Sequence[int]
    """The system rows in the order in which they chose."""

    def by_role(self) -> dict[str, Errors]:
        """The counts of every role."""
        counts = {role: Errors() for role in self.roles}
        partner = {i: j for j, i in self.taken.items()}
        for at, role in enumerate(self.roles):
            for j, row in enumerate(self.system):
                mine = row.cells[at]
                other = self.gold[self.taken[j]].cells[at] if j in self.taken else None
                if mine is not None:
                    counts[role] += Errors(tp=1) if mine == other else Errors(fp=1)
            for i, row in enumerate(self.gold):
                mine = row.cells[at]
                other = self.system[partner[i]].cells[at] if i in partner else None
                if mine is not None and mine != other:
                    counts[role] += Errors(fn=1)
        return counts


def types_of(document: object) -> dict[str, tuple[str, ...]]:
    """The event types with their roles in a schema ``{"events": {type: [roles]}}``."""
    events = document.get("events") if isinstance(document, dict) else None
    if not isinstance(events, dict) or not all(isinstance(roles, list) for roles in events.values()):
        raise UsageError(
            "the schema names no event types",
            hint='--schema FILE with {"events": {"Pledge": ["Pledger", "Shares"]}}: each type with its roles',
        )
    return {str(name): tuple(map(str, roles)) for name, roles in events.items()}


def rows_of(record: object, types: Mapping[str, Sequence[str]]) -> dict[str, list[Row]]:
    """The rows of a record by event type."""
    held = record if isinstance(record, dict) else {}
    name = next((key for key in EVENT_KEYS if key in held), EVENT_KEYS[0])
    rows: dict[str, list[Row]] = {one: [] for one in types}
    events = held.get(name)
    for at, event in enumerate(events if isinstance(events, list) else []):
        if not isinstance(event, dict):
            continue
        kind = next((event[key] for key in TYPE_KEYS if key in event), None)
        if isinstance(kind, str) and kind in rows:
            cells = _cells(event.get("arguments"))
            rows[kind].append(Row(tuple(cells.get(role) for role in types[kind]), f"{name}[{at}]"))
    return rows


def _cells(arguments: object) -> Mapping[str, object]:
    if isinstance(arguments, dict):
        return arguments
    found: dict[str, object] = {}
    for one in arguments if isinstance(arguments, list) else []:
        if isinstance(one, dict) and "role" in one:
            found[str(one["role"])] = next((one[key] for key in FILLER_KEYS if key in one), None)
    return found


def tables(
    gold: object, system: object, types: Mapping[str, Sequence[str]], *, fullest_first: bool = True
) -> list[EventTable]:
    """The rows of every type, with the choices of the system's rows; or pairs with most equal filled cells."""
    ours, theirs = rows_of(gold, types), rows_of(system, types)
    join = _chosen if fullest_first else _paired
    return [join(name, roles, ours[name], theirs[name]) for name, roles in types.items()]


def _paired(name: str, roles: Sequence[str], gold: Sequence[Row], system: Sequence[Row]) -> EventTable:
    worth = {
        (i, j): (equal,)
        for i, one in enumerate(gold)
        for j, other in enumerate(system)
        if (equal := sum(a == b and a is not None for a, b in zip(one.cells, other.cells, strict=True)))
    }
    taken = {j: i for i, j in best_pairs(len(gold), len(system), worth)}
    return EventTable(name, roles, gold, system, taken, range(len(system)))


def _chosen(name: str, roles: Sequence[str], gold: Sequence[Row], system: Sequence[Row]) -> EventTable:
    order = sorted(range(len(system)), key=lambda j: -system[j].filled)
    free = list(range(len(gold)))
    taken: dict[int, int] = {}
    for j in order:
        if not free:
            break
        best = max(free, key=lambda i: (_equal_cells(gold[i], system[j]), -i))
        taken[j] = best
        free.remove(best)
    return EventTable(name, roles, gold, system, taken, order)


def _equal_cells(gold: Row, system: Row) -> int:
    """How many cells are equal; two empty ones are."""
    return sum(one == other for one, other in zip(gold.cells, system.cells, strict=True))

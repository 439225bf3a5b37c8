"""UIE, InstructUIE and REBEL: multisets and sets of strings, as these programs count them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from lydite.model import DocumentPair, Figures
from lydite.model.string_items import StringItems
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Side
from lydite.tasks.figures import Errors, Hits, MeansOfTypes
from lydite.tasks.outcomes import MISSING, RIGHT, SPURIOUS, Compared, ItemOutcome, outcome_of


class ComparedString(NamedTuple):
    """An item as a program compares it: what must be equal, its type and where it stands."""

    key: Hashable
    type: str
    place: str


_WHY = {
    RIGHT: "the other side has it",
    MISSING: "the system does not have it, or not so often",
    SPURIOUS: "gold does not have it, or not so often",
    LEFT_OUT: "its type is not in the list, or it has no colon",
}


def outcomes_of(gold: Sequence[ComparedString], system: Sequence[ComparedString]) -> Iterator[ItemOutcome]:
    """The items of both sides; equal ones are right, as often as both sides have them."""
    for side, items, others, fault in ((GOLD, gold, system, MISSING), (SYSTEM, system, gold, SPURIOUS)):
        left = Counter(one.key for one in others)
        places = {one.key: one.place for one in reversed(others)}
        for one in items:
            is_right = left[one.key] > 0
            left[one.key] -= 1
            found = RIGHT if is_right else fault
            yield string_outcome(side, one, places.get(one.key) if is_right else None, found)


def string_outcome(side: Side, one: ComparedString, other: str | None, found: str) -> ItemOutcome:
    """The outcome of an item."""
    words = " | ".join(map(str, one.key)) if isinstance(one.key, tuple) else str(one.key)
    return outcome_of(side, one.place, other, found, place=one.type, value=words, why=_WHY[found])


# ------------------------------------------------------------------------------------------------------------ UIE


def compared_strings(items: StringItems, layer: str) -> dict[str, list[ComparedString]]:
    """The items of a layer as UIE compares them, by what is compared."""
    if layer == "entities":
        entities = [
            ComparedString((one.label, one.forms[0]), one.label, f"entities[{at}]")
            for at, one in enumerate(items.entities)
        ]
        return {"entity": entities}
    if layer == "relations":
        strict, boundaries = [], []
        for at, one in enumerate(items.relations):
            place = f"relations[{at}]"
            key = (one.type, one.head_type, one.head[0], one.tail_type, one.tail[0])
            strict.append(ComparedString(key, one.type, place))
            boundaries.append(ComparedString((one.type, one.head[0], one.tail[0]), one.type, place))
        return {"strict": strict, "boundaries": boundaries}
    triggers, arguments = [], []
    for at, event in enumerate(items.events):
        place = f"events[{at}]"
        if event.trigger is not None:
            triggers.append(ComparedString((event.type, event.trigger), event.type, place))
        arguments += [
            ComparedString((event.type, role, words), event.type, f"{place}.arguments[{number}]")
            for number, (role, words) in enumerate(event.arguments)
        ]
    return {"trigger": triggers, "argument": arguments}


def compare_as_written(
    documents: DocumentPair, gold: StringItems, system: StringItems, layer: str
) -> Compared:
    """The three ways in which UIE counts equal strings."""
    ours, theirs = compared_strings(gold, layer), compared_strings(system, layer)
    figures: dict[str, Figures | None] = {}
    table: list[ItemOutcome] = []
    for name, items in ours.items():
        one, two = (Counter(item.key for item in side) for side in (items, theirs[name]))
        reused = sum(number for key, number in two.items() if key in one)
        figures[f"multiset {name}"] = Hits((one & two).total(), one.total(), two.total())
        figures[f"set {name}"] = Hits(len(one.keys() & two.keys()), len(one), len(two))
        figures[f"reuse {name}"] = Hits(reused, one.total(), two.total())
        if name != "boundaries":
            table += outcomes_of(items, theirs[name])
    return Compared(documents, table, figures)


# ---------------------------------------------------------------------------------------------------- InstructUIE

_BESIDE = re.compile(r"\s*([,:().;_'-])\s*")
_NO_LABEL = frozenset({"NA", ""})


@lru_cache(maxsize=1 << 14)
def tidy(text: str) -> str:
    """The text as InstructUIE compares it."""
    text = _BESIDE.sub(r"\1", " ".join(text.split())).lower().replace("{", "").replace("}", "")
    text = re.sub(r"([,.;])\1+", r"\1", text)
    return text.replace("’", "'").replace("location", "located")


def _parts(text: str) -> set[str]:
    return {tidy(part) for part in tidy(text).split(";")}


def written(items: StringItems, layer: str) -> str:
    """Items as gold is written for InstructUIE."""
    if layer == "entities":
        named = [f"{one.label}: {one.forms[0]}" for one in items.entities if one.label not in _NO_LABEL]
    else:
        named = [
            f"{one.type}: {one.head[0]}, {one.tail[0]}"
            for one in items.relations
            if one.type not in _NO_LABEL
        ]
    return "; ".join(named) or "None"


def compare_generated(
    documents: DocumentPair, gold: StringItems, system: StringItems, layer: str
) -> Compared:
    """Compare what a model wrote with gold written in the same way."""
    ours = _parts(written(gold, layer)) if documents.gold.present else set()
    output = system.output if system.output is not None else written(system, layer)
    theirs = _parts(output) if documents.system.present else set()
    name = "entity" if layer == "entities" else "relation"
    if layer == "relations":
        left_out = {one for one in ours | theirs if ":" not in one}
        counts, table = _relations(ours - left_out, theirs - left_out)
        table += [_generated(SYSTEM, one, LEFT_OUT) for one in sorted(theirs & left_out)]
    else:
        counts = Errors(len(ours & theirs), len(theirs - ours), len(ours - theirs))
        table = list(_plainly(ours, theirs))
    return Compared(documents, table, {name: counts})


def _plainly(gold: set[str], system: set[str]) -> Iterator[ItemOutcome]:
    yield from (_generated(GOLD, one, RIGHT if one in system else MISSING) for one in sorted(gold))
    yield from (_generated(SYSTEM, one, RIGHT if one in gold else SPURIOUS) for one in sorted(system))


def _generated(side: Side, item: str, found: str) -> ItemOutcome:
    return string_outcome(side, ComparedString(item, item.partition(":")[0], item or "(empty)"), None, found)


def _relations(gold: set[str], system: set[str]) -> tuple[Errors, list[ItemOutcome]]:
    """Relations; an item with ``,na,`` inside says that there is none, and has rules of its own."""
    counts = Errors()
    table: list[ItemOutcome] = []
    for one in sorted(gold):
        if ",na," in one:
            found = LEFT_OUT if any(_fills(one, other) for other in system) else RIGHT
        else:
            found = RIGHT if one in system else MISSING
        counts += Errors(tp=int(found == RIGHT), fn=int(found == MISSING))
        table.append(_generated(GOLD, one, found))
    for one in sorted(system):
        if ",na," in one:
            found = SPURIOUS if any(_fills(one, other) for other in gold) else LEFT_OUT
        else:
            found = RIGHT if one in gold else SPURIOUS
        counts += Errors(fp=int(found == SPURIOUS))
        table.append(_generated(SYSTEM, one, found))
    return counts, table


def _fills(item: str, other: str) -> bool:
    """Whether another item has something else in the place of ``na``."""
    pattern = re.escape(item).replace(re.escape(",na,"), ",(?!na,).+,")
    return re.match(pattern, other, re.DOTALL) is not None


# ---------------------------------------------------------------------------------------------------------- REBEL


def compare_closed_types(
    documents: DocumentPair, gold: StringItems, system: StringItems, types: Iterable[str]
) -> Compared:
    """Sets of ends by type, with and without the types of the ends; types that are not listed are left out."""
    listed = tuple(types)
    figures: dict[str, Figures | None] = {}
    parts: dict[tuple[str, str], Sequence[tuple[str, Figures]]] = {}
    for name, with_types in (("boundaries", False), ("strict", True)):
        ours, theirs = (_ends(side, listed, with_types=with_types) for side in (gold, system))
        of_type = {
            kind: Errors(
                len(ours[kind] & theirs[kind]), len(theirs[kind] - ours[kind]), len(ours[kind] - theirs[kind])
            )
            for kind in listed
        }
        figures[name] = sum(of_type.values(), Errors())
        figures[f"{name} means"] = MeansOfTypes({kind: {"": counts} for kind, counts in of_type.items()})
        parts[name, "type"] = list(of_type.items())
    return Compared(documents, list(_closed_outcomes(gold, system, listed)), figures, parts)


def _ends(
    items: StringItems, types: Sequence[str], *, with_types: bool
) -> Mapping[str, set[tuple[str, ...]]]:
    found: dict[str, set[tuple[str, ...]]] = {kind: set() for kind in types}
    for one in items.relations:
        if one.type in found:
            ends = (one.head[0], one.tail[0])
            found[one.type].add(
                (one.head[0], one.head_type, one.tail[0], one.tail_type) if with_types else ends
            )
    return found


def _closed_outcomes(gold: StringItems, system: StringItems, types: Sequence[str]) -> Iterator[ItemOutcome]:
    sides: list[list[ComparedString]] = []
    for side, items in ((GOLD, gold), (SYSTEM, system)):
        distinct: dict[Hashable, ComparedString] = {}
        for one in compared_strings(items, "relations")["boundaries"]:
            if one.type in types:
                distinct.setdefault(one.key, one)
            else:
                yield string_outcome(side, one, None, LEFT_OUT)
        sides.append(list(distinct.values()))
    yield from outcomes_of(*sides)

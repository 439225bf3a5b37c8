"""The entities and relations of a sentence under a profile: what is left out, moved, turned or labelled once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from lydite.errors import Location, refuse
from lydite.formats.json_values import NotJSONError, json_object
from lydite.memory import kept_for_a_run
from lydite.model.graphs import NOTHING, GraphEntity, GraphRelation, SentenceGraph
from lydite.model.windows import Range

Types = tuple[str, ...]


class ComparedRelation(NamedTuple):
    """A relation as it is compared: ends without order stand in a fixed one.

    ``head_types`` and ``tail_types`` are the types of the entities that it joins.
    """

    type: str
    head: Range
    tail: Range
    head_types: Types = ()
    tail_types: Types = ()

    @property
    def plain(self) -> tuple[str, Range, Range]:
        """The relation without the types of its ends."""
        return self[:3]


class SentenceSide(NamedTuple):
    """What one side says of a sentence, in the order of the file, repeats included."""

    entities: Sequence[GraphEntity]
    relations: Sequence[ComparedRelation]


class GraphRules(NamedTuple):
    """The settings that decide how a sentence is compared, as far as a task has them."""

    directed: bool = True
    symmetric_order: str = "places"
    symmetric: tuple[str, ...] = ()
    types: str | None = None
    max_span_width: int = 0
    no_overlapping: bool = False
    same_start: bool = False
    overlap_moves: bool = False
    one_relation_per_pair: bool = False
    last_label: bool = False
    ends_outlive_entities: bool = False
    any_right_type: bool = False


@lru_cache(maxsize=8)  # asked for with every document
def rules_of(settings: object) -> GraphRules:
    """The rules of a profile; where types are a list of labels, entities need nothing of it."""
    known = {**vars(settings)}
    if isinstance(known.get("types"), tuple):
        del known["types"]
    return GraphRules(**{name: known[name] for name in GraphRules._fields if name in known})


@lru_cache(maxsize=8)  # asked for with every document
def symmetric_types(names: tuple[str, ...], path: str | None) -> frozenset[str]:
    """The types that are named, and those that the file says are symmetric."""
    return frozenset(names) | (types_in_file(path) if path else frozenset())


@kept_for_a_run(4)
def types_in_file(path: str) -> frozenset[str]:
    """The symmetric relation types of a file in SpERT's form."""
    try:
        relations = json_object(Path(path).read_bytes())["relations"]
        found = frozenset(name for name, one in relations.items() if one.get("symmetric"))  # type: ignore[attr-defined]
    except (OSError, NotJSONError, KeyError, AttributeError) as error:
        message = f'expected {{"relations": {{type: {{"symmetric": true or false}}}}}}, found: {error}'
        raise refuse(Location(path), "bad-types-file", message) from None
    return found


def side_of(graph: SentenceGraph, rules: GraphRules) -> SentenceSide:
    """A sentence under the rules of a profile."""
    if graph is NOTHING:
        return SentenceSide((), ())
    symmetric = symmetric_types(rules.symmetric, rules.types)
    entities: Sequence[GraphEntity] = graph.entities
    relations: Sequence[GraphRelation] = graph.relations
    if graph.is_data and rules.overlap_moves:
        relations = _moved(graph)
    if rules.symmetric_order == "listed":
        relations = list(_listed_order(graph, relations, None if not rules.directed else symmetric))
    if graph.is_data and rules.one_relation_per_pair:
        first = {one.ends or (one.head, one.tail): one for one in reversed(relations)}
        relations = [one for one in relations if first[one.ends or (one.head, one.tail)] is one]
    kept = [_stays(one, entities, rules) for one in entities] if _drops(rules) else [True] * len(entities)
    if rules.no_overlapping:
        relations = [one for one in relations if not _ends_overlap(one, entities)]
        if not rules.ends_outlive_entities:
            relations = [one for one in relations if one.ends is None or all(kept[end] for end in one.ends)]
    types = _types_of_ends(entities, relations)
    unordered = symmetric if rules.symmetric_order == "places" else frozenset()
    compared = [_placed(one, ends, unordered, rules) for one, ends in zip(relations, types, strict=True)]
    left = [one for one, stays in zip(entities, kept, strict=True) if stays]
    if rules.last_label:
        left = list({one.place: one for one in left}.values())
        compared = list({(one.head, one.tail): one for one in compared}.values())
    return SentenceSide(left, compared)


def _moved(graph: SentenceGraph) -> list[GraphRelation]:
    """The relations of data, each end at the entity that it is moved to."""
    targets = moved_entities(graph.entities)
    return [
        one._replace(
            ends=(targets[one.ends[0]], targets[one.ends[1]]),
            head=graph.entities[targets[one.ends[0]]].place,
            tail=graph.entities[targets[one.ends[1]]].place,
        )
        if one.ends
        else one
        for one in graph.relations
    ]


def moved_entities(entities: Sequence[GraphEntity]) -> list[int]:
    """For each entity the one that references to it lead to: the holder of the last of its tokens that is taken, else itself."""
    holder: dict[int, int] = {}
    targets = []
    for number, (place, *_) in enumerate(entities):
        target = number
        for token in range(*place):
            target = holder.get(token, target)
        targets.append(target)
        holder.update(dict.fromkeys(range(*place), number))
    return targets


def order_of_data(graph: SentenceGraph) -> list[int]:
    """The number of each entity in the list that systems write: of data, sorted by their begin."""
    if not graph.is_data:
        return list(range(len(graph.entities)))
    by_begin = sorted(range(len(graph.entities)), key=lambda at: graph.entities[at].place[0])
    numbers = [0] * len(by_begin)
    for number, at in enumerate(by_begin):
        numbers[at] = number
    return numbers


def _listed_order(
    graph: SentenceGraph, relations: Iterable[GraphRelation], types: Collection[str] | None
) -> Iterable[GraphRelation]:
    """The relations, those of these types (None: all) with the entity first that is listed first."""
    numbers = order_of_data(graph)
    for one in relations:
        turns = one.ends is not None and (types is None or one.type in types)
        if turns and one.ends and numbers[one.ends[0]] > numbers[one.ends[1]]:
            one = one._replace(head=one.tail, tail=one.head, ends=(one.ends[1], one.ends[0]))  # noqa: PLW2901
        yield one


def _drops(rules: GraphRules) -> bool:
    return bool(rules.max_span_width or rules.no_overlapping)


def _stays(one: GraphEntity, entities: Sequence[GraphEntity], rules: GraphRules) -> bool:
    (begin, end), kind, *_ = one
    if rules.max_span_width and end - begin > rules.max_span_width:
        return False
    return not rules.no_overlapping or not any(
        _overlap(one.place, other.place)
        for other in entities
        if (other.place, other.type) != (one.place, kind)
    )


def _overlap(one: Range, other: Range) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _ends_overlap(one: GraphRelation, entities: Sequence[GraphEntity]) -> bool:
    """Whether the ends of a relation overlap, and are not the same entity."""
    kinds = [entities[end].type for end in one.ends] if one.ends else ["", ""]
    same = one.head == one.tail and kinds[0] == kinds[1]
    return _overlap(one.head, one.tail) and not same


def _types_of_ends(
    entities: Sequence[GraphEntity], relations: Iterable[GraphRelation]
) -> list[tuple[Types, Types]]:
    """The types of the ends of each relation: that of its entity, or those of all entities at its place."""
    at_place: dict[Range, set[str]] = {}
    for one in entities:
        at_place.setdefault(one.place, set()).add(one.type)
    return [
        ((entities[one.ends[0]].type,), (entities[one.ends[1]].type,))
        if one.ends
        else (tuple(sorted(at_place.get(one.head, ()))), tuple(sorted(at_place.get(one.tail, ()))))
        for one in relations
    ]


def _placed(
    one: GraphRelation, types: tuple[Types, Types], symmetric: Collection[str], rules: GraphRules
) -> ComparedRelation:
    """A relation; if nothing is directed, or its type is ``symmetric``, the end that stands first comes first."""
    head, tail = types
    if one.type in symmetric or not rules.directed:
        turns = one.tail[0] < one.head[0] if rules.same_start else (one.tail, tail) < (one.head, head)
        if turns:
            return ComparedRelation(one.type, one.tail, one.head, tail, head)
    return ComparedRelation(one.type, one.head, one.tail, head, tail)

"""The pool of items to judge: what the system entities mapped to a target have and gold does not.

Outside the annotated documents every item is judged, inside them those that match no mention of the target; an item
that matches a mention of another gold entity is known to be false and not judged.  Items of several systems that
overlap are one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import chain
from types import MappingProxyType

from lydite.align.ace_elements import Elements, by_document, mention_score, occurrence_similarity
from lydite.align.ace_sides import build_side
from lydite.errors import Finding, InvalidInput, Location
from lydite.formats.targets import Target, read_targets
from lydite.grouping import grouped, join, root_of
from lydite.model import Corpus
from lydite.model.ace import ENTITY, SOURCE_LAYER, Box, Region, overlap
from lydite.model.ace_alignment import CorpusElement, KindAlignment, Occurrence, ScoredMention
from lydite.model.ace_settings import AceSettings
from lydite.numerals import decimal_of, is_natural
from lydite.pipeline.running import compared
from lydite.profile import Profile
from lydite.tasks.ace import ACE
from lydite.tasks.ace.selection import elements_of, target_of, unscored_occurrences

MENTION, DOCUMENT = "mention", "document"
_LEAST_OVERLAP = 1e-12
"""Two heads must overlap at all, also where the profile asks for no least overlap."""


@dataclass(frozen=True, slots=True)
class PoolItem:
    """A mention (by its head) or a document to judge for a target, with the systems and their entities that have it."""

    item_id: str
    target_id: str
    handle: str
    doc_id: str
    granularity: str
    systems: tuple[tuple[str, str], ...]
    mentions: frozenset[tuple[str, str]] = frozenset()
    """The mentions that it stands for: system and mention id."""
    head: Region | None = None
    extent: Region | None = None
    mention_type: str = ""
    genre: str = ""
    inside: bool = False
    stratum: str = ""
    pi: float = 1.0


@dataclass(frozen=True, slots=True, eq=False)
class MappedSystem:
    """A system with the entities that its targets are mapped to, in all of its documents."""

    name: str
    entities: Mapping[str, CorpusElement]
    """Target id to the system entity mapped to it."""
    section: KindAlignment


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """The targets, their gold entities, all other gold entities, and the systems mapped to the targets."""

    targets: Mapping[str, Target]
    gold: Mapping[str, CorpusElement]
    """Target id to the gold entity."""
    entities: Mapping[str, Sequence[Occurrence]]
    """All entities of gold, by document."""
    systems: Sequence[MappedSystem]
    genres: Mapping[str, str]
    annotated: frozenset[str]
    parameters: AceSettings
    unscored: frozenset[tuple[str, str]] = frozenset()
    """The occurrences of gold entities that are targets and not scored: entity and document."""
    before_remapping: Targets | None = None
    """Where targets were mapped again: the mapping under which the items to judge were pooled."""


def map_targets(gold: Corpus, systems: Sequence[Corpus], profile: Profile[AceSettings]) -> Targets:
    """Compare every system on the annotated documents as a score does, and keep which entity is mapped to which target.

    Refuses input that cannot be scored.
    """
    sections: dict[int, KindAlignment] = {}
    for position, _, view, _ in compared(ACE, gold, systems, profile):
        sections.setdefault(position, view.whole.sections[ENTITY])
    parameters = profile.settings
    path = profile.settings.targets or ""
    targets = read_targets(path)
    names = {
        element.id: target.id
        for element in elements_of(gold.documents.values())
        if (target := target_of(element, targets)) is not None
    }
    gold_elements: dict[str, CorpusElement] = {}
    annotated = frozenset(gold.documents)
    unscored = unscored_occurrences(gold.documents, profile.settings)
    mapped = []
    genres: dict[str, str] = {}
    for position, section in sections.items():
        system = systems[position]
        gold_elements = _one_entity_each(names, section.gold, path)
        everywhere = build_side(system.documents.values(), parameters)
        partners = {
            names[gold_id]: without_excluded(
                everywhere.elements[ENTITY][partner], targets[names[gold_id]], annotated, gold_id, unscored
            )
            for gold_id, partner in section.partner.items()
        }
        mapped.append(MappedSystem(system.name, partners, section))
        for doc_id, document in system.documents.items():
            source = document.layers.get(SOURCE_LAYER)
            genres.setdefault(doc_id, source.source if source else "")
    entities = by_document(build_side(gold.documents.values(), parameters).elements[ENTITY])
    return Targets(targets, gold_elements, entities, mapped, genres, annotated, parameters, unscored)


def _one_entity_each(names: Mapping[str, str], gold: Elements, path: str) -> dict[str, CorpusElement]:
    """By target, its gold entity; a target that is linked to several is refused: each would need items of its own."""
    found = grouped((names[gold_id], element) for gold_id, element in gold.items())
    shared = {target_id: elements for target_id, elements in found.items() if len(elements) > 1}
    if shared:
        raise InvalidInput(
            Finding(
                "target-of-several-entities",
                "error",
                f"expected one gold entity of the target {target_id!r}, found {', '.join(one.id for one in elements)}",
                Location(path),
                item=target_id,
                hint="list the ids of the entities themselves",
            )
            for target_id, elements in shared.items()
        )
    return {target_id: element for target_id, (element,) in found.items()}


def without_excluded(
    element: CorpusElement,
    target: Target,
    annotated: Container[str],
    gold_id: str,
    unscored: Container[tuple[str, str]],
) -> CorpusElement:
    """A system entity without the annotated documents in which its target is not scored."""
    occurrences = {
        doc_id: occurrence
        for doc_id, occurrence in element.occurrences.items()
        if (not target.documents or doc_id in target.documents or doc_id not in annotated)
        and (gold_id, doc_id) not in unscored
    }
    return element._replace(occurrences=occurrences)


def item_id(target_id: str, doc_id: str, head: Region | None, granularity: str) -> str:
    """The stable id of an item: a hash of target, document, ends of the head and granularity."""
    start, end = _ends(head)
    text = f"{target_id}|{doc_id}|{start}|{end}|{granularity}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


Queue = Mapping[str, PoolItem]
"""The items that the judges were asked about, by id."""


def pool(targets: Targets, granularity: str, queue: Queue = MappingProxyType({})) -> list[PoolItem]:
    """All items to judge, sorted by target, document and place; items of a queue stay, whichever systems have them."""
    if targets.before_remapping is None:
        return _as_queued(_pool(targets, granularity, ()), queue, targets)
    return _pool(targets, granularity, pool(targets.before_remapping, granularity, queue))


def _as_queued(found: Iterable[PoolItem], queue: Queue, targets: Targets) -> list[PoolItem]:
    """The items as the judges were asked about them, also those of the queue that none of these systems has.

    Where fewer systems have an item, another mention can represent it: it then becomes the item of the queue whose head
    it overlaps most.
    """
    items = {item.item_id: item for item in found}
    unmatched = grouped(
        ((queued.target_id, queued.doc_id), queued) for name, queued in queue.items() if name not in items
    )
    result = []
    for name, item in items.items():
        here, queued = unmatched.get((item.target_id, item.doc_id), []), queue.get(name)
        if queued is not None:
            result.append(replace(item, mention_type=queued.mention_type, pi=queued.pi))
        elif item.head is None or (place := _most_overlapping(here, item.head, targets.parameters)) is None:
            result.append(item)
        else:
            systems, mentions = here[place].systems + item.systems, here[place].mentions | item.mentions
            here[place] = replace(here[place], systems=tuple(dict.fromkeys(systems)), mentions=mentions)
    result.extend(
        replace(queued, inside=queued.doc_id in targets.annotated)
        for queued in chain.from_iterable(unmatched.values())
    )
    return sorted(result, key=_sort_key)


def _pool(targets: Targets, granularity: str, earlier: Iterable[PoolItem]) -> list[PoolItem]:
    """The items of all targets; the ``earlier`` ones stay."""
    queued = grouped((item.target_id, item) for item in earlier)
    found: list[PoolItem] = []
    for target_id in sorted(targets.gold):
        of_target = grouped((item.doc_id, item) for item in queued.get(target_id, ()))
        found.extend(_pool_target(targets, target_id, granularity, of_target))
    return found


def _pool_target(
    targets: Targets, target_id: str, granularity: str, queued: Mapping[str, Sequence[PoolItem]]
) -> Iterator[PoolItem]:
    """The items of a target; the ``queued`` ones stay, whichever systems have them now."""
    found = grouped(
        (doc_id, (system.name, element.id, occurrence))
        for system in sorted(targets.systems, key=lambda one: one.name)
        if (element := system.entities.get(target_id)) is not None
        for doc_id, occurrence in element.occurrences.items()
    )
    for doc_id in sorted({*found, *queued}):
        here, before = found.get(doc_id, []), queued.get(doc_id, ())
        if granularity == DOCUMENT:
            items = list(_document_item(targets, target_id, doc_id, here))
            systems = items[0].systems if items else ()
            yield from (replace(item, systems=systems) for item in before) if before else items
        else:
            yield from _mention_items(targets, target_id, doc_id, here, before)


def _document_item(
    targets: Targets, target_id: str, doc_id: str, found: Sequence[tuple[str, str, Occurrence]]
) -> Iterator[PoolItem]:
    inside = doc_id in targets.annotated
    if inside and doc_id in targets.gold[target_id].occurrences:
        return
    to_judge = [entry for entry in found if not (inside and is_known_false(targets, target_id, entry[2]))]
    if to_judge:
        levels = Counter(occurrence.attributes["LEVEL"] for _, _, occurrence in to_judge)
        yield _item(targets, target_id, doc_id, [entry[:2] for entry in to_judge], types=levels)


def _item(
    targets: Targets,
    target_id: str,
    doc_id: str,
    systems: Iterable[tuple[str, str]],
    *,
    types: Counter[str],
    mention: ScoredMention | None = None,
) -> PoolItem:
    """The item of a mention, or without one of the whole document."""
    granularity, head = (DOCUMENT, None) if mention is None else (MENTION, mention.place)
    return PoolItem(
        item_id(target_id, doc_id, head, granularity),
        target_id,
        targets.targets[target_id].handle,
        doc_id,
        granularity,
        tuple(dict.fromkeys(systems)),
        head=head,
        extent=None if mention is None else mention.extent,
        mention_type=_majority(types),
        genre=targets.genres.get(doc_id, ""),
        inside=doc_id in targets.annotated,
    )


def is_known_false(targets: Targets, target_id: str, occurrence: Occurrence) -> bool:
    """Whether an occurrence in an annotated document that the target is not in matches another gold entity there.

    By its mentions, or by its names; where neither are compared nothing can be known.
    """
    if targets.parameters.use_mentions:
        matched = (gold_match(targets, target_id, occurrence.doc_id, one) for one in occurrence.mentions)
        return "other" in matched
    are_compared = targets.parameters.use_name_similarity and occurrence.attributes["LEVEL"] == "NAM"
    return are_compared and any(
        occurrence_similarity(other, occurrence, targets.parameters) > 0
        for other in targets.entities.get(occurrence.doc_id, ())
    )


def mentions_match(gold: ScoredMention, system: ScoredMention, parameters: AceSettings) -> bool:
    """Whether a system mention matches a gold mention, as in a score."""
    return mention_score(ENTITY, gold, system, parameters) is not None


def gold_match(targets: Targets, target_id: str, doc_id: str, mention: ScoredMention) -> str | None:
    """In an annotated document: ``gold`` if a system mention matches the target, ``other`` if only another entity."""
    if doc_id not in targets.annotated:
        return None
    own = targets.gold[target_id].id
    matched = [
        other.element
        for other in targets.entities.get(doc_id, ())
        if any(mentions_match(one, mention, targets.parameters) for one in other.mentions)
    ]
    return "gold" if own in matched else "other" if matched else None


def _mention_items(
    targets: Targets,
    target_id: str,
    doc_id: str,
    found: Sequence[tuple[str, str, Occurrence]],
    queued: Sequence[PoolItem],
) -> Iterator[PoolItem]:
    mentions = [
        (system, entity, mention)
        for system, entity, occurrence in found
        for mention in occurrence.mentions
        if gold_match(targets, target_id, doc_id, mention) is None
    ]
    places = [_position_among(queued, one, targets.parameters) for one in mentions]
    for place, item in enumerate(queued):
        yield _with_mentions(item, [one for one, at in zip(mentions, places, strict=True) if at == place])
    mentions = [one for one, at in zip(mentions, places, strict=True) if at is None]
    heads = [mention.place for _, _, mention in mentions]
    for cluster in overlapping_regions(heads, targets.parameters.min_overlap):
        members = [mentions[position] for position in cluster]
        best = representative([mention for _, _, mention in members])
        of_systems = grouped((system, mention.type) for system, _, mention in members).values()
        types = Counter(_majority(Counter(own)) for own in of_systems)
        item = _item(targets, target_id, doc_id, (), types=types, mention=best)
        yield _with_mentions(item, members)


FoundMention = tuple[str, str, ScoredMention]
"""A system, its entity, and a mention of that."""


def _with_mentions(item: PoolItem, members: Sequence[FoundMention]) -> PoolItem:
    """The item standing for these mentions of systems."""
    systems = tuple(dict.fromkeys(member[:2] for member in members))
    mentions = frozenset((system, mention.id) for system, _, mention in members)
    return replace(item, systems=systems, mentions=mentions)


def _position_among(queued: Sequence[PoolItem], found: FoundMention, parameters: AceSettings) -> int | None:
    """The position of the item that a mention belongs to: one that has it, else the one whose head it overlaps most."""
    system, _, mention = found
    for place, item in enumerate(queued):
        if (system, mention.id) in item.mentions:
            return place
    return _most_overlapping(queued, mention.place, parameters)


def _most_overlapping(queued: Sequence[PoolItem], head: Region, parameters: AceSettings) -> int | None:
    """The position of the item whose head overlaps this one most; None if none overlaps it enough to match."""
    shared = [overlap(item.head, head) if item.head else 0.0 for item in queued]
    most = max(shared, default=0.0)
    return shared.index(most) if most >= max(parameters.min_overlap, _LEAST_OVERLAP) else None


def overlapping_regions(regions: Sequence[Region], least: float) -> list[list[int]]:
    """Positions of regions that overlap by at least ``least``, directly or through others; sorted by place."""
    order = sorted(range(len(regions)), key=lambda i: (regions[i].start, regions[i].end, i))
    parent = list(range(len(regions)))
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if regions[j].start >= regions[i].end and not regions[i].boxes:
                break
            if overlap(regions[i], regions[j]) >= max(least, _LEAST_OVERLAP):
                join(parent, i, j)
    return list(grouped((root_of(parent, i), i) for i in order).values())


def representative(mentions: Sequence[ScoredMention]) -> ScoredMention:
    """The mention with the most frequent head, then the longest, then the leftmost."""
    counts = Counter((mention.place.start, mention.place.end) for mention in mentions)

    def rank(mention: ScoredMention) -> tuple[float, float, float, str]:
        span = mention.place.start, mention.place.end
        return -counts[span], span[0] - span[1], span[0], mention.id

    return min(mentions, key=rank)


def _majority(counts: Counter[str]) -> str:
    order = {"NAM": 0, "NOM": 1, "PRO": 2}
    return min(counts, key=lambda type_: (-counts[type_], order.get(type_, 3), type_))


def draw_sample(items: Iterable[PoolItem], max_items: int | None, seed: int) -> list[PoolItem]:
    """Draw per target at most ``max_items`` items outside the annotated documents (None: all), with their probability.

    Strata are number of systems, genre and mention type; each gets its share (largest remainder) and at least one.
    With more strata than items the target is one stratum.  Items inside annotated documents are all kept.
    """
    chosen: list[PoolItem] = []
    of_targets: dict[str, list[PoolItem]] = {}
    for item in items:
        systems = len({system for system, _ in item.systems})
        stratum = f"{systems}/{item.genre}/{item.mention_type}"
        of_targets.setdefault(item.target_id, []).append(replace(item, stratum=stratum))
    for target_id, own in of_targets.items():
        outside = [item for item in own if not item.inside]
        is_small = max_items is None or len(outside) <= max_items
        chosen += [item for item in own if item.inside]
        chosen += outside if is_small else _draw(outside, max_items or 0, f"{seed}|{target_id}")
    return sorted(chosen, key=_sort_key)


def _sort_key(item: PoolItem) -> tuple[str, str, float]:
    return item.target_id, item.doc_id, item.head.start if item.head else 0.0


def _draw(items: Sequence[PoolItem], most: int, seed: str) -> Iterator[PoolItem]:
    strata = grouped((item.stratum, item) for item in items)
    if len(strata) > most:
        strata = {"all": [replace(item, stratum="all") for item in items]}
    shares = {name: most * len(found) / len(items) for name, found in strata.items()}
    sizes = {name: max(1, int(share)) for name, share in shares.items()}
    for name in sorted(shares, key=lambda one: (sizes[one] - shares[one], one)):
        if sum(sizes.values()) >= most:
            break
        sizes[name] += 1
    while sum(sizes.values()) > most:
        largest = max(sorted(sizes), key=lambda name: sizes[name])
        sizes[largest] -= 1
    for name in sorted(strata):
        generator = random.Random(f"{seed}|{name}")  # noqa: S311 - a sample is no secret
        size = min(sizes[name], len(strata[name]))
        for item in generator.sample(sorted(strata[name], key=lambda one: one.item_id), size):
            yield replace(item, pi=size / len(strata[name]))


def _ends(region: Region | None) -> tuple[str, str]:
    """The ends of a head in a queue: inclusive offsets of text, seconds of sound; all boxes of a picture, and no end."""
    if region is None:
        return "", ""
    if region.boxes:
        return ";".join(",".join(map(str, box)) for box in region.boxes), ""
    if region.is_text:
        return str(region.start), str(region.end - 1)
    return repr(region.start), repr(region.end)


PLACES = ("head", "extent")
QUEUE_COLUMNS: Mapping[str, Callable[[PoolItem, str | None], str]] = {
    "item_id": lambda item, _: item.item_id,
    "target_id": lambda item, _: item.target_id,
    "handle": lambda item, _: item.handle,
    "docid": lambda item, _: item.doc_id,
    "granularity": lambda item, _: item.granularity,
    "head_start": lambda item, _: _ends(item.head)[0],
    "head_end": lambda item, _: _ends(item.head)[1],
    "head_text": lambda item, _: _one_line(item.head.text) if item.head else "",
    "extent_start": lambda item, _: _ends(item.extent)[0],
    "extent_end": lambda item, _: _ends(item.extent)[1],
    "mention_type": lambda item, _: item.mention_type,
    "systems": lambda item, _: ",".join(f"{system}:{entity}" for system, entity in item.systems),
    "stratum": lambda item, _: item.stratum,
    "pi": lambda item, _: repr(item.pi),
    "context": lambda item, text: _context(item.head, text),
}
"""The columns of a queue, each with its cell by the item and the text of its document (None if it is not known)."""


def queue_row(item: PoolItem, *, with_systems: bool, text: str | None) -> dict[str, str]:
    """A line of the queue; without the names of systems unless they are asked for, with context where there is a text."""
    row = {name: cell(item, text) for name, cell in QUEUE_COLUMNS.items()}
    return row if with_systems else row | {"systems": ""}


def queued_item(row: Mapping[str, str]) -> PoolItem:
    """The item of a line of the queue, without the systems that have it; ValueError if a number in it is wrong."""
    pi = decimal_of(row["pi"])
    if pi is None or not 0 < pi <= 1:
        raise ValueError(f"expected an inclusion probability above 0 and up to 1, found {row['pi']!r}")
    head, extent = (_region(row.get(f"{part}_start", ""), row.get(f"{part}_end", "")) for part in PLACES)
    return PoolItem(
        row["item_id"],
        row["target_id"],
        row.get("handle", ""),
        row["docid"],
        row["granularity"],
        (),
        head=None if head is None else head._replace(text=row.get("head_text", "")),
        extent=extent,
        mention_type=row["mention_type"],
        pi=pi,
    )


def _region(start: str, end: str) -> Region | None:
    """The place with these ends: the inverse of :func:`_ends`; None without any."""
    if not start:
        return None
    if "," in start:
        boxes = (box.rsplit(",", 4) for box in start.split(";"))
        return Region(0, 0, "", tuple(Box(page, *map(_number, sizes)) for page, *sizes in boxes))
    if is_natural(start) and is_natural(end):
        return Region(int(start), int(end) + 1)
    return Region(_number(start), _number(end))


def _number(text: str) -> float:
    number = decimal_of(text)
    if number is None:
        raise ValueError(f"expected the ends of a place, found {text!r}")
    return number


def _one_line(text: str) -> str:
    return " ".join(text.split())


_CONTEXT_SIZE = 60
"""How many characters of the text are shown before and after a head."""


def _context(head: Region | None, text: str | None) -> str:
    if text is None:
        return ""
    if head is None:
        return _one_line(text[: 2 * _CONTEXT_SIZE])
    if not head.characters:
        return ""
    ((start, end),) = head.characters
    before, after = text[max(0, start - _CONTEXT_SIZE) : start], text[end : end + _CONTEXT_SIZE]
    return _one_line(f"{before}[[{text[start:end]}]]{after}")

"""What must be judged: items of system entities that are mapped to a target and that gold does not have.

Everything outside the annotated documents, and inside them what matches no mention of the target; what matches a
mention of another gold entity is known to be false and not judged.  Items of several systems that overlap are one.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import chain
from types import MappingProxyType

from lydite.align.ace_elements import Elements, by_document, mention_score, occurrence_similarity
from lydite.align.ace_sides import build_side
from lydite.errors import Finding, InvalidInput, Location
from lydite.formats.targets import Target, read_targets
from lydite.grouping import grouped, join, root_of
from lydite.model import Corpus, Document
from lydite.model.ace import ENTITY, LAYER, SOURCE_LAYER, Box, Region, overlap
from lydite.model.ace_alignment import CorpusElement, KindAlignment, Occurrence, ScoredMention
from lydite.model.ace_parameters import Parameters
from lydite.numerals import decimal_of, is_natural
from lydite.pipeline import compared
from lydite.profile import Profile
from lydite.records import dataclass, replace
from lydite.tasks.ace import ACE
from lydite.tasks.ace.parameters import parameters_of
from lydite.tasks.ace.selection import target_of
from lydite.tasks.ace.settings import AceSettings

MENTION, DOCUMENT = "mention", "document"
_SOME = 1e-12
"""An overlap, however small the profile lets it be."""


@dataclass(frozen=True, slots=True)
class PoolItem:
    """One thing to judge: a mention (by its head) or a document, for a target, with the systems that have it."""

    item_id: str
    target_id: str
    handle: str
    doc_id: str
    granularity: str
    systems: tuple[tuple[str, str], ...]
    mentions: frozenset[tuple[str, str]] = frozenset()
    """The systems and the mentions of theirs that it stands for."""
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
    """The targets as gold has them, all of gold, and the systems mapped to them."""

    targets: Mapping[str, Target]
    gold: Mapping[str, CorpusElement]
    """Target id to the gold entity."""
    entities: Mapping[str, Sequence[Occurrence]]
    """All entities of gold, by document."""
    systems: Sequence[MappedSystem]
    genres: Mapping[str, str]
    annotated: frozenset[str]
    parameters: Parameters
    first: Targets | None = None
    """Where targets were mapped again: how they were mapped when the items to judge were pooled."""


def map_targets(gold: Corpus, systems: Sequence[Corpus], profile: Profile[AceSettings]) -> Targets:
    """Compare every system on the annotated documents as a score does, and keep who was mapped to which target.

    Refuses what could not be scored.
    """
    sections: dict[int, KindAlignment] = {}
    for position, _, view, _ in compared(ACE, gold, systems, profile):
        sections.setdefault(position, view.whole.sections[ENTITY])
    parameters = parameters_of(profile.settings)
    path = profile.settings.targets or ""
    targets = read_targets(path)
    names = _target_names(gold.documents.values(), targets)
    gold_elements: dict[str, CorpusElement] = {}
    annotated = frozenset(gold.documents)
    mapped = []
    genres: dict[str, str] = {}
    for position, section in sections.items():
        system = systems[position]
        gold_elements = _one_each(names, section.gold, path)
        everywhere = build_side(system.documents.values(), parameters)
        partners = {
            names[gold_id]: where_it_counts(
                everywhere.elements[ENTITY][partner], targets[names[gold_id]], annotated
            )
            for gold_id, partner in section.partner.items()
        }
        mapped.append(MappedSystem(system.name, partners, section))
        for doc_id, document in system.documents.items():
            source = document.layers.get(SOURCE_LAYER)
            genres.setdefault(doc_id, source.source if source else "")
    entities = by_document(build_side(gold.documents.values(), parameters).elements[ENTITY])
    return Targets(targets, gold_elements, entities, mapped, genres, annotated, parameters)


def _target_names(documents: Iterable[Document], targets: Mapping[str, Target]) -> dict[str, str]:
    return {
        element.id: target.id
        for document in documents
        for element in document.layers.get(LAYER, ())
        if (target := target_of(element, targets)) is not None
    }


def _one_each(names: Mapping[str, str], gold: Elements, path: str) -> dict[str, CorpusElement]:
    """By target, its gold entity; a target that several are linked to is refused, since each would need its own items."""
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


def where_it_counts(element: CorpusElement, target: Target, annotated: Container[str]) -> CorpusElement:
    """A system entity without the annotated documents in which its target does not count."""
    occurrences = {
        doc_id: occurrence
        for doc_id, occurrence in element.occurrences.items()
        if not target.documents or doc_id in target.documents or doc_id not in annotated
    }
    return element._replace(occurrences=occurrences)


def item_id(target_id: str, doc_id: str, head: Region | None, granularity: str) -> str:
    """The stable id of an item: from target, document, ends of the head and granularity."""
    start, end = _ends(head)
    text = f"{target_id}|{doc_id}|{start}|{end}|{granularity}"
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


Queue = Mapping[str, PoolItem]
"""What the judges were asked about, by the ids of the items."""


def pool(targets: Targets, granularity: str, queue: Queue = MappingProxyType({})) -> list[PoolItem]:
    """All items that must be judged, sorted by target, document and place; those of a queue stay, whoever has them."""
    if targets.first is None:
        return _as_asked(_pool(targets, granularity, ()), queue, targets)
    return _pool(targets, granularity, pool(targets.first, granularity, queue))


def _as_asked(found: Iterable[PoolItem], queue: Queue, targets: Targets) -> list[PoolItem]:
    """The items as the judges were asked about them, with those that none of these systems has.

    Where fewer systems have an item, another mention can stand for it: it is the one of the queue that it overlaps most.
    """
    items = {item.item_id: item for item in found}
    lost = grouped(
        ((asked.target_id, asked.doc_id), asked) for name, asked in queue.items() if name not in items
    )
    kept = []
    for name, item in items.items():
        here, asked = lost.get((item.target_id, item.doc_id), []), queue.get(name)
        if asked is not None:
            kept.append(replace(item, mention_type=asked.mention_type, pi=asked.pi))
        elif item.head is None or (place := _most_overlapped(here, item.head, targets.parameters)) is None:
            kept.append(item)
        else:
            systems, mentions = here[place].systems + item.systems, here[place].mentions | item.mentions
            here[place] = replace(here[place], systems=tuple(dict.fromkeys(systems)), mentions=mentions)
    kept.extend(
        replace(asked, inside=asked.doc_id in targets.annotated)
        for asked in chain.from_iterable(lost.values())
    )
    return sorted(kept, key=_place)


def _pool(targets: Targets, granularity: str, earlier: Iterable[PoolItem]) -> list[PoolItem]:
    asked = grouped((item.target_id, item) for item in earlier)
    found: list[PoolItem] = []
    for target_id in sorted(targets.gold):
        of_target = grouped((item.doc_id, item) for item in asked.get(target_id, ()))
        found.extend(_pool_target(targets, target_id, granularity, of_target))
    return found


def _pool_target(
    targets: Targets, target_id: str, granularity: str, asked: Mapping[str, Sequence[PoolItem]]
) -> Iterator[PoolItem]:
    """The items of a target; those that were ``asked`` about stay, whoever has them now."""
    found = grouped(
        (doc_id, (system.name, element.id, occurrence))
        for system in sorted(targets.systems, key=lambda one: one.name)
        if (element := system.entities.get(target_id)) is not None
        for doc_id, occurrence in element.occurrences.items()
    )
    for doc_id in sorted({*found, *asked}):
        here, before = found.get(doc_id, []), asked.get(doc_id, ())
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
    unknown = [entry for entry in found if not (inside and known_false(targets, target_id, entry[2]))]
    if unknown:
        levels = Counter(occurrence.attributes["LEVEL"] for _, _, occurrence in unknown)
        yield _item(targets, target_id, doc_id, [entry[:2] for entry in unknown], types=levels)


def _item(
    targets: Targets,
    target_id: str,
    doc_id: str,
    systems: Iterable[tuple[str, str]],
    *,
    types: Counter[str],
    mention: ScoredMention | None = None,
) -> PoolItem:
    """What is judged: a mention, or without one the whole document."""
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


def known_false(targets: Targets, target_id: str, occurrence: Occurrence) -> bool:
    """Whether an occurrence in an annotated document that the target is not in matches another gold entity there.

    By its mentions, or by its names; where neither are compared nothing can be known.
    """
    if targets.parameters.use_mentions:
        known = (mention_known(targets, target_id, occurrence.doc_id, one) for one in occurrence.mentions)
        return "other" in known
    are_compared = targets.parameters.use_name_similarity and occurrence.attributes["LEVEL"] == "NAM"
    return are_compared and any(
        occurrence_similarity(other, occurrence, targets.parameters) > 0
        for other in targets.entities.get(occurrence.doc_id, ())
    )


def matches(gold: ScoredMention, system: ScoredMention, parameters: Parameters) -> bool:
    """Whether a mention of a system is one of gold, as in a score."""
    return mention_score(ENTITY, gold, system, parameters) is not None


def mention_known(targets: Targets, target_id: str, doc_id: str, mention: ScoredMention) -> str | None:
    """Inside the annotated documents: ``gold`` if it matches the target there, ``other`` if another entity."""
    if doc_id not in targets.annotated:
        return None
    own = targets.gold[target_id].id
    matched = [
        other.element
        for other in targets.entities.get(doc_id, ())
        if any(matches(one, mention, targets.parameters) for one in other.mentions)
    ]
    return "gold" if own in matched else "other" if matched else None


def _mention_items(
    targets: Targets,
    target_id: str,
    doc_id: str,
    found: Sequence[tuple[str, str, Occurrence]],
    asked: Sequence[PoolItem],
) -> Iterator[PoolItem]:
    mentions = [
        (system, entity, mention)
        for system, entity, occurrence in found
        for mention in occurrence.mentions
        if mention_known(targets, target_id, doc_id, mention) is None
    ]
    places = [_place_among(asked, one, targets.parameters) for one in mentions]
    for place, item in enumerate(asked):
        yield _held_by(item, [one for one, at in zip(mentions, places, strict=True) if at == place])
    mentions = [one for one, at in zip(mentions, places, strict=True) if at is None]
    for cluster in clusters([mention.place for _, _, mention in mentions], targets.parameters.min_overlap):
        members = [mentions[position] for position in cluster]
        best = representative([mention for _, _, mention in members])
        of_systems = grouped((system, mention.type) for system, _, mention in members).values()
        types = Counter(_majority(Counter(own)) for own in of_systems)
        item = _item(targets, target_id, doc_id, (), types=types, mention=best)
        yield _held_by(item, members)


FoundMention = tuple[str, str, ScoredMention]
"""A system, its entity, and a mention of that."""


def _held_by(item: PoolItem, members: Sequence[FoundMention]) -> PoolItem:
    """The item with the systems and mentions that it stands for."""
    systems = tuple(dict.fromkeys(member[:2] for member in members))
    mentions = frozenset((system, mention.id) for system, _, mention in members)
    return replace(item, systems=systems, mentions=mentions)


def _place_among(asked: Sequence[PoolItem], found: FoundMention, parameters: Parameters) -> int | None:
    """Which item a mention belongs to: its own, else the one whose head it overlaps most, and as much as counts."""
    system, _, mention = found
    for place, item in enumerate(asked):
        if (system, mention.id) in item.mentions:
            return place
    return _most_overlapped(asked, mention.place, parameters)


def _most_overlapped(asked: Sequence[PoolItem], head: Region, parameters: Parameters) -> int | None:
    shared = [overlap(item.head, head) if item.head else 0.0 for item in asked]
    most = max(shared, default=0.0)
    return shared.index(most) if most >= max(parameters.min_overlap, _SOME) else None


def clusters(regions: Sequence[Region], least: float) -> list[list[int]]:
    """Positions of regions that overlap by at least ``least``, directly or through others; sorted by place."""
    order = sorted(range(len(regions)), key=lambda i: (regions[i].start, regions[i].end, i))
    parent = list(range(len(regions)))
    for place, i in enumerate(order):
        for j in order[place + 1 :]:
            if regions[j].start >= regions[i].end and not regions[i].boxes:
                break
            if overlap(regions[i], regions[j]) >= max(least, _SOME):
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


def sampled(items: Iterable[PoolItem], max_items: int | None, seed: int) -> list[PoolItem]:
    """Per target at most ``max_items`` of the items outside the annotated documents (None: all), with their probability.

    Strata are number of systems, genre and mention type; each gets its share (largest remainder) and at least one.
    With more strata than items the target is one stratum.  Items inside are never drawn from.
    """
    kept: list[PoolItem] = []
    of_targets = grouped((item.target_id, replace(item, stratum=_stratum(item))) for item in items)
    for target_id, own in of_targets.items():
        outside = [item for item in own if not item.inside]
        is_small = max_items is None or len(outside) <= max_items
        kept += [item for item in own if item.inside]
        kept += outside if is_small else _drawn(outside, max_items or 0, f"{seed}|{target_id}")
    return sorted(kept, key=_place)


def _place(item: PoolItem) -> tuple[str, str, float]:
    return item.target_id, item.doc_id, item.head.start if item.head else 0.0


def _stratum(item: PoolItem) -> str:
    return f"{len({system for system, _ in item.systems})}/{item.genre}/{item.mention_type}"


def _drawn(items: Sequence[PoolItem], most: int, seed: str) -> Iterator[PoolItem]:
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
    """Where a head begins and ends: inclusive offsets of text, seconds of sound; of a picture all of its boxes, and no end."""
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
"""The columns of a queue, and what an item, and the text of its document if it is known, say in each."""


def queue_row(item: PoolItem, *, with_systems: bool, text: str | None) -> dict[str, str]:
    """A line of the queue; blind to systems unless they are asked for, with context where the text is given."""
    row = {name: shown(item, text) for name, shown in QUEUE_COLUMNS.items()}
    return row if with_systems else row | {"systems": ""}


def asked_item(row: Mapping[str, str]) -> PoolItem:
    """The item of a line of the queue, without the systems that have it; a ValueError says what is wrong with the line."""
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
    """The place with these ends, as a queue writes them."""
    if not start:
        return None
    if "," in start:
        boxes = (box.rsplit(",", 4) for box in start.split(";"))
        return Region(0, 0, "", tuple(Box(page, *map(_number, sizes)) for page, *sizes in boxes))
    if is_natural(start) and is_natural(end):
        return Region(int(start), int(end) + 1)
    return Region(_number(start), _number(end))


def _number(text: str) -> float:
    found = decimal_of(text)
    if found is None:
        raise ValueError(f"expected the ends of a place, found {text!r}")
    return found


def _one_line(text: str) -> str:
    return " ".join(text.split())


_AROUND = 60
"""So many characters of the text are shown before and after a head."""


def _context(head: Region | None, text: str | None) -> str:
    if text is None:
        return ""
    if head is None:
        return _one_line(text[: 2 * _AROUND])
    if not head.characters:
        return ""
    ((start, end),) = head.characters
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return _one_line(f"{before}[[{text[start:end]}]]{after}")

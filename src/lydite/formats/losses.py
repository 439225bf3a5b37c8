"""What a conversion kept, changed and dropped: measured by reading again what was written, never declared."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, NamedTuple, TypeVar

from lydite.errors import Finding, Location
from lydite.escaping import first_of
from lydite.formats.layers import LAYERS, LayerItem, annotated_value
from lydite.formats.units import has_local_clusters
from lydite.formats.words import UNKNOWN
from lydite.model import Document, Mention, Relation, Span
from lydite.model.mention import COREFERENCE, NOT_ANNOTATED

SCHEMA = "lydite.losses/1"
SHOWN_PER_LOSS = 3
"""How many instances of each loss are shown."""

_EMPTY_VALUES = frozenset({"", NOT_ANNOTATED})
_ATTRIBUTES: Mapping[str, tuple[str, Collection[object]]] = {
    "span": ("spans", {((), ())}),
    "text": ("texts of mentions", {"", "-"}),
    "type": ("types", _EMPTY_VALUES),
    "realis": ("realis", _EMPTY_VALUES),
    "confidences": ("confidences", {()}),
}
"""The attributes of a mention: their name in the plural, and the values that say nothing."""


_PLACEHOLDERS = {"words": UNKNOWN, "types": NOT_ANNOTATED, "realis": NOT_ANNOTATED}
"""What is written where a format must have a value and the source has none."""


class Loss(NamedTuple):
    """One thing that was changed, or dropped (``after`` is None): its kind, its document, its name, and how it reads."""

    what: str
    document: str
    item: str
    before: str
    after: str | None = None

    def __str__(self) -> str:
        after = "" if self.after is None else f" → {self.after:.40}"
        before = f" {self.before:.40}" if self.before else ""
        if self.before == self.document and not self.item:
            return f"{self.document}{after}"
        return f"{self.document} {self.item}{before}{after}".strip()


class SharedIds:
    """The ids that clusters of several documents share: where documents are scored together, they are one cluster."""

    def __init__(self) -> None:
        self._id_after: dict[Hashable, Hashable] = {}
        self._id_before: dict[Hashable, Hashable] = {}
        self._cut: dict[Hashable, None] = {}
        self._joined: dict[Hashable, None] = {}

    def add(self, before: Document, after: Document, *, apart: bool) -> None:
        """Remember the ids of a document; with ``apart`` those after the conversion mean nothing beyond the document."""
        clusters_after = after.layers.get("clusters", ())
        cluster_of = {member: cluster.id for cluster in clusters_after for member in cluster.members}
        local = has_local_clusters(before)
        for number, cluster in enumerate(before.layers.get("clusters", ())):
            found = next((cluster_of[member] for member in cluster.members if member in cluster_of), None)
            if found is None:
                continue
            # A cluster without an id is shared with no other document.
            own_key = before.doc_id, number
            ours = cluster.id if cluster.id and not local else own_key
            theirs = own_key if apart else found
            if ours is not own_key and self._id_after.setdefault(ours, theirs) != theirs:
                self._cut[ours] = None
            if not apart and self._id_before.setdefault(theirs, ours) != ours:
                self._joined[theirs] = None

    def findings(self, target: str, path: str) -> Iterator[Finding]:
        """One finding for all clusters that were cut apart at their documents, and one for those that were joined."""
        hint = (
            "--unit topic and corpus take equal ids for one cluster; --to lydite keeps clusters as they are"
        )
        cut = f"{target} keeps no id that clusters of several documents share, and they are cut apart"
        joined = f"{target} has one id for clusters of several documents that are not one"
        kinds = (("cluster-cut", self._cut, cut), ("clusters-joined", self._joined, joined))
        for code, ids, consequence in kinds:
            if ids:
                message = f"{consequence}: {first_of([str(one) for one in ids])}"
                yield Finding(code, "warning", message, Location(path), hint=hint)


@dataclass
class Losses:
    """The losses of a conversion, counted, with the first instances of each kind."""

    source: str
    target: str
    documents: int = 0
    unknown: Counter[str] = field(default_factory=Counter)
    """What the target must have and the source lacks: a placeholder is written."""
    kept: Counter[str] = field(default_factory=Counter)
    changed: dict[str, list[Loss]] = field(default_factory=dict)
    dropped: dict[str, list[Loss]] = field(default_factory=dict)
    most: int = SHOWN_PER_LOSS
    """How many instances of each loss are held; all are counted."""
    findings: list[Finding] = field(default_factory=list)
    """The findings of the conversion: what was repaired, placed, left out by a bridge."""
    placements: dict[str, Mapping[str, Sequence[object]]] = field(default_factory=dict)
    """How grounding placed words, by document: method and number of edits, whatever the target can hold of it."""
    shared: SharedIds = field(default_factory=SharedIds)
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def is_lossy(self) -> bool:
        """Whether anything was dropped or changed; new ids do not count."""
        return bool(self.dropped) or any(not what.endswith("ids") for what in self.changed)

    def count(self, kind: str, what: str) -> int:
        """How many losses of a kind (``changed`` or ``dropped``) there are."""
        return self._counts[kind, what]

    def add(self, loss: Loss) -> None:
        """One loss; all are counted, the first few are held."""
        kind, table = ("dropped", self.dropped) if loss.after is None else ("changed", self.changed)
        self._counts[kind, loss.what] += 1
        instances = table.setdefault(loss.what, [])
        if len(instances) < self.most:
            instances.append(loss)

    def why(self, kind: str, what: str) -> str:
        """The reason in one sentence, as the counts tell it."""
        these, them = ("this", "it") if self.count(kind, what) == 1 else ("these", "them")
        if kind == "changed" and what.endswith("ids"):
            return f"{self.target} numbers {them} anew"
        if kind == "changed":
            return f"{self.target} holds another form"
        if self.kept[what]:
            return f"{self.target} cannot hold {these}"
        return f"{self.target} has no place for {them}"

    def to_dict(self) -> dict[str, object]:
        """The loss report as a document (schema ``lydite.losses/1``)."""
        return {
            "schema": SCHEMA,
            "from": self.source,
            "to": self.target,
            "documents": self.documents,
            "lossy": self.is_lossy,
            "kept": dict(self.kept),
            "unknown": dict(self.unknown),
            **{
                kind: [
                    {
                        "what": what,
                        "count": self.count(kind, what),
                        "why": self.why(kind, what),
                        "first": [loss._asdict() for loss in instances],
                    }
                    for what, instances in table.items()
                ]
                for kind, table in (("changed", self.changed), ("dropped", self.dropped))
            },
            "placements": {doc_id: dict(placed) for doc_id, placed in self.placements.items()},
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def lines(self) -> list[str]:
        """The loss report in sentences."""
        kept = ", ".join(_counted(count, what) for what, count in self.kept.items()) or "nothing"
        lines = [f"kept: {kept}"]
        lines += [
            f"unknown: {_counted(count, what)}: {self.source} says none, {_PLACEHOLDERS[what]} is written instead"
            for what, count in self.unknown.items()
        ]
        for kind, table in (("changed", self.changed), ("dropped", self.dropped)):
            for what, instances in table.items():
                shown = "; ".join(map(str, instances))
                more = "; …" if self.count(kind, what) > len(instances) else ""
                count = _counted(self.count(kind, what), what)
                lines.append(f"{kind}: {count}: {self.why(kind, what)} ({shown}{more})")
        return lines


def _counted(number: int, what: str) -> str:
    """``2 texts of mentions``, ``1 text of a mention``."""
    parts = what.split(" of ") if number == 1 else ()
    article = "an" if parts and parts[-1][0] in "aeiou" else "a"
    singular = [
        re.sub(r"(?<!reali)s(?= not | without |$)", "", re.sub(r"ies\b", "ys", part)) for part in parts
    ]
    return f"1 {f' of {article} '.join(singular)}" if parts else f"{number} {what}"


def compare(before: Document, after: Document, losses: Losses) -> None:
    """Add to ``losses`` what the second document lacks of the first, or has with another value."""
    partner = _partners(before, after)
    doc_id = before.doc_id
    for mention in before.mentions:
        found = partner.get(id(mention))
        if found is None:
            losses.add(Loss("mentions", doc_id, mention.id, f"{mention.span} {mention.text}"))
            continue
        losses.kept["mentions"] += 1
        _compare_attributes(doc_id, mention, found, losses)
    # The id of a mention that is gone stands behind a null character, which no file holds.
    names = {
        one.id: partner[id(one)].id if id(one) in partner else f"\0{one.id}"
        for one in reversed(before.mentions)
    }
    _compare_relations(before, after, names, losses)
    if before.text is not None and before.text == after.text:
        losses.kept["texts"] += 1
    elif before.text is not None:
        losses.add(Loss("texts", doc_id, "", ""))
    if before.tokens is not None:
        _compare_tokens(before, after, losses)
    for name, value in before.layers.items():
        if name in LAYERS and LAYERS[name].content:
            layer, value_after = LAYERS[name], after.layers.get(name)
            theirs = layer.items(value_after) if value_after is not None else ()
            _compare_items(layer.noun, doc_id, layer.items(value), theirs, losses)


def _compare_tokens(before: Document, after: Document, losses: Losses) -> None:
    """Compare token by token in their order: their words must come back, their ids may change."""
    ours = list((before.tokens or {}).items())
    theirs = list((after.tokens or {}).items())
    for (name, word), (new_name, new_word) in zip(ours, theirs, strict=False):
        if word == new_word:
            losses.kept["tokens"] += 1
        else:
            losses.add(Loss("tokens", before.doc_id, name, word, new_word))
        if name != new_name:
            losses.add(Loss("token ids", before.doc_id, name, "", new_name))
    for name, word in ours[len(theirs) :]:
        losses.add(Loss("tokens", before.doc_id, name, word))


Companions = Mapping[str, frozenset[Span]]
"""The spans of the mentions that corefer with a mention, by its id."""

_NOWHERE = Span(), Span(((0, 0),))
"""The spans of mentions without a place; TBF writes the second one."""
_KEYS: tuple[Callable[[Mention, Companions], Hashable], ...] = (
    lambda one, companions: (one[1:6], companions.get(one.id)),
    lambda one, companions: (one.span, companions.get(one.id)) if one.span not in _NOWHERE else one[1:6],
    lambda one, _: one.span if one.span not in _NOWHERE else (one.text, annotated_value(one.type)),
    lambda one, _: one.id or None,
)
"""Keys by which a mention is recognised in the other document, from the surest to the least sure; None is no key."""


T = TypeVar("T")


class _Pool(Generic[T]):
    """Items that wait for their counterparts: each can be taken once, by any of its keys, in constant time."""

    def __init__(self, items: Iterable[tuple[Iterable[Hashable], T]]) -> None:
        self._items: dict[int, T] = {}
        self._places: dict[Hashable, deque[int]] = {}
        for place, (keys, item) in enumerate(items):
            self._items[place] = item
            for key in keys:
                self._places.setdefault(key, deque()).append(place)

    def take(self, keys: Iterable[Hashable]) -> T | None:
        """The first item that has one of the keys, if one is left."""
        firsts = []
        for key in keys:
            places = self._places.get(key)
            while places and places[0] not in self._items:
                places.popleft()
            if places:
                firsts.append(places[0])
        return self._items.pop(min(firsts)) if firsts else None

    def remaining(self) -> list[T]:
        return list(self._items.values())


def _partners(before: Document, after: Document) -> dict[int, Mention]:
    """The mention that each mention became, by its ``id()``: an equal one, else one at its span, else one with its text.

    Of several at one place it is the one with the same companions: where types are lost, nothing else tells them apart.
    """
    partner: dict[int, Mention] = {}
    waiting, left = list(before.mentions), list(after.mentions)
    common = {one.span for one in waiting} & {one.span for one in left}
    ours, theirs = _companions(before, common), _companions(after, common)
    for key in _KEYS:
        pool = _Pool(([key(mention, theirs)], mention) for mention in left)
        unmatched = []
        for mention in waiting:
            own_key = key(mention, ours)
            found = pool.take([own_key]) if own_key is not None else None
            if found is None:
                unmatched.append(mention)
            else:
                partner[id(mention)] = found
        waiting, left = unmatched, pool.remaining()
        if not waiting:
            break
    return partner


def _companions(document: Document, common: set[Span]) -> Companions:
    places = {mention.id: mention.span for mention in document.mentions}
    companions: dict[str, frozenset[Span]] = {}
    for relation in document.relations:
        if relation.name == COREFERENCE:
            spans = frozenset(places[one] for one in relation.members if one in places) & common
            companions.update(dict.fromkeys(relation.members, spans))
    return companions


def _compare_attributes(doc_id: str, before: Mention, after: Mention, losses: Losses) -> None:
    if before.id != after.id:
        losses.add(Loss("mention ids", doc_id, before.id, "", after.id))
    for name, (what, empty) in _ATTRIBUTES.items():
        ours, theirs = getattr(before, name), getattr(after, name)
        if ours == theirs and ours not in empty:
            losses.kept[what] += 1
        elif not ours and theirs == NOT_ANNOTATED:
            losses.unknown[what] += 1
        # A text that was filled in comes from the document; any other new value is an invention.
        elif ours not in empty or (theirs not in empty and name != "text"):
            losses.add(Loss(what, doc_id, before.id, _text(ours), None if theirs in empty else _text(theirs)))


def _text(value: object) -> str:
    if isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        return ",".join(value)
    return str(value)


def _compare_relations(before: Document, after: Document, names: Mapping[str, str], losses: Losses) -> None:
    """Compare relations by the new ids of their members; losses show the old ids."""
    originals = {new: old for old, new in names.items()}
    ours = (_relation_item(one, _renamed(one.members, names), one.members) for one in before.relations)
    theirs = (_relation_item(one, one.members, _renamed(one.members, originals)) for one in after.relations)
    _compare_items("relation", before.doc_id, ours, theirs, losses)


def _renamed(members: Iterable[str], names: Mapping[str, str]) -> list[str]:
    return [names.get(member, member) for member in members]


def _relation_item(relation: Relation, members: Iterable[str], shown: Iterable[str]) -> LayerItem:
    """A cluster stays the same one if it loses or gains members; any other relation does not."""
    kept, text = tuple(members), ",".join(shown)
    if relation.name == COREFERENCE:
        return LayerItem("clusters", relation.id, frozenset(kept), frozenset(kept), relation.id, text)
    return LayerItem(f"{relation.name} relations", relation.id, frozenset(), kept, relation.id, text)


def _compare_items(
    noun: str, doc_id: str, before: Iterable[LayerItem], after: Iterable[LayerItem], losses: Losses
) -> None:
    pool = _Pool((_item_keys(item), item) for item in after)
    waiting = []
    for item in before:
        same, alike = _item_keys(item)
        counterpart = pool.take([same]) or pool.take([alike])
        if counterpart is None:
            waiting.append(item)
            continue
        losses.kept[item.what] += 1
        if item.id is not None and counterpart.id != item.id:
            losses.add(Loss(f"{noun} ids", doc_id, item.name, "", counterpart.id or ""))
    remaining = _Pool((_subject_keys(item), item) for item in pool.remaining())
    for item in waiting:
        changed = remaining.take(_subject_keys(item))
        if changed is None:
            losses.add(Loss(item.what, doc_id, item.name, item.shown or ""))
        else:
            ours, theirs = (_text(one.content) if one.shown is None else one.shown for one in (item, changed))
            losses.add(Loss(item.what, doc_id, item.name, ours, theirs))


def _item_keys(item: LayerItem) -> tuple[Hashable, Hashable]:
    """Two keys: content with id, and content alone."""
    return (item.what, item.content, item.id), (item.what, item.content)


def _subject_keys(item: LayerItem) -> Iterator[Hashable]:
    """Keys of what an item is about: one for each member of a set, because one in common is enough."""
    subjects = item.subject if isinstance(item.subject, frozenset) else (item.subject,)
    return ((item.what, subject) for subject in subjects)

"""What a conversion kept, changed and dropped: measured by reading again what was written, never declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lydite.errors import Finding
from lydite.formats.layers import LAYERS, Item, triggers
from lydite.model import Document, Mention

SCHEMA = "lydite.losses/1"
FIRST = 3
"""So many instances of each loss are told."""

COREFERENCE = "Coreference"
EVENTS_LAYER = "events"
_ATTRIBUTES = ("span", "text", "type", "realis", "confidences")
_UNSAID = frozenset({"", "NOT_ANNOTATED"})
_NOTHING: Mapping[str, Any] = {"realis": _UNSAID, "type": _UNSAID, "text": {"", "-"}}


class Loss(NamedTuple):
    """One thing that is not as it was: what, how it is called, in which document, and how it reads before and after."""

    what: str
    document: str
    item: str
    before: str
    after: str | None = None


@dataclass
class Losses:
    """The losses of a conversion, counted, with the first instances of each kind."""

    source: str
    target: str
    documents: int = 0
    kept: Counter[str] = field(default_factory=Counter)
    changed: dict[str, list[Loss]] = field(default_factory=dict)
    dropped: dict[str, list[Loss]] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    """What was said on the way: what was repaired, placed, left out by a bridge."""
    placements: dict[str, Mapping[str, Sequence[Any]]] = field(default_factory=dict)
    """How grounding placed words, by document: method and number of edits, whatever the target can hold of it."""
    _counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def is_lossy(self) -> bool:
        """Whether anything was dropped or changed; new ids are no loss."""
        return bool(self.dropped) or any(not what.endswith("ids") for what in self.changed)

    def count(self, kind: str, what: str) -> int:
        """How many losses of a kind (``changed`` or ``dropped``) there are."""
        return self._counts[kind, what]

    def add(self, loss: Loss) -> None:
        """One loss; all are counted, the first few are held."""
        kind, table = ("dropped", self.dropped) if loss.after is None else ("changed", self.changed)
        self._counts[kind, loss.what] += 1
        held = table.setdefault(loss.what, [])
        if len(held) < FIRST:
            held.append(loss)

    def why(self, kind: str, what: str) -> str:
        """The reason in one sentence."""
        if kind == "changed":
            return (
                f"{self.target} numbers them anew"
                if what.endswith("ids")
                else f"{self.target} holds another form"
            )
        if self.kept[what]:
            return f"{self.target} cannot hold these"
        return f"{self.target} has no place for them"

    def to_dict(self) -> dict[str, Any]:
        """The loss report as a document (schema ``lydite.losses/1``)."""
        return {
            "schema": SCHEMA,
            "from": self.source,
            "to": self.target,
            "documents": self.documents,
            "lossy": self.is_lossy,
            "kept": dict(self.kept),
            **{
                kind: [
                    {
                        "what": what,
                        "count": self.count(kind, what),
                        "why": self.why(kind, what),
                        "first": [loss._asdict() for loss in held],
                    }
                    for what, held in table.items()
                ]
                for kind, table in (("changed", self.changed), ("dropped", self.dropped))
            },
            "placements": {doc_id: dict(placed) for doc_id, placed in self.placements.items()},
            "findings": [finding.to_dict() for finding in self.findings],
        }

    def lines(self) -> list[str]:
        """The same in sentences."""
        kept = ", ".join(f"{count} {what}" for what, count in self.kept.items()) or "nothing"
        lines = [f"kept: {kept}"]
        for kind, table in (("changed", self.changed), ("dropped", self.dropped)):
            for what, held in table.items():
                shown = "; ".join(_shown(loss) for loss in held)
                more = "; …" if self.count(kind, what) > len(held) else ""
                lines.append(
                    f"{kind}: {self.count(kind, what)} {what}: {self.why(kind, what)} ({shown}{more})"
                )
        return lines


def _shown(loss: Loss) -> str:
    after = "" if loss.after is None else f" → {loss.after}"
    before = f" {loss.before:.40}" if loss.before else ""
    return f"{loss.document} {loss.item}{before}{after}".strip()


def compare(before: Document, after: Document, losses: Losses) -> None:
    """Adds what the second document lacks of the first, or has otherwise."""
    losses.documents += 1
    partner = _partners(before.mentions, after.mentions)
    doc_id = before.doc_id
    for mention in before.mentions:
        found = partner.get(id(mention))
        if found is None:
            losses.add(Loss("mentions", doc_id, mention.id, f"{mention.span} {mention.text}"))
            continue
        losses.kept["mentions"] += 1
        _compare_attributes(doc_id, mention, found, losses)
    names = {mention.id: partner[id(mention)].id for mention in before.mentions if id(mention) in partner}
    _compare_relations(before, after, names, losses)
    for what, ours, theirs in (("texts", before.text, after.text), ("tokens", before.tokens, after.tokens)):
        if ours is not None:
            _keep_or_drop(what, doc_id, "", ours == theirs, losses)
    events = before.layers.get(EVENTS_LAYER)
    if events and not before.mentions:
        _compare_items(doc_id, triggers(events), triggers(after.layers.get(EVENTS_LAYER, ())), losses)
    for name, layer in before.layers.items():
        if name in LAYERS and LAYERS[name].content:
            there = after.layers.get(name)
            items = LAYERS[name].items
            what = f"{LAYERS[name].noun}s"
            _compare_items(doc_id, items(layer), items(there) if there else (), losses, what)


def _keep_or_drop(what: str, doc_id: str, item: str, kept: bool, losses: Losses) -> None:
    if kept:
        losses.kept[what] += 1
    else:
        losses.add(Loss(what, doc_id, item, ""))


def _partners(before: Sequence[Mention], after: Sequence[Mention]) -> dict[int, Mention]:
    """The mention that each mention became: the one with its id and span, else span, else id, each once."""
    partner: dict[int, Mention] = {}
    waiting = list(before)
    left = list(after)
    keys: list[Any] = [
        lambda one: (one.id, one.span),
        lambda one: (one.span, one.type) if one.span != ((), ()) else None,
        lambda one: one.span if one.span != ((), ()) else None,
        lambda one: (one.text, one.type) if one.span == ((), ()) and one.text else None,
        lambda one: one.id or None,
    ]
    for key in keys:
        free: dict[Hashable, list[Mention]] = {}
        for mention in left:
            free.setdefault(key(mention), []).append(mention)
        still = []
        for mention in waiting:
            candidates = free.get(key(mention)) if key(mention) is not None else None
            if candidates:
                partner[id(mention)] = candidates.pop(0)
            else:
                still.append(mention)
        taken = {id(mention) for mention in partner.values()}
        waiting, left = still, [mention for mention in left if id(mention) not in taken]
    return partner


def _compare_attributes(doc_id: str, before: Mention, after: Mention, losses: Losses) -> None:
    if before.id != after.id:
        losses.add(Loss("mention ids", doc_id, before.id, "", after.id))
    for name in _ATTRIBUTES:
        ours, theirs = getattr(before, name), getattr(after, name)
        empty = _NOTHING.get(name, ())
        if not ours or ours in empty or ours == ((), ()):
            continue
        what = name if name.endswith("s") else "texts of mentions" if name == "text" else f"{name}s"
        if ours == theirs:
            losses.kept[what] += 1
        elif not theirs or theirs in empty or theirs == ((), ()):
            losses.add(Loss(what, doc_id, before.id, _text(ours)))
        else:
            losses.add(Loss(what, doc_id, before.id, _text(ours), _text(theirs)))


def _text(value: Any) -> str:
    return (
        ",".join(value)
        if isinstance(value, tuple) and all(isinstance(one, str) for one in value)
        else str(value)
    )


def _compare_relations(before: Document, after: Document, names: Mapping[str, str], losses: Losses) -> None:
    left: dict[Hashable, list[str]] = {}
    for relation in after.relations:
        left.setdefault(_said(relation.name, relation.members), []).append(relation.id)
    for relation in before.relations:
        members = [names.get(member, f"\0{member}") for member in relation.members]
        found = left.get(_said(relation.name, members))
        what = "clusters" if relation.name == COREFERENCE else f"{relation.name} relations"
        if not found:
            losses.add(Loss(what, before.doc_id, relation.id, ",".join(relation.members)))
            continue
        losses.kept[what] += 1
        kept = relation.id in found
        after_id = relation.id if kept else found[0]
        found.remove(after_id)
        if not kept:
            losses.add(Loss("relation ids", before.doc_id, relation.id, "", after_id))


def _said(name: str, members: Iterable[str]) -> Hashable:
    return (name, frozenset(members)) if name == COREFERENCE else (name, tuple(members))


def _compare_items(
    doc_id: str, before: Iterable[Item], after: Iterable[Item], losses: Losses, what: str = ""
) -> None:
    left: dict[Hashable, list[str]] = {}
    for item in after:
        left.setdefault((item.what, item.said), []).append(item.name)
    for item in before:
        found = left.get((item.what, item.said))
        if not found:
            losses.add(Loss(item.what or what, doc_id, item.name, ""))
            continue
        losses.kept[item.what or what] += 1
        found.remove(item.name) if item.name in found else found.pop(0)

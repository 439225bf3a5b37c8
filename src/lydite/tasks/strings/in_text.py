"""GoLLIE: what is not in the text is dropped; then each item of a system takes the first equal one of gold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from lydite.model import DocumentPair, Figures
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM, Side
from lydite.tasks.figures import Hits, Named
from lydite.tasks.outcomes import MISSING, RIGHT, SPURIOUS, Compared, ItemOutcome, outcome_of

NOT_IN_TEXT = "not-in-text"


class TextItem(NamedTuple):
    """An entity, a relation, an event or a template: its type, the words that name it, and what fills its roles."""

    type: str
    words: tuple[str, ...]
    """The string of an entity, both ends of a relation, the trigger or query, if there is one."""
    place: str
    fillers: tuple[tuple[str, str, str], ...] = ()
    """Role, string and place of everything that fills a role."""
    is_relation: bool = False
    trims: bool = False
    """Whether white space around the words does not matter, as with entities."""

    @property
    def key(self) -> str:
        """What the text must hold as often as such items come; empty for relations."""
        return "" if self.is_relation or not self.words else self.words[0].lower()

    @property
    def identity(self) -> tuple[str, tuple[str, ...]]:
        """Equal for equal items."""
        if self.is_relation:
            return self.type, self.words
        lower = tuple(words.lower() for words in self.words)
        return self.type, tuple(words.strip() for words in lower) if self.trims else lower


class _Kept(NamedTuple):
    items: list[TextItem]
    dropped: list[tuple[TextItem, str]]
    fillers: list[tuple[str, str, str]]
    """Fillers of kept items that are not in the text."""


def keep(items: Sequence[TextItem], text: str, types: Collection[str], *, drops_hallucinated: bool) -> _Kept:
    """The items of a system that count, and those that are dropped with the cause."""
    lower = text.lower()
    kept = _Kept([], [], [])
    seen: Counter[str] = Counter()
    for item in items:
        if item.type not in types:
            kept.dropped.append((item, LEFT_OUT))
            continue
        if not drops_hallucinated:
            kept.items.append(item)
            continue
        words = [one.lower().strip() if item.trims else one.lower() for one in item.words]
        if not all(one in lower for one in words):
            kept.dropped.append((item, NOT_IN_TEXT))
            continue
        seen[item.key] += 1
        if item.key and lower.count(item.key) < seen[item.key]:
            kept.dropped.append((item, NOT_IN_TEXT))
            continue
        inside = [one for one in item.fillers if one[1].lower() in lower]
        kept.fillers.extend(one for one in item.fillers if one not in inside)
        kept.items.append(item._replace(fillers=tuple(inside)))
    return kept


def take_first(gold: Sequence[TextItem], system: Sequence[TextItem]) -> dict[int, int]:
    """System item → gold item: each in order takes the first equal one that is left."""
    left: dict[tuple[str, tuple[str, ...]], list[int]] = {}
    for i, one in enumerate(gold):
        left.setdefault(one.identity, []).append(i)
    return {j: left[other.identity].pop(0) for j, other in enumerate(system) if left.get(other.identity)}


def compare(
    pair: DocumentPair,
    gold: Sequence[TextItem],
    system: Sequence[TextItem],
    text: str,
    types: Collection[str],
    *,
    drops_hallucinated: bool,
    name: str,
    fillers: str,
) -> Compared:
    """Compare the items of a document; ``name`` and ``fillers`` name the two measurements."""
    kept = keep(system, text, types, drops_hallucinated=drops_hallucinated)
    partner = take_first(gold, kept.items)
    of_type = _by_type(gold, kept.items, [kept.items[j].type for j in partner])
    filled, right = _fillers(gold, kept.items, partner)
    figures: dict[str, Figures | None] = {
        name: sum(of_type.values(), Hits()),
        "dropped": Named({"items": len(kept.dropped)}),
    }
    parts: dict[tuple[str, str], Sequence[tuple[str, Figures]]] = {(name, "type"): list(of_type.items())}
    if fillers:
        figures[fillers] = sum(filled.values(), Hits())
        parts[fillers, "type"] = list(filled.items())
    return Compared(pair, list(_outcomes(gold, kept, partner, right)), figures, parts)


def _by_type(gold: Sequence[TextItem], system: Sequence[TextItem], right: Sequence[str]) -> dict[str, Hits]:
    counts: dict[str, Hits] = {}
    for one in gold:
        counts[one.type] = counts.get(one.type, Hits()) + Hits(gold=1)
    for one in system:
        counts[one.type] = counts.get(one.type, Hits()) + Hits(system=1)
    for name in right:
        counts[name] += Hits(correct=1)
    return counts


def _fillers(
    gold: Sequence[TextItem], system: Sequence[TextItem], partner: Mapping[int, int]
) -> tuple[dict[str, Hits], set[tuple[Side, str]]]:
    """The counts of fillers by type of their items, and the places of those that are right."""
    counts: dict[str, Hits] = {}
    for one in gold:
        counts[one.type] = counts.get(one.type, Hits()) + Hits(gold=len(one.fillers))
    for one in system:
        counts[one.type] = counts.get(one.type, Hits()) + Hits(system=len(one.fillers))
    right: set[tuple[Side, str]] = set()
    for j, i in partner.items():
        left: dict[tuple[str, str], list[str]] = {}
        for role, words, place in gold[i].fillers:
            left.setdefault((role, words), []).append(place)
        for role, words, place in system[j].fillers:
            if places := left.get((role, words)):
                right |= {(GOLD, places.pop(0)), (SYSTEM, place)}
                counts[system[j].type] += Hits(correct=1)
    return counts, right


_WHY = {
    RIGHT: "the other side has an equal item",
    MISSING: "no item of the system is equal",
    SPURIOUS: "no item of gold is equal, or all went to earlier ones",
    LEFT_OUT: "its type is not in the list",
    NOT_IN_TEXT: "the text does not have it, or not so often",
}


def _outcomes(
    gold: Sequence[TextItem], kept: _Kept, partner: Mapping[int, int], right: Collection[tuple[Side, str]]
) -> Iterator[ItemOutcome]:
    system_of = {i: j for j, i in partner.items()}
    for i, one in enumerate(gold):
        other = kept.items[system_of[i]].place if i in system_of else None
        yield from _of_item(GOLD, one, RIGHT if i in system_of else MISSING, other, right)
    for j, one in enumerate(kept.items):
        other = gold[partner[j]].place if j in partner else None
        yield from _of_item(SYSTEM, one, RIGHT if j in partner else SPURIOUS, other, right)
    for role, words, place in kept.fillers:
        yield _outcome(SYSTEM, place, None, NOT_IN_TEXT, name=role, words=words)
    for one, found in kept.dropped:
        yield _outcome(SYSTEM, one.place, None, found, name=one.type, words=" | ".join(one.words))


def _of_item(
    side: Side, item: TextItem, found: str, other: str | None, right: Collection[tuple[Side, str]]
) -> Iterator[ItemOutcome]:
    yield _outcome(side, item.place, other, found, name=item.type, words=" | ".join(item.words))
    for role, words, place in item.fillers:
        fault = MISSING if side == GOLD else SPURIOUS
        yield _outcome(side, place, None, RIGHT if (side, place) in right else fault, name=role, words=words)


def _outcome(side: Side, item: str, other: str | None, found: str, *, name: str, words: str) -> ItemOutcome:
    return outcome_of(side, item, other, found, place=name, value=words, why=_WHY[found])

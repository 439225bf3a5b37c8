"""The profile ``strings``: items agree if their types are equal and their strings have a form in common."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from itertools import product
from typing import NamedTuple

from lydite.align.ordered_pairs import best_pairs
from lydite.model import DocumentPair, Figures
from lydite.model.string_items import StringItems
from lydite.model.strings import normaliser
from lydite.model.verdict import GOLD, SYSTEM, Side
from lydite.tasks.figures import Hits
from lydite.tasks.outcomes import RIGHT, SPURIOUS, Compared, ItemOutcome, outcome_of

DUPLICATE = "duplicate"
MISSED = "missed"
WRONG = {"entities": "wrong-type", "relations": "wrong-relation"}
"""The cause of pairs whose strings agree and whose types do not."""


class FormItem(NamedTuple):
    """An item: its type, the normalised forms of its strings, its number and its words."""

    type: str
    forms: tuple[tuple[str, ...], ...]
    place: str
    words: str

    @property
    def first(self) -> tuple[str, ...]:
        """The first form of each string."""
        return tuple(forms[0] for forms in self.forms)

    def agrees(self, other: FormItem) -> bool:
        """Whether all strings have a form in common."""
        return all(
            not set(ours).isdisjoint(theirs) for ours, theirs in zip(self.forms, other.forms, strict=True)
        )


def items_of(items: StringItems, layer: str, steps: tuple[str, ...]) -> list[FormItem]:
    """The items of a layer, normalised."""
    normalise = normaliser(steps)

    def forms(strings: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(normalise, strings)) or ("",)

    if layer == "entities":
        return [
            FormItem(one.label, (forms(one.forms),), f"entities[{at}]", one.forms[0] if one.forms else "")
            for at, one in enumerate(items.entities)
        ]
    return [
        FormItem(
            one.type,
            (forms(one.head), forms(one.tail)),
            f"relations[{at}]",
            " | ".join((*one.head[:1], *one.tail[:1])),
        )
        for at, one in enumerate(items.relations)
    ]


def pair(gold: Sequence[FormItem], system: Sequence[FormItem], *, by_type: bool) -> list[tuple[int, int]]:
    """A largest one-to-one matching of items that agree, the first in order."""
    holders: dict[Hashable, set[int]] = {}
    for j, other in enumerate(system):
        for form in product(*other.forms):
            holders.setdefault((other.type if by_type else "", form), set()).add(j)
    worth = {}
    for i, one in enumerate(gold):
        for form in product(*one.forms):
            for j in holders.get((one.type if by_type else "", form), ()):
                worth[i, j] = (1,)
    return best_pairs(len(gold), len(system), dict(sorted(worth.items())))


def distinct(items: Sequence[FormItem], *, by_type: bool) -> list[int]:
    """The positions of items, of those with equal types and first forms only the first."""
    seen: dict[Hashable, int] = {}
    for at, one in enumerate(items):
        seen.setdefault((one.type if by_type else "", one.first), at)
    return list(seen.values())


def compare(
    documents: DocumentPair,
    gold: StringItems,
    system: StringItems,
    layer: str,
    steps: tuple[str, ...],
    *,
    counting: str,
) -> Compared:
    """Compare the entities or relations of a document."""
    sides = items_of(gold, layer, steps), items_of(system, layer, steps)
    whole, without = ("entity", "detection") if layer == "entities" else ("relation", "pair")
    kept = [_kept(side, counting, by_type=True) for side in sides]
    ours, theirs = ([side[at] for at in places] for side, places in zip(sides, kept, strict=True))
    pairs = pair(ours, theirs, by_type=True)
    of_type: dict[str, Hits] = {}
    for one in ours:
        of_type[one.type] = of_type.get(one.type, Hits()) + Hits(gold=1)
    for one in theirs:
        of_type[one.type] = of_type.get(one.type, Hits()) + Hits(system=1)
    for i, _ in pairs:
        of_type[ours[i].type] += Hits(correct=1)
    untyped = [[side[at] for at in _kept(side, counting, by_type=False)] for side in sides]
    found = len(pair(untyped[0], untyped[1], by_type=False))
    figures: dict[str, Figures | None] = {
        whole: Hits(len(pairs), len(ours), len(theirs)),
        without: Hits(found, len(untyped[0]), len(untyped[1])),
    }
    table = list(_outcomes(ours, theirs, pairs, WRONG[layer]))
    for side, items, places in ((GOLD, sides[0], kept[0]), (SYSTEM, sides[1], kept[1])):
        table += [
            _outcome(side, one, None, DUPLICATE) for at, one in enumerate(items) if at not in set(places)
        ]
    return Compared(documents, table, figures, {(whole, "type"): list(of_type.items())})


def _kept(items: Sequence[FormItem], counting: str, *, by_type: bool) -> list[int]:
    return distinct(items, by_type=by_type) if counting == "set" else list(range(len(items)))


_WHY = {
    RIGHT: "the other side has it, with the same type",
    "wrong-type": "the other side has these words with another label",
    "wrong-relation": "the other side has these ends with another type",
    MISSED: "no item of the system has these words, or all went to others",
    SPURIOUS: "no item of gold has these words, or all went to others",
    DUPLICATE: "an earlier item says the same, and such items count once",
}


def _outcomes(
    gold: Sequence[FormItem], system: Sequence[FormItem], pairs: Sequence[tuple[int, int]], wrong: str
) -> Iterator[ItemOutcome]:
    paired_gold, paired_system = {i for i, _ in pairs}, {j for _, j in pairs}
    left = (
        [at for at in range(len(gold)) if at not in paired_gold],
        [at for at in range(len(system)) if at not in paired_system],
    )
    rest = pair([gold[at] for at in left[0]], [system[at] for at in left[1]], by_type=False)
    found = [(i, j, RIGHT) for i, j in pairs] + [(left[0][i], left[1][j], wrong) for i, j in rest]
    of_gold = {i: (system[j].place, name) for i, j, name in found}
    of_system = {j: (gold[i].place, name) for i, j, name in found}
    for i, one in enumerate(gold):
        other, name = of_gold.get(i, (None, MISSED))
        yield _outcome(GOLD, one, other, name)
    for j, one in enumerate(system):
        other, name = of_system.get(j, (None, SPURIOUS))
        yield _outcome(SYSTEM, one, other, name)


def _outcome(side: Side, item: FormItem, other: str | None, found: str) -> ItemOutcome:
    return outcome_of(side, item.place, other, found, place=item.type, value=item.words, why=_WHY[found])

"""Why each element is worth what it is worth, and what else it could have been mapped to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from lydite.errors import UsageError
from lydite.model import Document
from lydite.model.ace import ENTITY, KINDS, LAYER
from lydite.model.ace_alignment import ElementOutcome, Occurrence
from lydite.model.verdict import (
    GOLD,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Rival,
    Side,
    Verdict,
    uncounted,
)
from lydite.model.word_text import Ranges
from lydite.tasks.ace import mends
from lydite.tasks.ace.diagnosis import why as reasons_of
from lydite.tasks.ace.measurements import MENTION_SECTIONS, DocumentView, headline, kind_of
from lydite.tasks.ace.settings import AceSettings

CAUSES = {
    "right": "mapped, and nothing was lost",
    "attribute-error": "mapped, and an attribute differs",
    "mention-errors": "mapped, the attributes agree, and mentions or arguments are missed, wrong or in excess",
    "mapped-for-less": "mapped, but another element would have served it better; the total would be less",
    "missed": "a gold element that nothing was mapped to in this document",
    "spurious": "a system element that was mapped to nothing in gold",
    "mapped-to-none-by-cost": "something of it matches gold, but what the best pair is worth is not positive",
    "left-out": "not counted: its type or document is not scored, or it belongs to no target",
}
"""Every cause that an element can have."""

NOTHING_LOST = 1e-9
"""Costs below this come from the small bonus for overlap."""


def verdicts(explained: Explained[DocumentView], settings: AceSettings) -> Iterator[Verdict]:
    """A verdict for every element of the headline's kind, of both sides, that the document has."""
    return _of_section(headline(settings).measurement, explained)


def _measured(section: str, explained: Explained[DocumentView], settings: AceSettings) -> Iterator[Verdict]:
    """A verdict for every element of another kind, or for every mention as an element, where they are measured."""
    if kind_of(section) not in settings.kinds or section not in explained.comparison.whole.sections:
        hint = "--mentions measures mentions as elements" if section in MENTION_SECTIONS else None
        raise UsageError(f"--measurement {section}: it is not measured", hint=hint)
    return _of_section(section, explained)


def _of_section(section: str, explained: Explained[DocumentView]) -> Iterator[Verdict]:
    judge = _Judge(section, explained)
    yield from judge.outcomes(GOLD)
    yield from judge.uncounted(GOLD, explained.gold)
    yield from judge.outcomes(SYSTEM)
    yield from judge.uncounted(SYSTEM, explained.system)


class _Judge:
    """Judges the elements of one kind, or the mentions as elements, of one document."""

    def __init__(self, name: str, explained: Explained[DocumentView]) -> None:
        view = explained.comparison
        self.doc_id = explained.doc_id
        self.name, self.what = name, name.replace("mention_", "mention of ")
        self.section = view.whole.sections.get(name)
        self.scored = self.section is not None and self.section.in_gold
        self.found = view.outcomes(name) if self.scored else ()
        self.system_of = {} if self.section is None else self.section.partner
        self.gold_of = {system: gold for gold, system in self.system_of.items()}
        near = self.section.near(self.doc_id) if self.section else {}
        self.near: dict[str, dict[str, float]] = {}
        self.near_gold: dict[str, dict[str, float]] = {}
        """What an element of either side could be paired with, by its id; the best pair comes first."""
        for (gold, system), value in sorted(near.items(), key=lambda entry: (-entry[1], entry[0])):
            self.near.setdefault(gold, {})[system] = value
            self.near_gold.setdefault(system, {})[gold] = value

    def outcomes(self, side: Side) -> Iterator[Verdict]:
        """The elements of a side that count, or that count for nothing."""
        for outcome in self.found:
            own = outcome.gold if side == GOLD else outcome.system
            if own is None:
                continue
            if outcome.status == "free":
                yield _left_out(self.doc_id, side, own.element, "it belongs to no target (targets)")
            elif side == GOLD:
                yield self._of_gold(outcome, own)
            elif outcome.status == "miss":
                why = "mapped, but the two differ too much here: it neither counts nor costs"
                yield _left_out(self.doc_id, side, own.element, why)
            else:
                yield self._of_system(outcome, own)

    def _of_gold(self, outcome: ElementOutcome, own: Occurrence) -> Verdict:
        if outcome.status == "miss":
            cause, why = "missed", self._why_missed(outcome, own)
        else:
            cause, why = self._mapped(outcome, own)
        credit = outcome.maximum - outcome.cost
        return self._verdict(GOLD, own, outcome.system, (cause, why), (credit, outcome.cost))

    def _of_system(self, outcome: ElementOutcome, own: Occurrence) -> Verdict:
        if outcome.gold is None:
            said = self._why_spurious(own)
            return self._verdict(SYSTEM, own, None, said, (-outcome.cost, outcome.cost))
        said = self._mapped(outcome, outcome.gold)
        kept = outcome.maximum - outcome.cost
        return self._verdict(SYSTEM, own, outcome.gold, said, (kept, outcome.cost))

    def _mapped(self, outcome: ElementOutcome, gold: Occurrence) -> tuple[str, str]:
        assert outcome.system is not None
        partner = outcome.system.element
        kept = f"{gold.element} and {partner} are mapped: {outcome.maximum - outcome.cost:.3f} of {outcome.maximum:.3f} kept"
        reasons = reasons_of(outcome)
        if abs(outcome.cost) <= NOTHING_LOST and outcome.status == "correct":
            return "right", kept
        better = self._better(gold.element, partner)
        if better is not None:
            name, value = better
            return "mapped-for-less", f"{kept}; {name} would be worth {value:.3f} here, but the total less"
        said = "; ".join(reasons[:4]) or "its value is less than gold's"
        more = f"; {len(reasons) - 4} more" if len(reasons) > 4 else ""
        if _attributes_differ(outcome) or outcome.attribute_cost > NOTHING_LOST:
            return "attribute-error", f"{kept}: {said}{more}"
        counts = _counts(outcome)
        return "mention-errors", f"{kept}: {counts or said}{'' if counts else more}"

    def _better(self, gold: str, partner: str) -> tuple[str, float] | None:
        near = self.near.get(gold, {})
        best = _first(near)
        return best if best and partner in near and best[1] > near[partner] + NOTHING_LOST else None

    def _why_missed(self, outcome: ElementOutcome, own: Occurrence) -> str:
        if outcome.system is not None:
            return f"{own.element} is mapped to {outcome.system.element}, but the two differ too much here to count"
        partner = self.system_of.get(own.element)
        if partner is not None:
            return f"{own.element} is mapped to {partner}, which the system does not have here"
        best = _first(self.near.get(own.element, {}))
        if best is None:
            return f"no system {self.what} matches anything of {own.element}"
        name, value = best
        went = f"is mapped to {self.gold_of.get(name) or 'nothing'}"
        return f"{name} matches something of it (worth {value:.3f}), but {went}"

    def _why_spurious(self, own: Occurrence) -> tuple[str, str]:
        best = _first(self.near_gold.get(own.element, {}))
        if best is None:
            return "spurious", f"no gold {self.what} matches anything of {own.element}"
        name, value = best
        if value <= 0:
            return "mapped-to-none-by-cost", f"with {name}, its best pair, it would be worth {value:.3f}"
        went = f"is mapped to {self.system_of.get(name) or 'nothing'}"
        return "spurious", f"with {name} it would be worth {value:.3f}, but that {went}"

    def _verdict(
        self,
        side: Side,
        own: Occurrence,
        other: Occurrence | None,
        said: tuple[str, str],
        worth: tuple[float, float],
    ) -> Verdict:
        cause, why = said
        credit, lost = worth  # what was kept, and what was lost
        near, taken = (self.near, self.gold_of) if side == GOLD else (self.near_gold, self.system_of)
        partner = None if other is None else other.element
        rivals = tuple(
            Rival(name, value, taken.get(name))
            for name, value in near.get(own.element, {}).items()
            if name != partner
        )
        return Verdict(
            self.doc_id,
            side,
            own.element,
            partner,
            cause,
            credit,
            lost,
            why,
            rivals,
            own.line,
            own.attributes.get("TYPE", ""),
            next((mention.extent.text for mention in own.mentions if mention.extent.text), ""),
            {"level": own.attributes.get("LEVEL", ""), "subtype": own.attributes.get("SUBTYPE", "")},
            _ranges(own),
        )

    def uncounted(self, side: Side, document: Document) -> Iterator[Verdict]:
        """What the document has of the kind and no outcome tells of."""
        told = {
            own.element
            for outcome in self.found
            for own in (outcome.gold if side == GOLD else outcome.system,)
            if own is not None
        }
        for item in _items(self.name, document):
            if item not in told:
                why = (
                    f"its type or this occurrence of {item} is not scored "
                    "(entity-types, targets, score-non-named-entities)"
                )
                if not self.scored:
                    why = f"gold has no {self.what} at all, and nothing is scored"
                yield _left_out(self.doc_id, side, item, why)


def _first(near: Mapping[str, float]) -> tuple[str, float] | None:
    return next(iter(near.items()), None)


def _items(section: str, document: Document) -> Iterator[str]:
    """The ids of the elements of a kind, or of their mentions, in a document as it was read."""
    for element in document.layers.get(LAYER, ()):
        if element.kind == kind_of(section):
            if section in MENTION_SECTIONS:
                yield from (mention.id for mention in element.mentions)
            else:
                yield element.id


def _ranges(own: Occurrence) -> Ranges:
    """The characters of its mentions, heads where they have one; sounds and pictures have none."""
    return tuple(sorted(range_ for mention in own.mentions for range_ in mention.place.characters))


def _attributes_differ(outcome: ElementOutcome) -> bool:
    """Whether it is an error of attributes; a relation or an event is one of its arguments too."""
    if outcome.arguments is None:
        return outcome.status == "error"
    assert outcome.gold is not None
    assert outcome.system is not None
    return outcome.gold.attributes != outcome.system.attributes


def _counts(outcome: ElementOutcome) -> str:
    """How many mentions, or arguments, were missed, in excess, or paired with something wrong about them."""
    assert outcome.gold is not None
    assert outcome.system is not None
    if outcome.arguments is not None:
        pairs = outcome.arguments.pairs
        return _list_counts(
            "arguments",
            {
                "missed": outcome.arguments.gold_count - len(pairs),
                "in excess": outcome.arguments.system_count - len(pairs),
                "in another role": sum(pair[0] != pair[2] for pair in pairs),
            },
        )
    paired = len(outcome.mentions)
    wrong = sum(
        (one.type, one.role, one.style) != (other.type, other.role, other.style)
        for one, other in (
            (outcome.gold.mentions[i], outcome.system.mentions[j]) for i, j in outcome.mentions
        )
    )
    return _list_counts(
        "mentions",
        {
            "missed": len(outcome.gold.mentions) - paired,
            "in excess": len(outcome.system.mentions) - paired,
            "with another type, role or style": wrong,
        },
    )


def _list_counts(what: str, numbers: Mapping[str, int]) -> str:
    said = [f"{count} {name}" for name, count in numbers.items() if count]
    return f"{what}: {', '.join(said)}" if said else ""


_left_out = partial(uncounted, nothing=0.0)


def left_out(
    document: Document, side: Side, settings: AceSettings, section: str | None = None
) -> Iterator[Verdict]:
    """The elements of the headline's kind, or of a section, in a document that is not scored."""
    why = (
        f"gold has no document {document.doc_id}"
        if side == SYSTEM
        else f"no target is in {document.doc_id} (targets)"
    )
    for item in _items(section or headline(settings).measurement, document):
        yield _left_out(document.doc_id, side, item, why)


def _confusion(attribute: str, view: DocumentView, settings: AceSettings) -> Iterator[Confusion]:
    for outcome in view.outcomes(headline(settings).measurement):
        if outcome.status == "free":
            continue
        gold = None if outcome.gold is None else outcome.gold.attributes.get(attribute) or "(none)"
        system = None if outcome.system is None else outcome.system.attributes.get(attribute) or "(none)"
        if outcome.status == "miss":
            system = None
        yield gold, system


EXPLAINER = Explainer(
    causes=CAUSES,
    headline=Judge(verdicts, left_out),
    faults=lambda settings: mends.FAULTS if headline(settings).measurement == ENTITY else (),
    find_faults_of_corpora=mends.find_faults,
    confusions={
        "type": partial(_confusion, "TYPE"),
        "subtype": partial(_confusion, "SUBTYPE"),
    },
    measurements={
        name: Judge(partial(_measured, name), partial(left_out, section=name))
        for name in (*KINDS, *MENTION_SECTIONS)
        if name != ENTITY
    },
)

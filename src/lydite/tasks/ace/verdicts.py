"""Why each element earned what it did, and what else it could have been mapped to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from lydite.errors import UsageError
from lydite.model import Document
from lydite.model.ace import ENTITY, KINDS, LAYER
from lydite.model.ace_alignment import ElementOutcome, Occurrence
from lydite.model.ace_settings import AceSettings
from lydite.model.outcome import FILTERED, Outcome, confused_values
from lydite.model.outcome import left_out as left_out_item
from lydite.model.verdict import (
    GOLD,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Rival,
    Side,
)
from lydite.tasks.ace import corrections
from lydite.tasks.ace.diagnosis import reasons_for_loss
from lydite.tasks.ace.measurements import MENTION_SECTIONS, DocumentView, headline, kind_of, outcomes_in

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


def outcomes(
    explained: Explained[DocumentView], settings: AceSettings, *, section: str | None = None
) -> Iterator[Outcome]:
    """The outcomes of the elements of the headline's kind, or of another section, which must be measured."""
    view = explained.comparison
    if section is None:
        section = headline(settings).measurement
    elif kind_of(section) not in settings.kinds or section not in view.whole.sections:
        hint = "--mentions measures mentions as elements" if section in MENTION_SECTIONS else None
        raise UsageError(f"--measurement {section}: it is not measured", hint=hint)
    elements = _ElementOutcomes(section, explained)
    for side, document in ((GOLD, explained.gold), (SYSTEM, explained.system)):
        yield from elements.of_side(side)
        yield from elements.uncounted(side, document)


class _ElementOutcomes:
    """Makes the outcomes of the elements of one kind, or of the mentions as elements, of one document."""

    def __init__(self, name: str, explained: Explained[DocumentView]) -> None:
        view = explained.comparison
        self.name, self.noun = name, name.replace("mention_", "mention of ")
        self.section = view.whole.sections.get(name)
        self.is_scored = self.section is not None and self.section.in_gold
        self.found = view.outcomes(name)
        self.rows = outcomes_in(view, name) if self.is_scored else []
        self.system_of = self.section.partner if self.section else {}
        self.gold_of = self.section.gold_of if self.section else {}
        values = self.section.candidate_values(explained.doc_id) if self.section else {}
        self.candidates_of_gold: dict[str, dict[str, float]] = {}
        self.candidates_of_system: dict[str, dict[str, float]] = {}
        """By element of either side, the elements that it could be mapped to, with the values of the pairs, best first."""
        for (gold, system), value in sorted(values.items(), key=lambda entry: (-entry[1], entry[0])):
            self.candidates_of_gold.setdefault(gold, {})[system] = value
            self.candidates_of_system.setdefault(system, {})[gold] = value

    def of_side(self, side: Side) -> Iterator[Outcome]:
        """The outcomes of the elements of a side."""
        for row in self.rows:
            if row.side != side or row.item is None:
                continue
            outcome = self.found[row.item]
            own = outcome.gold if side == GOLD else outcome.system
            assert own is not None
            if row.status == FILTERED:
                why = "mapped, but the two differ too much here: it neither counts nor costs"
                if outcome.status == "free":
                    why = "it belongs to no target, or to one that is not scored in this document (targets)"
                yield left_out_item(side, own.element, why, nothing=0.0)._replace(item=row.item)
            else:
                yield self._explained(row, own, outcome)

    def _cause_of_mapped(self, outcome: ElementOutcome, gold: Occurrence) -> tuple[str, str]:
        assert outcome.system is not None
        partner = outcome.system.element
        kept = f"{gold.element} and {partner} are mapped and keep {outcome.maximum - outcome.cost:.3f} of {outcome.maximum:.3f}"
        if abs(outcome.cost) <= NOTHING_LOST and outcome.status == "correct":
            return "right", kept
        values = self.candidates_of_gold.get(gold.element, {})
        name, value = _best(values) or ("", 0.0)
        if partner in values and value > values[partner] + NOTHING_LOST:
            return "mapped-for-less", f"{kept}; {name} would be worth {value:.3f} here, but the total less"
        reasons = reasons_for_loss(outcome)
        listed = "; ".join(reasons[:4]) or "its value is less than gold's"
        if len(reasons) > 4:
            listed += f"; {len(reasons) - 4} more"
        if _attributes_differ(outcome) or outcome.attribute_cost > NOTHING_LOST:
            return "attribute-error", f"{kept}: {listed}"
        return "mention-errors", f"{kept}: {_part_errors(outcome) or listed}"

    def _why_missed(self, outcome: ElementOutcome, own: Occurrence) -> str:
        if outcome.system is not None:
            return f"{own.element} is mapped to {outcome.system.element}, but the two differ too much here to count"
        partner = self.system_of.get(own.element)
        if partner is not None:
            return f"{own.element} is mapped to {partner}, which the system does not have here"
        best = _best(self.candidates_of_gold.get(own.element, {}))
        if best is None:
            return f"no system {self.noun} matches anything of {own.element}"
        name, value = best
        went = f"is mapped to {self.gold_of.get(name) or 'nothing'}"
        return f"{name} matches something of it (worth {value:.3f}), but {went}"

    def _why_spurious(self, own: Occurrence) -> tuple[str, str]:
        best = _best(self.candidates_of_system.get(own.element, {}))
        if best is None:
            return "spurious", f"no gold {self.noun} matches anything of {own.element}"
        name, value = best
        if value <= 0:
            return "mapped-to-none-by-cost", f"with {name}, its best pair, it would be worth {value:.3f}"
        went = f"is mapped to {self.system_of.get(name) or 'nothing'}"
        return "spurious", f"with {name} it would be worth {value:.3f}, but that {went}"

    def _explained(self, row: Outcome, own: Occurrence, outcome: ElementOutcome) -> Outcome:
        if outcome.gold is None:
            cause, why = self._why_spurious(own)
        elif outcome.status == "miss":
            cause, why = "missed", self._why_missed(outcome, own)
        else:
            cause, why = self._cause_of_mapped(outcome, outcome.gold)
        is_gold = row.side == GOLD
        other = outcome.system if is_gold else outcome.gold
        candidates = self.candidates_of_gold if is_gold else self.candidates_of_system
        partners = self.gold_of if is_gold else self.system_of
        partner = None if other is None else other.element
        return row._replace(
            credit=outcome.maximum - outcome.cost,
            lost=outcome.cost,
            cause=cause,
            why=why,
            partner_name=partner,
            rivals=tuple(
                Rival(name, value, partners.get(name))
                for name, value in candidates.get(own.element, {}).items()
                if name != partner
            ),
            line=own.line,
            type=own.attributes.get("TYPE", ""),
            text=next((mention.extent.text for mention in own.mentions if mention.extent.text), ""),
            traits={"level": own.attributes.get("LEVEL", ""), "subtype": own.attributes.get("SUBTYPE", "")},
            # The characters of its mentions, or of their heads; none for sounds and pictures.
            place=tuple(sorted(range_ for mention in own.mentions for range_ in mention.place.characters)),
        )

    def uncounted(self, side: Side, document: Document) -> Iterator[Outcome]:
        """The outcomes of the elements of the document that were not mapped."""
        mapped = {row.name for row in self.rows if row.side == side}
        for item in _element_ids(self.name, document):
            if item not in mapped:
                why = (
                    f"its type or this occurrence of {item} is not scored "
                    "(entity-types, targets, score-non-named-entities)"
                )
                if not self.is_scored:
                    why = f"gold has no {self.noun} at all, and nothing is scored"
                yield left_out_item(side, item, why, nothing=0.0)


def _best(candidates: Mapping[str, float]) -> tuple[str, float] | None:
    return next(iter(candidates.items()), None)


def _element_ids(section: str, document: Document) -> Iterator[str]:
    """The ids of the elements of a kind, or of their mentions, in a document as it was read."""
    for element in document.layers.get(LAYER, ()):
        if element.kind == kind_of(section):
            if section in MENTION_SECTIONS:
                yield from (mention.id for mention in element.mentions)
            else:
                yield element.id


def _attributes_differ(outcome: ElementOutcome) -> bool:
    """Whether an attribute differs; the status of relations and events does not tell, since arguments count, too."""
    if outcome.arguments is None:
        return outcome.status == "error"
    assert outcome.gold is not None
    assert outcome.system is not None
    return outcome.gold.attributes != outcome.system.attributes


def _part_errors(outcome: ElementOutcome) -> str:
    """How many mentions, or arguments, were missed, in excess, or paired with something wrong about them."""
    assert outcome.gold is not None
    assert outcome.system is not None
    if outcome.arguments is not None:
        parts, error, pairs = "arguments", "in another role", outcome.arguments.pairs
        paired, wrong = len(pairs), sum(pair[0] != pair[2] for pair in pairs)
        gold_count, system_count = outcome.arguments.gold_count, outcome.arguments.system_count
    else:
        parts, error, paired = "mentions", "with another type, role or style", len(outcome.mentions)
        ours, theirs = outcome.gold.mentions, outcome.system.mentions
        mentions = ((ours[i], theirs[j]) for i, j in outcome.mentions)
        wrong = sum((a.type, a.role, a.style) != (b.type, b.role, b.style) for a, b in mentions)
        gold_count, system_count = len(ours), len(theirs)
    counts = {"missed": gold_count - paired, "in excess": system_count - paired, error: wrong}
    listed = [f"{count} {name}" for name, count in counts.items() if count]
    return f"{parts}: {', '.join(listed)}" if listed else ""


def left_out(
    document: Document, side: Side, settings: AceSettings, section: str | None = None
) -> Iterator[Outcome]:
    """The elements of the headline's kind, or of a section, in a document that is not scored."""
    why = (
        f"gold has no document {document.doc_id}"
        if side == SYSTEM
        else f"no target is in {document.doc_id} (targets)"
    )
    for item in _element_ids(section or headline(settings).measurement, document):
        yield left_out_item(side, item, why, nothing=0.0)


def _confusion(attribute: str, view: DocumentView, settings: AceSettings) -> Iterator[Confusion]:
    section = headline(settings).measurement
    found = view.outcomes(section)
    gold, system = (
        ["" if own is None else own.attributes.get(attribute) or "(none)" for own in side]
        for side in ([one.gold for one in found], [one.system for one in found])
    )
    return confused_values(outcomes_in(view, section), gold, system)


EXPLAINER = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=lambda settings: corrections.FAULTS if headline(settings).measurement == ENTITY else (),
    find_faults_of_corpora=corrections.find_faults,
    confusions={"type": partial(_confusion, "TYPE"), "subtype": partial(_confusion, "SUBTYPE")},
    measurements={
        name: Judge(partial(outcomes, section=name), partial(left_out, section=name))
        for name in (*KINDS, *MENTION_SECTIONS)
        if name != ENTITY
    },
)

"""Relations and events: valued by their arguments, paired argument by argument, mapped like elements."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

from lydite.align.ace_assignment import assign
from lydite.align.ace_elements import ElementPairs, Elements, Preferred, align_kind, assign_elements
from lydite.align.ace_regions import overlap_candidates
from lydite.align.ace_sides import frame_worth
from lydite.align.ace_sums import added_in_order
from lydite.grouping import grouped
from lydite.model.ace import ENTITY, EVENT, RELATION, overlap
from lydite.model.ace_alignment import ArgumentPairs, CorpusElement, ElementOutcome, KindAlignment, Occurrence
from lydite.model.ace_settings import EPSILON, AceSettings

Argument = tuple[str, str]
"""A role and the id of its filler."""

ArgumentPair = tuple[Argument, Argument]

ARGS = frozenset({"Arg-1", "Arg-2", "Arg"})


class Fillers:
    """The fillers of arguments: pairs of elements of each kind, their mapping, and the element of each promoted mention.

    In ``mention_scoring`` a filler pair with any value earns the whole value of the gold filler, and gold and system
    fillers need not be mapped to each other.  System fillers of ``worthless`` kinds are worth nothing.
    """

    def __init__(
        self,
        pairs: Sequence[ElementPairs],
        mapped: Mapping[str, str],
        host: Mapping[str, str],
        parameters: AceSettings,
        *,
        mention_scoring: bool = False,
        worthless: frozenset[str] = frozenset(),
    ) -> None:
        self.mapped = mapped
        self.host = host
        self.mention_scoring = mention_scoring
        self.parameters = parameters
        self._parts = {filler: part for part in pairs for filler in part.gold}
        self._gold = {filler: element for part in pairs for filler, element in part.gold.items()}
        self._system = {
            filler: element
            for part in pairs
            if part.kind not in worthless
            for filler, element in part.system.items()
        }
        self._values: dict[tuple[str, str], dict[str, float]] = {}
        self._credits: dict[tuple[str, str], Mapping[str, float]] = {}
        self._candidates: dict[str, dict[str, None]] = {}
        if mention_scoring or parameters.allow_wrong_mapping:
            for part in pairs:
                for _, gold_id, system_id in part.candidate_pairs():
                    self._candidates.setdefault(gold_id, {})[system_id] = None

    def under(self, mapped: Mapping[str, str]) -> Fillers:
        """The same fillers under another mapping, on which no value of a pair depends."""
        fillers = copy(self)
        fillers.mapped = mapped
        return fillers

    def candidates(self, filler: str) -> Iterable[str]:
        """The system fillers that a gold filler may be paired with."""
        if self.mention_scoring or self.parameters.allow_wrong_mapping:
            return self._candidates.get(filler, ())
        partner = self.mapped.get(filler)
        return () if partner is None else (partner,)

    def gold_value(self, filler: str, doc_id: str) -> float:
        """A(x, d) of a gold filler; 0 where it does not occur."""
        return _own_value(self._gold.get(filler), doc_id)

    def system_value(self, filler: str, doc_id: str) -> float:
        """A(x, d) of a system filler; 0 where it does not occur."""
        return _own_value(self._system.get(filler), doc_id)

    def values(self, gold_id: str, system_id: str) -> Mapping[str, float]:
        """V(a, b, d) by document, where it is defined and not 0."""
        known = self._values.get((gold_id, system_id))
        if known is None:
            known = self._values[gold_id, system_id] = self._compute_values(gold_id, system_id)
        return known

    def credits(self, gold_id: str, system_id: str) -> Mapping[str, float]:
        """By document, what a pair earns: its value, or in mention scoring the value of the gold filler."""
        if not self.mention_scoring:
            return self.values(gold_id, system_id)
        known = self._credits.get((gold_id, system_id))
        if known is None:
            known = self._credits[gold_id, system_id] = {
                doc_id: self.gold_value(gold_id, doc_id) for doc_id in self.values(gold_id, system_id)
            }
        return known

    def _compute_values(self, gold_id: str, system_id: str) -> dict[str, float]:
        part = self._parts.get(gold_id)
        if part is None or system_id not in part.system:
            return {}
        found: dict[str, float] = {}
        for doc_id, occurrence in part.gold[gold_id].occurrences.items():
            pair = part.value(gold_id, system_id, doc_id)
            value = self._valuation(part, occurrence, pair.value, pair.worth) if pair is not None else 0.0
            if value:
                found[doc_id] = value
        return found

    def _valuation(self, part: ElementPairs, gold: Occurrence, value: float, worth: float) -> float:
        how = self.parameters.arg_valuation
        if part.kind != ENTITY or how == "both":
            return value
        if how == "attributes":
            return worth * self.parameters.entity["mention-type"].get(gold.attributes["LEVEL"], 0.0)
        return gold.worth * value / worth if how == "mentions" else gold.value


def _own_value(element: CorpusElement | None, doc_id: str) -> float:
    occurrence = None if element is None else element.occurrences.get(doc_id)
    return 0.0 if occurrence is None else occurrence.value


@dataclass(frozen=True, slots=True, eq=False)
class FramePair:
    """A gold and a system relation or event that may be mapped: their argument map, and V by document.

    ``has_map`` says whether any two arguments could be joined; the best map can be empty all the same.
    """

    arguments: tuple[ArgumentPair, ...]
    has_map: bool
    worth: float
    values: dict[str, float]
    total: float


class ComparedFrames:
    """The values of pairs of relations or events by document, sorted by document on first use."""

    def __init__(self, compared: Mapping[tuple[str, str], FramePair]) -> None:
        self._compared = compared
        self._by_document: dict[str, dict[tuple[str, str], float]] = {}

    def __call__(self, doc_id: str) -> Mapping[tuple[str, str], float]:
        """The pairs that occur together in a document, with their values."""
        if not self._by_document:
            for pair, frame in self._compared.items():
                for place, value in frame.values.items():
                    self._by_document.setdefault(place, {})[pair] = value
        return self._by_document.get(doc_id, {})


class Frames:
    """All relations, or all events, of both sides.

    In mention scoring events must overlap, and ``stretches``, where they are given, ask that the stretches between the
    heads of the two arguments of relation mentions overlap or touch.
    """

    def __init__(
        self,
        kind: str,
        gold: Elements,
        system: Elements,
        fillers: Fillers,
        *,
        stretches: tuple[Mapping[str, tuple[float, float]], Mapping[str, tuple[float, float]]] | None = None,
    ) -> None:
        self.kind, self.fillers, self.parameters = kind, fillers, fillers.parameters
        self.weights = self.parameters.weights[kind]
        required = self.parameters.mention_overlap_required
        self.overlap_required = kind == EVENT if fillers.mention_scoring else required
        self.stretches = stretches
        self.gold = self._with_values(gold, fillers.gold_value)
        self.system = self._with_values(system, fillers.system_value)

    def _with_values(self, elements: Elements, own: Callable[[str, str], float]) -> dict[str, CorpusElement]:
        """Value(R, d) = v(R, R) (Σ A(x, d) + eps · mentions in d), and the false alarm −w Value.

        With the geometric mean Σ A is the mean of all A(x, d), as in the value of a pair, so that gold keeps all of its value.
        """
        valued: dict[str, CorpusElement] = {}
        for element in elements.values():
            occurrences: dict[str, Occurrence] = {}
            for doc_id, occurrence in element.occurrences.items():
                worth = frame_worth(self.kind, occurrence.attributes, occurrence.attributes, self.parameters)
                own_values = [own(filler, doc_id) for _, filler in element.arguments]
                arguments = self._combine(own_values, len(own_values))
                value = worth * (arguments + EPSILON * len(occurrence.mentions))
                alarm = -self.weights["false-alarm"] * value
                occurrences[doc_id] = occurrence._replace(
                    worth=worth, value=value, false_alarm=alarm, map_false_alarm=alarm
                )
            valued[element.id] = element._replace(occurrences=occurrences)
        return valued

    def _combine(self, scores: Sequence[float], count: int) -> float:
        """The sum of the scores, or their geometric mean over ``count`` arguments: 0 if one is missing or ≤ 0."""
        if self.parameters.argument_average == "arithmetic":
            return added_in_order(scores)
        if len(scores) < count or not all(score > 0 for score in scores):
            return 0.0
        return math.exp(math.fsum(map(math.log, scores)) / count) if count else 0.0

    def candidates(self) -> Iterable[tuple[str, str]]:
        """Gold and system elements of a common document that share a filler, or whose extents may overlap."""
        by_filler: dict[str, dict[str, None]] = {}
        by_document = grouped((doc_id, one.id) for one in self.system.values() for doc_id in one.occurrences)
        for element in self.system.values():
            for _, filler in element.arguments:
                by_filler.setdefault(filler, {})[element.id] = None
        for element in self.gold.values():
            found: dict[str, None] = {}
            for _, filler in element.arguments:
                for candidate in self.fillers.candidates(filler):
                    found.update(by_filler.get(candidate, {}))
            if not element.arguments or self.parameters.argscore_required == "0":
                for doc_id in element.occurrences:
                    found.update(dict.fromkeys(by_document.get(doc_id, ())))
            for other in found:
                if not element.occurrences.keys().isdisjoint(self.system[other].occurrences):
                    yield element.id, other

    def compare(self, gold_id: str, system_id: str) -> FramePair | None:
        """The argument map of a pair and its value in every document; None if the two cannot be mapped."""
        gold, system = self.gold[gold_id], self.system[system_id]
        worth, arguments, has_map = self._join_arguments(gold, system)
        if not self._can_be_mapped(gold, system, arguments, has_map=has_map):
            return None
        if self.parameters.exchanged_arguments == "wrong-type":
            one, other = (next(iter(element.occurrences.values())) for element in (gold, system))
            worth *= self._swap_factor(one.attributes, other.attributes, arguments)
        values: dict[str, float] = {}
        defined = False
        for doc_id in system.occurrences:
            if doc_id not in gold.occurrences and not self.parameters.absent_documents_cost:
                continue
            value, has_match = self._value(gold, system, doc_id, worth, arguments)
            free = not has_match and doc_id in gold.occurrences and self.parameters.no_overlap_is_free
            values[doc_id] = 0.0 if free else value
            defined = defined or has_match
        if not defined:
            return None
        in_both = [value for doc_id, value in values.items() if doc_id in gold.occurrences]
        others = [value for doc_id, value in values.items() if doc_id not in gold.occurrences]
        return FramePair(arguments, has_map, worth, values, added_in_order([*in_both, *others]))

    def _join_arguments(
        self, gold: CorpusElement, system: CorpusElement
    ) -> tuple[float, tuple[ArgumentPair, ...], bool]:
        """v(R, S), the argument map of a pair with a document in common, and whether any two arguments could be joined."""
        common = next(doc_id for doc_id in gold.occurrences if doc_id in system.occurrences)
        one, other = gold.occurrences[common], system.occurrences[common]
        worth = frame_worth(self.kind, one.attributes, other.attributes, self.parameters)
        gains = self._argument_gains(gold, system, worth, other.worth)
        return worth, self._argument_map(gains), bool(gains)

    def rho(self, gold_role: str, system_role: str, gold_type: str, *, in_map: bool) -> float:
        """The share that an argument keeps if its role differs."""
        if gold_role == system_role:
            return 1.0
        if self.kind == RELATION and gold_role in {"Arg-1", "Arg-2"}:
            if self.parameters.exchanged_arguments == "wrong-type" and system_role in ARGS:
                return 1.0
            if not in_map and self._may_exchange(gold_role, system_role, gold_type):
                return 1.0
            return self.weights.get("asymmetry-error", self.weights["argument-role-error"])
        return self.weights["argument-role-error"]

    def _argument_gains(
        self, gold: CorpusElement, system: CorpusElement, worth: float, system_worth: float
    ) -> dict[ArgumentPair, float]:
        """The pairs of arguments that may be joined, with the gain of each."""
        by_filler = grouped((argument[1], argument) for argument in system.arguments)
        gains: dict[ArgumentPair, float] = {}
        for one in gold.arguments:
            for candidate in self.fillers.candidates(one[1]):
                for other in by_filler.get(candidate, ()):
                    if self._may_join(one[0], other[0]) and self._shared_values(one[1], candidate, system):
                        pair = one[::-1], other[::-1]
                        gains[pair] = self._argument_gain(gold, system, (one, other), worth, system_worth)
        return gains

    def _may_join(self, gold_role: str, system_role: str) -> bool:
        """Whether the roles may be joined: where an exchange is a wrong type, Arg-1 and Arg-2 only with each other."""
        only_args = self.parameters.exchanged_arguments == "wrong-type" and self.kind == RELATION
        return not only_args or (gold_role in ARGS) == (system_role in ARGS)

    def _may_exchange(self, gold_role: str, system_role: str, gold_type: str) -> bool:
        """Whether the arguments of this symmetric relation are right in either role."""
        return (
            self.parameters.exchanged_arguments == "right-if-symmetric"
            and gold_role in ARGS
            and system_role in ARGS
            and gold_type in self.parameters.symmetric
        )

    def _shared_values(self, gold_filler: str, system_filler: str, system: CorpusElement) -> list[float]:
        """V(a, b, d) in the documents of the system element."""
        by_pair_value = self.parameters.mention_argument_map_by_pair_value
        values = (self.fillers.values if by_pair_value else self.fillers.credits)(gold_filler, system_filler)
        return [values[doc_id] for doc_id in system.occurrences if doc_id in values]

    def _argument_gain(
        self,
        gold: CorpusElement,
        system: CorpusElement,
        pair: ArgumentPair,
        worth: float,
        system_worth: float,
    ) -> float:
        """The gain of a pair in the argument map.

        w v(S,S) Σ A(b) + rho v(R,S) Σ V, in the order of the program's steps; by role weight: (rho + w') Σ V, where a swap of
        Arg-1 and Arg-2 is a wrong type and subtype.
        """
        (gold_role, gold_filler), (system_role, system_filler) = pair
        one, other = (next(iter(element.occurrences.values())).attributes for element in (gold, system))
        value = added_in_order(self._shared_values(gold_filler, system_filler, system))
        rho = self.rho(gold_role, system_role, one.get("TYPE", ""), in_map=True)
        if self.parameters.argument_map == "role-weight":
            rho *= self._swap_factor(one, other, (pair,), kept=1 - EPSILON)
            return (rho + self.weights.get("argument-false-alarm", 0.0)) * value
        own = added_in_order(
            self.fillers.system_value(system_filler, doc_id) for doc_id in system.occurrences
        )
        return self.weights["false-alarm"] * own * system_worth + value * rho * worth

    def _argument_map(self, gains: Mapping[ArgumentPair, float]) -> tuple[ArgumentPair, ...]:
        chosen = assign(
            gains,
            lone_takes_any="system" if self.parameters.lone_gold_takes_any_partner else "",
            one_spare=self.parameters.one_spare_partner,
            one_table=True,
        )
        return tuple((one[::-1], other[::-1]) for one, other in chosen)

    def _can_be_mapped(
        self, gold: CorpusElement, system: CorpusElement, arguments: Sequence[ArgumentPair], *, has_map: bool
    ) -> bool:
        """Whether enough arguments are joined, and extents or stretches overlap where they must."""
        parameters = self.parameters
        if gold.arguments and parameters.argscore_required != "0":
            if not has_map:
                return False
            if parameters.argscore_required == "all" and len(arguments) < len(gold.arguments):
                return False
        if self.kind == RELATION and not self._enough_args([role for _, (role, _) in arguments]):
            return False
        if self.overlap_required and not any(
            self._extent_overlap(gold, system, doc_id) > 0
            for doc_id in gold.occurrences
            if doc_id in system.occurrences
        ):
            return False
        return self.stretches is None or self._stretches_meet(gold.id, system.id)

    def _enough_args(self, roles: Sequence[str]) -> bool:
        required = self.parameters.nargs_required
        if required == "0":
            return True
        if required == "1":
            return any(role in ARGS for role in roles)
        return roles.count("Arg") >= 2 or {"Arg-1", "Arg-2"} <= set(roles)

    def _stretches_meet(self, gold_id: str, system_id: str) -> bool:
        assert self.stretches is not None
        one, other = self.stretches[0].get(gold_id), self.stretches[1].get(system_id)
        return one is not None and other is not None and min(one[1], other[1]) >= max(one[0], other[0])

    def _extent_overlap(self, gold: CorpusElement, system: CorpusElement, doc_id: str) -> float:
        """The largest total overlap of a one-to-one matching of mention extents in a document."""
        ours = [mention.extent for mention in gold.occurrences[doc_id].mentions]
        theirs = [mention.extent for mention in system.occurrences[doc_id].mentions]
        gains = {
            (i, j): shared
            for i, j in overlap_candidates(ours, theirs)
            if (shared := overlap(ours[i], theirs[j])) > 0
        }
        return math.fsum(gains[pair] for pair in assign(gains)) if gains else 0.0

    def _swap_factor(
        self,
        gold_attributes: Mapping[str, str],
        system_attributes: Mapping[str, str],
        arguments: Sequence[ArgumentPair],
        *,
        kept: float = 1.0,
    ) -> float:
        """The factor of exchanged arguments in an asymmetric relation, as for a wrong type and subtype (where right)."""
        if self.kind != RELATION or gold_attributes.get("TYPE") in self.parameters.symmetric:
            return 1.0
        if not any(one[0] in ARGS and one[0] != other[0] for one, other in arguments):
            return 1.0
        factor = 1.0
        for name in ("TYPE", "SUBTYPE"):
            if gold_attributes.get(name) == system_attributes.get(name):
                factor *= kept * self.weights["error"].get(name, 1.0)
        return factor

    def _value(
        self,
        gold: CorpusElement,
        system: CorpusElement,
        doc_id: str,
        worth: float,
        arguments: Sequence[ArgumentPair],
    ) -> tuple[float, bool]:
        """V(R, S, d), and whether any argument or extent matches in the document."""
        parameters = self.parameters
        both = doc_id in gold.occurrences
        extents = self._extent_overlap(gold, system, doc_id) if both else 0.0
        earned = self._argument_credits(gold, doc_id, arguments) if both else {}
        if parameters.spurious == "own-worth":
            # An argument that is joined is charged first and taken back, as the program does: that decides the last bit.
            kept = excess = 0.0
            for argument in system.arguments:
                own = self.fillers.system_value(argument[1], doc_id)
                excess += own
                if argument in earned:
                    rho, part = earned[argument]
                    kept += part * rho
                    excess -= own
            charge = self.weights["false-alarm"] * system.occurrences[doc_id].worth * excess
            value = worth * (kept + extents * EPSILON) - charge
        else:
            alarm = 0.0 if self.fillers.mention_scoring else self.weights.get("argument-false-alarm", 0.0)
            claimed = math.fsum([self.fillers.system_value(filler, doc_id) for _, filler in system.arguments])
            charge = alarm * (claimed - math.fsum(part for _, part in earned.values()))
            kept = self._combine([rho * part for rho, part in earned.values()], len(gold.arguments))
            value = worth * (kept - charge + EPSILON * extents)
        return value, bool(earned) or extents > 0

    def _argument_credits(
        self, gold: CorpusElement, doc_id: str, arguments: Sequence[ArgumentPair]
    ) -> dict[Argument, tuple[float, float]]:
        """By system argument, (rho, V(a, b, d)) of those that are mapped with a value in the document."""
        gold_type = gold.occurrences[doc_id].attributes.get("TYPE", "")
        earned: dict[Argument, tuple[float, float]] = {}
        for (gold_role, gold_filler), (system_role, system_filler) in arguments:
            value = self.fillers.credits(gold_filler, system_filler).get(doc_id)
            if value is not None:
                rho = self.rho(gold_role, system_role, gold_type, in_map=False)
                earned[system_role, system_filler] = rho, value
        return earned

    def map(self, preferred: Preferred) -> tuple[dict[str, str], dict[tuple[str, str], FramePair]]:
        """The one-to-one mapping with the largest total value, and the pairs that were compared."""
        compared: dict[tuple[str, str], FramePair] = {}
        gains: dict[tuple[str, str], float] = {}
        for pair in dict.fromkeys(self.candidates()):
            frame = self.compare(*pair)
            if frame is not None:
                compared[pair] = frame
                alarm = added_in_order(one.false_alarm for one in self.system[pair[1]].occurrences.values())
                gains[pair] = frame.total - alarm
        return dict(assign_elements(gains, {}, self.parameters, preferred)), compared

    def score(self, doc_ids: Sequence[str], preferred: Preferred) -> KindAlignment:
        """The mapping and the outcome of every occurrence."""
        partner, compared = self.map(preferred)
        alignment = align_kind(
            self.gold,
            self.system,
            partner,
            doc_ids,
            lambda gold, system: (self._outcome(gold, system, compared[gold.element, system.element]),),
            candidate_values=ComparedFrames(compared),
        )
        argument_errors = {
            outcome.gold.element: outcome.arguments.errors
            for found in alignment.outcomes.values()
            for outcome in found
            if outcome.gold is not None and outcome.arguments is not None
        }
        return replace(
            alignment,
            listed_values=self._listed_values(),
            argument_errors=argument_errors,
            surplus_argument_errors=self._surplus_argument_errors(partner),
        )

    def _surplus_argument_errors(self, partner: Mapping[str, str]) -> dict[str, int]:
        """By mapped system element, the number of argument errors in documents that its partner lacks.

        All of its arguments, unless the argument map that is looked up with the ids of the two sides exchanged is there.
        """
        if not self.parameters.surplus_document_row:
            return {}
        errors: dict[str, int] = {}
        for gold_id, system_id in partner.items():
            gold, system = self.gold[gold_id], self.system[system_id]
            if system.occurrences.keys() <= gold.occurrences.keys():
                continue
            errors[system_id] = len(system.arguments)
            one, other = self.gold.get(system_id), self.system.get(gold_id)
            if one is None or other is None or one.occurrences.keys().isdisjoint(other.occurrences):
                continue
            _, arguments, has_map = self._join_arguments(one, other)
            if has_map:
                mapped, right = self._count_joined(arguments, one)
                errors[system_id] = max(0, len(system.arguments) + len(gold.arguments) - mapped - right)
        return errors

    def _listed_values(self) -> dict[tuple[str, str], float]:
        """Values of system elements as they are listed and binned: arguments looked up on the gold side."""
        if not self.parameters.system_values_from_gold_arguments:
            return {}
        return {
            (element.id, doc_id): occurrence.worth
            * (
                math.fsum(self.fillers.gold_value(filler, doc_id) for _, filler in element.arguments)
                + EPSILON * len(occurrence.mentions)
            )
            for element in self.system.values()
            for doc_id, occurrence in element.occurrences.items()
        }

    def _outcome(self, gold: Occurrence, system: Occurrence, frame: FramePair) -> ElementOutcome:
        doc_id = gold.doc_id
        value = frame.values[doc_id]
        cost = gold.value - value
        if cost < self.parameters.negligible_cost:
            cost = 0.0
        gold_element, system_element = self.gold[gold.element], self.system[system.element]
        every = [self.fillers.gold_value(filler, doc_id) for _, filler in gold_element.arguments]
        joined = [
            self.fillers.gold_value(filler, doc_id)
            for (_, filler), (_, other) in frame.arguments
            if doc_id in self.fillers.credits(filler, other)
        ]
        earned = self._argument_credits(gold_element, doc_id, frame.arguments)
        extents = self._extent_overlap(gold_element, system_element, doc_id)
        everything, mapped = self._combine(every, len(every)), self._combine(joined, len(every))
        kept = self._combine([rho * part for rho, part in earned.values()], len(every))
        kept = frame.worth * (kept + EPSILON * extents)
        arguments = self._argument_pairs(gold_element, system_element, frame)
        right = gold.attributes == system.attributes and not arguments.errors
        return ElementOutcome(
            gold,
            system,
            "correct" if right else "error",
            value,
            gold.value,
            cost,
            max(0.0, (gold.worth - frame.worth) * everything),
            max(0.0, frame.worth * (everything - mapped)),
            max(0.0, frame.worth * mapped - kept),
            max(0.0, kept - value),
            arguments=arguments,
        )

    def _argument_pairs(self, gold: CorpusElement, system: CorpusElement, frame: FramePair) -> ArgumentPairs:
        """The joined arguments, and the number of argument errors.

        |args R| + |args S| − mapped − right; of gold only: |args R| less the pairs that are mapped to each other.  Where no
        two arguments could be joined the official scorers do not count those of the system.
        """
        mapped, right = self._count_joined(frame.arguments, gold)
        if self.parameters.argument_errors == "gold":
            never = self.fillers.mention_scoring and self.parameters.mention_arguments_never_right
            errors = len(gold.arguments) - (0 if never else right)
        else:
            uncounted = self.parameters.no_argument_map_no_false_arguments and not frame.has_map
            errors = len(gold.arguments) + (0 if uncounted else len(system.arguments)) - mapped - right
        return ArgumentPairs(
            tuple((*one, *other) for one, other in frame.arguments),
            len(gold.arguments),
            len(system.arguments),
            errors,
        )

    def _count_joined(self, arguments: Sequence[ArgumentPair], gold: CorpusElement) -> tuple[int, int]:
        """How many pairs of an argument map have a gold filler that is mapped, and how many of them are right."""
        of_gold = self.parameters.argument_errors == "gold"
        gold_type = next(iter(gold.occurrences.values())).attributes.get("TYPE", "")
        mapped = right = 0
        for (gold_role, gold_filler), (system_role, system_filler) in arguments:
            partner = self.fillers.mapped.get(gold_filler)
            if partner is None:
                continue
            mapped += 1
            same_role = gold_role == system_role or self._may_exchange(gold_role, system_role, gold_type)
            here = partner == self.fillers.host.get(system_filler, system_filler)
            right += here and (same_role or of_gold)
        return mapped, right

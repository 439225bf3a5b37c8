"""A pair of documents as all its measurements see it: both sides, their overlaps, and the alignments made of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from lydite.align import first_come, triples
from lydite.align.triple_scope import TripleSide, relation_key
from lydite.errors import UsageError
from lydite.formats.triples import parse_number
from lydite.grouping import grouped
from lydite.metrics.triples import (
    CoverageCounts,
    ElementCounts,
    ExtractionRuleCounts,
    HitCounts,
    MatchCounts,
    RelationCounts,
    count_covered,
    count_pairs,
)
from lydite.model import Alignment, DocumentPair
from lydite.model.triple import Triple
from lydite.tasks.triples.documents import scope_of, triples_of
from lydite.tasks.triples.settings import TripleSettings

MODES = tuple(triples.CONDITIONS)
SAME_MODES = ("exact_same", "partial_same")
ELEMENTS = ("first", "second")
_LABELLED = {"none": (), "first": ("first",), "second": ("second",), "both": ("first", "second")}


def headline_mode(settings: TripleSettings) -> str:
    """The condition that ranks systems."""
    return "partial_ignored" if settings.ignore_relations else "partial_same"


def triple_sides(
    pair: DocumentPair, settings: TripleSettings, *, unary: bool = False
) -> tuple[TripleSide, TripleSide]:
    """Gold and system of a prepared pair, with their scope; the ``unary`` triples or the others, where these count apart."""
    scope = scope_of(pair, settings)
    key = relation_key(case_sensitive=settings.case_sensitive_relations)
    gold_scope = scope if settings.scope_side == "both" else None
    keep = settings.gold_duplicates == "keep"
    ours, theirs = (
        tuple(one for one in triples_of(side) if settings.unary != "apart" or is_unary(one) == unary)
        for side in (pair.gold, pair.system)
    )
    gold = TripleSide(ours, gold_scope, key, keep_duplicates=keep)
    return gold, TripleSide(with_confidence(theirs, settings.min_confidence), scope, key)


def is_unary(triple: Triple) -> bool:
    """Whether a triple has no second element."""
    return not triple.second.ids


def with_confidence(content: tuple[Triple, ...], least: str | None) -> tuple[Triple, ...]:
    """The triples with at least this confidence, and those that have none."""
    if least is None:
        return content
    threshold = parse_number(least)
    if threshold is None:
        raise UsageError(f"min-confidence: expected a number, found {least!r}")
    confidences = ((one, one.profile_confidence) for one in content)
    return tuple(one for one, sure in confidences if sure is None or sure >= threshold)


def compare(pair: DocumentPair, settings: TripleSettings) -> AnyComparison:
    """The comparison that the profile's way of giving credit needs."""
    kind = FirstComeComparison if settings.matching == "first-come" else TripleComparison
    apart = settings.unary == "apart"
    unary = kind(*triple_sides(pair, settings, unary=True), settings) if apart else None
    return kind(*triple_sides(pair, settings), settings, unary)


@dataclass(frozen=True)
class _TripleSides:
    gold: TripleSide
    system: TripleSide
    settings: TripleSettings
    unary: TripleComparison | FirstComeComparison | None = None
    """The triples without second element, where they count apart."""

    @property
    def headline(self) -> str:
        """The condition that ranks systems."""
        return headline_mode(self.settings)

    def profile_names(self, triple: Triple) -> tuple[str, ...]:
        """The rules that made a triple: its ``profile_id``, its members if they are split, or its relation if it has none."""
        if not triple.profile_id:
            return (triple.relation,)
        if not self.settings.split_profiles:
            return (triple.profile_id,)
        members = (member.strip() for member in triple.profile_id.split(","))
        return tuple(dict.fromkeys(member for member in members if member)) or (triple.relation,)

    def _hits_by_profile(self, hits: set[int]) -> Iterator[tuple[str, HitCounts]]:
        """System triples in range, duplicates included, of every rule, and how many of them are hits."""
        hit_counts = Counter(rule for position in hits for rule in self.rules[position])
        for rule, total in Counter(chain.from_iterable(self.rules)).items():
            yield rule, HitCounts(hit_counts[rule], total)

    @cached_property
    def rules(self) -> Sequence[tuple[str, ...]]:
        """The rules that made each system triple in range."""
        return [*map(self.profile_names, self.system.in_range)]


class TripleComparison(_TripleSides):
    """Two sides by the definitions: maximum one-to-one alignments, coverage, elements, hits per rule."""

    @cached_property
    def all_overlaps(self) -> list[triples.Overlap]:
        """Unique gold triples against all system triples in range."""
        labels = _LABELLED[self.settings.match_labels]
        return triples.overlaps(self.gold, self.system, labels=labels, least=self.settings.min_overlap)

    @cached_property
    def overlaps(self) -> list[triples.Overlap]:
        """Unique gold triples against unique system triples."""
        unique = frozenset(self.system.unique)
        return [overlap for overlap in self.all_overlaps if overlap.system in unique]

    def overlaps_under(self, mode: str) -> list[triples.Overlap]:
        """The overlaps that satisfy a condition."""
        return list(filter(triples.CONDITIONS[mode], self.overlaps))

    @cached_property
    def alignments(self) -> Mapping[str, Alignment]:
        """The one-to-one alignment under every condition."""
        return {mode: triples.one_to_one(self.gold, self.system, self.overlaps_under(mode)) for mode in MODES}

    def coverage(self, mode: str) -> CoverageCounts:
        """Triples of each side with a partner under a condition."""
        return count_covered(self.covering_alignment(mode))

    def covering_alignment(self, mode: str) -> Alignment:
        """Every pair of triples under a condition; partners may be shared."""
        return triples.any_to_any(self.gold, self.system, self.overlaps_under(mode))

    def matched(self, mode: str) -> MatchCounts:
        """Pairs of the one-to-one alignment out of both sides."""
        return count_pairs(self.alignments[mode])

    @cached_property
    def elements(self) -> Mapping[str, Alignment]:
        """Alignments of ``first``, ``first_exact``, ``second`` and ``second_exact`` elements."""
        found = {}
        for name in ELEMENTS:
            gold, system = triples.elements(self.gold, name), triples.elements(self.system, name)
            found[name] = triples.align_elements(gold, system)
            found[f"{name}_exact"] = triples.equal_elements(gold, system)
        return found

    def spelling(self, relation: str) -> str:
        """The spelling of a relation in tables of this document: the first one in gold, else in the system."""
        return self.gold.spellings.get(relation) or self.system.spellings.get(relation, relation)

    def by_relation(self, mode: str) -> Iterator[tuple[str, RelationCounts]]:
        """The counts of every relation under a condition that asks for equal relations."""
        gold = Counter(self.gold.relations[position] for position in self.gold.unique)
        system = Counter(self.system.relations[position] for position in self.system.unique)
        alignment = self.alignments[mode]
        correct = Counter(self.gold.key(alignment.gold[pair.gold].relation) for pair in alignment.pairs)
        for relation in dict.fromkeys((*gold, *system)):
            yield (
                relation,
                RelationCounts(
                    MatchCounts(correct[relation], gold[relation], system[relation]),
                    self.gold.spellings.get(relation),
                    self.system.spellings.get(relation),
                ),
            )

    def by_profile(self, mode: str) -> Iterator[tuple[str, ExtractionRuleCounts]]:
        """System triples in range of every rule, and those with a gold partner."""
        condition = triples.CONDITIONS[mode]
        hits = {overlap.system for overlap in self.all_overlaps if condition(overlap)}
        alarms = Counter(rule for position, rule in self._of_one_rule.items() if position not in hits)
        for rule, counts in self._hits_by_profile(hits):
            yield rule, ExtractionRuleCounts(counts.hits, counts.system_total, alarms[rule])

    @cached_property
    def _of_one_rule(self) -> dict[int, str]:
        """The unique system triples that a single rule gave, with that rule."""
        side = self.system
        if len(side.unique) == len(side.in_range):
            return {at: rules[0] for at, rules in enumerate(self.rules) if len(rules) == 1}
        contents = list(zip(side.relations, side.firsts, side.seconds, strict=True))
        rules_of: dict[object, set[str]] = {}
        for content, rules in zip(contents, self.rules, strict=True):
            rules_of.setdefault(content, set()).update(rules)
        found = ((at, rules_of[contents[at]]) for at in side.unique)
        return {at: min(rules) for at, rules in found if len(rules) == 1}


class Credit(NamedTuple):
    """The credited pairs under a condition, and the number that precision divides by."""

    credited: tuple[first_come.Credited, ...]
    denominator: int


class FirstComeComparison(_TripleSides):
    """Two sides as the reference program counts them: a plain run, and its debug run with all four conditions.

    What it does differently from the definitions is a quirk each.
    """

    @cached_property
    def gold_items(self) -> tuple[first_come.FirstComeItem, ...]:
        """The gold triples."""
        return first_come.items(self.gold)

    @cached_property
    def system_items(self) -> tuple[first_come.FirstComeItem, ...]:
        """The system triples in range."""
        return first_come.items(self.system)

    @cached_property
    def gold_index(self) -> first_come.ItemIndex:
        """The gold triples, by their tokens."""
        return first_come.ItemIndex(self.gold_items)

    @cached_property
    def credit_conditions(self) -> Mapping[str, first_come.Condition]:
        """The conditions between gold and system."""
        lump = self.settings.participant_stands_for_roles and self.settings.ignore_element_second
        return first_come.conditions(lump=lump)

    @cached_property
    def duplicate_conditions(self) -> Mapping[str, first_come.Condition]:
        """The conditions between triples of one side."""
        return first_come.conditions(lump=self.settings.participant_stands_for_roles)

    def distinct(self, mode: str) -> list[first_come.FirstComeItem]:
        """The system triples that are not duplicates under a condition."""
        overlap = self.settings.overlap_is_duplicate
        test = self.duplicate_conditions[mode] if overlap else first_come.equal_content
        return first_come.without_duplicates(self.system_items, test)

    @cached_property
    def unique(self) -> int:
        """The number of system triples that the program prints as unique."""
        return len(self.distinct("partial_same"))

    @cached_property
    def plain(self) -> Credit:
        """The plain run: the headline's condition, and overlap with a correct triple refuses credit."""
        return self._credit(self.headline, refused=self.headline)

    @cached_property
    def debug(self) -> Mapping[str, Credit]:
        """The debug run: four conditions; only an exact copy of a correct triple is refused."""
        return {mode: self._credit(mode, refused="exact_same") for mode in MODES}

    def _credit(self, mode: str, *, refused: str) -> Credit:
        """Credit under a condition; a gold triple that matches a credited one under ``refused`` gets none."""
        is_taken = (
            self.duplicate_conditions[refused]
            if self.settings.overlap_refuses_credit
            else first_come.same_item
        )
        credited = first_come.credit(
            self.gold_index, self.system_items, fits=self.credit_conditions[mode], taken=is_taken
        )
        return Credit(tuple(credited), len(self.distinct(mode)))

    def counts(self, credit: Credit) -> MatchCounts:
        """Correct gold triples out of all gold triples and the distinct system triples."""
        return MatchCounts(len(credit.credited), len(self.gold_items), credit.denominator)

    @cached_property
    def relation_sizes(self) -> tuple[Counter[str], Counter[str]]:
        """Numbers of gold and of system triples by spelling of the relation; duplicates of the system are left out."""
        gold = Counter(item.triple.relation for item in self.gold_items)
        by_spelling = grouped((item.triple.relation, item) for item in self.system_items)
        test = first_come.partial if self.settings.overlap_is_duplicate else first_come.equal_content
        system = Counter(
            {name: len(first_come.without_duplicates(items, test)) for name, items in by_spelling.items()}
        )
        return gold, system

    def by_relation(self, credit: Credit) -> Iterator[tuple[str, MatchCounts]]:
        """The counts of every spelling of a relation."""
        gold, system = self.relation_sizes
        correct = Counter(credited.gold.triple.relation for credited in credit.credited)
        for relation in dict.fromkeys((*gold, *system)):
            yield relation, MatchCounts(correct[relation], gold[relation], system[relation])

    def by_profile(self, mode: str) -> Iterator[tuple[str, HitCounts]]:
        """System triples in range of every rule, and those that fit any gold triple."""
        test = self.credit_conditions[mode]
        hits = {item.position for item in self.system_items if self.gold_index.first(item, test) is not None}
        return self._hits_by_profile(hits)

    @cached_property
    def elements(self) -> Mapping[str, first_come.Elements]:
        """The greedy counts of first and of second elements."""
        return {name: first_come.elements(self.gold_items, self.system_items, name) for name in ELEMENTS}

    def element_counts(self, name: str) -> ElementCounts | MatchCounts:
        """Correct elements out of those of both sides."""
        if not self.settings.greedy_elements:
            sides = (triples.elements(side, name) for side in (self.gold, self.system))
            return count_pairs(triples.align_elements(*sides))
        found = self.elements[name]
        correct = found.system if self.settings.all_elements_correct else found.correct
        return ElementCounts(correct, found.gold, found.system)


AnyComparison = TripleComparison | FirstComeComparison
"""The comparison of a pair, by the profile's way of giving credit."""

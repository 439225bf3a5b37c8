"""The settings of the ACE task: parameters of the official scorers, what is scored, and quirks."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TypedDict, TypeVar

from lydite.model.ace import KINDS, RELATION
from lydite.model.settings import REPAIR_OFFSETS, TOPIC_OF, TaskSettings, findings
from lydite.profile import choice, path, quirk, setting, switch

RULES = "rules"
"""The table of a profile that says which formulas apply."""


EPSILON = 1e-8
"""The small term that the scorers add so that overlaps and numbers of mentions break ties."""


Weights = TypedDict(
    "Weights",
    {
        "type": Mapping[str, float],
        "class": Mapping[str, float],
        "error": Mapping[str, float],
        "mention-type": Mapping[str, float],
        "mention-error": Mapping[str, float],
        "attribute": Mapping[str, float],
        "modality": Mapping[str, float],
        "false-alarm": float,
        "coref-false-alarm": float,
        "mention-false-alarm": float,
        "argument-role-error": float,
        "asymmetry-error": float,
        "argument-false-alarm": float,
    },
    total=False,
)
"""The weights of a kind of element, in the form of a profile."""

Inventory = TypedDict(
    "Inventory",
    {
        "types": Mapping[str, Sequence[str]],
        "class": Sequence[str],
        "mention-type": Sequence[str],
        "attributes": Sequence[str],
        "modality": Sequence[str],
        "polarity": Sequence[str],
        "genericity": Sequence[str],
        "tense": Sequence[str],
        "roles": Collection[str],
        "symmetric": Sequence[str],
    },
    total=False,
)
"""The legal values of a kind of element, in the form of a profile."""
Inventories = Mapping[str, Inventory]

T = TypeVar("T")


def _rule(kind: str, default: T, sentence: str, choices: tuple[str, ...] = ()) -> T:
    """One of the rules in which official scorers differ; only profiles set it."""
    return setting(kind, default, sentence, choices, table=RULES, flag=False)


_NO_WEIGHTS: Weights = {}
_NO_INVENTORIES: Inventories = {}


class AceSettings(TaskSettings):
    """The settings of the ACE task.

    In the weights of a kind, ``false-alarm`` is the cost of a spurious element as a share of its value,
    ``mention-false-alarm`` that of a spurious mention (some profiles apply both), ``coref-false-alarm`` the weight of a
    mention of another gold element.
    """

    spurious: str = _rule(
        "str",
        "own-worth",
        "the weight of spurious mentions and arguments: the worth of their own element, or that of the pair",
        ("own-worth", "pair-worth"),
    )
    weighing_level: str = _rule(
        "str",
        "document",
        "the level that weighs an entity in a document: its level there, or its highest in the corpus",
        ("document", "corpus"),
    )
    least_worth: str = _rule(
        "str",
        "added",
        "how 1e-8 keeps weights above 0: it is added to them, or is their minimum",
        ("added", "floor"),
    )
    negligible_cost: float = _rule("float", 1e-8, "a mapped element that loses less than this loses nothing")
    unknown_weight: str = _rule(
        "str",
        "left-out",
        "a value without a weight in a pair: the other side's weight counts, or the pair is worth 0",
        ("left-out", "zero"),
    )
    absent_documents_cost: bool = _rule(
        "bool",
        True,
        "a system element costs something in documents where the gold element that it is mapped to does not occur",
    )
    exchanged_arguments: str = _rule(
        "str",
        "one-role",
        "exchanged arguments of relations: a wrong type unless the relation is symmetric, right if it is symmetric, or "
        "without effect there, since symmetric relations have one role",
        ("wrong-type", "right-if-symmetric", "one-role"),
    )
    argument_errors: str = _rule(
        "str",
        "both-sides",
        "which arguments of mapped relations and events can be errors: those of both sides, or those of gold",
        ("both-sides", "gold"),
    )
    mentions_in_turn: bool = _rule(
        "bool",
        True,
        "mentions are charged in turn and matched ones take their charge back, which decides the last bit; else exactly",
    )
    metonymic_names_are_nominal: bool = _rule("bool", True, "a metonymic NAM mention counts as NOM")
    empty_attributes_are_absent: bool = _rule(
        "bool", False, "empty attributes of time expressions count as absent, and an empty SET not as SET=NO"
    )
    relation_tense: bool = _rule("bool", False, "compare the TENSE of relations")
    level_may_differ: bool = _rule("bool", True, "an entity may have different levels in different documents")
    kinds: tuple[str, ...] = setting(
        "list", (), "score these kinds of elements; by default, those that gold has", KINDS
    )
    mentions: bool = switch("also score mentions as elements of their own (EMD, RMD, VMD)", "score")
    recognition: bool = switch(
        "also count attributes, roles, names, extents and external links of mapped elements", "score"
    )
    entity_types: tuple[str, ...] = setting(
        "list", (), "score only entities of these types (PER,ORG), and no elements with others as arguments"
    )
    targets: str | None = path(
        "a file of target entities: only these are scored, and system elements mapped to no target cost nothing",
        "score",
    )
    target_types: tuple[str, ...] = setting(
        "list",
        (),
        "the entity types that targets are taken from, unless entity-types is set",
        needs="targets",
    )
    unnamed_targets: bool = switch(
        "score targets also in the documents in which gold does not name them", "score", needs="targets"
    )
    mapping: str = choice(
        "how entities are mapped: for the largest value, or by given external ids (the 2002 condition)",
        ("optimal", "external-ids"),
        "score",
    )
    prefer: str | None = path(
        "a mapping as --comparison writes it, which decides among equally good ones", "score"
    )
    min_overlap: float = setting("share", 0.3, "the least overlap of two heads or extents that match")
    min_text_match: float = setting(
        "share", 0.0, "the least common text of two heads that match; 0 compares no text"
    )
    map_weighting: str = setting(
        "str", "mention", "what the mapping weighs entities by", ("level", "mention", "fmeasure")
    )
    eval_weighting: str = choice("what the score weighs entities by", ("level", "mention"), "score")
    use_mentions: bool = setting(
        "bool", True, "compare mentions; without them, an entity in a document is only a list of names"
    )
    use_name_similarity: bool = switch("weigh pairs of entities by the similarity of their names", "score")
    min_name_similarity: float = setting("share", 0.5, "the least similarity of two names that counts")
    score_non_named_entities: bool = setting("bool", True, "score entities without a name")
    allow_non_named_entities: bool = setting("bool", True, "accept entities without a name")
    score_relation_times: bool = switch("score time arguments of relations", "score")
    mention_overlap_required: bool = switch("map relations and events only if extents overlap", "score")
    argscore_required: str = setting(
        "str", "1", "how many arguments must be joined: none, one, all", ("0", "1", "all")
    )
    nargs_required: str = setting(
        "str", "2", "how many of Arg-1 and Arg-2 must be joined in a relation", ("0", "1", "2")
    )
    allow_wrong_mapping: bool = setting(
        "bool", True, "whether an argument counts whose element is mapped to another one"
    )
    arg_valuation: str = choice(
        "the value of an argument pair: by attributes and mentions, by one of them, or all of gold's value",
        ("both", "attributes", "mentions", "none"),
        "score",
    )
    argument_map: str = choice(
        "the gain of joining two arguments: their value and the false alarm that is saved, or (2005) their value times "
        "the weights of roles and false alarms",
        ("value", "role-weight"),
        "score",
    )
    argument_average: str = choice(
        "how the scores of the arguments of a relation or event are combined: their sum, or (2005, option -A) their "
        "geometric mean, which needs a weight of 0 for arguments in excess",
        ("arithmetic", "geometric"),
        "score",
    )
    b_cubed: tuple[str, ...] = setting(
        "list",
        ("mentions",),
        "B-cubed over mentions, over document lists, or both",
        ("mentions", "documents"),
    )
    apf_text: str = choice(
        "compare text with character references decoded, or raw", ("decoded", "raw"), "score"
    )
    topic_of: str = TOPIC_OF
    reading: str = choice(
        "refuse input that the official scorers misread, or read it as they do, with a warning",
        ("refuse", "as-official"),
        "score",
    )
    errors: tuple[str, ...] = findings(
        "findings that are errors in this profile, and warnings in others", flag=False
    )
    official_warnings: tuple[str, ...] = findings(
        "findings that the official program does not notice, under reading = as-official", flag=False
    )
    official_layout: str = setting(
        "str",
        "ace08",
        "the scorer whose tables --format official prints",
        ("ace05", "ace07", "ace08"),
        table="report",
        signed=False,
        flag=False,
    )
    documents: str | None = path(
        "folder of source documents; validate and convert compare extents, heads and names with them",
        "score",
        signed=False,
    )
    repair_offsets: str = REPAIR_OFFSETS
    max_extent_difference: Mapping[str, float] = setting(
        "table", {"text": 4, "audio": 0.4, "image": 0.4}, "how far the ends of a right extent may differ"
    )
    entity: Weights = setting("table", _NO_WEIGHTS, "weights of entities")
    value: Weights = setting("table", _NO_WEIGHTS, "weights of values")
    timex2: Weights = setting("table", _NO_WEIGHTS, "weights of time expressions")
    relation: Weights = setting("table", _NO_WEIGHTS, "weights of relations")
    event: Weights = setting("table", _NO_WEIGHTS, "weights of events")
    inventories: Inventories = setting(
        "table", _NO_INVENTORIES, "the legal types, subtypes, classes and roles"
    )
    no_overlap_is_free: bool = quirk(
        "in a common document without matching mentions a mapped pair earns nothing and its system mentions cost nothing"
    )
    named_without_names_is_worthless: bool = quirk(
        "with name similarity, an occurrence with a NAM mention and no name is worth 0"
    )
    lone_gold_takes_any_partner: bool = quirk(
        "a gold element with no rival (and a lone system argument) takes its best partner even at a loss"
    )
    one_spare_partner: bool = quirk(
        "a pair at a loss is left out only while there is room: elements that rival each other have one spare place"
    )
    b_cubed_precision_counts_gold: bool = quirk(
        "B-cubed precision counts gold mentions, so that it can exceed 100 %"
    )
    system_values_from_gold_arguments: bool = quirk(
        "the value of a system relation or event is looked up with its arguments on the gold side"
    )
    relation_mention_heads_anywhere: bool = quirk(
        "relation mentions may be mapped however far their arguments are apart"
    )
    mention_arguments_never_right: bool = quirk(
        "in mention scoring of 2005 no argument counts as mapped, so that every relation and event mention is an error"
    )
    no_argument_map_no_false_arguments: bool = quirk(
        "system arguments are no errors where no argument of a mapped relation or event can be joined at all"
    )
    surplus_document_row: bool = quirk(
        "a document that only the system side of a mapped relation or event has is counted by its number of arguments"
    )
    absent_kind_is_worthless: bool = quirk(
        "system arguments of a kind that gold lacks altogether are worth 0 in relations and events"
    )
    mention_argument_map_by_pair_value: bool = quirk(
        "arguments of relation and event mentions are joined by the value of the pair, not by its credit"
    )
    shortened_texts: bool = quirk(
        "of heads and extents longer than 40 characters only the first 37 count, for languages and names of mentions"
    )
    mention_language_of_host: bool = quirk(
        "a mention scored as an element has the language of its entity, not of its own text"
    )

    @cached_property
    def weights(self) -> Mapping[str, Weights]:
        """The weights of every kind of element."""
        return {kind: getattr(self, kind) for kind in KINDS}

    @cached_property
    def symmetric(self) -> frozenset[str]:
        """The types of relations whose arguments can be exchanged."""
        return frozenset(self.inventories[RELATION]["symmetric"])

    @property
    def mappings_given(self) -> bool:
        """Whether external ids map entities."""
        return self.mapping == "external-ids"

    @property
    def targets_only(self) -> bool:
        """Whether only target entities are scored."""
        return self.targets is not None

    def has_one_role(self, relation_type: str) -> bool:
        """Whether both arguments of relations of this type have one role, ``Arg``."""
        return self.exchanged_arguments == "one-role" and relation_type in self.symmetric

"""The weights and switches of an ACE profile as one record, ready for use in inner loops."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

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


@dataclass(frozen=True, slots=True)
class Parameters:
    """One parameter set: weights, rules and quirks, named like the settings that they come from."""

    spurious: str
    weighing_level: str
    least_worth: str
    negligible_cost: float
    unknown_weight: str
    absent_documents_cost: bool
    exchanged_arguments: str
    argument_errors: str
    mentions_in_turn: bool
    metonymic_names_are_nominal: bool
    empty_attributes_are_absent: bool
    relation_tense: bool
    level_may_differ: bool
    min_overlap: float
    min_text_match: float
    max_extent_difference: Mapping[str, float]
    map_weighting: str
    eval_weighting: str
    use_mentions: bool
    use_name_similarity: bool
    min_name_similarity: float
    mention_overlap_required: bool
    argscore_required: str
    nargs_required: int
    allow_wrong_mapping: bool
    arg_valuation: str
    argument_map: str
    argument_average: str
    score_relation_times: bool
    score_non_named_entities: bool
    allow_non_named_entities: bool
    entity: Weights
    value: Weights
    timex2: Weights
    weights: Mapping[str, Weights]
    """Those of every kind of element.

    ``false-alarm`` is the cost of a spurious element as a share of its value, ``mention-false-alarm`` that of a spurious
    mention (some profiles apply both), ``coref-false-alarm`` the weight of a mention of another gold element.
    """
    symmetric: frozenset[str]
    mappings_given: bool
    targets_only: bool
    no_overlap_is_free: bool
    named_without_names_is_worthless: bool
    lone_gold_takes_any_partner: bool
    one_spare_partner: bool
    b_cubed_precision_counts_gold: bool
    system_values_from_gold_arguments: bool
    relation_mention_heads_anywhere: bool
    mention_arguments_never_right: bool
    no_argument_map_no_false_arguments: bool
    surplus_document_row: bool
    absent_kind_is_worthless: bool
    mention_argument_map_by_pair_value: bool
    shortened_texts: bool
    mention_language_of_host: bool

    def has_one_role(self, relation_type: str) -> bool:
        """Whether both arguments of relations of this type have one role, ``Arg``."""
        return self.exchanged_arguments == "one-role" and relation_type in self.symmetric

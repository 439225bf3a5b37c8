"""The weights and switches of an ACE profile as one record, ready for use in inner loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from lydite.errors import UsageError
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, VALUE
from lydite.profile import Profile
from lydite.registry import did_you_mean

EPSILON = 1e-8
"""What the scorers add so that overlaps and numbers of mentions decide between equals."""


@dataclass(frozen=True, slots=True)
class EntityWeights:
    """What types, classes and levels of entities are worth, and what errors leave of it."""

    type: Mapping[str, float]
    class_: Mapping[str, float]
    error: Mapping[str, float]
    mention_type: Mapping[str, float]
    mention_error: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FrameWeights:
    """What relations or events are worth; roles that differ, and arguments in excess."""

    type: Mapping[str, float]
    modality: Mapping[str, float]
    error: Mapping[str, float]
    false_alarm: float
    role_error: float
    asymmetry_error: float
    argument_false_alarm: float


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """What a system element that is not in gold costs, as a share of its value.

    ``element`` weighs the element, ``mention`` each of its mentions (2005 applies both), ``coref`` a mention that
    belongs to another gold element.
    """

    element: float
    mention: float
    coref: float


@dataclass(frozen=True, slots=True)
class Parameters:
    """One parameter set.  ``model`` says which formulas apply: 2005, 2007 or 2008."""

    model: int
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
    score_relation_times: bool
    score_non_named_entities: bool
    allow_non_named_entities: bool
    entity: EntityWeights
    value_type: Mapping[str, float]
    value_error: Mapping[str, float]
    timex2_attribute: Mapping[str, float]
    false_alarm: Mapping[str, FalseAlarm]
    frames: Mapping[str, FrameWeights]
    symmetric: frozenset[str]
    mappings_given: bool
    targets_only: bool
    no_overlap_is_free: bool
    names_from_heads: bool
    takes_best_of_one: bool
    one_spare_partner: bool
    b_cubed_counts_gold: bool
    sys_values_from_gold: bool
    heads_anywhere: bool
    mention_arguments_never_right: bool
    no_map_no_false_arguments: bool
    absent_kind_is_worthless: bool
    mention_map_by_pair_value: bool
    shortened_texts: bool
    mention_language_of_host: bool

    @property
    def has_levels(self) -> bool:
        """Whether the LEVEL of an entity is compared document by document in its value."""
        return "LEVEL" in self.entity.error

    @classmethod
    def of(cls, profile: Profile) -> Parameters:
        """The parameters of a profile."""
        entity, relation, event = profile[ENTITY], profile[RELATION], profile[EVENT]
        return cls(
            model=int(profile["model"]),
            min_overlap=profile["min-overlap"],
            min_text_match=profile["min-text-match"],
            max_extent_difference=profile["max-extent-difference"],
            map_weighting=profile["map-weighting"],
            eval_weighting=profile["eval-weighting"],
            use_mentions=profile["use-mentions"],
            use_name_similarity=profile["use-name-similarity"],
            min_name_similarity=profile["min-name-similarity"],
            mention_overlap_required=profile["mention-overlap-required"],
            argscore_required=profile["argscore-required"],
            nargs_required=int(profile["nargs-required"]),
            allow_wrong_mapping=profile["allow-wrong-mapping"],
            arg_valuation=profile["arg-valuation"],
            argument_map=profile["argument-map"],
            score_relation_times=profile["score-relation-times"],
            score_non_named_entities=profile["score-non-named-entities"],
            allow_non_named_entities=profile["allow-non-named-entities"],
            entity=EntityWeights(
                type=entity["type"],
                class_=entity["class"],
                error=entity["error"],
                mention_type=entity["mention-type"],
                mention_error=entity["mention-error"],
            ),
            value_type=profile[VALUE]["type"],
            value_error=profile[VALUE]["error"],
            timex2_attribute=profile[TIMEX2]["attribute"],
            false_alarm={kind: _false_alarm(profile[kind]) for kind in (ENTITY, VALUE, TIMEX2)},
            frames={RELATION: _frame(relation), EVENT: _frame(event)},
            symmetric=frozenset(profile["inventories"][RELATION]["symmetric"]),
            mappings_given=profile["mapping"] == "external-ids",
            targets_only=profile["targets"] is not None,
            no_overlap_is_free=profile["no-overlap-is-free"],
            names_from_heads=not profile["named-without-names-is-worthless"],
            takes_best_of_one=profile["lone-gold-takes-any-partner"],
            one_spare_partner=profile["one-spare-partner"],
            b_cubed_counts_gold=profile["b-cubed-precision-counts-gold"],
            sys_values_from_gold=profile["system-values-from-gold-arguments"],
            heads_anywhere=profile["relation-mention-heads-anywhere"],
            mention_arguments_never_right=profile["mention-arguments-never-right"],
            no_map_no_false_arguments=profile["no-argument-map-no-false-arguments"],
            absent_kind_is_worthless=profile["absent-kind-is-worthless"],
            mention_map_by_pair_value=profile["mention-argument-map-by-pair-value"],
            shortened_texts=profile["shortened-texts"],
            mention_language_of_host=profile["mention-language-of-host"],
        )


def _false_alarm(weights: Mapping[str, Any]) -> FalseAlarm:
    return FalseAlarm(
        element=weights["false-alarm"],
        mention=weights.get("mention-false-alarm", weights["false-alarm"]),
        coref=weights["coref-false-alarm"],
    )


def _frame(weights: Mapping[str, Any]) -> FrameWeights:
    return FrameWeights(
        type=weights["type"],
        modality=weights["modality"],
        error=weights["error"],
        false_alarm=weights["false-alarm"],
        role_error=weights["argument-role-error"],
        asymmetry_error=weights.get("asymmetry-error", weights["argument-role-error"]),
        argument_false_alarm=weights.get("argument-false-alarm", 0.0),
    )


_FALSE_ALARMS = ("false-alarm", "coref-false-alarm", "mention-false-alarm")
_ARGUMENTS = ("false-alarm", "argument-role-error", "asymmetry-error", "argument-false-alarm")


def refuse_unknown_weights(profile: Profile) -> None:
    """A misspelt weight cannot silently do nothing: unknown names and values that are no numbers are refused."""
    inventories = profile["inventories"]
    entity = inventories[ENTITY]
    known: dict[str, dict[str, Iterable[str] | None]] = {
        ENTITY: {
            "type": entity["types"],
            "class": entity["class"],
            "error": ("TYPE", "SUBTYPE", "CLASS", "LEVEL"),
            "mention-type": entity["mention-type"],
            "mention-error": ("TYPE", "ROLE", "STYLE"),
            **dict.fromkeys(_FALSE_ALARMS),
        },
        VALUE: {
            "type": (*inventories[VALUE]["types"], "Illness"),
            "error": ("TYPE", "SUBTYPE"),
            **dict.fromkeys(_FALSE_ALARMS),
        },
        TIMEX2: {"attribute": (*inventories[TIMEX2]["attributes"], "TYPE"), **dict.fromkeys(_FALSE_ALARMS)},
    }
    for kind, errors in ((RELATION, ("TYPE", "SUBTYPE", "MODALITY", "TENSE")), (EVENT, _EVENT_ERRORS)):
        inventory = inventories[kind]
        modality = (*inventory["modality"], "Unspecified")
        tables = {"type": inventory["types"], "modality": modality, "error": errors}
        known[kind] = {**tables, **dict.fromkeys(_ARGUMENTS)}
    for kind, tables_of_kind in known.items():
        _refuse_unknown(f"[{kind}]", profile[kind], tables_of_kind)
        for name, names in tables_of_kind.items():
            if names is not None:
                _refuse_unknown(f"[{kind}.{name}]", profile[kind][name], dict.fromkeys(names))


_EVENT_ERRORS = ("TYPE", "SUBTYPE", "MODALITY", "GENERICITY", "POLARITY", "TENSE")


def _refuse_unknown(
    where: str, weights: Mapping[str, Any], known: Mapping[str, Iterable[str] | None]
) -> None:
    for name, weight in weights.items():
        if name not in known:
            hint = did_you_mean(name, list(known)) or f"known: {', '.join(known)}"
            raise UsageError(f"profile key {where}: unknown name {name!r}", hint=hint)
        if known[name] is None and (isinstance(weight, bool) or not isinstance(weight, int | float)):
            raise UsageError(f"profile key {where} {name}: expected a number, found {weight!r}")

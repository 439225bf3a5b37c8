"""The weights of an ACE profile: refused where they are misspelt, gathered into one record for inner loops."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lydite.errors import UsageError
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, VALUE
from lydite.model.ace_parameters import EntityWeights, FalseAlarm, FrameWeights, Parameters
from lydite.model.plain import PlainMapping
from lydite.registry import did_you_mean
from lydite.tasks.ace.settings import AceSettings


def parameters_of(settings: AceSettings) -> Parameters:
    """The weights and switches of a profile as one record."""
    entity = settings.entity
    return Parameters(
        spurious=settings.spurious,
        weighing_level=settings.weighing_level,
        least_worth=settings.least_worth,
        negligible_cost=settings.negligible_cost,
        unknown_weight=settings.unknown_weight,
        absent_documents_cost=settings.absent_documents_cost,
        exchanged_arguments=settings.exchanged_arguments,
        argument_errors=settings.argument_errors,
        metonymic_names_are_nominal=settings.metonymic_names_are_nominal,
        empty_attributes_are_absent=settings.empty_attributes_are_absent,
        relation_tense=settings.relation_tense,
        level_may_differ=settings.level_may_differ,
        min_overlap=settings.min_overlap,
        min_text_match=settings.min_text_match,
        max_extent_difference=settings.max_extent_difference,
        map_weighting=settings.map_weighting,
        eval_weighting=settings.eval_weighting,
        use_mentions=settings.use_mentions,
        use_name_similarity=settings.use_name_similarity,
        min_name_similarity=settings.min_name_similarity,
        mention_overlap_required=settings.mention_overlap_required,
        argscore_required=settings.argscore_required,
        nargs_required=int(settings.nargs_required),
        allow_wrong_mapping=settings.allow_wrong_mapping,
        arg_valuation=settings.arg_valuation,
        score_relation_times=settings.score_relation_times,
        score_non_named_entities=settings.score_non_named_entities,
        allow_non_named_entities=settings.allow_non_named_entities,
        entity=EntityWeights(
            type=entity["type"],
            class_=entity["class"],
            error=entity["error"],
            mention_type=entity["mention-type"],
            mention_error=entity["mention-error"],
        ),
        value_type=settings.value["type"],
        value_error=settings.value["error"],
        timex2_attribute=settings.timex2["attribute"],
        false_alarm={kind: _false_alarm(_weights(settings)[kind]) for kind in (ENTITY, VALUE, TIMEX2)},
        frames={RELATION: _frame(settings.relation), EVENT: _frame(settings.event)},
        symmetric=frozenset(settings.inventories[RELATION]["symmetric"]),
        mappings_given=settings.mapping == "external-ids",
        targets_only=settings.targets is not None,
        no_overlap_is_free=settings.no_overlap_is_free,
        names_from_heads=not settings.named_without_names_is_worthless,
        takes_best_of_one=settings.lone_gold_takes_any_partner,
        b_cubed_counts_gold=settings.b_cubed_precision_counts_gold,
        sys_values_from_gold=settings.system_values_from_gold_arguments,
        heads_anywhere=settings.relation_mention_heads_anywhere,
        mention_arguments_never_right=settings.mention_arguments_never_right,
        argument_map=settings.argument_map,
        one_spare_partner=settings.one_spare_partner,
        no_map_no_false_arguments=settings.no_argument_map_no_false_arguments,
        absent_kind_is_worthless=settings.absent_kind_is_worthless,
        mention_map_by_pair_value=settings.mention_argument_map_by_pair_value,
        shortened_texts=settings.shortened_texts,
        mention_language_of_host=settings.mention_language_of_host,
    )


def _weights(settings: AceSettings) -> Mapping[str, PlainMapping]:
    return {
        ENTITY: settings.entity,
        VALUE: settings.value,
        TIMEX2: settings.timex2,
        RELATION: settings.relation,
        EVENT: settings.event,
    }


def _false_alarm(weights: PlainMapping) -> FalseAlarm:
    return FalseAlarm(
        element=weights["false-alarm"],
        mention=weights.get("mention-false-alarm", weights["false-alarm"]),
        coref=weights["coref-false-alarm"],
    )


def _frame(weights: PlainMapping) -> FrameWeights:
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


def refuse_unknown_weights(settings: AceSettings) -> None:
    """A misspelt weight cannot silently do nothing: unknown names and values that are no numbers are refused."""
    inventories = settings.inventories
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
        weights = _weights(settings)[kind]
        _refuse_unknown(f"[{kind}]", weights, tables_of_kind)
        for name, names in tables_of_kind.items():
            if names is not None:
                _refuse_unknown(f"[{kind}.{name}]", weights[name], dict.fromkeys(names))


_EVENT_ERRORS = ("TYPE", "SUBTYPE", "MODALITY", "GENERICITY", "POLARITY", "TENSE")


def _refuse_unknown(where: str, weights: PlainMapping, known: Mapping[str, Iterable[str] | None]) -> None:
    for name, weight in weights.items():
        if name not in known:
            hint = did_you_mean(name, list(known)) or f"known: {', '.join(known)}"
            raise UsageError(f"profile key {where}: unknown name {name!r}", hint=hint)
        if known[name] is None and (isinstance(weight, bool) or not isinstance(weight, int | float)):
            raise UsageError(f"profile key {where} {name}: expected a number, found {weight!r}")

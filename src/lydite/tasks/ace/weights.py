"""The weights of an ACE profile are refused where they are misspelt."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import isfinite

from lydite.errors import UsageError
from lydite.model.ace import ENTITY, EVENT, RELATION, TIMEX2, VALUE
from lydite.model.ace_settings import AceSettings
from lydite.registry import did_you_mean

_FALSE_ALARMS = ("false-alarm", "coref-false-alarm", "mention-false-alarm")
_ARGUMENT_WEIGHTS = ("false-alarm", "argument-role-error", "asymmetry-error", "argument-false-alarm")


def refuse_costly_excess_arguments(settings: AceSettings) -> None:
    """Refuse weights that charge for arguments in excess with a geometric mean, which cannot include them."""
    if settings.argument_average == "arithmetic":
        return
    weights = {kind: getattr(settings, kind).get("argument-false-alarm", 0.0) for kind in (RELATION, EVENT)}
    charged = [f"[{kind}] argument-false-alarm = {weight:g}" for kind, weight in weights.items() if weight]
    if settings.spurious != "pair-worth":
        charged.append(f"[rules] spurious = {settings.spurious!r}")
    if charged:
        hint = (
            "take a profile that extends ace05, with argument-false-alarm = 0.0 under [relation] and [event]"
        )
        message = f"argument-average = geometric needs arguments in excess that cost nothing, found {', '.join(charged)}"
        raise UsageError(message, hint=hint)


def refuse_unknown_weights(settings: AceSettings) -> None:
    """Refuse weights with unknown names, which would be ignored in silence, and values that are not numbers."""
    inventories = settings.inventories
    _refuse_broken_inventories(inventories)
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
        known[kind] = {**tables, **dict.fromkeys(_ARGUMENT_WEIGHTS)}
    extents = dict.fromkeys(("text", "audio", "image"))
    _refuse_unknown("[max-extent-difference]", {**extents, **settings.max_extent_difference}, extents)
    for kind, tables_of_kind in known.items():
        weights = getattr(settings, kind)
        _refuse_unknown(f"[{kind}]", weights, tables_of_kind)
        for name, names in tables_of_kind.items():
            if names is not None:
                table = weights.get(name)
                if not isinstance(table, Mapping):
                    raise UsageError(f"profile key [{kind}.{name}]: expected a table, found {table!r}")
                _refuse_unknown(f"[{kind}.{name}]", table, dict.fromkeys(names))


_INVENTORY_KEYS = {
    ENTITY: ("types", "class", "mention-type"),
    VALUE: ("types",),
    TIMEX2: ("attributes",),
    RELATION: ("types", "modality", "symmetric", "roles"),
    EVENT: ("types", "modality", "roles"),
}
"""The lists that every inventory must have."""


def _refuse_broken_inventories(inventories: Mapping[str, object]) -> None:
    """Refuse what is not a list of names, or for types not a table from each type to a list of its subtypes."""
    for kind, needed in _INVENTORY_KEYS.items():
        inventory = inventories.get(kind)
        listed = inventory if isinstance(inventory, Mapping) else {}
        for key in dict.fromkeys((*needed, *listed)):
            names, expected, fits = listed.get(key), "a list of names", _are_names(listed.get(key))
            if key == "types":
                expected = "a table of types and their subtypes"
                fits = isinstance(names, Mapping) and all(map(_are_names, names.values()))
            if not fits:
                where = f"profile key [inventories.{kind}] {key}"
                raise UsageError(f"{where}: expected {expected}, found {names!r}")


def _are_names(names: object) -> bool:
    return isinstance(names, list | tuple) and all(isinstance(name, str) for name in names)


_EVENT_ERRORS = ("TYPE", "SUBTYPE", "MODALITY", "GENERICITY", "POLARITY", "TENSE")


def _refuse_unknown(
    where: str, weights: Mapping[str, object], known: Mapping[str, Iterable[str] | None]
) -> None:
    for name, weight in weights.items():
        if name not in known:
            hint = did_you_mean(name, list(known)) or f"known: {', '.join(known)}"
            raise UsageError(f"profile key {where}: unknown name {name!r}", hint=hint)
        is_number = isinstance(weight, int | float) and not isinstance(weight, bool) and isfinite(weight)
        if known[name] is None and not is_number:
            raise UsageError(f"profile key {where} {name}: expected a number, found {weight!r}")

"""An element as a profile reads it: its level, its attributes with defaults, its roles."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

from lydite.model.ace import ENTITY, RELATION, TIMEX2, Element, ElementArgument
from lydite.model.ace_settings import AceSettings

LEVELS = ("NAM", "NOM", "PRO")


def document_level(element: Element, parameters: AceSettings) -> str:
    """The level of the mentions; without mentions an occurrence with a name is NAM, one without is PRO."""
    if not parameters.use_mentions and element.names:
        return "NAM"
    if not element.mentions:
        return "PRO"
    return level_of([(mention.type, mention.metonymic) for mention in element.mentions], parameters)


def level_of(mentions: Iterable[tuple[str, bool]], parameters: AceSettings) -> str:
    """The type with the largest weight of mentions (type, whether metonymic); a metonymic NAM may count as NOM."""
    nominal = parameters.metonymic_names_are_nominal
    types = {"NOM" if nominal and metonymic and type_ == "NAM" else type_ for type_, metonymic in mentions}
    return highest(types, parameters)


def highest(levels: Collection[str], parameters: AceSettings) -> str:
    """The level with the largest weight; NAM before NOM before PRO among equals."""
    if len(levels) == 1:
        return next(iter(levels))
    return _highest(frozenset(levels), tuple(parameters.entity["mention-type"].items()))


@lru_cache(maxsize=256)
def _highest(levels: frozenset[str], weights_of_levels: tuple[tuple[str, float], ...]) -> str:
    weights = dict(weights_of_levels)
    return max(
        sorted(levels),
        key=lambda level: (weights.get(level, 0.0), -LEVELS.index(level) if level in LEVELS else 0),
    )


def role_of(kind: str, type_: str, argument: ElementArgument, parameters: AceSettings) -> str | None:
    """The role as it is scored: ``Arg`` in symmetric relations with one role; None for a time that is not scored."""
    if kind == RELATION:
        if not parameters.score_relation_times and "time" in argument.role.lower():
            return None
        if parameters.has_one_role(type_) and argument.role in {"Arg-1", "Arg-2"}:
            return "Arg"
    return argument.role


def attributes_of(element: Element, level: str, parameters: AceSettings) -> dict[str, str]:
    """The attributes that are compared, with the defaults of absent ones."""
    attributes = dict(element.attributes)
    if element.kind == ENTITY:
        attributes["LEVEL"] = level
    elif element.kind == TIMEX2:
        attributes = {"TYPE": "TIMEX2", "SET": "NO", "NON_SPECIFIC": "NO", **attributes}
        if parameters.empty_attributes_are_absent:
            attributes = {name: value for name, value in attributes.items() if value}
    elif element.kind == RELATION:
        attributes.setdefault("MODALITY", "Unspecified")
        if attributes.get("TYPE") == "METONYMY":
            attributes.setdefault("SUBTYPE", "Unspecified")
        if parameters.relation_tense:
            attributes.setdefault("TENSE", "Unspecified")
        else:
            attributes.pop("TENSE", None)
    return attributes

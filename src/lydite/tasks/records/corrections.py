"""The faults of the answer for one record, and the answer that the system would have given without some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from typing import NamedTuple

from lydite.formats.record_files import LAYER
from lydite.model import Document
from lydite.model.answer import RecordAnswer
from lydite.model.verdict import LEFT_OUT, Explained
from lydite.tasks import outcomes as causes
from lydite.tasks.outcomes import Compared
from lydite.tasks.records import strict
from lydite.tasks.records import walk as walks
from lydite.tasks.records.paths import Tokens, tokens_of
from lydite.tasks.records.scorings import walker_of
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.records.sides import schema_of, sides_of
from lydite.tasks.records.values import ANY
from lydite.tasks.records.walk import RecordLeaf

FAULTS = (causes.UNPARSEABLE, causes.ABSENT, "extra", "spurious", "type", "value", "missing")
"""The rows of the budget, in the order in which they are mended."""
_WHOLE = frozenset({causes.UNPARSEABLE, causes.ABSENT})


def faults(settings: RecordSettings) -> tuple[str, ...]:
    """The rows of the budget; figures of programs have none."""
    return FAULTS if settings.scoring == "leaves" else ()


class RecordFaults:
    """The faults of the answer for one record."""

    def __init__(self, explained: Explained[Compared], settings: RecordSettings) -> None:
        self._sides = sides_of(explained.comparison.pair, settings)
        self._system = explained.system
        state = self._sides.state
        walk = walker_of(settings).walk(self._sides.gold, self._sides.system)
        has_schema = schema_of(settings).written
        found = [(leaf, _fault(leaf, state, has_schema=has_schema)) for leaf in walk.leaves]
        has_budget = settings.scoring == "leaves" and state != LEFT_OUT
        self._leaves = [] if not has_budget else [(leaf, fault) for leaf, fault in found if fault]
        self.items: Mapping[str, int] = Counter(fault for _, fault in self._leaves)

    def correct(self, faults: frozenset[str]) -> Document:
        """The document of the system after mending these faults."""
        if not faults & self.items.keys():
            return self._system
        if faults & _WHOLE & self.items.keys():
            return self._with(first_of(self._sides.gold))
        value = deepcopy(self._sides.system)
        mended = [leaf for leaf, fault in self._leaves if fault in faults]
        for leaf in mended:
            if leaf.system_id is not None:
                value = _set(value, tokens_of(leaf.place.system), (), None, _Added({}))
        added = _Added({})
        for leaf in mended:
            if leaf.gold_id is not None:
                places = tokens_of(leaf.place.system), tuple(tokens_of(leaf.place.gold))
                value = _set(value, *places, first_of(leaf.gold), added)
        return self._with(value)

    def _with(self, value: object) -> Document:
        layers = {**self._system.layers, LAYER: RecordAnswer(value)}
        return self._system._replace(layers=layers, present=True)  # type: ignore[arg-type]


def _fault(leaf: RecordLeaf, state: str, *, has_schema: bool) -> str | None:
    """The row of the budget that a leaf belongs to."""
    if leaf.status in {walks.CORRECT, walks.LEFT_OUT}:
        return None
    if state == causes.EXTRA_RECORD:
        return "extra"
    if state in _WHOLE:
        return state
    found = strict.cause_of(leaf, state, None, has_schema=has_schema)
    if found == causes.EXTRA_FIELD:
        return "extra"
    return {causes.TYPE_DIFFERS: "type", causes.VALUE_DIFFERS: "value"}.get(found, found)


def first_of(value: object) -> object:
    """A value of gold with the first of its alternatives."""
    if isinstance(value, tuple):
        return first_of(value[0])
    if isinstance(value, dict):
        if list(value) == [ANY] and isinstance(value[ANY], list) and value[ANY]:
            return first_of(value[ANY][0])
        return {key: first_of(one) for key, one in value.items()}
    return [first_of(one) for one in value] if isinstance(value, list) else value


class _Added(NamedTuple):
    """The positions of elements that were added, by their places in gold; ``above`` is the place that is being set."""

    positions: dict[tuple[object, ...], int]
    above: tuple[object, ...] = ()

    def below(self, token: object) -> _Added:
        return self._replace(above=(*self.above, token))


def _set(value: object, system: Tokens, gold: tuple[object, ...], leaf: object, added: _Added) -> object:
    """The value with a leaf at a place; an element without a partner is added once, whatever leaves it gets."""
    if not system:
        return leaf
    token, rest = system[0], system[1:]
    here = added.below(gold[0] if gold else None)
    if isinstance(token, str):
        fields = value if isinstance(value, dict) else {}
        fields[token] = _set(fields.get(token), rest, gold[1:], leaf, here)
        return fields
    elements = value if isinstance(value, list) else []
    if token is None:
        token = here.positions.setdefault(here.above, len(elements))
        if token == len(elements):
            elements.append(None)
    elements[token] = _set(elements[token], rest, gold[1:], leaf, here)
    return elements

"""Templates with slots, as GoLLIE scores them: a type, a query that names it, and values in slots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.tasks.outcomes import Compared
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.records.sides import RecordSides
from lydite.tasks.records.values import text_of
from lydite.tasks.strings import in_text
from lydite.tasks.strings.in_text import TextItem


def compare_slots(sides: RecordSides, settings: RecordSettings) -> Compared:
    """The templates of a record, and the values of their slots."""
    system = {} if sides.state else sides.system
    return in_text.compare(
        sides.pair,
        list(_templates(sides.gold, settings.roles)),
        list(_templates(system, settings.roles)),
        sides.text or "",
        settings.types,
        drops_hallucinated=settings.hallucinated_left_out,
        name="templates",
        fillers="slots",
    )


def _templates(record: object, slots: Mapping[str, Sequence[str]]) -> Iterator[TextItem]:
    held = record.get("templates") if isinstance(record, dict) else None
    for at, one in enumerate(held if isinstance(held, list) else []):
        if isinstance(one, dict):
            kind, query = str(one.get("type", "")), one.get("query")
            place = f"templates[{at}]"
            values = one.get("slots")
            filled = tuple(_values(values if isinstance(values, dict) else {}, slots.get(kind, ()), place))
            yield TextItem(kind, (query,) if isinstance(query, str) else (), place, filled)


def _values(values: Mapping[str, object], slots: Sequence[str], place: str) -> Iterator[tuple[str, str, str]]:
    """The values of the slots of a type; a single one is a list of one, null is none."""
    for name in slots:
        value = values.get(name)
        many = value if isinstance(value, list) else [] if value is None else [value]
        for at, one in enumerate(many):
            if one is not None:
                index = f"[{at}]" if isinstance(value, list) else ""
                yield name, one if isinstance(one, str) else text_of(one), f"{place}.slots.{name}{index}"

"""Events with triggers and arguments as plain objects: the keys of the format ``events``, and ``start`` and ``end``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lydite.formats.events import LAYER, event_of
from lydite.formats.faults import Faults
from lydite.formats.unplaced import find_unplaced
from lydite.model import Document
from lydite.model.argument import Event
from lydite.objects.values import (
    check_keys,
    convert_each,
    is_empty,
    to_list,
    to_ranges,
    to_span,
    to_text,
    wrong_value,
)

_ARGUMENT_KEYS = ("role", "start", "end", "span", "head", "text", "type", "id")


def event_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from ``{"events": […]}``, or from the events alone."""
    record = value if isinstance(value, Mapping) else {"events": value}
    check_keys(record, "", ("events", "text"), ("events",))
    events = convert_each(_event, to_list(record["events"], ".events", "events"), ".events")
    source_text = None if record.get("text") is None else to_text(record["text"], ".text")
    document = Document(doc_id, path=path, text=source_text, layers={LAYER: tuple(events)})
    return document._replace(findings=tuple(find_unplaced(document)))


def _event(value: object, where: str) -> Event:
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping):
        raise Faults(f"{where}: expected a dict, found {value!r}")
    entry, place = dict(value), f"{where}.arguments"
    _convert_ranges(entry, ("trigger", "trigger_head"), where)
    entry["arguments"] = convert_each(
        _argument, to_list(entry.get("arguments", ()), place, "arguments"), place
    )
    return event_of(entry, where, 0)


def _convert_ranges(entry: dict[str, object], keys: Sequence[str], where: str) -> None:
    for key in keys:
        if not is_empty(entry.get(key)):
            entry[key] = [list(one) for one in to_ranges(entry[key], f"{where}.{key}")]


def _argument(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise wrong_value(where, "a dict", value)
    entry = dict(value)
    check_keys(value, where, _ARGUMENT_KEYS, ("role",))
    to_text(entry.pop("type", ""), f"{where}.type")
    if "start" in entry or "end" in entry:
        if not is_empty(entry.get("span")):
            raise Faults(f"{where}: expected start and end, or span, found both")
        entry["span"] = [to_span(entry.pop("start", None), entry.pop("end", None), where)]
    _convert_ranges(entry, ("span", "head"), where)
    return entry

"""Events with triggers and arguments as plain objects: the keys of the format ``events``, and ``start`` and ``end``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lydite.formats.events import LAYER, event_of
from lydite.formats.faults import Faults, collect
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
    _, events, source_text = collect(
        partial(check_keys, record, "", ("events", "text"), ("events",)),
        lambda: convert_each(_event, to_list(record.get("events", ()), ".events", "events"), ".events"),
        lambda: None if record.get("text") is None else to_text(record["text"], ".text"),
    )
    document = Document(doc_id, path=path, text=source_text, layers={LAYER: tuple(events)})
    return document._replace(findings=tuple(find_unplaced(document)))


def _event(value: object, where: str) -> Event:
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping):
        raise Faults(f"{where}: expected a dict, found {value!r}")
    entry, place = dict(value), f"{where}.arguments"
    given = [key for key in ("trigger", "trigger_head") if not is_empty(entry.get(key))]
    parts = collect(
        *(partial(_convert_ranges, entry, key, where) for key in given),
        lambda: convert_each(_argument, to_list(entry.get("arguments", ()), place, "arguments"), place),
        lambda: event_of(_without_parts(value), where, 0),
    )
    return event_of({**entry, "arguments": parts[-2]}, where, 0)


def _without_parts(event: Mapping[str, object]) -> dict[str, object]:
    """The event with valid stand-ins for trigger and arguments, so that their faults are not reported twice."""
    valid = {"trigger": [[0, 1]], "trigger_head": [[0, 1]], "arguments": []}
    return {key: part if is_empty(part) else valid.get(key, part) for key, part in event.items()}


def _convert_ranges(entry: dict[str, object], key: str, where: str) -> None:
    entry[key] = [list(one) for one in to_ranges(entry[key], f"{where}.{key}")]


def _argument(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise wrong_value(where, "a dict", value)
    entry = dict(value)
    given = [key for key in ("span", "head") if not is_empty(value.get(key))]
    collect(
        partial(check_keys, value, where, _ARGUMENT_KEYS, ("role",)),
        *(partial(to_text, value.get(key, ""), f"{where}.{key}") for key in ("role", "type")),
        partial(_replace_start_and_end, entry, where),
        *(partial(_convert_ranges, entry, key, where) for key in given),
    )
    entry.pop("type", None)
    return entry


def _replace_start_and_end(entry: dict[str, object], where: str) -> None:
    """Replace ``start`` and ``end`` by the ``span`` that they stand for."""
    if "start" in entry or "end" in entry:
        if not is_empty(entry.get("span")):
            raise Faults(f"{where}: expected start and end, or span, found both")
        entry["span"] = [list(to_span(entry.pop("start", None), entry.pop("end", None), where))]

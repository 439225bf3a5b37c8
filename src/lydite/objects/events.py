"""Events with triggers and arguments as plain objects: what the format ``events`` has, with ``start`` and ``end``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lydite.formats.events import LAYER, event_of
from lydite.formats.faults import Faults, all_of
from lydite.formats.unplaced import without_place
from lydite.model import Document
from lydite.model.argument import Event
from lydite.objects.values import each, fields, listed, ranges, span, text

_ARGUMENT = ("role", "start", "end", "span", "head", "text", "type", "id")


def event_document(doc_id: str, value: object, path: str) -> Document:
    """A document from ``{"events": […]}``, or from the events alone."""
    held = (
        fields(value, "", ("events", "text"), ("events",))
        if isinstance(value, Mapping)
        else {"events": value}
    )
    events, words = all_of(
        lambda: each(_event, listed(held["events"], ".events", "events"), ".events"),
        lambda: None if held.get("text") is None else text(held["text"], ".text"),
    )
    document = Document(doc_id, path=path, text=words, layers={LAYER: tuple(events)})
    return document._replace(findings=tuple(without_place(document)))


def _event(value: object, where: str) -> Event:
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping):
        raise Faults(f"{where}: expected a dict, found {value!r}")
    entry = dict(value)
    parts = all_of(
        *(partial(_as_lists, entry, key, where) for key in ("trigger", "trigger_head") if entry.get(key)),
        lambda: each(
            _argument,
            listed(entry.get("arguments", ()), f"{where}.arguments", "arguments"),
            f"{where}.arguments",
        ),
    )
    return event_of({**entry, "arguments": parts[-1]}, where, 0)


def _as_lists(entry: dict[str, object], key: str, where: str) -> None:
    entry[key] = [list(one) for one in ranges(entry[key], f"{where}.{key}")]


def _argument(value: object, where: str) -> dict[str, object]:
    entry = dict(fields(value, where, _ARGUMENT, ("role",)))
    if isinstance(entry.pop("type", ""), str):
        if "start" in entry or "end" in entry:
            entry["span"] = [list(span(entry.pop("start", None), entry.pop("end", None), where))]
        elif entry.get("span"):
            _as_lists(entry, "span", where)
        if entry.get("head"):
            _as_lists(entry, "head", where)
        return entry
    raise Faults(f"{where}.type: expected a text")

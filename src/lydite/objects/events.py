"""Events with triggers and arguments as plain objects: what the format ``events`` has, with ``start`` and ``end``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lydite.formats.events import LAYER, event_of
from lydite.formats.faults import Faults, collect
from lydite.formats.unplaced import find_unplaced
from lydite.model import Document
from lydite.model.argument import Event
from lydite.objects.values import check_keys, each, is_empty, listed, ranges, refuse, span, text

_ARGUMENT = ("role", "start", "end", "span", "head", "text", "type", "id")


def event_document(doc_id: str, value: object, path: str) -> Document:
    """A document from ``{"events": […]}``, or from the events alone."""
    held = value if isinstance(value, Mapping) else {"events": value}
    _, events, words = collect(
        partial(check_keys, held, "", ("events", "text"), ("events",)),
        lambda: each(_event, listed(held.get("events", ()), ".events", "events"), ".events"),
        lambda: None if held.get("text") is None else text(held["text"], ".text"),
    )
    document = Document(doc_id, path=path, text=words, layers={LAYER: tuple(events)})
    return document._replace(findings=tuple(find_unplaced(document)))


def _event(value: object, where: str) -> Event:
    if isinstance(value, Event):
        return value
    if not isinstance(value, Mapping):
        raise Faults(f"{where}: expected a dict, found {value!r}")
    entry = dict(value)
    parts = collect(
        *(
            partial(_as_lists, entry, key, where)
            for key in ("trigger", "trigger_head")
            if not is_empty(entry.get(key))
        ),
        lambda: each(
            _argument,
            listed(entry.get("arguments", ()), f"{where}.arguments", "arguments"),
            f"{where}.arguments",
        ),
        lambda: event_of(_without_parts(value), where, 0),
    )
    return event_of({**entry, "arguments": parts[-2]}, where, 0)


def _without_parts(event: Mapping[str, object]) -> dict[str, object]:
    """The event itself, of which nothing is wrong where its trigger or its arguments are."""
    sound = {"trigger": [[0, 1]], "trigger_head": [[0, 1]], "arguments": []}
    return {key: held if is_empty(held) else sound.get(key, held) for key, held in event.items()}


def _as_lists(entry: dict[str, object], key: str, where: str) -> None:
    entry[key] = [list(one) for one in ranges(entry[key], f"{where}.{key}")]


def _argument(value: object, where: str) -> dict[str, object]:
    if not isinstance(value, Mapping):
        raise refuse(where, "a dict", value)
    entry = dict(value)
    collect(
        partial(check_keys, value, where, _ARGUMENT, ("role",)),
        *(partial(text, value.get(key, ""), f"{where}.{key}") for key in ("role", "type")),
        partial(_place, entry, where),
        *(partial(_as_lists, entry, key, where) for key in ("span", "head") if not is_empty(value.get(key))),
    )
    entry.pop("type", None)
    return entry


def _place(entry: dict[str, object], where: str) -> None:
    """``start`` and ``end`` as the span that they mean."""
    if "start" in entry or "end" in entry:
        if not is_empty(entry.get("span")):
            raise Faults(f"{where}: expected start and end, or span, found both")
        entry["span"] = [list(span(entry.pop("start", None), entry.pop("end", None), where))]

"""Events in JSON of any form: dotted paths say where the value of each key is.

``trigger=event.word,type=event_type`` reads ``{"event": {"word": "stormed"}, "event_type": "Attack"}``.  A record without a
list of events is one event.  A key without a path is looked for under its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypedDict

from lydite.errors import UsageError
from lydite.formats.faults import Faults
from lydite.registry import did_you_mean

KEYS = (
    "doc_id", "events", "type", "trigger", "start", "end", "realis", "arguments", "role", "filler", "filler_start",
    "filler_end",
)  # fmt: skip
"""The keys that can be mapped: document, list of events; type, trigger, realis and arguments of an event; role and filler."""

_MISSING = object()


def paths_of(items: Iterable[str]) -> dict[str, str]:
    """Paths by key, from ``key=path``."""
    paths = {}
    for item in items:
        key, equals, path = item.partition("=")
        if key not in KEYS or not equals or not path:
            hint = did_you_mean(key, list(KEYS)) or f"known: {', '.join(KEYS)}"
            raise UsageError(f"setting 'map': expected key=path, found {item!r}", hint=hint)
        paths[key] = path
    return paths


class StandardRecord(TypedDict):
    """A document with its events, under the names of this library."""

    doc_id: object
    events: list[dict[str, object]]


def standard_record(record: object, paths: Mapping[str, str]) -> StandardRecord:
    """The record with the keys of the format ``events``; raises :class:`Faults` if something is missing or odd."""
    if not isinstance(record, dict):
        raise Faults(f"expected an object, found {record!r:.60}")
    listed = _value_at(record, "events", paths)
    events = [record] if listed is _MISSING else listed
    if not isinstance(events, list):
        raise Faults(f"events: expected a list, found {events!r:.60}")
    is_single_event = listed is _MISSING
    doc_id = _required_value(record, "doc_id", paths, "document")
    standard_events = [
        _event(event, "event" if is_single_event else f"events[{at}]", paths)
        for at, event in enumerate(events)
    ]
    return {"doc_id": str(doc_id) if isinstance(doc_id, int) else doc_id, "events": standard_events}


def _event(event: object, where: str, paths: Mapping[str, str]) -> dict[str, object]:
    if not isinstance(event, dict):
        raise Faults(f"{where}: expected an object, found {event!r:.60}")
    held = _value_at(event, "arguments", paths)
    kind = _required_value(event, "type", paths, where)
    place = _place(event, ("trigger", "start", "end"), paths, where)
    arguments = _arguments([] if held is _MISSING else held, f"{where}.arguments", paths)
    realis = _value_at(event, "realis", paths)
    return {
        "type": kind,
        **place,
        **({"realis": realis} if isinstance(realis, str) else {}),
        **({} if held is _MISSING else {"arguments": arguments}),
    }


def _arguments(held: object, where: str, paths: Mapping[str, str]) -> list[dict[str, object]]:
    """The arguments in a list of objects, or in an object from roles to fillers or lists of fillers."""
    if isinstance(held, dict):
        held = [
            {"role": role, "filler": filler}
            for role, fillers in held.items()
            for filler in (fillers if isinstance(fillers, list) else [fillers])
            if filler not in (None, "")
        ]
        paths = {}
    if not isinstance(held, list):
        raise Faults(f"{where}: expected a list, or an object by role, found {held!r:.60}")
    return [_argument(argument, f"{where}[{at}]", paths) for at, argument in enumerate(held)]


def _argument(argument: object, where: str, paths: Mapping[str, str]) -> dict[str, object]:
    if not isinstance(argument, dict):
        raise Faults(f"{where}: expected an object, found {argument!r:.60}")
    if "filler" not in paths and "filler" not in argument:
        paths = {**paths, "filler": "text"}
    role = _required_value(argument, "role", paths, where)
    place = _place(argument, ("filler", "filler_start", "filler_end"), paths, where)
    return {"role": role, **{("span" if key == "trigger" else key): held for key, held in place.items()}}


def _place(
    record: Mapping[str, object], keys: tuple[str, str, str], paths: Mapping[str, str], where: str
) -> dict[str, object]:
    """The words of a trigger or filler under ``text``, its offsets under ``trigger``, as far as they are there."""
    words, start, end = (_value_at(record, key, paths) for key in keys)
    place: dict[str, object] = {}
    if isinstance(words, list):
        place["trigger"] = words
    elif isinstance(words, str) and words:
        place["text"] = words
    elif words is not _MISSING and words is not None:
        raise Faults(f"{where}.{keys[0]}: expected words or a span, found {words!r:.60}")
    if start is not _MISSING and end is not _MISSING:
        place["trigger"] = [start, end]
    if not place:
        raise Faults(f"{where}: nothing at {paths.get(keys[0], keys[0])!r} for {keys[0]}")
    return place


def _required_value(record: Mapping[str, object], key: str, paths: Mapping[str, str], where: str) -> object:
    value = _value_at(record, key, paths)
    if value is _MISSING:
        raise Faults(f"{where}: nothing at {paths.get(key, key)!r} for {key}")
    return value


def _value_at(record: Mapping[str, object], key: str, paths: Mapping[str, str]) -> object:
    """The value at the path of a key, or else under the key itself."""
    for path in (paths.get(key), key):
        found = _follow_path(record, path) if path else _MISSING
        if found is not _MISSING:
            return found
    return _MISSING


def _follow_path(record: object, path: str) -> object:
    for part in path.split("."):
        if isinstance(record, list) and part.isdigit() and int(part) < len(record):
            record = record[int(part)]
        elif isinstance(record, dict) and part in record:
            record = record[part]
        else:
            return _MISSING
    return record

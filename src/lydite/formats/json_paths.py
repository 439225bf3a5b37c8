"""The JSON that people have, as records of events: where each key stands is said by dotted paths.

``trigger=event.word,type=event_type`` reads ``{"event": {"word": "stormed"}, "event_type": "Attack"}``.  A record without a
list of events is one event.  A key without a path is looked for under its own name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from lydite.errors import UsageError
from lydite.formats.faults import Faults, collect, collect_each
from lydite.registry import did_you_mean

KEYS = (
    "doc_id", "events", "type", "trigger", "start", "end", "realis", "arguments", "role", "filler", "filler_start",
    "filler_end",
)  # fmt: skip
"""What can be mapped: the document, its list of events, of an event type, words and offsets of the trigger, realis and
arguments, of an argument role, words and offsets of its filler."""

_MISSING = object()


def paths_of(said: Iterable[str]) -> dict[str, str]:
    """Paths by key, from ``key=path``."""
    paths = {}
    for item in said:
        key, equals, path = item.partition("=")
        if key not in KEYS or not equals or not path:
            hint = did_you_mean(key, list(KEYS)) or f"known: {', '.join(KEYS)}"
            raise UsageError(f"setting 'map': expected key=path, found {item!r}", hint=hint)
        paths[key] = path
    return paths


def standard_record(record: object, paths: Mapping[str, str]) -> dict[str, Any]:
    """The record under the keys of the format ``events``; everything that is not where it should be is reported at once."""
    if not isinstance(record, dict):
        raise Faults(f"expected an object, found {record!r:.60}")
    listed = _at(record, "events", paths)
    events = [record] if listed is _MISSING else listed
    if not isinstance(events, list):
        raise Faults(f"events: expected a list, found {events!r:.60}")
    one = listed is _MISSING
    doc_id, made = collect(
        partial(_needed, record, "doc_id", paths, "document"),
        lambda: collect_each(
            lambda item: _event(item[1], "event" if one else f"events[{item[0]}]", paths), enumerate(events)
        ),
    )
    return {"doc_id": str(doc_id) if isinstance(doc_id, int) else doc_id, "events": made}


def _event(event: object, where: str, paths: Mapping[str, str]) -> dict[str, object]:
    if not isinstance(event, dict):
        raise Faults(f"{where}: expected an object, found {event!r:.60}")
    held = _at(event, "arguments", paths)
    kind, place, arguments = collect(
        partial(_needed, event, "type", paths, where),
        partial(_place, event, ("trigger", "start", "end"), paths, where),
        lambda: _arguments([] if held is _MISSING else held, f"{where}.arguments", paths),
    )
    realis = _at(event, "realis", paths)
    return {
        "type": kind,
        **place,
        **({"realis": realis} if isinstance(realis, str) else {}),
        **({} if held is _MISSING else {"arguments": arguments}),
    }


def _arguments(held: object, where: str, paths: Mapping[str, str]) -> list[dict[str, object]]:
    """A list of objects, or an object from roles to fillers or lists of them."""
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
    return collect_each(lambda item: _argument(item[1], f"{where}[{item[0]}]", paths), enumerate(held))


def _argument(argument: object, where: str, paths: Mapping[str, str]) -> dict[str, object]:
    if not isinstance(argument, dict):
        raise Faults(f"{where}: expected an object, found {argument!r:.60}")
    if "filler" not in paths and "filler" not in argument:
        paths = {**paths, "filler": "text"}
    role, place = collect(
        partial(_needed, argument, "role", paths, where),
        partial(_place, argument, ("filler", "filler_start", "filler_end"), paths, where),
    )
    return {"role": role, **{("span" if key == "trigger" else key): held for key, held in place.items()}}


def _place(
    record: Mapping[str, object], keys: tuple[str, str, str], paths: Mapping[str, str], where: str
) -> dict[str, object]:
    """Words under ``text``, offsets under ``trigger``, as far as they are there."""
    words, start, end = (_at(record, key, paths) for key in keys)
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


def _needed(record: Mapping[str, object], key: str, paths: Mapping[str, str], where: str) -> object:
    value = _at(record, key, paths)
    if value is _MISSING:
        raise Faults(f"{where}: nothing at {paths.get(key, key)!r} for {key}")
    return value


def _at(record: Mapping[str, object], key: str, paths: Mapping[str, str]) -> object:
    """What stands at the path of a key, else under the key itself."""
    for path in (paths.get(key), key):
        found = _followed(record, path) if path else _MISSING
        if found is not _MISSING:
            return found
    return _MISSING


def _followed(record: object, path: str) -> object:
    for part in path.split("."):
        if isinstance(record, list) and part.isdigit() and int(part) < len(record):
            record = record[int(part)]
        elif isinstance(record, dict) and part in record:
            record = record[part]
        else:
            return _MISSING
    return record

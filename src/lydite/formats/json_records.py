"""Today's formats of JSON records, told apart by the keys of their first record, and the layers that such a file holds.

Files of several layers share keys: ``doc_key`` stands in RAMS, in DyGIE++ and in coreference.  So all keys are looked at.
"""

from __future__ import annotations

import re
from functools import lru_cache

from lydite.formats.json_lines import first_line, first_records
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.predicted_keys import PREFIX

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"?|[\[\]{}:]', re.DOTALL)
EVENTS, ENTITIES, RELATIONS, CLUSTERS = "events", "entities", "relations", "clusters"
_TASKS = {
    EVENTS: ("arguments", "nugget"),
    ENTITIES: ("spans",),
    RELATIONS: ("relations",),
    CLUSTERS: ("coref",),
}
"""By layer, the tasks that score it; the first one is taken where a file holds nothing else."""

_ONEIE = {
    "event_mentions": EVENTS,
    "entity_mentions": ENTITIES,
    "relation_mentions": RELATIONS,
    "triggers": EVENTS,
    "entities": ENTITIES,
    "relations": RELATIONS,
}
_LAYERS = {
    "oneie": _ONEIE,
    "textee": _ONEIE,
    "spert": {"entities": ENTITIES, "relations": RELATIONS},
    "dygie": {"events": EVENTS, "ner": ENTITIES, "relations": RELATIONS, "clusters": CLUSTERS},
}
"""By format, the layer that a key holds; the keys of a graph are those of its parts."""


@lru_cache(maxsize=4)  # every format asks for the same bytes
def keys_of_first_record(head: bytes) -> frozenset[str]:
    """The keys of the first record of a file, as far as its first bytes have it; none if it is no object."""
    keys, depth, last = set(), 0, b""
    for found in _TOKEN.finditer(first_line(head)):
        token = found[0]
        if depth == 0 and token != b"{":
            return frozenset()
        if token == b":":
            if depth == 1 and last:
                keys.add(last[1:-1].decode("utf-8", "replace"))
            last = b""
        elif token in {b"{", b"["}:
            depth += 1
        elif token in {b"}", b"]"}:
            depth -= 1
            if depth == 0:
                break
        else:
            last = token
    return frozenset(keys)


def record_format_of(head: bytes) -> str | None:
    """The format of a file by the keys of its first record: oneie, textee, dygie, spert, docred, maven-ere, coref-jsonl, rams or gen-arg."""
    keys = keys_of_first_record(head)
    if "tokens" in keys and keys & {"entity_mentions", "event_mentions", "graph"}:
        return "textee" if "wnd_id" in keys else "oneie" if keys & {"doc_id", "sent_id"} else None
    if keys & {"evt_triggers", "gold_evt_links"} or {"doc_key", "predictions"} <= keys:
        return "rams"
    if {"doc_key", "predicted"} <= keys:
        return "gen-arg"
    plain = {key.removeprefix(PREFIX) for key in keys}
    if "doc_key" in keys and "sentences" in keys and plain & {"ner", "relations", "events"}:
        return "dygie"
    if "title" in keys and (keys & {"vertexSet", "labels"} or keys >= {"h_idx", "t_idx", "r"}):
        return "docred"
    if {"id", "preds"} <= keys or ({"id", "events"} <= keys and b'"triggers"' in first_line(head)):
        return "maven-arg"
    of_events = any(key.endswith("_relations") for key in keys) or not keys.isdisjoint(
        {"TIMEX", "coreference"}
    )
    if "id" in keys and (of_events or keys == {"id"}):
        return "maven-ere"
    if keys >= {"tokens", "entities", "relations"} and not _joins_strings(head):
        return "spert"
    return "coref-jsonl" if "doc_key" in keys and "clusters" in plain else None


_STRING_END = re.compile(rb'"(?:head|tail)"\s*:\s*"')


def _joins_strings(head: bytes) -> bool:
    """Whether the ends of relations are texts and not numbers of entities."""
    return _STRING_END.search(head) is not None


def is_record_of(name: str, head: bytes) -> bool:
    """Whether a file is of that format."""
    return record_format_of(head) == name


def tasks_by_layer(name: str, head: bytes) -> dict[str, tuple[str, ...]]:
    """The layers in the first bytes of a file of that format, with the tasks that score them.

    Layers that hold something, or all that are named if none does.
    """
    named: dict[str, bool] = {}
    for line in first_records(head):
        try:
            record = json_object(line)
        except NotJSONError:  # the last line is cut off
            record = dict.fromkeys(keys_of_first_record(line), True)
        graph = record.get("graph")
        for key, value in {**record, **(graph if isinstance(graph, dict) else {})}.items():
            layer = _LAYERS[name].get(key.removeprefix(PREFIX))
            if layer is not None:
                named[layer] = named.get(layer, False) or _is_filled(value)
    filled = [layer for layer, is_filled in named.items() if is_filled] or list(named)
    return {layer: _TASKS[layer] for layer in filled}


def _is_filled(value: object) -> bool:
    """Whether there is anything in a list of lists."""
    return any(map(_is_filled, value)) if isinstance(value, list) else True

"""Which keys of JSON records hold a layer, where systems write their predictions beside a copy of gold.

``clusters`` stands beside ``predicted_clusters``, ``ner`` beside ``predicted_ner``.  Gold is read from the plain keys,
always; a system from the predicted ones, unless no record of its file has any.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from lydite.errors import Finding, Location, refuse
from lydite.formats.base import SIDE, Options
from lydite.formats.json_lines import json_lines
from lydite.formats.json_values import NotJSONError, json_object
from lydite.formats.source import Source

PREFIX = "predicted_"
_MARK = f'"{PREFIX}'.encode()
KeysOfRecords = AbstractSet[frozenset[str]]
"""The keys of the records of a file, each combination of keys once."""


def find_predicted_keys(source: Source) -> frozenset[str]:
    """All keys of records that begin with ``predicted_``; what is no record is left to the reader."""
    found: set[str] = set()
    for _, line in json_lines(source):
        if _MARK in line:
            try:
                found.update(key for key in json_object(line) if key.startswith(PREFIX))
            except NotJSONError:
                continue
    return frozenset(found)


def choose_key(layer: str, source: Source, options: Options) -> tuple[str, tuple[Finding, ...]]:
    """As :func:`choose_key_of`, with a look for keys at every record of the source."""
    return choose_key_of(layer, {find_predicted_keys(source)}, source, options)


def choose_key_of(
    layer: str, keys_of_records: KeysOfRecords, source: Source, options: Options
) -> tuple[str, tuple[Finding, ...]]:
    """The key under which a layer is read on this side, and what the user should know about it.

    ``options`` have the side (none if a file is read by itself) and the setting ``system-keys``.
    Raises :class:`~lydite.errors.FormatError` if the layer of a system can only be that of gold.
    """
    predicted = {key for keys in keys_of_records for key in keys if key.startswith(PREFIX)}
    named = ", ".join(sorted(predicted))
    place, predicted_key = Location(source.path), PREFIX + layer
    side, keys = options.get(SIDE), options.get("system-keys")
    if side == "gold":
        if not predicted:
            return layer, ()
        message = f"gold holds predictions too ({named}); gold is read from the plain keys, here {layer!r}"
        hint = "are the sides exchanged? gold of this format has no 'predicted_…' keys"
        return layer, (Finding("predictions-as-gold", "warning", message, place, hint=hint),)
    if keys == "plain":
        return layer, ()
    if predicted_key in predicted:
        return predicted_key, ()
    if predicted or keys == "predicted":
        message = f"expected {predicted_key!r}, found {named or 'no predicted key'}: {layer!r} can only be a copy of gold"
        layers = ", ".join(sorted(key.removeprefix(PREFIX) for key in predicted)) or "none"
        hint = f"predicted are: {layers}; --system-keys plain reads {layer!r} all the same"
        raise refuse(source.path, "gold-only-layer", message, hint=hint)
    if side != "system":
        return layer, ()
    message = f"no key begins with {PREFIX!r}: {layer!r} of {source.name} is read as its predictions"
    hint = "is it a copy of gold? --system-keys plain says that it is not"
    return layer, (Finding("gold-keys-as-system", "warning", message, place, hint=hint),)

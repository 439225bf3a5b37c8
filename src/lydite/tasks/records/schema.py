"""The schema of records: written as JSON Schema with ``x-lydite`` or as TOML, or nothing but what gold shows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

from lydite.errors import Finding, Location, UsageError
from lydite.formats.answers import BadJSONError, parse_json
from lydite.model.strings import STEPS
from lydite.registry import did_you_mean
from lydite.tasks.records.comparators import COMPARATORS, TEXT_STEPS, Comparator, day_of
from lydite.tasks.records.paths import ELEMENT, below, steps_of
from lydite.tasks.records.values import Alternatives, kind_of, same, shown

SIMILARITIES: Final = ("dice", "count", "subset", "exact", "anls", "weighted")
OWN_KEYS: Final = "x-lydite"
TYPES: Final = ("string", "number", "integer", "boolean", "null", "object", "array")


class SchemaNode:
    """What a schema says about the values at one path."""

    __slots__ = (
        "closed", "comparator", "enum", "is_date", "items", "key", "ordered", "properties", "required", "similarity",
        "types", "weight",
    )  # fmt: skip

    def __init__(self) -> None:
        self.types: tuple[str, ...] = ()
        """The JSON Schema types that are allowed; all, if there is none."""
        self.properties: dict[str, SchemaNode] | None = None
        """The keys of objects; None if the schema names none, and no key is extra."""
        self.required: tuple[str, ...] = ()
        self.closed = False
        """Whether other keys break the schema."""
        self.items: SchemaNode | None = None
        self.enum: Sequence[object] | None = None
        self.is_date = False
        self.comparator = Comparator()
        self.ordered = False
        self.similarity: str | None = None
        self.weight = Fraction(1)
        self.key: tuple[str, ...] = ()

    def under(self, key: str) -> SchemaNode:
        """What the schema says about a key."""
        return (self.properties or {}).get(key, ANYTHING)

    @property
    def elements(self) -> SchemaNode:
        """What the schema says about the elements of a list."""
        return self.items or ANYTHING

    def lacks(self, key: str) -> bool:
        """Whether a key is extra, if gold lacks it as well."""
        return self.properties is not None and key not in self.properties


ANYTHING: Final = SchemaNode()
"""What no schema says anything about."""


class Schema(NamedTuple):
    """A schema as it was read: the root, and the findings about the file."""

    root: SchemaNode
    findings: tuple[Finding, ...] = ()
    written: bool = True
    document: object = None
    """The JSON document of a schema in a dialect of a program."""


INFERRED: Final = Schema(ANYTHING, (), written=False)


def load_schema(path: str | None) -> Schema:
    """The schema in a file, by its name: ``.toml`` or ``.json``; without a file what gold shows."""
    if path is None:
        return INFERRED
    try:
        changed = os.stat(path).st_mtime_ns  # noqa: PTH116 - a plain path
    except OSError as error:
        raise UsageError(f"schema {path}: cannot be read: {error.strerror or error}") from None
    return _load(path, changed)


@lru_cache(maxsize=8)
def _load(path: str, _changed: int) -> Schema:
    with open(path, "rb") as stream:  # noqa: PTH123 - a plain path
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(
            f"schema {path}: expected UTF-8, found another encoding at byte {error.start}"
        ) from None
    if path.endswith(".toml"):
        return _from_toml(text, path)
    try:
        document, _ = parse_json(text)
    except BadJSONError as error:
        raise UsageError(f"schema {path}: expected JSON, found: {error}") from None
    if not isinstance(document, dict):
        raise UsageError(f"schema {path}: expected a JSON object, found {kind_of(document)}")
    reader = _JsonSchema(document, path)
    return Schema(reader.node_of(document, ""), tuple(reader.findings), document=document)


# --------------------------------------------------------------------------------------------- keys of x-lydite


class _Keys:
    """Reads the keys of ``x-lydite``, which TOML has as well; what is no key, or has another value, is a finding."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.findings: list[Finding] = []

    def refuse(self, code: str, message: str, hint: str | None = None) -> None:
        self.findings.append(Finding(code, "error", message, Location(self._path), hint=hint))

    def apply(self, node: SchemaNode, keys: Mapping[str, object], place: str) -> None:
        """Set what the keys say on a node."""
        where = f"path {place!r}" if place else "the root"
        options: dict[str, object] = {}
        for key, value in keys.items():
            if key not in _PARSERS:
                hint = did_you_mean(key, [*_PARSERS, "type"]) or f"choose from: {', '.join(_PARSERS)}"
                self.refuse("unknown-key-of-schema", f"schema, {where}: no key {key!r}", hint)
                continue
            try:
                options[key] = _PARSERS[key](value)
            except ValueError as error:
                self.refuse("bad-schema", f"schema, {where}: {key}: expected {error}, found {value!r:.60}")
        node.ordered = bool(options.pop("ordered", node.ordered))
        node.similarity = options.pop("similarity", node.similarity)  # type: ignore[assignment]
        node.weight = options.pop("weight", node.weight)  # type: ignore[assignment]
        node.key = options.pop("key", node.key)  # type: ignore[assignment]
        name = options.pop("compare", "date" if node.is_date else "exact")
        node.comparator = _comparator(str(name), options)


def _comparator(name: str, options: dict[str, object]) -> Comparator:
    steps = options.pop("steps", ("casefold",) if name == "casefold" else TEXT_STEPS)
    aliases: Mapping[str, Sequence[str]] = options.pop("aliases", {})  # type: ignore[assignment]
    comparator = Comparator(name, steps=steps, **options)  # type: ignore[arg-type]
    if aliases:
        from lydite.model.strings import normaliser

        normalise = normaliser(comparator.steps)
        found: dict[str, tuple[str, ...]] = {}
        for gold, others in aliases.items():
            found[normalise(gold)] = (*found.get(normalise(gold), ()), *map(normalise, others))
        comparator = comparator._replace(aliases=found)
    return comparator


def _choice(*choices: str) -> Callable[[object], object]:
    def parse(value: object) -> object:
        if value not in choices:
            raise ValueError(f"one of {', '.join(choices)}")
        return value

    return parse


def _flag(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false")  # noqa: TRY004 - about a file
    return value


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")  # noqa: TRY004 - about a file
    return value


def _texts(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ValueError("a list of texts")
    return tuple(value)


def _steps(value: object) -> tuple[str, ...]:
    steps = _texts(value)
    if not STEPS.keys() >= set(steps):
        raise ValueError(f"steps among {', '.join(STEPS)}")
    return steps


def _amount(value: object) -> Decimal:
    if (
        isinstance(value, bool)
        or not isinstance(value, int | Decimal)
        or not 0 <= value < Decimal("Infinity")
    ):
        raise ValueError("a number from 0 up")
    return Decimal(value)


def _aliases(value: object) -> Mapping[str, tuple[str, ...]]:
    if not isinstance(value, dict):
        raise ValueError("an object with lists of texts")  # noqa: TRY004 - about a file
    return {key: _texts(others) for key, others in value.items()}


_PARSERS: dict[str, Callable[[object], object]] = {
    "compare": _choice(*COMPARATORS),
    "steps": _steps,
    "aliases": _aliases,
    "abs": _amount,
    "rel": _amount,
    "strings": _flag,
    "thousands": _text,
    "decimal": _text,
    "order": _choice("dmy", "mdy"),
    "threshold": lambda value: Fraction(_amount(value)),
    "ordered": _flag,
    "similarity": _choice(*SIMILARITIES),
    "weight": lambda value: Fraction(_amount(value)),
    "key": _texts,
}
"""The keys of ``x-lydite`` and of TOML, with what reads their values."""


# -------------------------------------------------------------------------------------------------- JSON Schema

_READ = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "format", "$ref", OWN_KEYS}
)
_SILENT = frozenset(
    [
        "$schema",
        "$id",
        "$defs",
        "definitions",
        "$comment",
        "$anchor",
        "title",
        "description",
        "default",
        "examples",
        "readOnly",
        "writeOnly",
        "deprecated",
    ]
)


class _JsonSchema(_Keys):
    """Reads a JSON Schema."""

    def __init__(self, document: Mapping[str, object], path: str) -> None:
        super().__init__(path)
        self._document = document
        self._nodes: dict[int, SchemaNode] = {}
        self._kept: list[object] = []
        self._ignored: set[str] = set()

    def node_of(self, schema: object, place: str) -> SchemaNode:
        """What a schema says; a schema that refers to itself is read once."""
        if not isinstance(schema, dict):
            if not isinstance(schema, bool):
                self.refuse("bad-schema", f"schema, path {place!r}: expected an object, found {schema!r:.60}")
            return ANYTHING
        if id(schema) in self._nodes:
            return self._nodes[id(schema)]
        node = self._nodes[id(schema)] = SchemaNode()
        self._kept.append(schema)
        self._fill(node, self._resolved(schema, place), place)
        return node

    def _resolved(self, schema: dict[str, object], place: str) -> dict[str, object]:
        """The schema with what it refers to inside of the file; its own keys come first."""
        seen: set[str] = set()
        while "$ref" in schema:
            address = schema["$ref"]
            own = {key: value for key, value in schema.items() if key != "$ref"}
            found = self._referred(address) if isinstance(address, str) and address not in seen else None
            if not isinstance(found, dict):
                self.refuse(
                    "bad-schema",
                    f"schema, path {place!r}: $ref {address!r:.60} leads to no schema of this file",
                )
                return own
            seen.add(str(address))
            schema = {**found, **own}
        return schema

    def _referred(self, address: str) -> object:
        if not address.startswith("#"):
            return None
        found: object = self._document
        for part in address[1:].split("/")[1:]:
            name = part.replace("~1", "/").replace("~0", "~")
            if not isinstance(found, dict) or name not in found:
                return None
            found = found[name]
        return found

    def _fill(self, node: SchemaNode, schema: Mapping[str, object], place: str) -> None:
        types = schema.get("type")
        node.types = _types(types, self, place)
        required = schema.get("required")
        node.required = tuple(map(str, required)) if isinstance(required, list) else ()
        node.closed = schema.get("additionalProperties") is False
        enum = schema.get("enum")
        node.enum = enum if isinstance(enum, list) else None
        node.is_date = schema.get("format") == "date"
        own = schema.get(OWN_KEYS, {})
        if isinstance(own, dict):
            self.apply(node, own, place)
        else:
            self.refuse(
                "bad-schema", f"schema, path {place!r}: {OWN_KEYS}: expected an object, found {own!r:.60}"
            )
        properties = schema.get("properties")
        if isinstance(properties, dict):
            node.properties = {key: self.node_of(one, below(place, key)) for key, one in properties.items()}
        if "items" in schema:
            node.items = self.node_of(schema["items"], place + ELEMENT)
        for key in schema:
            is_read = key in _READ and not (key == "format" and not node.is_date)
            if not is_read and key not in _SILENT and not key.startswith("x-") and key not in self._ignored:
                self._ignored.add(key)
                message = f"schema: the keyword {key!r} is ignored (first at {place or 'the root'})"
                self.findings.append(Finding("ignored-keyword", "note", message, Location(self._path)))


def _types(types: object, keys: _Keys, place: str) -> tuple[str, ...]:
    found = types if isinstance(types, list) else [] if types is None else [types]
    if not all(one in TYPES for one in found):
        message = f"schema, path {place!r}: type: expected some of {', '.join(TYPES)}, found {types!r:.60}"
        keys.refuse("bad-schema", message)
        return ()
    return tuple(map(str, found))


# --------------------------------------------------------------------------------------------------------- TOML


def _from_toml(text: str, path: str) -> Schema:
    import tomllib

    try:
        tables = tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"schema {path}: expected TOML, found: {error}") from None
    keys = _Keys(path)
    root = SchemaNode()
    for place, table in tables.items():
        if not isinstance(table, dict):
            message = f"schema: expected a table for each path, found the key {place!r} outside of tables"
            keys.refuse("unknown-key-of-schema", message)
            continue
        try:
            steps = steps_of(place)
        except ValueError as error:
            keys.refuse("bad-schema", f"schema: {place!r} is no path: {error}", 'write ["items[].qty"]')
            continue
        node = _node_at(root, steps)
        if "type" in table:
            node.types = _types(table["type"], keys, place)
        keys.apply(node, {key: value for key, value in table.items() if key != "type"}, place)
    return Schema(root, tuple(keys.findings))


def _node_at(node: SchemaNode, steps: Sequence[str | None]) -> SchemaNode:
    """The node of a path; those on the way are made."""
    for step in steps:
        if step is None:
            node.items = node.items or SchemaNode()
            node = node.items
        else:
            node.properties = {} if node.properties is None else node.properties
            node = node.properties.setdefault(step, SchemaNode())
    return node


# ----------------------------------------------------------------------------------------------------- checking


class Violation(NamedTuple):
    """A place at which a value breaks the schema."""

    path: str
    expected: str
    found: str


def violations(value: object, node: SchemaNode, path: str = "") -> Iterator[Violation]:
    """Every place at which a value breaks the schema; where the type is wrong, nothing below is looked at."""
    if isinstance(value, Alternatives):
        broken = next((one for option in value for one in violations(option, node, path)), None)
        if broken is not None:
            yield broken
        return
    if node.types and not any(_has_type(value, name) for name in node.types):
        yield Violation(path, " or ".join(node.types), _found(value))
        return
    if node.enum is not None and not any(same(one, value) for one in node.enum):
        yield Violation(path, f"one of {shown(list(node.enum)):.80}", _found(value))
        return
    if node.is_date and isinstance(value, str) and not _is_day(value):
        yield Violation(path, "a day YYYY-MM-DD", _found(value))
        return
    if isinstance(value, dict):
        for key in node.required:
            if key not in value:
                yield Violation(below(path, key), "a value", "none")
        properties = node.properties or {}
        for key, one in value.items():
            if key in properties:
                yield from violations(one, properties[key], below(path, key))
            elif node.closed:
                yield Violation(below(path, key), "no such key", _found(one))
    elif isinstance(value, list) and node.items is not None:
        for at, one in enumerate(value):
            yield from violations(one, node.items, f"{path}[{at}]")


def _found(value: object) -> str:
    kind = kind_of(value)
    return f"{kind} {shown(value):.60}" if kind not in {"object", "array"} else kind


def _has_type(value: object, name: str) -> bool:
    kind = kind_of(value)
    if name == "integer":
        return kind == "number" and (isinstance(value, int) or value == value.to_integral_value())  # type: ignore[attr-defined]
    return kind == name


def _is_day(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and day_of(text, None) is not None


# ------------------------------------------------------------------------------------------------------ showing


def inferred_toml(records: Sequence[object]) -> str:
    """The schema that gold shows, as TOML to start from."""
    types: dict[str, set[str]] = {}

    def visit(value: object, path: str) -> None:
        if isinstance(value, Alternatives):
            for one in value:
                visit(one, path)
        elif isinstance(value, dict):
            for key, one in value.items():
                visit(one, below(path, key))
        elif isinstance(value, list):
            types.setdefault(path, set()).add("array")
            for one in value:
                visit(one, path + ELEMENT)
        else:
            types.setdefault(path, set()).add(kind_of(value))

    for record in records:
        visit(record, "")
    lines: list[str] = []
    for path, found in types.items():
        names = sorted(found)
        written = _toml_text(names[0]) if len(names) == 1 else f"[{', '.join(map(_toml_text, names))}]"
        comparison = [] if names == ["array"] else ['compare = "exact"']
        lines += [f"[{_toml_text(path)}]", f"type = {written}", *comparison]
    return "".join(f"{line}\n" for line in lines)


def _toml_text(text: str) -> str:
    import json

    return json.dumps(text, ensure_ascii=False)

"""Settings, which a task declares once, and profiles, which give them values in TOML files.

A task declares its settings as the fields of a record: name, type, default, one sentence.  From this declaration come
the flags of ``lydite score TASK --help``, the keys of TOML files, the keyword arguments of the library and the parts
of the signature::

    class NuggetSettings(Settings):
        pairing: str = setting("str", "greedy", "which pairs are taken", ("greedy", "optimal"), table="align")

Code reads the fields of a record (``settings.pairing``).  A profile is a TOML file::

    extends    = "nugget/base"
    title      = "TAC KBP 2015"
    reproduces = "EvmEval 1.6.3"

    [align]
    pairing = "greedy"

    [quirks]
    skip-documents-without-gold = true

Tables only group the keys for readers; a key belongs to the table that its declaration names.  Unknown keys are
refused, so that a misspelt rule cannot be ignored silently.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf
from types import MappingProxyType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from lydite.errors import UsageError
from lydite.frozen import frozen
from lydite.numerals import decimal_of, is_natural, is_whole
from lydite.registry import did_you_mean, near_or_known
from lydite.toml_files import read_toml, shipped_toml

PROFILES_FOLDER = os.path.join(os.path.dirname(__file__), "profiles")
T = TypeVar("T")
C = TypeVar("C", bound=str)
QUIRKS = "quirks"
"""The table of a profile with its quirks."""


class Setting(NamedTuple):
    """A setting: its name, kind, default and one sentence of help.

    ``kind`` is ``bool``, ``int`` or ``float`` (from 0 up), ``index`` (a whole number), ``share`` (from 0 to 1),
    ``str``, ``pattern`` (a regular expression), ``list`` (of text), ``lists`` (of text, by name; or a JSON file with them)
    or ``path`` (a file whose content decides scores; the signature carries a hash of it).
    ``choices`` are all possible values of a ``str`` or of the items of a ``list``.
    ``table`` is the TOML table with its key; settings in ``[quirks]`` are switched with ``--quirk``.
    ``signed`` is false for a setting that cannot change a number (a folder with files, for instance); ``flag`` is false
    for one that has no flag on the command line.
    """

    name: str
    kind: str
    default: object
    help: str
    choices: tuple[str, ...] = ()
    table: str = "score"
    signed: bool = True
    flag: bool = True
    abbreviation: str = ""
    more_choices: Callable[[], Iterable[str]] = tuple
    """Further choices, which other packages add; they are looked up only for a value that is none of ``choices``."""
    check: Callable[[str], None] = lambda _item: None
    """Refuses an item of a list that cannot be meant, where the possible ones are too many for ``choices``."""
    needs_one: bool = False
    """Whether an empty list is refused."""
    or_file: bool = False
    """Whether a single text may also be the name of a file with the value."""
    needs: str = ""
    """The setting (``tokens``), or a value of a setting (``coref=on``), without which it has no effect."""
    headline_of: Callable[[Sequence[str]], str] | None = None
    """Of a list that only says what is reported: the item that makes the headline; the signature has that alone."""

    @property
    def is_quirk(self) -> bool:
        """Whether this is a named oddity of an official program."""
        return self.table == QUIRKS

    def signed_part(self, value: object) -> object:
        """The part of a value that is signed: all of it, or the headline of a list of reported figures."""
        return self.headline_of(value) if self.headline_of and isinstance(value, tuple) else value

    @property
    def key(self) -> str:
        """The name as a Python identifier."""
        return self.name.replace("-", "_")

    def parse(self, value: object) -> object:
        """Convert a value, or its text, to this setting's kind; one of another kind or outside ``choices`` is refused."""
        parsed = _PARSERS[self.kind](self, value)
        for item in parsed if isinstance(parsed, tuple) else (parsed,):
            if self.choices and item is not None and item not in self.choices:
                known = [*self.choices, *self.more_choices()]
                if item not in known:
                    hint = did_you_mean(str(item), known) or f"choose from: {', '.join(known)}"
                    raise UsageError(f"setting {self.name!r}: {item!r} is not possible", hint=hint)
            elif self.kind == "list":
                self.check(str(item))
        if self.needs_one and not parsed:
            hint = f"choose from: {', '.join(self.choices)}"
            raise UsageError(f"setting {self.name!r}: expected at least one, found none", hint=hint)
        return parsed

    def file_in(self, value: object) -> str | None:
        """The file or folder that a value names, if it does."""
        if self.kind == "path":
            return str(value) if value else None
        words = value if isinstance(value, tuple) else (value,)
        possible = [word for word in words if self.or_file and isinstance(word, str)]
        return possible[0] if len(possible) == 1 and os.path.isfile(possible[0]) else None


def setting(
    kind: str,
    default: T,
    help: str,  # noqa: A002 - the word that the command line uses
    choices: tuple[str, ...] = (),
    table: str = "score",
    **more: Any,
) -> T:
    """The declaration of one field of :class:`Settings`, its name; ``more`` are further parts of :class:`Setting`."""
    one = Setting("", kind, default, help, choices, table, **more)
    return cast("T", one)  # an instance has the value in this field


def choice(sentence: str, choices: tuple[C, ...], table: str, *, signed: bool = True, needs: str = "") -> C:
    """The declaration of a setting with one of these values; the first one is the default."""
    return setting("str", choices[0], sentence, choices, table, signed=signed, needs=needs)


def path(sentence: str, table: str, *, signed: bool = True, needs: str = "") -> str | None:
    """The declaration of an optional file or folder."""
    return setting("path", None, sentence, table=table, signed=signed, needs=needs)


def switch(sentence: str, table: str, *, needs: str = "") -> bool:
    """The declaration of a switch, which is off by default."""
    return setting("bool", False, sentence, table=table, needs=needs)


def quirk(sentence: str) -> bool:
    """The declaration of a quirk."""
    return switch(sentence, QUIRKS)


class Settings:
    """The values of all settings of a task, as an immutable record.

    A subclass declares its fields with :func:`setting`; ``field_name`` is the setting ``field-name``.
    """

    declared: ClassVar[Mapping[str, Setting]] = MappingProxyType({})
    """The declarations by name, in their order."""
    _keys: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """The names of the settings as Python identifiers."""

    def __init_subclass__(cls) -> None:
        own = {field.replace("_", "-"): one for field, one in vars(cls).items() if isinstance(one, Setting)}
        named = {name: one._replace(name=name) for name, one in own.items()}
        cls.declared = MappingProxyType({**cls.declared, **named})
        cls._keys = MappingProxyType({name: one.key for name, one in cls.declared.items()})

    def __init__(self, values: Mapping[str, object]) -> None:
        self.__dict__.update({key: values[name] for name, key in self._keys.items()})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"settings do not change; {name!r} is set in a profile")

    def by_name(self, name: str) -> object:
        """The value of a setting, by its name."""
        return getattr(self, self._keys[name])

    def by_names(self) -> dict[str, object]:
        """All values by name."""
        values = self.__dict__
        return {name: values[key] for name, key in self._keys.items()}


S = TypeVar("S", bound=Settings)


def _wrong_value(setting: Setting, value: object, expected: str) -> UsageError:
    return UsageError(f"setting {setting.name!r}: expected {expected}, found {value!r}")


def _parse_bool(setting: Setting, value: object) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in {"on", "true", "yes", "1"}:
        return True
    if isinstance(value, str) and value.lower() in {"off", "false", "no", "0"}:
        return False
    raise _wrong_value(setting, value, "on or off")


def _parse_index(
    setting: Setting, value: object, expected: str = "a whole number", least: float = -inf
) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise _wrong_value(setting, value, expected)
    number = int(value) if isinstance(value, str) and is_natural(value.strip().removeprefix("-")) else value
    if not is_whole(number) or number < least:
        raise _wrong_value(setting, value, expected)
    return number


def _parse_float(
    setting: Setting, value: object, expected: str = "a number from 0 up", most: float = inf
) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise _wrong_value(setting, value, expected)
    number = decimal_of(str(value))
    if number is None or not 0 <= number <= most:
        raise _wrong_value(setting, value, expected)
    return number


def _parse_text(setting: Setting, value: object) -> str | None:
    if isinstance(value, str) or value is setting.default is None:
        return value
    raise _wrong_value(setting, value, "text")


def _parse_pattern(setting: Setting, value: object) -> str | None:
    text = _parse_text(setting, value)
    if text == setting.default:
        return text
    import re

    try:
        re.compile(text or "")
    except re.error as error:
        raise UsageError(f"setting {setting.name!r}: {text!r} is no regular expression: {error}") from None
    return text


def _parse_list(setting: Setting, value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        is_empty = value.strip() == "none" and "none" not in setting.choices
        value = [] if is_empty else [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple) and all(isinstance(part, str) for part in value):
        # Choices are not repeated; other lists may have equal items, weights for instance.
        return tuple(dict.fromkeys(value) if setting.choices else value)
    raise _wrong_value(setting, value, "a list of texts")


def _parse_path(setting: Setting, value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise _wrong_value(setting, value, "a path")


def _parse_table(setting: Setting, value: object) -> Mapping[str, object]:
    """A TOML table, unchanged: the weights and inventories of a profile."""
    if isinstance(value, Mapping):
        return frozen(value)
    raise _wrong_value(setting, value, "a table")


def _json_file(path: str) -> object:
    import json

    try:
        with open(path, "rb") as stream:
            return json.load(stream)
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise UsageError(f"{path}: expected JSON, found: {error}") from None


def _parse_lists(setting: Setting, value: object) -> Mapping[str, tuple[str, ...]]:
    """Lists of texts by name, given as a mapping or as the name of a JSON file with one."""
    if isinstance(value, str):
        value = _json_file(value)
    if isinstance(value, Mapping) and all(
        isinstance(one, list | tuple) and all(isinstance(name, str) for name in one) for one in value.values()
    ):
        return frozen({str(key): tuple(one) for key, one in value.items()})
    raise _wrong_value(setting, value, "lists of texts by name, or a JSON file with them")


_PARSERS: dict[str, Callable[[Setting, object], object]] = {
    "bool": _parse_bool,
    "int": partial(_parse_index, expected="a whole number from 0 up", least=0),
    "index": _parse_index,
    "float": _parse_float,
    "share": partial(_parse_float, expected="a number from 0 to 1", most=1),
    "str": _parse_text,
    "pattern": _parse_pattern,
    "list": _parse_list,
    "path": _parse_path,
    "table": _parse_table,
    "lists": _parse_lists,
}


@dataclass(frozen=True, slots=True)
class Profile(Generic[S]):
    """The settings of a task with the values that a campaign gives them; reports and signatures name what was changed."""

    task: str
    name: str
    settings: S
    title: str = ""
    reproduces: str = ""
    notes: str = ""
    content: str = ""
    """The hash of the values in a file of the user's own; the signature has it beside the name."""
    replaced: Mapping[str, object] = field(default_factory=dict)
    """The profile's own values of the settings that were changed, by name."""

    @property
    def declared(self) -> Mapping[str, Setting]:
        """The declarations of the task's settings, by name."""
        return self.settings.declared

    @property
    def values(self) -> dict[str, object]:
        """The current values by name."""
        return self.settings.by_names()

    @property
    def signed_name(self) -> str:
        """The name, with a hash of the content if the profile is a file of the user's own."""
        return f"{self.name}@{self.content}" if self.content else self.name

    @property
    def quirks(self) -> dict[str, bool]:
        """All quirks of the task, on or off."""
        names = [name for name, one in self.declared.items() if one.is_quirk]
        return {name: bool(self.settings.by_name(name)) for name in names}

    def parsed(self, changes: Mapping[str, object]) -> dict[str, object]:
        """The values by name, each converted to the kind of its setting; unknown names are refused, with near names."""
        declared = {name: self._setting(name) for name in changes}
        return {declared[name].name: declared[name].parse(value) for name, value in changes.items()}

    def replace(self, changes: Mapping[str, object]) -> Profile[S]:
        """The same profile with some settings changed."""
        return self.with_parsed(self.parsed(changes))

    def with_parsed(self, values: Mapping[str, object]) -> Profile[S]:
        """As :meth:`replace`, for values that are parsed."""
        if not values:
            return self
        own = {name: self.settings.by_name(name) for name in values}
        settings = type(self.settings)({**self.values, **values})
        return replace(self, settings=settings, replaced={**own, **self.replaced})

    def resolved(self, changes: Mapping[str, object]) -> Profile[S]:
        """As :meth:`replace`, for values that the input decided, which do not count as departures."""
        if not changes:
            return self
        values = self.parsed(changes)
        left = {name: value for name, value in self.replaced.items() if name not in values}
        return replace(self.with_parsed(values), replaced=left)

    def departures(self) -> dict[str, object]:
        """The settings whose value differs from the profile's, in the order of their declaration."""
        changed = {name: self.settings.by_name(name) for name in self.declared if name in self.replaced}
        return {name: value for name, value in changed.items() if value != self.replaced[name]}

    def without_effect(self, names: Iterable[str]) -> Iterator[Setting]:
        """Those of the named settings that have no effect with the current values of the others."""
        for one in map(self._setting, names):
            needed, _, needed_value = one.needs.partition("=")
            current = self.settings.by_name(needed) if needed else "auto"
            values = current if isinstance(current, tuple) else (current,)
            # With "auto" the files decide, and it may have an effect.
            if current != "auto" and not (needed_value in values if needed_value else current):
                yield one

    def _setting(self, name: str) -> Setting:
        name = name.replace("_", "-")
        try:
            return self.declared[name]
        except KeyError:
            hint = did_you_mean(name, list(self.declared))
            raise UsageError(f"task {self.task!r} has no setting {name!r}", hint=hint) from None


AnyProfile = Profile[Any]
"""A profile of any task."""


def profile_names(task: str) -> list[str]:
    """The names of the profiles that ship for a task, without ``base``, which only others extend."""
    try:
        files = os.listdir(os.path.join(PROFILES_FOLDER, task))
    except FileNotFoundError:
        return []
    names = {_stem(file) for file in files if file.endswith(".toml")}
    return sorted(names - {"base"})


def _stem(path: str) -> str:
    return os.path.basename(path).removesuffix(".toml")


def load_profile(task: str, name: str, record: type[S]) -> Profile[S]:
    """Load the profile of that name, or the TOML file if ``name`` ends in ``.toml``."""
    declared = record.declared
    read = _read_user_profile if name.endswith(".toml") else _read_shipped
    content = read(task, name, declared)
    values = dict(_defaults(record))
    for table, key, value in _flatten(content, declared):
        setting = declared.get(key)
        if setting is None:
            hint = did_you_mean(key, [*declared, *(() if table else _DESCRIPTION)])
            raise UsageError(f"profile {task}/{name}: unknown key {_place(table, key)}", hint=hint)
        if setting.table != table:
            found = f"expected {key} in the table [{setting.table}], found {_place(table, key)}"
            raise UsageError(f"profile {task}/{name}: {found}")
        values[key] = setting.parse(value)
    settings = record(values)
    content_hash = ""
    if name.endswith(".toml"):
        from hashlib import sha256

        # Of the entries of the file and of the profiles that it extends; defaults do not count.
        lines = sorted(f"{table}.{key}={value!r}" for table, key, value in _flatten(content, declared))
        content_hash = sha256("\n".join(lines).encode()).hexdigest()[:7]
    return Profile(
        task=task,
        name=_stem(name) if name.endswith(".toml") else name,
        settings=settings,
        title=str(content.get("title", name)),
        reproduces=str(content.get("reproduces", "")),
        notes=str(content.get("notes", "")),
        content=content_hash,
    )


def _place(table: str, key: str) -> str:
    """The place of a key in a TOML file."""
    return f"[{table}] {key}" if table else f"{key} before the first table"


_DEFAULTS: dict[type[Settings], Mapping[str, object]] = {}


def _defaults(record: type[Settings]) -> Mapping[str, object]:
    """The default values of all settings, parsed only once."""
    if record not in _DEFAULTS:
        _DEFAULTS[record] = {name: one.parse(one.default) for name, one in record.declared.items()}
    return _DEFAULTS[record]


_DESCRIPTION = ("extends", "title", "reproduces", "notes")


def _flatten(
    content: Mapping[str, object], declared: Mapping[str, Setting]
) -> Iterable[tuple[str, str, object]]:
    for table, keys in content.items():
        if table in _DESCRIPTION:
            continue
        if not isinstance(keys, dict):
            yield "", table, keys
            continue
        if table in declared and declared[table].kind == "table":
            # A setting whose value is a table ([weights]), not a group of settings.
            yield declared[table].table, table, keys
            continue
        for key, value in keys.items():
            yield table, key, value


def _read_shipped(task: str, name: str, declared: Mapping[str, Setting]) -> dict[str, object]:
    path = os.path.join(PROFILES_FOLDER, task, f"{name}.toml")
    known = profile_names(task)
    if name != "base" and name not in known:
        raise UsageError(f"no profile {name!r} for task {task!r}", hint=near_or_known(name, known))
    return _with_inherited(task, path, shipped_toml(path), declared)


def _read_user_profile(task: str, path: str, declared: Mapping[str, Setting]) -> dict[str, object]:
    if not os.path.isfile(path):
        folder, file = os.path.split(path)
        beside = os.listdir(folder or ".") if os.path.isdir(folder or ".") else []
        hint = did_you_mean(file, [one for one in beside if one.endswith(".toml") and one != file])
        raise UsageError(f"no profile file {path!r}", hint=hint)
    return _with_inherited(task, path, read_toml(path), declared)


def _with_inherited(
    task: str, path: str, own: Mapping[str, object], declared: Mapping[str, Setting]
) -> dict[str, object]:
    """The content of a file, laid over that of the profile that it extends."""
    content = _with_tables_on_top(own, path, declared)
    parent = content.get("extends")
    if parent is None:
        return content
    parent_task, _, parent_name = str(parent).rpartition("/")
    if parent_task and parent_task != task:
        raise UsageError(f"{os.path.basename(path)}: a {task} profile cannot extend {parent!r}")
    inherited = _read_shipped(task, parent_name, declared)
    return _merged(inherited, content)


def _with_tables_on_top(
    content: Mapping[str, object], path: str, declared: Mapping[str, Setting]
) -> dict[str, object]:
    """The content with ``[group.weights]`` moved to ``[weights]``, so that it changes the inherited table."""
    placed = dict(content)
    for one in declared.values():
        group = placed.get(one.table)
        if one.kind == "table" and isinstance(group, dict) and one.name in group:
            if one.name in placed:
                found = f"[{one.table}.{one.name}] and [{one.name}]"
                raise UsageError(f"{os.path.basename(path)}: {found} are one table: write only one of them")
            placed[one.table] = {key: value for key, value in group.items() if key != one.name}
            placed[one.name] = group[one.name]
    return placed


def _merged(inherited: Mapping[str, object], changes: Mapping[str, object]) -> dict[str, object]:
    """The inherited content with changes laid over it, key by key in every table."""
    merged = dict(inherited)
    for key, value in changes.items():
        below = merged.get(key)
        merged[key] = _merged(below, value) if isinstance(value, dict) and isinstance(below, dict) else value
    return merged


def show_value(value: object) -> str:
    """A setting's value as text, for signatures, reports and the command line."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    if isinstance(value, Mapping):
        return ",".join(f"{key}={show_value(item)}" for key, item in sorted(value.items()))
    return "none" if value is None else str(value)

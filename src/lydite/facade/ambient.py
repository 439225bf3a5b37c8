"""Settings that nobody names on the command line: those of ``lydite.toml`` and of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from lydite.errors import UsageError
from lydite.pipeline import AnyTask
from lydite.profile import Setting
from lydite.records import NamedTuple
from lydite.registry import did_you_mean
from lydite.tasks import TASKS
from lydite.toml_files import parse_toml, read_bytes

Settings = dict[str, object]


class Ambient(NamedTuple):
    """What a file says for every task and for single ones, and what the environment says."""

    environment: Settings
    file: str = "lydite.toml"
    common: Mapping[str, object] = MappingProxyType({})
    of_tasks: Mapping[str, Settings] = MappingProxyType({})


def ambient_settings() -> Ambient:
    """What ``lydite.toml`` and ``LYDITE_*`` say.

    ``lydite.toml`` (or ``[tool.lydite]`` of ``pyproject.toml``) is looked for in the working folder and its parents.
    """
    environment: Settings = {
        key[7:].lower().replace("_", "-"): value
        for key, value in os.environ.items()
        if key.startswith("LYDITE_") and len(key) > 7
    }
    for folder in _working_folders():
        for name, tables in (("lydite.toml", ()), ("pyproject.toml", ("tool", "lydite"))):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (content := _content(file, tables)):
                return _by_task(environment, content, file)
    return Ambient(environment)


def _content(file: str, tables: Sequence[str]) -> Mapping[str, object]:
    """What a file, or one of its tables, says."""
    content = _load_toml(file, among_others=bool(tables))
    for key in tables:
        table = content.get(key, {})
        if not isinstance(table, dict):
            raise UsageError(
                f"{file}: {key}: expected a table, found {table!r}",
                hint="settings stand below [tool.lydite]",
            )
        content = table
    return content


def _working_folders() -> Iterator[str]:
    """The working folder, and every one that it lies in; none if it is gone."""
    try:
        folder = os.getcwd()
    except OSError:
        return
    while True:
        yield folder
        folder, last = os.path.dirname(folder), folder
        if folder == last:
            return


def _load_toml(file: str, *, among_others: bool) -> dict[str, object]:
    """What the file says; a file for many tools that does not name this one says nothing."""
    data = read_bytes(file)
    return {} if among_others and b"lydite" not in data else parse_toml(data, file)


def _by_task(environment: Settings, content: Mapping[str, object], file: str) -> Ambient:
    common: Settings = {}
    of_tasks: dict[str, Settings] = {}
    for key, value in content.items():
        if not isinstance(value, dict):
            common[key.replace("_", "-")] = value
        elif key in TASKS:
            of_tasks[key] = {name.replace("_", "-"): one for name, one in value.items()}
        else:
            raise UsageError(f"{file}: no task {key!r}", hint=did_you_mean(key, list(TASKS)))
    return Ambient(environment, file, common, of_tasks)


def ambient_for(task: AnyTask, ambient: Ambient) -> Settings:
    """The ambient settings that concern a task, the environment's last; those of other tasks are left out.

    A name in the file that no task knows is wrong usage.  Other programs may use ``LYDITE_*`` for their own ends.
    """
    known = {*task.settings.declared, "profile"}
    for name in ambient.common:
        if name not in known:
            _must_be_known(name, ambient.file)
    common, environment = (
        {key: value for key, value in said.items() if key in known}
        for said in (ambient.common, ambient.environment)
    )
    in_file = {**common, **ambient.of_tasks.get(task.name, {})}
    begin = os.path.dirname(ambient.file)
    if begin and begin != os.getcwd():
        declared = task.settings.declared
        in_file = {key: _from_there(begin, declared.get(key), value) for key, value in in_file.items()}
    return {**in_file, **environment}


def _from_there(folder: str, setting: Setting | None, value: object) -> object:
    """What a file in another folder says: paths in it begin where it lies, and so do names that are files there."""
    if isinstance(value, list):
        return [_from_there(folder, setting, item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    place = os.path.join(folder, value)
    is_path = setting is not None and setting.kind == "path"
    may_be_file = setting is None or setting.or_file  # a profile is a name, or a file
    return place if is_path or (may_be_file and os.path.isfile(place)) else value


def _must_be_known(name: str, file: str) -> None:
    everything = {setting for task in TASKS.values() for setting in task.settings.declared} | {"profile"}
    if name not in everything:
        hint = did_you_mean(name, sorted(everything)) or "lydite list settings names all that can stand there"
        raise UsageError(f"{file}: no task has a setting {name!r}", hint=hint)

"""Settings that do not stand on the command line: those of ``lydite.toml`` and of the environment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from lydite.errors import UsageError
from lydite.pipeline.task import AnyTask
from lydite.profile import Setting
from lydite.registry import did_you_mean
from lydite.tasks import TASKS
from lydite.toml_files import parse_toml, read_bytes

Settings = dict[str, object]


class Ambient(NamedTuple):
    """The settings of the environment, and those of a file: for every task (``common``) and for single ones."""

    environment: Settings
    file: str = "lydite.toml"
    common: Mapping[str, object] = MappingProxyType({})
    by_task: Mapping[str, Settings] = MappingProxyType({})


def read_ambient_settings() -> Ambient:
    """Read ``lydite.toml`` and the variables ``LYDITE_*``.

    ``lydite.toml`` (or ``[tool.lydite]`` of ``pyproject.toml``) is looked for in the working folder and its parents.
    Empty variables are ignored.
    """
    environment: Settings = {
        key[7:].lower().replace("_", "-"): value
        for key, value in os.environ.items()
        if key.startswith("LYDITE_") and len(key) > 7 and value
    }
    for folder in _working_folders():
        for name, tables in (("lydite.toml", ()), ("pyproject.toml", ("tool", "lydite"))):
            file = os.path.join(folder, name)
            if os.path.isfile(file) and (content := _read_table(file, tables)):
                return _split_by_task(environment, content, file)
    return Ambient(environment)


def _read_table(file: str, tables: Sequence[str]) -> Mapping[str, object]:
    """The content of a file, or of the table that is reached through ``tables``; empty if there is none."""
    data = read_bytes(file)
    if tables and b"lydite" not in data:
        return {}
    content: Mapping[str, object] = parse_toml(data, file)
    for key in tables:
        table = content.get(key, {})
        if not isinstance(table, dict):
            hint = "settings stand below [tool.lydite]"
            raise UsageError(f"{file}: {key}: expected a table, found {table!r}", hint=hint)
        content = table
    return content


def _working_folders() -> Iterator[str]:
    """The working folder and all folders above it; none if it was deleted."""
    try:
        folder = os.getcwd()
    except OSError:
        return
    while True:
        yield folder
        folder, last = os.path.dirname(folder), folder
        if folder == last:
            return


def _split_by_task(environment: Settings, content: Mapping[str, object], file: str) -> Ambient:
    common: Settings = {}
    by_task: dict[str, Settings] = {}
    for key, value in content.items():
        if not isinstance(value, dict):
            common[key.replace("_", "-")] = value
        elif key in TASKS:
            by_task[key] = {name.replace("_", "-"): one for name, one in value.items()}
        else:
            raise UsageError(f"{file}: no task {key!r}", hint=did_you_mean(key, list(TASKS)))
    return Ambient(environment, file, common, by_task)


def settings_for_task(task: AnyTask, ambient: Ambient) -> Settings:
    """The ambient settings of a task; those of the environment replace those of the file.

    A setting in the file that no task has is refused.  Unknown variables are ignored: other programs may have set them.
    """
    known = {*task.settings.declared, "profile"}
    for name in ambient.common:
        if name not in known:
            of_all = {setting for one in TASKS.values() for setting in one.settings.declared} | {"profile"}
            if name not in of_all:
                hint = did_you_mean(name, sorted(of_all)) or "lydite list settings shows all settings"
                raise UsageError(f"{ambient.file}: no task has a setting {name!r}", hint=hint)
    common, environment = (
        {key: value for key, value in settings.items() if key in known}
        for settings in (ambient.common, ambient.environment)
    )
    in_file = {**common, **ambient.by_task.get(task.name, {})}
    folder = os.path.dirname(ambient.file)
    if folder and folder != os.getcwd():
        declared = task.settings.declared
        in_file = {key: _resolve_paths(folder, declared.get(key), value) for key, value in in_file.items()}
    return {**in_file, **environment}


def _resolve_paths(folder: str, setting: Setting | None, value: object) -> object:
    """The value of a setting in a file in this folder: relative paths in it start there."""
    if isinstance(value, list):
        return [_resolve_paths(folder, setting, item) for item in value]
    if not isinstance(value, str) or not value:
        return value
    path = os.path.join(folder, value)
    is_path = setting is not None and setting.kind == "path"
    may_be_file = setting is None or setting.or_file  # a profile is a name or a file
    return path if is_path or (may_be_file and os.path.isfile(path)) else value

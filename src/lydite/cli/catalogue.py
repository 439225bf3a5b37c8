"""Tasks, profiles, formats, metrics, quirks, settings and more, as records for ``list`` and ``show``."""

from __future__ import annotations

from collections.abc import Callable

from lydite.errors import UsageError
from lydite.formats import FORMATS
from lydite.formats.taxonomy import load_taxonomy, taxonomy_names
from lydite.metrics import METRICS
from lydite.pipeline.task import AnyTask
from lydite.profile import profile_names, show_value
from lydite.registry import did_you_mean
from lydite.tasks import TASKS

Record = dict[str, object]
"""A record with a ``name``, which is a text, and other fields."""


def tasks() -> list[Record]:
    """All tasks."""
    return [
        {
            "name": task.name,
            "title": task.title,
            "formats": [*task.formats],
            "profiles": ordered_profiles(task),
        }
        for task in TASKS.values()
    ]


def ordered_profiles(task: AnyTask) -> list[str]:
    """The profiles of a task, the default first."""
    others = [name for name in profile_names(task.name) if name != task.default_profile]
    return [task.default_profile, *others]


def profiles() -> list[Record]:
    """All profiles."""
    return [
        {
            "name": f"{task.name}/{profile.name}",
            "title": profile.title,
            "reproduces": profile.reproduces,
            "default": profile.name == task.default_profile,
        }
        for task in TASKS.values()
        for profile in map(task.profile, ordered_profiles(task))
    ]


def formats() -> list[Record]:
    """All formats."""
    return [
        {
            "name": item.name,
            "title": item.title,
            "extensions": list(item.extensions),
            "tasks": list(item.tasks),
            "writes": item.write is not None,
        }
        for item in FORMATS.values()
    ]


def metrics() -> list[Record]:
    """All metrics."""
    return [{"name": item.name, "title": item.title, "cite": item.cite} for item in METRICS.values()]


def quirks() -> list[Record]:
    """All quirks, with the profiles in which they are on."""
    return [
        {
            "name": f"{task.name}/{setting.name}",
            "title": setting.help,
            "profiles": [
                name for name in ordered_profiles(task) if task.profile(name).settings.by_name(setting.name)
            ],
        }
        for task in TASKS.values()
        for setting in task.settings.declared.values()
        if setting.is_quirk
    ]


def settings() -> list[Record]:
    """All settings that are not quirks."""
    return [
        {
            "name": f"{task.name}/{setting.name}",
            "title": setting.help,
            "table": setting.table,
            "kind": setting.kind,
            "choices": list(setting.choices),
            "default": show_value(task.profile().settings.by_name(setting.name)),
        }
        for task in TASKS.values()
        for setting in task.settings.declared.values()
        if not setting.is_quirk
    ]


def guidelines() -> list[Record]:
    """All guidelines for assessors."""
    from lydite.assess.guidelines import guideline_names, load_guidelines

    return [{"name": name, "title": load_guidelines(name).title} for name in guideline_names()]


def taxonomies() -> list[Record]:
    """All taxonomies of event arguments."""
    return [{"name": name, "title": load_taxonomy(name).title} for name in taxonomy_names()]


def causes() -> list[Record]:
    """All causes of verdicts."""
    return [
        {"name": f"{task.name}/{cause}", "title": sentence}
        for task in TASKS.values()
        for cause, sentence in task.explainer().causes.items()
    ]


KINDS: dict[str, Callable[[], list[Record]]] = {
    "tasks": tasks,
    "profiles": profiles,
    "formats": formats,
    "metrics": metrics,
    "quirks": quirks,
    "settings": settings,
    "guidelines": guidelines,
    "taxonomies": taxonomies,
    "causes": causes,
}


def find(kind: str, name: str) -> Record:
    """The record of that name; ``kbp2015`` finds ``nugget/kbp2015`` if no other task has one."""
    records = {str(record["name"]): record for record in KINDS[kind]()}
    matches = [key for key in records if name in {key, key.partition("/")[2]}]
    if len(matches) == 1:
        return records[matches[0]]
    if matches:
        raise UsageError(f"{name!r} is ambiguous", hint=f"name {' or '.join(matches)}")
    short = {key.partition("/")[2] or key: key for key in records}
    hint = did_you_mean(name, [*records, *short]) or f"see lydite list {kind}"
    raise UsageError(f"no {kind[:-1]} {name!r}", hint=hint)

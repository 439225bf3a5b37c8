"""Which task, profile and settings count: from what the user named, and from what the files show."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import NamedTuple

from lydite.errors import UsageError
from lydite.facade.ambient import Ambient, settings_for_task
from lydite.formats import FORMATS
from lydite.formats.base import Format
from lydite.formats.source import open_source
from lydite.model import Corpus
from lydite.pipeline.reading import PathLike, recognise_format
from lydite.pipeline.task import AnyTask
from lydite.profile import AnyProfile
from lydite.registry import near_or_known
from lydite.tasks import TASKS

NOTHING: Mapping[str, object] = MappingProxyType({})


class UserChoice(NamedTuple):
    """The choice of the user; task, profile and format are inferred from the files if they are not named.

    ``options`` are the settings given on the command line or as keyword arguments, ``ambient`` those of
    ``lydite.toml`` and the environment.
    """

    task: str | None = None
    profile: str | None = None
    format: str | None = None
    options: Mapping[str, object] = NOTHING
    ambient: Ambient | None = None
    quirks: Mapping[str, object] = NOTHING
    no_quirks: bool = False


def choice_from_keywords(  # noqa: PLR0917 - the keywords that all functions of the library have
    task: str | None,
    profile: str | None,
    format: str | None,  # noqa: A002 - the word that the command line uses
    settings: Mapping[str, object],
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
) -> UserChoice:
    """The choice that keyword arguments of the library make; values of a wrong type are refused."""
    from lydite.keyword_arguments import check_keywords  # the command line checks them itself

    check_keywords(task=task, profile=profile, format=format, quirks=quirks, no_quirks=no_quirks)
    name = None if profile is None else os.fspath(profile)
    return UserChoice(task, name, format, settings, None, quirks or {}, no_quirks)


class Request(NamedTuple):
    """The task and the profile under which files are scored, and what was inferred to get there."""

    task: AnyTask
    profile: AnyProfile
    inferred: tuple[str, ...] = ()
    """A phrase for everything that the user did not name."""
    format: str | None = None
    """The format that the user named for all files."""
    doubts: tuple[str, ...] = ()
    """A sentence for everything about the files and settings that looks like a mistake."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Lines to read before the numbers: one for all that was inferred, and one for each doubt."""
        inferred = (f"{', '.join(self.inferred)}; name another one to override",) if self.inferred else ()
        return (*inferred, *self.doubts)

    def with_settings_of_run(self, settings: Mapping[str, object]) -> Request:
        """The request with the settings that a run ended with: further runs over single systems must agree with it."""
        return self._replace(profile=self.profile.resolved(settings))


def find_task(choice: UserChoice, path: PathLike | Corpus) -> tuple[AnyTask, tuple[str, ...]]:
    """The task that was named, or that of the file's format, and a phrase saying so if it was inferred."""
    if choice.task is not None:
        return TASKS[choice.task], ()
    if isinstance(path, Corpus):
        hint = "task='nugget', for instance"
        raise UsageError("a corpus does not say what it is scored as: name the task", hint=hint)
    found = FORMATS[choice.format] if choice.format else recognise_format(path)
    if not found.tasks:
        hint = "name the task first"
        raise UsageError(f"{os.fspath(path)}: format {found.name!r} belongs to no task", hint=hint)
    task = TASKS[_task_of_layers(found, path) or task_of_format(found, path)]
    return task, (f"task {task.name} (the files are {found.name})",)


def task_of_format(found: Format, path: PathLike) -> str:
    """The task of a file of this format: its first bytes decide where the format serves several tasks."""
    if len(found.tasks) == 1:
        return found.tasks[0]
    return found.task_of(_head(found, path)) or found.tasks[0]


def _head(found: Format, path: PathLike) -> bytes:
    """The first bytes of all files of a folder: the first document may lack what tells the tasks apart."""
    heads = [part.head() for part in open_source(path, extensions=found.extensions).parts]
    return b"\n".join(heads)


def _task_of_layers(found: Format, path: PathLike) -> str | None:
    """The task of the only layer that a file holds, where files of its format can hold several; of several none is guessed."""
    if found.tasks_by_layer is None:
        return None
    layers = found.tasks_by_layer(_head(found, path))
    if len(layers) == 1 and (tasks := next(iter(layers.values()))):
        return tasks[0]
    message = f"{os.fspath(path)} ({found.name}) holds {' and '.join(layers)}: the task must be named"
    known = " or ".join(f"lydite score {task} …" for tasks in layers.values() for task in tasks)
    raise UsageError(message, hint=known or "no task scores these")


def resolve(
    choice: UserChoice,
    task: AnyTask,
    read: Callable[[Request], Sequence[Corpus]],
    *,
    inferred: tuple[str, ...] = (),
    deciding: int | None = None,
) -> tuple[Request, list[Corpus]]:
    """Find the profile, and read the corpora under it; ``inferred`` says what was inferred before.

    Precedence: option > environment > ``lydite.toml`` > profile.  Without a named profile the files may decide
    (token ids in a TBF mean the token-unit profile), else the task's default is taken.  Only the first ``deciding``
    corpora decide, if it is given.
    """
    ambient = settings_for_task(task, choice.ambient) if choice.ambient is not None else {}
    ambient_profile = str(ambient.pop("profile", "")) or None
    if choice.profile is not None:
        profile = task.profile(str(choice.profile))
    else:
        with _blaming_ambient_settings():
            profile = task.profile(ambient_profile)
    changes = _parse_choice(profile, choice, ambient)
    request = _request(task, profile, choice, changes, inferred)
    corpora = list(read(request))
    is_named = choice.profile is not None or ambient_profile is not None
    found = None if is_named else task.reading.infer_profile(corpora[:deciding])
    if found is None or found[0] == profile.name:
        return request, corpora
    name, why = found
    assumed = request.profile.settings
    request = _request(task, task.profile(name), choice, changes, (*inferred, f"profile {name} ({why})"))
    mixed = len({corpus.format for corpus in corpora}) > 1
    if mixed or assumed.joins_documents != request.profile.settings.joins_documents:
        # The profile decides which documents are scored as one, and how files are read that did not decide.
        corpora = list(read(request))
    return request, corpora


def _parse_choice(
    profile: AnyProfile, choice: UserChoice, ambient: Mapping[str, object]
) -> dict[str, object]:
    """The values of all settings that ambient settings, options and quirks change."""
    with _blaming_ambient_settings():
        values = profile.parsed(ambient)
    if choice.no_quirks:
        values |= dict.fromkeys(profile.quirks, False)
    for name in choice.quirks:
        if name not in profile.quirks:
            hint = near_or_known(name, profile.quirks)
            raise UsageError(f"task {profile.task!r} has no quirk {name!r}", hint=hint)
    return values | profile.parsed(choice.options) | profile.parsed(choice.quirks)


def _request(
    task: AnyTask,
    profile: AnyProfile,
    choice: UserChoice,
    changes: Mapping[str, object],
    inferred: tuple[str, ...],
) -> Request:
    """The request under a profile, with a doubt for every given option that changes nothing while the others are as they are."""
    changed = profile.with_parsed(changes)
    doubts = (
        f"--{one.name} has no effect without --{one.needs.replace('=', ' ')}"
        for one in changed.without_effect(choice.options)
    )
    return Request(task, changed, inferred, choice.format, tuple(doubts))


@contextmanager
def _blaming_ambient_settings() -> Iterator[None]:
    """Add to an error that the setting did not come from the command line: the user may not expect it."""
    try:
        yield
    except UsageError as error:
        where = "this comes from lydite.toml, pyproject.toml or LYDITE_*"
        hint = f"{error.hint}; {where}" if error.hint else where
        raise UsageError(str(error), hint=hint) from None

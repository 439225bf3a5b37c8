"""Which task, which profile and which settings count: what was said, and what files decide."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from lydite.errors import UsageError
from lydite.facade.ambient import Ambient, ambient_for
from lydite.formats import FORMATS
from lydite.formats.base import Format
from lydite.formats.source import open_source
from lydite.model import Corpus
from lydite.pipeline import AnyTask
from lydite.pipeline.reading import PathLike, recognise_format
from lydite.profile import AnyProfile
from lydite.records import NamedTuple
from lydite.registry import near_or_known
from lydite.tasks import TASKS

NOTHING: Mapping[str, object] = MappingProxyType({})


class UserChoice(NamedTuple):
    """What a user said: names may be missing, then they are inferred from the files.

    ``options`` come from the command line or keyword arguments; ``ambient`` from environment and ``lydite.toml``.
    """

    task: str | None = None
    profile: str | None = None
    format: str | None = None
    options: Mapping[str, object] = NOTHING
    ambient: Ambient | None = None
    quirks: Mapping[str, object] = NOTHING
    no_quirks: bool = False


def choice_of(  # noqa: PLR0917 - the keywords that all functions of the library have
    task: str | None,
    profile: str | None,
    format: str | None,  # noqa: A002 - the word that the command line uses
    settings: Mapping[str, object],
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
) -> UserChoice:
    """What a caller said, if it is of the kinds that these keywords take."""
    from lydite.keywords import check_keywords  # the command line has checked them

    check_keywords(task=task, profile=profile, format=format, quirks=quirks, no_quirks=no_quirks)
    name = None if profile is None else os.fspath(profile)
    return UserChoice(task, name, format, settings, None, quirks or {}, no_quirks)


class Request(NamedTuple):
    """A task with its profile, settled, and a sentence for everything that was not asked for but inferred."""

    task: AnyTask
    profile: AnyProfile
    inferred: tuple[str, ...] = ()
    format: str | None = None
    """The format that was named for all files."""
    doubts: tuple[str, ...] = ()
    """A sentence for everything about the choice of files and settings that looks like a mistake."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know before reading a number: one line for all that was inferred, one for each doubt."""
        told = (f"{', '.join(self.inferred)}; name another one to override",) if self.inferred else ()
        return (*told, *self.doubts)

    def under(self, settings: Mapping[str, object]) -> Request:
        """The request with the settings of a run, also where its systems are looked at again one by one."""
        return self._replace(profile=self.profile.resolved(settings))


def find_task(choice: UserChoice, path: PathLike | Corpus) -> tuple[AnyTask, tuple[str, ...]]:
    """The task that was named, or the one that the file's format belongs to, which may be named as well."""
    if choice.task is not None:
        return TASKS[choice.task], ()
    if isinstance(path, Corpus):
        raise UsageError(
            "a corpus does not say what it is scored as: name the task", hint="task='nugget', for instance"
        )
    found = FORMATS[choice.format] if choice.format else recognise_format(path)
    if not found.tasks:
        raise UsageError(
            f"{os.fspath(path)}: format {found.name!r} belongs to no task", hint="name the task first"
        )
    task = TASKS[task_of(found, path)]
    return task, (f"task {task.name} (the files are {found.name})",)


def task_of(found: Format, path: PathLike) -> str:
    """The first task of a format, or the one that the first bytes of the file tell."""
    if len(found.tasks) > 1:
        # Of every file of a folder: one document alone need not hold what the others do.
        heads = [part.head() for part in open_source(path, extensions=found.extensions).parts]
        return found.task_of(b"\n".join(heads)) or found.tasks[0]
    return found.tasks[0]


def request(
    choice: UserChoice,
    task: AnyTask,
    corpora: Callable[[Request], Sequence[Corpus]],
    *,
    told: tuple[str, ...] = (),
    deciding: int | None = None,
) -> tuple[Request, list[Corpus]]:
    """The profile that counts and the corpora read under it; ``told`` was inferred before.

    Precedence: option > environment > ``lydite.toml`` > profile.  Without a named profile the files may decide
    (token ids in a TBF mean the token-unit profile), else the task's default is taken.  Only the first ``deciding``
    corpora decide, if it is given.
    """
    ambient = ambient_for(task, choice.ambient) if choice.ambient is not None else {}
    elsewhere = str(ambient.pop("profile", "")) or None
    if choice.profile is not None:
        profile = task.profile(str(choice.profile))
    else:
        with _not_on_the_command_line():
            profile = task.profile(elsewhere)
    asked = _settled(Request(task, _changed(profile, choice, ambient), told, choice.format), choice)
    read = list(corpora(asked))
    is_named = choice.profile is not None or elsewhere is not None
    inferred = None if is_named else task.reading.infer_profile(read[:deciding])
    if inferred is None or inferred[0] == profile.name:
        return asked, read
    name, why = inferred
    guessed = asked.profile.settings
    profile = _changed(task.profile(name), choice, ambient)
    asked = _settled(asked._replace(profile=profile, inferred=(*told, f"profile {name} ({why})")), choice)
    mixed = len({corpus.format for corpus in read}) > 1
    if mixed or guessed.joins_documents != profile.settings.joins_documents:
        # Only now is it known which documents are one, and how the files are read that did not decide.
        read = list(corpora(asked))
    return asked, read


def _settled(asked: Request, choice: UserChoice) -> Request:
    """What was asked for, with a doubt for every setting that was said and changes nothing beside the others."""
    idle = asked.profile.idle(choice.options)
    said = (f"--{one.name} has no effect without --{one.counts_with.replace('=', ' ')}" for one in idle)
    return asked._replace(doubts=tuple(said))


def _changed(profile: AnyProfile, choice: UserChoice, ambient: Mapping[str, object]) -> AnyProfile:
    with _not_on_the_command_line():
        profile = profile.replace(ambient)
    if choice.no_quirks:
        profile = profile.without_quirks()
    profile = profile.replace(choice.options)
    for name, value in choice.quirks.items():
        if name not in profile.quirks:
            hint = near_or_known(name, profile.quirks)
            raise UsageError(f"task {profile.task!r} has no quirk {name!r}", hint=hint)
        profile = profile.replace({name: value})
    return profile


@contextmanager
def _not_on_the_command_line() -> Iterator[None]:
    """Say of what is refused where it was said: who reads the message may not know."""
    try:
        yield
    except UsageError as error:
        where = "this comes from lydite.toml, pyproject.toml or LYDITE_*"
        hint = f"{error.hint}; {where}" if error.hint else where
        raise UsageError(str(error), hint=hint) from None

"""From names and paths to the pipeline: which task, which profile, which format, which settings.

The command line and the library ask here, so that both do the same.  What was inferred is reported in
:class:`Request` and can be overridden.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from lydite.errors import Finding, FormatError, InputError, InvalidInput, LyditeError, UsageError
from lydite.formats import FORMATS
from lydite.formats.archives import ARCHIVES
from lydite.formats.base import ALL_LAYERS, Format
from lydite.formats.source import Source, forget_pipes, near_files, open_source
from lydite.frozen import FrozenDict
from lydite.keywords import check_keywords, names_of
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Input
from lydite.model import Summary as PlainSummary
from lydite.parallel import AMBIENT_WORKERS, CannotTravel, Processes, Workers, packed
from lydite.pipeline import (
    EVERY_BREAKDOWN,
    AnyTask,
    Progress,
    Wanted,
    check,
    check_against_gold,
    in_order,
    refuse_errors,
    run,
    signed_inputs,
)
from lydite.pipeline.blocks import (
    Block,
    Common,
    MeasuredBlock,
    Spread,
    measure_block,
    read_in_full,
    stay_together,
)
from lydite.pipeline.reading import (
    PathLike,
    display_name,
    distinct_names,
    read_corpus,
    read_system,
    recognise_format,
)
from lydite.profile import AnyProfile
from lydite.records import NamedTuple
from lydite.registry import did_you_mean, near_or_known
from lydite.tasks import TASKS

if TYPE_CHECKING:
    from pathlib import Path

    from lydite.formats.losses import Losses
    from lydite.model.agreement import Agreement

Given = PathLike | Corpus | Mapping[str, object] | Iterable[object]
"""How a side is given: a path, a corpus, documents by id, or documents."""
NOTHING: Mapping[str, object] = MappingProxyType({})
ALL_BREAKDOWNS = ("doc", EVERY_BREAKDOWN)
EVERYTHING = Wanted(by=ALL_BREAKDOWNS)
ENVIRONMENT = "environment"
FILE = "file"
"""Where ambient settings stand that are of no task: those of the environment, and where the others were read."""


class Summary(PlainSummary):
    """A summary that shows itself: ``print`` gives the table of the command line, a notebook one in HTML, ``show`` a page."""

    __slots__ = ()

    def __str__(self) -> str:
        from lydite.report.tables import heading, overview, signature_line
        from lydite.report.text import plain_text

        return f"{heading(self)}\n\n{plain_text(overview(self))}\n\n{signature_line(self.signature, 'text')}"

    def _repr_html_(self) -> str:
        from lydite.report.tables import html_table, overview

        return html_table(overview(self)) + f"<p><code>{self.signature}</code></p>"

    def show(self, path: PathLike | None = None) -> str:
        """Write the page of this summary (to a temporary file, if no path is given) and open it in a browser.

        It has what the summary has: scores and breakdowns.  ``lydite report`` adds intervals, errors and texts; the page
        names the command.
        """
        import tempfile
        import webbrowser
        from pathlib import Path

        from lydite.report.page.build import page
        from lydite.report.page.material import Material

        if path is None:
            path = Path(tempfile.mkdtemp(prefix="lydite-")) / "page.html"
        target = Path(path)
        absent = dict.fromkeys(("budget", "confusion", "curves", "differences"), _in_reports(self))
        target.write_bytes(page(Material(self, absent=absent)))
        webbrowser.open(target.absolute().as_uri())
        return str(target)


def _in_reports(summary: PlainSummary) -> str:
    """What makes the page with everything: the command for these inputs, where they came from files."""
    import shlex

    paths = [item.path for item in summary.inputs]
    said = shlex.join([summary.task, *paths]) if all(paths) else f"{summary.task} GOLD SYSTEM …"
    same = " and the same options" if summary.departures else ""
    profile = shlex.quote(summary.profile)
    return f"Scores alone do not tell; lydite report {said} --profile {profile} -o page.html{same} does."


AnySummary = TypeVar("AnySummary", bound=PlainSummary)


class Request(NamedTuple):
    """A task with its profile, settled, and a sentence for everything that was not asked for but inferred."""

    task: AnyTask
    profile: AnyProfile
    inferred: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """A sentence for everything about the choice of files that looks like a mistake."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know before reading a number: one line for all that was inferred, one for each doubt."""
        told = (f"{', '.join(self.inferred)}; name another one to override",) if self.inferred else ()
        return (*told, *self.doubts)


class Choice(NamedTuple):
    """What a user said: names may be missing, then they are inferred from the files.

    ``options`` come from the command line or keyword arguments; ``ambient`` from environment and ``lydite.toml``.
    """

    task: str | None = None
    profile: str | None = None
    format: str | None = None
    options: Mapping[str, object] = NOTHING
    ambient: Mapping[str, object] = NOTHING
    quirks: Mapping[str, object] = NOTHING
    no_quirks: bool = False


# ------------------------------------------------------------------------------------------------ what is it


def find_task(name: str | None, path: PathLike | Corpus) -> tuple[AnyTask, tuple[str, ...]]:
    """The task of that name, or the one that the file's format belongs to."""
    if name is not None:
        return TASKS[name], ()
    if isinstance(path, Corpus):
        raise UsageError(
            "a corpus does not say what it is scored as: name the task", hint="task='nugget', for instance"
        )
    found = recognise_format(path)
    if not found.tasks:
        raise UsageError(
            f"{os.fspath(path)}: format {found.name!r} belongs to no task", hint="name the task first"
        )
    task = TASKS[task_of(found, path)]
    return task, (f"task {task.name} (the files are {found.name})",)


def task_of(found: Format, path: PathLike) -> str:
    """The first task of a format, or the one that the first bytes of the file tell."""
    if len(found.tasks) > 1:
        return found.task_of(_heads(open_source(path, extensions=found.extensions))) or found.tasks[0]
    return found.tasks[0]


def _heads(source: Source) -> bytes:
    """The first bytes of every file of a folder: one document alone need not hold what the others do."""
    heads = []
    for part in source.parts:
        with part.open() as stream:
            heads.append(stream.read(1 << 16))
    return b"\n".join(heads)


# ---------------------------------------------------------------------------------------------------- objects


def is_path(given: Given) -> TypeGuard[PathLike]:
    """Whether a side is given by the path of its files."""
    return isinstance(given, str | os.PathLike)


def sides_of(
    given: Sequence[Given], task: str | None, *, roles: Sequence[str], names: Sequence[str] | None = None
) -> list[PathLike | Corpus]:
    """The sides with objects made into corpora; everything that does not fit, on any side, is raised together.

    ``names`` are for the systems, that is for all roles but ``gold``; without them objects go by their roles.
    """
    called = iter(_system_names(names, sum(role != "gold" for role in roles)))
    sides: list[PathLike | Corpus] = []
    findings: list[Finding] = []
    for side, role in zip(given, roles, strict=True):
        name = role if role == "gold" else next(called) or role
        try:
            sides.append(
                side if is_path(side) else _corpus_of_object(side, task, name, renamed=names is not None)
            )
        except InvalidInput as error:
            findings.extend(error.findings)
    if findings:
        raise InvalidInput(findings)
    return sides


def _system_names(names: Sequence[str] | None, systems: int) -> Sequence[str | None]:
    if names is None:
        return [None] * systems
    fits = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    if isinstance(names, str) or not fits or len(names) != systems or len(set(names)) != systems:
        raise UsageError(f"names: expected {systems} different names, one for each system, found {names!r}")
    return names


def _corpus_of_object(given: Given, task: str | None, name: str, *, renamed: bool) -> Corpus:
    if isinstance(given, Corpus):
        return replace(given, name=name) if renamed and name != "gold" else given
    if task is None:
        raise UsageError(
            "objects do not say what they are scored as: name the task",
            hint=f"task= one of {', '.join(TASKS)}",
        )
    from lydite.objects import corpus_of_objects

    with without_garbage_collection():
        return corpus_of_objects(given, task, name)


def roles_of(systems: int) -> list[str]:
    """Gold and systems as objects without names are called: ``gold``, ``system``, ``system-2`` …"""
    return ["gold", *(f"system-{number}" if number > 1 else "system" for number in range(1, systems + 1))]


def corpus_of(
    given: Given,
    task: AnyTask,
    profile: AnyProfile,
    *,
    format_name: str | None = None,
    role: str = "system",
    unread: bool = False,
) -> Corpus:
    """One side under a profile, however it is given: the way in for everything that takes sides.

    A system that wrote an empty file found nothing; gold, or a submission that is validated, must not be empty.
    """
    if is_path(given):
        read = read_system if role.startswith("system") else read_corpus
        corpus = read(given, task, profile, format_name=format_name, unread=unread)
    else:
        corpus = _corpus_of_objects(given, task, profile, role)
    if not profile.settings.ground:
        return corpus
    from lydite.tasks.placing import placed_corpus

    side = "gold" if role == "gold" else "system"
    return placed_corpus(corpus, profile.settings, task.reading.source_text, side)


def _corpus_of_objects(given: Given, task: AnyTask, profile: AnyProfile, role: str) -> Corpus:
    forget_files()
    corpus = _corpus_of_object(given, task.name, role, renamed=False)
    if profile.settings.joins_documents:
        from lydite.formats.units import regroup

        return regroup(corpus, profile.values)
    return corpus


NO_TEAMS: Mapping[str, str] = MappingProxyType({})


class Runs(NamedTuple):
    """What a folder of runs holds: systems, the teams of those that have one, and entries that are not systems."""

    paths: tuple[str, ...] = ()
    teams: Mapping[str, str] = NO_TEAMS
    left_aside: tuple[str, ...] = ()


_NO_SYSTEMS = (
    r"(?i)\.|__macosx$|thumbs\.db$|desktop\.ini$|(readme|license|licence|notes?|changes|changelog)\b"
    r"|.*\.(md|rst|pdf|docx?|log|bak)$|.*~$"
)
"""Names of files that people have beside runs."""
_STORES = frozenset({"arguments", "linking", "annotation", "assessment", "coref", "corefs"})
"""Folders inside one system."""


def runs_in(folder: PathLike) -> Runs:
    """Each entry of a folder of runs, sorted by name; an entry that holds runs, folders or files, is a team."""
    from pathlib import Path

    path = Path(folder)
    if path.is_file():
        raise UsageError(
            f"--runs {path}: expected a folder, found a file",
            hint="a file is one system: name it after gold, without --runs",
        )
    if not path.is_dir():
        raise UsageError(f"--runs {path}: no such folder", hint=near_files(str(path)))
    paths: list[str] = []
    teams: dict[str, str] = {}
    left_aside: list[str] = []
    for entry in sorted(path.iterdir(), key=str):
        if re.match(_NO_SYSTEMS, entry.name):
            left_aside.append(entry.name)
            continue
        inside = sorted(entry.iterdir(), key=str) if entry.is_dir() else []
        runs = [run for run in inside if not re.match(_NO_SYSTEMS, run.name)]
        if _are_runs(runs):
            left_aside.extend(f"{entry.name}/{run.name}" for run in inside if run not in runs)
            teams.update({str(run): entry.name for run in runs})
            paths.extend(map(str, runs))
        else:
            paths.append(str(entry))
    if not paths:
        raise UsageError(
            f"--runs {path}: the folder is empty",
            hint="each of its entries, a file or a folder, is one system",
        )
    return Runs(tuple(paths), teams, tuple(left_aside))


def _are_runs(entries: Sequence[Path]) -> bool:
    """Whether the entries of a folder are systems: folders, archives, or files that tell of the same documents.

    The files of one system never tell of the same document; the first two that can be read decide, or the first one
    that is a file of a store.
    """
    if all(entry.is_dir() for entry in entries):
        return bool(entries) and _STORES.isdisjoint(entry.name for entry in entries)
    if len(entries) < 2 or any(entry.is_dir() for entry in entries):
        return False
    if all(entry.name.lower().endswith(ARCHIVES) for entry in entries):
        return True
    first: frozenset[str] = frozenset()
    for entry in entries:
        found = _documents_in(entry)
        if found is None:
            return False
        if first and found:
            return not first.isdisjoint(found)
        first = first or found
    return False


def _documents_in(path: Path) -> frozenset[str] | None:
    """The documents that a file tells of: none if it cannot be read, None if it belongs to a store with others."""
    try:
        if recognise_format(path).open is not None:
            return None
        task, _ = find_task(None, path)
        return frozenset(read_corpus(path, task, task.profile()).documents)
    except LyditeError:
        return frozenset()


# --------------------------------------------------------------------------------------------------- settings


def ambient_settings(
    folder: PathLike | None = None, environment: Mapping[str, str] | None = None
) -> dict[str, dict[str, object]]:
    """What ``lydite.toml`` and ``LYDITE_*`` say: settings by task, ``""`` for every task, and the environment's.

    ``lydite.toml`` (or ``[tool.lydite]`` of ``pyproject.toml``) is looked for in the folder and its parents.
    """
    settings = _config_settings(os.fspath(folder) if folder else os.getcwd())
    said = (environment if environment is not None else os.environ).items()
    settings[ENVIRONMENT] = {
        key[7:].lower().replace("_", "-"): value
        for key, value in said
        if key.startswith("LYDITE_") and len(key) > 7
    }
    return settings


def _config_settings(folder: str) -> dict[str, dict[str, object]]:
    for parent in _with_parents(folder):
        for name, path in (("lydite.toml", ()), ("pyproject.toml", ("tool", "lydite"))):
            file = os.path.join(parent, name)
            if os.path.isfile(file):
                content = _load_toml(file, among_others=bool(path))
                for key in path:
                    content = content.get(key, {})
                    if not isinstance(content, dict):
                        raise UsageError(
                            f"{file}: {key}: expected a table, found {content!r}",
                            hint="settings stand below [tool.lydite]",
                        )
                if content:
                    return _by_task(content, file)
    return {}


def _with_parents(folder: str) -> Iterator[str]:
    """The folder, and every one that it lies in."""
    while True:
        yield folder
        folder, last = os.path.dirname(folder), folder
        if folder == last:
            return


def _load_toml(file: str, *, among_others: bool) -> dict[str, Any]:
    """What the file says; a file for many tools that does not name this one says nothing."""
    try:
        with open(file, "rb") as stream:
            data = stream.read()
    except OSError as error:
        raise UsageError(f"{file}: cannot be read: {error.strerror}") from None
    if among_others and b"lydite" not in data:
        return {}
    import tomllib

    try:
        return tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{file}: not valid TOML: {error}") from None


def _by_task(content: Mapping[str, object], file: str) -> dict[str, dict[str, object]]:
    settings: dict[str, dict[str, object]] = {"": {}}
    for key, value in content.items():
        if isinstance(value, dict):
            if key not in TASKS:
                hint = did_you_mean(key, list(TASKS))
                raise UsageError(f"{file}: no task {key!r}", hint=hint)
            settings[key] = {name.replace("_", "-"): one for name, one in value.items()}
        else:
            settings[""][key.replace("_", "-")] = value
    settings[FILE] = {"path": file}
    return settings


def ambient_for(task: AnyTask, settings: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """The ambient settings that concern a task, the environment's last; those of other tasks are left out.

    A name in the file that no task knows is wrong usage.  Other programs may use ``LYDITE_*`` for their own ends.
    """
    known = {*task.settings.declared, "profile"}
    in_file = settings.get("", {})
    for name in in_file:
        if name not in known:
            _must_be_known(name, str(settings.get(FILE, {}).get("path", "lydite.toml")))
    common = {key: value for key, value in in_file.items() if key in known}
    environment = {key: value for key, value in settings.get(ENVIRONMENT, {}).items() if key in known}
    return {**common, **settings.get(task.name, {}), **environment}


def _must_be_known(name: str, path: str) -> None:
    everything = {setting for task in TASKS.values() for setting in task.settings.declared} | {"profile"}
    if name not in everything:
        hint = did_you_mean(name, sorted(everything))
        raise UsageError(f"{path}: no task has a setting {name!r}", hint=hint)


def request(
    choice: Choice,
    task: AnyTask,
    corpora: Callable[[AnyProfile], Sequence[Corpus]],
    *,
    told: tuple[str, ...] = (),
    deciding: int | None = None,
) -> tuple[Request, list[Corpus]]:
    """The profile that counts and the corpora read under it; ``told`` was inferred before.

    Precedence: option > environment > ``lydite.toml`` > profile.  Without a named profile the files may decide
    (token ids in a TBF mean the token-unit profile), else the task's default is taken.  Only the first ``deciding``
    corpora decide, if it is given.
    """
    ambient = dict(choice.ambient)
    named = ambient.pop("profile", None)
    if choice.profile is not None:
        named = choice.profile
    elif named == "":
        named = None  # an empty variable of the environment says nothing
    profile = _changed(task.profile(None if named is None else str(named)), choice, ambient)
    read = list(corpora(profile))
    inferred = None if named is not None else task.reading.infer_profile(read[:deciding])
    if inferred is None or inferred[0] == profile.name:
        return Request(task, profile, told), read
    name, why = inferred
    guessed = profile
    profile = _changed(task.profile(name), choice, ambient)
    if guessed.settings.joins_documents != profile.settings.joins_documents:
        # Only now is it known which documents are one.
        read = list(corpora(profile))
    return Request(task, profile, (*told, f"profile {name} ({why})")), read


def _changed(profile: AnyProfile, choice: Choice, ambient: Mapping[str, object]) -> AnyProfile:
    profile = _with_ambient(profile, ambient)
    if choice.no_quirks:
        profile = profile.without_quirks()
    profile = profile.replace(choice.options)
    for name, value in choice.quirks.items():
        if name not in profile.quirks:
            hint = near_or_known(name, profile.quirks)
            raise UsageError(f"task {profile.task!r} has no quirk {name!r}", hint=hint)
        profile = profile.replace({name: value})
    return profile


def _with_ambient(profile: AnyProfile, ambient: Mapping[str, object]) -> AnyProfile:
    try:
        return profile.replace(ambient)
    except UsageError as error:
        where = "this comes from lydite.toml, pyproject.toml or LYDITE_*"
        hint = f"{error.hint}; {where}" if error.hint else where
        raise UsageError(str(error), hint=hint) from None


# ---------------------------------------------------------------------------------------------------- actions


def score_files(
    choice: Choice,
    gold: Given,
    systems: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    teams: Mapping[str, str] = NO_TEAMS,
    wanted: Wanted = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> tuple[Summary, Request]:
    """Score the systems against gold; the summary, and what was inferred."""
    asked, read = read_sides(choice, gold, systems, names=names, teams=teams, unread=workers is not None)
    return score_sides(asked, read, wanted=wanted, progress=progress, workers=workers), asked


def workers_for(jobs: int) -> Workers | None:
    """The cluster of the context, or so many processes; None if all is done in this one."""
    return AMBIENT_WORKERS.get() or (Processes(jobs) if jobs > 1 else None)


LeftOut = dict[str, InputError]
"""Systems that could not be scored, by name, and why."""


def read_sides(
    choice: Choice,
    gold: Given,
    systems: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    teams: Mapping[str, str] = NO_TEAMS,
    left_out: LeftOut | None = None,
    unread: bool = False,
) -> tuple[Request, list[Corpus]]:
    """Gold and systems, paths or objects, under the profile that counts, and what was inferred.

    ``names`` are those of the systems, ``teams`` their teams by path.  A system that cannot be read goes to
    ``left_out``, if it is given.  With ``unread`` documents are left to workers, where the format can do that.
    """
    roles = roles_of(len(systems))
    sides = sides_of([gold, *systems], choice.task, roles=roles, names=names)
    task, told = find_task(choice.task, sides[0])

    def corpora(profile: AnyProfile) -> list[Corpus]:
        read = [corpus_of(sides[0], task, profile, format_name=choice.format, role=roles[0], unread=unread)]
        for place, (side, role) in enumerate(zip(sides[1:], roles[1:], strict=True)):
            path = os.fspath(side) if is_path(side) else role
            try:
                corpus = corpus_of(side, task, profile, format_name=choice.format, role=role, unread=unread)
            except InputError as error:
                if left_out is None:
                    raise
                left_out[path] = error
                continue
            team = teams.get(path)
            name = names[place] if names is not None else f"{team}/{corpus.name}" if team else corpus.name
            read.append(replace(corpus, name=name))
        return [read[0], *distinct_names(read[1:])]

    # A system that may turn out to be unsound decides nothing.
    asked, read = request(choice, task, corpora, told=told, deciding=None if left_out is None else 1)
    return asked._replace(doubts=tuple(_doubts(sides[0], sides[1:]))), read


def read_equals(
    choice: Choice, given: Sequence[Given], roles: Sequence[str], names: Sequence[str] | None = None
) -> tuple[Request, list[Corpus]]:
    """Sides of which none is gold, under the profile that counts, and what was inferred."""
    sides = sides_of(given, choice.task, roles=roles, names=names)
    task, told = find_task(choice.task, sides[0])

    def corpora(profile: AnyProfile) -> list[Corpus]:
        each = zip(sides, roles, strict=True)
        return distinct_names(
            [corpus_of(side, task, profile, format_name=choice.format, role=role) for side, role in each]
        )

    return request(choice, task, corpora, told=told)


def score_sides(
    asked: Request,
    read: Sequence[Corpus],
    *,
    wanted: Wanted = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
    left_out: LeftOut | None = None,
    notes: list[str] | None = None,
) -> Summary:
    """Score what was read, gold first; a system that is refused goes to ``left_out``, if it is given.

    ``workers`` share the documents, or where those belong together the systems; ``notes`` get a sentence then.
    """
    if left_out is not None:
        return _score_the_valid(asked, read, wanted, left_out, workers, [] if notes is None else notes)
    try:
        plain = _run(asked, read, wanted, progress, workers, [] if notes is None else notes)
    except InputError as error:
        error.notes = asked.notes
        raise
    return public_summary(plain)


def _run(  # noqa: PLR0917 - what one run takes
    asked: Request,
    read: Sequence[Corpus],
    wanted: Wanted,
    progress: Progress | None,
    workers: Workers | None,
    notes: list[str],
) -> PlainSummary:
    gold, *systems = read
    spread = None if workers is None else Spread(workers, _measure_block, notes)
    if workers is not None and len(systems) > 1 and stay_together(asked.task, read, asked.profile):
        with suppress(CannotTravel):
            return _run_systems(asked, read, wanted, workers, progress)
    return run(asked.task, gold, systems, asked.profile, wanted=wanted, progress=progress, spread=spread)


_GOLD_WORDS = frozenset({"gold", "key", "reference", "annotation", "truth"})
"""What people call the file or folder with gold."""


def _doubts(gold: PathLike | Corpus, systems: Sequence[PathLike | Corpus]) -> Iterator[str]:
    """Sentences about sides that look exchanged, by their names, and about gold that is scored against itself."""
    if isinstance(gold, Corpus):
        return
    name = os.fspath(gold)
    for system in [os.fspath(path) for path in systems if not isinstance(path, Corpus)]:
        if system == name or (
            os.path.exists(name) and os.path.exists(system) and os.path.samefile(name, system)
        ):
            yield f"{system!r} is gold and system: it is scored against itself"
        elif _is_called_gold(system) and not _is_called_gold(name):
            yield f"{system!r} is scored as a system and {name!r} as gold; the order is GOLD SYSTEM: are they swapped?"


def _is_called_gold(path: str) -> bool:
    words = re.split(r"[^a-z]+", os.path.basename(path.rstrip("/")).lower())
    return not _GOLD_WORDS.isdisjoint(words)


def _measure_block(progress: Progress, common: Common, block: Block) -> MeasuredBlock:
    return measure_block(TASKS[common.task], common, block, progress)


def _run_systems(
    asked: Request, read: Sequence[Corpus], wanted: Wanted, workers: Workers, progress: Progress | None
) -> PlainSummary:
    """The same as one run: systems are independent, and their rows come back in the order of the command line.

    Input that a worker refuses is refused here, with the findings of all workers.
    """
    gold, *systems = read
    common = Common(asked.task.name, read_in_full(gold), systems, asked.profile, wanted)
    outcomes = workers.map(_run_system, packed(common), range(len(systems)), progress=progress)
    findings = in_order(dict.fromkeys(finding for part in outcomes for finding in part.findings))
    refuse_errors(findings)
    summaries = [part for part in outcomes if isinstance(part, PlainSummary)]
    return replace(_joined(summaries, [system.name for system in systems]), findings=tuple(findings))


def _run_system(progress: Progress, common: Common, number: int) -> PlainSummary | InputError:
    task, gold, systems, profile, wanted = common
    system = read_in_full(systems[number])
    try:
        return run(TASKS[task], gold, [system], profile, wanted=wanted, progress=progress)
    except InputError as refusal:
        return refusal


def _joined(summaries: Sequence[PlainSummary], order: Sequence[str]) -> PlainSummary:
    first = summaries[0]
    place = {name: position for position, name in enumerate(order)}
    rows = sorted((row for part in summaries for row in part.rows), key=lambda row: place[row.system])
    systems = sorted(
        (item for part in summaries for item in part.inputs if item.role == "system"),
        key=lambda item: place[item.name],
    )
    inputs = (*(item for item in first.inputs if item.role != "system"), *systems)
    diagnosis = {
        name: sorted(
            (entry for part in summaries for entry in part.diagnosis.get(name, ())),
            key=lambda entry: place[entry["system"]],
        )
        for name in ("documents", "standing")
    }
    return replace(
        first,
        rows=tuple(rows),
        inputs=inputs,
        diagnosis=FrozenDict({name: found for name, found in diagnosis.items() if found}),
        signature=signed_with(first, inputs),
    )


def signed_with(summary: PlainSummary, inputs: Sequence[Input]) -> str:
    """The signature of a summary with other inputs."""
    head, _, _ = summary.signature.partition("|gold:")
    return f"{head}{signed_inputs(inputs)}|v:{summary.version}"


def _score_the_valid(  # noqa: PLR0917 - as above
    asked: Request,
    read: Sequence[Corpus],
    wanted: Wanted,
    left_out: LeftOut,
    workers: Workers | None,
    notes: list[str],
) -> Summary:
    """Every system by itself, so that one that is refused stops no other."""
    gold, *systems = read
    summaries = []
    for system in systems:
        told: list[str] = []
        try:
            summaries.append(score_sides(asked, [gold, system], wanted=wanted, workers=workers, notes=told))
        except InputError as error:
            left_out[system.name] = error
        notes.extend(note for note in told if note not in notes)
    if not summaries:
        raise next(iter(left_out.values()), UsageError("no system is left to be scored"))
    if any(part.settings != summaries[0].settings for part in summaries):
        # What each decided for itself, the valid ones decide together, as they do where none is refused.
        valid = [system for system in systems if system.name not in left_out]
        return score_sides(asked, [gold, *valid], wanted=wanted, workers=workers)
    plain = _joined(summaries, [system.name for system in systems])
    findings = in_order(dict.fromkeys(finding for part in summaries for finding in part.findings))
    return public_summary(replace(plain, findings=tuple(findings)))


def best_per_team(summary: PlainSummary) -> list[str]:
    """The best run of every team by the headline, in the order of the summary; a system without a team is its own."""
    best: dict[str, tuple[float, str]] = {}
    for name in summary.systems:
        team = name.rpartition("/")[0] or name
        figure = summary.headline_score(name)
        place = float("-inf") if figure is None else figure
        if team not in best or place > best[team][0]:
            best[team] = place, name
    kept = {name for _, name in best.values()}
    return [name for name in summary.systems if name in kept]


def numbered(summary: PlainSummary, names: Sequence[str]) -> dict[str, str]:
    """Numbers for the names of systems, in the order of the hashes of what they say, which tells nobody anything."""
    contents = {item.name: item.content for item in summary.inputs if item.role == "system"}
    order = sorted(names, key=lambda name: (contents[name], name))
    digits = len(str(len(order)))
    return {name: f"system-{number:0{digits}}" for number, name in enumerate(order, 1)}


def with_names(summary: AnySummary, names: Mapping[str, str]) -> AnySummary:
    """The summary of the systems that have a name here, under that name; where names are new, paths are hidden too."""
    if all(names.get(name) == name for name in summary.systems):
        return summary
    systems = [item for item in summary.inputs if item.role == "system"]
    paths = {item.path: names[item.name] for item in systems if names.get(item.name, item.name) != item.name}
    inputs = tuple(
        item._replace(name=names[item.name], path=paths.get(item.path, item.path))
        if item.role == "system"
        else item
        for item in summary.inputs
        if item.role != "system" or item.name in names
    )
    return replace(
        summary,
        rows=tuple(row._replace(system=names[row.system]) for row in summary.rows if row.system in names),
        inputs=inputs,
        signature=signed_with(summary, inputs),
        diagnosis=FrozenDict(
            {
                key: [_called(names[entry["system"]], entry) for entry in entries if entry["system"] in names]
                for key, entries in summary.diagnosis.items()
            }
        ),
        findings=tuple(_findings_under(names, summary)),
    )


def _called(name: str, entry: Mapping[str, object]) -> Mapping[str, object]:
    """What a document of a system showed, under a name; a new one also stands for what the file calls its run."""
    run_name = {"run": name} if "run" in entry and name != entry["system"] else {}
    return {**entry, "system": name, **run_name}


def _findings_under(names: Mapping[str, str], summary: PlainSummary) -> Iterator[Finding]:
    """The findings without those of systems that have no name here; new names stand for old ones, and for paths."""
    called = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    homes: dict[str, str | None] = {}
    for item in summary.inputs:
        if item.role != "system":
            homes.setdefault(item.path, item.path)
        elif item.name in names:
            homes[item.path] = item.path if names[item.name] == item.name else names[item.name]
        else:
            homes.setdefault(item.path, None)
    for finding in summary.findings:
        message = re.sub(rf"(?<!\w)(?:{called})(?!\w)", lambda found: names[found[0]], finding.message)
        location = finding.location
        if location is not None:
            home = max((path for path in homes if is_inside(location.path, path)), key=len, default=None)
            shown = location.path if home is None else homes[home]
            if shown is None:
                continue
            if shown != home:
                location = location._replace(path=shown)
        yield finding._replace(message=message, location=location)


def is_inside(path: str, home: str) -> bool:
    """Whether a path is that of a side, or of a file in its folder or archive."""
    place, root = os.path.normpath(path), os.path.normpath(home)
    return place == root or place.startswith((f"{root}{os.sep}", f"{root}!"))


def public_summary(plain: PlainSummary) -> Summary:
    """The same summary as the public class."""
    return Summary(**{name: getattr(plain, name) for name in plain.__dataclass_fields__})


def agree_files(
    choice: Choice,
    annotators: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> tuple[Agreement, Request]:
    """The agreement of two or more annotators; in each pair the one named first is gold."""
    from itertools import combinations

    from lydite.results.agreement import agreement_of_all, agreement_of_pair

    roles = [f"annotator-{number}" for number in range(1, len(annotators) + 1)]
    asked, read = read_equals(choice, annotators, roles, names)
    task = asked.task
    task.reading.refuse_annotators(asked.profile)
    wanted = Wanted(by=ALL_BREAKDOWNS, diagnosis=True)
    pairs = [
        agreement_of_pair(
            first.name,
            second.name,
            run(task, first, [second], asked.profile, wanted=wanted, progress=progress),
        )
        for first, second in combinations(read, 2)
    ]
    return agreement_of_all(task.name, asked.profile.name, [corpus.name for corpus in read], pairs), asked


def convert_file(choice: Choice, path: PathLike) -> Corpus:
    """The corpus at ``path`` as it is to be written in another format; its findings say what was left out.

    The format is the one named or recognised, the settings are those of the task that the format belongs to.
    """
    chosen = FORMATS[choice.format] if choice.format else _format_to_convert(choice, path)
    task = TASKS[choice.task or task_of(chosen, path)] if chosen is not None else TASKS[str(choice.task)]

    def corpora(profile: AnyProfile) -> list[Corpus]:
        return [read_corpus(path, task, profile, format_name=None if chosen is None else chosen.name)]

    asked, (corpus,) = request(choice, task, corpora)
    return task.reading.convert(corpus, asked.profile.settings)


def _format_to_convert(choice: Choice, path: PathLike) -> Format | None:
    """The format of a file by itself; None if it does not tell, and a named task may know better."""
    try:
        return recognise_format(path)
    except FormatError:
        if choice.task is None:
            raise
        return None


def measure_conversion(
    corpus: Corpus, target: Format, *, file: str | None = None, progress: Progress | None = None
) -> tuple[Losses, list[Finding]]:
    """What a conversion will keep, change and drop, and all findings of the corpus; nothing is written.

    ``file`` is the name of the file, if there will be one and it is not named after its document.
    """
    from lydite.formats.losses import Losses
    from lydite.formats.rewriting import check_formats, measure, rewritten

    source = FORMATS[corpus.format]
    check_formats(source, target)
    whole = ALL_LAYERS in source.layers
    losses = Losses(corpus.format, target.name, target.limits)
    findings = list(corpus.findings)
    for done, written in enumerate(rewritten(corpus, target), 1):
        findings.extend(written.ready.findings)
        if placed := written.document.layers.get("grounding"):
            losses.placements[written.document.doc_id] = placed
        with_words = whole or source.has_words
        measure(written, target, losses, file=file, with_text=whole, with_words=with_words)
        if progress is not None:
            progress(done, len(corpus))
    findings.extend(losses.shared.findings(target.name, corpus.path))
    losses.findings.extend(findings)
    return losses, findings


def validate_file(
    choice: Choice,
    given: Given,
    *,
    gold: Given | None = None,
    side: str = "system",
    progress: Progress | None = None,
) -> tuple[list[Finding], Request]:
    """All findings of one submission: by itself, and also beside gold if there is one."""
    if gold is not None and gold != "":
        return validate_against(choice, gold, given, progress=progress)
    asked, (submission,) = read_equals(choice, [given], ["submission"])
    found = check(asked.task, submission, asked.profile, side=side, progress=progress)
    return _limited(found, asked.profile), asked


def _limited(findings: list[Finding], profile: AnyProfile) -> list[Finding]:
    """The findings up to the last error that the profile wants to see, where it says how many (``max-errors``)."""
    most, errors = profile.settings.max_errors, 0
    for position, finding in enumerate(findings):
        errors += finding.severity == "error"
        if 0 < most < errors:
            stopped = Finding("stopped", "warning", f"stopped after {most} errors (--max-errors)")
            return [*findings[:position], stopped]
    return findings


def validate_against(
    choice: Choice, gold: Given, given: Given, *, progress: Progress | None = None
) -> tuple[list[Finding], Request]:
    """All findings of one submission, those that need gold included."""
    sides = sides_of([gold, given], choice.task, roles=["gold", "submission"])
    task, _ = find_task(choice.task, sides[0])
    findings, asked = validate_file(choice._replace(task=task.name), sides[1], progress=progress)
    key, submission = (
        corpus_of(side, task, asked.profile, format_name=choice.format, role=role)
        for side, role in zip(sides, ("gold", "submission"), strict=True)
    )
    return [*findings, *check_against_gold(task, key, submission, asked.profile)], asked


# ------------------------------------------------------------------------------------------------- the library


def choice_of(  # noqa: PLR0917 - the keywords that all functions of the library have
    task: str | None,
    profile: str | None,
    format: str | None,  # noqa: A002 - the word that the command line uses
    settings: Mapping[str, object],
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
) -> Choice:
    """What a caller said, if it is of the kinds that these keywords take."""
    check_keywords(task=task, profile=profile, format=format, quirks=quirks, no_quirks=no_quirks)
    return Choice(task, profile, format, settings, {}, quirks or {}, no_quirks)


def refuse_unknown_breakdowns(named: Iterable[str], asked: Request, settings: Mapping[str, object]) -> None:
    """Refuse names that no measurement under these settings is broken down by."""
    measurements = asked.task.measurements(asked.profile.resolved(settings).settings)
    known = ["doc", *sorted({name for measurement in measurements for name in measurement.breakdowns})]
    for name in named:
        if name not in {*known, EVERY_BREAKDOWN}:
            near = did_you_mean(name, known)
            hint = f"task {asked.task.name} can be shown by {', '.join(known)}"
            raise UsageError(f"--by {name}: nothing to show", hint=f"{near} {hint}" if near else hint)


def score(
    gold: Given,
    *systems: Given,
    names: Sequence[str] | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    by: Iterable[str] = ALL_BREAKDOWNS,
    diagnosis: bool = False,
    jobs: int = 1,
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
    **settings: object,
) -> Summary:
    """Score one or more systems against gold: paths, corpora, mappings from ids to documents, or iterables of documents.

    ``task`` and ``profile`` are inferred from the files when they are not named; objects need ``task``.  ``names`` are
    those of the systems.  Every setting of the task is a
    keyword argument (``unit="token"``, ``only_document="d1"``); ``lydite score TASK --help`` lists them.  Raises
    :class:`~lydite.errors.InputError` with all findings if the input cannot be scored.

    >>> import lydite
    >>> lydite.score("examples/gold.tbf", "examples/systems/alder.tbf")["type"].micro.f1
    0.8170958282544213
    """
    forget_pipes()
    if not systems:
        raise UsageError("score needs a gold file and at least one system")
    choice = choice_of(task, profile, format, settings, quirks, no_quirks)
    check_keywords(diagnosis=diagnosis, jobs=jobs)
    wanted = Wanted(by=names_of("by", by), diagnosis=diagnosis)
    summary, asked = score_files(choice, gold, systems, names=names, wanted=wanted, workers=workers_for(jobs))
    refuse_unknown_breakdowns(wanted.by, asked, {**summary.settings, **dict(asked.task.everything)})
    return summary


def agree(
    *annotators: Given,
    names: Sequence[str] | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> Agreement:
    """The agreement of two or more annotators, with the task's own matchers."""
    forget_pipes()
    if len(annotators) < 2:
        raise UsageError("agree needs the files of at least two annotators")
    found, _ = agree_files(choice_of(task, profile, format, settings), annotators, names=names)
    return found


def convert(
    path: PathLike,
    *,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> Corpus:
    """A corpus as it is to be written in another format; findings of its documents say what was left out."""
    forget_pipes()
    return convert_file(choice_of(task, profile, format, settings), path_of(path))


def validate(
    submission: Given,
    *,
    gold: Given | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> list[Finding]:
    """All findings of a submission, in the order of its lines; an empty list is a sound file."""
    forget_pipes()
    choice = choice_of(task, profile, format, settings)
    try:
        findings, _ = validate_file(choice, submission, gold=gold)
    except (FormatError, InvalidInput) as error:
        return list(error.findings)
    return findings


def read(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> Corpus:
    """The corpus in a file, folder or archive, in the format named or recognised."""
    forget_pipes()
    check_keywords(format=format)
    path = path_of(path)
    chosen = FORMATS[format] if format else recognise_format(path)
    source = chosen.open(path) if chosen.open else open_source(path, extensions=chosen.extensions)
    options = {key.replace("_", "-"): _read_option(key, value, chosen) for key, value in settings.items()}
    return replace(chosen.read(source, options), name=display_name(source, chosen))


def path_of(given: PathLike) -> str:
    """The path that was given, where nothing else can be."""
    if not is_path(given):
        raise UsageError(f"expected the path of a file, a folder or an archive, found {type(given).__name__}")
    return os.fspath(given)


def _read_option(name: str, value: object, chosen: Format) -> object:
    """A setting of a task that scores files of this format, as the first such task that takes the value means it."""
    tasks = [TASKS[task] for task in chosen.tasks if task in TASKS] or TASKS.values()
    declared = [one.settings.declared.get(name.replace("_", "-")) for one in tasks]
    settings = [setting for setting in declared if setting is not None]
    if not settings:
        known = sorted({setting for one in tasks for setting in one.settings.declared})
        hint = did_you_mean(name.replace("_", "-"), known)
        raise UsageError(f"no task that scores {chosen.name} has a setting {name!r}", hint=hint)
    for setting in settings[:-1]:
        with suppress(UsageError):
            return setting.parse(value)
    return settings[-1].parse(value)

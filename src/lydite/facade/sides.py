"""Gold, systems and annotators, however they are given, as corpora under the profile that counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard

from lydite.errors import Finding, InputError, InvalidInput, UsageError
from lydite.escaping import counted
from lydite.facade.choosing import Request, UserChoice, find_task, request
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus
from lydite.pipeline import AnyTask
from lydite.pipeline.reading import PathLike, distinct_names, nothing_in, read_corpus
from lydite.records import replace
from lydite.tasks import TASKS

Given = PathLike | Corpus | Mapping[str, object] | Iterable[object]
"""How a side is given: a path, a corpus, documents by id, or documents."""

NO_TEAMS: Mapping[str, str] = MappingProxyType({})

LeftOut = dict[str, InputError]
"""Systems that could not be scored, by name, and why."""


def read_sides(
    choice: UserChoice,
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
    task, told = find_task(choice, sides[0])

    def corpora(asked: Request) -> list[Corpus]:
        read = [corpus_of(sides[0], asked, role=roles[0], unread=unread)]
        for place, (side, role) in enumerate(zip(sides[1:], roles[1:], strict=True)):
            path = os.fspath(side) if is_path(side) else role
            try:
                corpus = corpus_of(side, asked, role=role, unread=unread)
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
    return asked._replace(doubts=(*asked.doubts, *_doubts(sides[0], sides[1:]))), read


def read_equals(
    choice: UserChoice, given: Sequence[Given], roles: Sequence[str], names: Sequence[str] | None = None
) -> tuple[Request, list[Corpus]]:
    """Sides of which none is gold, under the profile that counts, and what was inferred."""
    sides = sides_of(given, choice.task, roles=roles, names=names)
    task, told = find_task(choice, sides[0])

    def corpora(asked: Request) -> list[Corpus]:
        each = zip(sides, roles, strict=True)
        return distinct_names([corpus_of(side, asked, role=role) for side, role in each])

    return request(choice, task, corpora, told=told)


def is_path(given: Given) -> TypeGuard[PathLike]:
    """Whether a side is given by the path of its files."""
    return isinstance(given, str | os.PathLike)


def path_of(given: PathLike) -> str:
    """The path that was given, where nothing else can be."""
    if not is_path(given):
        raise UsageError(f"expected the path of a file, a folder or an archive, found {type(given).__name__}")
    return os.fspath(given)


def sides_of(
    given: Sequence[Given], task: str | None, *, roles: Sequence[str], names: Sequence[str] | None = None
) -> list[PathLike | Corpus]:
    """The sides with objects made into corpora; everything that does not fit, on any side, is raised together.

    ``names`` are for the systems, that is for all roles but ``gold``; without them objects go by their roles.
    """
    if names is not None:
        _check_names(names, sum(role != "gold" for role in roles))
    called = iter(names or ())
    sides: list[PathLike | Corpus] = []
    findings: list[Finding] = []
    for side, role in zip(given, roles, strict=True):
        name = None if names is None or role == "gold" else next(called)
        try:
            sides.append(side if is_path(side) else _corpus_of_object(side, task, role, name))
        except InvalidInput as error:
            findings.extend(error.findings)
    if findings:
        raise InvalidInput(findings)
    return sides


def _check_names(names: Sequence[str], systems: int) -> None:
    fits = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    if isinstance(names, str) or not fits or len(names) != systems or len(set(names)) != systems:
        raise UsageError(
            f"names: expected {counted(systems, 'different name')}, one for each system, found {names!r}"
        )


def _corpus_of_object(given: Given, task: str | None, role: str, name: str | None = None) -> Corpus:
    if isinstance(given, Corpus) and given.format:
        return given if name is None else replace(given, name=name)
    if task is None:
        raise UsageError(
            "objects do not say what they are scored as: name the task",
            hint=f"task= one of {', '.join(TASKS)}",
        )
    from lydite.objects import corpus_of_objects

    with without_garbage_collection():
        if not isinstance(given, Corpus):
            return corpus_of_objects(given, task, name or role)
        # Made by hand: no reader has said what its documents show.
        made = corpus_of_objects(given.documents, task, name or given.name)
        return replace(made, findings=given.findings, facts={**made.facts, **given.facts})


def roles_of(systems: int) -> list[str]:
    """Gold and systems as objects without names are called: ``gold``, ``system``, ``system-2`` …"""
    return ["gold", *(f"system-{number}" if number > 1 else "system" for number in range(1, systems + 1))]


def corpus_of(given: Given, asked: Request, *, role: str, unread: bool = False) -> Corpus:
    """One side as it was asked for, however it is given: the way in for everything that takes sides.

    A system that wrote an empty file found nothing; gold, or a submission that is validated, must not be empty.
    """
    task, profile = asked.task, asked.profile
    if is_path(given):
        _refuse_format_of_others(asked.format, task)
        nothing = nothing_in(given, task) if role.startswith("system") else None
        if nothing is not None:
            return nothing
        corpus = read_corpus(given, task, profile, format_name=asked.format, unread=unread)
    else:
        forget_files()
        corpus = _corpus_of_object(given, task.name, role)
        if profile.settings.joins_documents:
            from lydite.formats.units import regroup

            corpus = regroup(corpus, profile.values)
    if not profile.settings.ground:
        return corpus
    from lydite.tasks.placing import placed_corpus

    side = "gold" if role == "gold" else "system"
    return placed_corpus(corpus, profile.settings, task.reading.source_text, side)


def _refuse_format_of_others(name: str | None, task: AnyTask) -> None:
    """A format without anything that the task scores is no way to read its files: all of it would be missing."""
    if name is None:
        return
    held = (*FORMATS[name].layers, *FORMATS[name].also_read)
    if {ALL_LAYERS, *task.layers, *task.reading.also_from}.isdisjoint(held):
        hint = (
            f"formats of {task.name}: {', '.join(formats_of(task.name))}; lydite convert makes one of another"
        )
        raise UsageError(f"the task {task.name} scores nothing in files of the format {name}", hint=hint)


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
    name = os.path.basename(path.rstrip("/")).lower()
    words = "".join([char if "a" <= char <= "z" else " " for char in name]).split()
    return not _GOLD_WORDS.isdisjoint(words)

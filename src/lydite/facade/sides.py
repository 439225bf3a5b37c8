"""Gold, systems and annotators, given as paths or as objects, read as corpora under the profile that counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TypeGuard

from lydite.errors import Finding, InputError, InvalidInput, UsageError
from lydite.escaping import counted
from lydite.facade.choosing import Request, UserChoice, find_task, resolve
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document, LazyDocuments
from lydite.pipeline import AnyTask
from lydite.pipeline.reading import PathLike, distinct_names, empty_system, read_corpus
from lydite.records import replace
from lydite.tasks import TASKS

Given = PathLike | Corpus | Mapping[str, object] | Iterable[object]
"""How a side may be given: a path, a corpus, a mapping from ids to documents, or documents alone."""

NO_TEAMS: Mapping[str, str] = MappingProxyType({})

LeftOut = dict[str, InputError]
"""The systems that could not be scored, by name, with the reason."""


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
    """Read gold and systems under the profile that counts; the request says what was inferred.

    ``names`` are those of the systems, ``teams`` their teams by path.  A system that cannot be read goes to
    ``left_out``, if it is given.  With ``unread`` documents are left to workers, where the format can do that.
    """
    roles = side_roles(len(systems))
    sides = as_sides([gold, *systems], choice.task, roles=roles, names=names)
    task, inferred = find_task(choice, sides[0])

    def read(request: Request) -> list[Corpus]:
        corpora = [read_side(sides[0], request, role=roles[0], unread=unread)]
        for place, (side, role) in enumerate(zip(sides[1:], roles[1:], strict=True)):
            path = os.fspath(side) if is_path(side) else role
            try:
                corpus = read_side(side, request, role=role, unread=unread, gold=corpora[0])
            except InputError as error:
                if left_out is None:
                    raise
                left_out[path] = error
                continue
            team = teams.get(path)
            name = names[place] if names is not None else f"{team}/{corpus.name}" if team else corpus.name
            corpora.append(replace(corpus, name=name))
        return [corpora[0], *distinct_names(corpora[1:])]

    # A system that may be left out must not decide for the others.
    deciding = None if left_out is None else 1
    request, corpora = resolve(choice, task, read, inferred=inferred, deciding=deciding)
    return request._replace(doubts=(*request.doubts, *_doubts(sides[0], sides[1:]))), corpora


def read_without_gold(
    choice: UserChoice, given: Sequence[Given], roles: Sequence[str], names: Sequence[str] | None = None
) -> tuple[Request, list[Corpus]]:
    """Read annotators, or a submission alone, under the profile that counts; the request says what was inferred."""
    sides = as_sides(given, choice.task, roles=roles, names=names)
    task, inferred = find_task(choice, sides[0])

    def read(request: Request) -> list[Corpus]:
        pairs = zip(sides, roles, strict=True)
        return distinct_names([read_side(side, request, role=role) for side, role in pairs])

    return resolve(choice, task, read, inferred=inferred)


def is_path(given: Given) -> TypeGuard[PathLike]:
    """Whether a side is given as a path."""
    return isinstance(given, str | os.PathLike)


def require_path(given: PathLike) -> str:
    """The path as text; anything but a path is refused."""
    if not is_path(given):
        raise UsageError(f"expected the path of a file, a folder or an archive, found {type(given).__name__}")
    return os.fspath(given)


def as_sides(
    given: Sequence[Given], task: str | None, *, roles: Sequence[str], names: Sequence[str] | None = None
) -> list[PathLike | Corpus]:
    """Make corpora of the sides that are given as objects; paths stay paths.  The findings of all sides are raised together.

    ``names`` are for the systems, that is for all roles but ``gold``; without them objects go by their roles.
    """
    if names is not None:
        _refuse_other_names(names, sum(role != "gold" for role in roles))
    system_names = iter(names or ())
    sides: list[PathLike | Corpus] = []
    findings: list[Finding] = []
    for side, role in zip(given, roles, strict=True):
        name = None if names is None or role == "gold" else next(system_names)
        try:
            sides.append(side if is_path(side) else _read_object(side, task, role, name))
        except InvalidInput as error:
            findings.extend(error.findings)
    if findings:
        raise InvalidInput(findings)
    return sides


def _refuse_other_names(names: Sequence[str], systems: int) -> None:
    fits = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
    if isinstance(names, str) or not fits or len(names) != systems or len(set(names)) != systems:
        expected = f"{counted(systems, 'different name')}, one for each system"
        raise UsageError(f"names: expected {expected}, found {names!r}")


def _read_object(given: Given, task: str | None, role: str, name: str | None = None) -> Corpus:
    if isinstance(given, Corpus) and given.format:
        return given if name is None else replace(given, name=name)
    if task is None:
        hint = f"task= one of {', '.join(TASKS)}"
        raise UsageError("objects do not say what they are scored as: name the task", hint=hint)
    from lydite.objects import corpus_of_objects

    with without_garbage_collection():
        if not isinstance(given, Corpus):
            return corpus_of_objects(given, task, name or role)
        # A corpus that the user made lacks the facts that a reader finds.
        corpus = corpus_of_objects(given.documents, task, name or given.name)
        return replace(corpus, findings=given.findings, facts={**corpus.facts, **given.facts})


def side_roles(systems: int) -> list[str]:
    """The names of gold and systems that are objects without names: ``gold``, ``system``, ``system-2`` …"""
    return ["gold", *(f"system-{number}" if number > 1 else "system" for number in range(1, systems + 1))]


def read_side(
    given: Given, request: Request, *, role: str, unread: bool = False, gold: Corpus | None = None
) -> Corpus:
    """Read one side, given as a path or as an object.

    Words without offsets are placed in the text of the side's own documents, else in that of ``gold``.
    An empty file of a system means that it found nothing; gold, or a submission that is validated, must not be empty.
    """
    task, profile = request.task, request.profile
    if is_path(given):
        _refuse_format_of_other_tasks(request.format, task)
        empty = empty_system(given, task) if role.startswith("system") else None
        if empty is not None:
            return empty
        corpus = read_corpus(given, task, profile, format_name=request.format, unread=unread)
    else:
        forget_files()
        corpus = _read_object(given, task.name, role)
        if profile.settings.joins_documents:
            from lydite.formats.units import regroup

            corpus = regroup(corpus, profile.values)
    if not profile.settings.ground:
        return corpus
    from lydite.tasks.placing import place_corpus

    side = "gold" if role == "gold" else "system"
    if gold is not None:
        corpus = _with_texts_of(gold, corpus)
    return place_corpus(corpus, profile.settings, task.reading.source_text, side)


def _with_texts_of(gold: Corpus, corpus: Corpus) -> Corpus:
    """The corpus whose documents have the text of gold where they have none."""
    read = corpus.documents

    def load(doc_id: str) -> Document:
        document = read[doc_id]
        if document.text is not None or doc_id not in gold.documents:
            return document
        return document._replace(text=gold.documents[doc_id].text)

    return replace(corpus, documents=LazyDocuments(read, load))


def _refuse_format_of_other_tasks(name: str | None, task: AnyTask) -> None:
    """Refuse a format that holds nothing of what the task scores: every item would count as missing."""
    if name is None:
        return
    layers = (*FORMATS[name].layers, *FORMATS[name].also_read)
    if {ALL_LAYERS, *task.layers, *task.reading.also_from}.isdisjoint(layers):
        known = ", ".join(formats_of(task.name))
        hint = f"formats of {task.name}: {known}; lydite convert makes one of another"
        raise UsageError(f"the task {task.name} scores nothing in files of the format {name}", hint=hint)


_GOLD_WORDS = frozenset({"gold", "key", "reference", "annotation", "truth"})
"""Words in the names that people give to files or folders with gold."""


def _doubts(gold: PathLike | Corpus, systems: Sequence[PathLike | Corpus]) -> Iterator[str]:
    """Doubts about gold and systems that look swapped, by their names, and about gold that is scored against itself."""
    if isinstance(gold, Corpus):
        return
    name = os.fspath(gold)
    for system in [os.fspath(path) for path in systems if not isinstance(path, Corpus)]:
        both_exist = os.path.exists(name) and os.path.exists(system)
        if system == name or (both_exist and os.path.samefile(name, system)):
            yield f"{system!r} is gold and system: it is scored against itself"
        elif _looks_like_gold(system) and not _looks_like_gold(name):
            yield f"{system!r} is scored as a system and {name!r} as gold; the order is GOLD SYSTEM: are they swapped?"


def _looks_like_gold(path: str) -> bool:
    name = os.path.basename(path.rstrip("/")).lower()
    words = "".join([char if "a" <= char <= "z" else " " for char in name]).split()
    return not _GOLD_WORDS.isdisjoint(words)

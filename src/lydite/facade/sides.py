"""Gold, systems and annotators, given as paths or as objects, read as corpora under the profile that counts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TypeGuard

from lydite.errors import Finding, InputError, InvalidInput, UsageError
from lydite.escaping import counted
from lydite.facade.choosing import Request, UserChoice, find_task, resolve
from lydite.formats import FORMATS, formats_of
from lydite.formats.base import ALL_LAYERS
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document, LazyDocuments
from lydite.pipeline.reading import PathLike, distinct_names, empty_system, read_corpus
from lydite.pipeline.task import AnyTask
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
    if choice.options.get("suite", "none") != "none":
        raise UsageError("--suite datasets: only score has means over datasets", hint="name one dataset")
    # Objects without names are called ``gold``, ``system``, ``system-2`` …
    numbers = range(1, len(systems) + 1)
    roles = ["gold", *(f"system-{number}" if number > 1 else "system" for number in numbers)]
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
    doubts = [*request.doubts]
    if request.profile.settings.map and not any(corpus.facts.get("mapped") for corpus in corpora):
        formats = ", ".join(f"{corpus.path} is {corpus.format}" for corpus in corpora if corpus.format)
        doubts.append(f"--map has no effect: the layout of these files is known ({formats})")
    if is_path(sides[0]):
        systems_by_path = [os.fspath(side) for side in sides[1:] if is_path(side)]
        doubts.extend(_doubts_about_order(os.fspath(sides[0]), systems_by_path, corpora))
    return request._replace(doubts=tuple(doubts)), corpora


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
        systems = sum(role != "gold" for role in roles)
        fits = isinstance(names, Sequence) and all(isinstance(name, str) for name in names)
        if isinstance(names, str) or not fits or len(names) != systems or len(set(names)) != systems:
            expected = f"{counted(systems, 'different name')}, one for each system"
            raise UsageError(f"names: expected {expected}, found {names!r}")
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


def read_side(
    given: Given, request: Request, *, role: str, unread: bool = False, gold: Corpus | None = None
) -> Corpus:
    """Read one side, given as a path or as an object.

    Words without offsets are placed in the text of the side's own documents, else in that of ``gold``.
    An empty file of a system means that it found nothing; gold, or a submission that is validated, must not be empty.
    """
    task, profile = request.task, request.profile
    if is_path(given):
        if request.format is not None:
            _refuse_format_of_other_tasks(request.format, task)
        empty = empty_system(given, task) if role.startswith("system") else None
        if empty is not None:
            return empty
        side = role if role == "gold" else "system" if role.startswith("system") else ""
        corpus = read_corpus(given, task, profile, format_name=request.format, side=side, unread=unread)
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


def _refuse_format_of_other_tasks(name: str, task: AnyTask) -> None:
    """Refuse a format that holds nothing of what the task scores: every item would count as missing."""
    layers = (*FORMATS[name].layers, *FORMATS[name].also_read)
    if {ALL_LAYERS, *task.layers, *task.reading.derives_layers_from}.isdisjoint(layers):
        known = ", ".join(formats_of(task.name))
        hint = f"formats of {task.name}: {known}; lydite convert makes one of another"
        raise UsageError(f"the task {task.name} scores nothing in files of the format {name}", hint=hint)


_GOLD_WORDS = frozenset({"gold", "key", "reference", "annotation", "truth"})
"""Words in the names that people give to files or folders with gold."""


def _doubts_about_order(gold: str, systems: Iterable[str], corpora: Sequence[Corpus]) -> Iterator[str]:
    """Doubts about gold and systems that look swapped, by their names, and about gold that is scored against itself.

    A file that is read from other keys as gold than as a system is not scored against itself.
    """
    for system in systems:
        both_exist = os.path.exists(gold) and os.path.exists(system)
        if system == gold or (both_exist and os.path.samefile(gold, system)):
            if len({corpus.facts.get("key") for corpus in corpora if corpus.path in {gold, system}}) > 1:
                continue
            yield f"{system!r} is gold and system: it is scored against itself"
        elif _looks_like_gold(system) and not _looks_like_gold(gold):
            yield f"{system!r} is scored as a system and {gold!r} as gold; the order is GOLD SYSTEM: are they swapped?"


def _looks_like_gold(path: str) -> bool:
    name = os.path.basename(path.rstrip("/")).lower()
    words = "".join([char if "a" <= char <= "z" else " " for char in name]).split()
    return not _GOLD_WORDS.isdisjoint(words)

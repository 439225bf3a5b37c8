"""Folders of runs: which entries are systems, and of which teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import LyditeError, UsageError
from lydite.facade.choosing import UserChoice, find_task
from lydite.facade.sides import NO_TEAMS
from lydite.formats.archives import ARCHIVES
from lydite.formats.source import near_name_hint
from lydite.pipeline.reading import PathLike, read_corpus, recognise_format

if TYPE_CHECKING:
    from pathlib import Path


class Runs(NamedTuple):
    """The paths of the systems in a folder, their teams by path, and the entries that are not systems."""

    paths: tuple[str, ...] = ()
    teams: Mapping[str, str] = NO_TEAMS
    ignored: tuple[str, ...] = ()


_NOT_A_SYSTEM = (
    r"(?i)\.|__macosx$|thumbs\.db$|desktop\.ini$|(readme|license|licence|notes?|changes|changelog)\b"
    r"|.*\.(md|rst|pdf|docx?|log|bak)$|.*~$"
)
"""Names of files that are often found beside runs."""

_STORES = frozenset({"arguments", "linking", "annotation", "assessment", "coref", "corefs"})
"""Names of the folders inside one system, a store of arguments."""


def runs_in(folder: PathLike) -> Runs:
    """The systems of a folder: each entry, in the order of names; the runs inside an entry that is a team's folder."""
    from pathlib import Path

    path = Path(folder)
    if path.is_file():
        hint = "a file is one system: name it after gold, without --runs"
        raise UsageError(f"--runs {path}: expected a folder, found a file", hint=hint)
    if not path.is_dir():
        raise UsageError(f"--runs {path}: no such folder", hint=near_name_hint(str(path)))
    paths: list[str] = []
    teams: dict[str, str] = {}
    ignored: list[str] = []
    for entry in sorted(path.iterdir(), key=str):
        if re.match(_NOT_A_SYSTEM, entry.name):
            ignored.append(entry.name)
            continue
        inside = sorted(entry.iterdir(), key=str) if entry.is_dir() else []
        runs = [run for run in inside if not re.match(_NOT_A_SYSTEM, run.name)]
        if _are_runs(runs):
            ignored.extend(f"{entry.name}/{run.name}" for run in inside if run not in runs)
            teams.update({str(run): entry.name for run in runs})
            paths.extend(map(str, runs))
        else:
            paths.append(str(entry))
    if not paths:
        hint = "each of its entries, a file or a folder, is one system"
        raise UsageError(f"--runs {path}: the folder is empty", hint=hint)
    return Runs(tuple(paths), teams, tuple(ignored))


def _are_runs(entries: Sequence[Path]) -> bool:
    """Whether the entries of a folder are systems: folders, archives, or files with documents in common.

    The files of one system never share a document; the first two that can be read decide, or the first one that is a
    file of a store.
    """
    if all(entry.is_dir() for entry in entries):
        return bool(entries) and _STORES.isdisjoint(entry.name for entry in entries)
    if len(entries) < 2 or any(entry.is_dir() for entry in entries):
        return False
    if all(entry.name.lower().endswith(ARCHIVES) for entry in entries):
        return True
    first: frozenset[str] = frozenset()
    for entry in entries:
        doc_ids = _doc_ids_in(entry)
        if doc_ids is None:
            return False
        if first and doc_ids:
            return not first.isdisjoint(doc_ids)
        first = first or doc_ids
    return False


def _doc_ids_in(path: Path) -> frozenset[str] | None:
    """The ids of the documents in a file; none if it cannot be read, None if it is one file of a store."""
    try:
        if recognise_format(path).open is not None:
            return None
        task, _ = find_task(UserChoice(), path)
        return frozenset(read_corpus(path, task, task.profile()).documents)
    except LyditeError:
        return frozenset()

"""Folders of runs: which of their entries are systems, and of which teams."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.errors import LyditeError, UsageError
from lydite.facade.choosing import UserChoice, find_task
from lydite.facade.sides import NO_TEAMS
from lydite.formats.archives import ARCHIVES
from lydite.formats.source import near_name_hint
from lydite.pipeline.reading import PathLike, read_corpus, recognise_format
from lydite.records import NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


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
        raise UsageError(f"--runs {path}: no such folder", hint=near_name_hint(str(path)))
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
        task, _ = find_task(UserChoice(), path)
        return frozenset(read_corpus(path, task, task.profile()).documents)
    except LyditeError:
        return frozenset()

"""Stores are written as all folders are: whole, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable

from lydite.errors import UsageError
from lydite.writing import Files, write_folder


def write_store(path: str | os.PathLike[str], files: Files, *, owned: bool = False) -> None:
    """Write a store with exactly these files, as they come.

    A store that was read before is ``owned`` and replaced; another folder only if nothing in it would be lost.
    """
    if os.path.exists(path) and not os.path.isdir(path):  # noqa: PTH110, PTH112 - text or path alike
        raise UsageError(
            f"{os.fspath(path)}: not a folder", hint="stores are written as folders; name another one"
        )
    write_folder(path, ((_of_document(name), data) for name, data in files), owned=owned)


def _of_document(name: str) -> str:
    if "/" in name:
        raise UsageError(f"document id {name!r} cannot be a file name")
    return name


def is_among(path: str, stores: Iterable[str]) -> bool:
    """Whether a store is written over one of those that were read."""
    return os.path.realpath(path) in map(os.path.realpath, stores)

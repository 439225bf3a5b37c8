"""Reading TOML and text files of users."""

from __future__ import annotations

from functools import cache
from os import PathLike
from typing import Any

from lydite.errors import UsageError


def parse_toml(data: bytes, place: str | PathLike[str]) -> dict[str, Any]:
    """Parse the content of a file, whose place is named in errors; invalid TOML is a :class:`UsageError`."""
    import tomllib

    try:
        return tomllib.loads(_decoded(data, place))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{place}: not valid TOML: {error}") from None


def read_bytes(path: str | PathLike[str]) -> bytes:
    """The bytes of a file; a file that cannot be read is a :class:`UsageError`."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def read_text(path: str | PathLike[str]) -> str:
    """The text of a file; one with a null character is a :class:`UsageError`."""
    before, null, _ = _decoded(read_bytes(path), path).partition("\0")
    if null:
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise UsageError(f"{path}:{line}:{column}: expected text, found a null character (a zero byte)")
    return before


def _decoded(data: bytes, place: str | PathLike[str]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{place}: not UTF-8") from None


def read_toml(path: str | PathLike[str]) -> dict[str, Any]:
    """Read and parse a TOML file; :class:`UsageError` if it cannot be read or is not TOML."""
    return parse_toml(read_bytes(path), path)


@cache
def shipped_toml(path: str) -> dict[str, Any]:
    """The content of a TOML file that ships with lydite; the caller must not change it."""
    return read_toml(path)

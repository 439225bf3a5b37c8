"""TOML, read one way; files that ship with lydite are parsed once."""

from __future__ import annotations

from functools import cache
from importlib.machinery import SourceFileLoader
from os import PathLike
from types import CodeType
from typing import Any

from lydite.errors import UsageError


def parse_toml(data: bytes, place: str | PathLike[str]) -> dict[str, Any]:
    """What a file says, which lies at that place; wrong usage if it is no TOML."""
    import tomllib

    try:
        return tomllib.loads(_decoded(data, place))
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise UsageError(f"{place}: not valid TOML: {error}") from None


def read_bytes(path: str | PathLike[str]) -> bytes:
    """What stands in the file; wrong usage if it cannot be read."""
    try:
        with open(path, "rb") as stream:
            return stream.read()
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def read_text(path: str | PathLike[str]) -> str:
    """The same as text."""
    return _decoded(read_bytes(path), path)


def _decoded(data: bytes, place: str | PathLike[str]) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{place}: not UTF-8") from None


def read_toml(path: str | PathLike[str]) -> dict[str, Any]:
    """What the file says; wrong usage if it cannot be read or is no TOML."""
    return parse_toml(read_bytes(path), path)


class _Loader(SourceFileLoader):
    """Reads a file as Python reads a module: what it says is kept beside it."""

    def source_to_code(self, data: bytes, path: str, *, _optimize: int = -1) -> CodeType:  # type: ignore[override] # as it is called
        """An expression of what the file says."""
        return compile(repr(parse_toml(data, path)), path, "eval", dont_inherit=True)


@cache
def shipped_toml(path: str) -> dict[str, Any]:
    """What a file says that ships with lydite."""
    code = _Loader(path, path).get_code(path)
    assert code is not None
    return {**eval(code)}  # noqa: S307 - literals, which the loader wrote

"""Libraries that only some work needs: each belongs to an extra of the package, which the error names where the library is missing."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from lydite.errors import UsageError


def library(name: str, extra: str, purpose: str) -> ModuleType:
    """The module of that name; :class:`UsageError` with what to install if it, or what it stands on, is not there."""
    try:
        return import_module(name)
    except ImportError as error:
        missing = (error.name or name).partition(".")[0]
        raise UsageError(
            f"{purpose} needs the package {missing}", hint=f"pip install 'lydite[{extra}]'"
        ) from None

"""Importing libraries that only some features need; if one is missing, the error names the extra that installs it."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from lydite.errors import UsageError


def library(name: str, extra: str, purpose: str) -> ModuleType:
    """Import a module; :class:`UsageError` with what to install if it, or a package that it needs, is missing."""
    try:
        return import_module(name)
    except ImportError as error:
        missing = (error.name or name).partition(".")[0]
        hint = f"pip install 'lydite[{extra}]'"
        raise UsageError(f"{purpose} needs the package {missing}", hint=hint) from None

"""The search engine, which comes with an extra."""

from __future__ import annotations

from types import ModuleType

from lydite.errors import UsageError


def engine() -> ModuleType:
    """The module of the engine; a sentence that says what to install if it is not there."""
    try:
        import tantivy
    except ImportError:
        raise UsageError(
            "lydite corpus needs the search engine Tantivy, which is not installed",
            hint="pip install 'lydite[corpus]'",
        ) from None
    return tantivy

"""Which gold entities a system has right."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model.ace import ENTITY
from lydite.tasks.ace.measurements import DocumentView
from lydite.tasks.ace.settings import AceSettings


def standing(view: DocumentView, _settings: AceSettings) -> Iterator[tuple[str, bool]]:
    """The gold entities of a document by id; right if mapped, with no attribute error."""
    for outcome in view.outcomes(ENTITY):
        if outcome.gold is not None:
            yield outcome.gold.element, outcome.status == "correct"

"""Which gold nuggets a system has right: those with full credit under the headline's measurement."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.align.comparison import MentionComparison
from lydite.tasks.nugget.measurements import augmented_alignment
from lydite.tasks.nugget.settings import NuggetSettings


def standing(comparison: MentionComparison, settings: NuggetSettings) -> Iterator[tuple[str, bool]]:
    """Gold mentions by id; right if the partner covers the whole span and agrees on all attributes."""
    agree = settings.attributes
    if "detection" in settings.measures:
        alignment = comparison.align(agree)
    else:
        alignment = augmented_alignment(comparison, agree)
    whole = {pair.gold for pair in alignment.pairs if pair.similarity == 1}
    for position, item in enumerate(alignment.gold):
        yield (item.id if hasattr(item, "id") else " ".join(map(str, item))), position in whole

"""Which gold triples a system has right."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.metrics.triples import TRIPLE_COVERAGE
from lydite.model.triple import Triple
from lydite.tasks.triples.comparison import FirstComeComparison, TripleComparison, headline_mode
from lydite.tasks.triples.measurements import headline
from lydite.tasks.triples.settings import TripleSettings


def standing(
    comparison: TripleComparison | FirstComeComparison, settings: TripleSettings
) -> Iterator[tuple[str, bool]]:
    """Gold triples; right if they are credited under the headline's condition."""
    if isinstance(comparison, FirstComeComparison):
        credited = {one.gold.position for one in comparison.plain.credited}
        for item in comparison.gold_items:
            yield _triple_id(item.triple), item.position in credited
        return
    mode = headline_mode(settings)
    covered = headline(settings).metric == TRIPLE_COVERAGE.name
    alignment = comparison.covering(mode) if covered else comparison.alignments[mode]
    right = {pair.gold for pair in alignment.pairs}
    for place, triple in enumerate(alignment.gold):
        yield _triple_id(triple), place in right


def _triple_id(triple: Triple) -> str:
    first, second = (",".join(element.ids) for element in (triple.first, triple.second))
    return f"{triple.relation}({first}; {second})" if second else f"{triple.relation}({first})"

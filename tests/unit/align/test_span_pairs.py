"""Which labelled spans are paired, worked by hand."""

from __future__ import annotations

import pytest

from lydite.align.spans import pair_by_overlap, pair_by_rank
from lydite.model.span_alignment import LabelledSpan


def span(begin: int, end: int, kind: str) -> LabelledSpan:
    return LabelledSpan(((begin, end),), kind)


GOLD = [span(0, 4, "PER")]
PLACE, TYPE, NEITHER, BOTH = span(0, 4, "LOC"), span(2, 6, "PER"), span(1, 3, "LOC"), span(0, 4, "PER")


@pytest.mark.parametrize(
    ("system", "chosen"),
    [([PLACE, TYPE], PLACE), ([NEITHER, TYPE], TYPE), ([PLACE, BOTH], BOTH), ([NEITHER], NEITHER)],
)
def test_the_same_place_counts_for_more_than_the_same_type(
    system: list[LabelledSpan], chosen: LabelledSpan
) -> None:
    (pair,) = pair_by_rank(GOLD, system).pairs
    assert system[pair.system] == chosen


def test_the_largest_overlap_of_one_type_is_paired_whatever_shares_the_place() -> None:
    system = [PLACE, span(3, 7, "PER"), TYPE]
    (pair,) = pair_by_overlap(GOLD, system).pairs
    assert (system[pair.system], pair.common, pair.dice) == (TYPE, 2, 0.5)

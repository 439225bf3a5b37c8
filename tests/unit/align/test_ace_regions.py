"""Overlap of places in texts, sound and images, against the definitions."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.align.ace_regions import overlap_candidates, text_match
from lydite.model.ace import Box, Region, overlap

spans = st.builds(lambda start, length: Region(start, start + length), st.integers(0, 12), st.integers(1, 6))
sizes = st.integers(1, 5).map(float)
boxes = st.builds(Box, st.sampled_from(("1", "2")), sizes, sizes, sizes, sizes)
images = st.lists(boxes, min_size=1, max_size=3).map(lambda found: Region(0, 0, "", tuple(found)))


def test_three_of_ten_characters_are_exactly_the_least_overlap() -> None:
    assert overlap(Region(0, 10), Region(7, 17)) == 0.3
    assert overlap(Region(0, 10), Region(8, 18)) < 0.3
    assert overlap(Region(0, 10), Region(10, 12)) == 0


def test_sound_overlaps_by_seconds() -> None:
    assert overlap(Region(1.5, 3.5), Region(2.0, 6.0)) == pytest.approx(1.5 / 4)


@given(spans, spans)
def test_text_overlaps_by_shared_characters_over_the_longer(first: Region, second: Region) -> None:
    ours, theirs = (set(range(int(one.start), int(one.end))) for one in (first, second))
    assert overlap(first, second) == len(ours & theirs) / max(len(ours), len(theirs))


def shared_area(one: Box, other: Box) -> float:
    width = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    height = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return width * height if one.page == other.page and width > 0 and height > 0 else 0.0


@given(images, images)
def test_images_overlap_by_the_best_assignment_of_boxes(first: Region, second: Region) -> None:
    few, many = sorted((first.boxes, second.boxes), key=len)
    best = max(
        sum(shared_area(one, other) for one, other in zip(few, order, strict=False))
        for order in permutations(many)
    )
    areas = [sum(box.width * box.height for box in side) for side in (few, many)]
    assert overlap(first, second) == pytest.approx(best / max(areas))


@given(st.lists(spans, max_size=6), st.lists(spans, max_size=6))
def test_the_sweep_finds_every_pair_that_overlaps(gold: list[Region], system: list[Region]) -> None:
    found = list(overlap_candidates(gold, system))
    assert len(found) == len(set(found))
    pairs = {(i, j) for i, one in enumerate(gold) for j, other in enumerate(system) if overlap(one, other)}
    assert pairs <= set(found)


def test_texts_match_by_their_longest_common_run() -> None:
    assert text_match("U.S. Steel", "us steel") == 1
    assert text_match("Mira Valdez", "Valdez") == 6 / 10
    assert text_match("...", "Valdez") == 0
    assert text_match("--", "...") == 1
    assert text_match("北 山", "北山") == 1 / 3


def test_punctuation_counts_as_soon_as_one_text_is_no_ascii() -> None:
    assert text_match("A-B", "A-Bé") == text_match("A-Bé", "A-B") == 3 / 4
    assert text_match("A-B", "AB") == 1
    assert text_match("É-B", "ÉB") == 1 / 3


@pytest.mark.parametrize("other", [Region(0, 0, "", (Box("1", 1, 1, 0, 4),)), Region(3, 5)])
def test_boxes_without_an_area_share_nothing(other: Region) -> None:
    flat = Region(0, 0, "", (Box("1", 1, 1, 0, 4),))
    assert overlap(flat, other) == overlap(other, flat) == 0

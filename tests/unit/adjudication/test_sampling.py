"""Samples of what is to be judged, and what resampling documents says."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

import pytest

from lydite.adjudication.pool import (
    PoolItem,
    draw_sample,
    item_id,
    overlapping_regions,
    queue_row,
    queued_item,
    representative,
)
from lydite.adjudication.scores import DOWN, UP, JudgedItem, intervals, macro_average
from lydite.adjudication.scores import adjudicated as scored
from lydite.model.ace import Box, Region
from lydite.model.ace_alignment import ScoredMention


def items(count: int, genre: str = "newswire", *, target: str = "T", inside: bool = False) -> list[PoolItem]:
    return [
        PoolItem(
            f"{target}{genre}{at}",
            target,
            "Mira",
            f"d{at}",
            "document",
            (("s", "E"),),
            genre=genre,
            inside=inside,
        )
        for at in range(count)
    ]


def drawn(*groups: list[PoolItem], most: int, seed: int = 1) -> dict[str, tuple[int, float]]:
    """By stratum how many items were drawn, and with which probability."""
    found: dict[str, tuple[int, float]] = {}
    for item in draw_sample([item for group in groups for item in group], most, seed):
        count, _ = found.get(item.stratum, (0, 0.0))
        found[item.stratum] = count + 1, item.pi
    return found


@pytest.mark.parametrize(
    ("heads", "ends"),
    [
        ((Region(1234567, 1234571), Region(1234568, 1234571)), ("1234567", "1234570")),
        ((Region(1234.561, 1234.9), Region(1234.564, 1234.9)), ("1234.561", "1234.9")),
        (
            (
                Region(0, 0, "", (Box("1", 2.0, 3.5, 4.0, 1.0),)),
                Region(0, 0, "", (Box("2", 2.0, 3.5, 4.0, 1.0),)),
            ),
            ("1,2.0,3.5,4.0,1.0", ""),
        ),
    ],
    ids=["text", "sound", "picture"],
)
def test_heads_at_different_places_are_different_items(
    heads: tuple[Region, Region], ends: tuple[str, str]
) -> None:
    assert item_id("T", "d", heads[0], "mention") != item_id("T", "d", heads[1], "mention")
    row = queue_row(replace(items(1)[0], head=heads[0]), with_systems=False, text="Mira")
    assert (row["head_start"], row["head_end"]) == ends
    assert queued_item(row).head == heads[0]


def test_every_stratum_gets_its_share_of_the_sample() -> None:
    assert drawn(items(8), items(2, "weblog"), most=5) == {"1/newswire/": (4, 0.5), "1/weblog/": (1, 0.5)}


def test_the_largest_remainders_are_rounded_up_and_no_stratum_is_left_out() -> None:
    # Shares of 5 are 2.5, 2.0 and 0.5: the last one gets one item, which uses up what was left.
    found = drawn(items(5), items(4, "weblog"), items(1, "speech"), most=5)
    assert found == {"1/newswire/": (2, 0.4), "1/weblog/": (2, 0.5), "1/speech/": (1, 1.0)}
    # Shares of 4 are 3.2 and 0.8: the second one is rounded up.
    assert drawn(items(8), items(2, "weblog"), most=4) == {"1/newswire/": (3, 0.375), "1/weblog/": (1, 0.5)}


def test_the_larger_remainder_is_rounded_up_although_its_stratum_is_larger() -> None:
    # Shares of 6 are 3.0, 1.8 and 1.2.
    found = drawn(items(5), items(3, "weblog"), items(2, "speech"), most=6)
    assert {name: count for name, (count, _) in found.items()} == {
        "1/newswire/": 3,
        "1/weblog/": 2,
        "1/speech/": 1,
    }


def test_the_id_of_an_item_is_made_of_target_document_inclusive_offsets_and_granularity() -> None:
    of_mention = sha256(b"T|d|10|13|mention").hexdigest()[:16]
    assert item_id("T", "d", Region(10, 14), "mention") == of_mention
    assert item_id("T", "d", None, "document") == sha256(b"T|d|||document").hexdigest()[:16]


def test_what_is_rounded_up_takes_nothing_from_other_strata() -> None:
    # Shares of 9 are 6.4 and 2.6.
    found = drawn(items(32), items(13, "weblog"), most=9)
    assert found == {"1/newswire/": (6, 6 / 32), "1/weblog/": (3, 3 / 13)}


def test_strata_of_one_item_are_made_room_for_by_the_largest() -> None:
    # Shares of 4 are 2.9 and three times 0.4: at least one of each would be five.
    found = drawn(items(8), *(items(1, genre) for genre in ("speech", "weblog", "usenet")), most=4)
    assert {name: count for name, (count, _) in found.items()} == {
        "1/newswire/": 1,
        "1/speech/": 1,
        "1/weblog/": 1,
        "1/usenet/": 1,
    }


def test_with_more_strata_than_items_there_is_one_stratum() -> None:
    groups = [items(2, genre) for genre in ("a", "b", "c")]
    assert drawn(*groups, most=2) == {"all": (2, 2 / 6)}
    assert len(drawn(*groups, most=3)) == 3


def test_few_items_and_items_inside_the_annotated_documents_are_not_sampled() -> None:
    assert drawn(items(3), most=3) == {"1/newswire/": (3, 1.0)}
    kept = drawn(items(9, "weblog", inside=True), items(4), most=2)
    assert kept == {"1/weblog/": (9, 1.0), "1/newswire/": (2, 0.5)}


def test_every_target_is_sampled_separately() -> None:
    found = draw_sample([*items(4), *items(1, target="U")], 2, 1)
    assert [item.target_id for item in found] == ["T", "T", "U"]


def test_the_context_is_sixty_characters_on_either_side_or_the_beginning() -> None:
    text = "".join(chr(ord("A") + place // 10) for place in range(200))  # AAAAAAAAAABBBBBBBBBB…
    (item,) = items(1)
    head = Region(95, 105)
    shown = queue_row(replace(item, head=head, extent=head), with_systems=False, text=text)["context"]
    assert shown == f"{text[35:95]}[[{text[95:105]}]]{text[105:165]}"
    early = Region(5, 8)
    shown = queue_row(replace(item, head=early, extent=early), with_systems=False, text=text)["context"]
    assert shown == f"{text[:5]}[[{text[5:8]}]]{text[8:68]}"
    assert queue_row(item, with_systems=False, text=text)["context"] == text[:120]


def test_heads_that_overlap_directly_or_through_others_are_one_item() -> None:
    places = [(20, 30), (0, 10), (7, 17), (14, 24), (30, 40), (100, 110)]
    regions = [Region(start, end) for start, end in places]
    assert overlapping_regions(regions, 0.3) == [[1, 2, 3, 0], [4], [5]]
    assert overlapping_regions(regions, 0.5) == [[1], [2], [3], [0], [4], [5]]


def judged(
    doc_id: str, *, found: bool, verdict: str | None = None, target: str = "T", pi: float = 1.0
) -> JudgedItem:
    reference = verdict is None and pi == 1
    return JudgedItem(target, doc_id, reference, reference, {"s": 1.0} if found else {}, verdict, pi)


HALF = [judged("a", found=True), judged("b", found=False)]
"""Two gold items in two documents, of which one was found."""


@pytest.mark.parametrize(
    ("level", "ends"), [(1.0, (0, 100)), (0.95, (0, 100)), (0.2, (50, 50)), (0.0, (50, 50))]
)
def test_intervals_are_percentiles_of_resampled_documents(level: float, ends: tuple[float, float]) -> None:
    # Both documents are drawn in half of the resamples, one of them twice in a quarter each.
    found = intervals(HALF, "s", false_alarm=0.75, resamples=201, seed=3, level=level)
    assert found["ace_value_plus"] == ends
    # The one that was found of two shares its cluster with half of it.
    assert found["b3_recall"] == tuple((end / 100) ** 2 for end in ends)
    assert found["relative_recall"] == (None, None)


def test_weights_of_sampled_items_stand_for_those_that_were_not_drawn() -> None:
    found = scored(
        [
            *HALF,
            judged("c", found=True, verdict=UP, pi=0.5),
            judged("d", found=True, verdict=DOWN, pi=0.25),
            judged("e", found=False, verdict=UP, pi=0.25),
        ],
        "s",
        false_alarm=0.75,
    )
    assert (found.value_plus, found.score_plus) == (2 + 2 + 4, 1 + 2 - 0.75 * 4)
    assert (found.adjudicated_precision, found.relative_recall) == (2 / 6, 2 / 6)
    assert found.ace_value_on_A == 50


def test_the_mean_over_targets_is_over_those_where_a_figure_is_defined() -> None:
    of_targets = {
        "T": scored(HALF, "s", false_alarm=0.75),
        "U": scored([judged("c", found=True, verdict=UP, pi=0.5)], "s", false_alarm=0.75),
        "V": scored([judged("c", found=False, verdict=UP, pi=0.5)], "s", false_alarm=0.75),
    }
    means = macro_average({target: one._asdict() for target, one in of_targets.items()})
    assert means["relative_recall"] == 0.5
    assert means["ace_value_plus"] == pytest.approx(50)
    assert means["ace_value_on_A"] == 50


def test_an_item_of_an_annotated_document_represents_only_itself() -> None:
    item = JudgedItem("T", "d", inside=True, reference=False, found={"s": 1.0}, verdict=UP, pi=0.5)
    assert item.weight == 1.0
    assert replace(item, inside=False).weight == 2.0


def headed(id_: str, start: int, end: int) -> ScoredMention:
    head = Region(start, end)
    return ScoredMention(id_, head, head, "NAM", "", "", 1.0, 1.0)


@pytest.mark.parametrize(
    ("mentions", "chosen"),
    [
        ([("a", 0, 9), ("b", 2, 6), ("c", 2, 6)], "b"),
        ([("a", 2, 6), ("b", 0, 9)], "b"),
        ([("a", 4, 8), ("b", 2, 6)], "b"),
        ([("b", 2, 6), ("a", 2, 6)], "a"),
    ],
    ids=["most frequent", "longest", "leftmost", "by id"],
)
def test_the_head_of_an_item_is_the_most_frequent_then_the_longest_then_the_leftmost(
    mentions: list[tuple[str, int, int]], chosen: str
) -> None:
    assert representative([headed(*mention) for mention in mentions]).id == chosen


@pytest.mark.parametrize(
    ("gold", "right", "pi"),
    [((0.1,), 0.1, 1 / 3), ((0.3,), 0.9, 0.7), ((0.1, 0.7), 0.1, 1.0), ((0.3,), 1.0, 0.3)],
)
def test_a_system_with_everything_right_has_exactly_the_full_score(
    gold: tuple[float, ...], right: float, pi: float
) -> None:
    inside = [
        JudgedItem("T", f"a{place}", inside=True, reference=True, found={"s": value}, value=value)
        for place, value in enumerate(gold)
    ]
    outside = [
        JudgedItem(
            "T", doc_id, inside=False, reference=False, found={"s": right}, verdict=UP, pi=pi, value=right
        )
        for doc_id in ("x1", "x2")
    ]
    figures = scored([*inside, *outside], "s", false_alarm=0.75)
    assert figures.value_plus == figures.score_plus
    assert (figures.ace_value_on_A, figures.ace_value_plus) == (100, 100)
    assert figures[4:] == (1, 1, 1, 1)

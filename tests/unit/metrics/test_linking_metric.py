from __future__ import annotations

from typing import Any

import pytest

from lydite.metrics.linking import Figure, LinkingFigures, link_score, linking_figures, neighbours
from lydite.model import Score
from lydite.model.argument_alignment import ArgumentAlignment, FrameAlignment, RuleCounts


def cluster(name: str) -> Any:
    return ("T", "R", "Actual", (name, (0, 1)))


def score(gold: Any, system: Any) -> Any:
    sides = [
        neighbours(tuple(frozenset(map(cluster, frame)) for frame in frames)) for frames in (gold, system)
    ]
    return Score(*link_score(*sides))


def test_frames_linked_as_in_gold_score_one() -> None:
    assert score(["ab", "c"], ["ab", "c"]).f1 == 1


def test_everything_in_one_frame_costs_precision() -> None:
    found = score(["ab", "c"], ["abc"])
    assert found.recall == pytest.approx(2 / 3)
    assert found.precision == pytest.approx((1 / 2 + 1 / 2 + 0) / 3)


def test_an_argument_of_two_events_has_neighbours_in_both() -> None:
    found = score(["ab", "ac"], ["ab", "c"])
    assert (found.precision, found.recall, found.f1) == pytest.approx((2 / 3, 1 / 2, 5 / 9))


def test_a_cluster_that_the_system_did_not_link_scores_nothing() -> None:
    assert score(["ab"], ["a"]).recall == 0


def test_two_empty_linkings_agree_and_weigh_nothing() -> None:
    nothing = FrameAlignment(ArgumentAlignment((), {}, RuleCounts()), (), ())
    counted = linking_figures(nothing, shows="link", beta=0.25, share=0.5)
    assert (score([], []).f1, counted.items) == (1, 0)


def figures(tp: int, fp: int, fn: int, shows: Figure = "argument") -> Any:
    return LinkingFigures(shows, 0.25, 0.5, tp, fp, fn, max(0.0, tp - 0.25 * fp))


def test_false_alarms_can_make_a_document_negative_but_not_the_corpus() -> None:
    document = figures(0, 8, 2)
    assert document.document_score().value == -1
    assert (document + figures(2, 0, 0)).score().value == pytest.approx(2 / 4)


def test_a_document_with_nothing_to_find_is_undefined_and_a_corpus_is_zero() -> None:
    assert figures(0, 3, 0).document_score().value is None
    assert figures(0, 3, 0, "overall").document_score().value is None
    assert figures(0, 3, 0).score().value == 0

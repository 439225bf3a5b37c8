from __future__ import annotations

import math

import pytest

from lydite.verify.leaves import Patterns, Tolerance, agrees, by_path, leaves


def test_every_leaf_has_a_path_and_an_empty_container_is_a_leaf() -> None:
    nested = {"a": {"b": [1, {"c": None}]}, "d": []}
    assert dict(leaves(nested)) == {"a.b[0]": 1, "a.b[1].c": None, "d": []}


def test_the_longest_pattern_that_matches_counts() -> None:
    tolerance = Tolerance({"*": 1e-9, "scores.coref.*": 1e-6, "*.printed*": 0.01})
    assert tolerance("scores.micro.p") == 1e-9
    assert tolerance("scores.coref.muc.p") == 1e-6
    assert tolerance("scores.coref.printed_f1") == 1e-6
    assert tolerance("variants.printed_f1") == 0.01
    assert tolerance("scores.coref.num_den[2]") == 1e-6


def test_whole_numbers_text_and_truth_values_must_be_equal() -> None:
    assert agrees(3, 3.0, 0.5)
    assert not agrees(3, 4, 2.0)
    assert not agrees(True, 1, 1.0)
    assert not agrees(None, 0.0, 1.0)
    assert agrees(1e6, 1e6 + 0.5, 1e-6)
    assert not agrees(1.0, 1.1, 1e-9)
    assert agrees([], (), 0.0)


def test_patterns_match_one_path_or_many() -> None:
    patterns = Patterns(["a.b[[]0]", "c.*", "d[[]*"])
    assert "a.b[0]" in patterns
    assert "a.b[1]" not in patterns
    assert "c.x.y" in patterns
    assert "d[7]" in patterns
    assert "e" not in patterns
    assert "anything" not in Patterns([])


def test_two_leaves_of_one_path_do_not_hide_each_other() -> None:
    with pytest.raises(ValueError, match=r"two leaves have the path 'd1\.plain\.p'"):
        by_path({"d1": {"plain": {"p": 1.0}}, "d1.plain": {"p": 2.0}})


@pytest.mark.parametrize("allowed", ["x", True, -1, None, [], math.inf, math.nan])
def test_a_tolerance_is_a_number_from_0_up(allowed: object) -> None:
    with pytest.raises(ValueError, match=r"tolerance of '\*': expected a number from 0 up"):
        Tolerance({"*": allowed})  # type: ignore[dict-item]


def test_no_figure_is_near_an_infinite_one() -> None:
    assert not agrees(math.inf, 60.0, 1e-9)
    assert not agrees(-math.inf, 60.0, 1e-9)

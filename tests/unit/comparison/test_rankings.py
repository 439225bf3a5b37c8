"""Ranks of systems by several figures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

import lydite
from lydite.comparison.rankings import kendall_tau, rank_by_figures
from lydite.errors import UsageError
from lydite.model.comparison import FigureName

GOLD = "examples/gold.tbf"
SYSTEMS = [f"examples/systems/{name}.tbf" for name in ("alder", "birch", "cedar")]
PRECISION, RECALL = (FigureName("span", "detection", "micro", name) for name in ("precision", "recall"))


def of_names(values: list[Any]) -> dict[str, Any]:
    return {f"s{number}": value for number, value in enumerate(values)}


@given(st.lists(st.tuples(st.integers(1, 6), st.integers(1, 6)), min_size=2, max_size=12))
def test_tau_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    one, other = (list(ranks) for ranks in zip(*pairs, strict=True))
    expected = kendalltau(one, other).statistic
    found = kendall_tau(of_names(one), of_names(other))
    if found is None:
        assert len(set(one)) == 1 or len(set(other)) == 1
    else:
        assert found == pytest.approx(expected)


def test_an_opposite_order_has_a_tau_of_minus_one() -> None:
    assert kendall_tau(of_names([1, 2, 3]), of_names([3, 2, 1])) == -1
    assert kendall_tau(of_names([1, 2, 3]), of_names([1, 2, 3])) == 1


def test_equal_figures_share_a_rank_and_systems_without_a_figure_have_none() -> None:
    figures = {
        PRECISION: {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.1},
        RECALL: {"a": 0.1, "b": 0.2, "c": None, "d": 0.3},
    }
    found = rank_by_figures(figures)
    assert found is not None
    assert {one.system: one.ranks for one in found.systems} == {
        "a": (1, 3),
        "b": (2, 2),
        "c": (2, None),
        "d": (4, 1),
    }
    ((a, b, tau, systems),) = found.agreement
    assert (a, b, tau, systems) == (PRECISION, RECALL, -1, 3)


def test_one_figure_or_one_system_has_no_ranks_to_compare() -> None:
    assert rank_by_figures({PRECISION: {"a": 0.9, "b": 0.5}}) is None
    assert rank_by_figures({PRECISION: {"a": 0.9}, RECALL: {"a": 0.5}}) is None


def test_several_figures_of_the_library_have_their_comparisons_and_ranks() -> None:
    found = lydite.compare(GOLD, *SYSTEMS, figure=["type.f1", "type.precision"], resamples=20)
    assert [str(one.figure) for one in (found, *found.others)] == [
        "type.detection.micro.f1",
        "type.detection.micro.precision",
    ]
    assert found.ranks is not None
    assert [tuple(one) for one in found.ranks.systems] == [
        ("alder", (1, 2)),
        ("birch", (2, 3)),
        ("cedar", (3, 1)),
    ]
    assert found.ranks.agreement[0].tau == pytest.approx(-1 / 3)
    document: Any = found.to_dict()
    assert [one["figure"]["figure"] for one in document["comparisons"]] == ["f1", "precision"]
    assert document["ranks"]["agreement"][0]["tau"] == found.ranks.agreement[0].tau
    assert "Kendall" in found._repr_html_()


def test_one_figure_of_the_library_is_the_comparison_alone() -> None:
    found = lydite.compare(GOLD, *SYSTEMS[:2], figure="type.f1", resamples=20)
    assert (found.others, found.ranks) == ((), None)
    assert found.to_dict()["schema"] == "lydite.comparison/1"


def test_a_figure_that_is_no_name_is_refused() -> None:
    with pytest.raises(UsageError, match="figure: expected a list of names, found 5"):
        lydite.compare(GOLD, *SYSTEMS, figure=5)  # type: ignore[arg-type]

"""Charts say what they are given, to eyes and to screen readers, and hold whatever names come."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import pytest
from lxml import etree

from lydite.report.charts.axes import Linear, domain
from lydite.report.charts.bars import StackedBar, stacked_bars
from lydite.report.charts.dots import RIGHT, WIDTH, Dot, DotsRow, connected_dots, dot_plot
from lydite.report.charts.matrix import matrix
from lydite.report.charts.palette import DARK, LIGHT
from lydite.report.charts.planes import Point, Series, lines, scatter
from lydite.report.charts.svg import Svg, text_width

HOSTILE = '</svg><script>alert(1)</script>"\u202e\x00' + "x" * 1000

CHARTS: dict[str, Callable[[str], Svg]] = {
    "dot plot": lambda name: dot_plot(
        [Dot(name, 0.7, 0.6, 0.8, "a"), Dot("b", None)], name="ranking", title=name, axis="F1"
    ),
    "connected dots": lambda name: connected_dots(
        [DotsRow(name, [0.9, 0.8]), DotsRow("b", [None, None])],
        ["span", name],
        name="gaps",
        title="gaps",
        axis="F1",
    ),
    "dots with frequencies": lambda name: connected_dots(
        [DotsRow(name, [0.9, None], 12)], ["a", name], name="parts", title="parts", axis="F1"
    ),
    "scatter": lambda name: scatter(
        [Point(name, 0.5, 0.7)], name="pr", title="P and R", axes=("recall", name), iso_f1=True, diagonal=True
    ),
    "stacked bars": lambda name: stacked_bars(
        [StackedBar(name, 0.7, [0.2, -0.05, 0.15])],
        ["a", name, "c"],
        name="budget",
        title="budget",
        axis="F1",
    ),
    "matrix": lambda name: matrix([name, "b"], [name, "b"], [[3, 1], [0, 2]], name="m", title="confusion"),
    "lines": lambda name: lines(
        [Series(name, [(0, 1), (1, 0.5)], 0), Series("b", [(0.5, 0.5)], 1)],
        name="l",
        title="curve",
        axes=("recall", "precision"),
        diagonal=True,
    ),
}


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_is_an_image_with_title_and_description(kind: str) -> None:
    svg = etree.fromstring(CHARTS[kind]("alder"))
    assert svg.get("role") == "img"
    named = {part.get("id") for part in svg if part.tag in {"title", "desc"} and part.text}
    assert set((svg.get("aria-labelledby") or "").split()) == named
    assert len(named) == 2


@pytest.mark.parametrize("kind", CHARTS)
def test_names_with_markup_and_controls_stay_text(kind: str) -> None:
    drawn = CHARTS[kind](HOSTILE)
    svg = etree.fromstring(drawn)
    assert not [part for part in svg.iter() if "script" in str(part.tag)]
    assert "\u202e" not in drawn
    assert "x" * 500 not in drawn


def test_a_dot_stands_between_its_whiskers() -> None:
    svg = etree.fromstring(dot_plot([Dot("a", 0.7, 0.6, 0.8)], name="r", title="t", axis="F1"))
    (dot,) = svg.findall(".//circle")
    low, high = sorted({float(line.get("x1") or 0) for line in svg.findall(".//line[@class='whisker']")})
    assert low < float(dot.get("cx") or 0) < high


def test_an_undefined_figure_is_said_and_not_drawn() -> None:
    svg = etree.fromstring(dot_plot([Dot("a", None)], name="r", title="t", axis="F1"))
    assert not svg.findall(".//circle")
    assert "undefined" in [part.text for part in svg.iter("text")]


def test_shares_fill_the_bar_from_the_score_to_the_whole() -> None:
    svg = etree.fromstring(
        stacked_bars(
            [StackedBar("a", 0.6, [0.3, -0.1, 0.2])], ["x", "y", "z"], name="b", title="t", axis="F1"
        )
    )
    blocks = {part.get("class"): part for part in svg.findall(".//rect")}
    reached, first, last, taken = (blocks[name] for name in ("reached", "bar s1", "bar s3", "hatched"))

    def end(block: etree._Element) -> float:
        return float(block.get("x") or 0) + float(block.get("width") or 0)

    assert end(reached) == pytest.approx(float(first.get("x") or 0), abs=0.2)
    assert end(first) == pytest.approx(float(last.get("x") or 0), abs=0.2)
    assert float(taken.get("x") or 0) == pytest.approx(end(reached), abs=0.2)
    assert end(last) == pytest.approx(WIDTH - RIGHT, abs=0.2)  # 0.6 + 0.3 − 0.1 + 0.2 is the whole


def test_a_matrix_writes_its_counts_and_leaves_zeros_empty() -> None:
    svg = etree.fromstring(matrix(["a", "b"], ["a", "b"], [[3, 1], [0, 2]], name="m", title="t"))
    assert [part.text for part in svg.findall("text[@class='count']")] == ["3", "1", "2"]


def test_names_over_a_matrix_stand_within_it_and_keep_their_ends_apart() -> None:
    names = ["Transaction_Transfer-Money_in_advance", "Transaction_Transfer-Ownership_of_land"]
    svg = etree.fromstring(matrix(names, names, [[1, 0], [0, 1]], name="m", title="t"))
    over = [part for part in svg.findall("text") if part.get("transform")]
    assert len({part.text for part in over}) == 2
    _, _, width, _ = map(float, (svg.get("viewBox") or "").split())
    for part in over:
        x, y = map(float, re.findall(r"[\d.]+", part.get("transform") or "")[:2])
        long = text_width(part.text or "")
        assert y > long * math.sin(math.radians(55))
        assert x + long * math.cos(math.radians(55)) < width


def test_a_curve_keeps_the_colour_and_shape_of_its_place() -> None:
    svg = etree.fromstring(
        lines([Series("cedar", [(0, 1), (1, 0.5)], 2)], name="l", title="t", axes=("recall", "precision"))
    )
    assert {part.get("class") for part in svg.iter("polygon")} == {"mark s3"}
    assert [part.get("class") for part in svg.iter("polyline")] == ["curve s3"]


def test_the_name_of_a_row_with_few_items_is_greyed() -> None:
    rows = [DotsRow("often", [0.5], 40), DotsRow("seldom", [0.5], 2, faint=True)]
    svg = etree.fromstring(connected_dots(rows, ["a"], name="p", title="t", axis="F1"))
    assert [part.text for part in svg.iter("text") if part.get("class") == "faint-name"] == ["seldom"]


def test_a_large_count_has_all_its_digits() -> None:
    svg = connected_dots([DotsRow("often", [0.5], 1234567)], ["a"], name="p", title="t", axis="F1")
    assert ">1234567<" in svg


def test_ticks_are_round() -> None:
    assert Linear(0, 1, 0, 1).ticks() == [0, 0.2, 0.4, 0.6, 0.8, 1]
    assert Linear(0.61, 0.78, 0, 1).ticks() == [0.65, 0.7, 0.75]
    assert domain([0.5])(0.5) == pytest.approx(0.5)
    assert domain([])(0.5) == pytest.approx(0.5)


def test_a_value_beyond_the_scale_stays_at_its_end() -> None:
    scale = Linear(0, 1, 10, 20)
    assert (scale(-3), scale(0.5), scale(7)) == (10, 15, 20)


def _contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, from 1 to 21 (WCAG 2.2, relative luminance)."""
    brighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (brighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels
    ]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_contrast_meets_wcag(colours: dict[str, str]) -> None:
    grounds = colours["ground"], colours["raised"]
    texts = ("text", "faint", "link", "good", "bad")
    assert min(_contrast(colours[name], ground) for name in texts for ground in grounds) >= 4.5
    marks = ("line", *(f"s{number}" for number in range(1, 9)))
    assert min(_contrast(colours[name], ground) for name in marks for ground in grounds) >= 3


def test_contrast_of_black_and_white_is_21() -> None:
    assert _contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("low", [0.1, 0.6])
def test_curves_of_equal_f1_go_from_edge_to_edge(low: float) -> None:
    chart = scatter(
        [Point("a", low, 0.95)], name="pr", title="P and R", axes=("recall", "precision"), iso_f1=True
    )
    curves = re.findall(r'<polyline points="([^"]+)"', str(chart))
    assert len(curves) > 2
    for curve in curves:
        (x0, y0), *_, (x1, y1) = (tuple(map(float, place.split(","))) for place in curve.split())
        left, right, top, bottom = 52, 432, 48, 428
        assert min(abs(x0 - left), abs(y0 - top)) < 0.1
        assert min(abs(x1 - right), abs(y1 - bottom)) < 0.1


def test_no_two_of_twelve_systems_have_the_same_mark() -> None:
    points = [Point(f"run {place}", 0.5, 0.5, place) for place in range(12)]
    chart = str(scatter(points, name="pr", title="P and R", axes=("recall", "precision")))
    told = re.findall(r'<(circle|rect|polygon)([^>]*)class="mark (s\d)"', chart)
    marks = {(kind, rest.count(","), colour) for kind, rest, colour in told}
    assert len(told) == 24  # in the legend, and on the plane
    assert len(marks) == 12

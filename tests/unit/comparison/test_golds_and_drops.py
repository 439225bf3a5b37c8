"""What changed since another gold or another run, worked by hand on two or three mentions."""

from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.comparison.curves import curve_effort
from lydite.comparison.drops import Drop, pair_systems
from lydite.facade.choosing import UserChoice
from lydite.facade.sides import read_sides


def written(folder: Path, name: str, documents: dict[str, tuple[int, ...]]) -> Path:
    """A file of mentions of four characters each, at these places of each document."""
    lines = []
    for doc_id, places in documents.items():
        lines.append(f"#BeginOfDocument {doc_id}")
        lines += [f"{name}\t{doc_id}\tE{at}\t{at},{at + 4}\tw\tLife_Die\tActual" for at in places]
        lines.append("#EndOfDocument")
    path = folder / f"{name}.tbf"
    path.write_text("\n".join([*lines, ""]), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("before", "after", "too_large"),
    [(0.75, 0.5, False), (0.75, 0.25, True), (0.5, 0.75, False), (None, 0.5, False), (0.5, None, True)],
)
def test_a_figure_may_fall_by_the_limit_and_no_further(
    before: float | None, after: float | None, *, too_large: bool
) -> None:
    assert Drop("s", "span", before, after, limit=0.25).is_too_large is too_large


def test_a_fall_by_the_limit_is_none_that_floating_point_makes_longer() -> None:
    assert not Drop("s", "span", 0.8, 0.75, limit=0.05).is_too_large


def test_systems_stand_in_the_order_that_the_later_gold_gives_them(tmp_path: Path) -> None:
    first, second = (
        written(tmp_path, name, {"d": places}) for name, places in (("first", (0, 10)), ("second", (20, 30)))
    )
    before, after = (
        written(tmp_path, name, {"d": places})
        for name, places in (("before", (0, 10, 20)), ("after", (0, 20, 30)))
    )
    golds = lydite.compare(after, first, second, gold_before=before, resamples=9).golds
    assert golds is not None
    ranks = [(one.system, one.rank_before, one.rank_after) for one in golds.systems]
    assert ranks == [("second", 2, 1), ("first", 1, 2)]


def test_units_that_contribute_as_much_stand_in_their_order(tmp_path: Path) -> None:
    everywhere = {"d1": (0,), "d2": (0,), "d3": (0,)}
    gold, right, wrong = (
        written(tmp_path, name, documents)
        for name, documents in (
            ("gold", everywhere),
            ("right", everywhere),
            ("wrong", dict.fromkeys(everywhere, (50,))),
        )
    )
    (pair,) = lydite.compare(gold, right, wrong, resamples=9).pairs
    assert len({unit.contribution for unit in pair.top_units}) == 1
    assert [unit.unit for unit in pair.top_units] == ["d1", "d2", "d3"]


def test_several_systems_of_two_runs_belong_together_by_name_and_single_ones_always(tmp_path: Path) -> None:
    gold, one, two, three = (written(tmp_path, name, {"d": (0,)}) for name in ("gold", "one", "two", "three"))
    before, after = lydite.score(gold, one, two), lydite.score(gold, two, three)
    assert pair_systems(before, after) == {"two": "two"}
    assert pair_systems(lydite.score(gold, one), lydite.score(gold, two)) == {"one": "two"}


@pytest.mark.parametrize(
    ("before", "after", "is_too_large"),
    [
        (0.5, 0.4, False),
        (0.5, 0.39, True),
        (0.5, None, True),
        (0.1, None, False),
        (0.0, None, False),
        (None, 0.1, False),
    ],
)
def test_a_figure_that_is_gone_fell_to_zero(
    before: float | None, after: float | None, is_too_large: bool
) -> None:
    """A type that only the system had, and does not have any more, had an F1 of 0: nothing fell."""
    assert Drop("s", "type MISC", before, after, 0.1).is_too_large is is_too_large


@pytest.mark.parametrize(("items", "thresholds"), [(1, 0), (3, 3), (250, 200)])
def test_a_curve_has_a_point_for_every_confidence_but_no_more_than_two_hundred(
    tmp_path: Path, items: int, thresholds: int
) -> None:
    lines = [f"s\td\tE{at}\t{9 * at},{9 * at + 4}\tw\tLife_Die\tActual\t{at / 1000}" for at in range(items)]
    path = tmp_path / "system.tbf"
    path.write_text("\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument", ""]), encoding="utf-8")
    asked, read = read_sides(UserChoice("nugget"), str(path), [str(path)])
    assert curve_effort(asked, read[1]) == thresholds * items

from __future__ import annotations

import pytest

from lydite.report.tables import Table
from lydite.report.text import PAGE, plain_text, wrap_parts

LONG = "a_system_whose_name_has_sixty_characters_and_is_never_cut_{:02d}"


def widest(text: str) -> int:
    return max(map(len, text.splitlines()))


def ranking(names: list[str], measurements: int) -> Table:
    """A table of systems, as ``score`` makes it for many of them."""
    return Table(
        "systems",
        ("system", "P", "R", "F1*", *("F1" for _ in range(measurements))),
        tuple((name, *("50.00" for _ in range(3 + measurements))) for name in names),
        groups=(("", 1), ("headline", 3), *((f"measurement{n}", 1) for n in range(measurements))),
        turns=True,
    )


def parts(names: list[str], labels: list[str]) -> Table:
    rows = tuple((label, "3", *("50.00" for _ in names)) for label in labels)
    return Table("by part", ("part", "gold", *names), rows, names_in_columns=len(names))


def test_a_table_that_fits_stays_as_it_is() -> None:
    table = Table("t", ("a", "b"), (("one", "1.00"), ("two", "20.00")))
    assert plain_text(table) == "t\na        b\none   1.00\ntwo  20.00"


def test_a_wide_table_of_few_systems_is_turned() -> None:
    text = plain_text(ranking(["alder", "birch"], 9))
    assert "measurement8  F1      50.00  50.00" in text.splitlines()
    assert widest(text) <= PAGE


@pytest.mark.parametrize("systems", [1, 3, 12])
@pytest.mark.parametrize("measurements", [0, 3, 9])
@pytest.mark.parametrize("name", ["s{:02d}", LONG])
def test_a_table_of_systems_never_wraps_and_never_cuts_a_name(
    name: str, systems: int, measurements: int
) -> None:
    names = [name.format(number) for number in range(systems)]
    text = plain_text(ranking(names, measurements))
    assert widest(text) <= PAGE
    assert all(one in text for one in names)
    assert text.count("50.00") == systems * (3 + measurements)


@pytest.mark.parametrize("systems", [3, 12])
@pytest.mark.parametrize("label", ["type{}", "a_document_with_a_name_of_more_than_half_a_page_{}"])
@pytest.mark.parametrize("name", ["s{:02d}", LONG])
def test_parts_of_many_systems_never_wrap_and_keep_every_figure(name: str, label: str, systems: int) -> None:
    names = [name.format(number) for number in range(systems)]
    labels = [label.format(number) for number in range(38)]
    text = plain_text(parts(names, labels))
    assert widest(text) <= PAGE
    assert all(one in text for one in (*names, *labels))
    assert text.count("50.00") == systems * 38


def test_a_long_name_with_several_rows_stands_once_above_them() -> None:
    rows = tuple((LONG.format(1), f"type{number}", "+1.00", "+2.00", "+3.00") for number in range(3))
    text = plain_text(Table("changes", ("system", "type", "P", "R", "both"), rows, text_columns=2))
    assert text.count(LONG.format(1)) == 1
    assert "  type0  +1.00  +2.00  +3.00" in text.splitlines()


def test_east_asian_names_keep_the_columns_aligned() -> None:
    text = plain_text(Table("t", ("name", "F1"), (("攻撃", "1.00"), ("die", "2.00"))))
    assert text.splitlines()[2:] == ["攻撃  1.00", "die   2.00"]


def test_what_goes_on_in_the_next_line_is_indented() -> None:
    assert wrap_parts(["one", "two", "three"], " · ", 12) == "one · two ·\n  three"
    assert wrap_parts(["one", "two"], " · ", 12) == "one · two"


def test_rows_that_share_no_word_stand_below_all_their_words() -> None:
    long = "a_system_with_a_name_as_long_as_half_a_page"
    rows = tuple((f"{rank}", f"{long}_{rank}", "50.00", "[40.00, 60.00]", "1", "a") for rank in (1, 2))
    table = Table(
        "systems", ("rank", "system", "F1", "95 % interval", "ranks", "group"), rows, text_columns=2
    )
    assert plain_text(table).splitlines() == [
        "systems",
        "rank  system",
        "     F1   95 % interval  ranks  group",
        f"1  {long}_1",
        "  50.00  [40.00, 60.00]      1      a",
        f"2  {long}_2",
        "  50.00  [40.00, 60.00]      1      a",
    ]


def test_a_row_without_figures_in_a_later_piece_stands_in_the_first_only() -> None:
    figure = "50.00 [40.00, 60.00]"
    table = Table(
        "system",
        ("measurement", "metric", "P", "R", "F1", "P", "R", "F1"),
        (("span", "detection", *[figure] * 6), ("coref", "muc", *[figure] * 3, "", "", "")),
        groups=(("", 2), ("micro", 3), ("macro", 3)),
        marked=frozenset({1}),
        text_columns=2,
    )
    first, second = plain_text(table).split("\n\n")
    assert "coref" in first
    assert "coref" not in second
    assert second.count(figure) == 3


def test_a_piece_without_any_figure_is_left_out() -> None:
    table = Table(
        "system",
        ("measurement", "P", "R", "P", "R"),
        (("span", "50.00 [40.00, 60.00]" * 2, "50.00", "", ""),),
        groups=(("", 1), ("micro", 2), ("a macro average with a long name of its own", 2)),
    )
    assert "macro" not in plain_text(table)

"""What is looked at of the texts of ACE heads and extents: their scripts, and no more than the scorers keep."""

from __future__ import annotations

import pytest

from lydite.align.ace_sides import script_of
from lydite.model.ace_names import shorten


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Mira", "English"),
        ("Ｍｉｒａ", "English"),
        ("王小明", "Chinese"),
        ("〇々", "Chinese"),
        ("سليم", "Arabic"),
        ("ＩＢＭ公司", "MIXED"),
        ("1999", "UNKNOWN"),
        ("", "UNKNOWN"),
    ],
)
def test_the_language_of_a_text_is_that_of_its_letters(text: str, language: str) -> None:
    assert script_of(text) == language


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (" Mira  Takk\t", " Mira Takk "),
        ("Cor-\r\nvale", "Corvale"),
        ("Cor -\n vale", "Cor - vale"),
        ("Cor\n\nvale", "Cor vale"),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 37 + "..."),
        ("x" * 39 + "  y", "x" * 37 + "..."),
        ("x" * 38 + "  y", "x" * 38 + " y"),
    ],
)
def test_long_texts_are_cut_after_white_space_is_one_space(text: str, kept: str) -> None:
    assert shorten(text) == kept

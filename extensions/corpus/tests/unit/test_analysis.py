from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite_corpus.analysis import _FOLD, _UNFOLD, folded, folded_and_unfolded, placed_words, unfolded, words


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from("aÁß éñ北京大ア 한국أحمدـَ.,-'"))))
def test_the_words_with_places_are_those_of_the_stream(text: str) -> None:
    found = placed_words(text)
    assert [token.word for token in found] == folded(text).split()
    assert all(0 <= token.start < token.end <= len(text) for token in found)


@given(st.text())
def test_both_streams_together_are_the_two_streams(text: str) -> None:
    plain, kept = folded_and_unfolded(text)
    assert plain == folded(text)
    assert (kept or plain).split() == (unfolded(text) if kept else plain).split()


@pytest.mark.parametrize("table", [_FOLD, _UNFOLD], ids=["folded", "unfolded"])
def test_what_a_character_becomes_is_never_changed_again(table: dict[str, str]) -> None:
    for code in range(min(0x30000, sys.maxunicode)):
        assert all(table[sign] == sign for sign in table[chr(code)])


def test_marks_are_folded_and_kept() -> None:
    assert words("Ilich Ramírez Sánchez") == ["ilich", "ramirez", "sanchez"]
    assert words("Ilich Ramírez Sánchez", unfolded) == ["ilich", "ramírez", "sánchez"]


def test_a_letter_and_its_mark_are_one_letter_however_they_are_written() -> None:
    taken_apart = unicodedata.normalize("NFD", "José")
    assert words(taken_apart, unfolded) == ["josé"]
    assert placed_words(taken_apart)[0].end == len(taken_apart)


def test_arabic_is_normalised() -> None:
    assert words("أحمد إلى آل فاطمة علـــي مُحَمَّد ى") == ["احمد", "الي", "ال", "فاطمه", "علي", "محمد", "ي"]


def test_signs_become_bigrams_with_the_places_of_the_text() -> None:
    found = placed_words("在北京大学abc。")
    assert [(token.word, token.start, token.end) for token in found] == [
        ("在北", 0, 2), ("北京", 1, 3), ("京大", 2, 4), ("大学", 3, 5), ("abc", 5, 8),
    ]  # fmt: skip


def test_invisible_signs_do_not_cut_words() -> None:
    assert words("soft\u00adhyphen \u200fعلي\u200e") == ["softhyphen", "علي"]

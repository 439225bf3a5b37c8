"""Rule 9: words, and what joins them."""

from collections.abc import Callable

import pytest

from lydite.tokenizer import Token, tokenize

Cut = Callable[[str], str]

WORDS = (
    "well-known a_b-c 20-year-old X-1 U.S.-led non-U.S. well‐known non‑stop Smith-O'Brannon U.S.-U.K."
    " here.We note.txt x.y.z J.R.Doe wow!wow yes?no foo@bar R2.D2"
    " red/green/blue he/she km/h 24/7 250/hr x-y/z-w 1/2-inch"
    " AT&T A&B&C AT&amp;T C++ C# F# E!"
    " 日本語のテキスト ภาษาไทย 한국어 नमस्ते Café A東B １２３ co\u00adopt \u00ad"
)


@pytest.mark.parametrize("word", WORDS.split())
def test_a_word_is_one_token(cut: Cut, word: str) -> None:
    assert cut(f"foo {word} bar") == f"foo|{word}|bar"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("ne'er-do-well", "ne'er|-|do-well"),
        ("what's-his-name", "what|'s|-|his-name"),
        ("foo.1", "foo|.1"),
        ("well-known.Foo", "well-known|.|Foo"),
        ("5p.m. 5!6 x!5", "5p|.|m.|5|!|6|x|!|5"),
        ("a/b/c/d", "a/b/c|/|d"),
        ("U.S./U.K.", "U.S.|/|U.K."),
        ("post-9/11", "post-9|/|11"),
        ("555/555-0134", "555/555|-0134"),
        ("Dorn&Sons A&b A1&B2", "Dorn|&|Sons|A|&|b|A1|&|B2"),
        ("two- and -word --word", "two|-|and|-|word|--|word"),
        ("_foo foo_ a–b", "_|foo|foo|_|a|–|b"),
        ("x² H₂O", "x|²|H|₂|O"),
    ],
)
def test_a_joint_of_another_kind_ends_the_word(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    "blank", [*"\t\n\v\f\r \u00a0\u2000\u200a\u2028\u2029\u3000", "&nbsp;", "&NBSP;", "\r\n"]
)
def test_a_blank_separates_and_gives_no_token(cut: Cut, blank: str) -> None:
    assert cut(f"{blank}foo{blank}bar{blank}") == "foo|bar"


@pytest.mark.parametrize(
    "unknown", list("😀𝐀\u200b\u200d\ufe0f\u200e\ufeff\ufffd\ue000\x07₹₽₩₪\u2012『』「」《》【】〈〉")
)
def test_an_unknown_character_separates_and_gives_no_token(cut: Cut, unknown: str) -> None:
    assert cut(f"foo{unknown}bar {unknown}") == "foo|bar"


@pytest.mark.parametrize("hyphen", ["\u2010", "\u2011", "\u058a"])
def test_a_rare_hyphen_joins_words_but_is_no_token(cut: Cut, hyphen: str) -> None:
    assert cut(f"a{hyphen}b {hyphen} c{hyphen} {hyphen}d") == f"a{hyphen}b|c|d"


@pytest.mark.parametrize("mark", ["\x80", "\x85", "\x91", "\x94", "\x97"])
def test_old_windows_punctuation_is_a_mark(cut: Cut, mark: str) -> None:
    assert cut(f"foo{mark}bar") == f"foo|{mark}|bar"


def test_offsets_count_code_points() -> None:
    assert tokenize("😀 don't") == [Token(2, 4, "do"), Token(4, 7, "n't")]


def test_an_empty_text_has_no_tokens(cut: Cut) -> None:
    assert cut("") == ""
    assert cut(" \n\t") == ""

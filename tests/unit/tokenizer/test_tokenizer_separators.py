import pytest

from lydite.tokenizer import DEFAULT_SEPARATORS, Token, tokenize


def cut(text: str, separators: str) -> str:
    return "|".join(token.text for token in tokenize(text, separators=separators))


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("buffet/music/buying", "buffet|music|buying"),
        ("http://lorn.com/a-b", "http:|lorn.com|a|b"),
        ("10 1/2", "10 1|2"),
        (":-)", ":|)"),
        ("x -- / \\ y", "x|y"),
    ],
)
def test_the_default_separators_cut_blindly_and_are_dropped(text: str, tokens: str) -> None:
    assert cut(text, DEFAULT_SEPARATORS) == tokens


def test_without_separators_nothing_is_cut() -> None:
    assert cut("well-known and/or", "") == "well-known|and/or"


def test_given_separators_replace_the_default_ones() -> None:
    assert cut("well-known and/or", "/") == "well-known|and|or"


def test_characters_that_mean_something_in_a_pattern_are_taken_as_they_are() -> None:
    assert cut("a^b]c x-y 5.5", "^].") == "a|b|c|x-y|5|5"


def test_pieces_keep_their_place_in_the_text() -> None:
    assert tokenize("so well-known", separators="-") == [
        Token(0, 2, "so"),
        Token(3, 7, "well"),
        Token(8, 13, "known"),
    ]

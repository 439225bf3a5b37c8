"""Rules 1 to 3: tags, addresses, mail, handles and hash tags."""

from collections.abc import Callable

import pytest

Cut = Callable[[str], str]


@pytest.mark.parametrize(
    "tag",
    [
        "<DOC>",
        "</P>",
        "<br />",
        "<br/>",
        "<post author=\"x y\" id='1'>",
        '<post author="it\'s me" datetime="2013-06-02T09:14:00" >',
        "<a b=c>",
        '<a b = "c">',
        '<a b="c>d">',
        "<joe tarn>",
        "<a@b.com>",
        "<!-- a comment -->",
        '<?xml version="1.0"?>',
        "<!DOCTYPE x>",
        "<x:y>",
    ],
)
def test_a_tag_is_one_token_with_its_blanks(cut: Cut, tag: str) -> None:
    assert cut(f"x {tag} y") == f"x|{tag}|y"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("< a>", "<|a|>"),
        ("<1>", "<|1|>"),
        ("<a\nb>", "<|a|b|>"),
        ("<a\tb>", "<|a|b|>"),
        ("a<b, a > b", "a|<|b|,|a|>|b"),
        ("<not a tag, </x>", "<|not|a|tag|,|</x>"),
        ("<http://lorn.com>", "<|http://lorn.com|>"),
    ],
)
def test_angle_brackets_around_anything_else_are_marks(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    "address", ["http://lorn.com/a?b=1&c=2#d", "HTTPS://LORN.COM", "http://x:80/~y", "http://ab"]
)
def test_an_address_with_scheme_is_one_token(cut: Cut, address: str) -> None:
    assert cut(f"see {address} now") == f"see|{address}|now"


@pytest.mark.parametrize("mark", [".", ",", "?", "!", "…", "...", ")", '"', ">"])
def test_sentence_punctuation_behind_an_address_is_left_out(cut: Cut, mark: str) -> None:
    assert cut(f"http://lorn.com/x{mark}") == f"http://lorn.com/x|{mark}"


@pytest.mark.parametrize("mark", [";", ":", "'", "]"])
def test_other_punctuation_behind_an_address_stays_in(cut: Cut, mark: str) -> None:
    assert cut(f"http://lorn.com{mark} x") == f"http://lorn.com{mark}|x"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("http://", "http|:|/|/"),
        ("http://x y", "http|:|/|/|x|y"),
        ("ftp://tarn.com/ab", "ftp|:|/|/|tarn.com/ab"),
        ("www.lorn.example/ab", "www.lorn.example/ab"),
        ("www. www.x", "www|.|www.x"),
        ("lorn.org/news", "lorn.org/news"),
        ("sub.lorn.net/a-b_c/d.html?q=1.", "sub.lorn.net/a-b_c/d.html?q=1|."),
        ("lorn.com/x", "lorn.com|/|x"),
        ("lorn.gov/abc", "lorn.gov|/|abc"),
        ("lorn.co.uk/abc", "lorn.co.uk|/|abc"),
        ("lorn.com/", "lorn.com|/"),
        ("lorn.com's", "lorn.com|'s"),
    ],
)
def test_only_some_names_without_scheme_take_a_path(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    "mail", ["x.y+z@host.org", "joe@lorn", "joe.@lorn.com", "joe@10.0.0.1", "mailto:joe@lorn.com"]
)
def test_a_mail_address_is_one_token(cut: Cut, mail: str) -> None:
    assert cut(f"to {mail} now") == f"to|{mail}|now"


@pytest.mark.parametrize("tail", [",", ";", ":", "!", "'s"])
def test_some_punctuation_stays_in_the_mail_address(cut: Cut, tail: str) -> None:
    assert cut(f"joe@lorn.com{tail} x") == f"joe@lorn.com{tail}|x"


@pytest.mark.parametrize("mark", [".", ")", "]", "..."])
def test_a_stop_or_bracket_is_split_from_the_mail_address(cut: Cut, mark: str) -> None:
    assert cut(f"joe@lorn.com{mark}") == f"joe@lorn.com|{mark}"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("@joe_tarn: @_x_", "@joe_tarn|:|@_x_"),
        ("@1foo", "@|1foo"),
        ("@foo-bar", "@foo|-|bar"),
        ("#Tag2014", "#Tag|2014"),
        ("#two_words", "#two|_|words"),
        ("#1", "#|1"),
        ("#über", "#über"),
    ],
)
def test_handles_take_word_characters_and_hash_tags_take_letters_only(
    cut: Cut, text: str, tokens: str
) -> None:
    assert cut(text) == tokens

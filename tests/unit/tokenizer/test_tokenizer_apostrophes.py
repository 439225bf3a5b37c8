"""Rule 8: clitics, negation, elided words and words with an apostrophe inside."""

from collections.abc import Callable

import pytest

Cut = Callable[[str], str]

WHOLE = (
    "'em ’em 'til 'cause ol' o'clock ma'am ev'ry e'er c'mon G'day O'Brannon O’Réilly d'Arvelle l'Orenne n'est"
    " Hawai'i Sana'a Xi'an ne'er o'clock-ish"
)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("don't", "do|n't"),
        ("can't", "ca|n't"),
        ("won't", "wo|n't"),
        ("DON'T", "DO|N'T"),
        ("don’t", "do|n’t"),
        ("can`t", "ca|n`t"),
        ("don&apos;t", "do|n&apos;t"),
        ("shouldn't've", "should|n't|'ve"),
        ("here.Don't", "here.Do|n't"),
        ("don'ts", "don|'|ts"),
        ("don´t", "don|´|t"),
    ],
)
def test_a_negation_is_cut_from_its_verb(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize("clitic", ["'s", "'m", "'d", "'ll", "'re", "'ve", "'S", "'LL", "’s", "’ve"])
@pytest.mark.parametrize("word", ["Hale", "1990", "U.S.", "Inc.", ")", '"', "20-year-old"])
def test_a_clitic_is_a_token_behind_anything(cut: Cut, word: str, clitic: str) -> None:
    assert cut(f"{word}{clitic} x") == f"{word}|{clitic}|x"


def test_a_clitic_ends_with_its_word(cut: Cut) -> None:
    assert cut("'sad 'days it'self") == "'|sad|'|days|it|'|self"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("y'all", "y'|all"),
        ("Y'ALL", "Y'|ALL"),
        ("j'ai", "j'|ai"),
        ("d'x l'x d'1", "d'|x|l'|x|d'|1"),
        ("n'x o'x", "n|'|x|o|'|x"),
        ("the D's", "the|D|'s"),
    ],
)
def test_an_elided_word_is_cut_off_in_front(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("more'n ten", "more|'n|ten"),
        ("rock 'n' roll rock'n'roll", "rock|'n'|roll|rock|'n'|roll"),
        ("'n.", "'|n."),
        ("'tis 'TWAS", "'t|is|'T|WAS"),
        ("’tis 'this", "’|tis|'|this"),
    ],
)
def test_and_and_it_are_tokens_when_cut_short(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize("word", WHOLE.split())
def test_some_words_keep_their_apostrophe(cut: Cut, word: str) -> None:
    assert cut(f"x {word}, y") == f"x|{word}|,|y"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Qur'an", "Qur|'|an"),
        ("goin' home", "goin|'|home"),
        ("'round", "'|round"),
        ("the Joneses' car", "the|Joneses|'|car"),
        ("I'an", "I|'|an"),
        ("1'000", "1|'|000"),
    ],
)
def test_any_other_apostrophe_is_a_token(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize("word", ["can|not", "gon|na", "got|ta", "wan|na", "gim|me", "lem|me"])
@pytest.mark.parametrize("case", [str.lower, str.capitalize, str.upper])
@pytest.mark.parametrize("following", [" x", ".", ", x", ""])
def test_some_words_written_as_one_are_two_tokens(cut: Cut, word: str, case: Cut, following: str) -> None:
    first, second, *rest = cut(case(word.replace("|", "")) + following).split("|")
    assert [first, second] == case(word).split("|")
    assert "".join(rest) == following.replace(" ", "")


@pytest.mark.parametrize("word", ["dunno", "kinda", "whatcha", "cannot-do", "gonna/gotta"])
def test_others_and_those_inside_a_joined_word_are_not_cut(cut: Cut, word: str) -> None:
    assert cut(f"{word} x") == f"{word}|x"

"""Rule 10 and the section on abbreviations: does a full stop stay with its word?"""

from collections.abc import Callable

import pytest

from lydite.tokenizer import Token, tokenize

Cut = Callable[[str], str]

STRONG = "adj adm adv alex assoc asst atty ave brig capt cf cie cmdr col comdr cpl dept det dr drs elec ens ft gen gov"
WEAK = (
    "al ala apr ariz assn aug bancorp bhd bldg blvd bros calif co corp etc inc jan jr ltd ph.d plc univ wyo"
)
NOT_SMALL = "ark az del ill la mass miss ore pa tex wash"
NOT_IN_CAPITALS = "mfg mtg pte ptes ppte pty ptys ppty"
UNLISTED = "May June July Sat Sun Weds vol ch sec approx govt mgr min max avg hr yr lb oz ed"
NUMBERED = "art ca fig figs no nos op pp prop"
STARTERS = "A About According After An As At But Did During Earlier He Her Here How However If In It Last Many More Now"


@pytest.mark.parametrize("word", STRONG.split())
@pytest.mark.parametrize("following", [" Foo", " foo", "\n\nFoo", "", "  "])
def test_a_strong_abbreviation_always_keeps_its_stop(cut: Cut, word: str, following: str) -> None:
    for form in (word, word.title(), word.upper()):
        assert cut(form + "." + following).split("|")[0] == f"{form}."


@pytest.mark.parametrize("word", WEAK.split())
@pytest.mark.parametrize(
    "following", [" Foo", " Été", "\nFoo", "", " ", "  foo", "\r\nfoo", "\n foo", " <P> foo"]
)
def test_a_weak_abbreviation_loses_its_stop_where_a_sentence_may_end(
    cut: Cut, word: str, following: str
) -> None:
    assert cut(word.title() + "." + following).split("|")[:2] == [word.title(), "."]


@pytest.mark.parametrize("word", WEAK.split())
@pytest.mark.parametrize(
    "following", [" foo", "\nfoo", " 5", ' "Foo"', " (Foo)", " -- Foo", ")", '" Foo', "'s", "?", ", Foo"]
)
def test_a_weak_abbreviation_keeps_its_stop_elsewhere(cut: Cut, word: str, following: str) -> None:
    assert cut(word.title() + "." + following).split("|")[0] == f"{word.title()}."


@pytest.mark.parametrize("word", NOT_SMALL.split())
def test_an_ordinary_word_is_no_abbreviation_when_small(cut: Cut, word: str) -> None:
    assert cut(f"{word}. foo") == f"{word}|.|foo"
    assert cut(f"{word.title()}. foo") == f"{word.title()}.|foo"


@pytest.mark.parametrize("word", NOT_IN_CAPITALS.split())
def test_some_abbreviations_are_none_in_capitals(cut: Cut, word: str) -> None:
    assert cut(f"{word.upper()}. foo") == f"{word.upper()}|.|foo"
    assert cut(f"{word}. foo") == f"{word}.|foo"


@pytest.mark.parametrize("word", NUMBERED.split())
def test_a_numbered_abbreviation_keeps_its_stop_before_a_digit_only(cut: Cut, word: str) -> None:
    for following in ("7", " 7", "\n7", "\r\n7", " 8th"):
        assert cut(f"{word}.{following}") == f"{word}.|{following.strip()}"
    for following in ("  7", " V", " #7", " -7", ""):
        assert cut(f"{word}.{following}").split("|")[:2] == [word, "."]


@pytest.mark.parametrize("word", UNLISTED.split())
def test_an_unlisted_word_loses_its_stop(cut: Cut, word: str) -> None:
    assert cut(f"{word}. foo") == f"{word}|.|foo"


@pytest.mark.parametrize("initials", ["J.", "U.S.", "a.m.", "e.g.", "U.S.S.R."])
def test_initials_keep_their_stop(cut: Cut, initials: str) -> None:
    for following in ("", " foo", " Senate", "\n\nSenate", " However, x", " He's", " he x", ' "He x'):
        assert cut(initials + following).split("|")[0] == initials


@pytest.mark.parametrize("starter", STARTERS.split())
@pytest.mark.parametrize("blanks", [" ", "  ", "\t", "\n\n", "\u00a0"])
def test_initials_lose_their_stop_before_a_word_that_begins_a_sentence(
    cut: Cut, starter: str, blanks: str
) -> None:
    for form in (starter, starter.upper()):
        assert cut(f"U.S.{blanks}{form} foo") == f"U.S|.|{form}|foo"


@pytest.mark.parametrize("word", ["M.Sc", "LL.D", "Lt.Col", "Jan.-Feb"])
def test_a_dotted_or_hyphenated_word_is_no_abbreviation(cut: Cut, word: str) -> None:
    assert cut(f"{word}. foo") == f"{word}|.|foo"


@pytest.mark.parametrize("word", ["Calif.-based", "Inc.-led", "Dr.-led", "U.S.-Tarn"])
def test_an_abbreviation_goes_on_over_a_hyphen(cut: Cut, word: str) -> None:
    assert cut(f"{word} foo") == f"{word}|foo"


@pytest.mark.parametrize("word", ["cat", "12", "well-known"])
@pytest.mark.parametrize("mark", [",", ";", ":"])
def test_any_word_keeps_its_stop_directly_before_a_comma_semicolon_or_colon(
    cut: Cut, word: str, mark: str
) -> None:
    assert cut(f"the {word}.{mark} foo") == f"the|{word}.|{mark}|foo"


def test_a_number_with_a_point_does_not(cut: Cut) -> None:
    assert cut("the 3.5., foo") == "the|3.5|.|,|foo"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("etc... foo", "etc.|.|.|foo"),
        ("U.S.... foo", "U.S.|...|foo"),
        ("cat... foo", "cat|...|foo"),
        ("Mr.. foo", "Mr.|.|foo"),
    ],
)
def test_further_stops_follow_a_kept_one(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


def test_a_legal_form_before_another_does_not_end_a_sentence(cut: Cut) -> None:
    assert cut("Dorn Co. Ltd. rose") == "Dorn|Co.|Ltd.|rose"
    assert cut("Dorn Co. Tarn fell") == "Dorn|Co|.|Tarn|fell"


def test_a_split_stop_is_cut_from_the_token() -> None:
    assert tokenize("They live in the U.S. He left.")[4:6] == [Token(17, 20, "U.S"), Token(20, 21, ".")]

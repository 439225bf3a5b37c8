"""Rules 11 to 14: emoticons, runs, entities, single marks."""

from collections.abc import Callable

import pytest

Cut = Callable[[str], str]

# fmt: off
RUNS = (
    "--", "-----", "...", "....", ".....", ". . .", ". . . . .", "?!", "!!!", "??", "**", "__",
    "====", "##", "@@", "``", "''", "“”", "‘‘", "’”", "«»", "<<", ">>",
)
# fmt: on

EMOTICONS = (
    ":) :-) :( :-( ;) ;-) :D :-D ;D :P :-P :p :O :3 :| :] :[ :{ :\\ :@ :'( :') =) =( =] =D =P >:( >:) :o)"
    " XD xD X-D ^_^ (^_^) -_- o_O O_o o.O T_T >_< (>_<)"
)


@pytest.mark.parametrize("sign", EMOTICONS.split())
def test_an_emoticon_is_one_token(cut: Cut, sign: str) -> None:
    assert cut(f"foo {sign} bar") == f"foo|{sign}|bar"


def test_an_emoticon_may_stand_right_behind_a_word_but_not_before_a_letter(cut: Cut) -> None:
    assert cut("foo:) foo:)bar :Dog :D.") == "foo|:)|foo|:|)|bar|:|Dog|:D|."


@pytest.mark.parametrize("signs", [":/", ":*", ":}", "<3", "8)", "(:", "^^"])
def test_other_signs_are_single_marks(cut: Cut, signs: str) -> None:
    assert cut(f"foo {signs} bar") == f"foo|{signs[0]}|{signs[1]}|bar"


@pytest.mark.parametrize("letters", ["o", "S"])
def test_a_colon_before_other_letters_is_a_mark(cut: Cut, letters: str) -> None:
    assert cut(f"foo :{letters} bar") == f"foo|:|{letters}|bar"


@pytest.mark.parametrize("run", RUNS)
def test_a_run_is_one_token(cut: Cut, run: str) -> None:
    assert cut(f"foo {run} bar") == f"foo|{run}|bar"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("..", ".|."),
        ("......", ".....|."),
        (".......", ".....|.|."),
        ("........", ".....|..."),
        (". .", ".|."),
        (". .\n.", ".|.|."),
        ("'''", "''|'"),
        ("```", "``|`"),
        (">>>", ">>|>"),
    ],
)
def test_a_longer_or_shorter_run_falls_into_parts(cut: Cut, text: str, tokens: str) -> None:
    assert cut(text) == tokens


@pytest.mark.parametrize("mark", list(",;:~+^|\\%&$…—–/()[]{}"))
def test_other_marks_are_not_joined(cut: Cut, mark: str) -> None:
    assert cut(f"foo {mark}{mark} bar") == f"foo|{mark}|{mark}|bar"


@pytest.mark.parametrize(
    "entity",
    ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;", "&mdash;", "&ndash;", "&AMP;", "&#39;", "-LRB-", "-rsb-"],
)
def test_an_entity_or_bracket_code_is_one_token(cut: Cut, entity: str) -> None:
    assert cut(f"foo {entity} bar") == f"foo|{entity}|bar"


def test_other_entities_break(cut: Cut) -> None:
    assert cut("&copy; &#x27; &amp") == "&|copy|;|&|#x|27|;|&|amp"

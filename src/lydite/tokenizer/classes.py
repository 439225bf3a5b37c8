r"""The token classes, from special to general (the observed rules of the PTB tokeniser, 1 to 13).

Each class is one regular expression, matched where a token begins.  Several may match there:
the longest match is the token, and the order of the list decides nothing.  What no class
claims is a run of letters and digits (rule 9) or one mark (rule 14).

Letters are those of ``characters.tsv`` where a class builds words of any script.  Where it
only looks at what stands beside a token, or where tokens are of Latin letters in practice
(addresses, tags), Python's own ``\w`` serves: each use of the full table costs milliseconds
when the expression is compiled.

Every expression takes linear time over a whole text.  An expression that fails must not have
read far, or else the same characters would be read again from the next token on.  Hence the
possessive quantifiers, the limits taken from the mail and host-name standards, and ``<`` being
excluded from the inside of a tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from lydite.tokenizer import words
from lydite.tokenizer.characters import ALPHANUMERIC_MARKS, BLANK, JOINERS, WORD


class TokenClass(NamedTuple):
    """One kind of token, and where it is worth trying.

    A class that begins with a mark is tried at each of the marks in ``begins``.  A class that begins with a letter or a
    digit is tried where the first run of letters and digits is followed by one of the characters in ``after_letter`` or
    ``after_digit``: before any other it cannot match.
    """

    name: str
    pattern: str
    begins: str = ""
    after_letter: str = ""
    after_digit: str = ""


def _one_of(alternatives: Iterable[str]) -> str:
    ordered = sorted(alternatives, key=lambda word: (-len(word), word))
    return "(?:" + "|".join(map(re.escape, ordered)) + ")"


def _with_apostrophe(alternatives: Iterable[str]) -> str:
    """These words in any case, with either apostrophe, and nothing glued to them."""
    return f"(?i:{_one_of(alternatives)}){NO_WORD}".replace("'", _APOSTROPHE)


_APOSTROPHE = "['’]"
_LETTER = rf"[^\W\d_{ALPHANUMERIC_MARKS}]"
_LETTER_OR_DIGIT = rf"[^\W_{ALPHANUMERIC_MARKS}]"
_NO_LETTER = rf"(?!{_LETTER})"
NO_WORD = rf"(?!{_LETTER_OR_DIGIT})"
_BLANK = f"[{BLANK}]"
_JOINER = f"[{JOINERS}]"
_WORD = f"[{WORD}]++"
_LETTER_WORD = rf"(?!\d){_WORD}"

# --- rule 1: tags -------------------------------------------------------------------------

_TAG_NAME = rf"{_LETTER}[\w:.-]*+"
_QUOTED = r"""(?:"[^"<\t\r\n]*+"|'[^'<\t\r\n]*+')"""
_ATTRIBUTE = rf"""(?:[\w:.-]++(?:[ ]*+=[ ]*+(?:{_QUOTED}|[^\s"'<>=]++))?+|{_QUOTED})"""
_TAG = rf"<[/!?]?{_TAG_NAME}(?:[ ]++{_ATTRIBUTE})*+[ ]*+[/?]?>"
_COMMENT = r"<!--[^<>\t\r\n]*+(?<=--)>"

TAG = f"(?:{_TAG}|{_COMMENT})"

# --- rules 2 and 3: addresses and mail ----------------------------------------------------

_ADDRESS_END = rf'{BLANK}"<>(){{}}|'
# At least two characters, the last of them no punctuation that a sentence would put there.
_PATH = rf"[^{_ADDRESS_END}]+[^{_ADDRESS_END}.,?!…]"
# 63 is the longest label that DNS allows, 64 the longest local part of a mail address.
_LABEL = r"\w{1,63}+(?:-\w{1,63}+){0,4}+"
_HOST_AND_PATH = rf"{_LABEL}(?:\.{_LABEL}){{0,6}}?\.(?i:{_one_of(words.PATH_DOMAINS)})(?!\w)(?:/{_PATH})?"
_LOCAL_PART = r"[\w.+:-]{1,64}+"
# Some punctuation behind a mail host belongs to the token; a full stop or bracket does not.
_MAIL = rf"{_LOCAL_PART}@{_LETTER_OR_DIGIT}(?:[\w.,;:!'’@+-]*[\w,;:!'’])?"

# --- rules 4 to 6: numbers ----------------------------------------------------------------

_ONE_BLANK = r"[ \u00a0]"
_PHONE_GAP = r"[ \u00a0.-]"
_PHONE_FIRST = r"(?:\+\d{2,3}|\d{2,4})"
_PHONE_BRACKET = rf"\(\d{{2,3}}\){_ONE_BLANK}?"
# Up to two groups (the second may be in brackets), then one of three or four digits and one
# of three to five.  Nothing is asked of what follows: 1980-1985 1980-85 is 1980-1985 1980, -85.
_PHONE = (
    rf"(?:{_PHONE_FIRST}{_PHONE_GAP}(?:\d{{2,4}}{_PHONE_GAP}|{_PHONE_BRACKET})"
    rf"|{_PHONE_FIRST}{_PHONE_GAP}"
    rf"|{_PHONE_BRACKET})"
    rf"\d{{3,4}}{_PHONE_GAP}\d{{3,5}}"
)
_FRACTION = rf"\d++(?:(?:(?:[.,]\d++)*+{_ONE_BLANK}|-)\d++[/\u2044]\d++|\u2044\d++)"
# 1.5-fold and 2.5e-3, but 9:00 -17:00: behind a colon only a word in letters is taken.
_NUMBER_WITH_WORD = (
    rf"\d*+(?:(?:[.,]\d++)++{_LETTER_OR_DIGIT}*+|(?:[.,:]\d++)++(?={_JOINER}{_LETTER}))"
    rf"(?:{_JOINER}{_LETTER_OR_DIGIT}++)++"
)

# --- rules 8 and 9: words -----------------------------------------------------------------

NEGATION = rf"(?i:n(?:['’`]|&apos;)t){NO_WORD}"
_CLITIC = rf"(?i:{_one_of(words.CLITICS)}){NO_WORD}"
_NAME_PREFIX = rf"(?i:{_one_of(words.NAME_PREFIXES)}){_APOSTROPHE}(?={_LETTER}{{2}})(?!{_CLITIC})"
_ELIDED = rf"(?i:{_one_of(words.ELIDED)}){_APOSTROPHE}(?={_LETTER_OR_DIGIT})(?!{_CLITIC})"
_BETWEEN_VOWELS = rf"{_LETTER}+[aeiouyAEIOUY]{_APOSTROPHE}[aeiouAEIOU]{_LETTER}*+"
_ACRONYM_PART = rf"(?>[A-Za-z](?:\.[A-Za-z])++\.?){NO_WORD}"
# What hyphens and underscores join to a word: -year-old, -U.S., -O'Brannon, -1.
HYPHENATED = rf"(?:{_JOINER}(?:{_ACRONYM_PART}|(?:{_NAME_PREFIX})?+{_WORD}))++"
_HYPHENATED_LETTERS = rf"(?:{_JOINER}{_LETTER_WORD})*+"
_SLASHED = rf"{_HYPHENATED_LETTERS}(?:/{_WORD}{_HYPHENATED_LETTERS}){{1,2}}+"
# Slashes are tried before hyphens: a word that has both ends later with them.  A full stop
# stays with any word directly before a comma, semicolon or colon.
_JOINED = (
    rf"(?:[A-Za-z](?:\.[A-Za-z])*+\.?+(?={_JOINER})|(?:{_NAME_PREFIX})?+{_WORD})"
    rf"(?:{_SLASHED}|{HYPHENATED})?+(?:\.(?=[,;:]))?+"
)

# --- rule 10: initials and acronyms; the other abbreviations are in stops.py ---------------

_INITIALS = rf"(?:[A-Za-z]\.)++(?!{_BLANK}++{_one_of(words.SENTENCE_STARTERS)}{_BLANK})"

# --- the table ----------------------------------------------------------------------------

_QUOTES = "‘’‚‛“”„‟«»‹›"
_FIRST_OF_EMOTICONS = "".join(sorted({sign[0] for sign in words.EMOTICONS}))

CLASSES = (
    TokenClass("tag", TAG, begins="<"),
    TokenClass("mail in angle brackets", rf"<{_LOCAL_PART}@[\w.-]++>", begins="<"),
    TokenClass("address with scheme", rf"(?i:https?)://{_PATH}", after_letter=":"),
    TokenClass("address with www", rf"(?i:www)\.{_LABEL}(?:\.{_LABEL})++(?:/{_PATH})?", after_letter="."),
    TokenClass("address without scheme", _HOST_AND_PATH, after_letter=".-_", after_digit=".-_"),
    TokenClass("mail", _MAIL, after_letter="@.:+-_", after_digit="@.:+-_"),
    TokenClass("handle", r"@(?!\d)\w++", begins="@"),
    TokenClass("hash tag", rf"#{_LETTER}++", begins="#"),
    TokenClass("phone number", _PHONE, begins="+(", after_digit=" \u00a0.-"),
    TokenClass("fraction", _FRACTION, after_digit=" \u00a0.,-\u2044"),
    TokenClass("number", r"\d++(?:[.,:]\d++)++", after_digit=".,:"),
    TokenClass("number that begins with a point", r"(?:[.,:]\d++)++", begins=".,:"),
    TokenClass("number with a sign", r"[+-](?:\d++(?:[.,:]\d++)*+|(?:[.,:]\d++)++)", begins="+-"),
    TokenClass("number with a word", _NUMBER_WITH_WORD, begins=".", after_digit=".,:"),
    TokenClass("digit with letters behind stops", rf"\d(?:\.[A-Za-z])++{NO_WORD}", after_digit="."),
    TokenClass("currency", r"[A-Z]{1,3}\$", after_letter="$"),
    TokenClass("decade", rf"{_APOSTROPHE}\d\d[sS]{NO_WORD}", begins="'’"),
    TokenClass("short year", rf"{_APOSTROPHE}\d\d(?={_BLANK})", begins="'’"),
    TokenClass("negation", NEGATION, after_letter="'’`&"),
    TokenClass("clitic", rf"(?:{_APOSTROPHE}|&(?i:apos);){_CLITIC}", begins="'’&"),
    TokenClass("elided word", _ELIDED, after_letter="'’"),
    TokenClass("and, cut short", rf"{_APOSTROPHE}[nN](?:{_APOSTROPHE}|(?={_BLANK}))", begins="'’"),
    TokenClass("it, cut short", rf"'[tT](?=(?i:{_one_of(words.AFTER_T)}){NO_WORD})", begins="'"),
    TokenClass("word with apostrophe", _with_apostrophe(words.WHOLE), after_letter="'’"),
    TokenClass("word with apostrophe in front", _with_apostrophe(words.WHOLE_IN_FRONT), begins="'’"),
    TokenClass("apostrophe between vowels", _BETWEEN_VOWELS, after_letter="'’"),
    TokenClass("joined word", _JOINED, after_letter=JOINERS + "/.'’", after_digit=JOINERS + "/.'’"),
    TokenClass("dotted word", rf"{_WORD}(?:[.!?]{_LETTER_WORD})++", after_letter=".!?"),
    TokenClass("capitals with ampersand", r"[A-Z]++(?:&(?:(?i:amp);)?[A-Z]++)++", after_letter="&"),
    TokenClass("name with mark", _one_of(words.WITH_MARK), after_letter="+#!"),
    TokenClass("initials", _INITIALS, after_letter="."),
    TokenClass("emoticon", _one_of(words.EMOTICONS) + _NO_LETTER, begins=_FIRST_OF_EMOTICONS),
    TokenClass("dash", r"--++", begins="-"),
    TokenClass("ellipsis", r"\.{3,5}", begins="."),
    TokenClass("spaced ellipsis", rf"\.(?:{_ONE_BLANK}\.){{2,4}}", begins="."),
    TokenClass("cries and questions", r"[!?]{2,}+", begins="!?"),
    TokenClass("run of one mark", r"([*_=#@])\1++", begins="*_=#@"),
    TokenClass("pair of one mark", r"([`'<>])\1", begins="`'<>"),
    TokenClass("pair of quotes", f"[{_QUOTES}]{{2}}", begins=_QUOTES),
    TokenClass("entity", rf"&(?:(?i:{_one_of(words.ENTITIES)})|#\d++);", begins="&"),
    TokenClass("bracket code", rf"-(?i:{_one_of(words.BRACKET_CODES)})-", begins="-"),
)

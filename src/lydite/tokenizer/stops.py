"""Does a full stop stay with the word before it?

Initials and acronyms (``J.``, ``U.S.``) are a token class of their own; this module knows the
abbreviations that are listed by name.
"""

from __future__ import annotations

import re

from lydite.tokenizer.characters import BLANK
from lydite.tokenizer.classes import HYPHENATED, NO_WORD, TAG
from lydite.tokenizer.words import ABBREVIATIONS, LAST_LEGAL_FORMS, LEGAL_FORMS, NUMBERED, STRONG

_BLANKS = re.compile(f"[{BLANK}]*+")
_TAG = re.compile(TAG)
_NUMBER_AHEAD = re.compile(rf"(?:[{BLANK}]|\r\n)?\d")
_LEGAL_FORM_AHEAD = re.compile(rf"[{BLANK}](?:{'|'.join(sorted(LAST_LEGAL_FORMS))}){NO_WORD}")
_HYPHENATED = re.compile(HYPHENATED)


def end_with_stop(text: str, start: int, end: int) -> int:
    """Where the word ``text[start:end]``, which a full stop follows, ends as a token.

    An abbreviation with its stop goes on over hyphens: ``Calif.-based``.
    """
    word = text[start:end]
    if word not in ABBREVIATIONS or not _keeps_stop(word, text, end + 1):
        return end
    hyphenated = _HYPHENATED.match(text, end + 1)
    return hyphenated.end() if hyphenated else end + 1


def _keeps_stop(word: str, text: str, after: int) -> bool:
    if word in STRONG:
        return True
    if word in NUMBERED:
        return _NUMBER_AHEAD.match(text, after) is not None
    if word in LEGAL_FORMS and _LEGAL_FORM_AHEAD.match(text, after):
        return True
    return not _sentence_may_end(text, after)


def _sentence_may_end(text: str, after: int) -> bool:
    """Whether the stop before ``after`` may end a sentence, as far as weak abbreviations go.

    It may at the end of the text, before two blanks or more (CR LF is two), before one blank
    and the end, and before one blank and a capital letter or a tag.
    """
    blanks = _BLANKS.match(text, after)
    assert blanks is not None  # it matches the empty string
    following = blanks.end()
    if following == len(text):
        return True
    if following != after + 1:
        return following > after
    return text[following].isupper() or _TAG.match(text, following) is not None

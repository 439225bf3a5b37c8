"""Split text into words, in the same way for the index, for queries and for passages.

A word is a run of letters and digits, case folded.  It is indexed without diacritics (*Ramírez* as *ramirez*) and, if it
has any, also with them, so that a query can ask for either.  In Arabic, alef, yeh and teh marbuta are normalised, and
tatweel and vowel marks removed.  Han, Kana and Hangul become bigrams; a single character stays as it is.

:func:`folded` and :func:`unfolded` return the words as one string, separated by blanks, as fast as the index needs;
:func:`placed_words` returns the same words with their offsets.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

_CJK = "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U000323af"
_CJK_RUN = re.compile(f"[{_CJK}]+")
_ARABIC_MARKS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]")
_DIACRITICS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7]")
_TAG = re.compile("<[^<>]*>")
_MARKUP = re.compile(f"{_TAG.pattern}|&(?:amp|lt|gt|quot|apos);", re.IGNORECASE)
_ZERO_WIDTH_SPACE = "\u200b"
_ARABIC_LETTERS = {
    "\u0671": "\u0627",  # alef wasla
    "\u0649": "\u064a",  # alef maksura → yeh
    "\u06cc": "\u064a",  # Farsi yeh
    "\u06a9": "\u0643",  # keheh → kaf
    "\u0629": "\u0647",  # teh marbuta → heh
}
_PLAIN_LETTERS = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th", "ŧ": "t",
}  # fmt: skip
"""Letters with diacritics that Unicode does not decompose."""


class PlacedWord(NamedTuple):
    """A word without and with its diacritics, and its offsets in the text."""

    word: str
    unfolded: str
    start: int
    end: int


def _normalised_letters(character: str, *, fold: bool) -> str:
    """Return what stands for a character in words: letters, nothing, or a blank that separates words."""
    category = unicodedata.category(character)
    if category == "Cf" and character != _ZERO_WIDTH_SPACE:
        return ""
    if _ARABIC_MARKS.match(character) or (fold and _DIACRITICS.match(character)):
        return ""
    if category[0] not in "LNM":
        return " "
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", character).casefold())
    parts = _ARABIC_MARKS.sub("", parts)
    if fold:
        parts = _DIACRITICS.sub("", parts)
        parts = "".join(_PLAIN_LETTERS.get(part, part) for part in parts)
    parts = "".join(_ARABIC_LETTERS.get(part, part) for part in parts)
    parts = "".join(part for part in parts if unicodedata.category(part)[0] in "LNM")
    return unicodedata.normalize("NFC", parts)


class _LetterTable(dict[str, str]):
    """A cache of :func:`_normalised_letters`."""

    def __init__(self, *, fold: bool) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, character: str) -> str:
        self[character] = letters = _normalised_letters(character, fold=self._fold)
        return letters


_FOLD = _LetterTable(fold=True)
_UNFOLD = _LetterTable(fold=False)
_ASCII = {code: _FOLD[chr(code)] for code in range(128)}
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_ASCII_CAPITALS = re.compile("[A-Z]+")
_ASCII_SEPARATORS = re.compile(r"[\x00-\x1f!-/:-@\[-`{-\x7f]+")


def folded(text: str) -> str:
    """Return the words of a text without diacritics, separated by blanks."""
    return _stream(text, _FOLD)


def unfolded(text: str) -> str:
    """Return the words of a text with diacritics, separated by blanks."""
    return _stream(text if text.isascii() else unicodedata.normalize("NFC", text), _UNFOLD)


def folded_and_unfolded(text: str) -> tuple[str, str | None]:
    """Return :func:`folded` and :func:`unfolded` of a text; None instead of the second if both are equal."""
    without = folded(text)
    if text.isascii() or all(_FOLD[character] == _UNFOLD[character] for character in set(text)):
        return without, None
    with_diacritics = unfolded(text)
    return without, with_diacritics if with_diacritics != without else None


def _stream(text: str, table: _LetterTable) -> str:
    # A text has few different characters, and replacing one everywhere is far faster than looking at each; what a
    # character becomes is never changed again.
    if not text.isascii():
        for character in set(text):
            letters = table[character]
            if letters != character:
                text = text.replace(character, letters)
    if text.isascii():
        return text.translate(_ASCII)
    text = _ASCII_CAPITALS.sub(lambda letters: letters.group().lower(), text)
    return _CJK_RUN.sub(_bigrams, _ASCII_SEPARATORS.sub(" ", text))


def _bigrams(run: re.Match[str]) -> str:
    text = run.group()
    pairs = [text[i : i + 2] for i in range(len(text) - 1)] or [text]
    return f" {' '.join(pairs)} "


def is_cjk_character(word: str) -> bool:
    """Whether a word is a single Han, Kana or Hangul character, which the index has within bigrams only."""
    return len(word) == 1 and _CJK_RUN.match(word) is not None


def without_tags(text: str) -> str:
    """Replace every character of tags and of entities such as ``&amp;`` by a blank, so that offsets stay the same."""
    return _MARKUP.sub(lambda tag: " " * len(tag.group()), text) if "<" in text or "&" in text else text


def place_among_tags(text: str, place: int) -> int:
    """Convert an offset that does not count tags to one that does."""
    for tag in _TAG.finditer(text):
        if tag.start() > place:
            break
        place += len(tag.group())
    return place


def placed_words(text: str) -> list[PlacedWord]:
    """Return the words of a text with their offsets; the same words as in :func:`folded`."""
    if text.isascii():
        return [
            PlacedWord(word := match.group(), word, match.start(), match.end())
            for match in _ASCII_WORD.finditer(text.lower())
        ]
    return [word for letters in _letter_runs(text) for word in _words_of_run(letters, text)]


Letter = tuple[str, int, int]
"""A folded letter, and start and end of the characters that it stands for."""


def _letter_runs(text: str) -> Iterator[list[Letter]]:
    """Split a text into runs of letters and digits."""
    run: list[Letter] = []
    for place, character in enumerate(text):
        letters = _FOLD[character]
        if letters == " ":
            if run:
                yield run
            run = []
        elif letters:
            run.extend((letter, place, place + 1) for letter in letters)
        elif run:
            # A combining mark belongs to the letter before it.
            letter, start, _ = run[-1]
            run[-1] = letter, start, place + 1
    if run:
        yield run


def _words_of_run(run: list[Letter], text: str) -> Iterator[PlacedWord]:
    """Split a run of letters into words: CJK characters into bigrams, everything between them into one word each."""
    letters = "".join(letter for letter, _, _ in run)
    end = 0
    for cjk in _CJK_RUN.finditer(letters):
        yield from _placed_word(run[end : cjk.start()], text)
        inside = run[cjk.start() : cjk.end()]
        for i in range(max(1, len(inside) - 1)):
            yield from _placed_word(inside[i : i + 2], text)
        end = cjk.end()
    yield from _placed_word(run[end:], text)


def _placed_word(letters: list[Letter], text: str) -> Iterator[PlacedWord]:
    """Yield the word of these letters, if there are any."""
    if letters:
        start, end = letters[0][1], letters[-1][2]
        word = "".join(letter for letter, _, _ in letters)
        characters = unicodedata.normalize("NFC", text[start:end])
        yield PlacedWord(word, "".join(_UNFOLD[character] for character in characters), start, end)


def words(text: str, stream: Callable[[str], str] = folded) -> list[str]:
    """Return the words of a short text as a list."""
    return stream(text).split()

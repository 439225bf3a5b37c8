"""How text becomes words: one way for the index, for queries and for passages.

A word is a run of letters and digits, case folded.  Marks above and below letters are folded (*Ramírez* is found as
*ramirez*) and also kept, so that a query with marks can ask for them.  Arabic: alef, yeh and teh marbuta are
normalised, tatweel and vowel marks go.  Han, Kana and Hangul become bigrams; a single sign stays alone.

:func:`folded` and :func:`marked` give streams of words with blanks between them, at the speed of the index;
:func:`tokens` gives the same words with their places in the text as given.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

from lydite.records import NamedTuple

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
"""Letters with marks that Unicode does not take apart."""


class Token(NamedTuple):
    """A word: folded, with its marks, and its place in the text."""

    word: str
    marked: str
    start: int
    end: int


def _letters(character: str, *, fold: bool) -> str:
    """What a character becomes: a blank between words, nothing inside them, or letters."""
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


class _Table(dict[str, str]):
    """What characters become, filled as they are met."""

    def __init__(self, *, fold: bool) -> None:
        super().__init__()
        self._fold = fold

    def __missing__(self, character: str) -> str:
        self[character] = letters = _letters(character, fold=self._fold)
        return letters


_FOLD = _Table(fold=True)
_KEEP = _Table(fold=False)
_ASCII = {code: _FOLD[chr(code)] for code in range(128)}
_ASCII_WORD = re.compile("[A-Za-z0-9]+")
_ASCII_CAPITALS = re.compile("[A-Z]+")
_ASCII_SEPARATORS = re.compile(r"[\x00-\x1f!-/:-@\[-`{-\x7f]+")


def folded(text: str) -> str:
    """The words of a text without marks, with blanks between them."""
    return _stream(text, _FOLD)


def marked(text: str) -> str:
    """The words of a text with their marks; equal to :func:`folded` where there are none."""
    return _stream(text if text.isascii() else unicodedata.normalize("NFC", text), _KEEP)


def streams(text: str) -> tuple[str, str | None]:
    """:func:`folded` and, where it is another, :func:`marked`."""
    plain = folded(text)
    if text.isascii() or all(_FOLD[sign] == _KEEP[sign] for sign in set(text)):
        return plain, None
    kept = marked(text)
    return plain, kept if kept != plain else None


def _stream(text: str, table: _Table) -> str:
    # A text has few different characters, and replacing one everywhere is far faster than looking at each; what a
    # character becomes is never changed again.
    if not text.isascii():
        text = _replaced(text, set(text), table)
    if text.isascii():
        return text.translate(_ASCII)
    text = _ASCII_CAPITALS.sub(lambda letters: letters.group().lower(), text)
    return _CJK_RUN.sub(_bigrams, _ASCII_SEPARATORS.sub(" ", text))


def _replaced(text: str, characters: Iterable[str], table: _Table) -> str:
    for character in characters:
        letters = table[character]
        if letters != character:
            text = text.replace(character, letters)
    return text


def _bigrams(run: re.Match[str]) -> str:
    signs = run.group()
    pairs = [signs[i : i + 2] for i in range(len(signs) - 1)] or [signs]
    return f" {' '.join(pairs)} "


def is_sign(word: str) -> bool:
    """Whether a word is a single Han, Kana or Hangul sign, which the index knows as a part of bigrams."""
    return len(word) == 1 and _CJK_RUN.match(word) is not None


def without_tags(text: str) -> str:
    """The text with a blank for every character of a tag or a sign like ``&amp;``, so that places stay as they are."""
    return _MARKUP.sub(lambda tag: " " * len(tag.group()), text) if "<" in text or "&" in text else text


def place_among_tags(text: str, place: int) -> int:
    """The place in a text of a place that was counted without its tags."""
    for tag in _TAG.finditer(text):
        if tag.start() > place:
            break
        place += len(tag.group())
    return place


def tokens(text: str) -> list[Token]:
    """The words of a text with their places; the same words as in :func:`folded`."""
    if text.isascii():
        return [
            Token(word := match.group(), word, match.start(), match.end())
            for match in _ASCII_WORD.finditer(text.lower())
        ]
    return [token for letters in _runs(text) for token in _tokens_of(letters, text)]


Letter = tuple[str, int, int]
"""A folded letter and the place of the characters that it stands for."""


def _runs(text: str) -> Iterator[list[Letter]]:
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
            # A mark belongs to the letter before it.
            letter, start, _ = run[-1]
            run[-1] = letter, start, place + 1
    if run:
        yield run


def _tokens_of(run: list[Letter], text: str) -> Iterator[Token]:
    word = "".join(letter for letter, _, _ in run)
    end = 0
    for signs in _CJK_RUN.finditer(word):
        yield from _token(run[end : signs.start()], text)
        inside = run[signs.start() : signs.end()]
        for i in range(max(1, len(inside) - 1)):
            yield from _token(inside[i : i + 2], text)
        end = signs.end()
    yield from _token(run[end:], text)


def _token(letters: list[Letter], text: str) -> Iterator[Token]:
    if letters:
        start, end = letters[0][1], letters[-1][2]
        word = "".join(letter for letter, _, _ in letters)
        kept = "".join(_KEEP[character] for character in unicodedata.normalize("NFC", text[start:end]))
        yield Token(word, kept, start, end)


def words(text: str, stream: Callable[[str], str] = folded) -> list[str]:
    """The words of a short text."""
    return stream(text).split()

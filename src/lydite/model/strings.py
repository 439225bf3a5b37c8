"""Strings without offsets: the steps by which they are normalised, and how many edits lie between two of them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import MappingProxyType

_QUOTES = str.maketrans(dict.fromkeys("‘’‚‛′`´", "'") | dict.fromkeys("“”„‟″«»", '"'))
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")


def _without_punctuation(text: str) -> str:
    return "".join(sign for sign in text if not unicodedata.category(sign).startswith("P"))


def _without_accents(text: str) -> str:
    apart = unicodedata.normalize("NFD", text)
    return unicodedata.normalize("NFC", "".join(sign for sign in apart if not unicodedata.combining(sign)))


STEPS = MappingProxyType(
    {
        "nfc": lambda text: unicodedata.normalize("NFC", text),
        "nfkc": lambda text: unicodedata.normalize("NFKC", text),
        "casefold": str.casefold,
        "spaces": lambda text: " ".join(text.split()),
        "quotes": lambda text: text.translate(_QUOTES),
        "dashes": lambda text: text.translate(_DASHES),
        "punctuation": _without_punctuation,
        "articles": lambda text: _ARTICLE.sub(" ", text),
        "accents": _without_accents,
    }
)
"""The steps by name; they are applied in the order given, to both sides."""

DEFAULT_STEPS = ("nfc", "spaces", "casefold", "quotes", "dashes")


@lru_cache(maxsize=64)
def normaliser(steps: tuple[str, ...]) -> Callable[[str], str]:
    """The function that applies these steps."""
    functions: list[Callable[[str], str]] = [STEPS[name] for name in steps]

    @lru_cache(maxsize=1 << 16)
    def apply(text: str) -> str:
        for function in functions:
            text = function(text)
        return text

    return apply


def edit_distance(one: Sequence[str], two: Sequence[str]) -> int:
    """The Levenshtein distance in code points, 64 and more of them at a time (Myers 1999, Hyyrö 2003)."""
    if one == two:
        return 0
    if not one or not two:
        return len(one) or len(two)
    if len(one) > len(two):
        one, two = two, one
    places = _places(one)
    last = 1 << (len(one) - 1)
    full = (1 << len(one)) - 1
    up, down, distance = full, 0, len(one)
    for sign in two:
        equal = places.get(sign, 0)
        vertical = equal | down
        horizontal = (((equal & up) + up) ^ up) | equal
        plus = down | (full & ~(horizontal | up))
        minus = up & horizontal
        if plus & last:
            distance += 1
        elif minus & last:
            distance -= 1
        plus = (plus << 1) | 1
        minus <<= 1
        up = full & (minus | ~(vertical | plus))
        down = full & plus & vertical
    return distance


def common_subsequence(one: str, two: str) -> int:
    """The length of the longest common subsequence."""
    places = _places(one)
    full = (1 << len(one)) - 1
    open_places = full
    for sign in two:
        found = open_places & places.get(sign, 0)
        open_places = full & ((open_places + found) | (open_places - found))
    return len(one) - open_places.bit_count()


def _places(text: Iterable[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    for at, sign in enumerate(text):
        places[sign] = places.get(sign, 0) | 1 << at
    return places

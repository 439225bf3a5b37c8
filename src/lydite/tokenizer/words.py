"""The words and signs that the tokeniser knows by name: words.toml, read once."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Final

from lydite.toml_files import shipped_toml

_DATA: Final[Mapping[str, Mapping[str, str]]] = shipped_toml(str(Path(__file__).with_name("words.toml")))


def _words(table: str, key: str) -> tuple[str, ...]:
    return tuple(_DATA[table][key].split())


def _spellings(word: str) -> set[str]:
    """The ways an abbreviation is written: small, capitalised, all capitals."""
    spellings = {word, word.title(), word.upper()}
    if word in _words("abbreviations", "never-small"):
        spellings.discard(word)
    if word in _words("abbreviations", "never-capitals"):
        spellings.discard(word.upper())
    return spellings


def _abbreviations(kind: str) -> frozenset[str]:
    return frozenset().union(*map(_spellings, _words("abbreviations", kind)))


def _capitalised(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*words, *map(str.upper, words)}))


STRONG = _abbreviations("strong")
WEAK = _abbreviations("weak")
NUMBERED = _abbreviations("numbered")
LEGAL_FORMS = _abbreviations("legal-forms")
LAST_LEGAL_FORMS = _abbreviations("last-legal-forms")
ABBREVIATIONS = STRONG | WEAK | NUMBERED

SENTENCE_STARTERS = _capitalised(_words("initials", "sentence-starters"))

CLITICS = _words("apostrophes", "clitics")
ELIDED = _words("apostrophes", "elided")
NAME_PREFIXES = _words("apostrophes", "name-prefixes")
WHOLE = _words("apostrophes", "whole")
WHOLE_IN_FRONT = _words("apostrophes", "whole-in-front")
AFTER_T = _words("apostrophes", "after-t")

# The word written as one, in small letters -> the length of its first token.
IN_TWO = {word.replace("|", ""): word.index("|") for word in _words("compounds", "in-two")}
# The same words in every mixture of small and capital letters: quicker to look up than to lower each word of a text.
IN_TWO_AS_WRITTEN = frozenset(
    "".join(cases) for word in IN_TWO for cases in product(*zip(word, word.upper(), strict=True))
)
WITH_MARK = _words("compounds", "with-mark")

PATH_DOMAINS = _words("web", "path-domains")

ENTITIES = _words("marks", "entities")
BRACKET_CODES = _words("marks", "bracket-codes")
EMOTICONS = _words("marks", "emoticons")

"""Parse queries of the corpus search into trees; errors point at the column.

::

    query   := or
    or      := and ("OR" and)*
    and     := not (("AND")? not)*
    not     := "NOT"? atom
    atom    := word | "phrase in quotes" | word* | (query) | like:DOCID | like:"example text" | profile:ID | filter
    filter  := date:2006-01-01..2006-06-30 | genre:nw,wl | source:XIN | lang:ar

A user's text is never handed to the engine unparsed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from lydite.errors import UsageError
from lydite.escaping import is_utf_8
from lydite.registry import did_you_mean
from lydite.report.text import shown_width
from lydite_corpus.analysis import words
from lydite_corpus.documents import normal_date

FIELDS = {"genre": "genre", "source": "source", "lang": "language"}
"""The field that each filter by value looks at; strata have the same names."""
_KEYS = ("like", "profile", "date", *FIELDS)
_OPERATORS = ("AND", "OR", "NOT")
_MAX_DEPTH = 50


class QueryError(UsageError):
    """A query, or a filter beside it, that cannot be parsed: what was expected, what was found, at which column."""

    def __init__(
        self, text: str, column: int, message: str, *, hint: str | None = None, name: str = "query"
    ) -> None:
        shown = "".join(character if character.isprintable() else " " for character in text)
        excerpt = (shown, " " * shown_width(shown[: column - 1]) + "^")
        super().__init__(f"{name}, column {column}: {message}", hint=hint, excerpt=excerpt)
        self.column = column
        """Counted in characters from 1."""


@dataclass(frozen=True, slots=True)
class Words:
    """A word or a phrase; with ``prefix``, the beginning of a word."""

    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True)
class Like:
    """Documents that share words with a document or a text."""

    text: str
    is_document: bool


@dataclass(frozen=True, slots=True)
class TargetNames:
    """The names of a target; ``column`` is where the query names the target."""

    target: str
    column: int


@dataclass(frozen=True, slots=True)
class Filter:
    """One of these values in a field; for dates, the range from the first to the second value."""

    field: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """Documents that do not match the child."""

    child: Node


@dataclass(frozen=True, slots=True)
class And:
    """Documents that match all children."""

    children: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Documents that match at least one child."""

    children: tuple[Node, ...]


Node = Words | Like | TargetNames | Filter | Not | And | Or


class _Token(NamedTuple):
    kind: str  # word, phrase, (, ), end
    text: str
    column: int
    key: str = ""

    @property
    def value_column(self) -> int:
        """Where the token begins behind its key and colon."""
        return self.column + (len(self.key) + 1 if self.key else 0)

    @property
    def text_column(self) -> int:
        """Where its text begins: of a phrase, behind the opening quote."""
        return self.value_column + (self.kind == "phrase")


def parse(query: str) -> Node:
    """Parse a query; raise :class:`QueryError` if that is impossible."""
    parser = _Parser(query)
    node = parser.parse_or(0)
    rest = parser.lookahead
    if rest.kind != "end":
        parser.fail(rest.column, "expected an opening parenthesis before, found only the closing one")
    return node


def parse_filter(key: str, value: str) -> Node:
    """Parse a filter given beside a query; blanks and quotes are part of the value."""
    # The value alone is the text: its key would stand before column 1.
    tokens = (_Token("word", value, -len(key), key), _Token("end", "", len(value) + 1))
    return _Parser(value, iter(tokens), name=f"filter {key}").parse_or(0)


_BARE_WORD = re.compile(r"[^\s()\"]+")
_KEY = re.compile(r"([A-Za-z]+):")


def _tokens(query: str) -> Iterator[_Token]:
    place = 0
    while True:
        while place < len(query) and query[place].isspace():
            place += 1
        column = place + 1
        if place == len(query):
            yield _Token("end", "", column)
            return
        character = query[place]
        if character in "()":
            yield _Token(character, character, column)
            place += 1
            continue
        key = _key_at(query, place)
        place += len(key) + 1 if key else 0
        if query[place : place + 1] == '"':
            end = query.find('"', place + 1)
            if end < 0:
                raise QueryError(query, place + 1, "expected a closing quote, found the end of the query")
            yield _Token("phrase", query[place + 1 : end], column, key)
            place = end + 1
            continue
        bare = _BARE_WORD.match(query, place)
        text = bare.group() if bare else ""
        yield _Token("word", text, column, key)
        place += len(text)


def _key_at(query: str, place: int) -> str:
    """Return the key that stands here before a colon, or "" if there is none; refuse unknown keys."""
    found = _KEY.match(query, place)
    if found is None:
        return ""
    if found[1] not in _KEYS:
        hint = did_you_mean(found[1], list(_KEYS)) or "put text with a colon in quotes"
        message = f"expected one of {', '.join(_KEYS)} before a colon, found {found[1]!r}"
        raise QueryError(query, place + 1, message, hint=hint)
    return found[1]


class _Parser:
    def __init__(self, text: str, tokens: Iterator[_Token] | None = None, *, name: str = "query") -> None:
        self._text, self._name = text, name
        for column, character in enumerate(text, 1):
            if not is_utf_8(character):
                self.fail(column, f"expected UTF-8 text, found {character!r}")
        self._tokens = _tokens(text) if tokens is None else tokens
        self.lookahead = next(self._tokens)

    def fail(self, column: int, message: str, *, hint: str | None = None) -> NoReturn:
        """Refuse the text at a column."""
        raise QueryError(self._text, column, message, hint=hint, name=self._name)

    def _advance(self) -> _Token:
        token = self.lookahead
        if token.kind != "end":
            self.lookahead = next(self._tokens)
        return token

    def _is_operator(self, operator: str) -> bool:
        return self.lookahead == _Token("word", operator, self.lookahead.column)

    def parse_or(self, depth: int) -> Node:
        """Parse ``or``; ``depth`` is the number of open parentheses."""
        children = [self._parse_and(depth)]
        while self._is_operator("OR"):
            self._advance()
            children.append(self._parse_and(depth))
        return children[0] if len(children) == 1 else Or(tuple(children))

    def _parse_and(self, depth: int) -> Node:
        children = [self._parse_not(depth)]
        while self.lookahead.kind not in {"end", ")"} and not self._is_operator("OR"):
            if self._is_operator("AND"):
                self._advance()
            children.append(self._parse_not(depth))
        return children[0] if len(children) == 1 else And(tuple(children))

    def _parse_not(self, depth: int) -> Node:
        if self._is_operator("NOT"):
            self._advance()
            return Not(self._parse_atom(depth))
        return self._parse_atom(depth)

    def _parse_atom(self, depth: int) -> Node:
        token = self._advance()
        if token.kind == "(":
            return self._parse_group(token, depth + 1)
        if token.kind in {"end", ")"} or (
            token.kind == "word" and not token.key and token.text in _OPERATORS
        ):
            found = {"end": "the end", ")": "a closing parenthesis"}.get(token.kind, token.text)
            self.fail(token.column, f"expected a word, a phrase or an opening parenthesis, found {found}")
        return self._parse_keyed(token) if token.key else self._parse_words(token)

    def _parse_group(self, opening: _Token, depth: int) -> Node:
        if depth > _MAX_DEPTH:
            self.fail(opening.column, f"expected at most {_MAX_DEPTH} nested parentheses, found more")
        node = self.parse_or(depth)
        if self._advance().kind != ")":
            self.fail(opening.column, "expected a closing parenthesis for this one, found the end")
        return node

    def _parse_words(self, token: _Token) -> Words:
        text = token.text
        star = text.find("*") if token.kind == "word" else -1
        prefix = star >= 0 and star == len(text) - 1
        if star >= 0 and not prefix:
            self.fail(token.text_column + star, "expected * at the end of a word only")
        if prefix and len(words(text)) > 1:
            hint = "put the words in quotes, without *"
            self.fail(token.column, "expected one word before *, found several", hint=hint)
        if not words(text):
            what = "letters or digits" if text else "a word in the quotes"
            self.fail(token.value_column, f"expected {what}, found {text!r}")
        return Words(text.removesuffix("*") if prefix else text, prefix)

    def _parse_keyed(self, token: _Token) -> Node:
        if not token.text:
            self.fail(token.value_column, f"expected a value after {token.key}:, found none")
        if token.key == "like":
            if token.kind == "phrase":
                self._parse_words(token)
            return Like(token.text, token.kind == "word")
        if token.key == "profile":
            return TargetNames(token.text, token.text_column)
        if token.key == "date":
            return Filter("date", self._parse_dates(token))
        return Filter(FIELDS[token.key], tuple(filter(None, map(str.strip, token.text.split(",")))))

    def _parse_dates(self, token: _Token) -> tuple[str, str]:
        first, dots, last = token.text.partition("..")
        dates = [self._parse_date(first, token.text_column)]
        dates.append(self._parse_date(last, token.text_column + len(first) + 2) if dots else dates[0])
        if all(dates) and dates[0] > f"{dates[1]}~":
            self.fail(token.text_column, f"expected the earlier date first, found {first} before {last}")
        if not any(dates):
            self.fail(token.text_column, "expected a date on at least one side of ..")
        return dates[0], dates[1]

    def _parse_date(self, text: str, column: int) -> str:
        date = normal_date(text) if text else ""
        if date is None:
            self.fail(column, f"expected a date such as 2006-03-14, found {text!r}")
        return date

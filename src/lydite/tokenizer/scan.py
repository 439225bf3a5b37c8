"""From text to tokens, in one pass; a long text in blocks.

Most tokens of ordinary prose are words before a blank or a comma, which no class can lengthen.
One expression finds them without asking the classes; everything else is decided by the longest
match among the few classes that can begin with this character and go on with that one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from lydite.tokenizer.characters import BLANK, BLANKS, KIND, LETTER, WORD
from lydite.tokenizer.classes import CLASSES, NEGATION
from lydite.tokenizer.stops import end_with_stop
from lydite.tokenizer.token import Token
from lydite.tokenizer.words import ABBREVIATIONS, CLITICS, IN_TWO, IN_TWO_AS_WRITTEN

_Match = Callable[[str, int], re.Match[str] | None]

# Groups of _STEP: lastindex tells which way a token goes.
_WORD, _WORD_BEFORE_STOP, _CERTAIN, _OTHER = 1, 2, 3, 4

_CLITIC = rf"['’](?:{'|'.join(CLITICS)})(?=[{BLANK}])"

_STEP = re.compile(
    # A word before what lengthens no word; a full stop may, if the word is an abbreviation.
    rf"([{LETTER}]++)(?=[{BLANK},;)\"]|{_CLITIC}|:[{BLANK}]|(\.)[{BLANK}])"
    # Marks, clitics and integers that no class can claim, given what stands behind them.
    rf"|([)\"\[\]{{}}%$|~\\/–—…]|,(?!\d)|\.(?=[{BLANK}][^.]|[)\"])|[:;](?=[{BLANK}])|\((?=[A-Za-z])"
    rf"|{_CLITIC}|[0-9]++(?=[{BLANK}][^\d(]))"
    r"|(?i:&nbsp;)"
    rf"|([^{BLANK}])"
)

_NEXT = re.compile(rf"(?i:&nbsp;)|([^{BLANK}])")
_BEGINS_TOKEN = frozenset({"letter", "digit", "mark", "rule"})

_RUN = re.compile(f"[{WORD}]++")
_NEGATION = re.compile(NEGATION)


_BY_MARK: dict[str, list[_Match]] = {}
_AFTER_LETTER: dict[str, list[_Match]] = {}
_AFTER_DIGIT: dict[str, list[_Match]] = {}
"""The classes that are worth trying at a mark, or behind a first run of letters and digits, by what stands there."""

for _, _pattern, *_places in CLASSES:
    _match = re.compile(_pattern).match
    for _table, _characters in zip((_BY_MARK, _AFTER_LETTER, _AFTER_DIGIT), _places, strict=True):
        for _character in _characters:
            _table.setdefault(_character, []).append(_match)

# NamedTuple's own constructor unpacks and packs its arguments once more: a third of the time.
_token = partial(tuple.__new__, Token)


def iter_tokens(text: str) -> Iterator[Token]:
    """The tokens of ``text`` in order, one at a time, without extra separators."""
    position = 0
    while True:
        for found in _STEP.finditer(text, position):
            start, end = found.span()
            token = found[0]
            group = found.lastindex
            if (
                (group == _WORD and token not in IN_TWO_AS_WRITTEN)
                or group == _CERTAIN
                or (
                    group == _WORD_BEFORE_STOP
                    and len(token) > 1
                    and token not in ABBREVIATIONS
                    and token not in IN_TWO_AS_WRITTEN
                )
            ):
                yield _token((start, end, token))
            elif group is not None:
                token_end = _end_of_token(text, start)
                if token_end > start:
                    yield _token((start, token_end, text[start:token_end]))
                    if token_end != end:
                        position = token_end
                        break
        else:
            return


def iter_tokens_plainly(text: str) -> Iterator[Token]:
    """The same tokens, each decided by the classes alone: the definition of ``iter_tokens``."""
    position = 0
    while found := _NEXT.search(text, position):
        start, position = found.span()
        end = _end_of_token(text, start) if found.lastindex else start
        if end > start:
            yield _token((start, end, text[start:end]))
            position = end


def _end_of_token(text: str, start: int) -> int:
    """Where the token that begins at ``start`` ends; ``start`` itself if none begins there."""
    run = _RUN.match(text, start)
    if run:
        return _end_of_word(text, start, run.end())
    if KIND[text[start]] in _BEGINS_TOKEN:
        return _longest(_BY_MARK.get(text[start], ()), text, start, start + 1)
    return start


def _end_of_word(text: str, start: int, run_end: int) -> int:
    table = _AFTER_DIGIT if KIND[text[start]] == "digit" else _AFTER_LETTER
    end = _longest(table.get(text[run_end : run_end + 1], ()), text, start, run_end)
    if text.startswith(".", end):
        end = end_with_stop(text, start, end)
    if end > start + 1 and _NEGATION.match(text, end - 1):
        return end - 1
    return start + IN_TWO.get(text[start:end].lower(), end - start)


def _longest(matches: Iterable[_Match], text: str, start: int, end: int) -> int:
    for match in matches:
        found = match(text, start)
        if found and found.end() > end:
            end = found.end()
    return end


_NO_SEAM = BLANKS | {"."}


def cut_at_seams(pieces: Iterable[str]) -> Iterator[str]:
    """The text that comes in ``pieces``, cut anew behind line feeds where no token rule looks across.

    A block is about as long as a piece, unless a piece has no such line feed; its tokens are those that the whole text
    has there.  No token goes over a line feed, and behind a word no rule looks beyond one.  Behind a full stop some do
    (``U.S.``, a line feed, ``He``), so a block never ends with a full stop and blanks.
    """
    pending: list[str] = []
    for piece in pieces:
        seam = _last_seam(piece)
        if seam:
            yield "".join((*pending, piece[:seam]))
            pending = []
        if seam < len(piece):
            pending.append(piece[seam:])
    if pending:
        yield "".join(pending)


def _last_seam(piece: str) -> int:
    """The place behind the last line feed at which ``piece`` can be cut; 0 if there is none."""
    feed = piece.rfind("\n")
    while feed > 0:
        before = piece[feed - 2 : feed - 1] if piece[feed - 1] == "\r" else piece[feed - 1]
        if before and before not in _NO_SEAM:
            return feed + 1
        feed = piece.rfind("\n", 0, feed)
    return 0

"""Misspelt names in files: of elements and attributes of XML, and of keys of JSON.

A reader looks for the names that it knows and would skip ``<elementSecod>`` like a layer that it does not read.  So the
names in a file are compared with those of its format.  A misspelling of a known name is an error: its content is lost.
Every other unknown name is a warning at most; files of other programs hold more than is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding, Location
from lydite.formats.safe_xml import OPTIONS, line_of, plain_name, unnamed_stream
from lydite.formats.source import CHUNK, SourcePart

if TYPE_CHECKING:
    from lxml.etree import _Element

LONGEST_NAME = 256
"""No name is longer than this many bytes: the last ones of a chunk are searched again with the next chunk."""

MISSPELT = "misspelt-name"
"""The code of the finding about a misspelling of a known name, whose content is lost."""

MOST_UNKNOWN_NAMES = 1000
"""If a file has more unknown names (roles, features), they are reported with one finding."""

_ELEMENT = re.compile(rb"<([A-Za-z_][^ \t-\r/>]{0,100})(?=[ \t-\r/>])")
_BEHIND_NAME = re.compile(rb"[ \t-\r/>]")
_ATTRIBUTE = re.compile(rb"[A-Za-z_][\w.:-]{0,100}")
_KEY = re.compile(rb'"((?:[^"\\]|\\.){1,100})"\s*:')


def _xml_names(data: bytes) -> Iterator[bytes]:
    """Words behind an angle bracket, and words before an equals sign and a quotation mark.

    Cut at quotation marks, and then before angle brackets, a file is for the most part the same few pieces; each is
    looked at once.  Where every other piece ends in an equals sign, and no element begins in those between them, these
    are values.
    """
    pieces = data.replace(b"'", b'"').split(b'"')
    last = pieces.pop()
    outside, values = set(pieces[::2]), pieces[1::2]
    tags = _tags(outside, last)
    if b"<" in b"".join(values) or not all(tag.endswith(b'="') for tag in tags if tag.endswith(b'"')):
        tags = _tags(outside.union(values), last)
    yield from _ELEMENT.findall(b" <".join([b"", *tags]))
    for tag in tags:
        head = tag[:-1].rstrip()
        if tag[-1:] == b'"' and head[-1:] == b"=":
            before = head[:-1].rstrip()
            name = before.rsplit(None, 1)[-1] if before else b""
            if len(name) < len(before) and _ATTRIBUTE.fullmatch(name):
                yield name


def _tags(pieces: Iterable[bytes], last: bytes) -> set[bytes]:
    """What lies between angle brackets; where a piece ends, all but the last one, a quotation mark shows it.

    A name that the end of the data cuts off is none of them: the next chunk has it whole.
    """
    *tags, end = (b">" + b'"<>'.join([*pieces, last])).split(b"<")
    return {*tags, end} if _BEHIND_NAME.search(end) else set(tags)


class FormatNames(NamedTuple):
    """The names of a format, and others that its files may have."""

    kind: str
    """``xml`` or ``json``."""
    known: frozenset[str]
    others: frozenset[str] = frozenset()
    """Names of layers that are not read; some are so similar to known ones that they would be taken for misspellings."""
    closed: bool = False
    """Whether every other name is a finding, not misspellings alone."""
    free_under: frozenset[str] = frozenset()
    """Keys whose objects have keys that are data: roles, ids."""
    any_case: bool = False
    """Whether the reader takes names in any case."""

    def likely(self, name: str, written: Collection[str] = ()) -> str | None:
        """The known name that was probably meant; empty for another unknown name; None if nothing is wrong.

        A name with one word more or less (``predicted_clusters``) may be right or wrong: it is taken for a known name
        only if the file has no such name (``written`` are its names).
        """
        spelt = name.lower() if self.any_case else name
        if spelt in _accepted_names(self) or spelt.startswith(("xmlns", "xml")):
            return None
        near = _misspelt_name(self, spelt.lower()) or next(
            (one for one in _names_with_a_word_more_or_less(self, name) if one not in written), ""
        )
        return near if near or self.closed else None

    def is_lost(self, name: str) -> bool:
        """Whether a name is certainly a misspelling; not for names of three letters (``cid``, ``tid``), which are many."""
        return any(len(one) > SHORT_NAME and is_misspelt(name.lower(), one.lower()) for one in self.known)


# The files of a corpus have the same names, so that results are kept for the next file.


@lru_cache(maxsize=64)
def _accepted_names(names: FormatNames) -> frozenset[str]:
    every = names.known | names.others
    return frozenset(name.lower() for name in every) if names.any_case else every


@lru_cache(maxsize=1 << 12)
def _misspelt_name(names: FormatNames, name: str) -> str:
    """The first known name of which this one is a misspelling; empty if there is none."""
    return next((one for one in sorted(names.known) if is_misspelt(name, one.lower())), "")


@lru_cache(maxsize=1 << 12)
def _names_with_a_word_more_or_less(names: FormatNames, name: str) -> tuple[str, ...]:
    """The known names with one word more or less."""
    return tuple(one for one in sorted(names.known) if differ_by_a_word(name, one))


def xml_names(known: str, others: str = "", *, closed: bool = False, any_case: bool = False) -> FormatNames:
    """Names of elements and attributes, written with blanks between them."""
    return FormatNames("xml", _split(known), _split(others), closed=closed, any_case=any_case)


def json_names(known: str, others: str = "", *, closed: bool = False, free_under: str = "") -> FormatNames:
    """Keys, written with blanks between them."""
    return FormatNames("json", _split(known), _split(others), closed=closed, free_under=_split(free_under))


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


SHORT_NAME = 3
LONG_NAME = 6
"""Names of at least so many letters may differ by two edits; shorter ones would be taken for each other."""
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


def is_misspelt(name: str, known: str) -> bool:
    """Whether two names differ by one letter inserted, deleted, changed or moved by one at most; by two in long names."""
    if len(known) < SHORT_NAME:
        return name == known
    most = 2 if min(len(name), len(known)) >= LONG_NAME else 1
    return abs(len(name) - len(known)) <= most and _edit_distance(name, known, most) <= most


def _edit_distance(name: str, known: str, most: int) -> int:
    """How many letters were inserted, deleted, changed or moved by one; ``most + 1`` for any number above ``most``."""
    before: list[int] = []
    last = list(range(len(known) + 1))
    for row, letter in enumerate(name, 1):
        here = [row]
        for column, other in enumerate(known, 1):
            cost = min(last[column] + 1, here[-1] + 1, last[column - 1] + (letter != other))
            if row > 1 and column > 1 and letter == known[column - 2] and name[row - 2] == other:
                cost = min(cost, before[column - 2] + 1)
            here.append(cost)
        if min(here) > most:
            return most + 1
        before, last = last, here
    return last[-1]


def differ_by_a_word(name: str, known: str) -> bool:
    """Whether one of two names is the other with one word more: ``event_ids`` and ``ids``, ``holder`` and ``opinionHolder``."""
    one, other = _words_of_name(name), _words_of_name(known)
    if abs(len(one) - len(other)) != 1 or not one or not other:
        return False
    longer, shorter = (one, other) if len(one) > len(other) else (other, one)
    # One short word, which many names share, is not enough.
    return (len(shorter) > 1 or len(shorter[0]) >= LONG_NAME) and any(
        longer[:place] + longer[place + 1 :] == shorter for place in range(len(longer))
    )


def _words_of_name(name: str) -> list[str]:
    return [word.lower() for word in _WORDS.findall(name)]


def refuse_misspelt_keys(entry: Mapping[str, object], known: Collection[str]) -> None:
    """Raise a :class:`ValueError` for a key that is a misspelling of a known one; other unknown keys are allowed."""
    for key in entry:
        near = "" if key in known else next((one for one in known if is_misspelt(key.lower(), one)), "")
        if near:
            raise ValueError(f"expected the key {near!r}, found {key!r}; its value would be lost")


ExpectedChildren = Mapping[str, Collection[str]]
"""By the name of an element, in lower case, the names of the elements that may stand in it."""


def misplaced(root: _Element, children: ExpectedChildren) -> Iterator[tuple[int | None, str]]:
    """Line and message for each element with a known name in a wrong place, such as a plural that lost its ``s``.

    Elements with other names belong to layers that are not read.
    """
    known = {*children, *chain.from_iterable(children.values())}
    for node in root.iter():
        expected = children.get(plain_name(node.tag))
        for child in node if expected is not None else ():
            name = plain_name(child.tag)
            if expected is not None and name in known and name not in expected:
                place = f"expected {' or '.join(map(repr, sorted(expected)))} in {plain_name(node.tag)!r}"
                yield line_of(child), f"{place}, found {name!r}; its content is not read"


class WrittenNames:
    """Everything that looks like a name in the files of a source, noted while these are read."""

    def __init__(self, names: FormatNames) -> None:
        self._names = names
        self._written: dict[int, set[bytes]] = {}
        self._rest = b""

    def see(self, number: int, data: bytes) -> None:
        """Note the names in the next bytes of the file with that number."""
        if number not in self._written:
            self._written[number], self._rest = set(), b""
        find: Callable[[bytes], Iterable[bytes]] = _xml_names if self._names.kind == "xml" else _KEY.findall
        for start in range(0, len(data), CHUNK):
            piece = self._rest + data[start : start + CHUNK]
            self._written[number].update(find(piece))
            self._rest = piece[-LONGEST_NAME:]

    def findings(self, parts: Sequence[SourcePart]) -> Iterator[Finding]:
        """A finding for each name of each file that is likely misspelt, at the first line where it stands."""
        for number, written in sorted(self._written.items()):
            if self._names.kind == "xml":
                decoded = {name.decode("utf-8", "replace").rpartition(":")[2] for name in written}
            else:
                decoded = set(map(_decoded, written))
            yield from _misspelt_names_in(parts[number], decoded, self._names)


def _misspelt_names_in(part: SourcePart, written: set[str], names: FormatNames) -> list[Finding]:
    unknown = written - names.known - names.others
    if len(unknown) > MOST_UNKNOWN_NAMES:
        message = f"expected the names of the format, found {len(unknown)} others"
        return [Finding("unknown-name", "warning", message, Location(part.path))]
    suspects = {name: likely for name in unknown if (likely := names.likely(name, written)) is not None}
    if not suspects:
        return []
    # Only a parser can tell a name from the same letters in a text; it is used only if there are suspects.
    places = (
        _xml_lines(part, suspects) if names.kind == "xml" else _json_lines(part, suspects, names.free_under)
    )
    return [_finding(part, name, line, suspects[name], names) for name, line in places.items()]


def _finding(part: SourcePart, name: str, line: int, likely: str, names: FormatNames) -> Finding:
    what = "an element or attribute" if names.kind == "xml" else "a key"
    is_lost = names.is_lost(name)
    return Finding(
        MISSPELT if is_lost else "unknown-name",
        "error" if is_lost else "warning",
        f"expected {what} of the format, found {name!r}; its content is not read",
        Location(part.path, line),
        item=name,
        hint=f"did you mean {likely!r}?"
        if likely
        else "the page of the format lists the names that are read",
    )


def _decoded(name: bytes) -> str:
    text = name.decode("utf-8", "replace")
    if "\\" not in text:
        return text
    import json

    try:
        return str(json.loads(f'"{text}"'))
    except ValueError:
        return text


def _xml_lines(part: SourcePart, suspects: Collection[str]) -> dict[str, int]:
    """The suspects that are names, each with its first line; none if the file is not XML, which the reader reports."""
    from lxml import etree

    places: dict[str, int] = {}
    with part.open() as stream:
        options = {**OPTIONS, "huge_tree": True}
        elements = etree.iterparse(unnamed_stream(stream), events=("start", "end"), **options)
        try:
            for event, node in elements:
                if event == "end":
                    node.clear(keep_tail=False)
                    continue
                for qualified in (node.tag, *node.attrib):
                    name = str(qualified).rpartition("}")[2]
                    if name in suspects:
                        places.setdefault(name, node.sourceline or 1)
        except etree.XMLSyntaxError:
            return {}
    return places


def _json_lines(part: SourcePart, suspects: Collection[str], free_under: Collection[str]) -> dict[str, int]:
    import json

    places: dict[str, int] = {}
    with part.open() as stream:
        for number, line in enumerate(stream, 1):
            try:
                keys = set(_keys(json.loads(line), free_under))
            except (ValueError, RecursionError):
                continue
            for name in sorted(keys.intersection(suspects)):
                places.setdefault(name, number)
    return places


def _keys(value: object, free_under: Collection[str]) -> Iterator[str]:
    """Every key at any depth, except keys that are data (``free_under``)."""
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict | list):
                yield from _keys(item, free_under)
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key in free_under and isinstance(inner, dict):
                yield from _keys(list(inner.values()), free_under)
            else:
                yield from _keys(inner, free_under)

"""Accidents and attacks on the bytes of a file, drawn from a seeded generator.

Those in ``REWORDINGS`` lose nothing: every word that stood in the file still stands there, perhaps misspelt, perhaps in
another column.  A reader that gives fewer items for such a file, and no finding, has lost something in silence.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from damage import JUNK

Mutation = Callable[[Random, bytes], bytes]

ESCAPES = (b"\x1b[31m", b"\x1b]0;x\x07", b"\r", b"\x08", b"\x7f", b"\xc2\x9b", b"\xe2\x80\xae")
"""What a terminal obeys."""
NUMBERS = (
    *(b"-1", b"0", b"4294967296", b"9" * 12, b"9" * 18, b"9" * 19, b"9" * 400, b"-9223372036854775809"),
    *(b"1e308", b"1e999", b"1.5", b"nan", b"-Infinity", b"true", b"null", b""),
    *(b"1_0", b"+1", b" 1", b"0x1", b"007", "٣".encode()),
)
"""What Python, a spreadsheet or another program takes for a number, or nearly."""
_DIGITS = re.compile(rb"\d+")
_NAME = re.compile(rb"[A-Za-z]{3,}")


def _splice(random: Random, content: bytes) -> bytes:
    place = random.randint(0, len(content))
    junk = random.choice((*JUNK, *ESCAPES, random.randbytes(random.randint(1, 4))))
    return content[:place] + junk + content[place + random.choice((0, 0, 1, 6)) :]


def _number(random: Random, content: bytes) -> bytes:
    places = list(_DIGITS.finditer(content))
    if not places:
        return content
    found = random.choice(places)
    return content[: found.start()] + random.choice(NUMBERS) + content[found.end() :]


def _flip(random: Random, content: bytes) -> bytes:
    place = random.randrange(len(content)) if content else 0
    return (
        content[:place]
        + bytes(byte ^ random.randint(1, 255) for byte in content[place : place + 1])
        + content[place + 1 :]
    )


def _cut(random: Random, content: bytes) -> bytes:
    """A file that ends too early, as often as not behind a whole line."""
    end = random.randint(0, len(content))
    return content[: content.rfind(b"\n", 0, end) + 1] if random.random() < 0.5 else content[:end]


def _pieces(separator: bytes) -> Mutation:
    """Drop, double, empty, cut, move or swap one piece between separators."""

    def mutate(random: Random, content: bytes) -> bytes:
        pieces = content.split(separator)
        place, other = random.randrange(len(pieces)), random.randrange(len(pieces))
        piece = pieces[place]
        match random.randrange(6):
            case 0:
                del pieces[place]
            case 1:
                pieces.insert(other, piece)
            case 2:
                pieces[place] = b""
            case 3:
                pieces[place] = piece[: random.randint(0, len(piece))]
            case 4:
                pieces[place], pieces[other] = pieces[other], piece
            case _:
                pieces[place] = random.choice((*JUNK, *ESCAPES))
        return separator.join(pieces)

    return mutate


def _repeat(random: Random, content: bytes) -> bytes:
    """A piece many times over: what costs more than its size shows here."""
    start = random.randint(0, len(content))
    piece = content[start : start + random.randint(1, 40)]
    return content[:start] + piece * random.choice((50, 500, 2000)) + content[start:]


SHAPES: tuple[object, ...] = (
    None,
    True,
    7,
    -1,
    1.5,
    10**30,
    "",
    "x",
    "\ud800",
    [],
    {},
    [[]],
    [1, "x"],
    {"x": 1},
)
"""What may stand in JSON where something else is expected."""


def _reshape(random: Random, content: bytes) -> bytes:
    """One value of JSON, or of a line of it, becomes one of another shape, or goes, or its key becomes another."""
    lines = content.split(b"\n")
    place = random.randrange(len(lines))
    for start, end in ((0, len(lines)), (place, place + 1)):
        try:
            value = json.loads(b"\n".join(lines[start:end]))
        except (ValueError, RecursionError):
            continue
        lines[start:end] = [json.dumps(_reshaped(random, value)).encode()]
        return b"\n".join(lines)
    return content


def _reshaped(random: Random, value: object) -> object:
    if isinstance(value, list | dict) and value and random.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else range(len(value))
        key: Any = random.choice(keys)
        changed: Any = value.copy()
        match random.randrange(8):
            case 0:
                del changed[key]
            case 1 if isinstance(changed, dict):
                changed[key + "s"] = changed.pop(key)
            case _:
                changed[key] = _reshaped(random, changed[key])
        return changed
    return random.choice(SHAPES)


def _encode(random: Random, content: bytes) -> bytes:
    name = random.choice(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500", "latin-1"))
    return content.decode("utf-8", "replace").encode(name, "replace")


def _join(random: Random, content: bytes) -> bytes:
    """A line end becomes something else."""
    places = [place for place, byte in enumerate(content) if byte == 0x0A]
    if not places:
        return content
    place = random.choice(places)
    return content[:place] + random.choice((b"\t", b" ", b"", b"\r", b"\0", b"\x0c")) + content[place + 1 :]


def _join_all(random: Random, content: bytes) -> bytes:
    return content.replace(b"\n", random.choice((b"\r", b"\t", b" ", b"\0", b"\xe2\x80\xa8")))


def _misspell(random: Random, content: bytes) -> bytes:
    """One letter of a name goes, comes or changes."""
    names = list(_NAME.finditer(content))
    if not names:
        return content
    place = random.randrange(*random.choice(names).span())
    letter = content[place : place + 1]
    return content[:place] + random.choice((b"", letter * 2, b"x", letter.swapcase())) + content[place + 1 :]


def _widen(random: Random, content: bytes) -> bytes:
    """One more column somewhere."""
    lines = content.split(b"\n")
    place = random.randrange(len(lines))
    columns = lines[place].split(b"\t")
    columns.insert(random.randint(0, len(columns)), random.choice((b"x", b"_", b"0", b"")))
    lines[place] = b"\t".join(columns)
    return b"\n".join(lines)


def _retab(random: Random, content: bytes) -> bytes:
    """A tab becomes a blank, or a blank a tab."""
    old, new = random.choice(((b"\t", b" "), (b" ", b"\t"), (b"\t", b"\t\t")))
    places = [found.start() for found in re.finditer(re.escape(old), content)]
    if not places:
        return content
    place = random.choice(places)
    return content[:place] + new + content[place + 1 :]


_TAG = re.compile(rb"<([A-Za-z_][\w.-]*)[^<>]*>")


def _rename(random: Random, content: bytes) -> bytes:
    """An element gets another name, and its end tag with it: misspelt, or that of the list it stands in."""
    tags = list(_TAG.finditer(content))
    if not tags:
        return _misspell(random, content)
    tag = random.choice(tags)
    name = tag[1]
    place = random.randrange(len(name))
    letter = name[place : place + 1]
    other = random.choice(
        (
            name + b"s",
            name[:-1] or b"x",
            name.swapcase(),
            name[:place] + random.choice((letter * 2, b"x", letter.swapcase())) + name[place + 1 :],
        )
    )
    renamed = b"<" + other + tag[0][1 + len(name) :]
    rest = content[tag.end() :]
    if not tag[0].endswith(b"/>"):
        rest = rest.replace(b"</" + name + b">", b"</" + other + b">", 1)
    return content[: tag.start()] + renamed + rest


def _say_twice(random: Random, content: bytes) -> bytes:
    """A key of a line of JSON stands there once more, with nothing behind it."""
    lines = content.split(b"\n")
    place = random.randrange(len(lines))
    try:
        keys = list(json.loads(lines[place]))
    except (ValueError, TypeError, RecursionError):
        return _misspell(random, content)
    if keys and isinstance(keys[0], str):
        again = json.dumps(random.choice(keys)).encode() + random.choice(
            (b": []", b": null", b': ""', b": {}")
        )
        lines[place] = lines[place].rstrip().removesuffix(b"}") + b", " + again + b"}"
    return b"\n".join(lines)


REWORDINGS: tuple[Mutation, ...] = (
    *(_join, _join, _join_all),
    *(_misspell, _misspell, _misspell, _rename, _say_twice),
    *(_widen, _retab),
)
DAMAGES: tuple[Mutation, ...] = (
    _splice,
    _splice,
    _number,
    _flip,
    _cut,
    _pieces(b"\n"),
    _pieces(b"\t"),
    _pieces(b'"'),
    _pieces(b">"),
    _pieces(b","),
    _pieces(b" "),
    _repeat,
    _encode,
    _reshape,
    _reshape,
    *REWORDINGS,
)


OPENINGS = (
    *(
        b"(",
        b"[",
        b"{",
        b'"',
        b"'",
        b"<",
        b"a",
        b"1",
        b" ",
        b",",
        b";",
        b"-",
        b"#",
        b"&",
        b"\\",
        b"\t",
        b"\n",
        b"=",
        b"|",
        b".",
    ),
    *(
        b"(a",
        b"a)",
        b"[1",
        b"1,",
        b"1-",
        b"1/",
        b"a ",
        b"a\t",
        b"a\n",
        b"\n\n",
        b"<a ",
        b"<a>",
        b"<!",
        b'="',
        b'{"a":',
        b"\r",
    ),
    *("é".encode(), "\u2028".encode()),
)
"""What opens something, stands between others or goes on, and nothing closes it."""
_BEFORE_LONG = re.compile(rb"[\t\n \"'>,;:=(\[{-]|^")


def unclosed(random: Random, content: bytes) -> tuple[bytes, bytes, bytes]:
    """A piece that may be repeated without end at some place of the content, and what stands before and behind it."""
    place = random.choice([*_BEFORE_LONG.finditer(content)]).end()
    rest = random.choice((content[place:], content[place:], b"", b"\n" + content[place:]))
    return content[:place], random.choice(OPENINGS), rest


def damaged(random: Random, content: bytes) -> bytes:
    """The content after one to four accidents."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice(DAMAGES)(random, content)
    return content


def reworded(random: Random, content: bytes) -> bytes:
    """The content after one accident that drops no word."""
    return random.choice(REWORDINGS)(random, content)

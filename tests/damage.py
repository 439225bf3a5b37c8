"""Files as accidents leave them: bytes flipped, lines lost or doubled, columns gone, tags cut, encodings broken."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

JUNK = (
    b"\t",
    b"\n",
    b"\r",
    b'"',
    b"[",
    b"}",
    b"<",
    b"/>",
    b"&",
    b"&x;",
    b"#",
    b"-",
    b"-1",
    b"0",
    b"nan",
    b"1e308",
    b"9" * 30,
    b"9" * 400,
    b"9" * 5000,
    b"\0",
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc2\xb2",
    b"\xd9\xa3",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
)
"""What readers stumble over: separators, numbers out of any range, digits that are no ASCII, half characters."""

Damage = Callable[[st.DrawFn, bytes], bytes]


def _splice(draw: st.DrawFn, content: bytes) -> bytes:
    place = draw(st.integers(0, len(content)))
    junk = draw(st.one_of(st.binary(max_size=4), st.sampled_from(JUNK)))
    return content[:place] + junk + content[place + draw(st.integers(0, 6)) :]


def _flip(draw: st.DrawFn, content: bytes) -> bytes:
    place = draw(st.integers(0, max(len(content) - 1, 0)))
    return (
        content[:place]
        + bytes(byte ^ draw(st.integers(1, 255)) for byte in content[place : place + 1])
        + (content[place + 1 :])
    )


def _number(draw: st.DrawFn, content: bytes) -> bytes:
    """Another number where one stood: places alone would seldom hit one."""
    places = [place for place, byte in enumerate(content) if byte in b"0123456789"]
    if not places:
        return content
    place = draw(st.sampled_from(places))
    return content[:place] + draw(st.sampled_from(JUNK)) + content[place + 1 :]


def _lines(draw: st.DrawFn, content: bytes) -> bytes:
    lines = content.split(b"\n")
    place = draw(st.integers(0, len(lines) - 1))
    line = lines[place]
    kept = draw(st.sampled_from(([], [line, line], [line[: draw(st.integers(0, len(line)))]])))
    return b"\n".join([*lines[:place], *kept, *lines[place + 1 :]])


def _columns(draw: st.DrawFn, content: bytes) -> bytes:
    lines = content.split(b"\n")
    place = draw(st.integers(0, len(lines) - 1))
    columns = lines[place].split(b"\t")
    column = draw(st.integers(0, len(columns) - 1))
    columns[column : column + 1] = draw(st.sampled_from(([], [b""], [b"", b""], [columns[column]] * 2)))
    lines[place] = b"\t".join(columns)
    return b"\n".join(lines)


def _attribute(draw: st.DrawFn, content: bytes) -> bytes:
    """Another value, or none, between two quotes."""
    pieces = content.split(b'"')
    if len(pieces) < 3:
        return content
    place = 2 * draw(st.integers(0, (len(pieces) - 3) // 2)) + 1
    pieces[place] = draw(st.sampled_from((b"", b" ", pieces[place - 2] if place > 2 else b"x", *JUNK)))
    return b'"'.join(pieces)


def _tag(draw: st.DrawFn, content: bytes) -> bytes:
    pieces = content.split(b">")
    place = draw(st.integers(0, len(pieces) - 1))
    kept = draw(st.sampled_from(([], [pieces[place]] * 2, [pieces[place][: len(pieces[place]) // 2]])))
    return b">".join([*pieces[:place], *kept, *pieces[place + 1 :]])


def _cut(draw: st.DrawFn, content: bytes) -> bytes:
    return content[: draw(st.integers(0, len(content)))]


def _encode(draw: st.DrawFn, content: bytes) -> bytes:
    name = draw(st.sampled_from(("utf-16", "utf-16-le", "utf-32", "utf-8-sig", "utf-7", "cp500")))
    return content.decode("utf-8", "replace").encode(name, "replace")


def _empty(_draw: st.DrawFn, _content: bytes) -> bytes:
    return b""


DAMAGES: tuple[Damage, ...] = (
    _splice,
    _number,
    _attribute,
    _lines,
    _columns,
    _tag,
    _flip,
    _cut,
    _encode,
    _empty,
)


@st.composite
def damaged(draw: st.DrawFn, content: bytes, *, most: int = 3) -> bytes:
    """The content after at most that many accidents."""
    for _ in range(draw(st.integers(0, most))):
        content = draw(st.sampled_from(DAMAGES))(draw, content)
    return content

"""The summary document (``lydite.summary/1``) as bytes, piece by piece, since it may not fit into memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lydite.model import Summary
from lydite.spool import encode, encode_records, indent


class _Members(NamedTuple):
    """An object that is written member by member."""

    values: Mapping[str, object]


def pieces(summary: Summary, *, more: Mapping[str, object]) -> Iterator[bytes]:
    """The document, indented by two blanks; ``more`` is added to its diagnosis."""
    diagnosis = {**summary.diagnosis, **more}
    for name in ("documents", "standing"):
        if name in diagnosis:
            diagnosis[name] = encode_records(diagnosis[name])
    members = summary.head() | {
        "scores": (encode(row.to_dict()) for row in summary.rows),
        "diagnosis": _Members(diagnosis),
        "findings": [finding.to_dict() for finding in summary.findings],
    }
    yield from _object(members, b"\n")
    yield b"\n"


def _object(members: Mapping[str, object], margin: bytes) -> Iterator[bytes]:
    inner = margin + b"  "
    before = b"{" + inner
    for key, value in members.items():
        yield before + encode(key) + b": "
        yield from _value(value, inner)
        before = b"," + inner
    yield margin + b"}" if members else b"{}"


def _value(value: object, margin: bytes) -> Iterator[bytes]:
    """A value; an iterator of encoded items is written as a list, item by item."""
    if isinstance(value, Iterator):
        yield from _array(value, margin)
    elif isinstance(value, _Members):
        yield from _object(value.values, margin)
    else:
        yield _indented(encode(value), margin)


def _array(items: Iterable[bytes], margin: bytes) -> Iterator[bytes]:
    inner = margin + b"  "
    before, end = b"[" + inner, b"[]"
    for item in items:
        yield before
        yield _indented(item, inner)
        before, end = b"," + inner, margin + b"]"
    yield end


def _indented(json: bytes, margin: bytes) -> bytes:
    # Line breaks inside texts are escapes, so all others belong to the layout.
    return indent(json).replace(b"\n", margin)

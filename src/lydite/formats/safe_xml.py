"""XML as lydite reads it: bytes in, no entities, no DTD, no network, and a place for every error."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from lydite.errors import FormatError, Location, refuse
from lydite.formats.source import SourcePart
from lydite.formats.text import encoding_findings
from lydite.resource_limits import hint_to_raise, limit

if TYPE_CHECKING:
    from lxml.etree import _Element

OPTIONS: Mapping[str, Any] = {
    "resolve_entities": False,
    "no_network": True,
    "load_dtd": False,
    "dtd_validation": False,
    "remove_comments": True,
    "remove_pis": True,
    "huge_tree": False,
}


def has_tag(tag: bytes, head: bytes) -> bool:
    """Whether the first bytes of a file hold a tag that begins so; ``tag`` is in small letters, the file in any case."""
    return tag in head.lower()


def local_name(node: _Element) -> str:
    """The name of an element in lower case and without namespace."""
    return plain_name(node.tag)


@cache
def plain_name(tag: object) -> str:
    """A name in lower case and without namespace; the name of a node that is not an element is empty."""
    # Unresolved entity references are nodes whose tag is a function.
    return tag.rpartition("}")[2].lower() if isinstance(tag, str) else ""


def children(node: _Element, name: str) -> list[_Element]:
    """The direct children of that name."""
    return [child for child in node if local_name(child) == name]


def line_of(node: _Element) -> int | None:
    """The line of the file on which an element begins."""
    line: object = node.sourceline
    return line if isinstance(line, int) else None


def attributes(node: _Element) -> dict[str, str]:
    """The attributes, names in lower case and without namespace, values trimmed; the first of a name counts."""
    if len(node.attrib) > limit("attributes"):
        # The time of the parser grows with the square of their number.
        message = f"an element has {len(node.attrib)} attributes, more than {limit('attributes')}"
        place = Location(str(node.getroottree().docinfo.URL or ""), line_of(node))
        raise refuse(place, "too-large", message, hint=hint_to_raise("attributes"))
    found: dict[str, str] = {}
    for name, value in node.items():
        found.setdefault(plain_name(name), str(value).strip())
    return found


def unnamed_stream(stream: BinaryIO) -> BinaryIO:
    """The stream without its name, for the parser, which accepts only names that are UTF-8."""
    return cast("BinaryIO", SimpleNamespace(read=stream.read))


def closed_elements(
    part: SourcePart, *names: str, at_end: Callable[[_Element], None] | None = None
) -> Iterator[_Element]:
    """Yield the elements of these names (given in lower case, found in any case) when they are closed.

    Each element is emptied when the next one is asked for, so that the tree is never in memory as a whole.  Ill-formed
    XML and entity declarations raise :class:`FormatError` with file, line and column.  ``at_end`` is called with the
    root, which holds the elements that were not emptied.
    """
    from lxml import etree

    with part.open() as stream:
        tags = [f"{{*}}{name}" for name in _cases(names)]
        context = etree.iterparse(unnamed_stream(stream), events=("end",), tag=tags, **OPTIONS)
        try:
            for number, (_, node) in enumerate(context):
                if not number:
                    _refuse_entities(part, node)
                    node.getroottree().docinfo.URL = _printable_path(part)
                yield node
                node.clear(keep_tail=False)
        except etree.XMLSyntaxError as error:
            raise ill_formed(part, error) from None
        if context.root is not None:
            _refuse_entities(part, context.root)
            if at_end is not None:
                at_end(context.root)


def _printable_path(part: SourcePart) -> str:
    """The path of the file for messages, in UTF-8."""
    return part.path.encode("utf-8", "backslashreplace").decode("utf-8")


@cache
def _cases(names: tuple[str, ...]) -> list[str]:
    """The names in all mixtures of lower and upper case: the parser cannot ignore case itself."""
    return ["".join(letters) for name in names for letters in product(*zip(name, name.upper(), strict=True))]


def parse(part: SourcePart) -> _Element:
    """The root of a file that is needed as a whole; errors as in :func:`closed_elements`."""
    from lxml import etree

    # From a stream that has a name, bytes in no encoding would come back as an OSError without a place.
    data = part.read_bytes()
    try:
        root = etree.fromstring(data, etree.XMLParser(**OPTIONS), base_url=_printable_path(part))
    except etree.XMLSyntaxError as error:
        raise ill_formed(part, error) from None
    _refuse_entities(part, root)
    return root


def ill_formed(part: SourcePart, error: Exception) -> FormatError:
    """The error for a file that is not well-formed XML; nothing before the error is used either."""
    line, column = getattr(error, "position", None) or (None, None)
    message = (getattr(error, "msg", None) or str(error) or "no element found").partition(", line ")[0]
    if "UTF-8" in message or "encoding" in message:
        encoding = list(encoding_findings(part))
        if encoding:
            return FormatError(encoding)
    place = Location(part.path, line or 1, max(column or 1, 1))
    hint = "nothing of this file was used; an XML editor shows the place"
    return refuse(place, "ill-formed-xml", f"expected well-formed XML, found: {message}", hint=hint)


def _refuse_entities(part: SourcePart, node: _Element) -> None:
    internal: Any = node.getroottree().docinfo.internalDTD
    if internal is None:
        return
    names = [str(entity.name) for entity in internal.iterentities()]
    if names:
        message = f"expected no entity declarations, found {', '.join(map(repr, names[:3]))}"
        hint = "entities can read other files or grow without limit; write their text in place"
        raise refuse(Location(part.path, 1), "xml-entities", message, hint=hint)


def xml_safe(text: str) -> str:
    """The text with U+FFFD for every character that XML cannot hold."""
    return re.sub("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]", "\ufffd", text)

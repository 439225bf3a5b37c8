"""A document from a dict of lydite's own format: for tasks whose documents are too rich for plain tuples."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.errors import FormatError
from lydite.formats.faults import Faults
from lydite.formats.lydite_jsonl import document_of
from lydite.model import Document
from lydite.objects.values import NAMELESS_PREFIX, to_id, wrong_value


def inner_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from a line of lydite's own format; its ``doc_id``, if it has one, must be the given one."""
    if not isinstance(value, Mapping):
        raise wrong_value("", "a lydite.Document or a dict of lydite's own format", value)
    own_id = to_id(value.get("doc_id", doc_id), ".doc_id")
    if own_id != doc_id and not doc_id.startswith(NAMELESS_PREFIX):
        raise Faults(f".doc_id: expected {doc_id!r}, found {own_id!r}")
    try:
        return document_of({**value, "doc_id": own_id})._replace(path=path)
    except FormatError as error:
        raise Faults(f": {error.findings[0].message}") from None

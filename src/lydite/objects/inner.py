"""The inner form's dict as a document: for tasks whose documents are too rich for plain tuples."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.errors import FormatError
from lydite.formats.faults import Faults
from lydite.formats.lydite_jsonl import document_of
from lydite.model import Document
from lydite.objects.values import NAMELESS, name, refuse


def inner_document(doc_id: str, value: object, path: str) -> Document:
    """A document from what a line of the inner form says; its own ``doc_id``, if it has one, must be the one given."""
    if not isinstance(value, Mapping):
        raise refuse("", "a lydite.Document or the dict of the inner form", value)
    named = name(value.get("doc_id", doc_id), ".doc_id")
    if named != doc_id and not doc_id.startswith(NAMELESS):
        raise Faults(f".doc_id: expected {doc_id!r}, found {named!r}")
    try:
        return document_of({**value, "doc_id": named})._replace(path=path)
    except FormatError as error:
        raise Faults(*(f": {finding.message}" for finding in error.findings)) from None

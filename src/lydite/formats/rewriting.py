"""A corpus written in another format, one document at a time, with a measure of what was lost."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import NamedTuple

from lydite.errors import Finding, FormatError, Location, UsageError
from lydite.formats.base import ALL_LAYERS, Format
from lydite.formats.bridges import has_layer, reachable_layers, with_layers
from lydite.formats.layers import LAYERS
from lydite.formats.losses import Loss, Losses, compare
from lydite.formats.source import Source, SourcePart, refuse_line_break
from lydite.formats.units import has_local_clusters, is_of_several
from lydite.model import Corpus, Document, Mention
from lydite.model.document import Facts, some_layers

NOT_RESTORABLE = ("ace",)
"""Layers from which others can be made, and which cannot be made from these."""


class WrittenDocument(NamedTuple):
    """A document and its bytes in another format."""

    document: Document
    data: bytes
    completed: Document
    """The document with the layers that were made for the writer, and the findings about these."""
    several: bool = False
    """Whether it is one of several documents, or the only one of a folder, so that its name matters."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """Its files by folder, where one file is not enough; then ``data`` is empty."""

    def by_folder(self) -> Iterator[tuple[str, bytes]]:
        """The files of the document: the folder, with a slash at its end, and the bytes."""
        if not self.files:
            yield "", self.data
        yield from ((f"{folder}/", data) for folder, data in self.files.items())


def check_formats(source: Format, target: Format, made: Sequence[str] = ()) -> None:
    """Refuse a conversion between formats if no layer of the target can be made from those of the source.

    ``made`` are layers that a task made of the source.
    """
    if target.write is None:
        hint = "lydite list formats shows those that can"
        raise UsageError(f"format {target.name!r} cannot be written", hint=hint)
    if ALL_LAYERS in source.layers or ALL_LAYERS in target.layers:
        return
    if reachable_layers((*source.layers, *made)).isdisjoint(target.layers):
        ours, theirs = ", ".join(source.layers), ", ".join(target.layers)
        hint = f"{source.name} holds {ours}; {target.name} holds {theirs}"
        if not set(source.also_read).isdisjoint(target.layers):
            hint = f"name the task that makes {', '.join(source.also_read)} of it: lydite convert TASK IN OUT"
        raise UsageError(f"{source.name} cannot become {target.name}: they have nothing in common", hint=hint)


def rewrite_documents(corpus: Corpus, target: Format) -> Iterator[WrittenDocument]:
    """Yield every document as the bytes of a file of its own in the target format."""
    assert target.write is not None
    if len(corpus) > 1:
        # A writer that sees one of many documents must name it.
        corpus = replace(corpus, facts={**corpus.facts, "folder": True})
    in_folders = target.folder_writer(corpus)
    unit, clusters = "", 0
    for doc_id, document in corpus.documents.items():
        if target.in_lines and re.search(r"[\t\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]", doc_id):
            raise refuse_line_break(doc_id)
        completed = with_layers(document, target.layers)
        if "token" in target.units:
            found = _unit_of(completed.mentions)
            if unit and found not in {"", unit}:
                mixed = _mixed_units(document, target, unit, found)
                completed = completed._replace(findings=(*completed.findings, mixed))
            unit = unit or found
        facts: Facts = {**corpus.facts, "clusters_before": clusters}
        single = replace(corpus, documents={doc_id: completed}, facts=facts)
        clusters += len(completed.layers.get("clusters", ()))
        try:
            data, files = (target.write(single), {}) if in_folders is None else (b"", in_folders(single))
        except UnicodeEncodeError as error:
            half = error.object[error.start : error.end]
            message = (
                f"{half!r} in document {doc_id!r} is half a character, which a {target.name} file cannot hold"
            )
            place = Location(document.path, document.line) if document.path else None
            hint = "correct the escape in the JSON input; --to lydite keeps it"
            raise FormatError(
                [Finding("unwritable-text", "error", message, place, doc_id, hint=hint)]
            ) from None
        yield WrittenDocument(document, data, completed, several=is_of_several(corpus), files=files)


_HOLDS_MANY = "choose a format whose file holds many documents, lydite for instance"
LONGEST_NAME = 180
"""How many bytes of a document's name go into the name of its file; file systems allow 255."""


def file_name(doc_id: str, target: Format, source: Format | None = None) -> str:
    """The name of the file of one document: without separators and control characters, and not too long.

    The extension in the name of a document that is named after its file is replaced by the one of the new format.
    """
    if source is not None and source.called_after_file and target.called_after_file:
        doc_id = next((doc_id.removesuffix(one) for one in source.extensions if doc_id.endswith(one)), doc_id)
    name = re.sub(r"[\x00-\x1f\x7f-\x9f/\\]", "_", doc_id).lstrip(".") or "document"
    try:
        data = name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        message = f"document id {name!r} cannot be a file name: it holds half a character"
        raise UsageError(message, hint=_HOLDS_MANY) from None
    if len(data) > LONGEST_NAME:
        name = f"{data[:LONGEST_NAME].decode('utf-8', 'ignore')}-{sha256(data).hexdigest()[:8]}"
    known = not target.extensions or name.endswith(target.extensions)
    return name if known else f"{name}{target.extensions[0]}"


def _unit_of(mentions: Sequence[Mention]) -> str:
    """What the spans of mentions are made of; empty if none has a place."""
    if any(mention.span.tokens for mention in mentions):
        return "token"
    return "char" if any(mention.span.ranges for mention in mentions) else ""


def _mixed_units(document: Document, target: Format, unit: str, found: str) -> Finding:
    message = (
        f"document {document.doc_id!r} has spans of {found}s, documents before it have spans of {unit}s:"
        f" a {target.name} file is read in one unit"
    )
    hint = "--to-unit char --tokens DIR turns tokens into characters; --to lydite keeps both"
    return document.finding("mixed-units", "warning", message, hint=hint)


def refuse_shared_names(corpus: Corpus, target: Format, source: Format | None = None) -> None:
    """Raise a usage error if two documents would be written to files of one name."""
    first: dict[str, str] = {}
    for doc_id in corpus.documents:
        name = file_name(doc_id, target, source)
        other = first.setdefault(name, doc_id)
        if other != doc_id:
            message = f"documents {other!r} and {doc_id!r} would both be the file {name!r}"
            raise UsageError(message, hint=_HOLDS_MANY)


def measure_losses(
    written: WrittenDocument,
    target: Format,
    losses: Losses,
    *,
    source: Format | None = None,
    file: str | None = None,
) -> None:
    """Read what was written, under the name of its file, and add to ``losses`` what is missing or changed.

    A text or a token table in a file of its own is not touched by a conversion and so never lost: they are compared
    only where files of the ``source`` hold them, or the target has words too.
    """
    before = written.document
    if source is not None and ALL_LAYERS not in source.layers:
        words = before.tokens if source.has_words or target.has_words else None
        before = before._replace(text=before.text if source.has_text else None, tokens=words)
    name = file_name(written.document.doc_id, target, source)
    read = _read_again(written, target, file or name)
    losses.documents += 1
    _compare_document_names(written, read, target, losses, name)
    if written.several and read is not None:
        # Where every document has a file of its own, the ids of clusters mean nothing beyond it.
        losses.shared.add(written.completed, read, apart=has_local_clusters(read) or not target.holds_many)
    after = Document(before.doc_id) if read is None else read
    if target.has_words and not before.tokens and after.layers.get("token-count"):
        losses.unknown["words"] += after.layers["token-count"]
    present_layers = [layer for layer in ("mentions", *LAYERS) if has_layer(before, layer)]
    bridged = with_layers(after._replace(tokens=written.document.tokens), present_layers)
    compare(before, bridged._replace(tokens=after.tokens), losses)
    if any(before.layers.get(layer) for layer in NOT_RESTORABLE):
        # These layers cannot be restored; the layers that were made from them are compared instead.
        completed = written.completed
        made = [layer for layer in LAYERS if has_layer(completed, layer) and not has_layer(before, layer)]
        layers = some_layers(completed.layers, made)
        mentions = () if before.mentions else completed.mentions
        compare(Document(before.doc_id, mentions, layers=layers), after, losses)


def _compare_document_names(
    written: WrittenDocument, after: Document | None, target: Format, losses: Losses, file: str
) -> None:
    """Add a loss if the document is gone, or if it has another name than its own or that of its file."""
    doc_id = written.document.doc_id
    is_empty = target.holds_many and not written.data and not written.files
    if after is None or is_empty or (doc_id and not after.doc_id):
        # An empty file is read as one document, without a name or under that of the file, or as another format.
        losses.add(Loss("documents", doc_id, "", ""))
    elif (doc_id or written.several) and after.doc_id not in {doc_id, *_file_names(written, target, file)}:
        losses.add(Loss("document names", doc_id, "", doc_id, after.doc_id))


def _file_names(written: WrittenDocument, target: Format, file: str) -> Iterator[str]:
    """The names that a document may take from its new file: a single document, or one that was named after its file.

    Under any other name it would no longer be paired with its counterparts.
    """
    doc_id, path = written.document.doc_id, written.document.path
    # Lines of triples have the names of their documents for paths.
    after_file = path != doc_id and SourcePart(path, BytesIO).name == doc_id
    if after_file:
        yield file
    if after_file or not written.several:
        yield from (f"{doc_id}{ending}" for ending in target.extensions)


def _read_again(written: WrittenDocument, target: Format, name: str) -> Document | None:
    """The document in what was written; None if the reader finds none."""
    doc_id = written.document.doc_id
    part = SourcePart(name, lambda: BytesIO(written.data))
    options: dict[str, object] = {}
    if target.units:
        unit = _unit_of(written.completed.mentions) if "token" in target.units else ""
        options = {"unit": unit or "char"}
    if target.open is None:
        source = Source(part.path, (part,))
        found = target.read(source, options)
        if len(found) > 1:
            # A document that was joined from several would fall into its parts again.
            found = target.read(source, {**options, "unit": "corpus"})
        return _document_of(found, doc_id)
    with TemporaryDirectory() as folder:
        # A format that opens paths itself expects a folder.
        for inside, data in (written.files or {"": written.data}).items():
            (Path(folder) / inside).mkdir(exist_ok=True)
            (Path(folder) / inside / name).write_bytes(data)
        return _document_of(target.read(target.open(folder), options), doc_id)


def _document_of(corpus: Corpus, doc_id: str) -> Document | None:
    documents = corpus.documents
    return documents[doc_id] if doc_id in documents else next(iter(documents.values()), None)

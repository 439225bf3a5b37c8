"""From a corpus to the files of another format, one document at a time, with a measure of what was lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple

from lydite.errors import Finding, UsageError
from lydite.formats.base import Format
from lydite.formats.bridges import complete, holds
from lydite.formats.layers import LAYERS
from lydite.formats.losses import Losses, compare
from lydite.formats.source import Part, Source
from lydite.model import Corpus, Document

EVERYTHING = "*"
ONE_WAY = ("ace",)
"""Layers that others can be made from, and not the reverse."""

_MADE_FROM = {
    "mentions": ("clusters", "events"),
    "clusters": ("mentions",),
    "events": ("mentions", "ace"),
    "arguments": ("ace",),
}


class Written(NamedTuple):
    """A document, its bytes in another format, and everything that was said about it on the way."""

    document: Document
    data: bytes
    ready: Document
    """What the writer was given: with the layers that were made for it."""
    files: Mapping[str, bytes] = MappingProxyType({})
    """Its files by folder, where one file is not enough; then ``data`` is empty."""

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What readers and bridges had to say."""
        return self.ready.findings


def check_formats(source: Format, target: Format) -> None:
    """Refuses a conversion between formats that have no layer in common, even over bridges."""
    if target.write is None:
        raise UsageError(
            f"format {target.name!r} cannot be written", hint="lydite list formats shows those that can"
        )
    if EVERYTHING in source.layers or EVERYTHING in target.layers:
        return
    reached = set(source.layers)
    while more := {layer for layer, froms in _MADE_FROM.items() if reached & set(froms)} - reached:
        reached |= more
    if not reached & set(target.layers):
        raise UsageError(
            f"{source.name} cannot become {target.name}: they have nothing in common",
            hint=f"{source.name} holds {', '.join(source.layers)}; {target.name} holds {', '.join(target.layers)}",
        )


def rewritten(corpus: Corpus, target: Format) -> Iterator[Written]:
    """Every document as the bytes of a file of its own in the target format."""
    assert target.write is not None
    if len(corpus) > 1:
        # A writer that sees one of many documents must name it.
        corpus = replace(corpus, facts={**corpus.facts, "folder": True})
    several = target.several(corpus)
    for doc_id, document in corpus.documents.items():
        ready = complete(document, target.layers)
        alone = replace(corpus, documents={doc_id: ready})
        if several is None:
            yield Written(document, target.write(alone), ready)
        else:
            yield Written(document, b"", ready, several(alone))


def measure(written: Written, target: Format, losses: Losses, *, with_text: bool = True) -> None:
    """Reads again what was written and adds what is missing or other than before.

    A text that stands beside the annotation, in a file of its own, is still there afterwards: no loss, so that it is
    only looked at ``with_text``.
    """
    before = written.document if with_text else replace(written.document, text=None, tokens=None)
    again = _read_again(written, target)
    held = [layer for layer in ("mentions", *LAYERS) if holds(before, layer)]
    bridged = complete(replace(again, tokens=written.document.tokens), held)
    compare(before, replace(bridged, tokens=again.tokens), losses)
    if any(before.layers.get(layer) for layer in ONE_WAY):
        # Nothing leads back to what these layers hold; what was made of them is told instead.
        made = [layer for layer in LAYERS if holds(written.ready, layer) and not holds(before, layer)]
        layers = {layer: written.ready.layers[layer] for layer in made}
        mentions = () if before.mentions else written.ready.mentions
        compare(Document(before.doc_id, mentions, layers=layers), again, losses)
        losses.documents -= 1


def _in_tokens(document: Document, target: Format) -> bool:
    return any(mention.span.tokens for mention in complete(document, target.layers).mentions)


def _read_again(written: Written, target: Format) -> Document:
    doc_id = written.document.doc_id
    part = Part(f"{doc_id}{(*target.extensions, '')[0]}", lambda: BytesIO(written.data))
    options: Mapping[str, Any] = {}
    if "mentions" in target.layers:
        options = {"unit": "token" if _in_tokens(written.document, target) else "char"}
    if target.open is None:
        return _only(target.read(Source(part.path, (part,)), options), doc_id)
    with TemporaryDirectory() as folder:
        # A format that opens paths itself wants to see a folder.
        for inside, data in (written.files or {"": written.data}).items():
            (Path(folder) / inside).mkdir(exist_ok=True)
            (Path(folder) / inside / doc_id.replace("/", "_")).write_bytes(data)
        return _only(target.read(target.open(folder), options), doc_id)


def _only(corpus: Corpus, doc_id: str) -> Document:
    documents = corpus.documents
    if doc_id in documents:
        return documents[doc_id]
    return next(iter(documents.values())) if len(documents) == 1 else Document(doc_id)

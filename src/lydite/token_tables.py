"""Making token tables from texts: all of them are written, or none.

The command and ``verify`` both use this.  Tables are written under temporary names and renamed only when no text and
no annotation gave an error.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from lydite.errors import Finding, FormatError, Location, UsageError, errors_among
from lydite.formats.brat import EXTENSION, TextBound, read_text_bounds
from lydite.formats.source import SourcePart, open_source
from lydite.formats.text import text_pieces
from lydite.parallel import Progress
from lydite.tokenizer import (
    DEFAULT_SEPARATORS,
    BoundaryMismatch,
    cut_at_seams,
    cut_at_separators,
    iter_tokens,
    repair_boundaries,
    table_rows,
)
from lydite.writing import add_to_folder, stream_file, waiting_folder, write_file

PathLike = str | os.PathLike[str]


class MadeTable(NamedTuple):
    """The table of one text, its number of tokens, and the number of cuts that annotation made in them."""

    doc_id: str
    text: str
    annotation: str | None
    table: str
    tokens: int = 0
    cuts: int = 0
    findings: tuple[Finding, ...] = ()


class TableOutcome(NamedTuple):
    """All tables, in the order of document ids; ``written`` is False if a finding is an error."""

    folder: str
    tables: tuple[MadeTable, ...]
    findings: tuple[Finding, ...]
    written: bool

    @property
    def tokens(self) -> int:
        """The number of tokens in all tables."""
        return sum(made.tokens for made in self.tables)

    @property
    def cuts(self) -> int:
        """The number of cuts that annotation made."""
        return sum(made.cuts for made in self.tables)


def make_tables(
    texts: Sequence[PathLike],
    folder: PathLike,
    *,
    annotation: PathLike | None = None,
    extension: str = "txt",
    separators: str = DEFAULT_SEPARATORS,
    append_extension: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> TableOutcome:
    """One token table per text, ``<document>.tab`` in ``folder``.

    A text is a file, or a file with this extension anywhere below a folder or in an archive; its document is its name
    without the last extension.  With ``annotation`` every text needs the brat file ``<document>.ann`` and the other
    way round.  ``append_extension`` names a table ``<document>.txt.tab``, as the pilot study did.  Tables that exist
    are a :class:`UsageError` unless ``force``.
    """
    findings: list[Finding] = []
    text_files = list(_files(texts, _dotted(extension), findings))
    annotations = list(_files([annotation], EXTENSION, findings)) if annotation is not None else []
    text_of = _by_document(text_files, "text", findings)
    annotation_of = _by_document(annotations, "annotation", findings)
    if annotation is not None:
        findings.extend(_without_partner(text_of, annotation_of))
    names = {doc_id: f"{text.name if append_extension else doc_id}.tab" for doc_id, text in text_of.items()}
    _check_targets(Path(folder), names, text_files, force=force)
    tables: list[MadeTable] = []
    with waiting_folder(folder) as waiting:
        for done, (doc_id, text) in enumerate(text_of.items(), 1):
            table = Path(waiting, names[doc_id])
            tables.append(_make_table(doc_id, text, annotation_of.get(doc_id), table, separators))
            if progress is not None:
                progress(done, len(text_of))
        findings.extend(finding for made in tables for finding in made.findings)
        written = not errors_among(findings)
        if written:
            add_to_folder(waiting, folder)
    return TableOutcome(os.fspath(folder), tuple(tables), tuple(findings), written)


# ------------------------------------------------------------------------------------------------- which files


def _dotted(extension: str) -> str:
    extension = extension.lower()
    return extension if extension.startswith(".") or not extension else f".{extension}"


def _files(paths: Iterable[PathLike], extension: str, findings: list[Finding]) -> Iterator[SourcePart]:
    """The files at these paths; what cannot be opened is a finding."""
    for path in paths:
        try:
            yield from open_source(path, extensions=(extension,) if extension else ()).parts
        except FormatError as error:
            findings.extend(error.findings)


def _by_document(files: Sequence[SourcePart], kind: str, findings: list[Finding]) -> dict[str, SourcePart]:
    """The files by document, in the order of document ids; two of one document are an error."""
    by_document: dict[str, SourcePart] = {}
    for file in files:
        doc_id = os.path.splitext(file.name)[0]  # noqa: PTH122 - members of archives have no Path
        first = by_document.setdefault(doc_id, file)
        if first is not file:
            message = f"there are two {kind}s of document {doc_id!r}: the other is {first.path}"
            hint = "a table is named after its document; tokenise the folders one by one"
            place = Location(file.path)
            findings.append(Finding("same-document-twice", "error", message, place, doc_id, hint=hint))
    return dict(sorted(by_document.items()))


def _without_partner(
    texts: Mapping[str, SourcePart], annotations: Mapping[str, SourcePart]
) -> Iterator[Finding]:
    alone = texts.keys() ^ annotations.keys()
    for doc_id in sorted(alone, key=lambda one: (one not in texts, one)):
        if doc_id in texts:
            code, message = "text-without-annotation", f"no annotation {doc_id}{EXTENSION} for this text"
            hint = "an empty file says that nothing is annotated"
        else:
            code, message = "annotation-without-text", f"no text of document {doc_id!r} for this annotation"
            hint = "texts and annotation are paired by name; --extension says how texts end"
        place = Location((texts.get(doc_id) or annotations[doc_id]).path)
        yield Finding(code, "error", message, place, doc_id, hint=hint)


def _check_targets(
    folder: Path, names: Mapping[str, str], texts: Sequence[SourcePart], *, force: bool
) -> None:
    """Refuse to overwrite tables unless forced, and texts in any case."""
    if os.path.exists(folder) and not folder.is_dir():  # noqa: PTH110 - no name is too long for it
        raise UsageError(f"-o {folder}: this is a file", hint="name a folder for the tables")
    tables = [folder / name for name in names.values()]
    existing = [path for path in tables if os.path.exists(path)]  # noqa: PTH110 - as above
    others = [path for path in existing if not path.is_file()]
    if others:
        kind = "a folder" if others[0].is_dir() else "no regular file"
        raise UsageError(f"{others[0]} is {kind} and cannot become a table")
    inputs = {os.path.realpath(text.path) for text in texts}
    over = [path for path in existing if os.path.realpath(path) in inputs]
    if over:
        raise UsageError(f"the table {over[0]} would replace its text", hint="name another folder with -o")
    if existing and not force:
        more = f" and {len(existing) - 1} more" if len(existing) > 1 else ""
        raise UsageError(f"{existing[0]}{more} would be overwritten", hint="--force overwrites tables")


# --------------------------------------------------------------------------------------------------- one table


def _make_table(
    doc_id: str, text: SourcePart, annotation: SourcePart | None, table: Path, separators: str
) -> MadeTable:
    """Write one table; errors of text or annotation become findings."""
    made = MadeTable(doc_id, text.path, annotation.path if annotation else None, table.name)
    try:
        if annotation is None:
            return made._replace(tokens=_write_plain(text, table, separators))
        return _write_annotated(made, text, annotation, table, separators)
    except FormatError as error:
        findings = tuple(finding._replace(document=doc_id) for finding in error.findings)
        return made._replace(findings=findings)


def _write_plain(text: SourcePart, table: Path, separators: str) -> int:
    """Write a table block by block, so that memory does not grow with the text; return the number of tokens."""
    count = shift = 0
    with stream_file(table) as stream:
        for block in cut_at_seams(text_pieces(text)):
            tokens = cut_at_separators(iter_tokens(block), separators)
            rows = list(table_rows(tokens, first=count + 1, shift=shift))
            stream.write("".join(rows).encode("utf-8"))
            count += len(rows)
            shift += len(block)
    return count


def _write_annotated(
    made: MadeTable, source: SourcePart, annotation: SourcePart, table: Path, separators: str
) -> MadeTable:
    """Write a table whose tokens are cut at the boundaries of annotated segments."""
    text = "".join(text_pieces(source))
    bounds = read_text_bounds(annotation)
    outside = tuple(_annotations_outside_text(bounds.items, len(text), annotation, made.doc_id))
    findings = (*(finding._replace(document=made.doc_id) for finding in bounds.findings), *outside)
    if findings:
        return made._replace(findings=findings)
    segments = [(bound, segment) for bound in bounds.items for segment in bound.ranges]
    tokens = list(cut_at_separators(iter_tokens(text), separators))
    places = [segment for _, segment in segments]
    repair = repair_boundaries(tokens, places, text=text, doc_id=made.doc_id)
    write_file(table, "".join(table_rows(repair.tokens)).encode("utf-8"))
    mismatches = (
        _mismatch_finding(mismatch, segments[mismatch.number][0], annotation)
        for mismatch in repair.mismatches
    )
    cuts = len(repair.tokens) - len(tokens)
    return made._replace(tokens=len(repair.tokens), cuts=cuts, findings=tuple(mismatches))


def _annotations_outside_text(
    bounds: Iterable[TextBound], length: int, annotation: SourcePart, doc_id: str
) -> Iterator[Finding]:
    for bound in bounds:
        for begin, end in bound.ranges:
            if end > length:
                message = f"{bound.id} stands at {begin} to {end}, the text ends at {length}"
                place = Location(annotation.path, bound.line)
                hint = "is this the text that was annotated, with the same line ends?"
                yield Finding("annotation-outside-text", "error", message, place, doc_id, bound.id, hint=hint)


def _mismatch_finding(mismatch: BoundaryMismatch, bound: TextBound, annotation: SourcePart) -> Finding:
    place = Location(annotation.path, bound.line)
    return Finding("boundary-mismatch", "warning", str(mismatch), place, mismatch.doc_id, bound.id)

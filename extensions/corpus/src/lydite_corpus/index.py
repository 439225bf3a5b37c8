"""The index of a collection: updated from changed files only, and replaced as a whole or not at all.

A folder has generations, each with a folder of the engine and a table of documents (SQLite), and ``lydite-corpus.json``,
which names the current one.  A new generation begins with links to the files of the old one and replaces it in one step,
so while an index is being written, or if its writer is killed, the old one stays as it was.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from lydite.errors import Finding, InvalidInput, Location, UsageError, errors_among, refuse
from lydite.escaping import first_of, is_utf_8
from lydite.formats.source import CHUNK, SourcePart, is_address, open_source
from lydite.grouping import grouped
from lydite.writing import refuse_place_without_name
from lydite_corpus.analysis import folded_and_unfolded, without_tags
from lydite_corpus.documents import (
    AnnotatedEvent,
    AnnotatedName,
    CollectionDocument,
    Metadata,
    Post,
    read_metadata,
    read_part,
)

if TYPE_CHECKING:
    import tantivy

SCHEMA = "lydite_corpus/1"
POINTER = "lydite-corpus.json"
WORDS, UNFOLDED = "words", "marked"
"""The fields of the engine: folded words, and unfolded ones where a text has diacritics."""
HEAP = 1_000_000_000
"""Memory in bytes that the engine may use before it writes a segment of an index; fewer segments are merged faster."""

_TABLES = """
CREATE TABLE files(id INTEGER PRIMARY KEY, path TEXT UNIQUE, size INTEGER, mtime INTEGER, sha256 TEXT);
CREATE TABLE documents(number INTEGER PRIMARY KEY, docid TEXT UNIQUE, date TEXT, genre TEXT, source TEXT, lang TEXT,
                       length INTEGER, characters INTEGER, headline TEXT, posts TEXT, markup INTEGER, file INTEGER, line INTEGER);
CREATE INDEX documents_of_a_file ON documents(file);
CREATE TABLE names(docid TEXT, text TEXT, type TEXT, file INTEGER);
CREATE INDEX names_of_a_file ON names(file);
CREATE TABLE events(docid TEXT, type TEXT, start INTEGER, tagless INTEGER, file INTEGER);
CREATE INDEX events_of_a_file ON events(file);
CREATE TABLE facts(key TEXT PRIMARY KEY, value TEXT);
"""

ProgressCallback = Callable[[int, int], None]


def engine() -> ModuleType:
    """Import the engine; raise an error that says how to install it if it is missing."""
    try:
        import tantivy
    except ImportError:
        raise UsageError(
            "lydite corpus needs the search engine Tantivy, which is not installed",
            hint="pip install 'lydite[corpus]'",
        ) from None
    return tantivy


class Record(NamedTuple):
    """What the index has about a document beside its text; ``length`` is in words."""

    number: int
    id: str
    date: str
    genre: str
    source: str
    language: str
    length: int
    characters: int
    headline: str
    posts: tuple[Post, ...]
    markup: bool


@dataclass(frozen=True, slots=True)
class Built:
    """The result of building or updating an index."""

    documents: int
    added: int
    removed: int
    files: int
    unchanged: int
    findings: tuple[Finding, ...] = ()


class _Database(sqlite3.Connection):
    """Closes itself when it is no longer used, so that an index need not be closed."""

    def __del__(self) -> None:
        self.close()


@dataclass
class Index:
    """An open index; it does not change while another process writes a new generation."""

    path: str
    generation: Path

    @cached_property
    def opened(self) -> tantivy.Index:
        """The engine's index."""
        index: tantivy.Index = engine().Index.open(str(self.generation / "engine"))
        _register(index)
        return index

    @cached_property
    def searcher(self) -> Any:
        """The engine's searcher."""
        self.opened.reload()
        return self.opened.searcher()

    @cached_property
    def database(self) -> sqlite3.Connection:
        """The table of documents, read-only."""
        uri = (self.generation / "documents.sqlite").absolute().as_uri()
        return sqlite3.connect(
            f"{uri}?mode=ro&immutable=1", uri=True, check_same_thread=False, factory=_Database
        )

    def close(self) -> None:
        """Close the table of documents at once, for services that open many indexes."""
        self.database.close()

    @cached_property
    def ids(self) -> dict[int, str]:
        """The id of every document by its number."""
        return dict(self.database.execute("SELECT number, docid FROM documents"))

    def __len__(self) -> int:
        (count,) = self.database.execute("SELECT COUNT(*) FROM documents").fetchone()
        return int(count)

    def records(self) -> Iterator[Record]:
        """Return the records of all documents, sorted by id."""
        return self._selected("ORDER BY docid")

    def _selected(self, which: str, *values: object) -> Iterator[Record]:
        return map(_record, self.database.execute(f"SELECT {_RECORD_COLUMNS} FROM documents {which}", values))  # noqa: S608 - names of ours

    def record(self, doc_id: str) -> Record:
        """Return the record of a document; refuse an unknown id."""
        record = next(self._selected("WHERE docid = ?", doc_id), None)
        if record is None:
            select = "SELECT docid FROM documents WHERE docid LIKE ? LIMIT 3"
            similar = ", ".join(repr(name) for (name,) in self.database.execute(select, [f"{doc_id}%"]))
            hint = f"there is {similar}" if similar else None
            raise UsageError(f"{self.path}: no document {doc_id!r}", hint=hint)
        return record

    def record_of(self, number: int) -> Record:
        """Return the record of the document with a number."""
        return next(self._selected("WHERE number = ?", number))

    def text(self, doc_id: str) -> str:
        """Return the text of a document as it was given."""
        query = engine().Query.term_query(self.opened.schema, "number", self.record(doc_id).number)
        ((_, address),) = self.searcher.search(query, limit=1).hits
        return self.text_at(address)

    def text_at(self, address: object) -> str:
        """Return the text of the document at an address of the engine."""
        stored: bytes = self.searcher.doc(address).get_first("text")
        return bytes(stored).decode("utf-8", "surrogatepass")

    def numbers(self, addresses: Sequence[object]) -> list[int]:
        """Return the numbers of the documents at addresses of the engine."""
        return [int(number) for number in self.searcher.fast_field_values("number", list(addresses))]

    def texts(self, numbers: Collection[int] | None = None) -> Iterator[tuple[Record, str]]:
        """Return the records and texts of all documents, or of those with these numbers, in the order of the engine."""
        records = {record.number: record for record in self.records()}
        hits = self.searcher.search(engine().Query.all_query(), limit=max(1, self.searcher.num_docs)).hits
        addresses = sorted((address for _, address in hits), key=lambda at: (at.segment_ord, at.doc))
        for address, number in zip(addresses, self.numbers(addresses), strict=True):
            if numbers is None or number in numbers:
                yield records[number], self.text_at(address)

    def names(self) -> Iterator[tuple[str, AnnotatedName]]:
        """Return the annotated names with the ids of their documents."""
        for doc_id, text, type_ in self.database.execute(
            "SELECT docid, text, type FROM names ORDER BY docid, text"
        ):
            yield doc_id, AnnotatedName(text, type_)

    def events(self) -> dict[str, list[AnnotatedEvent]]:
        """Return the annotated mentions of events by document."""
        rows = self.database.execute(
            "SELECT docid, type, start, tagless FROM events ORDER BY docid, start, type"
        )
        return grouped(
            (doc_id, AnnotatedEvent(type_, start, bool(tagless))) for doc_id, type_, start, tagless in rows
        )


_RECORD_COLUMNS = "number, docid, date, genre, source, lang, length, characters, headline, posts, markup"


def _record(row: tuple[object, ...]) -> Record:
    posts = tuple(Post(*post) for post in json.loads(str(row[-2]))) if row[-2] else ()
    return Record._make([*row[:-2], posts, bool(row[-1])])


def searchable(about: CollectionDocument | Record, text: str) -> str:
    """Return the text to search: if it has markup, with blanks instead of tags; offsets stay the same."""
    return without_tags(text) if about.markup else text


def thread_end(record: Record, max_length: int | None) -> int:
    """Return where to cut a thread to at most ``max_length`` characters: after the last post that fits.

    The first post is always kept; a text without posts is not cut.
    """
    if max_length is None or record.characters <= max_length or not record.posts:
        return record.characters
    return max((post.end for post in record.posts if post.end <= max_length), default=record.posts[0].end)


# ------------------------------------------------------------------------------------------------------ opening

BAD_INDEX, _REBUILD_HINT = "bad-index", "build it again in an empty folder"


def open_index(path: str | os.PathLike[str]) -> Index:
    """Open the index in a folder."""
    engine()
    folder = Path(path)
    for _ in range(2):  # a writer may replace the generation after its name was read
        generation = _current_generation(folder)
        if generation is None:
            hint = "build one with lydite corpus index TEXTS -o DIR"
            raise refuse(str(folder), BAD_INDEX, "no index of a collection", hint=hint)
        if generation.is_dir():
            return _checked(Index(str(folder), generation))
    raise refuse(str(folder), BAD_INDEX, "the files of the index are missing", hint=_REBUILD_HINT)


def _checked(index: Index) -> Index:
    """Return an index if both of its parts can be opened and no deleted documents count in the weights of words."""
    try:
        _ = len(index), index.searcher
        has_deleted = _has_deleted(index)
    except (ValueError, OSError, sqlite3.Error) as error:
        message = f"the index cannot be opened: {error}"
        raise refuse(index.path, BAD_INDEX, message, hint=_REBUILD_HINT) from None
    if has_deleted:
        message = "an older version left deleted documents in the index, which change the weights of words"
        hint = f"update it: lydite corpus index TEXTS -o {index.path}"
        raise refuse(index.path, BAD_INDEX, message, hint=hint)
    return index


def _has_deleted(index: Index) -> bool:
    """Whether documents were deleted in the engine, which still counts their words."""
    meta = json.loads((index.generation / "engine" / "meta.json").read_text(encoding="utf-8"))
    return any(segment["deletes"] for segment in meta["segments"])


def _current_generation(folder: Path) -> Path | None:
    try:
        pointer = json.loads((folder / POINTER).read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        message = f"cannot be read: {error}"
        raise refuse(str(folder / POINTER), BAD_INDEX, message, hint=_REBUILD_HINT) from None
    if not isinstance(pointer, dict) or pointer.get("schema") != SCHEMA:
        raise refuse(str(folder / POINTER), BAD_INDEX, f"expected the schema {SCHEMA}", hint=_REBUILD_HINT)
    return folder / str(pointer.get("generation"))


# ----------------------------------------------------------------------------------------------------- building


def build(
    texts: Sequence[str],
    folder: str | os.PathLike[str],
    *,
    metadata: str | None = None,
    progress: ProgressCallback | None = None,
) -> Built:
    """Build or update an index from files, folders and archives; only new and changed files are read.

    Documents of files that were deleted from these folders are removed; what other runs indexed stays.  If anything is
    wrong, :class:`InvalidInput` is raised with all findings, and the index stays as it was.
    """
    engine()
    refuse_place_without_name(folder)
    target = Path(folder)
    # A file may be named twice, or with its folder.
    parts = [*{part.path: part for path in texts for part in open_source(path).parts}.values()]
    known = read_metadata(metadata) if metadata else {}
    if not is_utf_8(str(target)):
        raise UsageError(f"{target}: the name is not UTF-8", hint="name another folder")
    is_new = not target.exists()
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot create the folder {target}: {error.strerror}"
        raise UsageError(message, hint="name a folder") from None
    with _locked(target):
        current = _current_generation(target)
        if current is None and any(
            one.name != ".lock" and not _is_generation(one) for one in target.iterdir()
        ):
            message = f"{target}: the folder is not empty and is not an index"
            raise UsageError(message, hint="name a new folder")
        number = int(current.name[1:]) if current else 0
        fresh = target / f"g{number + 1:06d}"
        for abandoned in target.glob("g??????"):
            if abandoned != current:
                shutil.rmtree(abandoned)
        try:
            _link_files(current, fresh)
            before = None if current is None else Index(str(target), current)
            with _Writer(fresh, before) as writer:
                built = writer.update(parts, texts, known, metadata or "", progress)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            if is_new:
                # Unless another command uses it already.
                with suppress(OSError):
                    (target / ".lock").unlink()
                    target.rmdir()
            raise
        _activate(target, fresh)
        if current is not None:
            shutil.rmtree(current, ignore_errors=True)
    return built


def _is_generation(entry: Path) -> bool:
    return entry.is_dir() and entry.name[:1] == "g" and entry.name[1:].isdigit()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Lock an index for one writer; the lock of a killed writer vanishes with it."""
    with (folder / ".lock").open("w") as stream:
        with suppress(ImportError):  # some platforms have no such locks
            import fcntl

            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                message = f"{folder}: another command is writing this index"
                raise UsageError(message, hint="wait until it has finished") from None
        yield


def _link_files(current: Path | None, fresh: Path) -> None:
    """Begin a generation with the files of the current one: copy the table, link the engine's files, which never change."""
    (fresh / "engine").mkdir(parents=True)
    if current is None:
        return
    shutil.copyfile(current / "documents.sqlite", fresh / "documents.sqlite")
    for file in (current / "engine").iterdir():
        if file.name.endswith(".lock"):
            continue
        try:
            os.link(file, fresh / "engine" / file.name)
        except OSError:
            shutil.copyfile(file, fresh / "engine" / file.name)


def _activate(folder: Path, fresh: Path) -> None:
    with (fresh / "documents.sqlite").open("rb") as stream:
        os.fsync(stream.fileno())
    temporary = folder / f".{POINTER}"
    temporary.write_text(json.dumps({"schema": SCHEMA, "generation": fresh.name}) + "\n", encoding="utf-8")
    with temporary.open("rb") as stream:
        os.fsync(stream.fileno())
    temporary.replace(folder / POINTER)


def _register(index: tantivy.Index) -> None:
    tantivy = engine()
    analyzer = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()
    index.register_tokenizer("whitespace", analyzer)


def _new_schema() -> object:
    builder = engine().SchemaBuilder()
    builder.add_unsigned_field("number", stored=True, indexed=True, fast=True)
    builder.add_text_field(WORDS, tokenizer_name="whitespace")
    builder.add_text_field(UNFOLDED, tokenizer_name="whitespace")
    builder.add_bytes_field("text", stored=True)
    builder.add_unsigned_field("date", indexed=True, fast=True)
    for name in ("genre", "source", "language", "month"):
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic", fast=True)
    return builder.build()


def date_number(date: str, *, last: bool = False) -> int:
    """Return a date as a number that sorts; of a month or a year, its first or last day."""
    year, month, day = (*date.split("-"), "", "")[:3]
    rest = ("12", "31") if last else ("01", "01")
    return int(f"{year}{month or rest[0]}{day or rest[1]}")


class _Writer:
    """Writes one generation, engine and table of documents together; ``before`` is the current index, if there is one."""

    def __init__(self, generation: Path, before: Index | None) -> None:
        self._before = before
        self._database = sqlite3.connect(generation / "documents.sqlite", factory=_Database)
        self._database.execute("PRAGMA synchronous = OFF")  # the generation counts only when it is complete
        path = str(generation / "engine")
        if (generation / "engine" / "meta.json").exists():
            self._index = engine().Index.open(path)
        else:
            self._index = engine().Index(_new_schema(), path=path)
            self._database.executescript(_TABLES)
        _register(self._index)
        self._engine = self._index.writer(heap_size=HEAP, num_threads=1)
        self._findings: list[Finding] = []
        (last,) = self._database.execute("SELECT MAX(number) FROM documents").fetchone()
        self._number = last or 0
        self._added = self._removed = 0
        self._places: dict[str, Location] = {}
        self._rows: list[tuple[object, ...]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_exception: object) -> None:
        self._database.close()
        del self._engine, self._index

    def update(
        self,
        parts: Sequence[SourcePart],
        texts: Sequence[str],
        metadata: Metadata,
        table: str,
        progress: ProgressCallback | None,
    ) -> Built:
        """Remove what was deleted or changed, add what is new; commit or refuse.  ``table`` is the metadata's file."""
        digest = sha256(json.dumps(metadata, sort_keys=True).encode()).hexdigest() if table else ""
        stored = self._database.execute("SELECT value FROM facts WHERE key = 'metadata'").fetchone()
        if digest and digest != (stored[0] if stored else ""):
            self._database.execute("UPDATE files SET size = -1, sha256 = ''")
        changed = [part for part in parts if self._has_changed(part)]
        present, roots = {part.path for part in parts}, [str(Path(text)) for text in texts]
        known_paths = [path for (path,) in self._database.execute("SELECT path FROM files ORDER BY path")]
        gone = [
            path
            for path in known_paths
            if path not in present and any(_lies_in(path, root) for root in roots)
        ]
        for path in [*gone, *(part.path for part in changed)]:
            self._remove(path)
        if self._removed or (self._before is not None and _has_deleted(self._before)):
            # All documents that stay are written again: the engine would count deleted ones in the weights of words.
            assert self._before is not None, "only documents of an index can be removed from it"
            kept = {number for (number,) in self._database.execute("SELECT number FROM documents")}
            self._engine.delete_all_documents()
            for record, text in self._before.texts(kept):
                self._write(record.number, record, text)
        select = "SELECT docid, path, line FROM documents JOIN files ON documents.file = files.id"
        known = self._database.execute(select)
        self._places = {doc_id: Location(path, line) for doc_id, path, line in known}
        sizes = [_size(part) for part in changed]
        size_before = 0
        for part, size in zip(changed, sizes, strict=True):
            for read in self._add_file(part, metadata):
                if progress is not None:
                    progress(size_before + read, sum(sizes))
            size_before += size
        self._check_annotation()
        if unknown := [doc_id for doc_id in metadata if doc_id not in self._places]:
            message = f"expected documents of the index, found {len(unknown)} that it does not have: {first_of(unknown)}"
            self._findings.append(Finding("bad-metadata", "warning", message, Location(table)))
        if digest or changed:
            # Files that were read without the table must be read again if it is given later.
            self._database.execute("INSERT OR REPLACE INTO facts VALUES ('metadata', ?)", [digest])
        if errors_among(self._findings):
            self._engine.rollback()
            raise InvalidInput(self._findings)
        self._engine.commit()
        self._engine.wait_merging_threads()
        self._database.commit()
        (count,) = self._database.execute("SELECT COUNT(*) FROM documents").fetchone()
        unchanged = len(parts) - len(changed)
        return Built(count, self._added, self._removed, len(parts), unchanged, tuple(self._findings))

    def _has_changed(self, part: SourcePart) -> bool:
        """Whether a file is new or its content has changed; a new modification time alone is not a change."""
        select = "SELECT size, mtime, sha256 FROM files WHERE path = ?"
        row = self._database.execute(select, [part.path]).fetchone()
        if row is not None and row[:2] == _size_and_time(part) != _UNKNOWN:
            return False
        return row is None or bool(row[2] != _sha256(part))

    def _remove(self, path: str) -> None:
        row = self._database.execute("SELECT id FROM files WHERE path = ?", [path]).fetchone()
        if row is None:
            return
        self._removed += self._database.execute("DELETE FROM documents WHERE file = ?", row).rowcount
        for table in ("names", "events"):
            self._database.execute(f"DELETE FROM {table} WHERE file = ?", row)  # noqa: S608 - names of ours
        self._database.execute("DELETE FROM files WHERE id = ?", row)

    def _add_file(self, part: SourcePart, metadata: Metadata) -> Iterator[int]:
        """Add the documents of a file; yield now and then how much of it has been read."""
        size, time = _size_and_time(part)
        insert = "INSERT INTO files(path, size, mtime, sha256) VALUES (?, ?, ?, ?)"
        row = self._database.execute(insert, [part.path, size, time, _sha256(part)])
        read = 0
        for count, document in enumerate(read_part(part, metadata, self._findings), 1):
            self._add(document, row.lastrowid)
            read += len(document.text or "")
            if not count % 1000:
                self._flush()
                yield min(read, _size(part))
        yield _size(part)

    def _add(self, document: CollectionDocument, file: int | None) -> None:
        if names := [(document.id, name.text, name.type, file) for name in document.names]:
            self._database.executemany("INSERT INTO names VALUES (?, ?, ?, ?)", names)
        if events := [(document.id, *event, file) for event in document.events]:
            self._database.executemany("INSERT INTO events VALUES (?, ?, ?, ?, ?)", events)
        if document.text is None:
            return
        place = Location(document.path, document.line)
        first = self._places.setdefault(document.id, place)
        if first is not place:
            message = f"expected document {document.id!r} once, found it again (first in {first})"
            hint = "ids must be unique in a collection; leave one of the two out"
            self._findings.append(
                Finding("duplicate-document", "error", message, place, document.id, hint=hint)
            )
            return
        self._number += 1
        self._added += 1
        length = self._write(self._number, document, document.text)
        posts = json.dumps(document.posts, ensure_ascii=False) if document.posts else ""
        metadata = document.date, document.genre, document.source, document.language
        self._rows.append(
            (
                self._number, document.id, *metadata, length, len(document.text), document.headline, posts,
                document.markup, file, document.line,
            )
        )  # fmt: skip

    def _write(self, number: int, about: CollectionDocument | Record, text: str) -> int:
        """Add a text and its metadata to the engine; return the number of its words."""
        words, unfolded = folded_and_unfolded(searchable(about, text))
        stored = engine().Document()
        stored.add_unsigned("number", number)
        stored.add_text(WORDS, words)
        if unfolded is not None:
            stored.add_text(UNFOLDED, unfolded)
        stored.add_bytes("text", text.encode("utf-8", "surrogatepass"))
        if about.date:
            stored.add_unsigned("date", date_number(about.date))
            stored.add_text("month", about.date[:7])
        for name in ("genre", "source", "language"):
            if getattr(about, name):
                stored.add_text(name, getattr(about, name))
        self._engine.add_document(stored)
        return len(words.split())

    def _flush(self) -> None:
        insert = f"INSERT INTO documents VALUES ({', '.join('?' * 13)})"  # noqa: S608 - question marks
        self._database.executemany(insert, self._rows)
        self._rows = []

    def _check_annotation(self) -> None:
        """Report annotated documents without a text: their names can be listed, but not searched."""
        self._flush()
        rows = self._database.execute(
            "SELECT DISTINCT docid, path FROM (SELECT docid, file FROM names UNION SELECT docid, file FROM events)"
            " JOIN files ON file = files.id WHERE docid NOT IN (SELECT docid FROM documents) ORDER BY 1"
        )
        for doc_id, path in rows:
            message = f"expected a text for the annotated document {doc_id!r}, found none: its names can only be listed"
            self._findings.append(
                Finding("annotation-without-text", "warning", message, Location(path), doc_id)
            )


def _lies_in(path: str, root: str) -> bool:
    """Whether an indexed file belongs to a folder or an archive."""
    if root == ".":
        return not (path == "stdin" or path.startswith(("/", "../")) or "!" in path or is_address(path))
    return path.startswith((f"{root}/", f"{root}!"))


_UNKNOWN = -2, 0


def _size_and_time(part: SourcePart) -> tuple[int, int]:
    """Return size and modification time of a file; for a part of an archive, a value that stands for unknown."""
    try:
        status = os.stat(part.path)  # noqa: PTH116 - parts of archives have no Path
    except OSError:
        return _UNKNOWN
    return status.st_size, status.st_mtime_ns


def _size(part: SourcePart) -> int:
    return max(0, _size_and_time(part)[0])


def _sha256(part: SourcePart) -> str:
    digest = sha256()
    with part.open() as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()

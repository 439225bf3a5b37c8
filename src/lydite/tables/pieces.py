"""The pieces of a table, files or objects in memory, which give their rows in batches, in order."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, TypeAlias

from lydite.errors import Location, UsageError, refuse
from lydite.formats.source import CHUNK, Source, SourcePart, is_address
from lydite.formats.text import refuse_many_columns
from lydite.optional_libraries import library
from lydite.tables.columns import arrow

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa
    import pyarrow.csv

PARQUET, ARROW_FILE, ARROW_STREAM, CSV = "parquet", "arrow", "arrow stream", "csv"
_SIGNS = ((b"PAR1", PARQUET), (b"ARROW1", ARROW_FILE), (b"\xff\xff\xff\xff", ARROW_STREAM))
ROWS = 1 << 17
"""Rows of a batch."""
BYTES_OF_ROW = 24
"""The bytes of a row, about, in a file that does not tell its number of rows."""
LONGEST_CELL = 1 << 24
"""The most characters of a cell that are read for the numbers of lines; longer cells were refused before."""


def kind_of_file(head: bytes) -> str:
    """The kind of a file by its first bytes; CSV if they are of no other kind."""
    return next((kind for sign, kind in _SIGNS if head.startswith(sign)), CSV)


@contextmanager
def errors_as_findings(path: str) -> Iterator[None]:
    """Failures of the library to read a file, as findings."""
    try:
        yield
    except (arrow().ArrowException, OSError, ValueError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        message = f"the table cannot be read: {reason}"
        hint = "is the file complete, and of the kind that its name says?"
        raise refuse(path, "unreadable-table", message, hint=hint) from None


class FilePiece:
    """A file: Parquet, Arrow IPC (file or stream), or CSV with a heading, separated by commas or tabs."""

    def __init__(self, part: SourcePart) -> None:
        self.part, self.path = part, part.path
        head = part.head()
        self.kind = kind_of_file(head)
        self.untyped = self.kind == CSV
        self._separator = "\t" if b"\t" in head.partition(b"\n")[0] else ","
        self.uneven: set[int] = set()
        """The numbers of the rows of a CSV with more or fewer cells than the heading; known when all rows were read."""

    def _open(self) -> BinaryIO:
        return self.part.open() if self.kind == CSV else self.part.open_anything()

    @property
    def local_file(self) -> str | None:
        """The path of a Parquet file on this machine that DuckDB can open by itself; None for any other piece.

        DuckDB takes some characters of a path for a pattern, and columns whose names differ only in case for one.
        """
        path = os.path.abspath(self.path)  # noqa: PTH100 - a tilde is no home
        is_local = self.kind == PARQUET and not is_address(self.path) and os.path.isfile(path)  # noqa: PTH113 - of any name
        if not is_local or set(path) & set("*?["):
            return None
        names = self.names()
        return path if len({name.casefold() for name in names}) == len(names) else None

    def names(self) -> list[str]:
        """The names of all columns."""
        with errors_as_findings(self.path), self._open() as stream:
            return list(self._open_reader(stream, None).schema.names)

    def rows(self) -> int:
        """The number of rows; of a CSV an estimate."""
        with errors_as_findings(self.path), self._open() as stream:
            if self.kind == PARQUET:
                return int(arrow("pyarrow.parquet").ParquetFile(stream).metadata.num_rows)
            return stream.seek(0, os.SEEK_END) // BYTES_OF_ROW

    def schema(self, columns: Sequence[str]) -> pa.Schema:
        """The types of these columns."""
        with errors_as_findings(self.path), self._open() as stream:
            whole = self._open_reader(stream, columns).schema
            return arrow().schema([whole.field(name) for name in columns])

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows of these columns, as record batches."""
        with errors_as_findings(self.path), self._open() as stream:
            chosen = (batch.select(list(columns)) for batch in self._open_reader(stream, columns).batches())
            yield from self._without_last_row(chosen) if self.kind == CSV else chosen

    def lines(self) -> Iterator[int]:
        """The numbers of the rows: the lines on which rows of a CSV begin, else numbers from 1."""
        if self.kind != CSV:
            return count(1)
        return (line for line, cells, expected in self.lines_and_cells() if cells == expected)

    def lines_and_cells(self) -> Iterator[tuple[int, int, int]]:
        """For each row of a CSV the line on which it begins, its number of cells, and the expected number.

        The fast reader counts neither empty lines nor line ends inside cells.
        """
        import csv

        with self.part.open() as stream:
            rows = csv.reader(io.TextIOWrapper(stream, "utf-8-sig", newline=""), delimiter=self._separator)
            former_limit = csv.field_size_limit(LONGEST_CELL)
            try:
                heading = next(filter(None, rows))
                line = rows.line_num + 1
                for row in rows:
                    if row:
                        yield line, len(row), len(heading)
                    line = rows.line_num + 1
            finally:
                csv.field_size_limit(former_limit)

    def _without_last_row(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches of a CSV without the row that we added; refused if that is missing, because a quote is left open."""
        waiting: pa.RecordBatch | None = None
        for batch in batches:
            if waiting is not None:
                yield waiting
            waiting = batch
        last = waiting.num_rows - 1 if waiting is not None else -1
        if waiting is None or last < 0 or waiting.column(0)[last].as_py() != LAST_CELL:
            message = "a quote is opened and never closed: the rows after it cannot be read"
            hint = "write a quote inside a cell twice, and the cell in quotes"
            raise refuse(self.path, "unreadable-table", message, hint=hint)
        yield waiting.slice(0, last)

    def _open_reader(self, stream: BinaryIO, columns: Sequence[str] | None) -> _Reader:
        """The schema, and the batches, which are read when they are asked for."""
        if self.kind == PARQUET:
            file = arrow("pyarrow.parquet").ParquetFile(stream)
            return _Reader(file.schema_arrow, lambda: file.iter_batches(ROWS, columns=columns))
        ipc = arrow("pyarrow.ipc")
        if self.kind == ARROW_FILE:
            opened = ipc.open_file(stream)
            return _Reader(opened.schema, lambda: map(opened.get_batch, range(opened.num_record_batches)))
        if self.kind == ARROW_STREAM:
            flow = ipc.open_stream(stream)
            return _Reader(flow.schema, lambda: iter(flow))
        self._refuse_wide_heading()
        if columns is None:
            return _strip_cells(self._open_csv(stream, 0))
        with self.part.open() as again:
            heading = self._open_csv(again, 0).schema.names
        # With their blanks: the reader knows columns by the names in the heading.
        written_names = [name for name in heading if name.strip() in columns]
        return _strip_cells(self._open_csv(stream, len(heading), written_names))

    def _refuse_wide_heading(self) -> None:
        """Refuse a CSV with too many columns: the reader takes kilobytes for each.

        The heading is the first row with anything in it; quotes are signs only around whole cells, with line ends inside.
        """
        signs = re.compile(b'["\r\n]|' + self._separator.encode())
        line = columns = 1
        quoted = False
        with self.part.open() as stream:
            while chunk := stream.read(CHUNK):
                end = 0
                for sign in signs.finditer(chunk):
                    follows, end = sign.start() == end, sign.end()
                    if sign[0] == b'"':
                        quoted = follows and not quoted
                    elif quoted:
                        continue
                    elif sign[0] not in b"\r\n":
                        columns += 1
                        refuse_many_columns(Location(self.path, line), columns)
                    elif columns > 1 or not follows:
                        return
                    else:
                        line += sign[0] == b"\n"

    def _open_csv(
        self, stream: BinaryIO, cells: int, columns: Sequence[str] = ()
    ) -> pa.csv.CSVStreamingReader:
        csv, text = arrow("pyarrow.csv"), arrow().string()

        def skip_row(row: pa.csv.InvalidRow) -> str:
            self.uneven.add(row.number)
            return "skip"

        # Only a reader of one thread gives the numbers of rows.
        return csv.open_csv(
            _WithLastRow(stream, cells, self._separator),
            read_options=csv.ReadOptions(use_threads=False),
            parse_options=csv.ParseOptions(
                delimiter=self._separator, newlines_in_values=True, invalid_row_handler=skip_row
            ),
            convert_options=csv.ConvertOptions(
                column_types=dict.fromkeys(columns, text), include_columns=list(columns)
            ),
        )


LAST_CELL = "\x03 the table ends here \x03"
"""The content of every cell of the row that we add to a CSV."""


class _WithLastRow:
    """The bytes of a CSV and one more row; if the reader finds that row, no quote was left open."""

    closed = False

    def __init__(self, stream: BinaryIO, cells: int, separator: str) -> None:
        self._stream = stream
        self._last = f"\n{separator.join([LAST_CELL] * cells)}\n".encode()

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes, fewer at the end; a heading without an end of line must come with one."""
        content = b""
        while len(content) < size and (more := self._stream.read(size - len(content))):
            content += more
        room = size - len(content)
        content, self._last = content + self._last[:room], self._last[room:]
        return content


class _Reader(NamedTuple):
    schema: pa.Schema
    batches: Callable[[], Iterator[pa.RecordBatch]]


def _strip_cells(csv: pa.csv.CSVStreamingReader) -> _Reader:
    """The cells of a CSV and the names in its heading without the blanks around them; only empty cells are null."""
    pyarrow, compute = arrow(), arrow("pyarrow.compute")
    schema = pyarrow.schema([field.with_name(field.name.strip()) for field in csv.schema])

    def strip(batch: pa.RecordBatch) -> pa.RecordBatch:
        stripped = map(compute.utf8_trim_whitespace, batch.columns)
        columns = [
            compute.if_else(compute.equal(one, ""), pyarrow.scalar(None, one.type), one) for one in stripped
        ]
        return pyarrow.RecordBatch.from_arrays(columns, schema=schema)

    return _Reader(schema, lambda: map(strip, csv))


class _EvenRows:
    """Rows of equal length, which are counted from 1."""

    untyped = False
    uneven: frozenset[int] = frozenset()

    def lines(self) -> Iterator[int]:
        """The numbers of the rows."""
        return count(1)


class MemoryPiece(_EvenRows):
    """An object in memory of which ``choose`` makes a table of some columns."""

    def __init__(
        self, path: str, names: Iterable[str], rows: int, choose: Callable[[list[str]], pa.Table]
    ) -> None:
        self.path, self._names, self._rows, self._choose = path, list(names), rows, choose

    def names(self) -> list[str]:
        """The names of all columns."""
        return self._names

    def rows(self) -> int:
        """The number of rows."""
        return self._rows

    def schema(self, columns: Sequence[str]) -> pa.Schema:
        """The types of these columns."""
        return self._choose(list(columns)).schema

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows of these columns, as record batches."""
        return iter(self._choose(list(columns)).to_batches(max_chunksize=ROWS))


def _piece_of_table(path: str, table: pa.Table) -> MemoryPiece:
    return MemoryPiece(path, table.schema.names, table.num_rows, partial(arrow().Table.select, table))


def _piece_of_frame(path: str, frame: pd.DataFrame) -> MemoryPiece:
    return MemoryPiece(path, map(str, frame.columns), len(frame), partial(_table_of_frame, path, frame))


def _table_of_frame(path: str, frame: pd.DataFrame, columns: list[str]) -> pa.Table:
    with errors_as_findings(path):
        return arrow().Table.from_pandas(frame[columns], preserve_index=False)


class RelationPiece(_EvenRows):
    """A relation of DuckDB, whose query runs whenever rows are asked for."""

    def __init__(self, path: str, relation: duckdb.DuckDBPyRelation) -> None:
        self.path, self.relation = path, relation

    def names(self) -> list[str]:
        """The names of all columns."""
        return list(self.relation.columns)

    def rows(self) -> int:
        """The number of rows."""
        return int(self.relation.aggregate("count(*)").fetchall()[0][0])

    def schema(self, columns: Sequence[str]) -> pa.Schema:
        """The types of these columns."""
        return self._select(columns).limit(0).to_arrow_table().schema

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """The rows of these columns, as record batches."""
        return iter(self._select(columns).to_arrow_reader(ROWS))

    def fetch(self, columns: Sequence[str]) -> MemoryPiece:
        """These columns in memory, for workers: the connection belongs to this process, and runs one query at a time."""
        return _piece_of_table(self.path, self._select(columns).to_arrow_table())

    def _select(self, columns: Sequence[str]) -> duckdb.DuckDBPyRelation:
        return self.relation.project(", ".join(map(quoted, columns)))


Piece: TypeAlias = FilePiece | MemoryPiece | RelationPiece
"""Some rows of a table, in order.

``path`` is its name in findings; in an ``untyped`` piece all columns are text.
"""


def quoted(name: str) -> str:
    """The name of a column as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'


def pieces_of_files(source: Source) -> list[FilePiece]:
    """The files of a source."""
    arrow()
    return [FilePiece(part) for part in source.parts]


def pieces_of_object(table: object, path: str) -> list[Piece]:
    """The rows of an object in memory, by the library that it belongs to."""
    home = type(table).__module__.partition(".")[0]
    name = type(table).__name__
    rows: Any = table
    if home == "pandas":
        return [_piece_of_frame(path, rows)]
    if home == "polars":
        rows = rows.collect() if name == "LazyFrame" else rows
        return [_piece_of_table(path, rows.to_arrow())]
    if home in {"duckdb", "_duckdb"}:
        return [RelationPiece(path, rows)]
    if home == "pyarrow":
        if name == "RecordBatch":
            rows = arrow().Table.from_batches([rows])
        elif hasattr(rows, "read_all"):
            rows = rows.read_all()
        elif hasattr(rows, "to_table"):
            rows = rows.to_table()
        return [_piece_of_table(path, rows)]
    if home.startswith("dask"):
        library("dask.dataframe", "distributed", "a Dask table")
        return [_piece_of_frame(path, part.compute()) for part in rows.to_delayed()]
    raise UsageError(
        f"{path}: expected a path or a table, found {type(table).__name__}",
        hint="tables of pyarrow, pandas, polars, DuckDB and Dask are read",
    )

"""A table of mentions: its pieces with the columns that are read, in one normal form whatever they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import md5
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lydite.errors import Finding, Location
from lydite.escaping import counted, in_bytes
from lydite.formats.units import document_of
from lydite.tables.columns import (
    ANY,
    DOCUMENT,
    END,
    MENTION,
    START,
    TEXT,
    WHOLE,
    Columns,
    arrow,
    check_kinds,
    choose_columns,
)
from lydite.tables.pieces import FilePiece, Piece

if TYPE_CHECKING:
    import dask.dataframe as dd
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

SHOWN = 20
"""How many wrong rows have a finding of their own; of the others only their number is told."""

Identity = tuple[str | int, ...]
"""A mention, by the values of the columns that identify it."""


class MentionTable(NamedTuple):
    """Rows, each with a mention and its cluster."""

    path: str
    pieces: tuple[Piece, ...]
    columns: Columns
    kinds: Mapping[str, str]
    frame: dd.DataFrame | None = None
    """The Dask data frame that the rows come from, if they do."""

    @property
    def untyped(self) -> bool:
        """Whether all columns are text because the files have no types."""
        return all(piece.untyped for piece in self.pieces)

    @property
    def uneven_rows(self) -> int:
        """How many rows have another number of cells than the heading; known when all were read."""
        return sum(len(piece.uneven) for piece in self.pieces)

    def rows(self) -> int:
        """How many rows there are, or about how many."""
        return sum(piece.rows() for piece in self.pieces)

    def batches(self, as_text: frozenset[str] = frozenset()) -> Iterator[pa.RecordBatch]:
        """All rows, in order, in the normal form: columns have the names of their roles, and 64-bit whole numbers or text.

        ``as_text`` are columns of numbers that become text.  What is no whole number where one belongs becomes null.
        """
        for piece in self.pieces:
            for batch in piece.batches(self.columns.in_table):
                yield self.normalise(batch, as_text)

    def normalise(self, batch: pa.RecordBatch, as_text: frozenset[str] = frozenset()) -> pa.RecordBatch:
        """A batch in the normal form."""
        roles = enumerate(self.columns.roles)
        arrays = [_normalise_column(batch.column(at), role, self.kinds[role], as_text) for at, role in roles]
        return arrow().RecordBatch.from_arrays(arrays, names=list(self.columns.roles))

    def schema(self, as_text: frozenset[str] = frozenset()) -> pa.Schema:
        """The types of the normal form."""
        whole, text = arrow().int64(), arrow().string()
        kinds = ((role, _is_whole(role, self.kinds[role], as_text)) for role in self.columns.roles)
        return arrow().schema([(role, whole if is_whole else text) for role, is_whole in kinds])


def open_table(
    pieces: Sequence[Piece], path: str, names: Mapping[str, str], frame: dd.DataFrame | None = None
) -> tuple[MentionTable | None, list[Finding]]:
    """The table of these pieces; None and findings on its columns if it cannot be read."""
    findings: list[Finding] = []
    table: MentionTable | None = None
    for piece in pieces:
        columns, of_columns = choose_columns(piece.names(), names, piece.path)
        findings.extend(of_columns)
        if columns is None:
            continue
        schema = piece.schema(columns.in_table)
        kinds, of_kinds = check_kinds(schema, columns, piece.path, untyped=piece.untyped)
        findings.extend(of_kinds)
        if of_kinds:
            continue
        if table is None:
            table = MentionTable(path, tuple(pieces), columns, kinds, frame)
            continue
        findings.extend(_compare_columns(table, columns, kinds, piece.path))
        known = table.kinds.items()
        table = table._replace(kinds={role: kinds[role] if kind == ANY else kind for role, kind in known})
    return (None if findings else table), findings


def _compare_columns(
    table: MentionTable, columns: Columns, kinds: Mapping[str, str], path: str
) -> Iterator[Finding]:
    """Findings on a piece whose columns are not those of the first piece."""
    first = table.pieces[0].path
    if columns.identity != table.columns.identity:
        ours, theirs = ", ".join(columns.identity), ", ".join(table.columns.identity)
        message = f"mentions are identified by {ours}, and by {theirs} in {first}"
        yield Finding("unequal-types", "error", message, Location(path))
        return
    for role, kind in kinds.items():
        if ANY not in {kind, table.kinds[role]} and kind != table.kinds[role]:
            message = f"column {columns.names[role]!r} holds {kind}, and {table.kinds[role]} in {first}"
            yield Finding("unequal-types", "error", message, Location(path))


def agree_on_kinds(gold: MentionTable, system: MentionTable) -> tuple[frozenset[str], list[Finding]]:
    """The columns to be compared as text, because one side has no types; and findings on what cannot be compared."""
    if gold.columns.identity != system.columns.identity:
        ours, theirs = (", ".join(table.columns.identity) for table in (gold, system))
        message = f"gold identifies a mention by {ours}, this table by {theirs}: no mention would be common"
        hint = "--table-columns says what the columns are called, on both sides"
        return frozenset(), [Finding("unequal-types", "error", message, Location(system.path), hint=hint)]
    as_text, findings = set(), []
    for role in (DOCUMENT, MENTION):
        kinds = [table.kinds.get(role, ANY) for table in (gold, system)]
        if kinds[0] == kinds[1]:
            continue
        if ANY in kinds or gold.untyped or system.untyped:
            as_text.add(role)
            continue
        name = system.columns.names[role]
        message = f"column {name!r} holds {kinds[1]}, and {kinds[0]} in gold: no mention would be common"
        hint = "give it the same type on both sides"
        findings.append(Finding("unequal-types", "error", message, Location(system.path), hint=hint))
    return frozenset(as_text), findings


# -------------------------------------------------------------------------------------------------- the normal form


def _is_whole(role: str, kind: str, as_text: frozenset[str]) -> bool:
    return role in {START, END} or (kind == WHOLE and role not in as_text)


def _normalise_column(array: pa.Array, role: str, kind: str, as_text: frozenset[str]) -> pa.Array:
    pyarrow, compute = arrow(), arrow("pyarrow.compute")
    if pyarrow.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if role in {START, END} and kind == TEXT:
        return _whole_numbers(array)
    target = pyarrow.int64() if _is_whole(role, kind, as_text) else pyarrow.string()
    if array.type == target:
        return array
    if array.type == pyarrow.uint64() and target == pyarrow.int64():
        fits = compute.less_equal(array, pyarrow.scalar(LARGEST, pyarrow.uint64()))
        array = compute.if_else(fits, array, pyarrow.scalar(None, pyarrow.uint64()))
    return compute.cast(array, target)


LARGEST = (1 << 63) - 1
"""The largest number of a column; a larger one becomes null, and has a finding."""
_WHOLE_NUMBER = r"^-?[0-9]{1,18}$"


def _whole_numbers(array: pa.Array) -> pa.Array:
    """The numbers that a text holds, null where it holds none."""
    pyarrow, compute = arrow(), arrow("pyarrow.compute")
    array = compute.cast(array, pyarrow.string())
    fits = compute.match_substring_regex(array, _WHOLE_NUMBER)
    return compute.cast(compute.if_else(fits, array, pyarrow.scalar(None, pyarrow.string())), pyarrow.int64())


PRIME = (1 << 31) - 1
START_OF_HASH = 7
CANONICAL = "0|-?[1-9][0-9]{0,18}"
"""The spelling of whole numbers that counts as a number in a column of text, if it fits into 64 bits."""
_CANONICAL = re.compile(CANONICAL, re.ASCII)


def content_of(batch: pa.RecordBatch) -> int:
    """A hash of the rows of a batch; those of all batches are added up, so that neither order nor kind matters.

    Row by row, over a prime: h becomes (h + value)² + 1 for each column; a text is its number if it is one, else half of
    its MD5.  Rows with a null do not count: such a table is refused.
    """
    import numpy as np

    sound = batch.drop_null() if any(column.null_count for column in batch.columns) else batch
    hashed = np.full(sound.num_rows, START_OF_HASH, dtype=np.int64)
    for column in sound.columns:
        hashed = (hashed + _column_numbers(column)) % PRIME
        hashed = (hashed * hashed + 1) % PRIME
    return int(hashed.sum())


def _column_numbers(column: pa.Array) -> NDArray[np.int64]:
    import numpy as np

    if arrow().types.is_integer(column.type):
        numbers: NDArray[np.int64] = np.mod(column.to_numpy(zero_copy_only=False), PRIME)
        return numbers
    coded = column.dictionary_encode()
    known = np.array([number_of_text(text) for text in coded.dictionary.to_pylist()], dtype=np.int64)
    return known[coded.indices.to_numpy(zero_copy_only=False)] if len(known) else known


def number_of_text(text: str) -> int:
    """The number that stands for a text in a hash."""
    if _CANONICAL.fullmatch(text) and -LARGEST - 1 <= (number := int(text)) <= LARGEST:
        return number % PRIME
    return int.from_bytes(md5(in_bytes(text), usedforsecurity=False).digest()[:8], "little") % PRIME


# ------------------------------------------------------------------------------------------------------- wrong rows


def row_findings(table: MentionTable) -> list[Finding]:
    """Findings on empty cells, on cells without a whole number where one belongs, and on rows of another length."""
    findings = list(islice(_odd_cells(table), SHOWN))
    for piece in table.pieces:
        if not (isinstance(piece, FilePiece) and piece.uneven):
            continue
        uneven = (row for row in piece.lines_and_cells() if row[1] != row[2])
        for line, cells, expected in islice(uneven, SHOWN):
            message = f"expected {counted(expected, 'cell')}, as the heading has, found {cells}"
            findings.append(Finding("uneven-row", "error", message, Location(piece.path, line)))
    return findings


def _odd_cells(table: MentionTable) -> Iterator[Finding]:
    for path, lines, raw, batch in _numbered_batches(table, frozenset()):
        for place, role in enumerate(table.columns.roles):
            column = batch.column(place)
            if not column.null_count:
                continue
            for row in column.is_null().to_numpy(zero_copy_only=False).nonzero()[0].tolist():
                value = raw.column(place)[row].as_py()
                yield _odd_cell(table.columns.names[role], value, Location(path, lines[row]))


def _numbered_batches(
    table: MentionTable, as_text: frozenset[str]
) -> Iterator[tuple[str, Sequence[int], pa.RecordBatch, pa.RecordBatch]]:
    """For every batch its file, the numbers of its rows, the batch as it was read, and in the normal form."""
    for piece in table.pieces:
        lines = piece.lines()
        for raw in piece.batches(table.columns.in_table):
            yield piece.path, list(islice(lines, raw.num_rows)), raw, table.normalise(raw, as_text)


def _odd_cell(name: str, value: object, place: Location) -> Finding:
    if value is None:
        return Finding("null-cell", "error", f"column {name!r}: expected a value, found null", place)
    limit = " below 2^63" if isinstance(value, int) else ""
    message = f"column {name!r}: expected a whole number{limit}, found {value!r}"
    return Finding("odd-number", "error", message, place)


def total_findings(code: str, path: str, count: int, what: str) -> list[Finding]:
    """A finding with the total number of wrong rows, if not each of them has its own."""
    return [] if count <= SHOWN else [Finding(code, "error", f"{count} {what} in all", Location(path))]


def repeat_findings(
    table: MentionTable, mentions: Iterable[Identity], as_text: frozenset[str]
) -> Iterator[Finding]:
    """A finding for each of these mentions: where it stands for the first and for the second time."""
    repeated = set(mentions)
    first: dict[Identity, tuple[str, int]] = {}
    done: set[Identity] = set()
    compute = arrow("pyarrow.compute")
    lead = table.columns.identity[0]
    keys = list(dict.fromkeys(mention[0] for mention in repeated))
    hint = "--repeats first keeps the first one, --repeats merge joins the clusters"
    for path, lines, _, batch in _numbered_batches(table, as_text):
        column = batch.column(lead)
        candidates = compute.is_in(column, value_set=arrow().array(keys, column.type))
        for row in compute.indices_nonzero(candidates).to_pylist():
            *identity, cluster = (batch.column(role)[row].as_py() for role in table.columns.roles)
            mention = tuple(identity)
            if mention not in repeated or mention in done:
                continue
            if mention in first:
                done.add(mention)
                other, before = first[mention]
                name = " ".join(map(str, mention))
                message = (
                    f"mention {name} is in cluster {other!r} (row {before}) and again in {str(cluster)!r}"
                )
                doc_id = str(mention[0]) if lead == DOCUMENT else document_of(str(mention[0]))
                place = Location(path, lines[row])
                yield Finding("mention-in-two-clusters", "error", message, place, doc_id, name, hint)
            first[mention] = str(cluster), lines[row]

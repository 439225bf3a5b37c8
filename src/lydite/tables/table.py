"""A table of mentions: its pieces with the columns that are read, in one form whatever they came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import md5
from itertools import islice
from typing import TYPE_CHECKING

from lydite.errors import Finding, Location
from lydite.escaping import counted, in_bytes
from lydite.formats.units import document_of
from lydite.records import NamedTuple
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
"""So many rows are told one by one; of the others only how many there are."""

Identity = tuple[str | int, ...]
"""A mention, by the values of the columns that tell it."""


class MentionTable(NamedTuple):
    """Rows that each say in which cluster a mention is."""

    path: str
    pieces: tuple[Piece, ...]
    columns: Columns
    kinds: Mapping[str, str]
    frame: dd.DataFrame | None = None
    """The Dask data frame that the rows come from, if they do."""

    @property
    def untyped(self) -> bool:
        """Whether the columns are text because the files know nothing else."""
        return all(piece.untyped for piece in self.pieces)

    @property
    def uneven_rows(self) -> int:
        """How many rows have another number of cells than the heading; known when all were read."""
        return sum(len(piece.uneven) for piece in self.pieces)

    def rows(self) -> int:
        """How many rows there are, or about how many."""
        return sum(piece.rows() for piece in self.pieces)

    def batches(self, as_text: frozenset[str] = frozenset()) -> Iterator[pa.RecordBatch]:
        """All rows, in order, with columns called by what they are for: 64-bit whole numbers, or text.

        ``as_text`` are columns of numbers that are wanted as text.  Anything but a whole number where one belongs is null.
        """
        for piece in self.pieces:
            for batch in piece.batches(self.columns.in_table):
                yield self.normal(batch, as_text)

    def normal(self, batch: pa.RecordBatch, as_text: frozenset[str] = frozenset()) -> pa.RecordBatch:
        """A batch in the one form."""
        arrays = [
            _normal(batch.column(place), role, self.kinds[role], as_text)
            for place, role in enumerate(self.columns.roles)
        ]
        return arrow().RecordBatch.from_arrays(arrays, names=list(self.columns.roles))

    def schema(self, as_text: frozenset[str] = frozenset()) -> pa.Schema:
        """The types of the one form."""
        made = arrow()
        return made.schema(
            [
                (role, made.int64() if _is_whole(role, self.kinds[role], as_text) else made.string())
                for role in self.columns.roles
            ]
        )


def open_table(
    pieces: Sequence[Piece], path: str, said: Mapping[str, str], frame: dd.DataFrame | None = None
) -> tuple[MentionTable | None, list[Finding]]:
    """The table of these pieces; None, and all that is wrong with its columns, if it cannot be read."""
    findings: list[Finding] = []
    made: MentionTable | None = None
    for piece in pieces:
        columns, missing = choose_columns(piece.names(), said, piece.path)
        findings.extend(missing)
        if columns is None:
            continue
        kinds, odd = check_kinds(piece.schema(columns.in_table), columns, piece.path, untyped=piece.untyped)
        findings.extend(odd)
        if odd:
            continue
        if made is None:
            made = MentionTable(path, tuple(pieces), columns, kinds, frame)
            continue
        findings.extend(_differences(made, columns, kinds, piece.path))
        known = {role: kinds[role] if kind == ANY else kind for role, kind in made.kinds.items()}
        made = made._replace(kinds=known)
    return (None if findings else made), findings


def _differences(
    made: MentionTable, columns: Columns, kinds: Mapping[str, str], path: str
) -> Iterator[Finding]:
    first = made.pieces[0].path
    if columns.identity != made.columns.identity:
        message = f"mentions are told by {', '.join(columns.identity)}, and by {', '.join(made.columns.identity)} in {first}"
        yield Finding("unequal-types", "error", message, Location(path))
        return
    for role, kind in kinds.items():
        if ANY not in {kind, made.kinds[role]} and kind != made.kinds[role]:
            message = f"column {columns.names[role]!r} holds {kind}, and {made.kinds[role]} in {first}"
            yield Finding("unequal-types", "error", message, Location(path))


def agree_on_kinds(gold: MentionTable, system: MentionTable) -> tuple[frozenset[str], list[Finding]]:
    """The columns that must be compared as text, because one side knows no types; what cannot be compared at all."""
    if gold.columns.identity != system.columns.identity:
        ours, theirs = (", ".join(table.columns.identity) for table in (gold, system))
        message = f"gold tells a mention by {ours}, this table by {theirs}: no mention would be common"
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


# ----------------------------------------------------------------------------------------------------- the one form


def _is_whole(role: str, kind: str, as_text: frozenset[str]) -> bool:
    return role in {START, END} or (kind == WHOLE and role not in as_text)


def _normal(array: pa.Array, role: str, kind: str, as_text: frozenset[str]) -> pa.Array:
    made, compute = arrow(), arrow("pyarrow.compute")
    if made.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if role in {START, END} and kind == TEXT:
        return _whole_numbers(array)
    wanted = made.int64() if _is_whole(role, kind, as_text) else made.string()
    if array.type == wanted:
        return array
    if array.type == made.uint64() and wanted == made.int64():
        fits = compute.less_equal(array, made.scalar(LARGEST, made.uint64()))
        array = compute.if_else(fits, array, made.scalar(None, made.uint64()))
    return compute.cast(array, wanted)


LARGEST = (1 << 63) - 1
"""The largest number of a column; a larger one is null in the one form, and told as odd."""
_WHOLE_NUMBER = r"^-?[0-9]{1,18}$"


def _whole_numbers(array: pa.Array) -> pa.Array:
    """The numbers that a text holds, null where it holds none."""
    made, compute = arrow(), arrow("pyarrow.compute")
    array = compute.cast(array, made.string())
    fits = compute.match_substring_regex(array, _WHOLE_NUMBER)
    return compute.cast(compute.if_else(fits, array, made.scalar(None, made.string())), made.int64())


PRIME = (1 << 31) - 1
START_OF_HASH = 7
CANONICAL = "0|-?[1-9][0-9]{0,18}"
"""A number as columns of numbers have it, if it is not too large for them."""
_CANONICAL = re.compile(CANONICAL, re.ASCII)


def content_of(batch: pa.RecordBatch) -> int:
    """A number for what the rows of a batch say; those of all batches are added, so that neither order nor kind matters.

    Row by row, over a prime: h becomes (h + value)² + 1 for each column; a text is its number if it is one, else half of
    its MD5.  Rows with a null do not count: such a table is refused.
    """
    import numpy as np

    whole = _without_nulls(batch)
    hashed = np.full(whole.num_rows, START_OF_HASH, dtype=np.int64)
    for column in whole.columns:
        hashed = (hashed + _numbers(column)) % PRIME
        hashed = (hashed * hashed + 1) % PRIME
    return int(hashed.sum())


def _numbers(column: pa.Array) -> NDArray[np.int64]:
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
    half = md5(in_bytes(text), usedforsecurity=False).digest()[:8]
    return int.from_bytes(half, "little") % PRIME


def _without_nulls(batch: pa.RecordBatch) -> pa.RecordBatch:
    return batch.drop_null() if any(column.null_count for column in batch.columns) else batch


# ----------------------------------------------------------------------------------------------- what rows are wrong


def row_findings(table: MentionTable) -> list[Finding]:
    """Cells that are empty, or no whole number where one belongs, and rows with too many or too few of them."""
    found = list(islice(_odd_rows(table), SHOWN))
    for piece in table.pieces:
        if not (isinstance(piece, FilePiece) and piece.uneven):
            continue
        uneven = (row for row in piece.lines_and_cells() if row[1] != row[2])
        for line, cells, wanted in islice(uneven, SHOWN):
            message = f"expected {counted(wanted, 'cell')}, as the heading has, found {cells}"
            found.append(Finding("uneven-row", "error", message, Location(piece.path, line)))
    return found


def _odd_rows(table: MentionTable) -> Iterator[Finding]:
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
    """The file and the numbers of the rows of every batch; the batch as it was read, and in the one form."""
    for piece in table.pieces:
        lines = piece.lines()
        for raw in piece.batches(table.columns.in_table):
            yield piece.path, list(islice(lines, raw.num_rows)), raw, table.normal(raw, as_text)


def _odd_cell(name: str, value: object, place: Location) -> Finding:
    if value is None:
        return Finding("null-cell", "error", f"column {name!r}: expected a value, found null", place)
    limit = " below 2^63" if isinstance(value, int) else ""
    message = f"column {name!r}: expected a whole number{limit}, found {value!r}"
    return Finding("odd-number", "error", message, place)


def more_rows(code: str, path: str, count: int, what: str) -> list[Finding]:
    """A finding that says how many rows are like those that were told, if they are not all of them."""
    if count <= SHOWN:
        return []
    return [Finding(code, "error", f"{count} {what} in all", Location(path))]


def repeat_findings(
    table: MentionTable, mentions: Iterable[Identity], as_text: frozenset[str]
) -> Iterator[Finding]:
    """Where these mentions are written for the first and for the second time."""
    wanted = set(mentions)
    first: dict[Identity, tuple[str, int]] = {}
    told: set[Identity] = set()
    compute = arrow("pyarrow.compute")
    lead = table.columns.identity[0]
    keys = list(dict.fromkeys(mention[0] for mention in wanted))
    hint = "--repeats first keeps the first one, --repeats merge joins the clusters"
    for path, lines, _, batch in _numbered_batches(table, as_text):
        column = batch.column(lead)
        near = compute.is_in(column, value_set=arrow().array(keys, column.type))
        for row in compute.indices_nonzero(near).to_pylist():
            *identity, cluster = (batch.column(role)[row].as_py() for role in table.columns.roles)
            mention = tuple(identity)
            if mention not in wanted or mention in told:
                continue
            if mention in first:
                told.add(mention)
                known, before = first[mention]
                name = " ".join(map(str, mention))
                message = (
                    f"mention {name} is in cluster {known!r} (row {before}) and again in {str(cluster)!r}"
                )
                yield Finding(
                    "mention-in-two-clusters",
                    "error",
                    message,
                    Location(path, lines[row]),
                    str(mention[0]) if lead == DOCUMENT else document_of(str(mention[0])),
                    item=name,
                    hint=hint,
                )
            first[mention] = str(cluster), lines[row]

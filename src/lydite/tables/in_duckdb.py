"""The engine for tables larger than memory: DuckDB joins and groups, on disk if necessary, and returns counts of cells.

The names of documents and clusters become numbers first.  The join runs in blocks of mentions that fit into memory,
because to spill to disk costs more than to read the numbers again; the cells of all blocks are added up at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from lydite.errors import FormatError, refuse
from lydite.grouping import grouped
from lydite.metrics.cluster_counts import Cells, ClusterCounts, pair_count, shapes_and_alone
from lydite.optional_libraries import library
from lydite.tables.columns import CLUSTER, DOCUMENT, MENTION, arrow
from lydite.tables.in_arrays import joined_by
from lydite.tables.pieces import FilePiece, quoted
from lydite.tables.plan import (
    MERGE,
    REFUSE,
    CountedTables,
    CountingPlan,
    SideFacts,
    document_as_unit,
    is_refused,
    why_no_ceaf,
)
from lydite.tables.table import CANONICAL, PRIME, SHOWN, START_OF_HASH, Identity, MentionTable

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa
    from numpy.typing import NDArray

ROW_BYTES = 150
"""The memory of a mention while both sides of its block are joined and grouped."""

BATCH = 10_000_000
"""How many rows are moved to an array at once."""

SIDES = ("gold", "system")


def count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    """Count the clusters of two tables and their common mentions, within the memory that the plan allows."""
    with _connection(plan, gold.path) as connection:
        return _TableCounting(connection, plan, (gold, system)).count()


@contextmanager
def _connection(plan: CountingPlan, path: str) -> Iterator[duckdb.DuckDBPyConnection]:
    """DuckDB with limited memory and a temporary folder of its own, which is removed at the end."""
    import tempfile

    duckdb = library("duckdb", "tables", "the engine duckdb")
    with tempfile.TemporaryDirectory(prefix="lydite-", ignore_cleanup_errors=True) as folder:
        limit = f"{plan.memory // (1 << 20)}MiB"
        config = {"memory_limit": limit, "temp_directory": folder, "preserve_insertion_order": False}
        connection = duckdb.connect(config=config)
        try:
            yield connection
        except duckdb.Error as error:
            message = f"the table cannot be counted: {str(error).partition(chr(10))[0]}"
            hint = "more memory (--memory-limit) or more room for temporary files (TMPDIR) may help"
            raise refuse(path, "unreadable-table", message, hint=hint) from None
        finally:
            connection.close()


LARGEST = 1 << 62


class _Spans(NamedTuple):
    """How spans become numbers: the lowest start and the number of possible starts, and the same of lengths."""

    first: int
    starts: int
    short: int
    lengths: int


class _Names(NamedTuple):
    """How names of clusters become numbers: the limit, the SQL expression, and whether it needs a table of names."""

    width: int
    number: str
    in_table: bool


def _integer_type(limit: int) -> str:
    """The smallest type of numbers from 0 to below the limit."""
    return "UINTEGER" if limit < 1 << 32 else "BIGINT"


class _TableCounting:
    """One run of the plan; every step is a statement.

    A mention becomes one number if documents, starts and lengths are small enough together, which they are unless
    characters are numbered across a collection; so does a cluster, from its unit and its name.  Small rows make this
    fast: less is on disk, and more in the caches.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, plan: CountingPlan, tables: Sequence[MentionTable]
    ) -> None:
        self._connection, self._plan = connection, plan
        self._tables = dict(zip(SIDES, tables, strict=True))
        self._by_span = DOCUMENT in tables[0].columns.identity
        self._has_documents = self._by_span or plan.unit_of is not None
        self._key: tuple[str, ...] = ("mention",)
        self._spans: _Spans | None = None
        self._names: dict[str, _Names] = {}

    def count(self) -> CountedTables:
        """The outcome of all steps."""
        facts = {side: self._open_rows(side) for side in SIDES}
        self._number_documents()
        if self._by_span:
            self._measure_spans()
        for side in SIDES:
            self._number_clusters(side)
            facts[side] = self._with_content(side, self._with_units(side, facts[side]))
            facts[side] = self._with_repeats(side, facts[side])
        if is_refused(facts.values(), self._plan):
            return CountedTables(facts["gold"], facts["system"])
        for side in SIDES:
            if facts[side].repeats:
                self._treat_repeats(side)
            if not self._plan.singletons:
                singletons = f"{side}_clusters WHERE size = 1"
                self._execute(f"DELETE FROM {side} WHERE id IN (SELECT id FROM {singletons})")
                self._execute(f"DELETE FROM {singletons}")
        self._join()
        counts, refused = self._counts()
        return CountedTables(facts["gold"], facts["system"], counts, refused)

    # ------------------------------------------------------------------------------------------------- statements

    def _execute(self, statement: str) -> list[Any]:
        return self._connection.execute(statement).fetchall()

    def _query_number(self, query: str) -> int:
        return int(self._execute(query)[0][0] or 0)

    def _register(self, name: str, table: pa.Table | pa.RecordBatchReader, statement: str) -> None:
        """Run a statement over one of our tables under this name."""
        self._connection.register(name, table)
        self._execute(statement)
        self._connection.unregister(name)

    # ----------------------------------------------------------------------------------------------- the normal form

    def _open_rows(self, side: str) -> SideFacts:
        """Make a view or a table of the rows of a side in the normal form; count the bad ones."""
        table = self._tables[side]
        files = self._readable_files(table) if self._plan.repeats == REFUSE else None
        if files is not None:
            # What does not fit into 64 bits becomes null; findings on it are made row by row.
            columns = ", ".join(
                f"TRY_CAST({quoted(table.columns.names[role])} AS "
                f"{'VARCHAR' if self._is_text(side, role) else 'BIGINT'}) AS {quoted(role)}"
                for role in table.columns.roles
            )
            parts = (
                f"SELECT {columns} FROM read_parquet([{', '.join(paths)}], hive_partitioning = false)"
                for paths in files
            )
            self._execute(f"CREATE TEMP VIEW {side}_read AS {' UNION ALL '.join(parts)}")
        else:
            self._copy(side, table)
        is_bad = " OR ".join(f"{quoted(role)} IS NULL" for role in table.columns.roles)
        bad = self._query_number(f"SELECT count(*) FROM {side}_read WHERE {is_bad}")
        # The sound rows are looked at all the same, for findings on them.
        sound = f" WHERE NOT ({is_bad})" if bad else ""
        self._execute(f"CREATE TEMP VIEW {side}_raw AS SELECT * FROM {side}_read{sound}")
        return SideFacts(bad + table.uneven_rows)

    def _readable_files(self, table: MentionTable) -> list[list[str]] | None:
        """The files of a table, those of one schema together; None if DuckDB cannot read them all by itself."""
        paths = [piece.local_file if isinstance(piece, FilePiece) else None for piece in table.pieces]
        files = ["'" + path.replace("'", "''") + "'" for path in paths if path is not None]
        if len(files) < len(paths):
            return None
        types = [str(piece.schema(table.columns.in_table)) for piece in table.pieces]
        return list(grouped(zip(types, files, strict=True)).values())

    def _copy(self, side: str, table: MentionTable) -> None:
        """Copy rows that DuckDB cannot read by itself, or whose order matters, and number them."""
        pyarrow = arrow()
        schema = table.schema(self._plan.as_text).append(pyarrow.field("place", pyarrow.int64()))
        refused: list[FormatError] = []

        def batches() -> Iterator[pa.RecordBatch]:
            place = 0
            try:
                for batch in table.batches(self._plan.as_text):
                    places = pyarrow.array(np.arange(place, place + batch.num_rows))
                    yield pyarrow.RecordBatch.from_arrays([*batch.columns, places], schema=schema)
                    place += batch.num_rows
            except FormatError as error:
                refused.append(error)
                raise

        reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
        try:
            self._register("incoming", reader, f"CREATE TEMP TABLE {side}_read AS SELECT * FROM incoming")
        finally:
            # DuckDB raises an error of its own in the place of this one.
            if refused:
                raise refused[0] from None

    def _is_text(self, side: str, role: str) -> bool:
        return str(self._tables[side].schema(self._plan.as_text).field(role).type) == "string"

    # ------------------------------------------------------------------------------------------------ names as numbers

    def _document_expression(self) -> str:
        """The document of a row, as text: a column, or the part of an id before ``#``, or before its last slash."""
        if self._by_span:
            return f"CAST({DOCUMENT} AS VARCHAR)"
        if not self._is_text("gold", MENTION):
            return "''"
        before_slash = "regexp_replace(regexp_replace('/' || mention, '/[^/]*$', ''), '^/', '')"
        return f"CASE WHEN contains(mention, '#') THEN split_part(mention, '#', 1) ELSE {before_slash} END"

    def _number_documents(self) -> None:
        """Make a table of all documents: number, unit, and which side has it."""
        if not self._has_documents:
            return
        document = self._document_expression()
        self._execute(
            "CREATE TEMP TABLE documents AS "
            "SELECT document_name, CAST(row_number() OVER () - 1 AS INTEGER) AS document_number, "
            f"CAST(0 AS INTEGER) AS unit, '' AS unit_name, {_text_number_expression('document_name')} AS hashed, "
            "bool_or(side = 'gold') AS in_gold, bool_or(side = 'system') AS in_system FROM ("
            f"SELECT DISTINCT {document} AS document_name, 'gold' AS side FROM gold_raw UNION ALL "
            f"SELECT DISTINCT {document}, 'system' FROM system_raw) GROUP BY document_name"
        )
        unit_of = self._plan.unit_of
        if unit_of is document_as_unit:
            self._execute("UPDATE documents SET unit = document_number, unit_name = document_name")
        elif unit_of is not None:
            self._name_units()
        scored = "in_gold" if self._plan.gold_units_only else "true"
        self._execute(
            "CREATE TEMP TABLE units AS SELECT unit, any_value(unit_name) AS name, bool_or(in_gold) AS in_gold, "
            f"bool_or(in_system) AS in_system, bool_or({scored}) AS scored FROM documents GROUP BY unit"
        )

    def _name_units(self) -> None:
        assert self._plan.unit_of is not None
        documents = [str(name) for (name,) in self._execute("SELECT document_name FROM documents")]
        names = list(map(self._plan.unit_of, documents))
        numbers = {name: number for number, name in enumerate(dict.fromkeys(names))}
        columns = {"document_name": documents, "unit": [*map(numbers.get, names)], "unit_name": names}
        statement = (
            "UPDATE documents SET unit = named.unit, unit_name = named.unit_name FROM named "
            "WHERE documents.document_name = named.document_name"
        )
        self._register("named", arrow().table(columns), statement)

    def _measure_spans(self) -> None:
        """Find out how a span becomes one number; it stays three columns if it does not fit into 63 bits."""
        length = 'CAST("end" AS HUGEINT) - start'
        extremes = [
            self._execute(
                f"SELECT min(start), max(start), min({length}), max({length}) FROM {side}_raw HAVING count(*) > 0"
            )
            for side in SIDES
        ]
        limits = [row for rows in extremes for row in rows] or [(0, 0, 0, 0)]
        choices = enumerate((min, max, min, max))
        first, last, short, long = (choose(int(row[place]) for row in limits) for place, choose in choices)
        spans = _Spans(first, last - first + 1, short, long - short + 1)
        if self._query_number("SELECT count(*) FROM documents") * spans.starts * spans.lengths < LARGEST:
            self._spans = spans
        else:
            self._key = ("document_number", "start", '"end"')

    def _number_clusters(self, side: str) -> None:
        """Make tables of the rows with numbers of mentions and clusters, and of the sizes of clusters."""
        units = self._query_number("SELECT max(unit) + 1 FROM units") if self._has_documents else 1
        names = self._names[side] = self._name_clusters(side, units)
        joins = ""
        if self._has_documents:
            joins = f" JOIN documents ON {self._document_expression()} = document_name"
        if self._has_documents and self._plan.unit_of is not None and self._plan.gold_units_only:
            joins += " SEMI JOIN (SELECT unit FROM units WHERE scored) AS scored_units USING (unit)"
        if names.in_table:
            joins += f" JOIN {side}_names USING (cluster)"
        unit = "unit" if self._has_documents else "0"
        place = ", seen, place" if self._plan.repeats != REFUSE else ""
        self._execute(
            f"CREATE TEMP TABLE {side} AS SELECT {self._mention_columns()}, "
            f"CAST(CAST({unit} AS BIGINT) * {names.width} + {names.number} AS {_integer_type(units * names.width)}) AS id{place} "
            f"FROM {side}_raw{joins}"
        )
        self._size_clusters(side)

    def _mention_columns(self) -> str:
        if self._spans is None:
            return ", ".join(self._key)
        first, starts, short, lengths = self._spans
        start = f"CAST(document_number AS BIGINT) * {starts} + (start - ({first}))"
        kind = _integer_type(self._query_number("SELECT count(*) FROM documents") * starts * lengths)
        return f'CAST(({start}) * {lengths} + ("end" - start - ({short})) AS {kind}) AS mention'

    def _name_clusters(self, side: str, units: int) -> _Names:
        """How a name becomes a number: by itself if it is a small enough number, else by a table of all names."""
        if not self._is_text(side, CLUSTER) and self._plan.repeats == REFUSE:
            low, high = self._execute(f"SELECT min(cluster), max(cluster) FROM {side}_raw")[0]
            width = int(high or 0) - int(low or 0) + 1
            if units * width < LARGEST:
                return _Names(width, f"(cluster - ({int(low or 0)}))", in_table=False)
        hashed = _text_number_expression("cluster") if self._is_text(side, CLUSTER) else "0"
        seen = ", min(place) AS seen" if self._plan.repeats != REFUSE else ""
        self._execute(
            f"CREATE TEMP TABLE {side}_names AS SELECT cluster, row_number() OVER () - 1 AS number, "
            f"{hashed} AS hashed{seen} FROM {side}_raw GROUP BY cluster"
        )
        width = max(self._query_number(f"SELECT count(*) FROM {side}_names"), 1)
        return _Names(width, "number", in_table=True)

    def _size_clusters(self, side: str) -> None:
        """Make a table of the sizes of clusters; counted in an array if there are at least as many rows as numbers.

        Grouping 50 million rows by 12 million clusters takes DuckDB 3.8 s, the array 1.0 s.
        """
        create = f"CREATE OR REPLACE TEMP TABLE {side}_clusters AS SELECT id, id // {self._names[side].width} AS unit, size"
        ((rows, limit),) = self._execute(f"SELECT count(*), max(id) + 1 FROM {side}")
        if rows and limit <= rows:
            self._register("sized", self._count_sizes(side, int(limit)), f"{create} FROM sized")
        else:
            self._execute(f"{create} FROM (SELECT id, count(*) AS size FROM {side} GROUP BY id)")

    def _count_sizes(self, side: str, limit: int) -> pa.Table:
        sizes = np.zeros(limit, dtype=np.int64)
        for batch in self._connection.sql(f"SELECT id FROM {side}").to_arrow_reader(BATCH):
            sizes += np.bincount(batch["id"], minlength=limit)
        ids = np.flatnonzero(sizes)
        return arrow().table({"id": ids, "size": sizes[ids]})

    def _with_units(self, side: str, facts: SideFacts) -> SideFacts:
        if self._plan.unit_of is None:
            return facts
        ours, theirs = (f"in_{name}" for name in (SIDES if side == "gold" else SIDES[::-1]))
        is_unshared = f"{ours} AND NOT {theirs}"
        names = self._execute(f"SELECT name FROM units WHERE {is_unshared} ORDER BY name LIMIT {SHOWN}")
        unshared_units = self._query_number(f"SELECT count(*) FROM units WHERE {is_unshared}")
        return facts._replace(
            units=self._query_number(f"SELECT count(*) FROM units WHERE {ours}"),
            unshared_units=unshared_units,
            unit_names=tuple(str(name) for (name,) in names),
            cut=self._count_cut_names(side, unshared_units=bool(unshared_units)),
        )

    def _count_cut_names(self, side: str, *, unshared_units: bool) -> int:
        """How many names of clusters occur in several units, those that are not scored included."""
        query = f"SELECT id % {self._names[side].width} AS name FROM {side}_clusters GROUP BY name HAVING count(*) > 1"
        if unshared_units and side == "system" and self._plan.gold_units_only:
            query = (
                f"SELECT cluster FROM {side}_raw JOIN documents ON {self._document_expression()} = document_name "
                "GROUP BY cluster HAVING count(DISTINCT unit) > 1"
            )
        return self._query_number(f"SELECT count(*) FROM ({query})")

    def _with_content(self, side: str, facts: SideFacts) -> SideFacts:
        """The facts with the content number (:func:`lydite.tables.table.content_of`); each name is hashed once."""
        rows = f"{side}_raw AS raw"
        values = []
        for role in self._tables[side].columns.roles:
            value = f"raw.{quoted(role)}"
            if not self._is_text(side, role):
                values.append(f"(({value} % {PRIME}) + {PRIME}) % {PRIME}")
            elif role == MENTION:
                values.append(_text_number_expression(value))
            else:
                known, name = ("documents", "document_name") if role == DOCUMENT else (f"{side}_names", role)
                rows += f" JOIN {known} ON {value} = {known}.{name}"
                values.append(f"{known}.hashed")
        columns = ", ".join(f"{value} AS v{number}" for number, value in enumerate(values))
        query = f"SELECT CAST({START_OF_HASH} AS BIGINT) AS h, {columns} FROM {rows}"
        for number in range(len(values)):
            query = f"SELECT * REPLACE ((h + v{number}) % {PRIME} AS h) FROM ({query})"
            query = f"SELECT * REPLACE ((h * h + 1) % {PRIME} AS h) FROM ({query})"
        return facts._replace(content=self._query_number(f"SELECT sum(h) FROM ({query})"))

    # -------------------------------------------------------------------------------------------------------- repeats

    def _blocks(self, *sides: str) -> int:
        """The number of blocks in which these rows are joined or grouped."""
        rows = max(self._query_number(f"SELECT count(*) FROM {side}") for side in sides)
        return max(1, -(-rows * ROW_BYTES // self._plan.memory))

    def _block(self, side: str, block: int, blocks: int) -> str:
        """The rows of a side that are in a block; a mention is in the same block on both sides."""
        if blocks == 1:
            return side
        return f"(SELECT * FROM {side} WHERE hash({', '.join(self._key)}) % {blocks} = {block})"

    def _with_repeats(self, side: str, facts: SideFacts) -> SideFacts:
        key, blocks = ", ".join(self._key), self._blocks(side)
        self._execute(f"CREATE TEMP TABLE {side}_repeats AS SELECT {key} FROM {side} LIMIT 0")
        are_numbers = self._key == ("mention",) and (self._by_span or not self._is_text(side, MENTION))
        for block in range(blocks):
            rows = self._block(side, block, blocks)
            if are_numbers:
                self._find_repeats(side, rows)
            else:
                grouped = f"SELECT {key} FROM {rows} GROUP BY {key} HAVING count(*) > 1"
                self._execute(f"INSERT INTO {side}_repeats {grouped}")
        number = self._query_number(f"SELECT count(*) FROM {side}_repeats")
        return facts._replace(repeats=number, repeated=self._identities(side) if number else ())

    def _find_repeats(self, side: str, rows: str) -> None:
        """Insert the numbers that occur more than once: to sort an array of them takes half the time of grouping."""
        numbers = np.sort(self._connection.execute(f"SELECT mention FROM {rows}").fetchnumpy()["mention"])
        again = np.unique(numbers[1:][numbers[1:] == numbers[:-1]])
        if len(again):
            mentions = arrow().table({"mention": again})
            self._register("again", mentions, f"INSERT INTO {side}_repeats SELECT mention FROM again")

    def _identities(self, side: str) -> list[Identity]:
        """The first mentions that repeat, by the values of their columns."""
        if not self._by_span:
            return self._execute(f"SELECT mention FROM {side}_repeats ORDER BY mention LIMIT {SHOWN}")
        columns = ", ".join(self._key)
        if self._spans is not None:
            first, starts, short, lengths = self._spans
            start = f"mention // {lengths} % {starts} + ({first})"
            columns = (
                f"mention // {lengths} // {starts} AS document_number, {start} AS start, "
                f'mention % {lengths} + ({short}) + ({start}) AS "end"'
            )
        shown = self._execute(
            f'SELECT document_name, start, "end" FROM (SELECT {columns} FROM {side}_repeats) '
            f"JOIN documents USING (document_number) ORDER BY ALL LIMIT {SHOWN}"
        )
        is_text = self._is_text(side, DOCUMENT)
        return [(document if is_text else int(document), start, end) for document, start, end in shown]

    def _treat_repeats(self, side: str) -> None:
        """Join clusters that share a mention, if the plan says so, and keep every mention once, where it is first."""
        if self._plan.repeats == MERGE:
            self._merge(side)
        self._execute(
            f"CREATE OR REPLACE TEMP TABLE {side} AS SELECT * FROM {side} "
            f"QUALIFY row_number() OVER (PARTITION BY {', '.join(self._key)} ORDER BY seen, place) = 1"
        )
        self._size_clusters(side)

    def _merge(self, side: str) -> None:
        key = ", ".join(self._key)
        same = " AND ".join(f"a.{column} = b.{column}" for column in self._key)
        ends = self._connection.execute(
            f"SELECT DISTINCT a.id AS one, b.id AS other FROM (SELECT * FROM {side} SEMI JOIN {side}_repeats "
            f"USING ({key})) AS a JOIN {side} AS b ON {same} WHERE a.id <= b.id"
        ).fetchnumpy()
        ids, homes = joined_by(ends["one"], ends["other"])
        statement = f"UPDATE {side} SET id = homes.home FROM homes WHERE {side}.id = homes.id"
        self._register("homes", arrow().table({"id": ids, "home": homes}), statement)

    # ---------------------------------------------------------------------------------------------------------- cells

    def _join(self) -> None:
        """Make a table of cells: the common mentions of every pair of clusters that has some, and their sizes."""
        blocks, key = self._blocks(*SIDES), ", ".join(self._key)
        self._execute(
            "CREATE TEMP TABLE parts AS SELECT gold.id AS gold, system.id AS system, CAST(0 AS BIGINT) AS common "
            "FROM gold, system LIMIT 0"
        )
        for block in range(blocks):
            ours, theirs = (self._block(side, block, blocks) for side in SIDES)
            self._execute(
                f"INSERT INTO parts SELECT a.id, b.id, count(*) FROM {ours} AS a JOIN {theirs} AS b USING ({key}) "
                "GROUP BY a.id, b.id"
            )
        for side in SIDES:
            self._execute(f"DROP TABLE {side}")
        self._execute(
            "CREATE TEMP TABLE cells AS SELECT gold, system, common, a.unit, a.size AS gold_size, b.size AS system_size "
            "FROM (SELECT gold, system, CAST(sum(common) AS BIGINT) AS common FROM parts GROUP BY gold, system) "
            "JOIN gold_clusters AS a ON gold = a.id JOIN system_clusters AS b ON system = b.id"
        )
        self._execute("DROP TABLE parts")
        for side in SIDES:
            self._execute(
                f"CREATE TEMP TABLE {side}_meets AS SELECT {side}, count(*) AS others, "
                f"CAST(sum(common) AS BIGINT) AS common FROM cells GROUP BY {side}"
            )

    def _counts(self) -> tuple[ClusterCounts, str | None]:
        self._execute(
            "CREATE TEMP TABLE met AS SELECT cells.*, gold_meets.others = 1 AND system_meets.others = 1 AS alone "
            "FROM cells JOIN gold_meets ON cells.gold = gold_meets.gold "
            "JOIN system_meets ON cells.system = system_meets.system"
        )
        rows = self._execute("SELECT gold_size, system_size, common, alone, count(*) FROM met GROUP BY ALL")
        contested, refused = None, None
        if self._plan.ceaf:
            contested_cells = sum(int(number) for *_, is_alone, number in rows if not is_alone)
            refused = why_no_ceaf(contested_cells, self._plan.memory)
            if refused is None:
                # Make room for the arrays of the assignment.
                self._execute(f"SET memory_limit = '{max(self._plan.memory // (4 << 20), 64)}MiB'")
                query = "SELECT gold, system, common, gold_size, system_size FROM met WHERE NOT alone"
                cells = self._connection.execute(f"{query} ORDER BY gold, system").fetchnumpy()
                contested = numbered_cells(cells)
        shapes, alone = shapes_and_alone(((k, r, n, is_alone), number) for k, r, n, is_alone, number in rows)
        counts = ClusterCounts(
            self._histogram("gold_clusters", "size"),
            self._histogram("system_clusters", "size"),
            shapes,
            alone,
            self._histogram("gold_meets", "common"),
            self._histogram("system_meets", "common"),
            (
                self._pairs_in_units("cells", "common"),
                self._pairs_in_units("gold_clusters", "size"),
                self._pairs_in_units("system_clusters", "size"),
            ),
            contested,
        )
        return counts, refused

    def _histogram(self, table: str, column: str) -> dict[int, int]:
        """How often each number occurs in a column."""
        rows = self._execute(f"SELECT {column}, count(*) FROM {table} GROUP BY {column}")
        return {int(size): int(number) for size, number in rows}

    def _pairs_in_units(self, table: str, column: str) -> int:
        """The number of pairs of mentions inside units, whose numbers of mentions are the sums of a column."""
        sizes = self._execute(f"SELECT sum({column}) FROM {table} GROUP BY unit")
        return sum(pair_count(int(size)) for (size,) in sizes)


def numbered_cells(cells: Mapping[str, NDArray[np.int64]]) -> Cells[NDArray[np.int64]]:
    """Cells as integers, with clusters numbered from 0."""
    numbers = [np.unique(cells[side], return_inverse=True)[1] for side in SIDES]
    others = [cells[name] for name in ("gold_size", "system_size", "common")]
    return Cells(*(np.asarray(column, dtype=np.int64) for column in (*numbers, *others)))


def _text_number_expression(value: str) -> str:
    """The SQL expression of :func:`lydite.tables.table.number_of_text`."""
    return (
        f"CASE WHEN regexp_full_match({value}, '{CANONICAL}') AND TRY_CAST({value} AS BIGINT) IS NOT NULL "
        f"THEN ((TRY_CAST({value} AS BIGINT) % {PRIME}) + {PRIME}) % {PRIME} "
        f"ELSE CAST(md5_number_upper({value}) % {PRIME} AS BIGINT) END"
    )

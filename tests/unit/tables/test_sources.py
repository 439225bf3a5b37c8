"""Where tables come from: files of three kinds, patterns, addresses, and objects of five libraries."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from pathlib import Path

import dask
import dask.dataframe as dd
import duckdb
import fsspec
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv as pc
import pyarrow.feather as pf
import pyarrow.ipc as pi
import pyarrow.parquet as pq
import pytest

from lydite import coref
from lydite.errors import FormatError, InvalidInput, UsageError

GOLD = {
    "document": ["d", "d", "d", "e"],
    "start": [0, 4, 9, 0],
    "end": [1, 5, 10, 1],
    "cluster": [1, 1, 2, 3],
}
SYSTEM = {**GOLD, "cluster": [1, 2, 2, 3]}


def expected() -> float:
    figure = coref.score_tables(pa.table(GOLD), pa.table(SYSTEM))["conll"].f1
    assert figure is not None
    return figure


def feather(table: pa.Table, path: str) -> None:
    pf.write_feather(table, path)


def stream(table: pa.Table, path: str) -> None:
    with pi.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def tabs(table: pa.Table, path: str) -> None:
    pc.write_csv(table, path, pc.WriteOptions(delimiter="\t"))


def packed(table: pa.Table, path: str) -> None:
    text = io.BytesIO()
    pc.write_csv(table, text)
    Path(path).write_bytes(gzip.compress(text.getvalue()))


WRITERS: dict[str, Callable[[pa.Table, str], None]] = {
    "x.parquet": pq.write_table,
    "x.arrow": feather,
    "x.feather": stream,
    "x.csv": pc.write_csv,
    "t.csv": tabs,
    "x.csv.gz": packed,
}


@pytest.mark.parametrize("name", list(WRITERS))
def test_every_kind_of_file_says_the_same(name: str, tmp_path: Path) -> None:
    paths = [tmp_path / f"{side}-{name}" for side in ("gold", "system")]
    for path, rows in zip(paths, (GOLD, SYSTEM), strict=True):
        WRITERS[name](pa.table(rows), str(path))
    of_tables = coref.score_tables(pa.table(GOLD), pa.table(SYSTEM))
    for engine in ("documents", "duckdb"):
        found = coref.score_tables(*paths, engine=engine)
        assert dict(found) == dict(of_tables)
        assert found.summary.signature == of_tables.summary.signature


def test_the_files_of_a_pattern_or_a_list_are_one_table(tmp_path: Path) -> None:
    for number in range(4):
        pq.write_table(pa.table(GOLD).slice(number, 1), tmp_path / f"gold-{number}.parquet")
    system = pa.table(SYSTEM)
    for engine in ("arrays", "duckdb"):
        found = coref.score_tables(str(tmp_path / "gold-*.parquet"), system, engine=engine)
        assert found["conll"].f1 == expected()
    files = sorted(tmp_path.iterdir())
    assert coref.score_tables(files, system)["conll"].f1 == expected()
    assert coref.score_tables(tmp_path, system)["conll"].f1 == expected()


def test_an_address_is_read_through_fsspec() -> None:
    store = fsspec.filesystem("memory")
    for side, rows in (("gold", GOLD), ("system", SYSTEM)):
        with store.open(f"/tables/{side}.parquet", "wb") as file:
            pq.write_table(pa.table(rows), file)
    for engine in ("arrays", "duckdb"):
        found = coref.score_tables(
            "memory://tables/gold.parquet", "memory://tables/s*.parquet", engine=engine
        )
        assert found["conll"].f1 == expected()
    with pytest.raises(FormatError, match="no-files"):
        coref.score_tables("memory://tables/x*.parquet", "memory://tables/gold.parquet")


def categories(rows: dict[str, list[object]]) -> pd.DataFrame:
    return pd.DataFrame(rows).astype({"document": "category", "cluster": "category"})


MAKERS: dict[str, Callable[[dict[str, list[object]]], object]] = {
    "pyarrow": pa.table,
    "record batch": lambda rows: pa.table(rows).to_batches()[0],
    "pandas": pd.DataFrame,
    "pandas with categories": categories,
    "polars": pl.DataFrame,
    "polars, lazy": lambda rows: pl.DataFrame(rows).lazy(),
    "duckdb": lambda rows: duckdb.connect().from_arrow(pa.table(rows)),
}


@pytest.mark.parametrize("name", list(MAKERS))
def test_tables_in_memory_say_what_files_say(name: str) -> None:
    found = coref.score_tables(MAKERS[name](GOLD), MAKERS[name](SYSTEM))  # type: ignore[arg-type]
    assert found["conll"].f1 == expected()


def test_a_dask_frame_is_counted_by_dask_and_by_the_others() -> None:
    sides = [dd.from_pandas(pd.DataFrame(rows), npartitions=2) for rows in (GOLD, SYSTEM)]
    with dask.config.set(scheduler="synchronous"):
        for engine in ("auto", "arrays"):
            assert coref.score_tables(*sides, engine=engine)["conll"].f1 == expected()


def test_relations_of_one_connection_are_counted_by_dask() -> None:
    connection = duckdb.connect()
    for _ in range(5):
        sides = [connection.from_arrow(pa.table(rows)) for rows in (GOLD, SYSTEM)]
        with dask.config.set(scheduler="threads"):
            assert coref.score_tables(*sides, engine="dask")["conll"].f1 == expected()


def test_what_is_no_table_is_wrong_usage() -> None:
    with pytest.raises(UsageError, match="expected a path or a table, found dict"):
        coref.score_tables(GOLD, SYSTEM)
    with pytest.raises(UsageError, match="expected a path or a table, found list"):
        coref.score_tables([{"mention": 1, "cluster": 2}], [{"mention": 1, "cluster": 2}])
    with pytest.raises(UsageError, match="columns: expected a dict"):
        coref.score_tables("gold.csv", "system.csv", columns=["mention=id"])  # type: ignore[arg-type]


def test_a_file_that_is_cut_off_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "gold.parquet"
    pq.write_table(pa.table(GOLD), path)
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(FormatError, match="unreadable-table"):
        coref.score_tables(path, path)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
def test_a_quote_that_nobody_closes_swallows_no_rows(end: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f'mention,cluster,text\n1,a,"said ""he"""\n2,a,"one\ntwo"\n3,b,7"{end}', newline="")
    rows = coref.score_tables(path, path, unit="corpus").summary.rows
    assert [row.tally["gold_total"] for row in rows if row.metric == "mentions"] == [3]
    path.write_text(f'mention,cluster,text\n1,a,word\n2,a,"said he\n3,b,word{end}', newline="")
    for engine in ("documents", "arrays", "duckdb"):
        with pytest.raises(FormatError, match="a quote is opened and never closed"):
            coref.score_tables(path, path, unit="corpus", engine=engine)


@pytest.mark.parametrize("end", ["", "\n", "\r\n"])
def test_a_heading_alone_is_a_table_without_mentions(end: str, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("mention,cluster\nd#1,a\nd#2,a\n")
    (tmp_path / "system.csv").write_bytes(f"mention,cluster{end}".encode())
    assert coref.score_tables(tmp_path / "gold.csv", tmp_path / "system.csv")["muc"].recall == 0


def test_a_column_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("mention,cluster,cluster\n1,a,b\n")
    with pytest.raises(InvalidInput, match="expected one column 'cluster', found 2"):
        coref.score_tables(tmp_path / "t.csv", tmp_path / "t.csv")
    columns = [pa.array([1]), pa.array(["a"]), pa.array(["b"])]
    table = pa.Table.from_arrays(columns, names=["mention", "cluster", "cluster"])
    with pytest.raises(InvalidInput, match="expected one column 'cluster', found 2"):
        coref.score_tables(table, table)


@pytest.mark.parametrize("engine", ["documents", "arrays", "duckdb", "dask"])
def test_blanks_around_the_cells_of_a_csv_say_nothing(engine: str, tmp_path: Path) -> None:
    (tmp_path / "gold.csv").write_text("document,start,end,cluster\nd1,0,1,a\nd1,2,3,a\n")
    (tmp_path / "system.csv").write_text('document, start ,end,cluster\n d1,0, 1,a \n"d1 ", 2,3,a\n')
    scores = coref.score_tables(tmp_path / "gold.csv", tmp_path / "system.csv", engine=engine)
    assert scores["muc"].f1 == 1
    assert len({one.content for one in scores.summary.inputs}) == 1
    (tmp_path / "system.csv").write_text("document,start,end,cluster\n ,0,1,a\n")
    with pytest.raises(InvalidInput, match="column 'document': expected a value, found null"):
        coref.score_tables(tmp_path / "gold.csv", tmp_path / "system.csv", engine=engine)


@pytest.mark.parametrize("number", [1 << 62, -(1 << 63), (1 << 63) - 1])
def test_a_large_number_has_one_signature_in_every_kind_of_file_and_engine(
    number: int, tmp_path: Path
) -> None:
    pq.write_table(pa.table({"mention": [number, 2], "cluster": [number, 1]}), tmp_path / "t.parquet")
    (tmp_path / "t.csv").write_text(f"mention,cluster\n{number},{number}\n2,1\n")
    contents = {
        item.content
        for engine in ("documents", "arrays", "duckdb", "dask")
        for side in ("csv", "parquet")
        for item in coref.score_tables(
            tmp_path / "t.csv", tmp_path / f"t.{side}", engine=engine
        ).summary.inputs
    }
    assert len(contents) == 1

"""``--format parquet``: the rows of CSV with types, for every task."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lydite.cli import run
from scored_examples import EXAMPLES

Capture = pytest.CaptureFixture[str]


def cell(value: object) -> str:
    return "" if value is None else repr(value) if isinstance(value, float) else str(value)


def number_or_text(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def rows_of(table: pa.Table) -> list[dict[str, object]]:
    return [{key: number_or_text(cell(value)) for key, value in row.items()} for row in table.to_pylist()]


@pytest.mark.parametrize("task", EXAMPLES)
def test_parquet_has_the_rows_and_columns_of_csv(task: str, tmp_path: Path, capsys: Capture) -> None:
    command = ["score", task, *EXAMPLES[task], "--by", "doc", "-q", "--format"]
    assert run([*command, "parquet", "-o", str(tmp_path / "rows.parquet")]) == 0
    assert run([*command, "csv"]) == 0
    expected = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    table = pq.read_table(tmp_path / "rows.parquet")
    assert table.column_names == list(expected[0])
    assert rows_of(table) == [{key: number_or_text(value) for key, value in row.items()} for row in expected]


def test_figures_and_credits_are_doubles_even_where_all_are_whole_or_undefined(tmp_path: Path) -> None:
    assert run(["score", *EXAMPLES["nugget"], "-q", "--format", "parquet", "-o", str(tmp_path / "r")]) == 0
    schema = pq.read_schema(tmp_path / "r")
    assert schema.field("value").type == schema.field("tally.gold_credit").type == pa.float64()
    assert schema.field("tally.gold_total").type == pa.int64()


def test_compare_writes_its_systems(tmp_path: Path, capsys: Capture) -> None:
    gold, system = EXAMPLES["nugget"]
    command = ["compare", gold, system, gold, "-q", "--resamples", "20", "--format"]
    assert run([*command, "parquet", "-o", str(tmp_path / "rows.parquet")]) == 0
    assert run([*command, "csv"]) == 0
    expected = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    table = pq.read_table(tmp_path / "rows.parquet")
    assert [row["system"] for row in table.to_pylist()] == [row["system"] for row in expected]
    assert table.column_names == list(expected[0])


def test_without_the_library_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    assert run(["score", *EXAMPLES["nugget"], "--format", "parquet", "-o", "never"]) == 2
    told = capsys.readouterr().err
    assert "--format parquet needs the package pyarrow" in told
    assert "pip install 'lydite[tables]'" in told

"""Tables of mentions on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lydite.cli import run

Capture = pytest.CaptureFixture[str]

GOLD = pa.table(
    {"document": ["d", "d", "e"], "start": [0, 4, 0], "end": [1, 5, 1], "cluster": ["a", "a", "b"]}
)


@pytest.fixture
def gold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    pq.write_table(GOLD, "gold.parquet")
    return "gold.parquet"


def test_the_task_is_known_from_the_file(gold: str, capsys: Capture) -> None:
    assert run(["score", gold, gold]) == 0
    told = capsys.readouterr()
    assert "task coref (the files are table)" in told.err
    assert "2 gold documents" in told.out


def test_columns_are_named_by_a_setting(gold: str, capsys: Capture) -> None:
    pq.write_table(GOLD.rename_columns(["doc", "from", "to", "label"]), "other.parquet")
    names = "document=doc,start=from,end=to,cluster=label"
    assert run(["score", "coref", "other.parquet", "other.parquet", "--table-columns", names, "-q"]) == 0
    assert "100.00" in capsys.readouterr().out
    assert run(["score", "coref", gold, "other.parquet"]) == 3
    assert "[missing-column]" in capsys.readouterr().err


def test_every_engine_writes_the_same_rows(gold: str, capsys: Capture) -> None:
    pq.write_table(GOLD.set_column(3, "cluster", pa.array(["x", "y", "y"])), "system.parquet")
    written = set()
    for engine in ("auto", "documents", "arrays", "duckdb"):
        assert run(["score", "coref", gold, "system.parquet", "--engine", engine, "--format", "csv"]) == 0
        written.add(capsys.readouterr().out)
    assert len(written) == 1


@pytest.mark.parametrize("engine", ["auto", "arrays", "duckdb"])
def test_processes_change_nothing_for_what_is_counted(engine: str, gold: str, capsys: Capture) -> None:
    words = ["score", "coref", gold, gold, "--engine", engine, "--format", "csv", "-q"]
    assert run(words) == run([*words, "-j", "2"]) == 0
    first, second = capsys.readouterr().out.split("system,")[1:]
    assert first == second


def test_breakdowns_ask_for_documents(gold: str, capsys: Capture) -> None:
    assert run(["score", "coref", gold, gold, "--by", "doc", "-q"]) == 0
    assert "by document" in capsys.readouterr().out
    for command in (["score", "--by", "doc"], ["score", "--format", "json"], ["agree"]):
        assert run([command[0], "coref", gold, gold, *command[1:], "--engine", "arrays"]) == 0
        assert "[totals-only]" in capsys.readouterr().err


def test_an_engine_is_refused_what_only_documents_give(gold: str, capsys: Capture) -> None:
    command = ["score", "coref", gold, gold, "--engine", "duckdb"]
    assert run([*command, "--averages", "micro,macro"]) == 2
    assert "without macro averages" in capsys.readouterr().err
    assert run([*command, "--metrics", "muc,rand"]) == 2
    assert "without the metric rand" in capsys.readouterr().err


def test_an_engine_is_refused_what_needs_documents_afterwards(gold: str, capsys: Capture) -> None:
    assert run(["compare", "coref", gold, gold, gold, "--engine", "arrays"]) == 2
    assert "without documents to draw again" in capsys.readouterr().err
    assert run(["score", "coref", gold, gold, "--engine", "arrays", "--ci"]) == 2
    assert run(["score", "coref", gold, gold, "--engine", "arrays", "--format", "official"]) == 2
    assert run(["score", "coref", gold, gold, "--format", "official", "-q"]) == 0
    assert "METRIC muc" in capsys.readouterr().out


def test_an_engine_is_refused_other_files(gold: str, capsys: Capture) -> None:
    Path("gold.clusters").write_text("d#0-1\ta\nd#4-5\ta\ne#0-1\tb\n", encoding="utf-8")
    assert run(["score", "coref", gold, "gold.clusters", "--engine", "arrays"]) == 2
    assert "not all files are tables" in capsys.readouterr().err
    assert run(["score", "coref", gold, "gold.clusters", "-q", "--format", "json"]) == 0
    (conll,) = [row for row in json.loads(capsys.readouterr().out)["scores"] if row["metric"] == "conll" and row["scope"] == "corpus"]  # fmt: skip
    assert conll["f1"] == 1.0


def test_compare_and_explain_read_tables_as_documents(gold: str, capsys: Capture) -> None:
    pq.write_table(GOLD.set_column(3, "cluster", pa.array(["x", "y", "y"])), "system.parquet")
    assert run(["compare", "coref", gold, gold, "system.parquet", "--resamples", "20", "-q"]) == 0
    assert run(["explain", "coref", gold, "system.parquet", "-q"]) == 0
    capsys.readouterr()


def test_tables_of_other_documents_share_none(gold: str, capsys: Capture) -> None:
    pq.write_table(GOLD.set_column(0, "document", pa.array(["x", "y", "z"])), "other.parquet")
    for engine in ("documents", "arrays", "duckdb"):
        assert run(["score", "coref", gold, "other.parquet", "--engine", engine]) == 4
        assert "[no-common-document]" in capsys.readouterr().err


def test_ceaf_is_left_out_with_its_reason_where_its_cells_do_not_fit(gold: str, capsys: Capture) -> None:
    rows = {"mention": list(range(800)), "cluster": [number // 4 for number in range(800)]}
    pq.write_table(pa.table(rows), "gold.parquet")
    pq.write_table(pa.table({**rows, "cluster": [number // 5 for number in range(800)]}), "system.parquet")
    command = ["score", "coref", gold, "system.parquet", "--format", "csv", "--engine", "duckdb"]
    assert run([*command, "-q"]) == 0
    whole = capsys.readouterr().out
    monkey = pytest.MonkeyPatch()
    with monkey.context() as patched:
        patched.setattr("lydite.tables.plan.CELL_BYTES", 1 << 40)
        assert run(command) == 0
    told = capsys.readouterr()
    assert "[ceaf-refused]" in told.err
    assert "CEAF would hold 320 cells at once" in told.err
    left = [
        line
        for line in whole.splitlines()
        if ",ceaf-" not in line and ",conll," not in line and ",kbp," not in line
    ]
    assert [line.split(",")[:9] for line in told.out.splitlines()] == [line.split(",")[:9] for line in left]


def test_a_limit_of_memory_is_a_size(gold: str, capsys: Capture) -> None:
    command = ["score", "coref", gold, gold, "-q", "--engine", "duckdb", "--memory-limit"]
    assert run([*command, "256MB"]) == 0
    capsys.readouterr()
    assert run([*command, "much"]) == 2
    assert "expected a size, found 'much'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("package", "extra"), [("pyarrow", "tables"), ("duckdb", "tables"), ("dask", "distributed")]
)
def test_without_a_library_its_extra_is_named(
    package: str, extra: str, gold: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    engine = {"duckdb": "duckdb", "dask": "dask"}.get(package, "arrays")
    assert run(["score", "coref", gold, gold, "--engine", engine]) == 2
    told = capsys.readouterr().err
    assert f"needs the package {package}" in told
    assert f"pip install 'lydite[{extra}]'" in told

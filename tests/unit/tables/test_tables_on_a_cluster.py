"""The engine dask on a cluster of processes."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from distributed import Client, LocalCluster

from lydite import coref
from lydite.errors import InvalidInput


def test_workers_of_a_cluster_count_what_arrays_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / "gold.parquet", tmp_path / "system.parquet"]
    for path, size in zip(paths, (4, 5), strict=True):
        table = pa.table(
            {"mention": [f"d{n % 7}#{n}" for n in range(300)], "cluster": [n // size for n in range(300)]}
        )
        pq.write_table(table, path, row_group_size=100)
    expected = coref.score_tables(*paths, engine="arrays", unit="corpus")
    uneven = tmp_path / "uneven.csv"
    lines = [f"d{n % 7}#{n},{n}" for n in range(200_000)]
    uneven.write_text("\n".join(["mention,cluster", *lines[:-1], f"{lines[-1]},more"]), encoding="utf-8")
    monkeypatch.setattr("lydite.tables.in_arrays.count", None)  # where a client is open, nobody else counts
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        found = coref.score_tables(*paths, unit="corpus")
        # Workers see it, far behind what this process looks at.
        with pytest.raises(InvalidInput, match=r"uneven\.csv:200001: error: expected 2 cells"):
            coref.score_tables(paths[0], uneven, unit="corpus")
    assert found.summary.settings["engine"] == "auto"
    assert found.summary.signature == expected.summary.signature
    assert dict(found) == dict(expected)
    assert [row.tally for row in found.summary.rows] == [row.tally for row in expected.summary.rows]

"""What engines must not get wrong: order, large numbers, blocks, and everything that is wrong at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import dask
import distributed  # noqa: F401 - a process that has opened a client has imported it
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lydite import coref
from lydite.errors import InvalidInput, NoCommonDocument, UsageError
from lydite.tables import in_duckdb

ENGINES = ("documents", "arrays", "duckdb")
WITH_DASK = (*ENGINES, "dask")


@pytest.fixture(autouse=True)
def _one_thread() -> Any:
    with dask.config.set(scheduler="synchronous"):
        yield


def rows(gold: object, system: object, engine: str, **said: object) -> list[tuple[str, Mapping[str, Any]]]:
    scores = coref.score_tables(gold, system, engine=engine, **said)
    return [(row.metric, dict(row.tally)) for row in scores.summary.rows]


def agreed(
    gold: pa.Table, system: pa.Table, engines: tuple[str, ...] = ENGINES, **said: object
) -> dict[str, Mapping[str, Any]]:
    expected = rows(gold, system, "documents", **said)
    for engine in engines[1:]:
        assert rows(gold, system, engine, **said) == expected, engine
    return dict(expected)


def spans(*given: tuple[str, int, int, str]) -> pa.Table:
    names = ("document", "start", "end", "cluster")
    return pa.table({name: [row[place] for row in given] for place, name in enumerate(names)})


def test_the_first_cluster_is_the_one_whose_name_comes_first_in_the_table() -> None:
    # In document e, L2 stands before L1, but the name L1 occurs before L2.
    gold = spans(
        ("d", 0, 1, "L1"), ("e", 0, 1, "L2"), ("e", 5, 6, "L2"), ("e", 0, 1, "L1"), ("e", 7, 8, "L1")
    )
    found = agreed(gold, gold, WITH_DASK, repeats="first")
    assert found["mentions"]["gold_total"] == 4
    assert found["muc"]["gold_total"] == 1


def test_a_name_also_comes_first_in_a_document_that_is_not_scored() -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"), ("d", 4, 5, "b"))
    system = spans(("e", 0, 1, "y"), ("d", 0, 1, "x"), ("d", 2, 3, "x"), ("d", 2, 3, "y"), ("d", 4, 5, "y"))
    assert agreed(gold, system, WITH_DASK, repeats="first")["muc"]["gold_credit"] == 0


def test_clusters_that_share_a_mention_are_joined() -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"), ("d", 2, 3, "b"), ("d", 4, 5, "b"), ("e", 2, 3, "b"))
    found = agreed(gold, gold, WITH_DASK, repeats="merge")
    assert found["muc"]["gold_total"] == 2


def test_spans_too_large_for_one_number_are_compared_by_their_columns() -> None:
    far = 1 << 61
    gold = spans(("d", 0, 1, "a"), ("d", far, far + 3, "a"), ("e", far, far + 1, "b"))
    system = spans(("d", 0, 1, "x"), ("d", far, far + 3, "x"), ("e", far, far + 2, "y"))
    assert agreed(gold, system)["mentions"]["gold_credit"] == 2


def test_names_that_are_large_numbers_stay_apart() -> None:
    high = (1 << 63) - 1
    gold = pa.table({"mention": ["d#1", "d#2", "e#1"], "cluster": [-high, high, high]})
    agreed(gold, gold)
    agreed(gold, gold, unit="corpus")


def test_mentions_that_are_negative_numbers_are_mentions() -> None:
    gold = pa.table({"mention": [-5, 0, 5], "cluster": [-1, -1, 2]})
    assert agreed(gold, gold)["mentions"]["gold_credit"] == 3


def test_a_join_in_blocks_gives_what_a_join_in_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    gold = pa.table({"mention": list(range(60)), "cluster": [number // 4 for number in range(60)]})
    system = pa.table({"mention": list(range(5, 65)), "cluster": [number % 9 for number in range(60)]})
    whole = rows(gold, system, "duckdb")
    monkeypatch.setattr(in_duckdb._TableCounting, "_blocks", lambda _self, *_sides: 7)
    assert rows(gold, system, "duckdb") == whole


def test_an_empty_system_scores_zero() -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"))
    assert agreed(gold, gold.slice(0, 0), unit="corpus")["b-cubed"]["gold_credit"] == 0


def test_numbers_that_are_further_apart_than_numbers_go_stay_apart() -> None:
    far = 1 << 62
    gold = spans(("d", -far, far, "a"), ("d", far, far + 1, "a"), ("d", 0, 1, "b"))
    system = spans(("d", -far, far, "x"), ("d", far, far + 2, "x"), ("d", 0, 1, "y"))
    assert agreed(gold, system, WITH_DASK)["mentions"]["gold_credit"] == 2


@pytest.mark.parametrize("engine", WITH_DASK)
def test_a_number_that_64_bits_with_a_sign_cannot_hold_is_reported_with_its_row(
    engine: str, tmp_path: Path
) -> None:
    numbers = pa.array([1, (1 << 64) - 1], pa.uint64())
    pq.write_table(pa.table({"mention": numbers, "cluster": [1, 1]}), tmp_path / "t.parquet")
    with pytest.raises(
        InvalidInput, match=r"t\.parquet:2: error: column 'mention': expected a whole number below"
    ):
        coref.score_tables(tmp_path / "t.parquet", tmp_path / "t.parquet", engine=engine)


@pytest.mark.parametrize("name", ["g[1].parquet", "document=e/g.parquet", "cased.parquet", "folder"])
@pytest.mark.parametrize("engine", WITH_DASK)
def test_files_are_read_as_they_are_whatever_their_names_and_types(
    engine: str, name: str, tmp_path: Path
) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"), ("d", 4, 5, "b"))
    place = tmp_path / name
    place.parent.mkdir(exist_ok=True)
    if name == "folder":
        place.mkdir()
        small = gold.set_column(1, "start", gold["start"].cast(pa.int8()))
        pq.write_table(small.slice(0, 2), place / "1.parquet")
        pq.write_table(gold.slice(2), place / "2.parquet")
    elif name == "cased.parquet":
        pq.write_table(gold.add_column(0, "Cluster", pa.array(["x", "y", "z"])), place)
    else:
        pq.write_table(gold, place)
    pq.write_table(spans(("d", 0, 1, "a")), tmp_path / "g1.parquet")
    assert rows(place, gold, engine) == rows(gold, gold, "documents")


def test_names_of_clusters_in_units_that_are_not_scored_are_reported_by_every_engine() -> None:
    gold = spans(("d", 0, 1, "a"))
    system = spans(("d", 0, 1, "x"), ("e", 0, 1, "x"))
    told = {
        engine: sorted(
            (finding.code, finding.message)
            for finding in coref.score_tables(gold, system, engine=engine).findings
            if finding.code == "cluster-cut"
        )
        for engine in WITH_DASK
    }
    assert len(told["documents"]) == 1
    assert all(found == told["documents"] for found in told.values())


def test_every_engine_counts_links_by_themselves() -> None:
    gold = spans(("a", 0, 1, "x"), ("a", 1, 2, "x"), ("a", 2, 3, "y"), ("b", 0, 1, "x"))
    system = spans(("a", 0, 1, "x"), ("a", 1, 2, "y"), ("a", 2, 3, "y"), ("b", 0, 1, "x"))
    counts = agreed(gold, system, WITH_DASK, metrics=("pairwise", "pairwise-negative"))
    assert counts["pairwise"]["gold_credit"] == 0
    assert counts["pairwise-negative"]["gold_credit"] == 1


@pytest.mark.parametrize("engine", WITH_DASK)
def test_a_system_without_mentions_is_empty_and_no_other_collection(engine: str) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"))
    assert coref.score_tables(gold, gold.slice(0, 0), engine=engine)["b-cubed"].recall == 0


@pytest.mark.parametrize("engine", WITH_DASK)
def test_tables_without_mentions_share_no_document_and_have_none(engine: str) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"))
    found = coref.score_tables(gold, gold.slice(0, 0), engine=engine)
    assert ("no-common-document", "warning") in [(one.code, one.severity) for one in found.findings]
    nothing = coref.score_tables(gold.slice(0, 0), gold.slice(0, 0), engine=engine)
    (told,) = nothing.findings
    assert told.message == "gold and system share no document: gold has none; system has none"
    assert told.severity == "warning"
    assert [one.documents for one in nothing.summary.inputs] == [0, 0]
    with pytest.raises(NoCommonDocument, match="gold has none; system has 'd'"):
        coref.score_tables(gold.slice(0, 0), gold, engine=engine)


@pytest.mark.parametrize("repeats", ["v8.01", "error"])
@pytest.mark.parametrize("engine", WITH_DASK)
def test_a_mention_in_two_clusters_is_reported_once(engine: str, repeats: str) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 4, 5, "a"), ("d", 0, 1, "b"))
    for sides in ((gold, gold.slice(0, 2)), (gold.slice(0, 2), gold)):
        with pytest.raises(InvalidInput) as refused:
            coref.score_tables(*sides, engine=engine, repeats=repeats)
        assert [finding.code for finding in refused.value.findings] == ["mention-in-two-clusters"]


def test_a_client_that_never_found_its_cluster_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    lost = SimpleNamespace(status="connecting")
    monkeypatch.setattr("distributed.default_client", lambda: lost)
    gold = spans(("d", 0, 1, "a"))
    with pytest.raises(UsageError, match=r"has no connection to its scheduler \(connecting\)"):
        coref.score_tables(gold, gold, engine="dask")
    assert coref.score_tables(gold, gold)["b-cubed"].f1 == 1


@pytest.mark.parametrize("engine", WITH_DASK)
def test_faults_of_rows_are_reported_at_once_with_places(engine: str) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 4, 5, "a"), ("d", 0, 1, "b"))
    system = pa.table({"document": ["d", None], "start": [0, 3], "end": [1, 4], "cluster": ["x", "x"]})
    with pytest.raises(InvalidInput) as refused:
        coref.score_tables(gold, system, engine=engine)
    errors = [finding for finding in refused.value.findings if finding.severity == "error"]
    assert [(finding.code, str(finding.location)) for finding in errors] == [
        ("mention-in-two-clusters", "gold:3"),
        ("null-cell", "system:2"),
    ]
    assert "is in cluster 'a' (row 1) and again in 'b'" in errors[0].message


@pytest.mark.parametrize("engine", ENGINES)
def test_after_twenty_rows_only_their_number_is_reported(engine: str) -> None:
    gold = pa.table({"mention": [None] * 30 + [1], "cluster": [1] * 31})
    with pytest.raises(InvalidInput) as refused:
        coref.score_tables(gold, pa.table({"mention": [1], "cluster": [1]}), engine=engine)
    told = [finding.message for finding in refused.value.findings if finding.code == "null-cell"]
    assert len(told) == 21
    assert "30 rows lack a value in all" in told


@pytest.mark.parametrize("engine", WITH_DASK)
def test_tables_without_a_common_document_are_refused(engine: str) -> None:
    sides = spans(("a", 0, 1, "x")), spans(("b", 0, 1, "x"))
    with pytest.raises(NoCommonDocument, match="gold has 'a'; system has 'b'"):
        coref.score_tables(*sides, engine=engine)


def test_documents_that_one_side_lacks_are_remarked() -> None:
    gold = spans(("d", 0, 1, "a"), ("e", 0, 1, "b"))
    system = spans(("d", 0, 1, "a"), ("f", 0, 1, "b"))
    for engine in WITH_DASK:
        found = coref.score_tables(gold, system, engine=engine)
        codes = {finding.code for finding in found.findings}
        assert {"document-missing-in-system", "document-missing-in-gold"} <= codes


@pytest.mark.parametrize("repeats", ["v8.01", "error"])
@pytest.mark.parametrize("engine", WITH_DASK)
def test_a_mention_in_two_clusters_of_a_document_that_is_not_scored_refuses_nothing(
    engine: str, repeats: str
) -> None:
    gold = spans(("d", 0, 1, "a"), ("d", 2, 3, "a"))
    system = spans(("e", 0, 1, "x"), ("e", 0, 1, "y"), ("d", 0, 1, "x"), ("d", 2, 3, "x"))
    scores = coref.score_tables(gold, system, engine=engine, repeats=repeats)
    assert scores["muc"].f1 == 1
    with pytest.raises(InvalidInput, match="mention e 0 1 is in cluster 'x'"):
        coref.score_tables(gold, system, engine=engine, repeats=repeats, scored_documents="either")


@pytest.mark.parametrize("engine", WITH_DASK)
def test_lines_of_a_csv_are_those_of_the_file_whatever_stands_above(engine: str, tmp_path: Path) -> None:
    lines = [
        "document,start,end,cluster,note",
        "d,0,1,a",
        "",
        'd,2,3,a,"two',
        'lines"',
        "d,4,x,a,",
        "d,2,3,b,",
    ]
    place = tmp_path / "system.csv"
    place.write_text("\n".join(lines))
    with pytest.raises(InvalidInput) as refused:
        coref.score_tables(spans(("d", 0, 1, "a")), place, engine=engine)
    errors = [finding for finding in refused.value.findings if finding.severity == "error"]
    assert sorted((finding.location.line, finding.code) for finding in errors if finding.location) == [
        (2, "uneven-row"),
        (6, "odd-number"),
        (7, "mention-in-two-clusters"),
    ]
    assert any("(row 4)" in finding.message for finding in errors)


@pytest.mark.parametrize("engine", WITH_DASK)
def test_rows_that_refuse_nothing_are_left_out_by_every_engine(engine: str, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('extends = "coref/conll-8.01"\n[check]\nerrors = []\n')
    (tmp_path / "gold.csv").write_text("document,start,end,cluster\nd,0,1,a\nd,2,3,a\ne,0,1,b\n")
    (tmp_path / "system.csv").write_text("document,start,end,cluster\nd,0,1,a\nd,2,3,a\nd,4,x,a\nd,5\n")
    paths = tmp_path / "gold.csv", tmp_path / "system.csv"
    scores = coref.score_tables(*paths, engine=engine, profile=str(own))
    assert (scores["muc"].f1, scores["mentions"].recall) == (1, 2 / 3)
    codes = sorted(finding.code for finding in scores.findings)
    assert codes == ["document-missing-in-system", "odd-number", "uneven-row"]

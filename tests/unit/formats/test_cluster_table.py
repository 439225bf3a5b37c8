"""Clusters as a table."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

import lydite
from lydite.formats.cluster_table import CLUSTER_TABLE
from lydite.formats.source import open_source
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition

TEXT = "# remark\nt1/a#1\tc1\nt1/b#2\tc1\r\n\nt2/c#3\tc2\n"


def read(tmp_path: Path, text: str | bytes, **options: object) -> Corpus:
    path = tmp_path / "file.clusters"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return CLUSTER_TABLE.read(open_source(path), options)


def members(corpus: Corpus) -> dict[str, list[tuple[object, ...]]]:
    return {
        name: [cluster.members for cluster in document.layers["clusters"]]
        for name, document in corpus.documents.items()
    }


def test_a_cluster_is_all_lines_that_name_it(tmp_path: Path) -> None:
    assert members(read(tmp_path, TEXT, unit="corpus")) == {"corpus": [("t1/a#1", "t1/b#2"), ("t2/c#3",)]}
    assert members(read(tmp_path, TEXT, unit="topic")) == {"t1": [("t1/a#1", "t1/b#2")], "t2": [("t2/c#3",)]}


def test_clusters_are_cut_at_documents_with_a_finding(tmp_path: Path) -> None:
    corpus = read(tmp_path, TEXT)
    assert list(members(corpus)) == ["t1/a", "t1/b", "t2/c"]
    assert [finding.code for finding in corpus.findings] == ["cluster-cut"]


def test_mentions_without_a_mark_share_the_document_before_the_last_slash(tmp_path: Path) -> None:
    corpus = read(tmp_path, "m1\tc1\nm2\tc1\nt1/m1\tc2\nt1/m2\tc2\n")
    assert members(corpus) == {"": [("m1", "m2")], "t1": [("t1/m1", "t1/m2")]}
    assert corpus.findings == ()


def test_other_lines_are_reported(tmp_path: Path) -> None:
    corpus = read(tmp_path, "a#1\nb#2\tc\td\nc#3\tx\n", unit="corpus")
    assert [finding.code for finding in corpus.findings] == ["odd-table-line"] * 2
    assert members(corpus) == {"corpus": [("c#3",)]}


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    corpus = read(tmp_path, TEXT, unit="corpus")
    back = read(tmp_path, CLUSTER_TABLE.write(corpus), unit="corpus")  # type: ignore[misc]
    assert members(back) == members(corpus)


@pytest.mark.parametrize("unit", ["document", "corpus"])
def test_ids_without_a_mark_are_written_as_they_are(tmp_path: Path, unit: str) -> None:
    corpus = read(tmp_path, "m1\tc1\nm2\tc1\nt1/m1\tc2\n", unit=unit)
    assert CLUSTER_TABLE.write is not None
    data = CLUSTER_TABLE.write(corpus)
    assert [line.partition(b"\t")[0] for line in data.splitlines()] == [b"m1", b"m2", b"t1/m1"]
    assert members(read(tmp_path, data, unit=unit)) == members(corpus)


def test_an_address_of_runs_of_tokens_is_the_same_mention_as_in_columns(tmp_path: Path) -> None:
    corpus = read(tmp_path, "d#0-1\tc\nd#3-5-7-8\tc\nd#5-3\tc\nd#03-5\tc\n")
    assert members(corpus) == {"d": [((0, 1), (3, 5, 7, 8), "d#5-3", "d#03-5")]}


def test_clusters_of_the_same_name_stay_apart_when_they_are_written(tmp_path: Path) -> None:
    clusters = Partition([Cluster("c", ("d#1",)), Cluster("c", ("d#2",)), Cluster("", ("d#3",))])
    assert CLUSTER_TABLE.write is not None
    data = CLUSTER_TABLE.write(Corpus("c", {"d": Document("d", layers={"clusters": clusters})}))
    assert members(read(tmp_path, data)) == {"d": [("d#1",), ("d#2",), ("d#3",)]}


def test_runs_of_tokens_mean_the_same_whether_other_lines_stand_between_or_not(tmp_path: Path) -> None:
    rows = ["t/d1#0-2\tc1\n", "t/d1#5-3\tc1\n", "t/d2#1-4\tc2\n", "t/d1#07-9\tc2\n"]
    plain, mixed = tmp_path / "plain.clusters", tmp_path / "mixed.clusters"
    plain.write_text("".join(rows[:3]))
    mixed.write_text("# a table\n" + "".join(rows[:3]))
    ours, theirs = (lydite.read(path, format="cluster-table").documents for path in (plain, mixed))
    assert {key: one.layers for key, one in ours.items()} == {key: one.layers for key, one in theirs.items()}
    assert ours["t/d1"].layers["clusters"][0].members == ((0, 2), "t/d1#5-3")
    plain.write_text("".join(rows))
    assert lydite.read(plain, format="cluster-table").documents["t/d1"].layers["clusters"][1].members == (
        "t/d1#07-9",
    )


@pytest.mark.parametrize(
    "odd", ["x#a#1-2\tc", "#a#1-2\tc", "# remark", "", "a#1-2\tc\r", "a#01-2\tc", "m1\tc"]
)
def test_one_other_line_does_not_change_what_the_lines_around_it_say(tmp_path: Path, odd: str) -> None:
    around = members(read(tmp_path, "a#3-4\tc\na#5-6\td#1"))
    assert around == {"a": [((3, 4),), ((5, 6),)]}
    mixed = members(read(tmp_path, f"a#3-4\tc\n{odd}\na#5-6\td#1"))
    by_itself = members(read(tmp_path, f"{odd}\n"))
    assert mixed["a"][0][:1] == ((3, 4),)
    assert mixed["a"][-1] == ((5, 6),)
    counts = [
        sum(len(cluster) for clusters in held.values() for cluster in clusters)
        for held in (mixed, around, by_itself)
    ]
    assert counts[0] == counts[1] + counts[2]


def test_a_stream_is_read_like_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    streamed = CLUSTER_TABLE.read(open_source("-"), {})
    written = read(tmp_path, TEXT)
    assert members(streamed) == members(written)
    assert streamed.sha256 == written.sha256


def test_a_long_line_that_does_not_match_is_searched_once_and_quoted_in_short(tmp_path: Path) -> None:
    # Searched from each of its characters, as it once was, it would take minutes.
    corpus = read(tmp_path, "x" * 400_000 + "\n")
    (finding,) = corpus.findings
    assert finding.code == "odd-table-line"
    assert len(str(finding)) < 1500

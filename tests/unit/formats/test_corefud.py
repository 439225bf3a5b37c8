"""CorefUD: clusters in the Entity attribute."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.formats.corefud import COREFUD
from lydite.formats.source import Source, SourcePart, open_source
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition


def conllu(
    *words: tuple[str, str], head: str = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
) -> str:
    return head + "".join(f"{number}\t" + "_\t" * 8 + f"{misc}\n" for number, misc in words) + "\n"


def read(tmp_path: Path, text: str, **options: object) -> Corpus:
    path = tmp_path / "file.conllu"
    path.write_text(text, encoding="utf-8")
    return COREFUD.read(open_source(path), options)


def members(corpus: Corpus) -> dict[str, tuple[object, ...]]:
    return {cluster.id: cluster.members for cluster in corpus.documents["d"].layers["clusters"]}


def codes(corpus: Corpus) -> list[str]:
    return [finding.code for document in corpus.documents.values() for finding in document.findings]


def test_mentions_open_close_nest_and_stand_alone(tmp_path: Path) -> None:
    text = conllu(
        ("1", "Entity=(e1-x-1-(e2-x-1-)"),
        ("2", "_"),
        ("3", "SpaceAfter=No|Entity=e1)"),
        ("4", "Entity=(e2-x-1-)"),
    )
    assert members(read(tmp_path, text)) == {"e1": ((0, 3),), "e2": ((0, 1), (3, 4))}


def test_a_discontinuous_mention_is_its_set_of_words(tmp_path: Path) -> None:
    text = conllu(("1", "Entity=(e1[1/2]-x-1-)"), ("2", "_"), ("3", "Entity=(e1[2/2]-x-1-)"))
    assert members(read(tmp_path, text)) == {"e1": ((0, 1, 2, 3),)}


def test_a_discontinuous_mention_that_lacks_a_part_is_reported(tmp_path: Path) -> None:
    corpus = read(tmp_path, conllu(("1", "Entity=(e1[1/2]-x-1-)"), ("2", "_"), ("3", "Entity=(e1-x-1-)")))
    assert members(corpus) == {"e1": ((0, 1), (2, 3))}
    (finding,) = corpus.documents["d"].findings
    assert finding.code == "mention-not-closed"
    assert finding.location is not None
    assert finding.location.line == 3


def test_clusters_never_cross_documents(tmp_path: Path) -> None:
    text = "".join(
        conllu(("1", "Entity=(e1-x-1-)"), ("2", "Entity=(e1-x-1-)"), head=f"# newdoc id = {name}\n")
        for name in "ab"
    )
    together = read(tmp_path, text, unit="corpus").documents["corpus"].layers["clusters"]
    assert [len(cluster.members) for cluster in together] == [2, 2]


def test_ids_that_are_written_are_unique_over_the_file(tmp_path: Path) -> None:
    clusters = Partition([Cluster("1", ((0, 1), (1, 2)))])
    documents = {name: Document(name, layers={"clusters": clusters}) for name in "ab"}
    written = COREFUD.write(Corpus("corpus", documents)).decode()
    assert written.count("(e1-") == written.count("(e2-") == 2
    assert read(tmp_path, written).documents["b"].layers["clusters"][0].members == clusters[0].members


def test_the_declaration_says_where_the_id_stands(tmp_path: Path) -> None:
    head = "# newdoc id = d\n# global.Entity = etype-eid-head\n"
    assert members(read(tmp_path, conllu(("1", "Entity=(x-e7-1)"), head=head))) == {"e7": ((0, 1),)}


def test_a_zero_is_a_mention_that_goes_by_its_node(tmp_path: Path) -> None:
    corpus = read(tmp_path, conllu(("1", "_"), ("1.1", "Entity=(e1-x-1-)"), ("2", "Entity=(e1-x-1-)")))
    assert members(corpus) == {"e1": ("1:1.1", (1, 2))}
    assert codes(corpus) == []
    zero, word = corpus.documents["d"].layers["trees"].clusters[0].members
    assert (zero.nodes, zero.is_zero, word.nodes, word.is_zero) == (((1, 1.1),), True, ((1, 2.0),), False)


def test_bad_brackets_and_columns_are_reported(tmp_path: Path) -> None:
    assert codes(read(tmp_path, conllu(("1", "Entity=(e1-x-1-"), ("2", "Entity=e2)")))) == [
        "mention-not-opened",
        "mention-not-closed",
    ]
    assert codes(read(tmp_path, "# newdoc id = d\n1\tonly two\n")) == ["too-few-columns"]


@pytest.mark.parametrize(
    ("code", "cells"),
    [
        ("odd-head", ("(e1-x-3-", "e1)")),
        ("odd-head", ("(e1-x-one-", "e1)")),
        ("odd-head", ("(e1[1/2]-x-1-)", "_", "(e1[2/2])")),
        ("mention-runs-on", ("(e1-x-1-(e2-x-1-)e1)", "_")),
        ("mention-not-opened", ("(e1[2/2]-x-1-)", "_")),
        (
            "parts-interleaved",
            ("(e1[1/2]-x-1-)", "(e1[1/2]-x-1-)", "(e1[2/2]-x-1-)"),
        ),
        ("odd-cell", ("(e1-x-1-)and", "_")),
    ],
)
def test_items_that_cannot_be_meant_are_reported(tmp_path: Path, code: str, cells: tuple[str, ...]) -> None:
    words = [(str(number), f"Entity={cell}" if cell != "_" else "_") for number, cell in enumerate(cells, 1)]
    assert code in codes(read(tmp_path, conllu(*words)))


def test_what_stops_the_official_scorer_outside_of_items_is_reported(tmp_path: Path) -> None:
    def all_codes(text: str) -> set[str]:
        corpus = read(tmp_path, text)
        return {*codes(corpus), *(finding.code for finding in corpus.findings)}

    sound = conllu(("1", "Entity=(e1-x-1-)"))
    assert all_codes(sound) == set()
    assert all_codes("\n" + sound) == {"blank-line"}
    assert all_codes(sound.rstrip("\n") + "\n") == {"sentence-not-ended"}
    assert all_codes(sound.replace("# newdoc id = d\n", "")) == {"mention-outside-document"}
    assert all_codes(sound.replace("# global.Entity", "# global")) == {"no-entity-fields"}
    assert all_codes(sound.replace("\n1\t", "\none\t")) == {"odd-node-id"}
    assert all_codes(sound + sound) == {"repeated-document"}
    two = conllu(("1", "Entity=(e1-x-1-")) + conllu(("1", "Entity=e1)"), head="")
    assert all_codes(two) == {"mention-crosses-sentences"}


def test_the_head_counts_nodes_and_the_last_part_says_it(tmp_path: Path) -> None:
    def head(*cells: tuple[str, str]) -> object:
        return read(tmp_path, conllu(*cells)).documents["d"].layers["trees"].clusters[0].members[0].head

    assert head(("1", "Entity=(e1-x-2-"), ("1.1", "_"), ("2", "Entity=e1)")) == (1, 1.1)
    assert head(("1", "Entity=(e1-x-0-"), ("2", "Entity=e1)")) == (1, 1)
    assert head(("1", "Entity=(e1-x-9-)"), ("2", "_")) == (1, 1)
    parts = ("1", "Entity=(e1[1/2]-x-1-)"), ("2", "_")
    assert head(*parts, ("3", "Entity=(e1[2/2]-x-2-)")) == (1, 3)
    assert head(*parts, ("3", "Entity=(e1[2/2]-x-0-)")) == (1, 3)
    assert head(*parts, ("3", "Entity=(e1[2/2]-x-0-"), ("4", "Entity=e1[2/2])")) == (1, 1)
    assert head(("1", "_"), ("2", "Entity=(e1[1/2]-x-1-)(e1[2/2]-x-2-)")) == (1, 2)


def test_nodes_are_ordered_by_number_and_crossing_mentions_of_a_cluster_are_read_as_nested(
    tmp_path: Path,
) -> None:
    text = conllu(
        ("1", "Entity=(e1-x-1-"),
        ("3", "Entity=e1)"),
        ("2", "Entity=(e1-x-1-"),
        ("4", "Entity=e1)"),
        ("0.1", "_"),
    )
    mentions = read(tmp_path, text).documents["d"].layers["trees"].clusters[0].members
    assert [[number for _, number in mention.nodes] for mention in mentions] == [[1, 2, 3, 4], [2, 3]]


@settings(deadline=None)
@given(data=st.binary(max_size=200).map(lambda data: data.replace(b"\0", b"")))
def test_any_bytes_give_a_corpus(data: bytes) -> None:
    import io

    COREFUD.read(Source("x", (SourcePart("x", lambda: io.BytesIO(data)),)), {})


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    partition = Partition(
        [Cluster("a", ((0, 3), (4, 5), (6, 7, 9, 11))), Cluster("b", ((1, 2), (4, 5), (0, 12)))]
    )
    layers = {"clusters": partition, "token-count": 14}
    back = read(tmp_path, COREFUD.write(Corpus("c", {"d": Document("d", layers=layers)})).decode())  # type: ignore[misc]
    assert repr(back.documents["d"].layers["clusters"]) == repr(partition)
    assert back.documents["d"].layers["token-count"] == 14


def test_documents_without_a_name_of_two_files_do_not_become_one_in_silence(tmp_path: Path) -> None:
    nameless = conllu(("1", "Entity=(e1-x-1-)"), head="# global.Entity = eid-etype-head-other\n")
    for name in ("a", "b"):
        (tmp_path / f"{name}.conllu").write_text(nameless)
    (finding,) = COREFUD.read(open_source(tmp_path), {}).findings
    assert (finding.code, finding.location.path) == ("repeated-document", str(tmp_path / "b.conllu"))


@pytest.mark.parametrize(
    "text", ["x" * 60_000, "(e1-x" + "x" * 60_000 + "(e2)", "x)" * 20_000, "(" * 60_000, "x(" * 30_000]
)
def test_an_entity_value_that_is_long_and_not_closed_costs_time_in_proportion(
    tmp_path: Path, text: str
) -> None:
    begin = time.process_time()
    read(tmp_path, conllu(("1", f"Entity={text}")))
    assert time.process_time() - begin < 2


@pytest.mark.parametrize(
    ("text", "clusters", "is_odd"),
    [
        ("(a)(b)", ["a", "b"], False),
        ("x(a)", ["a"], True),
        ("(a)x", ["a"], True),
        ("((a)", ["a"], True),
        ("(a))", ["a"], True),
        ("(a)()(b)", ["a", "b"], True),
    ],
)
def test_what_is_no_item_of_an_entity_value_is_reported_and_the_items_are_read(
    tmp_path: Path, text: str, clusters: list[str], is_odd: bool
) -> None:
    document = read(tmp_path, conllu(("1", f"Entity={text}"))).documents["d"]
    assert [cluster.id for cluster in document.layers["clusters"]] == clusters
    assert ("odd-cell" in {finding.code for finding in document.findings}) is is_odd

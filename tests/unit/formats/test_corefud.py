"""CorefUD: clusters in the Entity attribute."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.formats.corefud import COREFUD
from lydite.formats.source import Part, Source, open_source
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


def test_a_discontinuous_mention_that_lacks_a_part_is_remarked(tmp_path: Path) -> None:
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


def test_bad_brackets_and_columns_are_remarked(tmp_path: Path) -> None:
    assert codes(read(tmp_path, conllu(("1", "Entity=(e1-x-1-"), ("2", "Entity=e2)")))) == [
        "mention-not-opened",
        "mention-not-closed",
    ]
    assert codes(read(tmp_path, "# newdoc id = d\n1\tonly two\n")) == ["too-few-columns"]


@settings(deadline=None)
@given(data=st.binary(max_size=200))
def test_any_bytes_give_a_corpus(data: bytes) -> None:
    import io

    COREFUD.read(Source("x", (Part("x", lambda: io.BytesIO(data)),)), {})


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    partition = Partition(
        [Cluster("a", ((0, 3), (4, 5), (6, 7, 9, 11))), Cluster("b", ((1, 2), (4, 5), (0, 12)))]
    )
    layers = {"clusters": partition, "token-count": 14}
    back = read(tmp_path, COREFUD.write(Corpus("c", {"d": Document("d", layers=layers)})).decode())  # type: ignore[misc]
    assert repr(back.documents["d"].layers["clusters"]) == repr(partition)
    assert back.documents["d"].layers["token-count"] == 14

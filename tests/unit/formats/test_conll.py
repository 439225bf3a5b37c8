"""Coreference columns: what is read, what is remarked, what comes back after writing."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import FormatError
from lydite.formats.conll import CONLL, SEMEVAL, _Reader
from lydite.formats.source import Part, Source, open_source
from lydite.model import Corpus, Document
from lydite.model.cluster import Cluster, Partition


def read(tmp_path: Path, text: str | bytes, **options: object) -> Corpus:
    path = tmp_path / "file.conll"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return CONLL.read(open_source(path), options)


def document(
    cells: list[str], *, name: str = "(d); part 000", separator: str = "\t", end: str = "#end document"
) -> str:
    lines = [separator.join(("d", "0", str(number), "word", cell)) for number, cell in enumerate(cells)]
    return "\n".join([f"#begin document {name}", *lines, "", end, ""])


def clusters(corpus: Corpus, name: str = "(d); part 000") -> dict[str, tuple[object, ...]]:
    return {cluster.id: cluster.members for cluster in corpus.documents[name].layers["clusters"]}


def codes(corpus: Corpus) -> list[str]:
    found = [finding.code for finding in corpus.findings]
    return found + [finding.code for one in corpus.documents.values() for finding in one.findings]


def test_spans_open_close_and_stand_alone(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1", "-", "1)|(2)", "(2", "2)"]))
    assert clusters(corpus) == {"1": ((0, 3),), "2": ((2, 3), (3, 5))}
    assert codes(corpus) == []


def test_the_bar_between_items_may_be_missing(tmp_path: Path) -> None:
    assert clusters(read(tmp_path, document(["(1(3", "3)1)"]))) == {"1": ((0, 2),), "3": ((0, 2),)}


def test_clusters_stand_in_the_order_of_their_first_bracket(tmp_path: Path) -> None:
    assert list(clusters(read(tmp_path, document(["(7", "(3)", "7)"])))) == ["7", "3"]


def test_a_close_takes_the_span_that_was_opened_last(tmp_path: Path) -> None:
    assert clusters(read(tmp_path, document(["(1", "(1", "1)", "1)"]))) == {"1": ((1, 3), (0, 4))}


def test_touching_spans_of_one_cluster_are_read_as_the_official_scorer_does_and_remarked(
    tmp_path: Path,
) -> None:
    corpus = read(tmp_path, document(["(1", "1)|(1", "1)"]))
    assert clusters(corpus) == {"1": ((1, 2), (0, 3))}
    assert codes(corpus) == ["touching-mentions"]


def test_fifo_closes_the_span_that_was_opened_first(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1", "1)|(1", "1)"]), crossing="fifo")
    assert clusters(corpus) == {"1": ((0, 2), (1, 3))}


def test_a_span_may_cross_a_sentence_break(tmp_path: Path) -> None:
    text = "#begin document d\nw\t(1\n\nw\t1)\n#end document\n"
    assert clusters(read(tmp_path, text), "d") == {"1": ((0, 2),)}


def test_leading_zeros_make_another_id(tmp_path: Path) -> None:
    assert set(clusters(read(tmp_path, document(["(01)", "(1)"])))) == {"01", "1"}


def test_items_with_two_antecedents_are_dropped(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1)", "(2+3)"]))
    assert set(clusters(corpus)) == {"1"}
    assert codes(corpus) == []


def test_blanks_separate_columns_in_a_line_without_tab(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1", "-", "1)"], separator="   "))
    assert clusters(corpus) == {"1": ((0, 3),)}


def test_carriage_returns_and_trailing_blanks_are_tolerated(tmp_path: Path) -> None:
    text = document(["(1", "-", "1) "]).replace("\n", "\r\n")
    assert clusters(read(tmp_path, text)) == {"1": ((0, 3),)}


def test_another_column_can_be_named(tmp_path: Path) -> None:
    text = "#begin document d\nw\t(1)\tx\nw\t-\tx\n#end document\n"
    assert clusters(read(tmp_path, text, column=1), "d") == {"1": ((0, 1),)}


def test_underscores_mean_nothing_too(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["_", "(1)", "_", "_"]))
    assert clusters(corpus) == {"1": ((1, 2),)}
    assert corpus.documents["(d); part 000"].layers["token-count"] == 4


def test_lines_between_documents_are_ignored(tmp_path: Path) -> None:
    text = "junk (1\n" + document(["(1)"]) + "\nmore junk 2)\n" + document(["(2)"], name="e")
    corpus = read(tmp_path, text)
    assert corpus.doc_ids == ("(d); part 000", "e")
    assert codes(corpus) == []


def test_a_mention_that_does_not_end_is_remarked_where_it_begins(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["-", "(4", "-"]))
    (finding,) = corpus.documents["(d); part 000"].findings
    assert finding.code == "mention-not-closed"
    assert finding.location is not None
    assert finding.location.line == 3
    assert finding.item == "4"


def test_a_mention_that_did_not_begin_is_remarked_where_it_ends(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["-", "4)"]))
    (finding,) = corpus.documents["(d); part 000"].findings
    assert finding.code == "mention-not-opened"
    assert finding.location is not None
    assert finding.location.line == 3


def test_an_id_that_is_no_number_is_remarked(tmp_path: Path) -> None:
    assert codes(read(tmp_path, document(["(e1)", "-"]))) == ["odd-cell"]


def test_a_document_inside_a_document_is_remarked(tmp_path: Path) -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t(2)\n#end document\n"
    corpus = read(tmp_path, text)
    assert corpus.doc_ids == ("a",)
    assert "nested-document" in codes(corpus)


def test_a_file_that_ends_inside_a_document_is_remarked_and_read(tmp_path: Path) -> None:
    corpus = read(tmp_path, "#begin document a\nw\t(1)")
    assert clusters(corpus, "a") == {"1": ((0, 1),)}
    assert codes(corpus) == ["missing-end"]


def test_of_a_repeated_document_the_last_one_counts(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1)"], name="a") + document(["(2)"], name="a"))
    assert clusters(corpus, "a") == {"2": ((0, 1),)}
    assert codes(corpus) == ["repeated-document"]


def test_a_comment_inside_a_document_counts_as_a_token_or_is_skipped(tmp_path: Path) -> None:
    text = "#begin document a\n# comment -\nw\t(1)\n#end document\n"
    counted, skipped = read(tmp_path, text), read(tmp_path, text, **{"count-comment-lines": False})
    assert clusters(counted, "a") == {"1": ((1, 2),)}
    assert clusters(skipped, "a") == {"1": ((0, 1),)}
    assert "comment-in-document" in codes(counted)
    assert "comment-in-document" in codes(skipped)


def test_a_file_without_documents_is_remarked(tmp_path: Path) -> None:
    assert codes(read(tmp_path, "nothing here\n")) == ["no-document"]


def test_one_document_of_all_joins_clusters_with_the_same_id(tmp_path: Path) -> None:
    text = (
        document(["(1)"], name="t1/a")
        + document(["(1)", "(2)"], name="t1/b")
        + document(["(1)"], name="t2/c")
    )
    whole = read(tmp_path, text, unit="corpus")
    assert whole.doc_ids == ("corpus",)
    assert len(clusters(whole, "corpus")["1"]) == 3
    topics = read(tmp_path, text, unit="topic")
    assert topics.doc_ids == ("t1", "t2")
    assert len(clusters(topics, "t1")["1"]) == 2


# ---------------------------------------------------------------------------------------------- fast and slow

cell = st.sampled_from(
    ["-", "-", "-", "_", "(1)", "(2)", "(1", "1)", "(3|(1)", "3)", "(1)|2)", "x", "", "a-", "(12(4)"]
)
line = st.one_of(
    st.tuples(
        st.sampled_from(["w\t", "a\tb\t", "a b ", "", "#", "\t"]),
        cell,
        st.sampled_from(["", " ", "\t", "\r"]),
    ).map("".join),
    st.just(""),
    st.just("  "),
)


@settings(deadline=None)
@given(lines=st.lists(line, max_size=25), last=st.sampled_from(["", "\n"]))
def test_the_fast_reader_reads_what_the_plain_one_reads(lines: list[str], last: str) -> None:
    data = ("\n".join(lines) + last).encode().replace(b"\r\n", b"\n")
    outcomes = []
    for method in ("_read_pieces", "_read_lines"):
        reader = _Reader({}, {})
        from lydite.formats.conll import _Spans

        spans = _Spans("d", "p", fifo=False)
        tokens = getattr(reader, method)(data, 1, spans)
        outcomes.append((tokens, spans.finish(), [tuple(cluster) for cluster in spans.clusters()]))
    assert outcomes[0] == outcomes[1]


@settings(deadline=None)
@given(data=st.binary(max_size=300))
def test_any_bytes_give_a_corpus(data: bytes) -> None:
    import io

    for prefix in (b"", b"#begin document d\n"):
        content = prefix + data
        source = Source("x", (Part("x", lambda content=content: io.BytesIO(content)),))  # type: ignore[misc]
        corpus = CONLL.read(source, {})
        assert all(isinstance(one, Document) for one in corpus.documents.values())


# ---------------------------------------------------------------------------------------------------- writing

spans = st.lists(
    st.tuples(st.integers(0, 12), st.integers(1, 4)).map(lambda pair: (pair[0], pair[0] + pair[1])),
    max_size=12,
    unique=True,
)


@settings(deadline=None)
@given(members=st.lists(spans.filter(bool), max_size=4), form=st.sampled_from([CONLL, SEMEVAL]))
def test_what_is_written_reads_the_same_or_is_refused(
    members: list[list[tuple[int, int]]], form: object
) -> None:
    import io

    partition = Partition(Cluster(str(number), tuple(spans)) for number, spans in enumerate(members))
    corpus = Corpus(
        "c", {"(d); part 000": Document("(d); part 000", layers={"clusters": partition, "token-count": 20})}
    )
    try:
        written = form.write(corpus)  # type: ignore[attr-defined]
    except FormatError:
        return
    source = Source("x", (Part("x", lambda: io.BytesIO(written)),))
    back = form.read(source, {})  # type: ignore[attr-defined]
    assert repr(back.documents["(d); part 000"].layers["clusters"]) == repr(partition)
    assert codes(back) == []


def test_crossing_spans_of_one_cluster_cannot_be_written() -> None:
    partition = Partition([Cluster("1", ((0, 2), (1, 3)))])
    corpus = Corpus("c", {"d": Document("d", layers={"clusters": partition})})
    with pytest.raises(FormatError):
        CONLL.write(corpus)  # type: ignore[misc]

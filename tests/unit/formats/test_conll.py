"""Coreference columns: what is read, what is remarked, what comes back after writing."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from io import BytesIO
from pathlib import Path
from time import process_time

import numpy  # noqa: F401, ICN001 - so that arrays are worth their while in these tests
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.errors import FormatError
from lydite.formats import conll
from lydite.formats import source as sources
from lydite.formats.conll import CONLL, SEMEVAL, _Block, _Reader, _SpanReader
from lydite.formats.source import Source, SourcePart, open_source
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


def test_touching_spans_of_one_cluster_are_read_as_the_official_scorer_does_and_reported(
    tmp_path: Path,
) -> None:
    corpus = read(tmp_path, document(["(1", "1)|(1", "1)"]))
    assert clusters(corpus) == {"1": ((1, 2), (0, 3))}
    assert codes(corpus) == ["touching-mentions"]


def test_fifo_closes_the_span_that_was_opened_first(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1", "1)|(1", "1)"]), crossing="fifo")
    assert clusters(corpus) == {"1": ((0, 2), (1, 3))}


@pytest.mark.parametrize(
    ("crossing", "ends", "other"), [("stack", "last", "fifo"), ("fifo", "first", "stack")]
)
def test_the_remark_on_touching_spans_says_which_one_ended(
    tmp_path: Path, crossing: str, ends: str, other: str
) -> None:
    corpus = read(tmp_path, document(["(1", "1)|(1", "1)"]), crossing=crossing)
    ((hint,),) = [[finding.hint for finding in one.findings] for one in corpus.documents.values()]
    assert hint is not None
    assert hint.startswith(f"the span that began {ends} ends here; --crossing {other} ")


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


def test_columns_are_also_counted_from_the_end(tmp_path: Path) -> None:
    text = "#begin document d\nw\t(1)\tx\nw\t-\tx\n#end document\n"
    assert clusters(read(tmp_path, text, column=-2), "d") == {"1": ((0, 1),)}


def test_a_line_without_the_column_that_was_asked_for_is_reported(tmp_path: Path) -> None:
    text = "#begin document d\n# remark\nw\t-\t(1)\nw\t-\n\n#end document\n"
    corpus = read(tmp_path, text, column=2)
    assert clusters(corpus, "d") == {"1": ((1, 2),)}
    assert codes(corpus) == ["comment-in-document", "too-few-columns"]
    assert [finding.location.line for finding in corpus.documents["d"].findings if finding.location] == [2, 4]


def test_an_end_without_a_beginning_is_reported(tmp_path: Path) -> None:
    corpus = read(tmp_path, "#begin documnt a\nw\t(1)\n#end document\n" + document(["(1)"], name="b"))
    assert corpus.doc_ids == ("b",)
    assert codes(corpus) == ["document-not-begun"]


def test_a_byte_order_mark_is_an_error(tmp_path: Path) -> None:
    corpus = read(
        tmp_path, b"\xef\xbb\xbf" + (document(["(1)"], name="a") + document(["(1)"], name="b")).encode()
    )
    assert corpus.doc_ids == ("b",)
    assert codes(corpus) == ["byte-order-mark", "document-not-begun"]


def test_underscores_mean_nothing_too(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["_", "(1)", "_", "_"]))
    assert clusters(corpus) == {"1": ((1, 2),)}
    assert corpus.documents["(d); part 000"].layers["token-count"] == 4


def test_lines_between_documents_are_ignored(tmp_path: Path) -> None:
    text = "junk (1\n" + document(["(1)"]) + "\nmore junk 2)\n" + document(["(2)"], name="e")
    corpus = read(tmp_path, text)
    assert corpus.doc_ids == ("(d); part 000", "e")
    assert codes(corpus) == []


def test_a_mention_that_does_not_end_is_reported_where_it_begins(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["-", "(4", "-"]))
    (finding,) = corpus.documents["(d); part 000"].findings
    assert finding.code == "mention-not-closed"
    assert finding.location is not None
    assert finding.location.line == 3
    assert finding.item == "4"


def test_a_mention_that_did_not_begin_is_reported_where_it_ends(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["-", "4)"]))
    (finding,) = corpus.documents["(d); part 000"].findings
    assert finding.code == "mention-not-opened"
    assert finding.location is not None
    assert finding.location.line == 3


@pytest.mark.parametrize("cell", ["(e1)", "(-1)", "x1)"])
def test_an_id_that_is_no_number_closes_the_number_in_it(tmp_path: Path, cell: str) -> None:
    assert codes(read(tmp_path, document([cell, "-"]))) == ["mention-not-opened", "odd-cell"]
    assert clusters(read(tmp_path, document(["(1", cell]))) == {"1": ((0, 2),)}


@pytest.mark.parametrize(
    ("cells", "found"),
    [
        (["(1;", ";1)"], {"1": ((0, 2),)}),
        (["(1-|(2", "x2)*1)"], {"1": ((0, 2),), "2": ((0, 2),)}),
        (["(1,(2", "1)|,2)"], {"1": ((0, 2),), "2": ((0, 2),)}),
        (["(3) | 5", "[(3)"], {"3": ((0, 1), (1, 2))}),
        (["(1.5", "-"], {}),
        (["(7+12)", "-"], {}),
        (["(7(12)+1),", "(12)"], {"12": ((0, 1), (1, 2))}),
        (["x(3(4)5)", "-"], {"4": ((0, 1),), "35": ((0, 1),)}),
        (["(3(7+1)(4)5),", "-"], {"4": ((0, 1),), "35": ((0, 1),)}),
    ],
)
def test_items_are_taken_out_of_an_odd_cell_wherever_they_match(
    cells: list[str], found: dict[str, object], tmp_path: Path
) -> None:
    corpus = read(tmp_path, document(cells))
    assert clusters(corpus) == found
    assert "odd-cell" in codes(corpus)


def test_an_item_with_two_antecedents_has_one_digit_behind_the_plus(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(7", "(12", "(12+7)x", "12)"]))
    assert codes(corpus) == ["odd-cell", "mention-not-closed"]
    assert corpus.documents["(d); part 000"].layers["discarded"] == ("(12+7)",)
    assert "mention-not-opened" in codes(read(tmp_path, document(["(7+12)", "-"])))


@pytest.mark.parametrize("cell", ["(" * 300_000, "1" * 300_000, "(1" * 150_000 + ";", "(1)" * 100_000 + ";"])
def test_the_time_for_an_odd_cell_grows_with_its_length_alone(cell: str) -> None:
    started = process_time()
    conll._parse_cell(cell.encode())
    assert process_time() - started < 5


def test_a_line_without_tab_is_searched_as_a_whole_only_as_official(tmp_path: Path) -> None:
    text = "#begin document a\nx  0  (1)  (3\ny  1  -  3)\n#end document\n"
    assert clusters(read(tmp_path, text), "a") == {"3": ((0, 2),)}
    official = read(tmp_path, text, reading="as-official")
    assert clusters(official, "a") == {"1": ((0, 1),), "3": ((0, 2),)}
    assert codes(official) == ["uneven-columns"]


@pytest.mark.parametrize("rows", [1, 20_000])
def test_a_line_without_tab_among_others_is_searched_as_a_whole_as_official(
    rows: int, tmp_path: Path
) -> None:
    text = document([*["-"] * rows, "(2"]).replace("\n\n#end", "\nx (1) 2)\n\n#end")
    corpus = read(tmp_path, text, reading="as-official")
    assert clusters(corpus) == {"2": ((rows, rows + 2),), "1": ((rows + 1, rows + 2),)}


def test_a_document_inside_a_document_is_reported(tmp_path: Path) -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t(2)\n#end document\n"
    corpus = read(tmp_path, text)
    assert corpus.doc_ids == ("a",)
    assert "nested-document" in codes(corpus)


def test_a_document_inside_a_document_is_read_twice_as_official(tmp_path: Path) -> None:
    text = "#begin document a\nw\t(1)\n#begin document b\nw\t(2)\n#end document\n"
    corpus = read(tmp_path, text, reading="as-official")
    assert corpus.doc_ids == ("a", "b")
    assert clusters(corpus, "a") == {"1": ((0, 1),), "2": ((2, 3),)}
    assert clusters(corpus, "b") == {"2": ((0, 1),)}
    assert codes(corpus) == ["nested-document", "comment-in-document"]


def test_the_name_of_a_document_inside_a_document_can_hold_an_item(tmp_path: Path) -> None:
    text = "#begin document a\nw\t(10\n#begin document (b_10)\nw\t(2)\n#end document\n"
    assert clusters(read(tmp_path, text, reading="as-official"), "a")["10"] == ((0, 2),)


def test_of_documents_that_are_open_at_the_end_of_the_file_each_is_read(tmp_path: Path) -> None:
    text = "".join(f"#begin document {name}\nw\t(1\n" for name in "abc")
    corpus = read(tmp_path, text, reading="as-official")
    assert corpus.doc_ids == ("a", "b", "c")
    assert codes(corpus).count("missing-end") == 3
    assert "mention-not-closed" not in codes(corpus)


def test_very_many_open_documents_are_refused(tmp_path: Path) -> None:
    text = "".join(f"#begin document {number}\n" for number in range(101))
    with pytest.raises(FormatError) as refused:
        read(tmp_path, text, reading="as-official")
    (finding,) = refused.value.findings
    assert (finding.code, finding.location and finding.location.line) == ("nested-document", 101)


def test_a_file_that_ends_inside_a_document_is_reported_and_read(tmp_path: Path) -> None:
    corpus = read(tmp_path, "#begin document a\nw\t(1)")
    assert clusters(corpus, "a") == {"1": ((0, 1),)}
    assert codes(corpus) == ["missing-end"]


def test_a_mention_that_is_open_where_the_file_ends_is_left_out(tmp_path: Path) -> None:
    corpus = read(tmp_path, "#begin document a\nw\t(1)\nw\t(2")
    assert clusters(corpus, "a") == {"1": ((0, 1),)}
    assert codes(corpus) == ["missing-end", "mention-cut-off"]


def test_of_a_repeated_document_the_last_one_counts(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1)"], name="a") + document(["(2)"], name="a"))
    assert clusters(corpus, "a") == {"2": ((0, 1),)}
    assert codes(corpus) == ["repeated-document"]


def test_of_a_repeated_document_the_first_one_counts_where_one_is_asked_for(tmp_path: Path) -> None:
    text = document(["(1)"], name="a") + document(["(2)"], name="a") + document(["(3"], name="a")
    corpus = read(tmp_path, text, **{"only-document": "a"})
    assert clusters(corpus, "a") == {"1": ((0, 1),)}
    assert codes(corpus) == ["repeated-document", "repeated-document"]


def test_bad_brackets_are_reported_also_where_another_document_of_the_name_follows(tmp_path: Path) -> None:
    corpus = read(tmp_path, document(["(1"], name="a") + document(["(2)"], name="a"))
    assert clusters(corpus, "a") == {"2": ((0, 1),)}
    assert codes(corpus) == ["repeated-document", "mention-not-closed"]


def test_a_comment_inside_a_document_counts_as_a_token_or_is_skipped(tmp_path: Path) -> None:
    text = "#begin document a\n# comment -\nw\t(1)\n#end document\n"
    counted, skipped = read(tmp_path, text), read(tmp_path, text, **{"count-comment-lines": False})
    assert clusters(counted, "a") == {"1": ((1, 2),)}
    assert clusters(skipped, "a") == {"1": ((0, 1),)}
    assert "comment-in-document" in codes(counted)
    assert "comment-in-document" in codes(skipped)


def test_a_file_without_documents_is_reported(tmp_path: Path) -> None:
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
    [
        *(
            "-",
            "-",
            "-",
            "_",
            "(1)",
            "(2)",
            "(1",
            "1)",
            "(3|(1)",
            "3)",
            "(1)|2)",
            "x",
            "",
            "a-",
            "(12(4)",
            "a (1)",
        ),
        *(
            "(123456)",
            "(1234567)",
            "(12|(13)|(14",
            "a\v(1)",
            "(01)",
            "--",
            "é-",
            "(1+2)",
            "\t-",
        ),
    ]
)
words = st.sampled_from(["w\t", "a\tb\t", "a b ", "", "#", "\t", " ", "w ", "  \t", "w\t(1) "])
line = st.one_of(
    st.tuples(words, cell, st.sampled_from(["", "", "", " ", "\t", "\r", "\f"])).map("".join),
    st.tuples(st.sampled_from(["w\t", "w "]), cell).map("".join),
    st.sampled_from(["", "", "  ", "\t", "-", "(1)"]),
)
WAYS = ("_read_lines", "_read_pieces", "_read_array")


def read_by(way: str, reader: _Reader, data: bytes, *, fifo: bool = False) -> object:
    """All that a way of reading gives: tokens, findings with their lines, clusters in their order."""
    block = _Block(SourcePart("p", lambda: BytesIO(data)), 0, len(data), 7)
    spans = _SpanReader("d", block, partial(reader._token_lines, data), fifo=fifo)
    rows = getattr(reader, way)(data)
    spans.add_cells(rows.cells)
    return rows.tokens, rows.has_blank_lines, spans.finish(), [tuple(cluster) for cluster in spans.clusters()]


@settings(deadline=None, max_examples=400)
@given(
    documents=st.lists(st.lists(line, min_size=1, max_size=25), min_size=1, max_size=3),
    last=st.sampled_from(["", "\n"]),
    fifo=st.booleans(),
)
def test_the_fast_readers_read_what_the_plain_one_reads(
    documents: list[list[str]], last: str, fifo: bool
) -> None:
    readers = {way: _Reader({}, {}) for way in WAYS}
    for lines in documents:
        data = ("\n".join(lines) + last).encode().replace(b"\r\n", b"\n")
        if not data:
            continue
        plain, pieces, array = (read_by(way, reader, data, fifo=fifo) for way, reader in readers.items())
        assert pieces == plain
        assert array == plain


def everything(corpus: Corpus) -> object:
    """Content and findings of a corpus, documents and clusters in their order."""
    return corpus.findings, [
        (one.doc_id, one.line, one.findings, one.layers["token-count"], list(one.layers["clusters"]))
        for one in corpus.documents.values()
    ]


def mutated(data: bytes, changes: list[tuple[int, bytes]]) -> bytes:
    for place, piece in changes:
        at = place % (len(data) + 1)
        data = data[:at] + piece + data[at + place % 3 :]
    return data


@settings(deadline=None, max_examples=150)
@given(
    documents=st.lists(st.lists(line, max_size=12), max_size=4),
    changes=st.lists(
        st.tuples(
            st.integers(0, 5000),
            st.sampled_from(
                [
                    b"\n",
                    b"\t",
                    b"-",
                    b"(3",
                    b"3)",
                    b"(",
                    b"#",
                    b"\r\n",
                    b"#end document\n",
                    b"\xff",
                    b" ",
                    b"",
                ]
            ),
        ),
        max_size=8,
    ),
    options=st.sampled_from([{}, {"crossing": "fifo"}, {"column": 1}, {"count-comment-lines": False}]),
)
def test_mutated_files_give_the_same_content_and_findings_whichever_way_they_are_read(
    documents: list[list[str]], changes: list[tuple[int, bytes]], options: dict[str, object]
) -> None:
    import io

    text = "".join(
        "\n".join([f"#begin document d{number}", *lines, "#end document", ""])
        for number, lines in enumerate(documents)
    )
    content = mutated(text.encode(), changes)
    source = Source("x", (SourcePart("x", lambda: io.BytesIO(content)),))
    outcomes = []
    for from_bytes, shrink in ((1, True), (1 << 40, True), (1 << 40, False)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(conll, "FEW_BYTES", from_bytes)
            if not shrink:
                patch.setattr(_Reader, "_read_pieces", _Reader._read_lines)
            outcomes.append(everything(CONLL.read(source, options)))
    assert outcomes[0] == outcomes[2]
    assert outcomes[1] == outcomes[2]


@settings(deadline=None)
@given(data=st.lists(st.sampled_from([b"#", b" document", b"\n", b"begin", b"end", b"x"]), max_size=30))
def test_begin_and_end_lines_are_found_across_the_borders_of_chunks(data: list[bytes]) -> None:
    import io
    from hashlib import sha256

    content = b"".join(data)
    expected, offset = [], 0
    for number, text in enumerate(content.split(b"\n"), 1):
        if b"#" in text and b" document" in text:
            expected.append((offset, number, text))
        offset += len(text) + 1
    for size in (1, 3, 7, 1000):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sources, "CHUNK", size)
            digest = sha256()
            assert list(sources.marked_lines(io.BytesIO(content), b" document", digest.update)) == expected
            assert digest.digest() == sha256(content).digest()


@given(cell=st.text("(()|)1209+-_x²", max_size=9))
def test_a_cell_of_one_item_means_what_the_grammar_of_items_says(cell: str) -> None:
    assert conll._parse_cell(cell.encode()) == conll._parse_items(cell.encode())


def test_blanks_between_columns_are_no_reason_to_look_at_every_line() -> None:
    data = b"".join(
        b"d   0   %d   w   %s\n" % (token, b"(7)" if token == 5 else b"-") for token in range(900)
    )
    for way in WAYS:
        assert read_by(way, _Reader({}, {}), data) == (900, False, [], [("7", ((5, 6),))])
    assert len(list(_Reader({}, {})._read_pieces(data).cells)) == 2  # the mention, and the end


def test_a_small_corpus_is_read_without_numpy(tmp_path: Path) -> None:
    path = tmp_path / "file.conll"
    path.write_text(document(["(1)", "-"] * 2000), encoding="utf-8")
    program = (
        "import sys; from lydite.formats.conll import CONLL; from lydite.formats.source import open_source\n"
        "(one,) = CONLL.read(open_source(sys.argv[1]), {}).documents.values()\n"
        "assert len(one.layers['clusters'][0].members) == 2000\n"
        "assert 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program, str(path)], check=True)


@settings(deadline=None)
@given(data=st.binary(max_size=300).map(lambda data: data.replace(b"\0", b"")))
def test_any_bytes_give_a_corpus(data: bytes) -> None:
    import io

    for prefix in (b"", b"#begin document d\n"):
        content = prefix + data
        source = Source("x", (SourcePart("x", lambda content=content: io.BytesIO(content)),))  # type: ignore[misc]
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
    source = Source("x", (SourcePart("x", lambda: io.BytesIO(written)),))
    back = form.read(source, {})  # type: ignore[attr-defined]
    assert repr(back.documents["(d); part 000"].layers["clusters"]) == repr(partition)
    assert codes(back) == []


def test_crossing_spans_of_one_cluster_cannot_be_written() -> None:
    partition = Partition([Cluster("1", ((0, 2), (1, 3)))])
    corpus = Corpus("c", {"d": Document("d", layers={"clusters": partition})})
    with pytest.raises(FormatError):
        CONLL.write(corpus)  # type: ignore[misc]

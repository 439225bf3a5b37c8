from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import FormatError, LyditeError
from lydite.formats import tbf
from lydite.formats.source import Source, SourcePart, open_source
from lydite.formats.tbf import TBF
from lydite.model import Corpus, Document, Mention, Span
from strategies import corpora

ONE = "#BeginOfDocument d1\ns\td1\tE1\t0,5\traids\tConflict_Attack\tActual\t0.9\n#EndOfDocument\n"


def read(text: str | bytes, tmp_path: Path, **options: object) -> Corpus:
    path = tmp_path / "file.tbf"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return TBF.read(open_source(path, extensions=TBF.extensions), options)


def codes(corpus: Corpus) -> list[tuple[str, int | None]]:
    found = [
        *corpus.findings,
        *(item for document in corpus.documents.values() for item in document.findings),
    ]
    return [(finding.code, finding.location.line if finding.location else None) for finding in found]


def test_a_mention_line_becomes_a_mention(tmp_path: Path) -> None:
    document = read(ONE, tmp_path).documents["d1"]
    (mention,) = document.mentions
    assert mention.id == "E1"
    assert mention.span == Span(((0, 5),))
    assert (mention.text, mention.type, mention.realis) == ("raids", "Conflict_Attack", "Actual")
    assert mention.confidences == ("0.9",)
    assert mention.line == 2


def test_a_span_may_have_several_segments_blanks_and_signs(tmp_path: Path) -> None:
    text = ONE.replace("0,5", " 4 , +8 ; 13,16,99 ")
    assert read(text, tmp_path, unit="char").documents["d1"].mentions[0].span == Span(((4, 8), (13, 16)))


def test_token_ids_are_names_and_each_counts_once(tmp_path: Path) -> None:
    corpus = read(ONE.replace("0,5", "t4,t5,t4"), tmp_path)
    assert corpus.facts["unit"] == "token"
    assert corpus.documents["d1"].mentions[0].span == Span(tokens=("t4", "t5"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ONE.replace("#EndOfDocument\n", ""), [("missing-footer", 1), ("no-document", 1)]),
        (ONE + "#EndOfDocument\n", [("repeated-footer", 4)]),
        (ONE + ONE, [("repeated-document", 4)]),
        (ONE.replace("#BeginOfDocument d1\n", ""), [("missing-header", 2), ("no-document", 1)]),
        ("s\td1\tE0\t9,12\tx\tLife_Die\tActual\n" + ONE, [("missing-header", 1)]),
        (ONE.replace("Document d1", "Document", 1), [("missing-header", 1), ("no-document", 1)]),
        (ONE + "\n# a remark\ns\td1\tE9\t9,12\tx\tLife_Die\tActual\n", [("missing-header", 6)]),
        (ONE + "@Coreference\tC1\tE1\n", [("missing-header", 4)]),
        (ONE.replace("raids\t", "").replace("\t0.9", ""), [("too-few-columns", 2)]),
        (ONE.replace("0,5", "0"), [("span-not-a-pair", 2)]),
        (ONE.replace("0,5", "0,x"), [("span-not-integer", 2)]),
        (ONE.replace("0,5", "0,2,3;4,x"), [("span-not-integer", 2)]),
        (ONE.replace("0,5", "0,2,3,5"), [("span-more-than-a-pair", 2)]),
        (ONE.replace("0,5", "0,2;3,5,7;8,9"), [("span-more-than-a-pair", 2)]),
        (ONE.replace("\td1\t", "\td7\t"), [("document-column-mismatch", 2)]),
        (ONE.replace("#End", "@Coreference\tC1\n#End"), [("relation-column-count", 3)]),
        (ONE.replace("#End", "@Coreference\tC 1\tE1,E2\n#End"), [("relation-id-malformed", 3)]),
        (ONE.replace("s\td1", "@After\tR1\tE1,E2\ns\td1"), [("relation-before-mentions", 2)]),
        ("", [("no-document", 1)]),
        ("just prose\n", [("no-document", 1)]),
        ("\ufeff" + ONE, [("byte-order-mark", 1)]),
    ],
)  # fmt: skip
def test_odd_lines_are_reported_with_their_numbers(
    text: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    assert codes(read(text, tmp_path, unit="char")) == expected


@pytest.mark.parametrize("header", ["", "#beginofdocument d1\n", "#BeginOfDocument\n"])
def test_a_footer_without_an_id_before_it_closes_the_document_with_the_empty_id(
    header: str, tmp_path: Path
) -> None:
    corpus = read(ONE.replace("#BeginOfDocument d1\n", header) + ONE.replace("d1", "d2"), tmp_path)
    assert corpus.doc_ids == ("", "d2")
    assert [mention.id for mention in corpus.documents[""].mentions] == ["E1"]


def test_a_second_footer_before_any_header_replaces_the_document_with_the_empty_id(tmp_path: Path) -> None:
    headless = ONE.replace("#BeginOfDocument d1\n", "")
    corpus = read(headless + headless.replace("E1", "E7") + ONE, tmp_path)
    assert [mention.id for mention in corpus.documents[""].mentions] == ["E7"]


def test_blanks_instead_of_tabs_are_one_column(tmp_path: Path) -> None:
    corpus = read(ONE.replace("\t", " "), tmp_path, unit="char")
    (finding,) = corpus.documents["d1"].findings
    assert finding.code == "too-few-columns"
    assert finding.hint == "columns are separated by tabs, not spaces"
    assert corpus.documents["d1"].mentions == ()


def test_a_byte_order_mark_hides_the_first_document_only_as_official(tmp_path: Path) -> None:
    text = "\ufeff" + ONE + ONE.replace("d1", "d2")
    assert read(text, tmp_path).doc_ids == ("d1", "d2")
    official = read(text, tmp_path, reading="as-official")
    assert official.doc_ids == ("", "d2")
    assert [one.code for one in official.documents[""].findings] == ["too-few-columns"]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("@Coreference\tC1\tE1,E2", ["Coreference"]),
        (" @ Coreference\tC1\tE1,E2", ["Coreference"]),
        ("@\tAfter\tR1\tE1,E2", ["After"]),
        ("s\td1\tE9\t0,4\t@After\tLife_Die\tActual", []),
        ("@Afterwards\tR1\tE1,E2", []),
    ],
)
def test_relations_of_a_file_are_known_by_its_lines_alone(
    line: str, found: list[str], tmp_path: Path
) -> None:
    assert read(f"#BeginOfDocument d1\n{line}\n#EndOfDocument\n", tmp_path).facts["relations"] == found


def test_lines_without_a_footer_flow_into_the_next_document(tmp_path: Path) -> None:
    corpus = read(ONE.replace("#EndOfDocument\n", "") + ONE.replace("d1", "d2"), tmp_path)
    assert corpus.doc_ids == ("d2",)
    assert len(corpus.documents["d2"].mentions) == 2


def test_other_line_ends_of_unicode_do_not_split_lines(tmp_path: Path) -> None:
    corpus = read(ONE.replace("raids", "a\u2028b\u0085c\u00a0"), tmp_path)
    assert corpus.documents["d1"].mentions[0].text == "a\u2028b\u0085c\u00a0"


def test_bytes_that_are_not_utf_8_are_kept_and_reported(tmp_path: Path) -> None:
    corpus = read(ONE.encode().replace(b"raids", b"caf\xe9"), tmp_path)
    document = corpus.documents["d1"]
    assert document.mentions[0].text.encode("utf-8", "surrogateescape") == b"caf\xe9"
    (finding,) = document.findings
    assert (finding.code, finding.location.line if finding.location else None) == ("not-utf-8", 2)


def test_windows_line_ends_make_no_difference(tmp_path: Path) -> None:
    plain, windows = (
        read(ONE, tmp_path).documents["d1"],
        read(ONE.replace("\n", "\r\n"), tmp_path).documents["d1"],
    )
    assert plain.mentions == windows.mentions
    assert plain.content is not None
    assert windows.content is not None
    assert list(plain.content()) == list(windows.content())


def _packed(tmp_path: Path) -> dict[str, Path]:
    data = ONE.encode()
    paths = {name: tmp_path / name for name in ("x.tbf.gz", "x.zip", "x.tar.gz", "folder")}
    paths["x.tbf.gz"].write_bytes(gzip.compress(data))
    with zipfile.ZipFile(paths["x.zip"], "w") as archive:
        archive.writestr("run/x.tbf", data)
        archive.writestr("run/notes.txt", "not a submission")
    with tarfile.open(paths["x.tar.gz"], "w:gz") as archive:
        info = tarfile.TarInfo("run/x.tbf")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    paths["folder"].mkdir()
    (paths["folder"] / "x.tbf").write_bytes(data)
    return paths


@pytest.mark.parametrize("kind", ["x.tbf.gz", "x.zip", "x.tar.gz", "folder"])
def test_a_folder_or_archive_is_one_system(kind: str, tmp_path: Path) -> None:
    path = _packed(tmp_path)[kind]
    corpus = TBF.read(open_source(path, extensions=TBF.extensions), {})
    assert corpus.doc_ids == ("d1",)
    assert corpus.documents["d1"].mentions[0].id == "E1"


@pytest.mark.parametrize("name", ["../evil.tbf", "/etc/evil.tbf", "a/../../evil.tbf"])
def test_an_archive_that_points_outside_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, ONE)
    with pytest.raises(FormatError, match="unsafe-archive"):
        open_source(path, extensions=TBF.extensions)


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tar"
    with tarfile.open(path, "w") as archive:
        info = tarfile.TarInfo("x.tbf")
        info.type, info.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(info)
    with pytest.raises(FormatError, match="is a link"):
        open_source(path, extensions=TBF.extensions)


def test_a_truncated_gzip_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.tbf.gz"
    path.write_bytes(gzip.compress(ONE.encode() * 100)[:-20])
    with pytest.raises(FormatError, match="unreadable-file"):
        TBF.read(open_source(path), {})


def test_a_file_longer_than_a_chunk_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lydite.formats.source.CHUNK", 50)
    text = "".join(ONE.replace("d1", f"doc{number}") for number in range(40))
    corpus = read(text, tmp_path)
    assert corpus.doc_ids == tuple(f"doc{number}" for number in range(40))
    assert [document.mentions[0].line for document in corpus.documents.values()] == list(range(2, 122, 3))


@pytest.mark.parametrize("name", ["", " ", "#1", "@team", "#BeginOfDocument", "\n#"])
def test_a_system_may_be_called_anything(name: str) -> None:
    mention = Mention("E1", Span(((0, 5),)), "raids", "Conflict_Attack", realis="\n")
    written = tbf.write(Corpus(name, {"d1": Document("d1", (mention,))}, format="tbf"))
    (line,) = written.decode().split("\n")[1:-2]
    assert line.strip()[0] not in "#@"
    assert line.strip().split("\t")[1:] == ["d1", "E1", "0,5", "raids", "Conflict_Attack", "NOT_ANNOTATED"]


@given(corpora(name="s"))
def test_writing_and_reading_gives_the_same_corpus(corpus: Corpus) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        again = read(TBF.write(corpus), Path(folder), unit="char") if TBF.write else corpus
        assert again.doc_ids == corpus.doc_ids
        for doc_id, document in corpus.documents.items():
            found = again.documents[doc_id]
            assert [mention._replace(line=0) for mention in found.mentions] == [
                mention._replace(line=0) for mention in document.mentions
            ]
            assert [item.members for item in found.relations] == [item.members for item in document.relations]


LINES = (
    b"#BeginOfDocument d1", b"#EndOfDocument", b"#EndOfDocument d1", b"#BeginOfDocument", b"# note", b"",
    b"s\td1\tE1\t0,5\tx\tT\tActual", b"s\td1\tE1\tt1,t2\tx\tT\tActual", b"@Coreference\tC1\tE1,E2", b"@After\tR1\tE1",
    b"@", b"\xff\xfe", b"\xef\xbb\xbf#BeginOfDocument d2", b"a b c", b"s\td1\tE1\t5,0\tx\tT\tActual", b"\t\t\t\t\t\t\t",
)  # fmt: skip


@given(
    st.lists(st.one_of(st.sampled_from(LINES), st.binary(max_size=20)), max_size=12),
    st.sampled_from(("refuse", "as-official")),
)
def test_any_bytes_give_a_corpus_or_a_lydite_error(lines: list[bytes], reading: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        try:
            corpus = read(b"\n".join(lines), Path(folder), reading=reading)
            for doc_id in corpus.documents:
                assert corpus.documents[doc_id].doc_id == doc_id
        except LyditeError:
            pass


@pytest.mark.parametrize("confidences", [("", "", ""), ("\t0.5", "\t0.6", "\t0.7"), ("", "", "\t0.7")])
def test_a_document_that_is_read_in_pieces_equals_one_that_is_read_at_once(
    confidences: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [
        f"s\td1\tE{number}\t{number},{number + 2}\tword\tA_B\tActual{rest}\n"
        for number, rest in enumerate(confidences)
    ]
    text = f"#BeginOfDocument d1\n{''.join(rows)}#EndOfDocument\n"

    def said() -> tuple[object, ...]:
        document = read(text, tmp_path).documents["d1"]
        return tuple(document.mentions), document.findings

    at_once = said()
    monkeypatch.setattr(tbf, "_LINES_AT_ONCE", 2)
    assert said() == at_once
    monkeypatch.setattr("lydite.model.mention._MANY", 2)
    mentions = read(text, tmp_path).documents["d1"].mentions
    assert tuple(mentions[at] for at in range(len(mentions))) == at_once[0], "one by one"
    assert mentions[-1] == mentions[len(mentions) - 1]


def test_the_hash_of_a_document_is_the_same_in_one_piece_and_in_many(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = [f"s\td\tE{number}\t{number},{number + 1}\tx\tLife_Die\tActual" for number in range(5)]
    data = "\n".join(["#BeginOfDocument d", *lines, "@Coreference\tC\tE1,E2", "#EndOfDocument"]).encode()
    said = []
    for at_once in (100, 2):
        monkeypatch.setattr("lydite.formats.tbf._LINES_AT_ONCE", at_once)
        source = Source("x", (SourcePart("x", lambda: io.BytesIO(data)),))
        content = TBF.read(source, {}).documents["d"].content
        assert content is not None
        said.append("".join(content()))
    assert said[0] == said[1]
    assert said[0].startswith("E0\t0,1\tx\tLife_Die\tActual\nE1\t")
    assert said[0].endswith("Actual\n@Coreference\tE1,E2")

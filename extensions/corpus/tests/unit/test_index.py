from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from collections_for_tests import index_of, write_documents
from lydite.errors import FormatError, InvalidInput, UsageError
from lydite.formats.source import forget_pipes
from lydite_corpus.documents import normal_date
from lydite_corpus.index import build, engine, open_index, thread_end
from lydite_corpus.search import search

SGML = """<DOC>
<DOCID> XIN_ENG_20060314.0007 </DOCID>
<DOCTYPE SOURCE="newswire"> NEWS STORY </DOCTYPE>
<DATETIME> 2006-03-14 10:10:10 </DATETIME>
<BODY>
<HEADLINE>
Ferry late
</HEADLINE>
<TEXT>
<POST>
<POSTER> anna </POSTER>
<POSTDATE> 2006-03-14T11:00:00 </POSTDATE>
The ferry was late.
</POST>
<POST>
<POSTER> ben </POSTER>
<POSTDATE> 2006-03-14T12:00:00 </POSTDATE>
Again!
</POST>
</TEXT>
</BODY>
</DOC>
"""
APF = """<?xml version="1.0"?>
<source_file URI="D1.txt" SOURCE="newswire" TYPE="text"><document DOCID="D1">
<entity ID="E1" TYPE="PER" SUBTYPE="Individual" CLASS="SPC">
<entity_mention ID="E1-1" TYPE="NAM"><extent><charseq START="0" END="2">Dov</charseq></extent>
<head><charseq START="0" END="2">Dov</charseq></head></entity_mention>
<entity_attributes><name NAME="Dov Hallek"/></entity_attributes></entity></document></source_file>
"""


def test_every_form_of_a_collection_is_read(tmp_path: Path) -> None:
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "plain.txt").write_text("A plain ferry.", encoding="utf-8")
    (folder / "wire.sgm").write_text(SGML, encoding="utf-8")
    (folder / "gold.apf.xml").write_text(APF, encoding="utf-8")
    inner = {"schema": "lydite.document/1", "doc_id": "inner", "text": "An inner ferry."}
    (folder / "inner.jsonl").write_text(json.dumps(inner) + "\n", encoding="utf-8")
    write_documents(folder / "lines.jsonl", D1="Dov took the ferry.")
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("packed.txt", "A packed ferry.")
    built = build([str(folder), str(tmp_path / "more.zip")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    assert built.documents == 5
    assert {hit.document for hit in search(index, "ferry").hits} == {
        "plain", "inner", "D1", "packed", "XIN_ENG_20060314.0007",
    }  # fmt: skip
    assert [(doc_id, name.text, name.type) for doc_id, name in index.names()] == [("D1", "Dov Hallek", "PER")]


def test_sgml_tells_about_its_document_and_its_tags_are_no_words(tmp_path: Path) -> None:
    (tmp_path / "wire.sgm").write_text(SGML, encoding="utf-8")
    build([str(tmp_path / "wire.sgm")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    record = index.record("XIN_ENG_20060314.0007")
    assert record[2:6] == ("2006-03-14", "newswire", "XIN", "en")
    assert record.headline == "Ferry late"
    assert [(post.author, post.time) for post in record.posts] == [
        ("anna", "2006-03-14T11:00:00"), ("ben", "2006-03-14T12:00:00"),
    ]  # fmt: skip
    assert search(index, "DOCTYPE").total == 0
    (hit,) = search(index, '"the ferry"').hits
    ((start, end),) = hit.passages[0].marks
    assert SGML[start:end] == "The ferry"
    assert index.text(record.id) == SGML


def test_a_thread_is_cut_after_a_whole_post(tmp_path: Path) -> None:
    (tmp_path / "wire.sgm").write_text(SGML, encoding="utf-8")
    build([str(tmp_path / "wire.sgm")], tmp_path / "index")
    record = open_index(tmp_path / "index").record("XIN_ENG_20060314.0007")
    first = SGML.index("</POST>") + len("</POST>")
    assert thread_end(record, first + 20) == first
    assert thread_end(record, 1) == first
    assert thread_end(record, None) == len(SGML)


def test_a_second_document_of_an_id_is_refused_and_the_index_stays(tmp_path: Path) -> None:
    index_of(tmp_path, D1="one", D2="two")
    other = write_documents(tmp_path / "other.jsonl", D3="three", D2="again", D1="again")
    with pytest.raises(InvalidInput) as caught:
        build([str(other)], tmp_path / "index")
    assert [(finding.code, finding.document) for finding in caught.value.findings] == [
        ("duplicate-document", "D2"), ("duplicate-document", "D1"),
    ]  # fmt: skip
    assert str(caught.value.findings[0].location).endswith("other.jsonl:2")
    assert len(open_index(tmp_path / "index")) == 2


def test_only_changed_files_are_read_again(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    write_documents(texts / "a.jsonl", A="first ferry")
    write_documents(texts / "b.jsonl", B="second ferry")
    build([str(texts)], tmp_path / "index")
    write_documents(texts / "b.jsonl", B="second boat", C="third boat")
    os.utime(texts / "a.jsonl", (1, 1))  # another time, the same bytes
    built = build([str(texts)], tmp_path / "index")
    assert (built.added, built.removed, built.unchanged) == (2, 1, 1)
    index = open_index(tmp_path / "index")
    assert [hit.document for hit in search(index, "ferry").hits] == ["A"]
    assert {hit.document for hit in search(index, "boat").hits} == {"B", "C"}


def test_an_index_that_was_brought_up_to_date_ranks_as_one_that_is_made_anew(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(8):
        (texts / f"d{number}.txt").write_text("the old ferry " + "sea " * number, encoding="utf-8")
    build([str(texts)], tmp_path / "index")
    for number in range(6):
        (texts / f"d{number}.txt").write_text("an old boat at sea " + "port " * number, encoding="utf-8")
    (texts / "d6.txt").unlink()
    build([str(texts)], tmp_path / "index")
    build([str(texts)], tmp_path / "anew")
    kept, anew = open_index(tmp_path / "index"), open_index(tmp_path / "anew")
    for query in ("old", '"old ferry"', "sea OR port", "like:d1", "fer*"):
        assert search(kept, query) == search(anew, query)
    assert search(kept, "like:d1").total


def test_an_index_that_still_weighs_deleted_documents_is_not_searched_until_it_is_brought_up_to_date(
    tmp_path: Path,
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    for number in range(8):
        (texts / f"d{number}.txt").write_text("the old ferry " + "sea " * number, encoding="utf-8")
    build([str(texts)], tmp_path / "index")
    left = open_index(tmp_path / "index")
    writer = left.opened.writer(num_threads=1)
    writer.delete_documents_by_query(engine().Query.term_query(left.opened.schema, "number", 1))
    writer.commit()
    writer.wait_merging_threads()
    del writer
    (texts / "d0.txt").unlink()
    with closing(sqlite3.connect(left.generation / "documents.sqlite")) as database, database:
        database.execute("DELETE FROM documents WHERE number = 1")
        database.execute("DELETE FROM files WHERE id = 1")
    with pytest.raises(FormatError, match="which change the weights of words"):
        open_index(tmp_path / "index")
    assert build([str(texts)], tmp_path / "index").unchanged == 7
    build([str(texts)], tmp_path / "anew")
    assert search(open_index(tmp_path / "index"), "sea") == search(open_index(tmp_path / "anew"), "sea")


def test_a_file_that_is_gone_from_its_folder_is_taken_out_and_others_stay(tmp_path: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    write_documents(texts / "a.jsonl", A="a")
    write_documents(texts / "b.jsonl", B="b")
    build([str(write_documents(tmp_path / "c.jsonl", C="c"))], tmp_path / "index")
    build([str(texts)], tmp_path / "index")
    (texts / "a.jsonl").unlink()
    build([str(texts)], tmp_path / "index")
    assert [record.id for record in open_index(tmp_path / "index").records()] == ["B", "C"]


def test_metadata_fill_in_what_files_do_not_say(tmp_path: Path) -> None:
    table = tmp_path / "meta.tsv"
    table.write_text("id\tdate\tgenre\nA\t2006-05-02\twl\n", encoding="utf-8")
    build([str(write_documents(tmp_path / "a.jsonl", A="a", B="b"))], tmp_path / "index", metadata=str(table))
    index = open_index(tmp_path / "index")
    assert [(record.date, record.genre) for record in index.records()] == [("2006-05-02", "wl"), ("", "")]
    assert search(index, "genre:wl date:2006-05").total == 1


def test_everything_that_is_wrong_is_said_at_once(tmp_path: Path) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text(
        '{"id": "A"}\nnonsense\n{"id": "B", "text": "b", "date": "May"}\n{"id": "", "text": ""}\n'
        '{"id": "C", "text": "all of it", "text": ""}\n'
    )
    with pytest.raises(InvalidInput) as caught:
        build([str(broken)], tmp_path / "index")
    assert [(finding.code, finding.location and finding.location.line) for finding in caught.value.findings] == [
        ("bad-document", 1), ("bad-document", 2), ("bad-document-date", 3), ("bad-document", 4),
        ("bad-document", 5),
    ]  # fmt: skip
    with pytest.raises(FormatError, match="no index"):
        open_index(tmp_path / "index")


def test_metadata_of_documents_that_are_not_there_are_told(tmp_path: Path) -> None:
    (tmp_path / "meta.tsv").write_text("id\tgenre\nA\tnw\nB.txt\tnw\n", encoding="utf-8")
    texts = write_documents(tmp_path / "a.jsonl", A="a", B="b")
    built = build([str(texts)], tmp_path / "index", metadata=str(tmp_path / "meta.tsv"))
    (finding,) = built.findings
    assert (finding.code, finding.severity) == ("bad-metadata", "warning")
    assert finding.message.endswith("found 1 that it does not have: B.txt")


@pytest.mark.parametrize("header", ["id\tcolour", "id\tgenre\tgenre"])
def test_bad_metadata_are_refused(header: str, tmp_path: Path) -> None:
    table = tmp_path / "meta.tsv"
    table.write_text(f"{header}\nA\tred\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected a header with id"):
        build([str(write_documents(tmp_path / "a.jsonl", A="a"))], tmp_path / "index", metadata=str(table))


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "index").mkdir()
    (tmp_path / "index" / "thesis.txt").write_text("years of work")
    with pytest.raises(UsageError, match="not empty"):
        build([str(write_documents(tmp_path / "a.jsonl", A="a"))], tmp_path / "index")


SLOW = """
import sys, time
import lydite_corpus.index as module
read = module.read_part
def slowly(*arguments):
    for document in read(*arguments):
        yield document
        sys.stdout.write("."); sys.stdout.flush(); time.sleep(0.02)
module.read_part = slowly
module.build([sys.argv[1]], sys.argv[2])
"""


def test_a_writer_that_is_killed_leaves_the_index_as_it_was(tmp_path: Path) -> None:
    index_of(tmp_path, D1="the old ferry")
    more = write_documents(tmp_path / "more.jsonl", **{f"N{i}": f"new ferry {i}" for i in range(3000)})
    writer = subprocess.Popen(
        [sys.executable, "-c", SLOW, str(more), str(tmp_path / "index")], stdout=subprocess.PIPE
    )
    assert writer.stdout is not None
    assert writer.stdout.read(20) == b"." * 20
    writer.send_signal(signal.SIGKILL)
    assert writer.wait() == -signal.SIGKILL
    writer.stdout.close()
    index = open_index(tmp_path / "index")
    assert [hit.document for hit in search(index, "ferry").hits] == ["D1"]
    assert build([str(more)], tmp_path / "index").documents == 3001
    assert len(list((tmp_path / "index").glob("g*"))) == 1


def test_a_reader_keeps_its_index_while_another_is_put_in_place(tmp_path: Path) -> None:
    index = index_of(tmp_path, D1="ferry")
    build([str(write_documents(tmp_path / "b.jsonl", D2="ferry"))], tmp_path / "index")
    assert search(index, "ferry").total == 1
    assert search(open_index(tmp_path / "index"), "ferry").total == 2
    index.close()


def test_a_damaged_index_is_told_and_not_searched(tmp_path: Path) -> None:
    index_of(tmp_path, D1="ferry")
    (meta,) = (tmp_path / "index").glob("g*/engine/meta.json")
    meta.write_text("{}")
    with pytest.raises(FormatError, match="cannot be opened"):
        open_index(tmp_path / "index")


def test_two_writers_do_not_meet(tmp_path: Path) -> None:
    index_of(tmp_path, D1="x")
    holder = "import fcntl, sys, time; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); print('held', flush=True); time.sleep(30)"
    other = subprocess.Popen(
        [sys.executable, "-c", holder, str(tmp_path / "index" / ".lock")], stdout=subprocess.PIPE
    )
    try:
        assert other.stdout is not None
        other.stdout.readline()
        with pytest.raises(UsageError, match="another command"):
            build([str(tmp_path / "texts.jsonl")], tmp_path / "index")
    finally:
        other.kill()
        other.wait()
        if other.stdout:
            other.stdout.close()


def test_progress_reaches_its_end(tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    build(
        [str(write_documents(tmp_path / "a.jsonl", A="a"))],
        tmp_path / "index",
        progress=lambda *at: steps.append(at),
    )
    assert steps[-1][0] == steps[-1][1] > 0


def test_an_archive_and_stdin_with_other_content_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for word in ("ferry", "barge"):
        with zipfile.ZipFile(tmp_path / "texts.zip", "w") as archive:
            archive.writestr("packed.txt", f"A {word}.")
        build([str(tmp_path / "texts.zip")], tmp_path / "index")
        assert search(open_index(tmp_path / "index"), word).total == 1
    for word in ("ferry", "barge"):
        forget_pipes()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(f"A {word}.".encode())))
        build(["-"], tmp_path / "piped")
        assert search(open_index(tmp_path / "piped"), word).total == 1


def test_a_file_that_is_named_twice_is_indexed_once(tmp_path: Path) -> None:
    (tmp_path / "texts").mkdir()
    write_documents(tmp_path / "texts" / "a.jsonl", D1="The ferry.")
    texts = [str(tmp_path / "texts"), str(tmp_path / "texts" / "a.jsonl")]
    assert build([*texts, *texts], tmp_path / "index").files == 1


@pytest.mark.parametrize("folder", [".", "./", "./texts", "texts/"])
def test_files_that_are_gone_are_taken_out_however_the_folder_is_spelt(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (tmp_path / "other.txt").write_text("An other ferry.", encoding="utf-8")
    for name in ("a.txt", "b.txt"):
        (texts / name).write_text(f"The ferry {name}.", encoding="utf-8")
    monkeypatch.chdir(texts if folder in {".", "./"} else tmp_path)
    build([str(tmp_path / "other.txt")], tmp_path / "index")
    build([folder], tmp_path / "index")
    (texts / "a.txt").unlink()
    built = build([folder], tmp_path / "index")
    assert (built.documents, built.removed) == (2, 1)


def test_a_table_of_metadata_counts_for_files_that_were_indexed_without_it(tmp_path: Path) -> None:
    write_documents(tmp_path / "a.jsonl", D1="The ferry.")
    write_documents(tmp_path / "b.jsonl", D2="The barge.")
    (tmp_path / "meta.tsv").write_text("id\tgenre\nD1\tnw\nD2\twl\n", encoding="utf-8")
    first, second = str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")
    build([first], tmp_path / "index", metadata=str(tmp_path / "meta.tsv"))
    build([first, second], tmp_path / "index")
    build([first, second], tmp_path / "index", metadata=str(tmp_path / "meta.tsv"))
    assert [record.genre for record in open_index(tmp_path / "index").records()] == ["nw", "wl"]


def test_a_table_of_metadata_from_stdin_or_without_lines_counts_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = write_documents(tmp_path / "a.jsonl", D1="one")
    build([str(texts)], tmp_path / "index")
    forget_pipes()
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"id\tgenre\nD1\tnw\n")))
    build([str(texts)], tmp_path / "index", metadata="-")
    assert open_index(tmp_path / "index").record("D1").genre == "nw"
    (tmp_path / "meta.tsv").write_text("id\tgenre\n", encoding="utf-8")
    build([str(texts)], tmp_path / "index", metadata=str(tmp_path / "meta.tsv"))
    assert not open_index(tmp_path / "index").record("D1").genre


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("20060314", "2006-03-14"), ("200603141230", "2006-03-14"), ("20060314123059.5Z", "2006-03-14"),
        ("2006-03 about noon", "2006-03"), ("2006", "2006"),
        ("1142294400", None), ("1142294400000", None), ("2006123456", None), ("٢٠٠٦-٠٣-١٤", None),
    ],
)  # fmt: skip
def test_a_number_that_only_begins_like_a_date_is_none(given: str, normal: str | None) -> None:
    assert normal_date(given) == normal


@pytest.mark.parametrize(
    "text", ["<DOC id='a'>one</DOC>\n<DOC id='b'>two", "<DOC id='a'>one\n<DOC id='b'>two</DOC>"]
)
def test_a_document_of_sgml_without_an_end_is_refused_beside_others(text: str, tmp_path: Path) -> None:
    (tmp_path / "wire.sgm").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput) as caught:
        build([str(tmp_path / "wire.sgm")], tmp_path / "index")
    (finding,) = caught.value.findings
    assert finding.code == "bad-document"
    assert finding.location is not None
    assert finding.location.line == (2 if "</DOC>\n" in text else 1)


def test_signs_that_sgml_writes_as_names_are_no_words(tmp_path: Path) -> None:
    text = "<DOC id='a'>Bell &amp; Sons</DOC>"
    (tmp_path / "wire.sgm").write_text(text, encoding="utf-8")
    build([str(tmp_path / "wire.sgm")], tmp_path / "index")
    index = open_index(tmp_path / "index")
    (hit,) = search(index, '"Bell & Sons"').hits
    ((start, end),) = hit.passages[0].marks
    assert text[start:end] == "Bell &amp; Sons"
    assert search(index, "amp").total == 0

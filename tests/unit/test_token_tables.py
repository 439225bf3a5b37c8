from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError
from lydite.formats.tokens import read_table
from lydite.token_tables import make_tables


def texts(folder: Path, **contents: str | bytes) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        data = content.encode() if isinstance(content, str) else content
        (folder / name.replace("__", ".")).write_bytes(data)
    return folder


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def codes(outcome: object) -> list[str]:
    assert hasattr(outcome, "findings")
    return [finding.code for finding in outcome.findings]


def test_every_text_below_a_folder_gives_a_table(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="A raid.", notes__md="no text")
    texts(tmp_path / "in" / "deep" / "er", d2__TXT="Two men left.")
    outcome = make_tables([tmp_path / "in"], tmp_path / "out")
    assert names(tmp_path / "out") == ["d1.tab", "d2.tab"]
    assert [(made.doc_id, made.tokens) for made in outcome.tables] == [("d1", 3), ("d2", 4)]
    assert (tmp_path / "out" / "d1.tab").read_bytes() == b"1\tA\t0\t1\n2\traid\t2\t6\n3\t.\t6\t7\n"


def test_files_are_read_whatever_they_are_called(tmp_path: Path) -> None:
    folder = texts(tmp_path / "in", d1__sgm="A raid.", plain="It began.")
    make_tables([folder / "d1.sgm", folder / "plain"], tmp_path / "out")
    assert names(tmp_path / "out") == ["d1.tab", "plain.tab"]


def test_only_the_last_extension_is_replaced(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__cmp__txt="A raid.")
    make_tables([tmp_path / "in"], tmp_path / "out")
    assert names(tmp_path / "out") == ["d1.cmp.tab"]


def test_the_extension_can_be_kept_in_the_name(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="A raid.")
    make_tables([tmp_path / "in"], tmp_path / "out", append_extension=True)
    assert names(tmp_path / "out") == ["d1.txt.tab"]


def test_packed_texts_are_read(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt__gz=gzip.compress(b"A raid."))
    with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
        archive.writestr("d2.txt", "It began.")
        archive.writestr("sub/d3.txt", "It ended.")
    make_tables([tmp_path / "in", tmp_path / "more.zip"], tmp_path / "out")
    assert names(tmp_path / "out") == ["d1.tab", "d2.tab", "d3.tab"]


@pytest.mark.parametrize(
    ("separators", "expected"),
    [("/-\\", ["a", "well", "known", "he", "she"]), ("/", ["a", "well-known", "he", "she"]), ("", ["a", "well-known", "he/she"])],
)  # fmt: skip
def test_separators_can_be_chosen(tmp_path: Path, separators: str, expected: list[str]) -> None:
    texts(tmp_path / "in", d1__txt="a well-known he/she")
    make_tables([tmp_path / "in"], tmp_path / "out", separators=separators)
    table = read_table(tmp_path / "out" / "d1.tab", "d1", header=False, columns=(2, 3))
    assert list(table.strings.values()) == expected


def test_a_long_text_gives_the_same_table_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'He left the U.S.\nHe said: "Über 2,000 men."\r\n\r\nCo.\nLtd. and 😀 more\n' * 40
    texts(tmp_path / "in", d1__txt=text)
    make_tables([tmp_path / "in"], tmp_path / "whole")
    monkeypatch.setattr("lydite.formats.text.CHUNK", 37)
    make_tables([tmp_path / "in"], tmp_path / "blocks")
    assert (tmp_path / "whole" / "d1.tab").read_bytes() == (tmp_path / "blocks" / "d1.tab").read_bytes()


def test_annotated_boundaries_cut_tokens_and_are_told(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="buffet/music/buying")
    texts(tmp_path / "ann", d1__ann="E1\tX:T1\nT1\tTransaction 13 19\tbuying\n")
    outcome = make_tables([tmp_path / "in"], tmp_path / "out", annotation=tmp_path / "ann", separators="")
    (finding,) = outcome.findings
    assert (finding.code, finding.severity, finding.document, finding.item) == (
        "boundary-mismatch",
        "warning",
        "d1",
        "T1",
    )
    assert finding.location is not None
    assert finding.location.line == 2
    assert finding.message == (
        "Boundary mismatch found in d1: Token [0,19] [buffet/music/buying] vs. EventMentionSpan [13,19] [buying]"
    )
    assert (outcome.written, outcome.tokens, outcome.cuts) == (True, 2, 1)


def test_each_segment_of_a_discontinuous_annotation_counts(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="presetting roofs onfire")
    texts(tmp_path / "ann", d1__ann="T1\tAttack 3 6;17 19;19 23\tset on fire\n")
    outcome = make_tables([tmp_path / "in"], tmp_path / "out", annotation=tmp_path / "ann")
    table = read_table(tmp_path / "out" / "d1.tab", "d1", header=False, columns=(2, 3))
    assert list(table.strings.values()) == ["pre", "set", "ting", "roofs", "on", "fire"]
    assert (outcome.cuts, len(outcome.findings)) == (3, 3)


BAD = {
    "not-utf-8": ({"d1__txt": b"caf\xe9"}, {"d1__ann": ""}),
    "annotation-outside-text": ({"d1__txt": "raid"}, {"d1__ann": "T1\tAttack 2 5\tid\n"}),
    "bad-text-bound": ({"d1__txt": "raid"}, {"d1__ann": "T1\tAttack\n"}),
    "annotation-without-text": ({"d2__txt": "raid"}, {"d2__ann": "", "d1__ann": ""}),
    "text-without-annotation": ({"d1__txt": "raid", "d2__txt": "raid"}, {"d2__ann": ""}),
}


@pytest.mark.parametrize("code", BAD)
def test_bad_input_is_a_finding_and_nothing_is_written(tmp_path: Path, code: str) -> None:
    plain, annotated = BAD[code]
    texts(tmp_path / "in", a__txt="good", **plain)  # type: ignore[arg-type]
    texts(tmp_path / "ann", a__ann="", **annotated)  # type: ignore[arg-type]
    outcome = make_tables([tmp_path / "in"], tmp_path / "out" / "deep", annotation=tmp_path / "ann")
    assert codes(outcome) == [code]
    assert outcome.findings[0].severity == "error"
    assert outcome.findings[0].document == "d1"
    assert not outcome.written
    assert not (tmp_path / "out").exists()


def test_annotation_that_is_no_text_is_a_finding(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="raid")
    texts(tmp_path / "ann", d1__ann=b"T1\tAttack 0 4\t\xff\n")
    outcome = make_tables([tmp_path / "in"], tmp_path / "out", annotation=tmp_path / "ann")
    assert codes(outcome) == ["not-utf-8"]
    assert outcome.findings[0].location is not None
    assert outcome.findings[0].location.path.endswith("d1.ann")


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    texts(tmp_path / "in", a__txt=b"\xff", b__txt=b"ok", c__txt=b"x\xfe")
    texts(tmp_path / "ann", b__ann="T1\tX 0 9\tok\n", d__ann="")
    outcome = make_tables([tmp_path / "in", tmp_path / "gone"], tmp_path / "out", annotation=tmp_path / "ann")
    assert sorted(codes(outcome)) == [
        "annotation-outside-text", "annotation-without-text", "not-utf-8", "not-utf-8",
        "text-without-annotation", "text-without-annotation", "unreadable-file",
    ]  # fmt: skip


def test_two_texts_of_one_document_are_refused(tmp_path: Path) -> None:
    texts(tmp_path / "in" / "a", d1__txt="one")
    texts(tmp_path / "in" / "b", d1__txt="two")
    outcome = make_tables([tmp_path / "in"], tmp_path / "out")
    assert codes(outcome) == ["same-document-twice"]
    assert not outcome.written


def test_a_table_is_overwritten_only_by_force(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="raid", d2__txt="raid")
    texts(tmp_path / "out", d1__tab="precious")
    with pytest.raises(UsageError, match="would be overwritten"):
        make_tables([tmp_path / "in"], tmp_path / "out")
    assert names(tmp_path / "out") == ["d1.tab"]
    assert (tmp_path / "out" / "d1.tab").read_text() == "precious"
    make_tables([tmp_path / "in"], tmp_path / "out", force=True)
    assert (tmp_path / "out" / "d1.tab").read_text() == "1\traid\t0\t4\n"


def test_force_leaves_tables_alone_when_something_is_wrong(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="raid", d2__txt=b"\xff")
    texts(tmp_path / "out", d1__tab="precious")
    assert not make_tables([tmp_path / "in"], tmp_path / "out", force=True).written
    assert names(tmp_path / "out") == ["d1.tab"]
    assert (tmp_path / "out" / "d1.tab").read_text() == "precious"


def test_a_text_is_never_replaced_by_its_table(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__tab="raid")
    with pytest.raises(UsageError, match="would replace its text"):
        make_tables([tmp_path / "in"], tmp_path / "in", extension="tab", force=True)
    assert (tmp_path / "in" / "d1.tab").read_text() == "raid"


def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="raid", d2__txt="raid")

    def interrupt(done: int, _total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        make_tables([tmp_path / "in"], tmp_path / "out", progress=interrupt)
    assert not (tmp_path / "out").exists()


def test_the_folder_of_tables_cannot_be_a_file(tmp_path: Path) -> None:
    texts(tmp_path / "in", d1__txt="raid")
    with pytest.raises(UsageError, match="this is a file"):
        make_tables([tmp_path / "in"], tmp_path / "in" / "d1.txt")
    with pytest.raises(UsageError):
        make_tables([tmp_path / "in"], tmp_path / "in" / "d1.txt" / "below")


def test_the_library_gives_tokens_with_start_end_and_text() -> None:
    tokens = lydite.tokenize("The U.S. can't.")
    assert [(token.start, token.end, token.text) for token in tokens] == [
        (0, 3, "The"), (4, 8, "U.S."), (9, 11, "ca"), (11, 14, "n't"), (14, 15, "."),
    ]  # fmt: skip
    assert isinstance(tokens[0], lydite.Token)

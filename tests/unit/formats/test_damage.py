"""Damage that once ended in a traceback, one sentence each."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import lydite
from lydite.cli.output import encode_json
from lydite.errors import FormatError, Location, LyditeError, UsageError
from lydite.formats.lists import (
    read_character_counts,
    read_document_list,
    read_genres,
    read_label_map,
    read_type_list,
)
from lydite.formats.source import open_file, open_source
from lydite.formats.store import open_store
from lydite.formats.taxonomy import load_taxonomy
from lydite.formats.token_spans import natural_key
from lydite.formats.tokens import find_table
from lydite.formats.triples import TRIPLES
from lydite.memory import forget_files
from lydite.spool import encode

CASES = Path(__file__).parent.parent.parent / "conformance"
KAF = b'<KAF><text><wf wid="w1">a</wf><wf wid="w2">b</wf></text><terms><term tid="t1"><span><target id="w1"/></span></term></terms></KAF>'


def codes(path: Path, **settings: object) -> list[str]:
    with pytest.raises(FormatError) as caught:
        lydite.convert(path, **settings)  # type: ignore[arg-type]
    return [finding.code for finding in caught.value.findings]


def test_a_kaf_file_with_a_byte_that_is_no_character_is_no_utf_8_at_its_line(tmp_path: Path) -> None:
    path = tmp_path / "d.kaf"
    path.write_bytes(KAF.replace(b"<terms>", b"\n\xed\xa0\x80<terms>"))
    with pytest.raises(FormatError) as caught:
        lydite.convert(path, layers="entity")
    (finding,) = caught.value.findings
    assert finding.code == "not-utf-8"
    assert finding.location is not None
    assert finding.location.line == 2


@pytest.mark.parametrize("rank", ["1e308", "9" * 400, "-1e308"])
def test_a_rank_that_is_too_large_counts_as_0_with_a_warning(tmp_path: Path, rank: str) -> None:
    (tmp_path / "a.kaf").write_bytes(KAF)
    path = tmp_path / "d.kybot.xml"
    events = "".join(
        f'<event eid="e{n}" target="t1" rank="{value}"/>' for n, value in enumerate((rank, "1e-320"))
    )
    path.write_text(f'<kybotOut><doc shortname="a.kaf">{events}</doc></kybotOut>')
    corpus = lydite.convert(path, kaf=str(tmp_path / "a.kaf"), wsd_threshold=50)
    (document,) = corpus.documents.values()
    assert "bad-rank" in {finding.code for finding in document.findings}


def test_half_a_surrogate_pair_in_a_json_line_of_triples_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(rb'{"relation": "\ud800", "first": {"ids": ["w1"]}}')
    assert codes(path, format="triples-jsonl") == ["bad-json-line"]


def test_a_whole_surrogate_pair_in_a_json_line_of_triples_is_a_character(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_bytes(rb'{"relation": "\ud83d\ude00", "first": {"ids": ["w1"]}}')
    (document,) = lydite.convert(path, format="triples-jsonl").documents.values()
    assert document.layers[TRIPLES][0].relation == "\U0001f600"


def test_a_number_too_long_to_be_converted_makes_a_bad_line_of_triples(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    path.write_text(f'{{"relation": "r", "profile_confidence": {"9" * 5000}}}')
    assert codes(path, format="triples-jsonl") == ["bad-json-line"]


def test_an_offset_too_long_for_any_text_is_no_number_in_a_mention_line(tmp_path: Path) -> None:
    path = tmp_path / "d.tbf"
    line = f"s\td\tE1\t0,{'9' * 5000}\tx\tT\tActual"
    other = "s\td\tE2\t4,6\tx\tT\tActual"
    path.write_text(f"#BeginOfDocument d\n{line}\n{other}\n#EndOfDocument\n")
    (document,) = lydite.read(path).documents.values()
    assert [finding.code for finding in document.findings] == ["span-not-integer"]


def test_a_set_that_is_the_root_of_its_file_may_follow_a_processing_instruction(tmp_path: Path) -> None:
    path = tmp_path / "d.xml"
    path.write_text('<?odd version="1"?>\n<coref cid="c"><target id="a/b#t5" head="yes"/></coref>')
    assert lydite.read(path, format="coref-xml").format == "coref-xml"


def test_a_name_with_a_null_character_is_an_unreadable_file() -> None:
    for opened in (open_source, open_store):
        with pytest.raises(FormatError, match="null character"):
            opened("a\0b")


def test_a_name_with_half_of_a_character_is_an_unreadable_file(tmp_path: Path) -> None:
    for opened in (open_source, open_store):
        with pytest.raises(FormatError, match="half of a character"):
            opened(f"{tmp_path}/\ud800")


def test_a_folder_of_several_files_is_no_single_file(tmp_path: Path) -> None:
    for name in ("a.kaf", "b.kaf"):
        (tmp_path / name).write_bytes(KAF)
    with pytest.raises(UsageError, match="expected one file, found 2"):
        open_file(tmp_path)


@pytest.mark.parametrize("length", ["²", "9" * 5000])
def test_digits_that_make_no_length_are_a_bad_character_count(tmp_path: Path, length: str) -> None:
    path = tmp_path / "counts"
    path.write_text(f"d\t{length}\n", encoding="utf-8")
    with pytest.raises(FormatError, match="bad-side-file"):
        read_character_counts(str(path))


def test_digits_that_make_no_offset_leave_a_token_without_one(tmp_path: Path) -> None:
    (tmp_path / "d.tab").write_text("t1\ta\t²\t3\nt2\tb\t4\t5\n", encoding="utf-8")
    table = find_table(str(tmp_path), "d")
    assert table is not None
    assert table.offsets == {"t2": (4, 5)}


def test_names_are_ordered_by_their_numbers_however_long_these_are() -> None:
    names = ["E10", "E" + "9" * 5000, "E2", "E²", "E02b"]
    assert sorted(names, key=natural_key) == ["E2", "E02b", "E10", "E" + "9" * 5000, "E²"]


def test_json_keeps_bytes_that_were_no_characters() -> None:
    value = {"name": "d\udcff"}
    assert json.loads(encode_json(value)) == json.loads(encode(value)) == value


@pytest.mark.parametrize("offset", ["9" * 400, "9" * 5000])
def test_an_offset_too_long_for_any_text_is_an_illegal_value_in_apf(tmp_path: Path, offset: str) -> None:
    path = tmp_path / "d.apf.xml"
    sample = min(CASES.glob("ace/*/ref/*.xml")).read_text(encoding="utf-8")
    path.write_text(re.sub(r'START="[0-9]+"', f'START="{offset}"', sample, count=1), encoding="utf-8")
    (document,) = lydite.read(path, format="apf").documents.values()
    assert "illegal-attribute-value" in {finding.code for finding in document.findings}


def test_a_length_too_long_for_any_text_leaves_an_ere_mention_without_a_place(tmp_path: Path) -> None:
    sample = min(CASES.glob("nugget-convert/rich-ere-to-tbf/input/*.xml"))
    path = tmp_path / sample.name
    path.write_text(
        re.sub(r'(<trigger[^>]*length=)"[0-9]+"', rf'\1"{"9" * 400}"', sample.read_text(), count=1)
    )
    (sound,), (damaged,) = (lydite.read(one, format="ere").documents.values() for one in (sample, path))
    before, after = (
        [finding.code for finding in one.findings].count("mention-without-trigger")
        for one in (sound, damaged)
    )
    assert after == before + 1


def test_a_list_of_documents_in_another_encoding_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "documents"
    path.write_bytes("d1\nd2é\n".encode("latin-1"))
    with pytest.raises(FormatError) as caught:
        read_document_list(str(path))
    (finding,) = caught.value.findings
    assert (finding.code, finding.location) == ("not-utf-8", Location(str(path), 2, 3))


@pytest.mark.parametrize("line", ["always = 5", "removed = 5", "misspellings = [1]", "types = 3"])
def test_a_taxonomy_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "mine.toml"
    types = "" if line.startswith("types") else '[types."Life.Die".roles.Victim]\nfillers = ["PER"]\n'
    path.write_text(f"{line}\n{types}")
    with pytest.raises(UsageError, match="not the form of a taxonomy"):
        load_taxonomy(str(path))


@pytest.mark.parametrize("name", ["/", "..", "."])
def test_a_list_of_apf_files_names_no_folder_which_could_be_the_whole_disk(tmp_path: Path, name: str) -> None:
    path = tmp_path / "files.txt"
    path.write_text(f"{name}\n")
    (finding,) = lydite.read(path, format="apf").findings
    assert (finding.code, finding.severity, finding.location) == (
        "bad-side-file",
        "error",
        Location(str(path), 1),
    )


def test_a_byte_order_mark_is_no_part_of_the_first_line_of_a_side_file(tmp_path: Path) -> None:
    path = tmp_path / "side"
    path.write_bytes(b"\xef\xbb\xbfd1\t7\r\n")
    assert read_character_counts(str(path)) == {"d1": 7}
    assert read_genres(str(path)) == {"d1": "7"}
    assert read_label_map(str(path)) == {"d1": "7"}
    assert read_type_list(str(path)) == ("d1\t7",)


@pytest.mark.parametrize("read", [read_character_counts, read_genres, read_label_map])
def test_a_side_file_that_contradicts_itself_is_refused(
    read: Callable[[str], object], tmp_path: Path
) -> None:
    path = tmp_path / "side.tsv"
    path.write_text("d1\t7\nd2\t9\nd1\t7\n")
    assert read(str(path))
    path.write_text("d1\t7\nd2\t9\nd1\t8\n")
    forget_files()
    with pytest.raises(LyditeError, match=r"side\.tsv:3"):
        read(str(path))

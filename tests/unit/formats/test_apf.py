"""APF: what is read, what is refused, and that nothing outside the file is touched."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apf_files import document, entity, mention, write
from lydite.errors import InputError, Location
from lydite.formats.apf import APF
from lydite.formats.source import open_source
from lydite.model import Corpus
from lydite.model.ace import LAYER, SOURCE_LAYER, Element


def read(path: Path | str, **settings: object) -> Corpus:
    return APF.read(open_source(path, extensions=APF.extensions), settings)


def read_text(folder: Path, text: str | bytes) -> Corpus:
    path = folder / "d.apf.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(path)


def elements(corpus: Corpus, doc_id: str = "d") -> tuple[Element, ...]:
    found: tuple[Element, ...] = corpus.documents[doc_id].layers[LAYER]
    return found


def codes(corpus: Corpus) -> set[str]:
    found = [*corpus.findings, *(finding for item in corpus.documents.values() for finding in item.findings)]
    return {finding.code for finding in found}


def with_mention(place: str, data_type: str = "text") -> str:
    body = (
        f'<value ID="V" TYPE="Crime"><value_mention ID="V-1"><extent>{place}</extent></value_mention></value>'
    )
    return document("d", body, data_type=data_type)


def test_inclusive_ends_become_half_open(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, with_mention('<charseq START="3" END="5">abc</charseq>'))
    extent = elements(corpus)[0].mentions[0].extent
    assert extent is not None
    assert (extent.start, extent.end, extent.text) == (3, 6, "abc")


def test_a_charspan_has_an_exclusive_end(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, with_mention('<charspan START="3" END="6">abc</charspan>'))
    extent = elements(corpus)[0].mentions[0].extent
    assert extent is not None
    assert (extent.start, extent.end) == (3, 6)


def test_sound_and_images_have_places_of_their_own(tmp_path: Path) -> None:
    sound = read_text(tmp_path, with_mention('<timespan START="1.5" END="2.25"/>', "audio"))
    extent = elements(sound)[0].mentions[0].extent
    assert extent is not None
    assert (extent.start, extent.end) == (1.5, 2.25)
    box = '<bblist><bbox PAGE="1" X="1" Y="2" WIDTH="3" HEIGHT="4"/></bblist>'
    extent = elements(read_text(tmp_path, with_mention(box, "image")))[0].mentions[0].extent
    assert extent is not None
    assert extent.boxes[0].height == 4


@pytest.mark.parametrize(
    "place",
    [
        '<charseq START="5" END="3"/>',
        '<timespan START="2" END="2"/>',
        '<bblist><bbox PAGE="1" X="1" Y="2" WIDTH="0" HEIGHT="4"/></bblist>',
    ],
)
def test_a_place_without_length_is_reported(tmp_path: Path, place: str) -> None:
    assert "span-not-positive" in codes(read_text(tmp_path, with_mention(place)))


def test_offsets_are_reported_with_all_their_digits(tmp_path: Path) -> None:
    place = '<charseq START="1234567" END="1234560">x</charseq>'
    (finding,) = read_text(tmp_path, with_mention(place)).documents["d"].findings
    assert "found 1234567 and 1234560" in finding.message


@pytest.mark.parametrize(
    "place",
    ['<charseq START="x" END="3"/>', '<charseq START="1_0" END="13"/>', '<timespan START="nan" END="2"/>'],
)
def test_text_in_place_of_a_number_is_reported(tmp_path: Path, place: str) -> None:
    assert "illegal-attribute-value" in codes(read_text(tmp_path, with_mention(place)))


@pytest.mark.parametrize(
    "spelt", ['id=" E "', "id=' E '", 'Id =" E "', "iD\n=' E '", 'id= " E "', "iD=' E '"]
)
def test_attribute_names_may_have_any_case_and_values_are_trimmed(tmp_path: Path, spelt: str) -> None:
    text = document("d", entity("E", [mention("E-1", 0, "Mira")])).replace('ID="E"', spelt)
    assert elements(read_text(tmp_path, text))[0].id == "E"


def test_character_references_are_decoded_or_left_raw(tmp_path: Path) -> None:
    path = tmp_path / "d.apf.xml"
    path.write_text(with_mention('<charseq START="0" END="2">A&amp;B</charseq>'), encoding="utf-8")
    texts = []
    for how in ("decoded", "raw"):
        extent = elements(read(path, **{"apf-text": how}))[0].mentions[0].extent
        assert extent is not None
        texts.append(extent.text)
    assert texts == ["A&B", "A&amp;B"]


@pytest.mark.parametrize(("end", "quote"), [("\n", '"'), ("\r\n", '"'), ("\n", "'")])
def test_a_line_end_inside_a_name_is_kept_and_lines_keep_their_numbers(
    tmp_path: Path, end: str, quote: str
) -> None:
    named = entity("E", [mention("M", 0, "Mira")], names=["NAME"]).replace(
        '"NAME"', f"{quote}Ben-{end}nett Valdez{quote}"
    )
    after = "\n" + entity("E", [mention("M2", 9, "Mira")])
    corpus = read_text(tmp_path, document("d", named, after))
    assert elements(corpus)[0].names[0].text == "Ben-\nnett Valdez"
    twice = corpus.documents["d"].findings[0]
    lines = document("d", named, after).splitlines()
    assert twice.location.line == next(n for n, line in enumerate(lines, 1) if 'ID="M2"' in line)


def test_comments_are_ignored(tmp_path: Path) -> None:
    text = document("d", "<!-- " + entity("E", [mention("E-1", 0, "Mira")]) + " -->")
    assert elements(read_text(tmp_path, text)) == ()


def test_several_source_files_need_no_common_root(tmp_path: Path) -> None:
    two = '<?xml version="1.0"?>\n' + document("a") + '<?xml version="1.0"?>\n' + document("b")
    assert set(read_text(tmp_path, two).documents) == {"a", "b"}
    assert set(read_text(tmp_path, f"<all>{document('a')}{document('b')}</all>").documents) == {"a", "b"}


def test_a_list_names_files_relative_to_itself(tmp_path: Path) -> None:
    write(tmp_path / "files", a=document("a"), b=document("b"))
    (tmp_path / "gold.lst").write_text("files/a.apf.xml\n\nfiles/b.apf.xml\n", encoding="utf-8")
    assert set(read(tmp_path / "gold.lst").documents) == {"a", "b"}


@pytest.mark.parametrize(
    ("line", "what"), [("/", "a folder"), ("files", "a folder"), ("/dev/zero", "neither")]
)
def test_a_list_names_no_folder_and_no_device(tmp_path: Path, line: str, what: str) -> None:
    write(tmp_path / "files", a=document("a"))
    (tmp_path / "gold.lst").write_text(f"files/a.apf.xml\n{line}\n", encoding="utf-8")
    corpus = read(tmp_path / "gold.lst")
    (finding,) = corpus.findings
    assert (finding.code, finding.severity) == ("bad-side-file", "error")
    assert finding.location == Location(str(tmp_path / "gold.lst"), 2)
    assert f"which is {what}" in finding.message


def test_a_list_with_files_that_are_not_there_names_all_of_them(tmp_path: Path) -> None:
    write(tmp_path / "files", a=document("a"))
    (tmp_path / "gold.lst").write_text(
        "files/b.apf.xml\nfiles/a.apf.xml\nfiles/c.apf.xml\n", encoding="utf-8"
    )
    corpus = read(tmp_path / "gold.lst")
    assert [finding.code for finding in corpus.findings] == ["unreadable-file"] * 2


def test_an_archive_is_one_corpus(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "gold.zip", "w") as archive:
        for name in ("a", "b"):
            archive.writestr(f"{name}.apf.xml", document(name))
    assert set(read(tmp_path / "gold.zip").documents) == {"a", "b"}


def test_external_entities_and_document_types_are_not_loaded(tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    text = f'<!DOCTYPE source_file [<!ENTITY leak SYSTEM "file://{tmp_path}/secret.txt">]>\n' + document(
        "d", entity("E", [mention("E-1", 0, "&leak;")])
    )
    corpus = read_text(tmp_path, text)
    head = elements(corpus)[0].mentions[0].head
    assert head is not None
    assert "secret" not in head.text


def test_an_entity_bomb_is_not_expanded(tmp_path: Path) -> None:
    levels = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 12))
    text = f'<!DOCTYPE x [<!ENTITY a0 "ha">{levels}]>' + document(
        "d", entity("E", [mention("E-1", 0, "&a11;")])
    )
    corpus = read_text(tmp_path, text)
    assert len(str(corpus.documents)) < 10_000


@pytest.mark.parametrize(
    "data", [b"<source_file", b"", b"\xff\xfe\x01", b"<a>\xe9</a>", "<ä>".encode("latin-1")]
)
def test_a_file_that_is_not_xml_is_a_finding_with_its_place(tmp_path: Path, data: bytes) -> None:
    assert codes(read_text(tmp_path, data)) & {
        "ill-formed-xml",
        "file-without-evaluable-documents",
        "not-utf-8",
    }


def test_a_document_given_twice_is_found(tmp_path: Path) -> None:
    assert "duplicate-id" in codes(read(write(tmp_path / "x", a=document("d"), b=document("d"))))


def test_ids_of_mentions_and_elements_share_one_name_space(tmp_path: Path) -> None:
    twice = document("d", entity("E", [mention("M", 0, "Mira"), mention("M", 9, "She")]))
    assert "duplicate-id" in codes(read_text(tmp_path, twice))
    shared = document("d", entity("E", [mention("E", 0, "Mira")]))
    assert "duplicate-id" in codes(read_text(tmp_path, shared))


def test_an_id_used_again_is_reported_with_what_had_it_before(tmp_path: Path) -> None:
    mentions = [mention("M", 0, "Mira"), mention("M", 9, "She"), mention("E", 20, "her")]
    text = document("d", entity("E", mentions), entity("M", [mention("N", 30, "Ben")]))
    told = [finding.message.partition(", ")[2] for finding in read_text(tmp_path, text).findings]
    assert told == [
        "found it on a mention after it was used for a mention",
        "found it on a mention after it was used for a entity",
        "found it on a entity after it was used for a mention",
    ]


def test_one_element_in_several_documents_is_not_a_duplicate(tmp_path: Path) -> None:
    first = document("a", entity("E", [mention("E-a", 0, "Mira")]))
    second = document("b", entity("E", [mention("E-b", 0, "Mira")]))
    assert not codes(read(write(tmp_path / "x", a=first, b=second)))


def test_an_element_twice_in_a_document_is_found(tmp_path: Path) -> None:
    twice = document("d", entity("E", [mention("M1", 0, "Mira")]), entity("E", [mention("M2", 9, "Mira")]))
    assert "element-defined-twice" in codes(read_text(tmp_path, twice))


def test_one_id_for_elements_of_two_kinds_is_found_under_both_codes(tmp_path: Path) -> None:
    place = '<extent><charseq START="9" END="12">Mira</charseq></extent>'
    value = f'<value ID="E" TYPE="Crime"><value_mention ID="V-1">{place}</value_mention></value>'
    corpus = read_text(tmp_path, document("d", entity("E", [mention("M", 0, "Mira")]), value))
    assert codes(corpus) == {"element-defined-twice", "duplicate-id"}


def test_a_mention_with_two_heads_is_found(tmp_path: Path) -> None:
    head = '<head><charseq START="0" END="3">Mira</charseq></head>'
    text = entity("E", [mention("M", 0, "Mira").replace(head, head + head)])
    assert codes(read_text(tmp_path, document("d", text))) == {"element-defined-twice"}


def test_every_finding_has_file_line_and_element(tmp_path: Path) -> None:
    text = document("d", entity("E", [mention("M", 0, "Mira")]).replace('CLASS="SPC"', ""))
    (finding,) = read_text(tmp_path, text).documents["d"].findings
    assert finding.code == "missing-attribute"
    assert finding.item == "E"
    assert finding.location is not None
    assert finding.location.line == 3


CASES = Path(__file__).parent.parent.parent / "conformance" / "ace"


@pytest.mark.parametrize(
    "case", ["perfect", "metonymy", "external_links", "xdoc_perfect", "scripts_and_languages"]
)
def test_what_is_written_reads_as_the_same_corpus(tmp_path: Path, case: str) -> None:
    corpus = read(CASES / case / "ref")
    assert APF.write is not None
    (tmp_path / "copy.apf.xml").write_bytes(APF.write(corpus))
    copy = read(tmp_path / "copy.apf.xml")
    assert {name: dict(item.layers) for name, item in copy.documents.items()} == {
        name: dict(item.layers) for name, item in corpus.documents.items()
    }


@pytest.mark.parametrize("data_type", ["text", "audio", "image"])
@pytest.mark.parametrize(
    "place", ['<charseq START="3" END="5">abc</charseq>', '<timespan START="2" END="2.5"/>']
)
def test_a_place_is_written_as_what_it_counts_whatever_its_source_is(
    tmp_path: Path, place: str, data_type: str
) -> None:
    corpus = read_text(tmp_path, with_mention(place, data_type))
    assert APF.write is not None
    assert elements(read_text(tmp_path, APF.write(corpus))) == elements(corpus)


@given(st.binary(max_size=200), st.integers(0, 400))
def test_any_bytes_give_a_corpus_or_an_input_error(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, place: int
) -> None:
    folder = tmp_path_factory.mktemp("noise")
    text = document("d", entity("E", [mention("M", 0, "Mira")], names=["Mira"])).encode()
    (folder / "d.apf.xml").write_bytes(text[:place] + noise + text[place:])
    try:
        corpus = read(folder / "d.apf.xml")
    except InputError:
        return
    assert all(SOURCE_LAYER in item.layers for item in corpus.documents.values())


def test_a_second_place_of_an_extent_is_found(tmp_path: Path) -> None:
    places = '<charseq START="0" END="3">Mira</charseq>'
    assert codes(read_text(tmp_path, with_mention(places))) == set()
    assert codes(read_text(tmp_path, with_mention(places + places))) == {"element-defined-twice"}


def damaged_tags(*tags: str) -> str:
    """A document with two persons, whose tags lost their brackets."""
    text = document("d", *(entity(f"E{n}", [mention(f"E{n}-1", 9 * n, "Mira")]) for n in (1, 2)))
    for tag in tags:
        assert tag in text
        text = text.replace(tag, tag.replace("<", "", 1), 1)
    return text


def test_text_between_elements_that_would_make_two_entities_one_is_an_error(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, damaged_tags("</entity>", '<entity ID="E2"'))
    (found,) = corpus.documents["d"].findings
    assert (found.code, found.severity, found.location) == (
        "stray-text",
        "error",
        Location(str(tmp_path / "d.apf.xml"), 3),
    )
    assert "expected only elements in entity, found the text '/entity> entity ID=" in found.message


def test_text_between_documents_is_an_error(tmp_path: Path) -> None:
    assert "stray-text" in codes(read_text(tmp_path, document("d").replace("</document>", "</document>x")))


@pytest.mark.parametrize("inside", ["<charseq START='0' END='3'>Mira</charseq>", "<remark>of LDC</remark>"])
def test_text_of_places_and_of_unknown_elements_is_no_stray_text(tmp_path: Path, inside: str) -> None:
    body = f"<value ID='V' TYPE='Crime'><value_mention ID='V-1'><extent>{inside}</extent></value_mention></value>"
    assert "stray-text" not in codes(read_text(tmp_path, document("d", body)))

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import FormatError
from lydite.facade import library
from lydite.formats.lists import (
    read_distinct_lines,
    read_relation_filter,
    read_relation_mapping,
    read_token_range,
)
from lydite.formats.source import open_source
from lydite.formats.triples import TRIPLES, read, write
from lydite.model import Corpus, Document
from lydite.model.triple import EMPTY_ELEMENT, Triple, TripleElement


def corpus(tmp_path: Path, text: str | bytes, **settings: object) -> Corpus:
    path = tmp_path / "some.trp"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read(open_source(path), {key.replace("_", "-"): value for key, value in settings.items()})


def triples(tmp_path: Path, text: str | bytes, **settings: object) -> tuple[Triple, ...]:
    found: tuple[Triple, ...] = corpus(tmp_path, text, **settings).documents["some.trp"].layers[TRIPLES]
    return found


ONE = '<triple id="t1" relation="agent"><elementFirstIds><elementFirst id="w1"/></elementFirstIds></triple>'


def test_names_are_read_without_case_and_namespace_and_older_names_are_understood(tmp_path: Path) -> None:
    text = """<x:Triplets xmlns:x="urn:x"><x:TRIPLET ID=" 1 " Relation=" agent "><EventIds LABEL="e"><event id="w1"/>
    </EventIds><participantIDS><x:participant id="w2"/><other id="w9"/></participantIDS></x:TRIPLET></x:Triplets>"""
    (found,) = triples(tmp_path, text)
    assert found == Triple("agent", TripleElement(("w1",), "e"), TripleElement(("w2",)), id="1")


def test_triples_are_found_at_any_depth(tmp_path: Path) -> None:
    assert len(triples(tmp_path, f"<a><b><c>{ONE}</c></b>{ONE}</a>")) == 2


def test_ids_outside_of_a_triple_belong_to_none(tmp_path: Path) -> None:
    text = f'<a><elementFirst id="w8"/>{ONE}<elementFirst id="w9"/>{ONE}</a>'
    assert [found.first.ids for found in triples(tmp_path, text)] == [("w1",), ("w1",)]


def test_repeated_ids_count_once_unless_the_reference_reads(tmp_path: Path) -> None:
    text = '<a><triple><elementFirstIds><elementFirst id="w2"/><elementFirst id="w1"/><elementFirst id="w2"/></elementFirstIds></triple></a>'
    assert triples(tmp_path, text)[0].first.ids == ("w2", "w1")
    assert triples(tmp_path, text, keep_repeated_ids=True)[0].first.ids == ("w2", "w1", "w2")


def test_a_capitalised_triple_is_lost_by_the_reference_only(tmp_path: Path) -> None:
    text = f"<a>{ONE.replace('triple', 'Triple')}{ONE}</a>"
    assert len(triples(tmp_path, text)) == 2
    lost = corpus(tmp_path, text, lose_capitalised_triples=True).documents["some.trp"]
    assert len(lost.layers[TRIPLES]) == 1
    assert [finding.code for finding in lost.findings] == ["lost-triple"]


def test_ids_that_are_missing_or_empty_are_skipped(tmp_path: Path) -> None:
    text = '<a><triple><elementFirstIds><elementFirst/><elementFirst id=" "/><elementFirst id="w1"/></elementFirstIds></triple></a>'
    assert triples(tmp_path, text)[0].first.ids == ("w1",)


def test_an_empty_first_element_and_a_bad_confidence_are_warned_about_with_their_line(tmp_path: Path) -> None:
    document = corpus(tmp_path, '<a>\n<triple id="t" profile_confidence="high"/>\n</a>').documents["some.trp"]
    assert document.layers[TRIPLES] == (Triple(id="t"),)
    assert [(finding.code, finding.location and finding.location.line) for finding in document.findings] == [
        ("empty-first-element", 2),
        ("bad-confidence", 2),
    ]


@pytest.mark.parametrize(
    ("written", "number"),
    [("30", 30), ("0.5", 0.5), ("nan", None), ("inf", None), ("", None), ("1_000", None), ("٣", None)],
)
def test_a_confidence_is_a_finite_number_or_none(tmp_path: Path, written: str, number: float | None) -> None:
    assert (
        triples(tmp_path, f'<a><triple profile_confidence="{written}"/></a>')[0].profile_confidence == number
    )


def test_the_declared_encoding_is_obeyed(tmp_path: Path) -> None:
    text = '<?xml version="1.0" encoding="ISO-8859-1"?><a><triple relation="é"/></a>'
    assert triples(tmp_path, text.encode("latin-1"))[0].relation == "é"


@pytest.mark.parametrize("name", ["elementFirstIds", "elementSecondIds", "participantIds"])
def test_two_elements_of_a_kind_in_a_triple_are_an_error_and_not_one_element(
    tmp_path: Path, name: str
) -> None:
    one = f'<{name}><elementFirst id="w1"/></{name}>'
    text = f'<triples>\n<triple id="t1">{one}\n{one}</triple></triples>'
    (finding,) = (
        one for one in corpus(tmp_path, text).documents["some.trp"].findings if one.code == "repeated-element"
    )
    assert (finding.severity, finding.location.line, finding.item) == ("error", 3, "t1")


def test_an_id_of_triples_with_different_first_elements_is_noted_once(tmp_path: Path) -> None:
    text = f"<triples>{ONE}{ONE.replace('w1', 'w2')}{ONE}{ONE.replace('t1', 't2')}</triples>"
    (finding,) = corpus(tmp_path, text).documents["some.trp"].findings
    assert (finding.code, finding.severity) == ("shared-triple-id", "note")
    assert finding.message.startswith("1 id names triples with different first elements (t1)")


@pytest.mark.parametrize(
    ("written", "line"),
    [
        (ONE.replace("agent", "ag\nent"), 2),
        (ONE.replace("agent", "ag&#xA;ent"), 2),
        (ONE.replace("t1", "t\n1"), 2),
        (ONE.replace('"w1"', "'w\r\n1'"), 2),
    ],
    ids=["relation", "reference", "id of a triple", "id of a token"],
)
def test_a_line_break_inside_a_relation_or_an_id_is_reported(tmp_path: Path, written: str, line: int) -> None:
    (finding,) = corpus(tmp_path, f"<triples>\n{written}</triples>").documents["some.trp"].findings
    assert (finding.code, finding.location.line) == ("line-break-in-value", line)


def test_a_blank_in_a_value_and_line_breaks_around_it_are_no_finding(tmp_path: Path) -> None:
    text = ONE.replace("agent", "\n an agent\n").replace(
        "<elementFirstIds", '<elementFirstIds comment="a\nb"'
    )
    assert corpus(tmp_path, f"<triples>{text}</triples>").documents["some.trp"].findings == ()


def test_ill_formed_xml_is_refused_with_line_and_column_and_nothing_is_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        corpus(tmp_path, f'<a>\n{ONE}\n<triple id="t_6" relation="intensifier" ">\n</a>')
    (finding,) = caught.value.findings
    assert finding.code == "ill-formed-xml"
    assert finding.location is not None
    assert (finding.location.line, finding.location.column) == (3, 41)


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY x SYSTEM "file:///etc/hostname">', '<!ENTITY x "lol">'],
    ids=["external", "internal"],
)
@pytest.mark.parametrize("place", ['<a><triple id="1">&x;</triple></a>', "<a>&x;</a>", "<a/>"])
def test_entities_are_refused(tmp_path: Path, declaration: str, place: str) -> None:
    with pytest.raises(FormatError):
        corpus(tmp_path, f'<?xml version="1.0"?><!DOCTYPE a [{declaration}]>{place}')


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="ill-formed-xml"):
        corpus(tmp_path, "")


def test_of_a_folder_only_the_files_directly_in_it_count(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    for name in ("b.trp", "a.trp", "deeper/c.trp", "note.txt"):
        (tmp_path / name).write_text(f"<a>{ONE}</a>")
    found = read(open_source(tmp_path, extensions=(".trp",)), {})
    assert list(found.documents) == ["a.trp", "b.trp"]
    assert found.facts["folder"]


def test_a_file_is_written_in_the_fixed_layout() -> None:
    made = Triple(
        "agent",
        TripleElement(("w34",), "event", 'a "b" & <c>'),
        EMPTY_ELEMENT,
        id="bus.kaf#1",
        profile_id="p",
        profile_confidence=30,
        layer="srl",
    )
    assert write(written([made])).decode() == (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
        "<triples>\n"
        '<triple id="bus.kaf#1" profile_id="p" profile_confidence="30" relation="agent" kaflayer="srl">\n'
        '\t<elementFirstIds label="event" comment="a &quot;b&quot; &amp; &lt;c&gt;">\n'
        '\t\t<elementFirst id="w34"/>\n'
        "\t</elementFirstIds>\n"
        "\t<elementSecondIds/>\n"
        "</triple>\n"
        "</triples>\n"
    )


WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"], exclude_characters="\ufffe\uffff"),
    max_size=6,
).map(str.strip)
ELEMENTS = st.builds(
    TripleElement,
    st.lists(WORDS.filter(bool), max_size=3, unique=True).map(tuple),
    label=WORDS,
    comment=WORDS,
)
CONFIDENCES = st.none() | st.integers(-5, 200) | st.floats(allow_nan=False, allow_infinity=False)


def written(made: list[Triple]) -> Corpus:
    return Corpus("x", {"d": Document("d", layers={"triples": tuple(made)})})


@given(st.lists(st.builds(Triple, WORDS, ELEMENTS, ELEMENTS, WORDS, WORDS, CONFIDENCES, WORDS), max_size=4))
def test_what_was_written_is_read_back(tmp_path_factory: pytest.TempPathFactory, made: list[Triple]) -> None:
    assert triples(tmp_path_factory.mktemp("written"), write(written(made))) == tuple(made)


@given(st.binary(max_size=60))
def test_any_bytes_give_a_corpus_or_a_finding(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    found = None
    try:
        corpus(tmp_path_factory.mktemp("bytes"), data)
    except FormatError as error:
        found = error.findings
    assert found is None or found


def test_a_token_range_is_trimmed_and_each_id_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "range"
    path.write_text("\ufeff w1 \nw1\n\nw2\t\r\n", encoding="utf-8")
    assert read_token_range(str(path)) == {"w1", "w2"}
    assert read_distinct_lines(str(path)) == ("w1", "w2")


def test_an_empty_token_range_is_an_error_but_no_scope_for_the_reference(tmp_path: Path) -> None:
    path = tmp_path / "range"
    path.write_text("\n \n")
    with pytest.raises(FormatError, match="bad-side-file"):
        read_token_range(str(path))
    assert read_token_range(str(path), empty_means_all=True) is None
    assert read_token_range(str(tmp_path / "missing"), empty_means_all=True) is None


@pytest.mark.parametrize("data", ["", " \n\n", "\ufeff\n"])
def test_a_relation_filter_that_names_no_relation_is_an_error(tmp_path: Path, data: str) -> None:
    path = tmp_path / "filter"
    path.write_text(data, encoding="utf-8")
    with pytest.raises(FormatError, match="bad-side-file"):
        read_relation_filter(str(path))


def test_of_a_relation_mapping_the_last_line_of_a_source_counts_and_odd_lines_are_named(
    tmp_path: Path,
) -> None:
    path = tmp_path / "map"
    path.write_text("done-by\ta1\n\ncause \t a1\nbroken line\na\tb\tc\ndone-by\ta2\n")
    mapping = read_relation_mapping(str(path))
    assert mapping.names == {"done-by": "a2", "cause": "a1"}
    assert [finding.location and finding.location.line for finding in mapping.findings] == [4, 5, 6]


@pytest.mark.parametrize("name", ["d1.trp", "d1.jsonl", "d1.tsv"])
def test_a_packed_file_of_a_folder_is_the_document_that_it_is_unpacked(name: str, tmp_path: Path) -> None:
    contents = {
        "d1.trp": b'<triples><triple id="1" relation="r"/></triples>',
        "d1.jsonl": b'{"relation": "r", "first": {"ids": ["w1"]}}\n',
        "d1.tsv": b"a\tr\tb\n",
    }
    formats = {"d1.trp": "trp", "d1.jsonl": "triples-jsonl", "d1.tsv": "triples-tsv"}
    for folder, ending, pack in (("plain", "", bytes), ("packed", ".gz", gzip.compress)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}{ending}").write_bytes(pack(contents[name]))
    plain, packed = (
        library.read(str(tmp_path / folder), format=formats[name]) for folder in ("plain", "packed")
    )
    assert plain.doc_ids == packed.doc_ids == (name,)


@pytest.mark.parametrize(
    "path", ["folder", "./folder", "folder//", "./folder/", "folder/*.trp", "./folder/?.trp"]
)
def test_a_folder_is_read_however_its_path_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    (tmp_path / "folder").mkdir()
    for name in ("a.trp", "b.trp"):
        (tmp_path / "folder" / name).write_text("<triples/>")
    monkeypatch.chdir(tmp_path)
    assert library.read(path).doc_ids == ("a.trp", "b.trp")


def test_files_in_subfolders_are_no_documents_whatever_the_folder_is_called(tmp_path: Path) -> None:
    (tmp_path / "new!" / "old").mkdir(parents=True)
    for name in ("a.trp", "old/b.trp"):
        (tmp_path / "new!" / name).write_text("<triples/>")
    assert library.read(tmp_path / "new!").doc_ids == ("a.trp",)


def test_files_in_subfolders_that_are_no_documents_are_reported(tmp_path: Path) -> None:
    (tmp_path / "deeper").mkdir()
    for name in ("a.trp", "deeper/b.trp"):
        (tmp_path / name).write_text("<triples/>", encoding="utf-8")
    found = read(open_source(tmp_path), {})
    assert found.doc_ids == ("a.trp",)
    assert [finding.code for finding in found.findings] == ["file-in-subfolder"]

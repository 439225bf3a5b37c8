"""Coreference sets in XML: classes, heads, units, and files that are refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lydite
from lydite.errors import FormatError
from lydite.formats.coref_xml import COREF_XML
from lydite.formats.lydite_jsonl import write as write_lydite
from lydite.formats.source import open_source
from lydite.model import Corpus


def xml(*sets: str, extra: str = "") -> str:
    body = "".join(f'<coref cid="n:{number}">{targets}</coref>' for number, targets in enumerate(sets))
    return f'<?xml version="1.0"?>{extra}<coreferences version="v1" xmlns:n="http://example.org/n">{body}</coreferences>'


def targets(*ids: str, head: str = "") -> str:
    return "".join(f'<target id="n:{name}"{head}/>' for name in ids)


def read(tmp_path: Path, text: str, **options: object) -> Corpus:
    path = tmp_path / "file.xml"
    path.write_text(text, encoding="utf-8")
    return COREF_XML.read(open_source(path), options)


def members(corpus: Corpus, unit: str = "corpus") -> list[list[str]]:
    return [list(cluster.members) for cluster in corpus.documents[unit].layers["clusters"]]


def test_sets_that_share_a_mention_are_one_class(tmp_path: Path) -> None:
    text = xml(targets("a/1#w1"), targets("a/1#w1", "a/1#w2"), targets("a/2#w9"), targets("a/1#w2", "a/1#w3"))
    corpus = read(tmp_path, text, unit="corpus")
    assert members(corpus) == [["n:a/1#w1", "n:a/1#w2", "n:a/1#w3"], ["n:a/2#w9"]]


def test_a_target_that_is_no_head_is_left_out_unless_all_are_asked_for(tmp_path: Path) -> None:
    text = xml(targets("a/1#w1") + targets("a/1#w2", head=' head="no"'))
    assert members(read(tmp_path, text, unit="corpus")) == [["n:a/1#w1"]]
    assert members(read(tmp_path, text, unit="corpus", targets="all")) == [["n:a/1#w1", "n:a/1#w2"]]


def test_the_targets_of_a_span_are_one_mention(tmp_path: Path) -> None:
    text = xml(f"<references><span>{targets('a/1#w2', 'a/1#w1')}</span></references>" + targets("a/1#w5"))
    assert members(read(tmp_path, text, unit="corpus")) == [[("n:a/1#w1", "n:a/1#w2"), "n:a/1#w5"]]


def test_clusters_are_cut_at_topics_with_a_finding(tmp_path: Path) -> None:
    corpus = read(tmp_path, xml(targets("t1/1#a", "t1/2#b", "t2/3#c")), unit="topic")
    assert {unit: len(members(corpus, unit)[0]) for unit in corpus.documents} == {"t1": 2, "t2": 1}
    assert [finding.code for finding in corpus.findings] == ["cluster-cut"]


def test_clusters_can_be_cut_by_document(tmp_path: Path) -> None:
    corpus = read(tmp_path, xml(targets("t1/1#a", "t1/2#b")), unit="document")
    assert set(corpus.documents) == {"t1/1", "t1/2"}


def test_an_empty_file_is_an_empty_corpus(tmp_path: Path) -> None:
    assert members(read(tmp_path, xml(), unit="corpus")) == []


def test_a_repeated_cid_is_reported(tmp_path: Path) -> None:
    text = xml(targets("a/1#w1"), targets("a/1#w2")).replace("n:1", "n:0")
    assert [finding.code for finding in read(tmp_path, text).findings] == ["repeated-cluster-id"]


@pytest.mark.parametrize("padding", ["", "<!-- padding -->" * 6000], ids=["at once", "behind a long comment"])
def test_entity_declarations_are_refused(tmp_path: Path, padding: str) -> None:
    declaration = '<!DOCTYPE coreferences [<!ENTITY e SYSTEM "file:///etc/hostname">]>'
    with pytest.raises(FormatError) as refused:
        read(tmp_path, xml(targets("a/1#w1"), extra=padding + declaration))
    assert refused.value.findings[0].code == "xml-entities"


def test_a_document_type_declaration_is_never_loaded(tmp_path: Path) -> None:
    declaration = '<!DOCTYPE coreferences SYSTEM "http://example.org/x.dtd">'
    corpus = read(tmp_path, xml(targets("a/1#w1"), extra=declaration), unit="corpus")
    assert members(corpus) == [["n:a/1#w1"]]


def test_entities_that_grow_without_end_are_refused(tmp_path: Path) -> None:
    entities = "".join(f"<!ENTITY l{n} '{f'&l{n - 1};' * 10}'>" for n in range(1, 12))
    with pytest.raises(FormatError):
        read(tmp_path, xml("&l11;", extra=f"<!DOCTYPE coreferences [<!ENTITY l0 'lol'>{entities}]>"))


def test_a_file_that_is_no_xml_is_refused_with_its_line(tmp_path: Path) -> None:
    with pytest.raises(FormatError) as refused:
        read(tmp_path, "<coreferences>\n<coref></coreferences>")
    (finding,) = refused.value.findings
    assert finding.code == "ill-formed-xml"
    assert finding.location is not None
    assert finding.location.line == 2


def test_what_is_written_reads_the_same(tmp_path: Path) -> None:
    text = xml(targets("t/1#a", "t/2#b") + f"<span>{targets('t/1#c', 't/1#d')}</span>", targets("t/1#e"))
    corpus = read(tmp_path, text, unit="corpus")
    back = read(tmp_path, COREF_XML.write(corpus).decode(), unit="corpus")  # type: ignore[misc]
    assert members(back) == members(corpus)


def test_sets_without_an_id_are_not_joined_where_documents_that_were_read_are_scored_together(
    tmp_path: Path,
) -> None:
    sets = "".join(
        f'<coref><target id="{one}#1"/><target id="{one}#2"/></coref>' for one in ("t/d1", "t/d2", "t/d2#")
    )
    path = tmp_path / "gold.xml"
    path.write_text(f"<coreferences>{sets}</coreferences>", encoding="utf-8")
    apart = lydite.read(path, unit="document")
    assert lydite.score(path, apart, task="coref", unit="corpus")["coref"]["muc"].f1 == 1


def test_two_sets_of_one_cid_stay_two_where_documents_are_joined_later(tmp_path: Path) -> None:
    """Once whole and once as documents, which come back through the inner form: the figures are the same."""
    sets = "".join(f'<coref cid="1">{targets(*pair)}</coref>' for pair in (("d#a", "e#b"), ("d#c", "e#g")))
    whole = tmp_path / "whole.xml"
    whole.write_text(f'<coreferences xmlns:n="http://example.org/n">{sets}</coreferences>', encoding="utf-8")
    for unit in ("document", "corpus"):
        corpus = COREF_XML.read(open_source(whole), {"unit": unit})
        inner = tmp_path / f"{unit}.lydite.jsonl"
        inner.write_bytes(write_lydite(corpus))
        assert lydite.score(whole, inner, task="coref", unit="corpus")["coref"]["muc"].f1 == 1


def test_a_document_that_keeps_two_clusters_of_one_id_apart_is_believed(tmp_path: Path) -> None:
    path = tmp_path / "d.lydite.jsonl"
    clusters = [{"id": "1", "members": ["a", "b"]}, {"id": "1", "members": ["c", "d"]}]
    path.write_text(
        json.dumps({"schema": "lydite.document/1", "doc_id": "d", "layers": {"clusters": clusters}}),
        encoding="utf-8",
    )
    gold = tmp_path / "gold.jsonl"
    named = {"c1": ["a", "b"], "c2": ["c", "d"]}
    gold.write_text(json.dumps({"doc_key": "d", "type": "clusters", "clusters": named}), encoding="utf-8")
    assert lydite.score(gold, path, task="coref", unit="corpus")["coref"]["muc"].f1 == 1


def read_two(tmp_path: Path, first: str, second: str) -> Corpus:
    (tmp_path / "a.xml").write_text(first)
    (tmp_path / "b.xml").write_text(second)
    return COREF_XML.read(open_source(tmp_path), {"unit": "corpus"})


def test_sets_of_two_files_that_share_a_mention_are_one_class_and_it_is_reported(tmp_path: Path) -> None:
    corpus = read_two(tmp_path, xml(targets("a/1#w1", "a/1#w2")), xml(targets("a/1#w2", "a/1#w3")))
    assert members(corpus) == [["n:a/1#w1", "n:a/1#w2", "n:a/1#w3"]]
    (finding,) = corpus.findings
    assert (finding.code, finding.location.path) == ("sets-joined", str(tmp_path / "b.xml"))
    assert f"(n:a/1#w2 in {tmp_path / 'a.xml'})" in finding.message


@pytest.mark.parametrize(
    "sets",
    [
        '<coref xmlns:m="http://example.org/n" cid="1"><target id="m:a/1#w1"/></coref>',
        '<coref cid="1"><target xmlns:m="http://example.org/n" id="m:a/1#w1"/></coref>',
    ],
)
def test_a_prefix_may_be_declared_where_it_is_used(tmp_path: Path, sets: str) -> None:
    corpus = read(tmp_path, f"<coreferences>{sets}</coreferences>", unit="corpus")
    (document,) = corpus.documents.values()
    assert document.layers["prefixes"] == {"m": "http://example.org/n"}


def test_of_files_that_share_no_mention_nothing_is_reported(tmp_path: Path) -> None:
    corpus = read_two(tmp_path, xml(targets("a/1#w1", "a/1#w2")), xml(targets("a/1#w3"), targets("a/1#w3")))
    assert len(members(corpus)) == 2
    assert not [finding for finding in corpus.findings if finding.code == "sets-joined"]


def test_a_prefix_that_two_files_declare_for_two_name_spaces_is_refused(tmp_path: Path) -> None:
    other = xml(targets("a/1#w1")).replace("example.org/n", "example.org/m")
    with pytest.raises(FormatError, match=r"prefix 'n' stands for 'http://example\.org/m' here"):
        read_two(tmp_path, xml(targets("a/1#w1")), other)


def test_a_prefix_of_two_name_spaces_that_no_mention_has_does_no_harm(tmp_path: Path) -> None:
    unused = xml(targets("a/1#w1")).replace("n:a", "a").replace("example.org/n", "example.org/m")
    assert len(members(read_two(tmp_path, xml().replace("n:", "k:"), unused))) == 1


@pytest.mark.parametrize("unit", ["document", "topic", "corpus"])
def test_documents_that_are_joined_keep_what_prefixes_stand_for(tmp_path: Path, unit: str) -> None:
    text = xml(targets("a/1#w1", "a/1#w2"), targets("a/2#w1"))
    sides = []
    for prefix in ("n", "m"):
        corpus = read(tmp_path, text.replace("xmlns:n", f"xmlns:{prefix}").replace('"n:', f'"{prefix}:'))
        path = tmp_path / f"{prefix}.lydite.jsonl"
        path.write_bytes(write_lydite(corpus))
        sides.append(path)
    assert lydite.score(*sides, task="coref", unit=unit)["mentions"].micro.f1 == 1


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("<root><a>hello</a></root>", "an empty <coreferences/>"),
        ("<NAF><text><wf id='w1'>a</wf></text></NAF>", "an empty <coreferences/>"),
        ("<Document><token t_id='1'>a</token><Markables/><Relations/></Document>", "CAT files"),
    ],
    ids=["other XML", "NAF without the layer", "ECB+"],
)
def test_a_file_without_an_element_of_the_format_is_refused(tmp_path: Path, text: str, hint: str) -> None:
    with pytest.raises(FormatError) as error:
        read(tmp_path, text)
    (finding,) = error.value.findings
    assert (finding.code, finding.location.line) == ("no-coreferences", 1)
    assert hint in str(finding.hint)


@pytest.mark.parametrize("text", ["<coreferences/>", "<NAF><coreferences/></NAF>", "<a><coref id='1'/></a>"])
def test_a_file_of_the_format_in_which_nothing_was_found_is_read(tmp_path: Path, text: str) -> None:
    assert all(not document.layers["clusters"] for document in read(tmp_path, text).documents.values())

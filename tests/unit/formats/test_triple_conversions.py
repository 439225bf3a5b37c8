from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

import lydite
from lydite.errors import FormatError, Location, UsageError
from lydite.facade import library
from lydite.formats.naf import read_text
from lydite.formats.triples import TRIPLES
from lydite.model import Document
from lydite.model.triple import Triple, TripleElement

KAF = """<KAF>
<text><wf wid="w1" sent="s1">Staff</wf><wf wid="w2" sent="s1">praised</wf><wf wid="w3" sent="s1">New</wf>
<wf wid="w4" sent="s1">York</wf><wf wid="w5" sent="s2">Fine</wf></text>
<terms><term tid="t1"><span><target id="w1"/></span></term><term tid="t2"><span><target id="w2"/></span></term>
<term tid="t3"><span><target id="w3"/><target id="w4"/></span></term>
<term tid="t5"><span><target id="w5"/></span><sentiment polarity="positive" strength="2"/></term>
<term tid="t9"><span><target id="w99"/></span></term></terms>
<deps><dep from="t2" to="t1" rfunc="nsubj"/><dep from="t2" to="t9" rfunc="obj"/></deps>
<chunks><chunk cid="c1" head="t1"/><chunk cid="c2" head="t3"/><chunk cid="c3" head="t3"/><chunk cid="c4" head="t5"/></chunks>
<entities><entity eid="e1" type="LOC"><references><span><target id="t3"/></span></references></entity>
<entity eid="e2" type="ORG"><span><target id="t77"/></span></entity></entities>
<opinions><opinion oid="o1"><opinion_holder><span><target id="t1"/></span></opinion_holder>
<opinion_expression polarity="positive"><span><target id="t2"/></span></opinion_expression></opinion></opinions>
</KAF>"""


def document(tmp_path: Path, name: str, content: str, **settings: object) -> Document:
    path = tmp_path / name
    path.write_text(content, encoding="utf-8")
    return next(iter(lydite.convert(path, **settings).documents.values()))  # type: ignore[arg-type]


def converted(tmp_path: Path, name: str, content: str, **settings: object) -> tuple[Triple, ...]:
    found: tuple[Triple, ...] = document(tmp_path, name, content, **settings).layers[TRIPLES]
    return found


def test_layers_come_in_their_fixed_order_whatever_was_asked_for(tmp_path: Path) -> None:
    found = converted(tmp_path, "a.kaf", KAF, layers="dep,entity,opinion,term-sentiment")
    assert [(made.layer, made.id, made.relation) for made in found] == [
        ("term", "t5", "positive#2#####"),
        ("opinion", "o1", "positive######"),
        ("entity", "e1", "LOC"),
        ("deps", "d1", "nsubj"),
    ]


def test_an_opinion_holder_without_type_is_labelled_holder(tmp_path: Path) -> None:
    (found,) = converted(tmp_path, "a.kaf", KAF, layers="opinion")
    assert found.second == TripleElement(("w1",), "holder", "Staff")


def test_the_spans_of_an_entity_come_in_the_order_of_the_file(tmp_path: Path) -> None:
    span = '<span><target id="{}"/></span>'.format
    entity = f"<entity eid='e3'><references>{span('t1')}</references>{span('t2')}<references>{span('t5')}</references></entity>"
    found = converted(tmp_path, "a.kaf", KAF.replace("</entities>", f"{entity}</entities>"), layers="entity")
    assert [made.first.ids for made in found if made.id == "e3"] == [("w1",), ("w2",), ("w5",)]


def test_a_span_of_an_entity_without_targets_is_reported(tmp_path: Path) -> None:
    entity = "<entity eid='e3' type='PER'><span/></entity>"
    found = document(tmp_path, "a.kaf", KAF.replace("</entities>", f"{entity}</entities>"), layers="entity")
    assert [made.id for made in found.layers[TRIPLES]] == ["e1"]
    message = "2 left out: triples of the layer entity without tokens (e2, e3)"
    assert message in [finding.message for finding in found.findings]


def test_a_token_without_word_adds_nothing_to_a_comment(tmp_path: Path) -> None:
    (found,) = converted(tmp_path, "a.kaf", KAF.replace(">New</wf>", "/>"), layers="entity")
    assert found.first == TripleElement(("w3", "w4"), "", "York")


def test_what_cannot_be_resolved_is_left_out_with_a_reason_and_a_count(tmp_path: Path) -> None:
    findings = document(tmp_path, "a.kaf", KAF, layers="dep,entity").findings
    assert [(finding.code, finding.item) for finding in findings] == [
        ("unknown-annotation", "1"),
        ("unresolved-element", "1"),
        ("unknown-token", "1"),
        ("unresolved-element", "1"),
    ]


def test_equal_chunk_heads_count_once_and_sentences_do_not_mix(tmp_path: Path) -> None:
    found = converted(tmp_path, "a.kaf", KAF, baseline="chunks", baseline_relation="r")
    assert [(made.id, made.first.ids, made.second.comment) for made in found] == [
        ("b1", ("w1",), "New York"),
        ("b2", ("w3", "w4"), "Staff"),
    ]


def test_predicates_and_roles_of_kaf_have_ids_of_their_own_names(tmp_path: Path) -> None:
    srl = """<srl><predicate prid="pr1"><span><target id="t2"/></span>
    <role rid="rl1" semRole="A0"><span><target id="t1"/></span></role></predicate></srl></KAF>"""
    kaf = KAF.replace('<dep from="t2" to="t9" rfunc="obj"/>', "").replace('id="t77"', 'id="t1"')
    found = document(tmp_path, "a.kaf", kaf.replace("</KAF>", srl), layers="srl")
    assert [(made.id, made.relation) for made in found.layers[TRIPLES]] == [("pr1", "A0")]
    names = {finding.item for finding in library.validate(tmp_path / "a.kaf", task="triples")}
    assert names.isdisjoint({"prid", "rid"})


def test_an_unknown_layer_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="layers"):
        document(tmp_path, "a.kaf", KAF, layers="opinions")


def test_the_words_and_sentences_of_a_text_are_read_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.naf"
    path.write_text('<NAF><text><wf id="w1" sent="1">bike<subtoken id="x">b</subtoken></wf></text></NAF>')
    text = read_text(str(path))
    assert (text.words, text.sentences) == ({"w1": "bike"}, {"w1": "1"})


KYBOT = """<kybotOut><doc shortname="b/a.kaf">
<event eid="e1" target="t2" lemma="praise" rank="0.5"><dateInfo><span id="t5"/></dateInfo><place><span id="t3"/></place></event>
<event eid="e2" target="t2" lemma="praise" rank="0.3"/>
<role rid="r1" event="e1" target="t1" lemma="staff" rtype="Kyoto#done-by" rank="oops"/>
<role rid="r2" event="e2" target="t1" lemma="staff" rtype="patient"/>
</doc></kybotOut>"""


def test_a_kybot_event_below_the_threshold_takes_its_roles_along(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    kaf = str(tmp_path / "a.kaf")
    everything = converted(tmp_path, "k.kybot.xml", KYBOT, kaf=kaf)
    assert [made.relation for made in everything] == ["done-by", "LOCATION", "TIME", "patient"]
    best = document(tmp_path, "k.kybot.xml", KYBOT, kaf=kaf, wsd_threshold=61)
    assert [made.relation for made in best.layers[TRIPLES]] == ["done-by", "LOCATION", "TIME"]
    assert {finding.code for finding in best.findings} == {"bad-rank", "below-threshold"}


def test_the_threshold_cuts_the_percentage_before_it_compares(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    assert len(converted(tmp_path, "k.kybot.xml", KYBOT, kaf=str(tmp_path / "a.kaf"), wsd_threshold=60)) == 4


def test_roles_of_unknown_events_do_not_compete_under_a_threshold(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    text = """<kybotOut><doc><event eid="e1" target="t2" rank="0.5"/>
    <role rid="r1" event="e1" target="t1" rtype="agent" rank="0.2"/>
    <role rid="r2" event="e9" target="t1" rtype="patient" rank="0.9"/></doc></kybotOut>"""
    best = document(tmp_path, "k.kybot.xml", text, kaf=str(tmp_path / "a.kaf"), wsd_threshold=100)
    assert [made.relation for made in best.layers[TRIPLES]] == ["agent"]
    assert {finding.code for finding in best.findings} == {"unknown-annotation"}


COMPETING = """<kybotOut><doc>
<event eid="e1" target="t1" rank="0.9"/><role rid="r1" event="e1" target="t5" rtype="agent" rank="0.1"/>
<event eid="e2" target="t2" rank="0.9"/><role rid="r2" event="e2" target="t5" rtype="patient" rank="0.9"/>
<role rid="r3" event="e2" target="t1" rtype="time" rank="0.2"/></doc></kybotOut>"""


def test_an_event_of_the_reference_keeps_its_roles_if_none_would_be_left(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    options = {"kaf": str(tmp_path / "a.kaf"), "wsd_threshold": 60}
    assert [made.relation for made in converted(tmp_path, "k.kybot.xml", COMPETING, **options)] == ["patient"]
    found = converted(tmp_path, "k.kybot.xml", COMPETING, profile="reference", **options)
    assert [made.relation for made in found] == ["agent", "patient"]


def test_what_the_reference_drops_for_a_target_does_not_count_for_the_next(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    # The place of t5 in the map is 1, that of t1 is 13: e1 competes with e2 for t5 and leaves with its role; then r2 is the only role left of t1.
    text = """<kybotOut><doc>
    <event eid="e1" target="t5" rank="0.1"/><role rid="r1" event="e1" target="t1" rtype="agent" rank="0.9"/>
    <event eid="e2" target="t5" rank="0.9"/><role rid="r2" event="e2" target="t1" rtype="patient" rank="0.1"/>
    <role rid="r3" event="e2" target="t2" rtype="time" rank="0.2"/></doc></kybotOut>"""
    options = {"kaf": str(tmp_path / "a.kaf"), "wsd_threshold": 60}
    assert [made.relation for made in converted(tmp_path, "k.kybot.xml", text, **options)] == ["time"]
    found = converted(tmp_path, "k.kybot.xml", text, profile="reference", **options)
    assert [made.relation for made in found] == ["patient", "time"]


def test_a_later_event_of_an_id_takes_the_place_of_the_earlier_one_in_the_reference(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    text = """<kybotOut><doc><event eid="e1" target="t1"/><role event="e1" target="t5" rtype="agent"/>
    <event eid="e1" target="t2"/></doc></kybotOut>"""
    kaf = str(tmp_path / "a.kaf")
    assert [made.first.ids for made in converted(tmp_path, "k.kybot.xml", text, kaf=kaf)] == [
        ("w1",),
        ("w2",),
    ]
    found = document(tmp_path, "k.kybot.xml", text, kaf=kaf, profile="reference")
    assert [made.first.ids for made in found.layers[TRIPLES]] == [("w2",)]
    assert {finding.code for finding in found.findings} == {"repeated-id"}


def test_an_order_of_the_reference_that_is_not_known_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    alike = ["".join(words) for words in product(("Aa", "BB"), repeat=4)][:9]
    events = "".join(f'<event eid="{name}" target="t1"/>' for name in alike)
    text, kaf = f"<kybotOut><doc>{events}</doc></kybotOut>", str(tmp_path / "a.kaf")
    assert document(tmp_path, "k.kybot.xml", text, kaf=kaf).findings == ()
    found = document(tmp_path, "k.kybot.xml", text, kaf=kaf, profile="reference", wsd_threshold=50)
    assert {finding.code for finding in found.findings} == {"unknown-hash-order"}


def test_a_kybot_place_without_spans_has_an_empty_second_element(tmp_path: Path) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    text = '<kybotOut><doc><event eid="e1" target="t2"><place name="x"/></event></doc></kybotOut>'
    (found,) = converted(tmp_path, "k.kybot.xml", text, kaf=str(tmp_path / "a.kaf"))
    assert (found.relation, found.first.ids, found.second) == ("LOCATION", ("w2",), TripleElement())


def test_what_is_odd_in_the_text_of_kybot_output_is_reported_in_that_file(tmp_path: Path) -> None:
    kaf = tmp_path / "a.kaf"
    kaf.write_text(KAF.replace('<term tid="t1">', "<term>"), encoding="utf-8")
    found = document(tmp_path, "k.kybot.xml", KYBOT, kaf=str(kaf))
    (told,) = (finding for finding in found.findings if finding.code == "element-without-id")
    assert told.location == Location(str(kaf), 4)


@pytest.mark.parametrize("threshold", [-1, 100.5, "nan"])
def test_a_threshold_beyond_a_percentage_is_refused(tmp_path: Path, threshold: object) -> None:
    (tmp_path / "a.kaf").write_text(KAF)
    with pytest.raises(UsageError, match=r"0 to 100|a number"):
        document(tmp_path, "k.kybot.xml", KYBOT, kaf=str(tmp_path / "a.kaf"), wsd_threshold=threshold)


def test_kybot_output_needs_its_kaf_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="KAF"):
        document(tmp_path, "k.kybot.xml", KYBOT)


TUPLES = """<r><tuples source="s.kaf"><tuple id="1" profileConfidence="x"><event lemma="e" tokens="w1"/>
<Event lemma="f" tokens="w2;w2; ;w3"/><participant lemma="p" mention="t3"/></tuple></tuples></r>"""


def test_the_first_element_of_tuples_is_found_by_its_exact_name(tmp_path: Path) -> None:
    (found,) = converted(tmp_path, "t.tpl", TUPLES, first_element="Event")
    assert found == Triple(
        "event", TripleElement(("w2", "w3"), "Event", "f"), TripleElement(("w1",), "event", "e"), id="s.kaf#1"
    )


def test_an_element_without_tokens_is_resolved_through_the_text(tmp_path: Path) -> None:
    (tmp_path / "s.kaf").write_text(KAF)
    found = converted(tmp_path, "t.tpl", TUPLES, first_element="event", text=str(tmp_path / "s.kaf"))
    assert [made.second.ids for made in found] == [("w2", "w3"), ("w3", "w4")]


def test_tuples_need_the_name_of_the_first_element(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="first"):
        document(tmp_path, "t.tpl", TUPLES)


def test_an_inside_tag_of_another_type_opens_a_new_span_and_a_sentence_end_closes_it(tmp_path: Path) -> None:
    text = "# FIELDS: token ne\nAnna\tB-PER\nBen\tI-LOC\n\nCity\tI-LOC\nHall\tI-LOC\nx\tDATE\n"
    found = converted(tmp_path, "c.txp", text, columns="ne")
    assert [(made.relation, made.first.ids) for made in found] == [
        ("PER", ("w1",)),
        ("LOC", ("w2",)),
        ("LOC", ("w3", "w4")),
        ("DATE", ("w5",)),
    ]


def test_columns_without_header_are_read_with_their_names_given(tmp_path: Path) -> None:
    text = "Anna NNP B-PER\n\nsleeps VBZ O\n"
    found = converted(tmp_path, "c.conll", text, format="textpro", fields="token,pos,ne", columns="ne,pos")
    assert [(made.id, made.relation) for made in found] == [("ne1", "PER"), ("pos1", "NNP"), ("pos2", "VBZ")]
    with pytest.raises(FormatError, match="no-fields"):
        document(tmp_path, "c.conll", text, format="textpro", columns="ne")


def test_a_token_line_that_begins_like_a_header_is_a_token_line(tmp_path: Path) -> None:
    found = converted(tmp_path, "c.txp", "# FIELDS: token ne mark\n#\tDATE\t:\nx\tO\tO\n", columns="ne")
    assert [(made.relation, made.first.ids, made.first.comment) for made in found] == [("DATE", ("w1",), "#")]


def test_columns_without_words_make_triples_without_comments(tmp_path: Path) -> None:
    (found,) = converted(tmp_path, "c.txp", "# FIELDS: form ne\na\tB-X\nb\tI-X\n", columns="ne")
    assert found.first == TripleElement(("w1", "w2"))


def test_an_unknown_column_is_refused_with_near_names(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        document(tmp_path, "c.txp", "# FIELDS: token entity\na\tO\n", columns="entiti")
    assert caught.value.hint == "did you mean 'entity'?"


def test_mapping_relations_as_the_reference_loses_locations_and_fills_profiles(tmp_path: Path) -> None:
    (tmp_path / "map").write_text("a\tb\n")
    text = '<t><triple relation="a"><elementFirstIds comment="&quot;x&quot;"><elementFirst id="w1"/></elementFirstIds></triple><triple relation="LOCATION"/></t>'
    mapping = str(tmp_path / "map")
    assert [made.relation for made in converted(tmp_path, "x.trp", text, relation_mapping=mapping)] == [
        "b",
        "LOCATION",
    ]
    (found,) = converted(tmp_path, "x.trp", text, relation_mapping=mapping, profile="reference")
    assert (found.relation, found.profile_id, found.first.comment) == ("b", "a", "x")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('<wf wid="w5"', '<wf wid="w4"', "repeated-id"),
        ('<term tid="t5"', '<term tid="t3"', "repeated-id"),
        ("</opinion>", '<opinion_expression polarity="negative"/></opinion>', "repeated-element"),
        ("</term>", '<sentiment polarity="negative"/><sentiment factual="yes"/></term>', "repeated-element"),
    ],
)
def test_what_takes_the_place_of_another_in_kaf_is_reported(
    tmp_path: Path, old: str, new: str, code: str
) -> None:
    def codes(name: str, text: str) -> set[str]:
        return {finding.code for finding in document(tmp_path, name, text).findings}

    assert codes("a.kaf", KAF.replace(old, new)) - codes("b.kaf", KAF) >= {code}


def test_tokens_of_textpro_that_share_an_id_are_reported(tmp_path: Path) -> None:
    text = "# FIELDS: token\ttokenid\tpos\nA\t1\tX\n\nB\t1\tY\n"
    found = document(tmp_path, "a.txp", text, columns=("pos",))
    told = [(one.code, one.location and one.location.line) for one in found.findings]
    assert told == [("repeated-id", 4)]


def test_columns_of_textpro_that_share_a_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="found 'pos' twice"):
        document(tmp_path, "a.txp", "# FIELDS: token\tpos\tpos\nA\tX\tY\n", columns=("pos",))

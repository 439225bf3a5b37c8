"""LDC XML: nugget files, hoppers, arguments."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.errors import FormatError
from lydite.formats.ere import ERE
from lydite.formats.source import open_source
from lydite.model import Document

MENTION = (
    '<event_mention id="em-{id}" type="{type}" subtype="{subtype}" realis="actual">'
    '<trigger offset="7" length="3">hit</trigger>{more}</event_mention>'
)


def mention(number: int, kind: str = "conflict", subtype: str = "attack", more: str = "") -> str:
    return MENTION.format(id=number, type=kind, subtype=subtype, more=more)


def read_text(tmp_path: Path, body: str, **options: object) -> Document:
    file = tmp_path / "d1.rich_ere.xml"
    file.write_text(f"<deft_ere>{body}</deft_ere>", encoding="utf-8")
    return ERE.read(open_source(file), options).documents["d1"]


def test_hyphens_come_back_in_subtypes_that_have_one(tmp_path: Path) -> None:
    body = mention(1, "personnel", "startposition") + mention(2, "contact", "phonewrite")
    assert [found.type for found in read_text(tmp_path, body).mentions] == [
        "Personnel_Start-Position",
        "Contact_Phonewrite",
    ]


def test_only_the_first_letter_is_capitalised(tmp_path: Path) -> None:
    assert read_text(tmp_path, mention(1, "conFlict", "atTack")).mentions[0].type == "ConFlict_AtTack"


def test_a_hopper_of_one_mention_is_not_a_cluster(tmp_path: Path) -> None:
    body = f'<hoppers><hopper id="h-1">{mention(1)}</hopper><hopper id="h-2">{mention(2)}{mention(3)}</hopper></hoppers>'
    assert [(found.id, found.members) for found in read_text(tmp_path, body).relations] == [
        ("C2", ("E2", "E3"))
    ]


def test_one_kind_of_mentions_can_be_asked_for(tmp_path: Path) -> None:
    body = f'{mention(9)}<hoppers><hopper id="h-1">{mention(1)}</hopper></hoppers>'
    ids = {
        mode: [found.id for found in read_text(tmp_path, body, **{"ere-mentions": mode}).mentions]
        for mode in ("auto", "hopper", "event-nugget")
    }
    assert ids == {"auto": ["E9", "E1"], "hopper": ["E1"], "event-nugget": ["E9"]}


def test_arguments_stand_where_their_entity_mentions_do(tmp_path: Path) -> None:
    entity = '<entities><entity id="e"><entity_mention id="m-1" offset="0" length="6"/></entity></entities>'
    body = entity + mention(1, more='<em_arg entity_mention_id="m-1" role="agent">Rebels</em_arg>')
    (event,) = read_text(tmp_path, body).layers["events"]
    assert [(argument.role, argument.span) for argument in event.arguments] == [("agent", ((0, 6),))]


def test_a_mention_without_trigger_is_named_and_dropped(tmp_path: Path) -> None:
    document = read_text(tmp_path, '<event_mention id="em-1" type="a" subtype="b" realis="c"/>')
    assert not document.mentions
    assert [finding.code for finding in document.findings] == ["mention-without-trigger"]


def test_ill_formed_xml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="ill-formed-xml"):
        read_text(tmp_path, "<hoppers>")

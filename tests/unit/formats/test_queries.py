from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.errors import UsageError
from lydite.formats.queries import parse_query
from lydite.model import Document, Mention, Relation, Span
from lydite.model.ace import Element, ElementArgument
from lydite.model.argument import Event, EventArgument, identifier_2015
from lydite.model.argument_lines import lines_of
from lydite.model.triple import Triple

EXAMPLES = Path(__file__).parents[3] / "examples"


def test_conditions_on_several_columns_must_all_hold_and_those_on_one_are_alternatives() -> None:
    found = lydite.convert(
        EXAMPLES / "arguments" / "annotation", where=("role=Victim", "role=Agent", "type=Life.D*")
    )
    columns = {
        (row.argument.event_type, row.argument.role)
        for document in found.documents.values()
        for row in lines_of(document).rows
    }
    assert columns == {("Life.Die", "Victim"), ("Life.Die", "Agent")}


def test_a_frame_keeps_the_arguments_that_are_found() -> None:
    case = Path("tests/conformance/arguments-linking/k01-perfect/system")

    def linked_roles(**settings: object) -> list[str]:
        """The role of every member of every frame; a member is named by its id or its identifier."""
        found = []
        for document in lydite.convert(case, task="arguments", **settings).documents.values():
            lines = lines_of(document)
            roles = {row.id: row.argument.role for row in lines.rows}
            roles |= {identifier_2015(row.argument): row.argument.role for row in lines.rows}
            found += [roles[member] for frame in lines.frames for member in frame.members]
        return sorted(found)

    everything = linked_roles()
    role = everything[0]
    kept = linked_roles(where=[f"role={role}"])
    assert kept == [one for one in everything if one == role]
    assert 0 < len(kept) < len(everything)


MENTIONS = tuple(
    Mention(id_, Span(ranges=((place, place + 1),)), text, type_, "Actual")
    for place, (id_, text, type_) in enumerate(
        [("M1", "killed", "Life_Die"), ("M2", "shot", "Life_Injure"), ("M3", "died", "Life_Die")]
    )
)


def test_relations_stay_between_mentions_that_are_found() -> None:
    relations = (
        Relation("Coreference", "R1", ("M1", "M2", "M3")),
        Relation("Coreference", "R2", ("M1", "M2")),
        Relation("After", "R3", ("M1", "M3")),
        Relation("After", "R4", ("M2", "M3")),
    )
    document, count = parse_query(["type=*_Die"]).select(Document("D", MENTIONS, relations))
    assert [one.id for one in document.mentions] == ["M1", "M3"]
    assert [(one.id, one.members) for one in document.relations] == [
        ("R1", ("M1", "M3")),
        ("R3", ("M1", "M3")),
    ]
    assert count == 2


def test_an_event_keeps_the_arguments_in_the_roles_that_are_asked_for() -> None:
    arguments = EventArgument("Buyer", ((0, 3),)), EventArgument("Seller", ((9, 12),))
    events = (
        Event("Sale", ((4, 8),), arguments),
        Event("Sale", ((20, 24),), arguments[1:]),
        Event("Gift", ((30, 34),), arguments),
    )
    layers = {"events": events}
    document, count = parse_query(["role=Buyer", "type=S*"]).select(Document("D", MENTIONS, layers=layers))
    assert document.layers["events"] == (events[0]._replace(arguments=arguments[:1]),)
    assert (document.mentions, count) == ((), 1)
    everything, _ = parse_query(["type=Sale"]).select(Document("D", layers=layers))
    assert everything.layers["events"] == events[:2]


def test_an_ace_event_keeps_the_elements_that_fill_its_roles() -> None:
    buyer, seller, other = (Element("entity", name, {"TYPE": "ORG"}) for name in ("E1", "E2", "E3"))
    sale = Element(
        "event",
        "V1",
        {"TYPE": "Transaction", "SUBTYPE": "Transfer-Ownership"},
        arguments=(ElementArgument("Buyer", "E1"), ElementArgument("Seller", "E2")),
    )
    layers = {"ace": (buyer, seller, other, sale)}
    query = parse_query(["role=Buyer", "type=Transaction.*"])
    document, count = query.select(Document("D", layers=layers))
    assert [one.id for one in document.layers["ace"]] == ["E1", "V1"]
    assert document.layers["ace"][1].arguments == (ElementArgument("Buyer", "E1"),)
    assert count == 1


def test_triples_are_found_by_relation_and_letter_case_counts() -> None:
    triples = tuple(Triple(relation) for relation in ("Buyer", "buyer", "Seller"))
    document, _ = parse_query(["relation=Buyer"]).select(Document("D", layers={"triples": triples}))
    assert document.layers["triples"] == triples[:1]


def test_tags_of_other_types_become_o() -> None:
    tags = (("B-PER", "I-PER", "O", "B-ORG"), ("S-LOC",))
    document, count = parse_query(["type=PER", "type=L*"]).select(Document("D", layers={"tags": tags}))
    assert document.layers["tags"] == (("B-PER", "I-PER", "O", "O"), ("S-LOC",))
    assert count == 3


def test_a_column_that_the_format_lacks_is_refused_with_those_that_it_has() -> None:
    with pytest.raises(UsageError, match="has role") as refused:
        lydite.convert(EXAMPLES / "gold.tbf", where=["role=Buyer"])
    assert refused.value.hint == "tbf has mentions: type, realis, text"


@pytest.mark.parametrize("text", ["role", "=Buyer", ""])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="COLUMN=PATTERN"):
        parse_query([text])

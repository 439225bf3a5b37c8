"""ACE events as event arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.formats.ace_arguments import realis, with_arguments, with_events
from lydite.model import Document
from lydite.model.ace import Box, Element, ElementArgument, ElementMention, Region
from lydite.model.argument import Argument
from lydite.model.argument_lines import lines_of

TEXT = "Before. Ann Lee, she said, went to Orvik in May. After."


def region(words: str) -> Region:
    begin = TEXT.index(words)
    return Region(begin, begin + len(words), words)


def event(kind: str = "Movement", subtype: str = "Transport", **more: Any) -> Element:
    arguments = (ElementArgument("Artifact", "e1-2"), ElementArgument("Time-Within", "t1-1"))
    mention = ElementMention("v1-1", region("she said, went to Orvik"), region("went"), arguments=arguments)
    return Element("event", "v1", {"TYPE": kind, "SUBTYPE": subtype, **more}, (mention,))


def document(*events: Element, text: str | None = None, time: str = "2031-05") -> Document:
    person = Element(
        "entity",
        "e1",
        {"TYPE": "PER"},
        (
            ElementMention("e1-1", region("Ann Lee"), region("Ann Lee"), type="NAM"),
            ElementMention("e1-2", region("she"), region("she"), type="PRO"),
        ),
    )
    date = Element("timex2", "t1", {"VAL": time}, (ElementMention("t1-1", region("May")),))
    return Document("d1", text=text, layers={"ace": (person, date, *events)})


def arguments(made: Document) -> list[Argument]:
    return [row.argument for row in lines_of(made).rows]


def test_the_best_name_is_the_canonical_string_and_the_head_the_base_filler() -> None:
    person, date = arguments(with_arguments(document(event())))
    assert (person.event_type, person.role, person.text) == ("Movement.Transport", "Artifact", "Ann Lee")
    assert (person.span, person.filler) == ((8, 15), (17, 20))
    assert (date.role, date.text) == ("Time", "2031-05-XX")


def test_the_sentence_of_the_trigger_justifies_where_the_text_is_known() -> None:
    (argument, _) = arguments(with_arguments(document(event(), text=TEXT)))
    ((begin, end),) = argument.justification
    assert TEXT[begin:end] == "Ann Lee, she said, went to Orvik in May."
    (argument, _) = arguments(with_arguments(document(event())))
    assert argument.justification == ((17, 40),)


@pytest.mark.parametrize(
    ("attributes", "expected"),
    [
        ({}, "Actual"),
        ({"MODALITY": "Asserted", "TENSE": "Past"}, "Actual"),
        ({"MODALITY": "Other"}, "Other"),
        ({"TENSE": "Future"}, "Other"),
        ({"GENERICITY": "Generic", "MODALITY": "Other"}, "Generic"),
    ],
)
def test_genericity_comes_before_modality_and_tense(attributes: dict[str, str], expected: str) -> None:
    assert realis(event(**attributes)) == expected


def test_what_cannot_be_an_argument_is_named() -> None:
    made = with_arguments(document(event("Business", "Nothing"), event(), time="PRESENT_REF"))
    assert [argument.role for argument in arguments(made)] == ["Artifact"]
    assert [finding.code for finding in made.findings] == ["not-an-argument"] * 2


def test_anchors_are_triggers_of_events() -> None:
    (made,) = with_events(document(event())).layers["events"]
    assert (made.type, made.trigger) == ("Movement.Transport", ((27, 31),))
    assert [argument.role for argument in made.arguments] == ["Artifact", "Time-Within"]


def test_fillers_and_triggers_without_a_place_are_left_out_of_events_and_named() -> None:
    nowhere = ElementMention("v1-2", None, None)
    lost = ElementMention("v1-1", None, region("went"), arguments=(ElementArgument("Artifact", "e9"),))
    made = with_events(document(Element("event", "v1", {}, (lost, nowhere))))
    assert [one.arguments for one in made.layers["events"]] == [()]
    assert [finding.message for finding in made.findings] == [
        "1 left out: fillers without a place (e9)",
        "1 left out: event mentions without a place (v1-2)",
    ]


@pytest.mark.parametrize("place", [Region(2.5, 3.75, "went"), Region(0, 0, boxes=(Box("1", 1, 1, 2, 2),))])
@pytest.mark.parametrize("make", [with_events, with_arguments])
def test_what_lies_in_sounds_and_pictures_is_left_out_and_named(
    place: Region, make: Callable[[Document], Document]
) -> None:
    heard = ElementMention("v2-1", place, place, arguments=(ElementArgument("Artifact", "e1-2"),))
    filler = Element("entity", "e2", {}, (ElementMention("e2-1", place, place),))
    read = ElementMention("v3-1", region("went"), arguments=(ElementArgument("Artifact", "e2-1"),))
    kind = {"TYPE": "Movement", "SUBTYPE": "Transport"}
    made = make(document(filler, Element("event", "v2", kind, (heard, read))))
    assert {finding.message for finding in made.findings} == {
        "1 left out: event mentions at places that are no characters (v2-1)",
        "1 left out: fillers at places that are no characters (e2-1)",
    }
    assert [one.arguments for one in made.layers.get("events", ())] in ([()], [])
    assert not arguments(made)

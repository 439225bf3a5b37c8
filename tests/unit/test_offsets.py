"""Offsets that lie: what they count is found out, and put right."""

from __future__ import annotations

import re

import pytest

from lydite.model import Document, Mention, Span
from lydite.model.ace import Element, ElementMention, Name, Region, SourceFile
from lydite.model.argument import Argument, ArgumentRow, Event, EventArgument, Frame, identifier_2015
from lydite.model.argument_lines import ArgumentLines
from lydite.model.grounding import ground
from lydite.model.offsets import KINDS, find_offset_errors, repair
from lydite.model.settings import REPAIR_OFFSETS

WORDS = ("stormed", "attack", "died")
PLAIN = "Rebels 𝐀 stormed é the fort.\nThe attack <b>failed</b>.\nTwo died."


def given(text: str, counted: str) -> Document:
    """Mentions of the words with the offsets that they have in another form of the text."""
    mentions = [
        Mention(f"E{number}", Span(((counted.index(word), counted.index(word) + len(word)),)), word)
        for number, word in enumerate(WORDS, 1)
    ]
    return Document("d", tuple(mentions), text=text)


def units(text: str, encoding: str, width: int) -> str:
    """A text in which every unit of an encoding is one character."""
    data = text.encode(encoding)
    shown = {
        "utf-8": lambda at: chr(data[at]),
        "utf-16-le": lambda at: data[at : at + 2].decode("latin-1")[0],
    }
    return "".join(shown[encoding](at) for at in range(0, len(data), width))


CASES = {
    "utf-16": (PLAIN, units(PLAIN, "utf-16-le", 2)),
    "bytes": (PLAIN, units(PLAIN, "utf-8", 1)),
    "crlf": (PLAIN, PLAIN.replace("\n", "\r\n")),
    "bom": (PLAIN, "\ufeff" + PLAIN),
    "tags": (PLAIN, PLAIN.replace("<b>", "").replace("</b>", "")),
    "shift": (PLAIN, "*****" + PLAIN),
}


@pytest.mark.parametrize("kind", list(CASES))
def test_the_kind_is_found_and_the_repair_puts_everything_right(kind: str) -> None:
    text, counted = CASES[kind]
    document = given(text, counted)
    lies = find_offset_errors(document, text)
    assert lies.wrong
    assert kind in lies.repaired
    assert lies.repaired[kind] == max(lies.repaired.values())
    done = repair(document, text, kind)
    assert len(done.moved) == lies.repaired[kind]
    assert not done.wrong
    assert [text[slice(*mention.span.ranges[0])] for mention in done.document.mentions] == list(WORDS)


def test_line_ends_of_two_characters_may_have_been_counted_as_one() -> None:
    text = PLAIN.replace("\n", "\r\n")
    assert not repair(given(text, PLAIN), text, "crlf").wrong


def test_every_kind_can_be_asked_for() -> None:
    assert REPAIR_OFFSETS.choices == ("none", *KINDS)


def test_right_offsets_are_left_alone() -> None:
    document = given(PLAIN, PLAIN)
    lies = find_offset_errors(document, PLAIN)
    assert (len(lies.checked), lies.wrong, lies.repaired) == (3, [], {})
    assert repair(document, PLAIN, "shift").document is document


def test_one_wrong_mention_is_no_shift() -> None:
    document = Document("d", (Mention("E1", Span(((0, 4),)), "died"),))
    assert find_offset_errors(document, PLAIN).repaired == {}


def words(*texts: str) -> Document:
    return Document("d", tuple(Mention(f"E{n}", Span(), text, "T") for n, text in enumerate(texts, 1)))


TEXT = "The attacks came first. An Attack—the   last attack—failed."


@pytest.mark.parametrize(
    ("text", "method", "found", "distance"),
    [
        ("attack", "exact", "attack", 0),
        ("Attack", "exact", "Attack", 0),
        ("CAME FIRST", "normalised", "came first", 0),
        ("the last attack", "normalised", "the   last attack", 0),
        ("attack-failed", "normalised", "attack—failed", 0),
        ("faild", "fuzzy", "failed", 1),
    ],
)
def test_words_are_placed_by_the_strictest_method_that_finds_them(
    text: str, method: str, found: str, distance: int
) -> None:
    ((_, placed),) = ground(words(text), TEXT).placed
    assert (placed.method, TEXT[placed.begin : placed.end], placed.distance) == (method, found, distance)


def test_whole_words_come_before_parts_of_words() -> None:
    ((_, placed),) = ground(words("attack"), TEXT).placed
    assert placed.begin == TEXT.index("attack—")


def test_equal_words_take_places_in_turn_and_one_too_many_is_not_placed() -> None:
    found = ground(words("died", "died", "died"), "one died, two died")
    assert [(place.name, placed.begin) for place, placed in found.placed] == [("E1", 4), ("E2", 14)]
    assert [place.name for place in found.unplaced] == ["E3"]


def test_short_words_are_not_placed_by_likeness() -> None:
    assert [place.name for place in ground(words("xyz"), TEXT).unplaced] == ["E1"]


# ----------------------------------------------------------------------------------------------- other layers

STORY = "Ana 𝐀 Ruiz met Ben Oro in Lima. Ben left."


def at(words: str, shift: int = 0, nth: int = 0) -> tuple[int, int]:
    """Where words stand in the story, moved."""
    begin = [found.start() for found in re.finditer(re.escape(words), STORY)][nth] + shift
    return begin, begin + len(words)


def event(shift: int, *, filler: str = "Ben Oro") -> Event:
    fillers = (
        EventArgument("Entity", (at("Ben Oro", shift),), (at("Oro", shift),), filler),
        EventArgument("Place", (at("Lima", shift),), text="Lima"),
    )
    return Event("Contact.Meet", (at("met", shift),), fillers, text="met")


def row(name: str, words: str, shift: int, role: str = "Entity", text: str | None = None) -> ArgumentRow:
    span = at(words, shift)
    argument = Argument(
        "d",
        "Contact.Meet",
        role,
        text or words,
        span,
        (at(STORY, shift),),
        span,
        (at("left", shift),),
        "Actual",
    )
    return ArgumentRow(argument, id=name)


def element(shift: int) -> Element:
    begin, end = at("Ben Oro", shift)
    head = Region(end - 3, end, "Oro")
    mention = ElementMention("E1-1", Region(begin, end, "Ben Oro"), head)
    silent = ElementMention("E1-2", Region(*at("Ben", shift, 1), "Ben"), Region(*at("Ben", shift, 1)))
    name = Name("Ben Oro", Region(begin, end, "Ben Oro"))
    return Element("entity", "E1", {}, (mention, silent), names=(name,))


LAYERS = {
    "events": lambda shift: (event(shift),),
    "arguments": lambda shift: ArgumentLines((row("1", "Ben Oro", shift), row("2", "Lima", shift, "Place"))),
    "ace": lambda shift: (element(shift),),
}


@pytest.mark.parametrize("name", list(LAYERS))
def test_every_layer_with_words_is_put_right(name: str) -> None:
    shifted = Document("d", layers={name: LAYERS[name](4)})
    assert "shift" in find_offset_errors(shifted, STORY).repaired
    done = repair(shifted, STORY, "shift")
    assert not done.wrong
    assert done.document.layers[name] == LAYERS[name](0)


@pytest.mark.parametrize("name", list(LAYERS))
def test_a_layer_whose_words_stand_right_stays_as_it_is(name: str) -> None:
    document = Document("d", layers={name: LAYERS[name](0)})
    assert not find_offset_errors(document, STORY).wrong
    assert repair(document, STORY, "shift").document is document


def test_a_date_goes_where_most_words_of_its_document_go() -> None:
    rows = (row("1", "Ben Oro", 4), row("2", "Lima", 4, "Place"), row("3", "left", 4, "Time", "2014-XX-XX"))
    done = repair(Document("d", layers={"arguments": ArgumentLines(rows)}), STORY, "shift")
    assert done.document.layers["arguments"].rows[2].argument.span == at("left")
    assert {place.noun for place in done.along if place.name == "3"} >= {"canonical string", "base filler"}


def test_what_has_no_words_stays_with_words_that_cannot_be_put_right() -> None:
    wrong = row("1", "Ben Oro", 4, text="Nobody")
    rows = (wrong, row("2", "Lima", 4, "Place"), row("3", "Ana", 4))
    done = repair(Document("d", layers={"arguments": ArgumentLines(rows)}), STORY, "shift")
    assert done.document.layers["arguments"].rows[0] == wrong
    assert [place.name for place in done.wrong] == ["1"]


def test_a_trigger_goes_where_its_mention_goes() -> None:
    mention = Mention("E1", Span((at("met", 4),)), "met")
    other = Mention("E2", Span((at("left", 4),)), "left")
    layers = {"events": (Event("T", (at("met", 4),), (EventArgument("R", (at("Lima", 4),)),), text="met"),)}
    done = repair(Document("d", (mention, other), layers=layers), STORY, "shift")
    assert [place.noun for place in done.moved] == ["mention", "mention"]
    (moved,) = done.document.layers["events"]
    assert (moved.trigger, moved.arguments[0].span) == ((at("met"),), (at("Lima"),))


def test_sound_and_images_have_no_characters() -> None:
    layers = {"ace": LAYERS["ace"](4), "ace-source": SourceFile("audio", "bn", "d.sph")}
    assert find_offset_errors(Document("d", layers=layers), STORY).checked == []


def test_character_references_of_the_source_are_the_signs_they_stand_for() -> None:
    text = "the AT&amp;T tower"
    mention = ElementMention("E1-1", Region(4, 12, "AT&T"))
    document = Document("d", layers={"ace": (Element("value", "E1", {}, (mention,)),)})
    assert not find_offset_errors(document, text).wrong


def test_a_filler_takes_the_place_nearest_to_its_trigger() -> None:
    fillers = (EventArgument("Entity", text="Ben"), EventArgument("Place", text="lima"))
    events = (Event("T", (), fillers, text="left"), Event("T", (), fillers, text="met"))
    found = ground(Document("d", layers={"events": events}), STORY)
    assert not found.unplaced
    left, met = found.document.layers["events"]
    assert (left.trigger, left.arguments[0].span) == ((at("left"),), (at("Ben", nth=1),))
    assert (met.trigger, met.arguments[0].span) == ((at("met"),), (at("Ben"),))
    methods = {place.name: placement.method for place, placement in found.placed}
    assert methods["events[0].trigger"] == "exact"
    assert methods["events[0].arguments[1]"] == "normalised"


def test_a_filler_that_is_not_in_the_text_keeps_its_words() -> None:
    events = (Event("T", (at("met"),), (EventArgument("Place", text="Atlantis"),)),)
    found = ground(Document("d", layers={"events": events}), STORY)
    assert [place.name for place in found.unplaced] == ["events[0].arguments[0]"]
    assert found.document.layers["events"][0].arguments == events[0].arguments


def test_a_linking_by_identifiers_follows_its_arguments() -> None:
    rows = (row("1", "Ben Oro", 4), row("2", "Lima", 4, "Place"))
    frame = Frame(("1", identifier_2015(rows[1].argument)))
    done = repair(Document("d", layers={"arguments": ArgumentLines(rows, frames=(frame,))}), STORY, "shift")
    lines = done.document.layers["arguments"]
    assert lines.frames == (Frame(("1", identifier_2015(lines.rows[1].argument))),)


def test_a_mention_and_the_trigger_of_its_event_are_placed_alike() -> None:
    mentions = tuple(Mention(f"E{n}", Span(), "Ben", "T") for n in (1, 2))
    events = (Event("T", text="Ben"), Event("T", text="Ben"))
    found = ground(Document("d", mentions, layers={"events": events}), STORY)
    assert not found.unplaced
    placed = [one.span.ranges for one in found.document.mentions]
    assert placed == [event.trigger for event in found.document.layers["events"]]
    assert placed == [(at("Ben"),), (at("Ben", nth=1),)]

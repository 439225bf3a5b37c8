"""The text of ACE elements, from which documents are hashed: it is part of every published signature."""

from __future__ import annotations

import pytest

from lydite.model.ace import Box, Element, ElementArgument, ElementMention, Link, Name, Region

TEXT = Region(0, 4, 'Mira\'s "own"\n')
SECONDS = Region(0.0, 4.5, "Mira")
PAGES = Region(0, 0, "", (Box("1", 1.0, 2.0, 3.5, 4.0), Box("2", 0.0, 0.5, 1.0, 1e-7)))


@pytest.mark.parametrize("extent", [TEXT, SECONDS, PAGES, None])
@pytest.mark.parametrize("head", [TEXT, SECONDS, PAGES, None])
def test_places_of_a_mention_are_written_as_tuples(extent: Region | None, head: Region | None) -> None:
    places = ", ".join("None" if place is None else str(tuple(place)) for place in (extent, head))
    assert repr(ElementMention("M", extent, head, "NAM", "PER")) == f"'M' NAM PER False [{places}] []"


def test_seconds_are_written_otherwise_than_characters_of_the_same_number() -> None:
    text = repr(ElementMention("M", Region(0, 4), Region(0.0, 4.0)))
    assert text == "'M'   False [(0, 4, '', ()), (0.0, 4.0, '', ())] []"


def test_an_element_is_written_with_all_that_it_says_but_the_places_of_its_names() -> None:
    mention = ElementMention("M", None, arguments=(ElementArgument("Agent", "E-1"),))
    bare = Element("event", "V", {"TYPE": "Life"}, (mention,))
    assert repr(bare) == "event 'V' {'TYPE': 'Life'} ('M'   False [None, None] [('Agent', 'E-1')],) [] [] []"
    full = Element(
        "entity", "E", {}, (), (ElementArgument("Org", "F"),), (Name("Mira", TEXT),), (Link("w", "1"),)
    )
    assert repr(full) == "entity 'E' {} () [('Org', 'F')] ['Mira'] [('w', '1')]"

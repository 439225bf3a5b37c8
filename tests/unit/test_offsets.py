"""Offsets that lie: what they count is found out, and put right."""

from __future__ import annotations

import pytest

from lydite.model import Document, Mention, Span
from lydite.model.grounding import ground
from lydite.model.offsets import look_up, repair

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
    lies = look_up(document, text)
    assert lies.wrong > 0
    assert kind in lies.repaired
    assert lies.repaired[kind] == max(lies.repaired.values())
    done = repair(document, text, kind)
    assert len(done.moved) == lies.repaired[kind]
    assert not done.wrong
    assert [text[slice(*mention.span.ranges[0])] for mention in done.mentions] == list(WORDS)


def test_line_ends_of_two_characters_may_have_been_counted_as_one() -> None:
    text = PLAIN.replace("\n", "\r\n")
    assert not repair(given(text, PLAIN), text, "crlf").wrong


def test_right_offsets_are_left_alone() -> None:
    document = given(PLAIN, PLAIN)
    assert look_up(document, PLAIN) == (3, 0, {})
    assert repair(document, PLAIN, "shift").mentions == document.mentions


def test_one_wrong_mention_is_no_shift() -> None:
    document = Document("d", (Mention("E1", Span(((0, 4),)), "died"),))
    assert look_up(document, PLAIN).repaired == {}


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
    placed = ground(words(text), TEXT).placements["E1"]
    assert (placed.method, TEXT[placed.begin : placed.end], placed.distance) == (method, found, distance)


def test_whole_words_come_before_parts_of_words() -> None:
    assert ground(words("attack"), TEXT).placements["E1"].begin == TEXT.index("attack—")


def test_equal_words_take_places_in_turn_and_one_too_many_is_not_placed() -> None:
    found = ground(words("died", "died", "died"), "one died, two died")
    assert [found.placements[name].begin for name in ("E1", "E2")] == [4, 14]
    assert found.unplaced == ("E3",)


def test_short_words_are_not_placed_by_likeness() -> None:
    assert ground(words("xyz"), TEXT).unplaced == ("E1",)

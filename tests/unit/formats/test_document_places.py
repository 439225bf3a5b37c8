"""Places of documents come back as they were put there, in their order, and can be sent to another process."""

from __future__ import annotations

import pickle
from functools import partial
from io import BytesIO

from lydite.formats.document_places import DocumentPlaces, LinePlace
from lydite.formats.source import Part

FIRST, SECOND = (Part(name, partial(BytesIO, b"")) for name in ("a.jsonl", "b.jsonl"))
PLACES = {
    "d1": LinePlace(FIRST, 0, 40, 1),
    "d2": LinePlace(SECOND, 1 << 40, 2, 3),
    "d3": LinePlace(FIRST, 7, 0, 9),
}


def places() -> DocumentPlaces[LinePlace]:
    made: DocumentPlaces[LinePlace] = DocumentPlaces(LinePlace)
    made.update(PLACES)
    return made


def test_places_come_back_in_the_order_of_the_file() -> None:
    assert list(places().items()) == list(PLACES.items())
    assert "d1" in places()
    assert "d4" not in places()


def test_a_document_that_comes_again_takes_its_last_place() -> None:
    made = places()
    assert made.pop("d1") == PLACES["d1"]
    made["d1"] = PLACES["d3"]
    assert list(made) == ["d2", "d3", "d1"]
    assert made["d1"] == PLACES["d3"]


def test_places_can_be_sent_to_another_process() -> None:
    again = pickle.loads(pickle.dumps(places()))  # noqa: S301 - our own
    assert [place[1:] for place in again.values()] == [place[1:] for place in PLACES.values()]

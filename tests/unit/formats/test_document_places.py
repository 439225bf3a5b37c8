"""Places of documents come back as they were put there, in their order, and can be sent to another process."""

from __future__ import annotations

import gc
import pickle
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path

from lydite.formats.document_places import DocumentPlaces, LinePlace
from lydite.formats.source import BlockReader, SourcePart

FIRST, SECOND = (SourcePart(name, partial(BytesIO, b"")) for name in ("a.jsonl", "b.jsonl"))
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


class SlowStream(BytesIO):
    """Lets other threads in between the search for a place and the reading."""

    def seek(self, place: int, whence: int = 0, /) -> int:
        found = super().seek(place, whence)
        time.sleep(0.001)
        return found


def test_threads_that_share_a_reader_read_their_own_blocks() -> None:
    part, files = SourcePart("p", partial(SlowStream, bytes(range(1, 200)))), BlockReader()
    with ThreadPoolExecutor(4) as pool:
        blocks = list(pool.map(lambda place: files.read(part, place, place + 2), range(100)))
    assert blocks == [bytes((place + 1, place + 2)) for place in range(100)]


def test_of_many_readers_only_some_keep_their_files_open() -> None:
    opened: list[BytesIO] = []

    def open_one() -> BytesIO:
        opened.append(BytesIO(b"abc"))
        return opened[-1]

    readers = [(BlockReader(), SourcePart(str(number), open_one)) for number in range(40)]
    assert all(files.read(part, 1, 3) == b"bc" for files, part in readers * 2)
    kept = sum(not stream.closed for stream in opened)
    assert 0 < kept < 20
    readers.clear()
    assert all(stream.closed for stream in opened)


def test_a_reader_that_the_collector_finds_closes_its_file_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b"abc")
    files = BlockReader()
    gc.collect()  # the reader is older than its file, and what is frozen comes back youngest first
    assert files.read(SourcePart("p", partial(path.open, "rb")), 1, 3) == b"bc"
    loop: list[object] = [files]
    loop.append(loop)
    del files, loop
    gc.freeze()
    gc.unfreeze()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        gc.collect()
    assert [str(one.message) for one in told if one.category is ResourceWarning] == []

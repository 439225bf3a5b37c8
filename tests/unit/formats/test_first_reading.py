"""The first reading of a file brings its hash, whatever the reader does; a command opens a file three times at most."""

from __future__ import annotations

import io
import pickle
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lydite
from lydite.formats.first_reading import watched
from lydite.formats.source import Source, SourcePart, open_source

EXAMPLES = Path(__file__).parents[3] / "examples"
CONTENTS = (b"first file\n" * 9000, b"", b"second\n")
MANY = range(40)


def source_of(contents: tuple[bytes, ...]) -> Source:
    parts = (SourcePart(str(number), partial(io.BytesIO, data)) for number, data in enumerate(contents))
    return Source("x", tuple(parts))


@settings(deadline=None)
@given(
    reads=st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 100_000), st.integers(-1, 100_000)), max_size=8
    )
)
def test_the_hash_is_that_of_all_bytes_wherever_a_reader_looked(reads: list[tuple[int, int, int]]) -> None:
    heard: dict[int, bytes] = {}
    source = watched(
        source_of(CONTENTS), lambda number, new: heard.update({number: heard.get(number, b"") + new})
    )
    for number, position, size in reads:
        with source.parts[number].open() as stream:
            stream.seek(position)
            stream.read(size)
    assert source.sha256() == source_of(CONTENTS).sha256() == sha256(b"".join(CONTENTS)).hexdigest()
    assert heard == {number: data for number, data in enumerate(CONTENTS) if data}


def test_a_watched_source_can_be_sent_to_another_process(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_bytes(b"text\n")
    source = watched(open_source(path))
    source.sha256()
    (sent,) = pickle.loads(pickle.dumps(source.parts))  # noqa: S301 - of its own
    assert sent.read_bytes() == b"text\n"


@contextmanager
def counted_opens() -> Iterator[Counter[str]]:
    opened: Counter[str] = Counter()
    is_on = True

    def note(event: str, arguments: tuple[object, ...]) -> None:
        if is_on and event == "open" and isinstance(arguments[0], str | Path):
            opened[str(arguments[0])] += 1

    sys.addaudithook(note)
    yield opened
    is_on = False


def coref_lines() -> str:
    return "".join(f'{{"doc_key": "d{n}", "clusters": [[[0, 0], [2, 2]]]}}\n' for n in MANY)


def dygie_lines() -> str:
    record = '"sentences": [["He", "fell"]], "ner": [[]], "events": [[[[1, "Life:Die"]]]]'
    return "".join(f'{{"doc_key": "d{n}", {record}}}\n' for n in MANY)


def tag_lines() -> str:
    return "".join(f'{{"doc_id": "d{n}", "tokens": ["A"], "tags": ["B-PER"]}}\n' for n in MANY)


def conll_lines() -> str:
    return "".join(f"#begin document (d{n}); part 0\nd{n}\t0\t0\tA\t(1)\n\n#end document\n" for n in MANY)


def triple_lines() -> str:
    return "".join(f'{{"doc": "d{n}", "relation": "r", "first": {{"ids": ["w1"]}}}}\n' for n in MANY)


@pytest.mark.parametrize(
    ("task", "name", "text"),
    [
        ("coref", "a.jsonlines", coref_lines()),
        ("coref", "a.conll", conll_lines()),
        ("nugget", "a.jsonl", dygie_lines()),
        ("spans", "a.jsonl", tag_lines()),
        ("triples", "a.jsonl", triple_lines()),
        ("nugget", "a.tbf", (EXAMPLES / "gold.tbf").read_text()),
    ],
)
def test_a_file_is_opened_three_times_at_most_whatever_its_format(
    tmp_path: Path, task: str, name: str, text: str
) -> None:
    gold, system = tmp_path / f"gold-{name}", tmp_path / name
    gold.write_text(text)
    system.write_text(text)
    with counted_opens() as opened:
        lydite.score(gold, system, task=task)
    assert {str(gold), str(system)} <= set(opened)
    assert max(opened[str(gold)], opened[str(system)]) <= 3


def test_a_folder_of_files_is_opened_three_times_at_most() -> None:
    with counted_opens() as opened:
        lydite.score(EXAMPLES / "ace/gold", EXAMPLES / "ace/systems/alder", profile="ace08-local")
    files = {path: count for path, count in opened.items() if path.endswith(".apf.xml")}
    assert files
    assert max(files.values()) <= 3


def test_a_task_that_is_inferred_costs_no_further_opening() -> None:
    with counted_opens() as opened:
        lydite.score(EXAMPLES / "gold.tbf", EXAMPLES / "systems/alder.tbf")
    assert opened[str(EXAMPLES / "gold.tbf")] == 3


def test_the_first_bytes_of_a_file_that_changed_are_read_again(tmp_path: Path) -> None:
    path = tmp_path / "a.tbf"
    path.write_bytes(b"first")
    assert open_source(path).parts[0].head() == b"first"
    path.write_bytes(b"second")
    assert open_source(path).parts[0].head() == b"second"

"""A table whose names are not in memory answers as a dictionary does."""

from __future__ import annotations

import gc
import os
import pickle
import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from lydite.id_table import IdTable

NAMES = [*(f"document-{number}" for number in range(90)), "", "ä" * 3000, "\udcff", "\ud83d", "a\nb"]


@pytest.fixture
def table() -> IdTable:
    return IdTable()


def changed(table: IdTable, seed: int) -> dict[str, bytes]:
    """A dictionary to which the same was done as to the table, in an order of the seed."""
    expected: dict[str, bytes] = {}
    chance = random.Random(seed)
    for number in range(600):
        name = chance.choice(NAMES)
        if name in expected and chance.random() < 0.3:
            del expected[name]
            del table[name]
        else:
            expected[name] = table[name] = number.to_bytes(4, "little")
        assert (name in table) == (name in expected)
    return expected


@pytest.mark.parametrize("seed", range(3))
def test_a_table_is_a_dictionary_in_the_same_order(table: IdTable, seed: int) -> None:
    expected = changed(table, seed)
    assert list(table.items()) == list(expected.items())
    assert len(table) == len(expected)
    assert [name for name in NAMES if name in table] == [name for name in NAMES if name in expected]
    with pytest.raises(KeyError):
        table["another"]


def test_every_name_has_a_number_of_its_own(table: IdTable) -> None:
    changed(table, 1)
    numbers = [table.number(name) for name in table]
    assert len(set(numbers)) == len(table)
    assert max(numbers) < table.numbers


def test_names_are_sorted_by_their_bytes(table: IdTable) -> None:
    expected = sorted(changed(table, 2), key=lambda name: name.encode("utf-8", "surrogatepass"))
    ordered = table.sorted()
    assert list(ordered) == expected
    assert (ordered[3], list(ordered[5:9]), len(ordered)) == (expected[3], expected[5:9], len(expected))
    assert pickle.loads(pickle.dumps(ordered)) == expected  # noqa: S301 - our own


def test_a_table_can_be_sent_to_another_process(table: IdTable) -> None:
    expected = changed(table, 3)
    sent: IdTable = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
    assert list(sent.items()) == list(expected.items())
    sent["more"] = b"1234"
    assert (sent["more"], len(sent)) == (b"1234", len(expected) + 1)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_reads_the_table(table: IdTable) -> None:
    expected = changed(table, 4)
    with ProcessPoolExecutor(1, get_context("fork"), _keep, (table,)) as pool:
        assert pool.submit(_items).result() == list(expected.items())
    assert list(table.items()) == list(expected.items())


KEPT: list[IdTable] = []


def _keep(table: IdTable) -> None:
    KEPT.append(table)


def _items() -> list[tuple[str, bytes]]:
    return list(KEPT[0].items())


def test_the_file_goes_with_the_table() -> None:
    table = IdTable()
    path = Path(table._path)
    assert path.exists()
    del table
    gc.collect()
    assert not path.exists()


def test_a_full_disk_is_an_error_of_the_system(table: IdTable) -> None:
    table._connection.execute("PRAGMA max_page_count = 4")
    with pytest.raises(OSError, match="cannot be kept"):
        table["large"] = bytes(100_000)

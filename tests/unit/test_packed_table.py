"""A table whose names are not in memory answers as a dictionary does."""

from __future__ import annotations

import pickle
import random
import tempfile
from typing import Any

import pytest

from lydite import packed_table
from lydite.packed_table import PackedTable

NAMES = [*(f"document-{number}" for number in range(90)), "", "ä" * 3000, "\udcff", "\ud83d", "a\nb"]


@pytest.fixture(params=["in memory", "in a file", "without room"])
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> PackedTable:
    if request.param != "in memory":
        monkeypatch.setattr(packed_table, "_IN_MEMORY", 64)
        monkeypatch.setattr(packed_table, "_WINDOW", 100)
    if request.param == "without room":
        monkeypatch.setattr(tempfile, "TemporaryFile", _refuse)
    return PackedTable()


def _refuse(**_options: Any) -> None:
    raise OSError(28, "No space left on device")


def changed(table: PackedTable, seed: int) -> dict[str, bytes]:
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
def test_a_table_is_a_dictionary_in_the_same_order(table: PackedTable, seed: int) -> None:
    expected = changed(table, seed)
    assert list(table.items()) == list(expected.items())
    assert len(table) == len(expected)
    assert [name for name in NAMES if name in table] == [name for name in NAMES if name in expected]
    with pytest.raises(KeyError):
        table["another"]


def test_names_of_one_hash_are_told_apart(table: PackedTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed_table, "_HASH", 1)
    expected = changed(table, 7)
    assert list(table.items()) == list(expected.items())


def test_every_name_has_a_number_of_its_own(table: PackedTable) -> None:
    changed(table, 1)
    numbers = [table.number(name) for name in table]
    assert len(set(numbers)) == len(table)
    assert max(numbers) < table.numbers


@pytest.mark.parametrize("at_once", [7, 1000])
def test_names_are_put_in_order_a_few_at_a_time(
    table: PackedTable, at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(packed_table, "_SORTED_AT_ONCE", at_once)
    expected = sorted(changed(table, 2), key=lambda name: name[::-1])
    ordered = table.in_order(lambda name: name[::-1])
    assert list(ordered) == expected
    assert (ordered[3], list(ordered[5:9]), len(ordered)) == (expected[3], expected[5:9], len(expected))
    assert pickle.loads(pickle.dumps(ordered)) == expected  # noqa: S301 - our own


def test_a_table_can_be_sent_to_another_process(table: PackedTable) -> None:
    expected = changed(table, 3)
    sent: PackedTable = pickle.loads(pickle.dumps(table))  # noqa: S301 - our own
    assert list(sent.items()) == list(expected.items())
    sent["more"] = b"1234"
    assert (sent["more"], len(sent)) == (b"1234", len(expected) + 1)


def test_a_table_has_sixteen_bytes_for_a_name_at_most() -> None:
    table = PackedTable()
    for number in range(5000):
        table[f"document-{number}"] = b""
        assert table._slots.nbytes <= max(16 * len(table), 512)

"""The order of sets in Python 2: hashes, collisions, growing tables."""

from __future__ import annotations

from lydite.python2_sets import key_hash, set_order


def test_hashes_are_those_of_python_2() -> None:
    assert key_hash(b"") == 0
    assert key_hash(b"After") == 8531567404105825195
    assert key_hash(b"E1") == 8832053061079740
    assert key_hash((b"E1", b"E2", b"After")) == 9520533590634744593


def test_members_come_in_the_order_of_slots_each_once() -> None:
    assert set_order([b"t2", b"t3", b"t5", b"t2"]) == [b"t5", b"t2", b"t3"]
    assert set_order([b"t1", b"t2", b"t3", b"t4"]) == [b"t4", b"t2", b"t3", b"t1"]


def test_a_table_that_fills_up_grows_and_loses_nothing() -> None:
    keys = [b"%d" % number for number in range(1000)]
    assert sorted(set_order(keys)) == sorted(keys)
    assert set_order(keys) != keys


def test_half_a_surrogate_pair_has_a_place_in_the_order() -> None:
    assert set_order([("a", "\ud800"), ("a", "\udc80")]) != []
    assert key_hash(("\udc80",)) == key_hash((b"\x80",))

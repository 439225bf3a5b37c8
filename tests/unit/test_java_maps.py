"""Java's hashes of strings and the order of its hash maps."""

from __future__ import annotations

from itertools import product

from lydite.java_maps import map_order, string_hash


def test_the_string_hash_is_javas() -> None:
    assert string_hash("") == 0
    assert string_hash("a") == 97
    assert string_hash("hello") == 99162322


def test_the_string_hash_counts_utf16_units() -> None:
    assert string_hash("\N{SHIP}") == (31 * 0xD83D + 0xDEA2) & 0xFFFFFFFF


def test_keys_come_by_their_place_and_within_a_place_as_they_were_added() -> None:
    # The hashes of "a", "b", "q" are 97, 98, 113: places 1, 2, 1 of 16.
    assert map_order(["q", "b", "a", "b"]).keys == ("q", "a", "b")
    assert map_order(["b", "a", "q"]).keys == ("a", "q", "b")


def test_the_high_half_of_a_hash_takes_part_in_the_place() -> None:
    assert string_hash("zzzz") == 0x0039_4E80  # place 0 of 16 without its high half, 9 with it
    assert map_order(["zzzz", "a"]).keys == ("a", "zzzz")


def test_the_table_doubles_with_the_13th_key() -> None:
    letters = "abcdefghijkl"
    assert map_order(["q", *letters[:11]]).keys[:2] == ("q", "a")
    # "q" has the place 17 of 32.
    assert map_order(["q", *letters]).keys[:2] == ("a", "b")


def test_the_order_of_nine_keys_in_one_place_is_not_known() -> None:
    alike = ["".join(words) for words in product(("Aa", "BB"), repeat=4)]
    assert len({string_hash(key) for key in alike}) == 1
    assert map_order(alike[:8]).is_known
    assert not map_order(alike[:9]).is_known


def test_a_map_of_nothing_has_no_order() -> None:
    assert map_order([]).keys == ()

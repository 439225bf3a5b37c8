"""Outcomes of items: the rows of an alignment, and what is read from them."""

from __future__ import annotations

from lydite.model.outcome import (
    COPY,
    FILTERED,
    NO_DOCUMENT,
    PAIRED,
    UNPAIRED,
    Outcome,
    confused_values,
    gold_items_right,
    left_out,
    pair_outcomes,
    pairs_and_rest,
    unpaired_items,
)
from lydite.model.verdict import GOLD, LEFT_OUT, SYSTEM

GOLD_NAMES, SYSTEM_NAMES = ["G1", "G2", "G3"], ["S1", "S2"]


def test_every_item_of_both_sides_has_one_row_gold_first() -> None:
    rows = pair_outcomes(GOLD_NAMES, SYSTEM_NAMES, [(2, 0)])
    assert [(one.side, one.item, one.status, one.partner) for one in rows] == [
        (GOLD, 0, UNPAIRED, None),
        (GOLD, 1, UNPAIRED, None),
        (GOLD, 2, PAIRED, 0),
        (SYSTEM, 0, PAIRED, 2),
        (SYSTEM, 1, UNPAIRED, None),
    ]


def test_agreement_is_asked_for_gold_and_system_in_this_order_on_both_sides() -> None:
    rows = pair_outcomes(GOLD_NAMES, SYSTEM_NAMES, [(2, 0)], lambda gold, system: {"type": gold > system})
    assert [one.agrees for one in rows if one.status == PAIRED] == [{"type": True}, {"type": True}]


def test_a_gold_item_is_right_if_it_is_paired_and_everything_agrees() -> None:
    pairs = [(0, 0), (1, 1)]
    rows = pair_outcomes(GOLD_NAMES, SYSTEM_NAMES, pairs, lambda gold, _: {"span": True, "type": gold == 0})
    assert dict(gold_items_right(rows)) == {"G1": True, "G2": False, "G3": False}


def test_copies_and_filtered_items_are_no_gold_items_and_those_without_document_are_wrong() -> None:
    rows = [
        Outcome(GOLD, 0, COPY, name="copy"),
        Outcome(GOLD, None, FILTERED, name="filtered"),
        Outcome(GOLD, 1, NO_DOCUMENT, name="lonely"),
    ]
    assert list(gold_items_right(rows)) == [("lonely", False)]
    assert unpaired_items(rows, GOLD) == [1]


def test_pairs_missed_and_spurious_items_are_shown_by_position() -> None:
    rows = pair_outcomes(GOLD_NAMES, SYSTEM_NAMES, [(2, 0)])
    assert pairs_and_rest(rows, "abc", "xy", lambda gold, system: {"at": (gold, system)}) == {
        "pairs": [{"gold": "c", "system": "x", "at": (2, 0)}],
        "missed": ["a", "b"],
        "spurious": ["y"],
    }


def test_values_without_partner_are_confused_with_nothing() -> None:
    rows = pair_outcomes(GOLD_NAMES, SYSTEM_NAMES, [(2, 0)])
    cells = list(confused_values(rows, ["A", "B", "C"], ["X", "Y"]))
    assert cells == [("C", "X"), ("A", None), ("B", None), (None, "Y")]


def test_a_left_out_item_earns_and_loses_nothing_and_its_sentence_names_it() -> None:
    verdict = left_out(SYSTEM, "E7", "the document is not scored", nothing=0.0, line=3).verdict("d1")
    assert (verdict.document, verdict.id, verdict.cause, verdict.line) == ("d1", "E7", LEFT_OUT, 3)
    assert (verdict.credit, verdict.lost, verdict.other) == (0.0, 0.0, None)
    assert verdict.why == "E7 is left out: the document is not scored"

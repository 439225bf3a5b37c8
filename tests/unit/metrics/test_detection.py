from __future__ import annotations

from pathlib import Path

import pytest

import lydite
from lydite.align.pairing import pair_many_to_one
from lydite.metrics import METRICS
from lydite.metrics.detection import attribute_accuracy, by_value, detection, muc_partial, original_detection
from lydite.model import Alignment, Pair, Share, Tally


def test_a_mention_missed_by_the_system_lowers_recall_only() -> None:
    score = detection(Alignment("ab", "x", (Pair(0, 0, 1.0),))).score()
    assert (score.precision, score.recall) == (1.0, 0.5)


def test_a_spurious_mention_lowers_precision_only() -> None:
    score = detection(Alignment("a", "xy", (Pair(0, 0, 1.0),))).score()
    assert (score.precision, score.recall) == (0.5, 1.0)


def test_partial_overlap_earns_partial_credit() -> None:
    assert detection(Alignment("a", "x", (Pair(0, 0, 0.8),))) == Tally(0.8, 1, 0.8, 1)


PARTS = Alignment("g", "xy", pair_many_to_one([Pair(0, 0, 0.5), Pair(0, 1, 0.5)]))
"""The pilot paper's example: gold 'carried out assassination', the system has two of its parts."""


def test_the_original_precision_of_the_pilot_counts_as_false_only_nobodys_best_partner() -> None:
    score = original_detection(PARTS).score()
    assert score.precision == pytest.approx(1 / 3)
    assert score.recall == 0.5
    assert score.f1 == pytest.approx(0.4)


def test_accuracy_is_the_share_of_partners_that_are_right() -> None:
    assert attribute_accuracy(PARTS, ["Die"], ["Merge", "Die"]) == Share(0.5, 1)
    assert attribute_accuracy(PARTS, ["Die"], ["Die", "Die"]) == Share(1.0, 1)


def test_half_credit_for_partial_pairs() -> None:
    counts = muc_partial(Alignment("g", "xy", (Pair(0, 0, 0.5),)))
    assert counts.as_dict() == {"correct": 0, "partial": 1, "possible": 1, "actual": 2}
    assert counts.score()[:3] == pytest.approx((0.25, 0.5, 1 / 3))


def test_of_a_pair_of_two_types_recall_is_credited_to_the_one_and_precision_to_the_other() -> None:
    alignment = Alignment("ab", "xy", (Pair(0, 0, 1.0), Pair(1, 1, 0.5)))
    parts = dict(by_value(alignment, ["attack", "die"], ["attack", "attack"]))
    assert parts == {"attack": Tally(1.0, 1, 1.5, 2), "die": Tally(0.5, 1, 0.0, 0)}


def test_the_product_of_the_pilot_begins_with_the_f1_of_spans() -> None:
    # P = 1/3 and R = 1/2, as above.
    assert METRICS["multiplicative"].measure(PARTS).score().value == pytest.approx(0.4)
    assert METRICS["multiplicative"].measure(Alignment("a", "x", ())).score().value == 0


def test_the_product_of_the_pilot_is_the_f1_of_spans_times_the_accuracies(tmp_path: Path) -> None:
    def tbf(name: str, *mentions: tuple[str, str]) -> str:
        lines = [
            f"s\td\tE{at}\t{10 * at},{10 * at + 4}\tw\t{type_}\t{realis}"
            for at, (type_, realis) in enumerate(mentions)
        ]
        path = tmp_path / name
        path.write_text("\n".join(["#BeginOfDocument d", *lines, "#EndOfDocument", ""]), encoding="utf-8")
        return str(path)

    gold = tbf("gold.tbf", *[("Life_Die", "Actual")] * 4)
    system = tbf("system.tbf", ("Life_Die", "Actual"), ("Life_Die", "Other"), ("Life_Injure", "Other"))
    summary = lydite.score(gold, system, profile="pilot2014")
    rows = {
        row.measurement: row.score.value for row in summary.corpus_rows() if row.metric == "multiplicative"
    }
    # Three of four spans: F1 = 6/7; two of four types and one of four realis values are right.
    assert rows == {
        "span*type": pytest.approx(6 / 7 * 2 / 4),
        "span*realis": pytest.approx(6 / 7 * 1 / 4),
        "span*type*realis": pytest.approx(6 / 7 * 2 / 4 * 1 / 4),
    }

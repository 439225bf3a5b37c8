"""Verdicts and budgets of coreference, on clusters small enough to work out by hand."""

from __future__ import annotations

import json
from collections.abc import Hashable
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.explanation import Explanation
from lydite.tasks.coref import corrections

WORDS = ["The", "mayor", "said", "he", "saw", "her", "dog", ".", "Ann", "Lee", "left", "it", "there"]


def written(path: Path, clusters: list[list[list[int]]]) -> Path:
    record = {"doc_key": "d1", "sentences": [WORDS], "clusters": clusters}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    return path


def world(tmp_path: Path, gold: list[list[list[int]]], system: list[list[list[int]]]) -> Explanation:
    return lydite.explain(
        written(tmp_path / "gold.jsonl", gold),
        written(tmp_path / "system.jsonl", system),
        task="coref",
        budget=True,
    )


GOLD = [[[0, 1], [3, 3], [8, 9]], [[5, 6], [11, 11]]]


def causes(explanation: Explanation) -> dict[tuple[str, str], str]:
    return {(one.side, one.id): one.cause for one in explanation.verdicts}


def test_a_cluster_that_is_split_and_merged_says_so(tmp_path: Path) -> None:
    found = world(tmp_path, GOLD, [[[0, 1], [3, 3]], [[8, 9], [5, 6], [11, 11]]])
    assert causes(found) == {
        ("gold", "0-1"): "right",
        ("gold", "3"): "right",
        ("gold", "8-9"): "split",
        ("gold", "5-6"): "right",
        ("gold", "11"): "right",
        ("system", "0-1"): "right",
        ("system", "3"): "right",
        ("system", "8-9"): "merged",
        ("system", "5-6"): "merged",
        ("system", "11"): "merged",
    }
    split = next(one for one in found.verdicts if one.cause == "split")
    assert split.credit == Fraction(1, 3)
    assert "3, the mention before it in gold cluster" in split.why


def test_a_cluster_of_one_mention_is_described_in_the_singular(tmp_path: Path) -> None:
    found = world(tmp_path, [[[0, 1]], [[3, 3]]], [[[0, 1]], [[3, 3], [5, 6]]])
    assert [one.why for one in found.verdicts if one.cause == "right"] == [
        "0-1 is in system cluster 0, which has the only mention of gold cluster 0 (B³ 1)",
        "3 is in system cluster 1, which has the only mention of gold cluster 1 (B³ 1)",
        "0-1 is in system cluster 0; its only mention is of gold cluster 0 (B³ 1)",
        "3 is in system cluster 1; 1 of its 2 mentions is of gold cluster 1 (B³ 1/2)",
    ]


def test_a_mention_with_other_borders_has_a_wrong_span(tmp_path: Path) -> None:
    found = world(tmp_path, GOLD, [[[1, 1], [3, 3], [8, 9]], [[5, 6], [11, 11], [12, 12]]])
    assert causes(found)["gold", "0-1"] == "wrong-span"
    assert causes(found)["system", "1"] == "wrong-span"
    assert causes(found)["system", "12"] == "spurious-mention"
    assert found.budget is not None
    items = {row.fault: row.items for row in found.budget.faults}
    assert items == {"span": 1, "spurious": 2, "missed": 1, "merged": 0, "split": 0}
    assert found.budget.perfect == 1


def test_clusters_are_told_in_words(tmp_path: Path) -> None:
    found = world(tmp_path, GOLD, [[[0, 1]], [[3, 3], [5, 6], [11, 11]]])
    explained = next(found.inputs.explained())
    tell = found.inputs.explainer.chains
    assert tell is not None
    told = list(tell(explained, found.inputs.settings))
    assert (
        "  cluster 0 (The mayor, he, Ann Lee) is split over A and B; Ann Lee missed; B also holds cluster 1"
        in told
    )


def test_mentions_have_kinds_sizes_and_distances(tmp_path: Path) -> None:
    found = world(tmp_path, GOLD, GOLD)
    kinds = {one.text: one.traits["kind"] for one in found.verdicts if one.side == "gold"}
    assert kinds == {
        "The mayor": "nominal",
        "he": "pronoun",
        "Ann Lee": "name",
        "her dog": "nominal",
        "it": "pronoun",
    }
    assert {one.cause for one in found.verdicts} == {"right"}


def test_mending_a_split_by_hand_gives_what_the_budget_says(tmp_path: Path) -> None:
    found = world(tmp_path, GOLD, [[[0, 1], [3, 3]], [[8, 9]], [[5, 6], [11, 11], [12, 12]]])
    mended = {
        "split": [[[0, 1], [3, 3], [8, 9]], [[5, 6], [11, 11], [12, 12]]],
        "spurious": [[[0, 1], [3, 3]], [[8, 9]], [[5, 6], [11, 11]]],
    }
    assert found.budget is not None
    for row in found.budget.faults:
        if row.items:
            by_hand = written(tmp_path / f"{row.fault}.jsonl", mended[row.fault])
            f1 = lydite.score(tmp_path / "gold.jsonl", by_hand, task="coref")["coref"]["conll"].f1
            assert f1 is not None
            assert Fraction(f1) - budget_figure(found) == row.gain_alone


def budget_figure(explanation: Explanation) -> Fraction:
    assert explanation.budget is not None
    return explanation.budget.figure


def test_the_order_of_gold_clusters_has_no_say_in_what_mending_gains() -> None:
    """8 leaves the third system cluster, which began before the second one until then: 16 and 72 tie there."""
    gold = [[(0, 3), (48, 51)], [(8, 11), (32, 35), (40, 43)], [(16, 19), (72, 75)]]
    system = [[(0, 3), (48, 51)], [(16, 19), (32, 35), (40, 43)], [(8, 11), (72, 75)]]
    mended = [[(0, 3), (48, 51)], [(8, 11), (32, 35), (40, 43)], [(16, 19), (72, 75)]]
    score = lydite.score({"d": gold}, {"d": system}, task="coref").headline_score()
    after = lydite.score({"d": gold}, {"d": mended}, task="coref").headline_score()
    assert score is not None
    assert after is not None
    for clusters in permutations(gold):
        budget = lydite.explain({"d": clusters}, {"d": system}, task="coref", budget=True).budget
        assert budget is not None
        alone = {fault.fault: float(fault.gain_alone) for fault in budget.faults}
        assert alone["split"] == pytest.approx(after - score)


def test_every_copy_has_a_verdict_where_repeats_and_singletons_are_dropped(tmp_path: Path) -> None:
    sides = (
        written(tmp_path / "gold.jsonl", [[[0, 0], [0, 0]], [[2, 2], [3, 3]], [[4, 4], [0, 0]]]),
        written(tmp_path / "system.jsonl", [[[0, 0]], [[2, 2], [3, 3]]]),
    )
    found = lydite.explain(*sides, task="coref", repeats="first", singletons="drop")
    said = [(one.id, one.cause, one.why) for one in found.verdicts if one.side == "gold"]
    copy = "it stands in cluster 0 already; this copy in {} is dropped (repeats)"
    assert [cause for _, cause, _ in said[:2]] == ["right", "right"]
    assert said[2:] == [
        ("0", "left-out", copy.format(0)),
        ("0", "left-out", copy.format(2)),
        ("0", "left-out", "0 is alone in cluster 0: singletons are dropped (singletons)"),
        ("4", "left-out", "4 is alone in cluster 2: singletons are dropped (singletons)"),
    ]


def test_a_document_of_the_system_alone_is_gone_when_everything_in_it_is_mended(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.jsonl", tmp_path / "system.jsonl"
    shared = '{"doc_id": "d1", "clusters": [[[0, 4], [5, 9]]]}\n'
    gold.write_text(shared)
    system.write_text(shared + '{"doc_id": "d2", "clusters": [[[0, 4], [5, 9]]]}\n')
    found = lydite.explain(
        gold, system, task="coref", averages="macro", scored_documents="either", budget=True
    ).budget
    assert found is not None
    # The mean of d1, which is perfect, and of d2, which has nothing right.
    assert (found.figure, found.perfect) == (Fraction(1, 2), 1)
    assert [(row.fault, row.items, row.share) for row in found.faults if row.items] == [
        ("spurious", 2, Fraction(1, 2))
    ]


# ------------------------------------------------------------------------------------------------------ repeats

TWICE = [[[0, 0], [1, 1], [3, 3]], [[1, 1], [2, 2]], [[4, 4]]]
"""The mention at 1 stands in two clusters."""


@pytest.mark.parametrize("singletons", ["keep", "drop"])
@pytest.mark.parametrize("repeats", ["v8.01", "first", "merge"])
@pytest.mark.parametrize(
    "found",
    [
        [[[0, 0], [3, 3]], [[1, 1], [2, 2]], [[4, 4]]],
        [[[0, 0], [1, 1], [3, 3]], [[2, 2]]],
        [[[0, 0], [1, 1]], [[1, 1], [2, 2]], [[4, 4], [3, 3], [7, 7]]],
    ],
)
def test_everything_mended_is_gold_against_itself_where_gold_repeats_a_mention(
    found: list[list[list[int]]], repeats: str, singletons: str, tmp_path: Path
) -> None:
    gold, system = written(tmp_path / "gold.jsonl", TWICE), written(tmp_path / "system.jsonl", found)
    options = {"task": "coref", "repeats": repeats, "singletons": singletons}
    itself = lydite.explain(gold, gold, budget=True, **options)
    assert float(itself.budget.perfect) == pytest.approx(itself.headline["value"])
    mended = lydite.explain(gold, system, budget=True, **options).budget
    assert float(mended.perfect) == pytest.approx(itself.headline["value"])


@pytest.mark.parametrize(
    "entities", [["a", "", "a", "b", "b"], ["a", "b", "a", "b", "c"], ["b", "c", "", "c", "b"]]
)
def test_everything_mended_is_gold_against_itself_where_entities_share_a_mention(
    entities: list[str], tmp_path: Path
) -> None:
    sides = []
    for name, held in (("gold", ["a", "ab", "a", "b", "c"]), ("system", entities)):
        lines = [
            f"{at}\tw\tw\tX\t_\t_\t{at - 1}\tdep\t_\t{'Entity=' * bool(one)}{''.join(f'({entity}-x-1)' for entity in one) or '_'}"
            for at, one in enumerate(held, 1)
        ]
        path = tmp_path / f"{name}.conllu"
        path.write_text("\n".join(["# newdoc id = d", "# global.Entity = eid-etype-head", *lines, "", ""]))
        sides.append(path)
    itself = lydite.explain(sides[0], sides[0], task="coref", profile="corefud", budget=False)
    mended = lydite.explain(*sides, task="coref", profile="corefud", budget=True).budget
    assert float(mended.perfect) == pytest.approx(itself.headline["value"])


def test_of_mentions_that_overlap_as_much_the_earlier_takes_the_span_whatever_the_order_of_clusters() -> None:
    gold = {"d": [[(10, 14), (30, 34)], [(20, 24), (50, 54)]]}
    system = [[(10, 16), (31, 37)], [(9, 14), (20, 24)]]
    shares = [
        lydite.explain(gold, {"d": clusters}, task="coref").budget.faults[0].share
        for clusters in (system, system[::-1])
    ]
    assert shares[0] == shares[1] == pytest.approx(0.0827160688)


def test_split_clusters_are_mended_without_a_look_at_every_mention_for_every_cluster() -> None:
    asked = 0

    class Home(dict[Hashable, int]):
        def get(self, label: Hashable, default: Any = None) -> Any:
            nonlocal asked
            asked += 1
            return super().get(label, default)

    gold = corrections.GoldClusters([[(one, one + 1) for one in range(at, 600, 30)] for at in range(30)])
    gold.home = Home(gold.home)
    system = [
        [corrections.LabelledMention((one, one + 1), (one, one + 1)) for one in range(at, at + 20)]
        for at in range(0, 600, 20)
    ]
    mended, moved = corrections.join_split(system, gold)
    assert (sorted(map(len, mended)), moved) == ([200, 400], 570)
    assert asked < 4 * 600

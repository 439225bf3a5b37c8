"""``lydite.coref`` as training loops use it."""

from __future__ import annotations

import random

import numpy as np
import pytest

import lydite
from lydite import Score, coref

METRICS = (
    "mentions", "muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea", "pairwise", "pairwise-negative",
    "exact-clusters", "rand", "adjusted-rand", "conll", "kbp", "b-cubed-0", "ceaf-e-rn",
)  # fmt: skip


def partition(chance: random.Random, mentions: int, clusters: int) -> list[list[tuple[int, int]]]:
    held: list[list[tuple[int, int]]] = [[] for _ in range(clusters)]
    for mention in range(mentions):
        if chance.random() < 0.8:
            held[chance.randrange(clusters)].append((mention, mention + 1))
    return held


@pytest.mark.parametrize("metric", METRICS)
def test_the_total_of_documents_is_that_of_the_task(metric: str) -> None:
    chance = random.Random(7)
    gold, system = ([partition(chance, 14, 5) for _ in range(6)] for _ in range(2))
    total = coref.score(metric, gold, system, documents=True)
    asked = ("muc", "b-cubed", "ceaf-e", "blanc") if metric in {"conll", "kbp"} else (metric,)
    measured = lydite.score(gold, system, task="coref", metrics=asked)
    assert total == measured["mentions" if metric == "mentions" else "coref"][metric]


def test_documents_with_repeats_take_part_in_the_total() -> None:
    gold, system = [[[1, 2]], [[1, 2, 3]]], [[[1], [1, 2]], [[1, 2]]]
    measured = lydite.score(gold, system, task="coref", repeats="v8.01")
    for name in ("muc", "b_cubed", "ceaf_e", "lea", "conll"):
        total = getattr(coref, name)(gold, system, repeats="v8.01", documents=True)
        assert total == measured["coref"][name.replace("_", "-")]
    with pytest.raises(lydite.UsageError, match="mention 1 is in two system clusters of document 0"):
        coref.muc(gold, system, documents=True)


def test_spans_of_json_and_numbers_of_numpy_are_taken() -> None:
    gold = [[(0, 1), (2, 3)], [(5, 6)]]
    for system in (
        [[[0, 1], [2, 3]], [[5, 6]]],
        [np.array([[0, 1], [2, 3]]), np.array([[5, 6]])],
        [[(np.int64(0), 1), (2, np.int32(3))], [(5, 6)]],
        (cluster for cluster in gold),
    ):
        assert coref.conll(gold, system).f1 == 1


def test_a_dict_or_a_text_is_refused_instead_of_scoring_zero() -> None:
    with pytest.raises(lydite.UsageError, match="gold: expected clusters as lists of mentions, found a dict"):
        coref.muc({"c1": [1, 2]}, [[1, 2]])
    with pytest.raises(
        lydite.UsageError, match=r"system.clusters\[0\]: expected a list of mentions, found 'ab'"
    ):
        coref.muc([[1, 2]], ["ab"])
    with pytest.raises(
        lydite.UsageError, match=r"system\[1\].clusters\[0\]: expected a list of mentions, found 3"
    ):
        coref.muc([[[1]], [[2]]], [[[1]], [3]], documents=True)
    with pytest.raises(lydite.UsageError, match="gold: expected a list of documents, found a dict"):
        coref.muc({"d1": [[1]]}, [[[1]]], documents=True)
    with pytest.raises(lydite.UsageError, match="found 1 and 2"):
        coref.muc([[[1]]], [[[1]], []], documents=True)


def test_scores_do_not_add_up() -> None:
    with pytest.raises(TypeError, match="scores do not add up; tallies do"):
        Score(1.0, 1.0, 1.0) + Score(1.0, 1.0, 1.0)
    with pytest.raises(TypeError, match="scores do not add up"):
        sum([Score(1.0, 1.0, 1.0)])  # type: ignore[list-item]

"""A stand-in for the evaluators that training code carries along: MUC, B³, CEAFe and LEA from their formulas.

Written for this benchmark from the definitions, the way such evaluators are: dictionaries from mentions to clusters,
one pass per metric and side, the assignment of CEAF over a dense matrix (SciPy).  It is not the code of any of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence

Clusters = Sequence[Sequence[Hashable]]
Homes = dict[Hashable, tuple[Hashable, ...]]


def homes(clusters: Clusters) -> Homes:
    return {mention: tuple(cluster) for cluster in clusters for mention in cluster}


def muc(clusters: Clusters, other: Homes) -> tuple[float, float]:
    found, possible = 0, 0
    for cluster in clusters:
        possible += len(cluster) - 1
        found += len(cluster)
        linked = set()
        for mention in cluster:
            if mention in other:
                linked.add(other[mention])
            else:
                found -= 1
        found -= len(linked)
    return found, possible


def b_cubed(clusters: Clusters, other: Homes) -> tuple[float, float]:
    found, possible = 0.0, 0
    for cluster in clusters:
        counts: Counter[tuple[Hashable, ...]] = Counter()
        correct = 0
        for mention in cluster:
            if mention in other:
                counts[other[mention]] += 1
        for count in counts.values():
            correct += count * count
        found += correct / len(cluster)
        possible += len(cluster)
    return found, possible


def lea(clusters: Clusters, other: Homes) -> tuple[float, float]:
    found, possible = 0.0, 0
    for cluster in clusters:
        possible += len(cluster)
        if len(cluster) == 1:
            home = other.get(cluster[0])
            found += home is not None and len(home) == 1
            continue
        links = 0
        for place, mention in enumerate(cluster):
            if mention in other:
                for again in cluster[place + 1 :]:
                    if again in other and other[mention] == other[again]:
                        links += 1
        found += len(cluster) * links / (len(cluster) * (len(cluster) - 1) / 2)
    return found, possible


def ceaf_e(gold: Clusters, system: Clusters) -> tuple[float, float, float, float]:
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    weights = np.zeros((len(gold), len(system)))
    for row, ours in enumerate(gold):
        for column, theirs in enumerate(system):
            common = len([mention for mention in ours if mention in theirs])
            weights[row, column] = 2 * common / (len(ours) + len(theirs))
    rows, columns = linear_sum_assignment(-weights)
    best = float(weights[rows, columns].sum())
    return best, len(system), best, len(gold)


class Evaluator:
    """Adds up one metric over documents."""

    def __init__(self, metric: str) -> None:
        self.metric = metric
        self.sums = [0.0, 0.0, 0.0, 0.0]

    def update(self, gold: Clusters, system: Clusters, of_gold: Homes, of_system: Homes) -> None:
        """Take in one document."""
        if self.metric == "ceaf_e":
            counts: tuple[float, ...] = ceaf_e(gold, system)
        else:
            one_side: Callable[[Clusters, Homes], tuple[float, float]] = globals()[self.metric]
            counts = (*one_side(system, of_gold), *one_side(gold, of_system))
        self.sums = [sum_ + count for sum_, count in zip(self.sums, counts, strict=True)]

    def f1(self) -> float:
        """The F1 of everything so far."""
        precision, recall = self.sums[0] / self.sums[1], self.sums[2] / self.sums[3]
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def evaluate(metrics: Sequence[str], documents: Sequence[tuple[Clusters, Clusters]]) -> list[float]:
    """The F1 of each metric over all documents."""
    evaluators = [Evaluator(metric) for metric in metrics]
    for gold, system in documents:
        of_gold, of_system = homes(gold), homes(system)
        for evaluator in evaluators:
            evaluator.update(gold, system, of_gold, of_system)
    return [evaluator.f1() for evaluator in evaluators]

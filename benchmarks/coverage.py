"""How often intervals hold the true figure, and how often the paired test cries wolf: simulations for each task.

    python benchmarks/coverage.py [TRIALS]

For each task a large population of documents is made up, each with the counts that the task's headline is made from;
the figure of the whole population is the truth.  Then samples of few documents are drawn from it again and again.
*Coverage* is the share of samples whose 95 % interval holds the truth.  *False alarms* are the share of samples in
which the test finds two systems significantly different (p ≤ 0.05) that were made by the same rule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import numpy as np

from lydite.comparison.draws import draw_sums, interval
from lydite.comparison.randomization import randomization_test
from lydite.metrics import METRICS
from lydite.metrics.ace_value import AceFigures
from lydite.metrics.triples import MatchCounts
from lydite.model import Figures, Tally
from lydite.model.cluster import ClusterAlignment, MeanTally

Random = np.random.Generator
Maker = Callable[[Random, int, float], Figures]
"""A document of a size and a difficulty, as one system does it."""

POPULATION, SIZES, RESAMPLES = 4000, (6, 10, 20, 50, 200), 1000


def _nuggets(random: Random, size: int, ease: float) -> Tally:
    """Mentions found with credit for their overlap, and false alarms."""
    found = random.random(size) < ease
    credit = float(np.sum(np.where(random.random(size) < 0.8, 1.0, 0.5)[found]))
    alarms = random.poisson(size * (1 - ease) / 2)
    return Tally(credit, size, credit, int(found.sum()) + alarms)


def _arguments(random: Random, size: int, ease: float) -> Tally:
    right = random.binomial(size, ease)
    return Tally(right, size, right, right + random.poisson(size * (1 - ease)))


def _triples(random: Random, size: int, ease: float) -> MatchCounts:
    right = random.binomial(size, ease)
    return MatchCounts(right, size, right + random.poisson(size * (1 - ease)))


def _entities(random: Random, size: int, ease: float) -> AceFigures:
    """Values of entities, what is missed of them, and false alarms that cost three quarters."""
    values = random.choice([0.25, 0.5, 1.0, 2.0], size)
    missed = random.random(size) > ease
    alarms = random.choice([0.25, 0.5, 1.0], random.poisson(size * (1 - ease) / 3))
    return AceFigures(
        gold_value=float(values.sum()),
        missed_cost=float(values[missed].sum()),
        error_cost=float(0.2 * values[~missed].sum() * (1 - ease)),
        spurious_cost=float(0.75 * alarms.sum()),
    )


_CONLL = ("muc", "b-cubed", "ceaf-e")


def _clusters(random: Random, size: int, ease: float) -> MeanTally:
    """A partition of mentions, and the same with some mentions moved or missed."""
    homes = random.integers(0, max(2, size // 3), size)
    moved = np.where(random.random(size) < ease, homes, random.integers(0, max(2, size // 3), size))
    kept = random.random(size) < 0.5 + ease / 2
    gold = [np.flatnonzero(homes == home).tolist() for home in set(homes.tolist())]
    system = [np.flatnonzero((moved == home) & kept).tolist() for home in set(moved.tolist())]
    alignment = ClusterAlignment.of(
        [cluster for cluster in gold if len(cluster) > 1], [cluster for cluster in system if len(cluster) > 1]
    )
    return MeanTally({name: METRICS[name].measure(alignment) for name in _CONLL})


TASKS: dict[str, tuple[Maker, str]] = {
    "nugget": (_nuggets, "f1"),
    "coref": (_clusters, "f1"),
    "arguments": (_arguments, "f1"),
    "triples": (_triples, "f1"),
    "ace": (_entities, "value"),
}


def _columns(documents: Sequence[Figures]) -> tuple[np.ndarray, Callable[[np.ndarray], np.ndarray]]:
    """The counts of documents as a table, and the score of sums of them."""
    first = documents[0].as_dict()
    paths = [
        (name, key)
        for name, value in first.items()
        for key in (
            ("gold_credit", "gold_total", "system_credit", "system_total")
            if isinstance(value, dict)
            else (None,)
        )
    ]

    def cell(tally: dict, name: str, key: str | None) -> float:
        return tally[name] if key is None else tally[name][key]

    table = np.array([[cell(one.as_dict(), *path) for path in paths] for one in documents], dtype=float)

    def score(sums: np.ndarray) -> object:
        tally: dict = {}
        for place, (name, key) in enumerate(paths):
            if key is None:
                tally[name] = sums[..., place]
            else:
                tally.setdefault(name, {})[key] = sums[..., place]
        return documents[0].restored(tally).score(empty="zero")

    return table, score


def _population(maker: Maker, random: Random) -> tuple[list[Figures], list[Figures]]:
    """Two systems made by the same rule over the same documents."""
    pairs = []
    for _ in range(POPULATION):
        size, ease = int(2 + random.lognormal(2.2, 0.7)), float(random.beta(6, 3))
        pairs.append([maker(random, size, ease) for _ in range(2)])
    return [one for one, _ in pairs], [other for _, other in pairs]


def simulate(task: str, trials: int) -> list[tuple[int, float, float, float]]:
    """By number of documents: coverage of expanded and of percentile intervals, and false alarms."""
    maker, name = TASKS[task]
    random = np.random.default_rng(20)
    first, second = _population(maker, random)
    table, score = _columns(first)
    other, _ = _columns(second)

    def figure(sums: np.ndarray) -> np.ndarray:
        return getattr(score(sums), name)

    truth = float(figure(table.sum(axis=0)[None])[0])
    found = []
    for units in SIZES:
        held = {"expanded": 0, "percentile": 0}
        alarms = 0
        for trial in range(trials):
            drawn = random.integers(0, POPULATION, units)
            values = figure(draw_sums([table[drawn]], RESAMPLES, trial)[0])
            for kind in held:
                low, high, _ = interval(values, units, kind=kind)
                held[kind] += low <= truth <= high
            # The two populations differ by an accident of their making; which system is which is drawn anew.
            swapped = (random.random(units) < 0.5)[:, None]
            one = np.where(swapped, other[drawn], table[drawn])
            two = np.where(swapped, table[drawn], other[drawn])
            outcome = randomization_test(one, two, figure, resamples=RESAMPLES, seed=trial)
            alarms += outcome.p <= 0.05
        found.append((units, held["expanded"] / trials, held["percentile"] / trials, alarms / trials))
    return found


def main() -> None:
    """Print the table of the documentation."""
    trials = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print("| task | documents | expanded | percentile | false alarms |")
    print("|---|---:|---:|---:|---:|")
    for task in TASKS:
        for units, expanded, percentile, alarms in simulate(task, trials):
            print(
                f"| {task} | {units} | {100 * expanded:.1f} | {100 * percentile:.1f} | {100 * alarms:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()

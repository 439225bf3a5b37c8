"""Comparisons computed a second time, from the rows of a summary document alone.

Written from the definitions, with NumPy and SciPy, and sharing nothing with
`lydite.comparison`: one draw, one pattern, one figure at a time where that is quick enough.
"""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from scipy import stats

Array = np.ndarray


def _ratio(part: Array, whole: Array, empty: float) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(whole == 0, empty, part / np.where(whole == 0, 1, whole))


def _harmonic(p: Array, r: Array, empty: float) -> Array:
    return _ratio(2 * p * r, p + r, empty)


def _credits(t: Mapping[str, Array], empty: float) -> dict[str, Array]:
    p = _ratio(t["system_credit"], t["system_total"], empty)
    r = _ratio(t["gold_credit"], t["gold_total"], empty)
    return {"precision": p, "recall": r, "f1": _harmonic(p, r, empty)}


def _matches(t: Mapping[str, Array], empty: float) -> dict[str, Array]:
    p = _ratio(t["correct"], t["system_total"], empty)
    r = _ratio(t["correct"], t["gold_total"], empty)
    f1 = _ratio(2 * t["correct"], t["system_total"] + t["gold_total"], empty)
    return {"precision": p, "recall": r, "f1": f1}


def _ace_value(t: Mapping[str, Array], _empty: float) -> dict[str, Array]:
    cost = t["missed_cost"] + t["error_cost"] + t["correct_cost"] + t["spurious_cost"]
    return {"value": 1 - _ratio(cost, t["gold_value"], np.nan)}


def _blanc(t: Mapping[str, Array], _empty: float) -> dict[str, Array]:
    """Table 4 of the coreference rules: without one kind of link in gold the other decides."""
    kinds = []
    for kind in ("coreference", "other"):
        r = _ratio(t[f"common_{kind}"], t[f"gold_{kind}"], 0.0)
        p = _ratio(t[f"common_{kind}"], t[f"system_{kind}"], 0.0)
        kinds.append({"precision": p, "recall": r, "f1": _harmonic(p, r, 0.0)})
    alone = [t["gold_other"] == 0, t["gold_coreference"] == 0]
    found = {}
    for name in ("precision", "recall", "f1"):
        first, second = kinds[0][name], kinds[1][name]
        both = np.where(alone[1], second, np.where(alone[0], first, (first + second) / 2))
        found[name] = np.where(alone[0] & alone[1], 0.0, both)
    return found


def _overall(t: Mapping[str, Array], _empty: float) -> dict[str, Array]:
    """Arguments and links of 2015, half and half; `kept` is what false alarms left of each unit."""
    arguments = _ratio(t["kept"], t["tp"] + t["fn"], 0.0)
    return {"value": arguments / 2 + _ratio(t["link_f1"], t["items"], 0.0) / 2}


def _mean_of(names: Sequence[str]) -> Callable[[Mapping[str, Array], float], dict[str, Array]]:
    def mean(t: Mapping[str, Array], empty: float) -> dict[str, Array]:
        total: Array = np.zeros(())
        for name in names:
            inner = {k[len(name) + 1 :]: v for k, v in t.items() if k.startswith(name + "/")}
            total = total + figures_of(name)(inner, empty)["f1"]
        return {"f1": total / len(names)}

    return mean


def figures_of(metric: str) -> Callable[[Mapping[str, Array], float], dict[str, Array]]:
    """From counts to figures, as the definitions of the tasks say."""
    special = {
        "ace-value": _ace_value,
        "blanc": _blanc,
        "triple-match": _matches,
        "linking": _overall,
        "kbp": _mean_of(("muc", "b-cubed", "ceaf-e", "blanc")),
        "conll": _mean_of(("muc", "b-cubed", "ceaf-e")),
    }
    return special.get(metric, _credits)


def flat(tally: Mapping[str, object], prefix: str = "") -> dict[str, float]:
    """The numbers of a tally; those of nested ones under NAME/KEY, exact fractions left out."""
    found: dict[str, float] = {}
    for name, value in tally.items():
        if isinstance(value, Mapping):
            found |= flat(value, f"{prefix}{name}/")
        elif isinstance(value, int | float):
            found[prefix + name] = float(value)
    return found


class World:
    """Counts of every system and unit, and the figure that is made of sums of them."""

    def __init__(self, summary: Mapping[str, object], figure: Mapping[str, str], empty: float) -> None:
        self.name, self.metric = figure["figure"], figure["metric"]
        self.empty = empty
        settings: Mapping[str, object] = summary["settings"]  # type: ignore[assignment]
        skips = settings.get("skip-documents-without-gold")
        tallies: dict[str, dict[str, dict[str, float]]] = {}
        scores: Sequence[Mapping[str, object]] = summary["scores"]  # type: ignore[assignment]
        wanted = (figure["measurement"], figure["metric"], "document", {})
        for row in scores:
            if (row["measurement"], row["metric"], row["scope"], row["by"]) != wanted:
                continue
            tally = flat(row["tally"])  # type: ignore[arg-type]
            if skips and row["metric"] == "detection" and not tally["gold_total"]:
                tally = {}
            tallies.setdefault(str(row["system"]), {})[str(row["document"])] = tally
        self.units = sorted({u for t in tallies.values() for u in t}, key=lambda u: u.encode("utf-8"))
        self.columns = sorted({c for t in tallies.values() for d in t.values() for c in d})
        self.counts = {
            system: np.array([[t.get(u, {}).get(c, 0.0) for c in self.columns] for u in self.units])
            for system, t in tallies.items()
        }

    def figure(self, sums: Array) -> Array:
        """The figure of one vector of counts, or of many."""
        columns = {c: sums[..., i] for i, c in enumerate(self.columns)}
        return figures_of(self.metric)(columns, self.empty)[self.name]


def draws(n: int, resamples: int, seed: int) -> Array:
    """How often each unit is in each draw; draw after draw from one generator."""
    generator = np.random.Generator(np.random.PCG64(seed))
    return np.array([np.bincount(generator.integers(0, n, size=n), minlength=n) for _ in range(resamples)])


def tail(n: int, level: float, kind: str) -> float:
    """Which quantile the lower end is."""
    if kind == "percentile":
        return (1 - level) / 2
    t = stats.t.ppf(1 - (1 - level) / 2, n - 1)
    return float(stats.norm.cdf(-math.sqrt(n / (n - 1)) * t))


def ends(values: Array, n: int, level: float, kind: str) -> tuple[float, float]:
    """The interval of values over draws, undefined draws left out."""
    q = tail(n, level, kind)
    low, high = np.quantile(values[~np.isnan(values)], [q, 1 - q], method="linear")
    return float(low), float(high)


def p_value(world: World, a: str, b: str, resamples: int, seed: int) -> tuple[float, bool, int]:
    """The paired test: p, whether every pattern was evaluated, how many units differ."""
    x, y = world.counts[a], world.counts[b]
    differ = [i for i in range(len(x)) if not np.array_equal(x[i], y[i])]
    n = len(differ)
    sums, others, delta = x.sum(axis=0), y.sum(axis=0), (y - x)[differ]
    seen = abs(world.figure(sums) - world.figure(others))
    if n <= 16:
        patterns = np.array(list(itertools.product((0, 1), repeat=n))).reshape(2**n, n)
    else:
        generator = np.random.Generator(np.random.PCG64(seed))
        patterns = np.array([generator.integers(0, 2, size=n) for _ in range(resamples)])
    moved = patterns @ delta
    swapped = np.abs(world.figure(sums + moved) - world.figure(others - moved))
    large = int((swapped >= seen - 1e-12).sum())
    return (large / 2**n, True, n) if n <= 16 else ((1 + large) / (1 + resamples), False, n)


def corrected(p: Sequence[float], how: str) -> list[float]:
    """Holm, Benjamini-Hochberg, or nothing, by the textbook."""
    m, order = len(p), sorted(range(len(p)), key=lambda i: p[i])
    found = list(p)
    if how == "holm":
        highest = 0.0
        for rank, i in enumerate(order):
            highest = max(highest, (m - rank) * p[i])
            found[i] = min(1.0, highest)
    elif how == "benjamini-hochberg":
        lowest = 1.0
        for rank in range(m, 0, -1):
            i = order[rank - 1]
            lowest = min(lowest, p[i] * m / rank)
            found[i] = lowest
    return found


def ranks(values: Array) -> Array:
    """Rank of each column in each row: one more than how many are better."""
    return 1 + (values[:, None, :] > values[:, :, None] + 1e-12).sum(axis=2)

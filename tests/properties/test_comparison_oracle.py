"""Intervals, tests, ranks and contributions agree with a second computation of them."""

import math
from pathlib import Path

import numpy as np
import pytest

import comparison_oracle as oracle
import lydite

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = ("alder", "birch", "cedar")
NUGGET = (EXAMPLES / "gold.tbf", *(EXAMPLES / "systems" / f"{name}.tbf" for name in NAMES))
ARGUMENTS = (
    EXAMPLES / "arguments" / "annotation",
    *(EXAMPLES / "arguments" / "systems" / name for name in NAMES),
)
ACE = (EXAMPLES / "ace" / "gold", *(EXAMPLES / "ace" / "systems" / name for name in NAMES[:2]))
RESAMPLES, SEED, LEVEL = 400, 3, 0.95

CASES = [
    pytest.param("nugget", NUGGET, "type+realis.detection.micro.f1", math.nan, id="nugget"),
    pytest.param("nugget", NUGGET, "coref.kbp.f1", 0.0, id="mean-of-four"),
    pytest.param("nugget", NUGGET, "coref.blanc.f1", 0.0, id="blanc"),
    pytest.param("arguments", ARGUMENTS, "standard.assessed.f1", 0.0, id="arguments"),
    pytest.param("ace", ACE, "entity.ace-value.value", math.nan, id="ace-value"),
]


@pytest.mark.parametrize(("task", "files", "figure", "empty"), CASES)
def test_a_comparison_agrees_with_a_second_computation(
    task: str, files: tuple[Path, ...], figure: str, empty: float
) -> None:
    names = [str(path) for path in files]
    told = lydite.compare(
        *names, task=task, figure=figure, resamples=RESAMPLES, seed=SEED, level=LEVEL
    ).to_dict()
    world = oracle.World(lydite.score(*names, task=task).to_dict(), told["figure"], empty)
    n = len(world.units)
    assert told["units"]["count"] == n
    often = oracle.draws(n, RESAMPLES, SEED)
    systems = [row["system"] for row in told["systems"]]
    values = np.stack([world.figure(often @ world.counts[name]) for name in systems], axis=1)
    kept = values[~np.isnan(values).any(axis=1)]
    assert told["resampling"]["left_out"] == len(values) - len(kept)
    rank = oracle.ranks(kept)
    for j, row in enumerate(told["systems"]):
        assert row["figure"] == pytest.approx(total(world, row["system"]), abs=1e-9)
        expected = oracle.ends(values[:, j], n, LEVEL, "expanded")
        assert (row["low"], row["high"]) == pytest.approx(expected, abs=1e-9)
        ends = np.quantile(rank[:, j], [0.025, 0.975], method="inverted_cdf")
        assert [row["rank_low"], row["rank_high"]] == ends.tolist()
    tests = []
    for pair in told["pairs"]:
        a, b = pair["a"], pair["b"]
        difference = values[:, systems.index(a)] - values[:, systems.index(b)]
        assert pair["difference"] == pytest.approx(total(world, a) - total(world, b), abs=1e-9)
        expected = oracle.ends(difference, n, LEVEL, "expanded")
        assert (pair["low"], pair["high"]) == pytest.approx(expected, abs=1e-9)
        p, exact, changed = oracle.p_value(world, a, b, RESAMPLES, SEED)
        assert (pair["exact"], pair["changed_units"]) == (exact, changed)
        assert pair["p"] == pytest.approx(p, abs=1e-12)
        tests.append(p)
        for unit in pair["top_units"]:
            i = world.units.index(unit["unit"])
            moved = world.counts[b][i] - world.counts[a][i]
            after = world.figure(world.counts[a].sum(axis=0) + moved)
            assert unit["contribution"] == pytest.approx(total(world, a) - after, abs=1e-9)
    expected_p = oracle.corrected(tests, "holm")
    assert [pair["p_corrected"] for pair in told["pairs"]] == pytest.approx(expected_p, abs=1e-12)


def total(world: oracle.World, system: str) -> float:
    """The figure of the corpus."""
    return float(world.figure(world.counts[system].sum(axis=0)))

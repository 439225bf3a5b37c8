"""The selection cases: documents with mentions of targets, and the greedy choice among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from lydite.numerals import MOST_DIGITS, TOO_LARGE, is_whole
from lydite.verify.cases import RECORDED_DECIMALS, Case, CaseResult
from lydite_corpus.objective import DocumentPool, Objective, PoolTarget, Weights
from lydite_corpus.select import Limits, best_set, lazy_greedy, online_bound

MOST_MENTIONS = 10_000
"""How many mentions of a name one document of a case may have."""
_NAMES = {
    "L": "lower",
    "U": "upper",
    "lam": "beyond",
    "c": "forms",
    "w_alias": "alias",
    "w_variant": "variant",
    "w_conf": "confusable",
    "w_multi": "several",
    "w_star": "star",
}


def select(case: Case) -> CaseResult:
    """``ace.select``: greedy order, gains, F, the optimum by enumeration, the online bound; no hard limit, no clusters."""
    given = case.expected
    weights = _weights(given["parameters"])
    pool = _pool(given)
    objective, count = Objective(pool, weights), given["K"]
    limits = Limits(count)
    choice = lazy_greedy(objective, limits)
    value, (best, _) = objective.value(choice.documents), best_set(objective, count)
    found: dict[str, object] = {
        "greedy": [pool.documents[d] for d in choice.documents],
        "gains": [round(gain, RECORDED_DECIMALS) for gain in choice.gains],
        "F": round(value, RECORDED_DECIMALS),
        "optimum_F": round(best, RECORDED_DECIMALS),
        "ratio": round(value / best, RECORDED_DECIMALS),
        "online_bound": round(online_bound(objective, choice.documents, limits), RECORDED_DECIMALS),
    }
    return CaseResult({"expected": found}, input_keys=("parameters", "K", "targets", "documents"))


def _weights(given: Mapping[str, object]) -> Weights:
    """The weights of a case; parameters that no formula has are refused."""
    numbers = {_NAMES[key]: _finite(value, key) for key, value in given.items()}
    weights = Weights(**cast("dict[str, int]", numbers))  # whole numbers are checked below
    limits = weights.lower, weights.upper, weights.forms
    if not all(map(is_whole, limits)) or not 0 < weights.lower < weights.upper or weights.forms < 1:
        raise ValueError(f"expected whole numbers 0 < L < U and c > 0, found {limits!r:.80}")
    return weights


def _finite(value: object, name: str) -> float:
    """A number small enough to be multiplied by counts; ValueError for others."""
    if not isinstance(value, float | int) or isinstance(value, bool) or not abs(value) < TOO_LARGE:
        raise ValueError(f"{name}: expected a number below 10^{MOST_DIGITS}, found {value!r:.60}")
    return value


def _count(value: object, name: str) -> int:
    if not is_whole(value) or not 0 <= value <= MOST_MENTIONS:
        raise ValueError(f"{name}: expected 0 to {MOST_MENTIONS} mentions, found {value!r:.60}")
    return value


def _pool(given: Mapping[str, Any]) -> DocumentPool:
    targets = tuple(
        PoolTarget(
            entry["id"],
            _finite(entry["weight"], entry["id"]),
            tuple(form["kind"] for form in entry["forms"]),
            entry["confusable_group"],
        )
        for entry in given["targets"]
    )
    position = {target.id: place for place, target in enumerate(targets)}
    documents = sorted(given["documents"])
    mentions = {
        d: {
            (position[target], int(form)): _count(count, name)
            for target, forms in given["documents"][name]["mentions"].items()
            for form, count in forms.items()
        }
        for d, name in enumerate(documents)
    }
    stars = {d: _finite(given["documents"][name]["stars"], name) for d, name in enumerate(documents)}
    return DocumentPool(targets, tuple(documents), mentions, stars)

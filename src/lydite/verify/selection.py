"""The selection cases: documents with mentions of targets, and the greedy choice among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lydite.corpus.objective import Form, Objective, Pool, Target, Weights
from lydite.corpus.select import Limits, best_set, lazy_greedy, online_bound
from lydite.verify.cases import Case, Found

RECORDED_DECIMALS = 8
"""With so many decimals the figures are written down, at a tolerance that is finer."""
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


def select(case: Case) -> Found:
    """``ace.select``: greedy order, gains, F, the optimum by enumeration, the online bound; no hard limit, no clusters."""
    given = case.expected
    weights = Weights(**{_NAMES[key]: value for key, value in given["parameters"].items()})
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
    return Found({"expected": found}, read=("parameters", "K", "targets", "documents"))


def _pool(given: Mapping[str, Any]) -> Pool:
    targets = tuple(
        Target(
            entry["id"],
            entry["weight"],
            tuple(Form(form["text"], form["kind"]) for form in entry["forms"]),
            entry["confusable_group"],
        )
        for entry in given["targets"]
    )
    position = {target.id: place for place, target in enumerate(targets)}
    documents = sorted(given["documents"])
    mentions = {
        d: {
            (position[target], int(form)): count
            for target, forms in given["documents"][name]["mentions"].items()
            for form, count in forms.items()
        }
        for d, name in enumerate(documents)
    }
    stars = {d: given["documents"][name]["stars"] for d, name in enumerate(documents)}
    return Pool(targets, tuple(documents), mentions, stars)

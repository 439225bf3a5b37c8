"""The data of the report on a choice of documents: figures, and bars with their widths."""

from __future__ import annotations

from typing import NamedTuple

from lydite_corpus.quality_page import facts
from lydite_corpus.selection import Quality, Selection

WIDTH = 200
"""The width of a full bar."""


class QualityBar(NamedTuple):
    """A bar of a chart: its name, its figure as text, its width, its style, and a remark."""

    name: str
    figure: str
    width: float
    kind: str = ""
    beside: str = ""


def selection_data(selection: Selection) -> dict[str, object]:
    """The figures and charts of the report."""
    quality = selection.quality
    return {
        "facts": list(facts(quality)),
        "value_bars": _value_bars(quality),
        "target_bars": _target_bars(quality),
        "mixes": {
            name: [
                QualityBar(value or "none", f"{chosen:.1%}", WIDTH * chosen, beside=f"{pool:.1%}")
                for value, (pool, chosen) in shares.items()
            ]
            for name, shares in quality.mix.items()
        },
        "chosen": selection.documents,
    }


def _value_bars(quality: Quality) -> list[QualityBar]:
    """The value of the choice, its bound, and the means of random choices."""
    values = [("this choice", quality.value), ("bound", quality.bound)]
    for name, drawn in (("stratified, mean", quality.stratified), ("random, mean", quality.random)):
        if drawn:
            values.append((name, sum(drawn) / len(drawn)))
    most = max((value for _, value in values), default=0) or 1
    return [QualityBar(name, f"{value:.4f}", WIDTH * value / most) for name, value in values]


def _target_bars(quality: Quality) -> list[QualityBar]:
    return [
        QualityBar(
            one.target,
            str(one.mentions),
            WIDTH * min(1.0, one.mentions / quality.upper),
            "low" if one.mentions < quality.lower else "high" if one.mentions > quality.upper else "",
            f"{one.pool} in the pool, {one.forms} of {one.all_forms} aliases and variants",
        )
        for one in quality.targets
    ]

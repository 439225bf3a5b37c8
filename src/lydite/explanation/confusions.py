"""Confusion matrices: which value the system has where gold has which, with missed and spurious items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lydite.errors import UsageError
from lydite.explanation.passes import Inputs
from lydite.model.settings import C, S
from lydite.model.verdict import MISSED, SPURIOUS, ConfusionMatrix, confused_value
from lydite.registry import near_or_known


def count_confusions(inputs: Inputs[S, C], attributes: Iterable[str]) -> dict[str, ConfusionMatrix]:
    """The confusion matrices of these attributes, from one pass over all compared documents."""
    known = inputs.explainer.confusions
    counts: dict[str, Counter[tuple[str, str]]] = {attribute: Counter() for attribute in attributes}
    for attribute in counts:
        if attribute not in known:
            message = f"--confusion {attribute}: task {inputs.task.name} has no such confusion"
            raise UsageError(message, hint=near_or_known(attribute, known))
    for explained in inputs.explained() if counts else ():
        for attribute, cells in counts.items():
            for gold, system in known[attribute](explained.comparison, inputs.settings):
                row = SPURIOUS if gold is None else confused_value(gold)
                cells[row, MISSED if system is None else confused_value(system)] += 1
    matrices = {}
    for attribute, cells in counts.items():
        values = sorted({value for cell in cells for value in cell} - {MISSED, SPURIOUS})
        rows, columns = (*values, SPURIOUS), (*values, MISSED)
        table = tuple(tuple(cells[row, column] for column in columns) for row in rows)
        matrices[attribute] = ConfusionMatrix(attribute, rows, columns, table)
    return matrices

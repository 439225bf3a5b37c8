"""Which value was found where gold has which: counts of pairs, with what was missed and what is spurious."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from lydite.errors import UsageError
from lydite.explanation.passes import Inputs
from lydite.model.verdict import ConfusionDocument
from lydite.pipeline import C, S
from lydite.registry import did_you_mean

MISSED, SPURIOUS = "(missed)", "(spurious)"


class ConfusionMatrix(NamedTuple):
    """Gold values in rows, found ones in columns; the last row and column hold what has no partner."""

    attribute: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]

    def to_dict(self) -> ConfusionDocument:
        """As it stands in the explanation document."""
        return {
            "rows": list(self.rows),
            "columns": list(self.columns),
            "counts": [list(row) for row in self.counts],
        }

    def largest(self) -> list[tuple[str, str, int]]:
        """The cells where gold and system differ, largest first: gold value, found value, how often."""
        cells = [
            (row, column, count)
            for row, line in zip(self.rows, self.counts, strict=True)
            for column, count in zip(self.columns, line, strict=True)
            if count and row != column
        ]
        return sorted(cells, key=lambda cell: (-cell[2], cell[0], cell[1]))

    @property
    def agreeing(self) -> int:
        """How many pairs agree."""
        return sum(
            count
            for row, line in zip(self.rows, self.counts, strict=True)
            for column, count in zip(self.columns, line, strict=True)
            if row == column
        )


def confusion(inputs: Inputs[S, C], attribute: str) -> ConfusionMatrix:
    """The confusion of an attribute over all compared documents."""
    known = inputs.explainer.confusions
    if attribute not in known:
        hint = did_you_mean(attribute, list(known)) or f"known: {', '.join(known)}"
        raise UsageError(f"--confusion {attribute}: task {inputs.task.name} has no such confusion", hint=hint)
    counts: Counter[tuple[str, str]] = Counter()
    for explained in inputs.explained():
        for gold, system in known[attribute](explained.comparison, inputs.settings):
            counts[SPURIOUS if gold is None else gold, MISSED if system is None else system] += 1
    values = sorted({value for cell in counts for value in cell} - {MISSED, SPURIOUS})
    rows, columns = (*values, SPURIOUS), (*values, MISSED)
    table = tuple(tuple(counts[row, column] for column in columns) for row in rows)
    return ConfusionMatrix(attribute, rows, columns, table)

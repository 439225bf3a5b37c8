"""Agreement of annotators: kappa of paired items, means over pairs of annotators."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from math import fsum
from typing import cast

from lydite.frozen import FrozenDict, frozen
from lydite.grouping import grouped
from lydite.model import Summary
from lydite.model.agreement import Agreement, Contingency, MeanAgreement, PairAgreement, add_tables


def kappa(table: Contingency) -> float | None:
    """Cohen's kappa (1960) of a contingency table: κ = (po − pe)/(1 − pe).

    po is the share of pairs with equal values, pe the share expected from how often each side uses each value.
    Undefined without pairs and if pe = 1.  Both shares have the denominator n², so that only the last division rounds.
    """
    rows = {name: sum(columns.values()) for name, columns in table.items()}
    columns: Counter[str] = Counter()
    for cells in table.values():
        columns.update(cells)
    total = sum(rows.values())
    equal = sum(cells.get(name, 0) for name, cells in table.items())
    expected = sum(count * columns[name] for name, count in rows.items())
    return None if total * total == expected else (equal * total - expected) / (total * total - expected)


def agreement_of_pair(first: str, second: str, summary: Summary) -> PairAgreement:
    """The agreement of two annotators from a summary with diagnosis.

    The diagnosis has the contingency tables of paired items under ``agreement``, by attribute.  Attributes that are not
    compared, because the files of one annotator lack them for instance, have no kappa.
    """
    entries = [entry.get("agreement", {}) for entry in summary.diagnosis.get("documents", ())]
    attributes = dict.fromkeys(name for entry in entries for name in entry)
    compared = cast("Collection[str]", summary.settings.get("attributes", attributes))
    names = [name for name in attributes if name in compared]
    tables = {name: add_tables(entry[name] for entry in entries if name in entry) for name in names}
    summary = replace(summary, diagnosis=frozen(summary.diagnosis))
    kappas = FrozenDict({name: kappa(table) for name, table in tables.items()})
    return PairAgreement(first, second, summary, frozen(tables), kappas)


def agreement_of_all(
    task: str, profile: str, annotators: Sequence[str], pairs: Sequence[PairAgreement]
) -> Agreement:
    """All pairs, with the means of F1 and kappa over the pairs in which they are defined."""
    figures = grouped(
        ((row.measurement, row.metric, row.average), row.score.f1)
        for pair in pairs
        for row in pair.summary.corpus_rows()
    )
    attributes = dict.fromkeys(name for pair in pairs for name in pair.kappa)
    return Agreement(
        task=task,
        profile=profile,
        annotators=tuple(annotators),
        pairs=tuple(pairs),
        means=tuple(MeanAgreement(*key, mean(values)) for key, values in figures.items()),
        mean_kappa=FrozenDict({name: mean([pair.kappa.get(name) for pair in pairs]) for name in attributes}),
    )


def mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are defined; undefined if none is."""
    defined = [value for value in values if value is not None]
    return fsum(defined) / len(defined) if defined else None

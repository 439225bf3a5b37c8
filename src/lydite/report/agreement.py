"""Agreement of annotators as tables."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model import ScoreRow
from lydite.model.agreement import Agreement, PairAgreement
from lydite.records import NamedTuple
from lydite.report.tables import UNDEFINED, Table, breakdown, percent

_Key = tuple[str, str, str | None]


def tables(agreement: Agreement) -> list[Table]:
    """All pairs; for two annotators also the parts of the headline and which value stands where which other one does."""
    shown = [pairs(agreement)]
    if len(agreement.pairs) == 1:
        (pair,) = agreement.pairs
        for attribute in pair.contingency:
            parts = breakdown(pair.summary, attribute)
            shown += [parts] if parts is not None else []
            shown += [contingency(pair, attribute)] if pair.contingency[attribute] else []
    return shown


def kappa_text(figure: float | None) -> str:
    """Kappa with four decimals: it is not a share and can be negative."""
    return UNDEFINED if figure is None else f"{figure:.4f}"


class _Figure(NamedTuple):
    """One line of the overview: what was measured, and the figure of every pair, then the mean if there are several."""

    measurement: str
    metric: str
    shown: tuple[str, ...]


def pairs(agreement: Agreement) -> Table:
    """F1 of every measurement and kappa of every attribute, for every pair of annotators, and the means.

    Pairs stand in rows where there are more of them than figures, else in columns: a table should be long, not wide.
    """
    figures = [*_f1s(agreement), *_kappas(agreement)]
    names = [(pair.first, pair.second) for pair in agreement.pairs]
    if len(names) > 1:
        names.append(("mean", ""))
    title = f"agreement of {len(agreement.annotators)} annotators, F1 and kappa"
    if len(names) > len(figures):
        columns = ("first", "second", *(f"{one.measurement} {one.metric}".strip() for one in figures))
        rows = [(*name, *(one.shown[place] for one in figures)) for place, name in enumerate(names)]
    else:
        columns = ("measurement", "metric", *("–".join(filter(None, name)) for name in names))
        rows = [(one.measurement, one.metric, *one.shown) for one in figures]
    return Table(title, columns, tuple(rows), text_columns=2, names_in_columns=len(columns) - 2)


def _f1s(agreement: Agreement) -> Iterator[_Figure]:
    """What has an F1; ACE values have none and are left to the figures weighed by them."""
    rows = [_totals(pair) for pair in agreement.pairs]
    means = {(mean.measurement, mean.metric, mean.average): mean.f1 for mean in agreement.means}
    for key in dict.fromkeys(key for row in rows for key in row):
        found = [row[key].score.f1 if key in row else None for row in rows]
        if all(figure is None for figure in found):
            continue
        if len(rows) > 1:
            found.append(means[key])
        yield _Figure(key[0], key[1], tuple(map(percent, found)))


def _kappas(agreement: Agreement) -> Iterator[_Figure]:
    for name, mean in agreement.mean_kappa.items():
        found = [pair.kappa.get(name) for pair in agreement.pairs]
        if len(found) > 1:
            found.append(mean)
        yield _Figure("kappa", name, tuple(map(kappa_text, found)))


def _totals(pair: PairAgreement) -> dict[_Key, ScoreRow]:
    rows = (row for row in pair.summary.corpus_rows() if row.average in {"micro", None})
    return {(row.measurement, row.metric, row.average): row for row in rows}


def contingency(pair: PairAgreement, attribute: str) -> Table:
    """Which value of the first annotator stands where the second has which."""
    table = pair.contingency[attribute]
    columns = sorted({column for cells in table.values() for column in cells})
    rows = tuple(
        (row, *(str(cells.get(column, 0)) for column in columns)) for row, cells in sorted(table.items())
    )
    return Table(
        f"{attribute}: {pair.first} in rows, {pair.second} in columns",
        (attribute, *columns),
        rows,
        names_in_columns=len(columns),
    )

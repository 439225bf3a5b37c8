"""Agreement of annotators as tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lydite.model import ScoreRow
from lydite.model.agreement import Agreement, PairAgreement
from lydite.report.tables import UNDEFINED, Table, breakdown, percent

_Key = tuple[str, str, str | None]


def tables(agreement: Agreement) -> list[Table]:
    """The table of pairs; for two annotators also breakdowns of the headline and contingency tables."""
    found = [pairs_table(agreement)]
    if len(agreement.pairs) == 1:
        (pair,) = agreement.pairs
        for attribute in pair.contingency:
            parts = breakdown(pair.summary, attribute)
            found += [parts] if parts is not None else []
            if contingency := pair.contingency[attribute]:
                columns = sorted({column for cells in contingency.values() for column in cells})
                rows = tuple(
                    (row, *(str(cells.get(key, 0)) for key in columns))
                    for row, cells in sorted(contingency.items())
                )
                title = f"{attribute}: {pair.first} in rows, {pair.second} in columns"
                found.append(Table(title, (attribute, *columns), rows, names_in_columns=len(columns)))
    return found


def kappa_text(figure: float | None) -> str:
    """Kappa with four decimals: it is not a share and can be negative."""
    return UNDEFINED if figure is None else f"{figure:.4f}"


class _FigureLine(NamedTuple):
    """A figure of every pair, as text, and its mean if there are several pairs."""

    measurement: str
    metric: str
    cells: tuple[str, ...]


def pairs_table(agreement: Agreement) -> Table:
    """F1 of every measurement and kappa of every attribute, for every pair of annotators, and the means.

    Pairs stand in rows if there are more pairs than figures, else in columns, so that the table is long and not wide.
    """
    figures = [*_f1_lines(agreement)]
    for attribute, mean in agreement.mean_kappa.items():
        kappas = [*(pair.kappa.get(attribute) for pair in agreement.pairs)]
        kappas += [mean] if len(kappas) > 1 else []
        figures.append(_FigureLine("kappa", attribute, tuple(map(kappa_text, kappas))))
    names = [(pair.first, pair.second) for pair in agreement.pairs]
    if len(names) > 1:
        names.append(("mean", ""))
    title = f"agreement of {len(agreement.annotators)} annotators, F1 and kappa"
    if len(names) > len(figures):
        columns = ("first", "second", *(f"{line.measurement} {line.metric}".strip() for line in figures))
        rows = [(*name, *(line.cells[place] for line in figures)) for place, name in enumerate(names)]
    else:
        columns = ("measurement", "metric", *("–".join(filter(None, name)) for name in names))
        rows = [(line.measurement, line.metric, *line.cells) for line in figures]
    return Table(title, columns, tuple(rows), text_columns=2, names_in_columns=len(columns) - 2)


def _f1_lines(agreement: Agreement) -> Iterator[_FigureLine]:
    """The totals that have an F1, which ACE values have not."""
    totals = [_totals(pair) for pair in agreement.pairs]
    means = {(mean.measurement, mean.metric, mean.average): mean.f1 for mean in agreement.means}
    for key in dict.fromkeys(key for rows in totals for key in rows):
        figures = [rows[key].score.f1 if key in rows else None for rows in totals]
        if all(figure is None for figure in figures):
            continue
        if len(figures) > 1:
            figures.append(means[key])
        yield _FigureLine(key[0], key[1], tuple(map(percent, figures)))


def _totals(pair: PairAgreement) -> dict[_Key, ScoreRow]:
    rows = (row for row in pair.summary.corpus_rows() if row.average in {"micro", None})
    return {(row.measurement, row.metric, row.average): row for row in rows}

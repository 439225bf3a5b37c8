"""Agreement of annotators as tables."""

from __future__ import annotations

from lydite.model import ScoreRow
from lydite.model.agreement import Agreement, PairAgreement
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
    """Kappa with four decimals: it is no share and can be negative."""
    return UNDEFINED if figure is None else f"{figure:.4f}"


def pairs(agreement: Agreement) -> Table:
    """One line per pair of annotators: F1 of every measurement, kappa of every attribute; the means below."""
    rows = [_totals(pair) for pair in agreement.pairs]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    lines = [
        (
            pair.first,
            pair.second,
            *(percent(totals[key].score.f1) if key in totals else "" for key in keys),
            *(kappa_text(pair.kappa.get(name)) for name in agreement.mean_kappa),
        )
        for pair, totals in zip(agreement.pairs, rows, strict=True)
    ]
    if len(lines) > 1:
        means = {(mean.measurement, mean.metric, mean.average): mean.f1 for mean in agreement.means}
        kappas = map(kappa_text, agreement.mean_kappa.values())
        lines.append(("mean", "", *(percent(means[key]) for key in keys), *kappas))
    several = len({metric for _, metric, _ in keys}) > 1
    names = [f"{measurement} {metric}" if several else measurement for measurement, metric, _ in keys]
    return Table(
        title=f"agreement of {len(agreement.annotators)} annotators, F1",
        columns=("first", "second", *names, *(f"kappa {name}" for name in agreement.mean_kappa)),
        rows=tuple(lines),
        text_columns=2,
    )


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
    return Table(f"{attribute}: {pair.first} in rows, {pair.second} in columns", (attribute, *columns), rows)

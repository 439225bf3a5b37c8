"""How the total would change if one part of the items were perfect."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import fsum, isclose
from operator import mul
from types import MappingProxyType

from lydite.errors import UsageError
from lydite.model import ScoreRow, Summary, Tally
from lydite.model.tally import Counts, amount, counts_of

Change = tuple[str, str, tuple[float, float, float]]
"""System, part, and the change of the total if precision, recall or both of the part were perfect."""

ChangeFunction = Callable[[Counts, Counts], tuple[float, float, float, float]]
"""Counts of the total and of a part → the total as it is, and with perfect precision, recall, both of the part."""

Weights = Mapping[tuple[str, str], Sequence[float]]
"""The weights of the parts of a mean, by measurement and metric; without them they are equal."""

LeftOut = Collection[tuple[str, str, str, str | None]]
"""System, measurement, metric and id of documents whose counts are not in the total."""


def what_if(
    summary: Summary, attribute: str, left_out: LeftOut = (), weights: Weights = MappingProxyType({})
) -> list[Change]:
    """The changes for every part of the headline (or of what :meth:`Summary.parts` has for it), largest first.

    Errors in documents that the total leaves out cost nothing: the rows by part of those documents are subtracted.
    """
    changes: list[Change] = []
    uncounted: dict[tuple[str, ...], list[Counts]] = {}
    for row in summary.rows if left_out else ():
        if (row.system, row.measurement, row.metric, row.document) in left_out:
            uncounted.setdefault(_place(row, attribute), []).append(row.tally)
    for part in summary.parts(attribute):
        total = _total(summary, part)
        change = _change_function(
            total, weights.get((total.measurement, total.metric), ()), by_document=part.scope == "document"
        )
        *_, value = place = _place(part, attribute)
        now, *mended = change(total.tally, _subtract(part.tally, uncounted.get(place, ())))
        perfect_precision, perfect_recall, perfect_both = (figure - now for figure in mended)
        changes.append((part.system, value, (perfect_precision, perfect_recall, perfect_both)))
    return sorted(changes, key=lambda change: (change[0], -change[2][2], change[1]))


def _place(row: ScoreRow, attribute: str) -> tuple[str, ...]:
    """System, measurement, metric and part of a row."""
    value = row.by.get(attribute, "") if row.by else row.document or ""
    return row.system, row.measurement, row.metric, *row.by, value


def _subtract(counts: Counts, others: Iterable[Counts]) -> Counts:
    for other in others:
        counts = {name: amount(counts, name) - amount(other, name) for name in counts}
    return counts


def _total(summary: Summary, part: ScoreRow) -> ScoreRow:
    key = part.system, part.measurement, part.metric
    rows = [row for row in summary.corpus_rows() if (row.system, row.measurement, row.metric) == key]
    return next((row for row in rows if row.average == "micro"), rows[0])


def _change_function(total: ScoreRow, weights: Sequence[float], *, by_document: bool) -> ChangeFunction:
    """The function that gives the total from its counts; refused if it does not give the figure of the row."""
    figure = total.score.value if total.score.f1 is None else total.score.f1
    # A mean of metrics has no precision; a mean over types leaves out types that both sides lack.
    mean = partial(_mean_f1, weights=weights) if total.score.precision is None else _mean_f1_of_types
    change: ChangeFunction = partial(_change_f1, mean=mean, by_document=by_document)
    if "gold_value" in total.tally:
        change = _change_value
    try:
        now = change(total.tally, total.tally)[0]
    except (KeyError, TypeError):
        now = None
    # The counts of a macro average are figures of documents, whatever they are called.
    if total.average == "macro" or now is None or not isclose(now, figure or 0.0, abs_tol=1e-9):
        raise UsageError(
            f"--what-if: {total.measurement} {total.metric} does not follow from counts that parts share",
            hint="leave --what-if out, or choose another --profile",
        )
    return change


def _change_value(total: Counts, part: Counts) -> tuple[float, float, float, float]:
    """The ACE value: precision is perfect without false alarms, recall if nothing is missed or wrong."""
    alarms = amount(part, "spurious_cost")
    faults = fsum(amount(part, name) for name in ("missed_cost", "error_cost", "correct_cost"))
    lost = [amount(total, name) for name in ("missed_cost", "error_cost", "correct_cost", "spurious_cost")]
    whole: float = amount(total, "gold_value")

    def value(*regained: float) -> float:
        return fsum((whole, *regained, *(-cost for cost in lost))) / whole if whole else 0.0

    return value(), value(alarms), value(faults), value(alarms, faults)


def _change_f1(
    total: Counts, part: Counts, *, mean: Callable[[Iterable[Tally]], float], by_document: bool
) -> tuple[float, float, float, float]:
    """F1, or a mean of F1s: precision is perfect without false alarms, recall if what was missed is found.

    A document without either is as gold has it, also where the sides earn different credit (B³, LEA).  A type is not:
    items of other types may have found what gold has of it.
    """
    parts = dict(_tallies(part))
    whole_and_part = [(whole, parts.get(name, Tally())) for name, whole in _tallies(total)]

    def mended(*, precision: bool, recall: bool) -> Iterator[Tally]:
        for whole, one in whole_and_part:
            alarms = one.system_total - one.system_credit if precision else 0
            missed = one.gold_total - one.gold_credit if recall else 0
            added = one.gold_total - one.system_credit if recall and by_document else missed
            yield whole + Tally(missed, 0, added, added - alarms)

    return (
        mean(whole for whole, _ in whole_and_part),
        mean(mended(precision=True, recall=False)),
        mean(mended(precision=False, recall=True)),
        mean(mended(precision=True, recall=True)),
    )


def _tallies(counts: Counts) -> list[tuple[str, Tally]]:
    """The counts as plain tallies by name: one, or one for each metric or type of a mean."""
    if all(isinstance(value, Mapping) for value in counts.values()):
        return [(name, tally) for name in counts for _, tally in _tallies(counts_of(counts, name))]
    if "alarms" in counts:
        # triples of one rule, which gold does not have
        return [("", Tally(0, 0, 0, amount(counts, "alarms")))]
    earned = "covered" if "gold_covered" in counts else "credit"
    names = f"gold_{earned}", "gold_total", f"system_{earned}", "system_total"
    if "correct" in counts:
        totals = ("gold", "system") if "gold" in counts else ("gold_total", "system_total")
        names = "correct", totals[0], "correct", totals[1]
    return [("", Tally(*(amount(counts, name) for name in names)))]


def _mean_f1(tallies: Iterable[Tally], weights: Sequence[float] = ()) -> float:
    figures = [tally.score(empty="zero").f1 or 0.0 for tally in tallies]
    weights = weights or (1,) * len(figures)
    return fsum(map(mul, weights, figures)) / fsum(weights) if figures else 0.0


def _mean_f1_of_types(tallies: Iterable[Tally]) -> float:
    return _mean_f1(tally for tally in tallies if tally.gold_total or tally.system_total)

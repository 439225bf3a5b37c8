"""What a metric counts, and the score that follows from it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, attrgetter
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    NamedTuple,
    NoReturn,
    Protocol,
    Self,
    TypeAlias,
    TypeVar,
    cast,
    overload,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    """One number for each of many resampled corpora; NaN is undefined."""

Empty = Literal["undefined", "zero", "one"]
"""A profile's answer to 0/0."""

T = TypeVar("T")

TINY = 1e-12
"""Figures that differ by no more than this are equal."""

_ANSWERS: dict[str, float | None] = {"undefined": None, "zero": 0.0, "one": 1.0}


class Score(NamedTuple):
    """Precision, recall and F1 as fractions of one; None is undefined.  ``value`` is for metrics that are no P/R/F."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    value: float | None = None

    @classmethod
    def of(cls, precision: float | None, recall: float | None, *, empty: Empty = "undefined") -> Score:
        """P and R with their harmonic mean 2PR/(P+R); P + R = 0 is answered like any other 0/0."""
        return cls(precision, recall, harmonic_mean(precision, recall, empty=empty))

    @classmethod
    def of_credit(
        cls, credit: float, system_total: float, gold_total: float, *, empty: Empty = "undefined"
    ) -> Score:
        """P, R and F1 of what is right, out of what each side has."""
        precision, recall = ratio(credit, system_total, empty=empty), ratio(credit, gold_total, empty=empty)
        return cls.of(precision, recall, empty=empty)

    def __add__(self, other: object) -> NoReturn:
        raise TypeError(
            "scores do not add up; tallies do: use lydite.Metric, or documents=True of lydite.coref, for a corpus"
        )

    def __radd__(self, other: object) -> NoReturn:
        self.__add__(other)

    def f_beta(self, beta: float) -> float | None:
        """(1+β²)PR/(β²P+R): recall weighs β times as much as precision; 0 if both are 0, undefined if either is.

        It follows from P and R alone, so for metrics with an F1 of their own (BLANC, means) β = 1 gives another figure.
        """
        if self.precision is None or self.recall is None:
            return None
        divisor = beta * beta * self.precision + self.recall
        return (1 + beta * beta) * self.precision * self.recall / divisor if divisor else 0.0


# The formulas below also work on arrays, one entry for each of many corpora, so that resampled counts are scored by
# the same formulas as counted ones.  NaN stands for an undefined figure there.


@overload
def ratio(numerator: float, denominator: float, *, empty: Empty = ...) -> float | None: ...
@overload
def ratio(numerator: Array, denominator: Array, *, empty: Empty = ...) -> Array: ...
def ratio(
    numerator: float | Array, denominator: float | Array, *, empty: Empty = "undefined"
) -> float | Array | None:
    """The fraction, or the profile's answer if the denominator is 0."""
    if isinstance(denominator, int | float):
        return numerator / denominator if denominator else _ANSWERS[empty]
    import numpy as np

    answer = _ANSWERS[empty]
    shape = np.broadcast_shapes(np.shape(numerator), denominator.shape)
    found = np.full(shape, np.nan if answer is None else answer)
    np.divide(numerator, denominator, out=found, where=denominator != 0)
    return found


@overload
def harmonic_mean(precision: float | None, recall: float | None, *, empty: Empty = ...) -> float | None: ...
@overload
def harmonic_mean(precision: Array, recall: Array, *, empty: Empty = ...) -> Array: ...
def harmonic_mean(
    precision: float | Array | None, recall: float | Array | None, *, empty: Empty = "undefined"
) -> float | Array | None:
    """2PR/(P+R); undefined if either is, and 0/0 by the profile's answer (an answer of one never makes an F1 of one)."""
    if precision is None or recall is None:
        return None
    if not (isinstance(precision, int | float) and isinstance(recall, int | float)):
        divisor: Any = precision + recall
        return ratio(2 * precision * recall, divisor, empty="undefined" if empty == "undefined" else "zero")
    if precision + recall == 0:
        return None if empty == "undefined" else 0.0
    return 2 * precision * recall / (precision + recall)


@overload
def or_zero(figure: float | None) -> float: ...
@overload
def or_zero(figure: Array) -> Array: ...
def or_zero(figure: float | Array | None) -> float | Array:
    """The figure, 0 where it is undefined."""
    if figure is None or isinstance(figure, int | float):
        return figure or 0.0
    import numpy as np

    return np.nan_to_num(figure, nan=0.0)


def total(*amounts: float) -> float:
    """The sum; of numbers the correctly rounded one."""
    return math.fsum(amounts) if all(isinstance(amount, int | float) for amount in amounts) else sum(amounts)


def where(condition: bool, then: T, otherwise: T) -> T:
    """One of two numbers by a condition; of arrays, entry by entry."""
    if getattr(condition, "ndim", 0) == 0:
        return then if condition else otherwise
    import numpy as np

    return cast("T", np.where(condition, then, otherwise))  # type: ignore[call-overload]


Counts: TypeAlias = Mapping[str, object]
"""Counts by name: numbers, texts that hold a fraction exactly, counts of parts."""


def amount(counts: Counts, name: str) -> Any:
    """A count by its name: a number, or an array with one number for each of many corpora."""
    return counts[name]


def counts_of(counts: Counts, name: str) -> Counts:
    """The counts of a part by its name."""
    part = counts[name]
    assert isinstance(part, Mapping)
    return part


class Figures(Protocol):
    """An additive record of counts that knows the score it stands for.

    :class:`Tally` is the usual one.  A metric whose score is not plain P/R brings its own; ``as_dict`` is what the
    summary document shows under ``tally``, and all its values must be additive.
    """

    def __add__(self, other: Self) -> Self: ...

    def score(self, *, empty: Empty = ...) -> Score:
        """The score of these counts."""

    def as_dict(self) -> Counts:
        """The counts by name."""

    def from_counts(self, counts: Counts) -> Figures:
        """A record of this kind from the counts of ``as_dict``: numbers, or arrays with one entry for each corpus."""


class Additive:
    """Base of the frozen records of counts that add field by field.

    The counts have the names of the fields; those of a record inside the record stand among them.
    """

    __slots__: tuple[str, ...] = ()

    in_any_order: ClassVar[bool] = False
    """Whether all counts are whole numbers or exact fractions, so that neither order nor grouping changes a sum."""

    def __add__(self, other: Self) -> Self:
        counts = _reader(type(self))
        return self._of(map(add, counts(self), counts(other)))

    def sum_of(self, records: Sequence[Self]) -> Self:
        """The records added from left to right, with one record made in the end."""
        rows = map(_reader(type(self)), records)
        return self._of([reduce(add, column) for column in zip(*rows, strict=True)])

    def as_dict(self) -> dict[str, object]:
        """The counts by name."""
        counts: dict[str, object] = {}
        for name in self.__slots__:
            count = getattr(self, name)
            counts.update(count.as_dict() if isinstance(count, Additive) else {name: count})
        return counts

    def from_counts(self, counts: Counts) -> Self:
        """The inverse of :meth:`as_dict`."""
        held = ((name, getattr(self, name)) for name in self.__slots__)
        return self._of(
            count.from_counts(counts) if isinstance(count, Additive) else counts[name] for name, count in held
        )

    def _of(self, counts: Iterable[object]) -> Self:
        return type(self)(*counts)


_READERS: dict[type, Callable[[object], Iterable[object]]] = {}


def _reader(kind: type) -> Callable[[object], Iterable[object]]:
    """A function that reads the counts of a record of this kind as a row."""
    if kind not in _READERS:
        names: tuple[str, ...] = vars(kind)["__slots__"]
        one = names[0]
        _READERS[kind] = attrgetter(*names) if len(names) > 1 else lambda record: (getattr(record, one),)
    return _READERS[kind]


def sum_of(figures: Sequence[Figures]) -> Figures:
    """Add counts of one kind from left to right; there is at least one."""
    many: Callable[[Sequence[Figures]], Figures] | None = getattr(figures[0], "sum_of", None)
    return reduce(add, figures) if many is None else many(figures)


@dataclass(frozen=True, slots=True)
class Tally(Additive):
    """Credit earned out of credit possible, on each side.

    precision = system_credit / system_total and recall = gold_credit / gold_total.  Tallies add; scores do not.
    """

    gold_credit: float = 0
    gold_total: float = 0
    system_credit: float = 0
    system_total: float = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """P, R and F1; ``empty`` answers 0/0."""
        return Score.of(
            ratio(self.system_credit, self.system_total, empty=empty),
            ratio(self.gold_credit, self.gold_total, empty=empty),
            empty=empty,
        )


@dataclass(frozen=True, slots=True)
class Share(Additive):
    """A part of a whole: the counts of an accuracy, or a sum of values and their number.

    Its score is the value ``part / whole``, without precision, recall and F1.
    """

    part: float = 0
    whole: float = 0

    def score(self, *, empty: Empty = "undefined") -> Score:
        """The share, as a value."""
        return Score(value=ratio(self.part, self.whole, empty=empty))


def ranks(figures: Sequence[float | None]) -> list[int]:
    """One more than the number of systems that are better by more than 1e-12; undefined figures come last."""
    values = [float("-inf") if figure is None else figure for figure in figures]
    return [1 + sum(other - value > TINY for other in values if other != value) for value in values]

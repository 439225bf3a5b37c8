"""Weighted coverage: what a set of documents is worth for an evaluation of targets.

::

    F(X) = Σ_e w_e [ min(n_e, L)/L + λ min(max(n_e − L, 0), U − L)/(U − L) ]        enough mentions, not too many
         + Σ_aliases w_alias min(n, c)/c + Σ_variants w_variant min(n, c)/c          every form of a name
         + Σ_{e confusable} w_conf min(n_e, c)/c
         + Σ_{d, t_d > 1} w_multi (ln(1 + t_d) − ln 2)                               documents with several targets
         + Σ_d w_star stars_d / 5

Every term is a concave function of a count, so F is monotone and submodular.  Counts are whole numbers: each counter (a
target, a form, a type with a quota) has a table of values for 0, 1, 2, …, and is constant beyond its end.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from lydite.corpus.profiles import ALIAS, VARIANT
from lydite.records import NamedTuple, dataclass, field

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_STARS = 5
LONG_TABLE = 10_000
"""Longer tables end where the mentions of the pool do: a limit of billions must not cost billions of values."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of the formula."""

    lower: int = 5
    upper: int = 100
    beyond: float = 0.25
    """λ: what all mentions between the lower and the upper limit are worth."""
    forms: int = 3
    """c: so many mentions of a form are enough."""
    alias: float = 2.0
    variant: float = 1.0
    confusable: float = 10.0
    several: float = 0.5
    star: float = 0.2
    quota: float = 10.0
    """What the quota of a type is worth."""


class PoolTarget(NamedTuple):
    """A target as the formula sees it: of each of its names only whether it is ``handle``, ``alias`` or ``variant``."""

    id: str
    weight: float
    forms: tuple[str, ...]
    group: str | None = None
    type: str = ""


Mentions = Mapping[tuple[int, int], int]
"""How often each (target, form) stands in a document, by their positions."""


@dataclass(frozen=True, slots=True)
class DocumentPool:
    """The documents to choose from, in the order of their ids.

    ``mentions`` has an entry only for documents that mention a target.
    """

    targets: tuple[PoolTarget, ...]
    documents: tuple[str, ...]
    mentions: Mapping[int, Mentions]
    stars: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypeQuota:
    """At least so many mentions of targets of a type, as a term of the formula."""

    type: str
    count: int


class Objective:
    """F over a pool, in whole counts.

    The first counters are those of the targets.  ``ends``, ``counters`` and ``amounts`` hold for document d what it adds
    to which counter, at ``ends[d]`` to ``ends[d + 1]``.
    """

    def __init__(self, pool: DocumentPool, weights: Weights, quotas: Sequence[TypeQuota] = ()) -> None:
        self.pool, self.weights, self.quotas = pool, weights, tuple(quotas)
        self._most = max(LONG_TABLE, sum(sum(mentions.values()) for mentions in pool.mentions.values()))
        self.tables: list[list[float]] = [self._target_table(target) for target in pool.targets]
        self.form_counter: dict[tuple[int, int], int] = {}
        for position, target in enumerate(pool.targets):
            for number, kind in enumerate(target.forms):
                if kind in {ALIAS, VARIANT}:
                    self.form_counter[position, number] = len(self.tables)
                    weight = weights.alias if kind == ALIAS else weights.variant
                    self.tables.append(self._capped(weight, weights.forms))
        self.quota_counter = {quota.type: len(self.tables) + number for number, quota in enumerate(quotas)}
        self.tables += [self._capped(weights.quota, quota.count) for quota in quotas]
        self._lay_out()

    def _target_table(self, target: PoolTarget) -> list[float]:
        weights = self.weights
        lower, upper = weights.lower, weights.upper
        table = []
        for n in range(min(upper, self._most) + 1):
            band = min(n, lower) / lower + weights.beyond * max(n - lower, 0) / (upper - lower)
            confusable = weights.confusable * min(n, weights.forms) / weights.forms if target.group else 0.0
            table.append(target.weight * band + confusable)
        return table

    def _capped(self, weight: float, cap: int) -> list[float]:
        """Weight · min(n, cap) / cap for n = 0 … cap, as far as the pool has mentions."""
        return [weight * n / cap for n in range(min(cap, self._most) + 1)]

    def _lay_out(self) -> None:
        pool, weights = self.pool, self.weights
        self.ends: list[int] = [0]
        self.counters: list[int] = []
        self.amounts: list[int] = []
        self.modular = [
            weights.star * pool.stars.get(d, 0.0) / MOST_STARS for d in range(len(pool.documents))
        ]
        for d in range(len(pool.documents)):
            mentions = pool.mentions.get(d)
            if mentions:
                added: dict[int, int] = {}
                several = len({target for target, _ in mentions})
                for (target, form), count in mentions.items():
                    quota = self.quota_counter.get(pool.targets[target].type)
                    for counter in (target, self.form_counter.get((target, form)), quota):
                        if counter is not None:
                            added[counter] = added.get(counter, 0) + count
                self.counters.extend(added)
                self.amounts.extend(added.values())
                if several > 1:
                    self.modular[d] += weights.several * (math.log1p(several) - math.log(2))
            self.ends.append(len(self.counters))

    # ---------------------------------------------------------------------------------------------- one document

    def held(self, d: int) -> Iterator[tuple[int, int]]:
        """The counters that a document adds to, and how much."""
        part = slice(self.ends[d], self.ends[d + 1])
        return zip(self.counters[part], self.amounts[part], strict=True)

    def counts(self, chosen: Iterable[int]) -> list[int]:
        """The counters of a set of documents."""
        counts = [0] * len(self.tables)
        for d in chosen:
            self.add(d, counts)
        return counts

    def add(self, d: int, counts: list[int], times: int = 1) -> None:
        """Add a document to counters, or with −1 take it out again."""
        for counter, amount in self.held(d):
            counts[counter] += times * amount

    def gain(self, d: int, counts: Sequence[int]) -> float:
        """What a document adds to F."""
        total = self.modular[d]
        for counter, amount in self.held(d):
            table, n = self.tables[counter], counts[counter]
            last = len(table) - 1
            if n < last:
                total += table[min(n + amount, last)] - table[n]
        # Gains are compared at twelve decimals, so that equal ones are equal however they were added up.
        return round(total, 12)

    def exceeds(self, d: int, counts: Sequence[int]) -> bool:
        """Whether a document would push a target over the upper limit."""
        targets, upper = len(self.pool.targets), self.weights.upper
        return any(counter < targets and counts[counter] + amount > upper for counter, amount in self.held(d))

    @cached_property
    def sizes(self) -> list[int]:
        """How many mentions of targets each document holds."""
        targets = len(self.pool.targets)
        return [
            sum(amount for counter, amount in self.held(d) if counter < targets)
            for d in range(len(self.pool.documents))
        ]

    def has_targets(self, d: int) -> bool:
        """Whether a document mentions a target."""
        return self.ends[d] < self.ends[d + 1]

    def value(self, chosen: Iterable[int]) -> float:
        """F of a set of documents."""
        documents = list(chosen)
        terms = [self.modular[d] for d in documents]
        for table, n in zip(self.tables, self.counts(documents), strict=True):
            terms.append(table[min(n, len(table) - 1)])
        return math.fsum(terms)

    # --------------------------------------------------------------------------------------------- all documents

    @cached_property
    def arrays(self) -> tuple[npt.NDArray[np.int64], ...]:
        """Ends, counters and amounts as arrays."""
        import numpy as np

        return tuple(np.array(column, dtype=np.int64) for column in (self.ends, self.counters, self.amounts))

    @cached_property
    def _flat(self) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """All tables in one array, where each begins, and where it ends."""
        import numpy as np

        sizes = np.array([len(table) for table in self.tables], dtype=np.int64)
        values = np.array([value for table in self.tables for value in table])
        return values, np.cumsum(sizes) - sizes, sizes - 1

    def gains(self, counts: Sequence[int]) -> npt.NDArray[np.float64]:
        """What each document of the pool adds to F, up to rounding."""
        import numpy as np

        ends, counters, amounts = self.arrays
        found = np.array(self.modular)
        if len(counters):
            values, begins, lasts = self._flat
            now = np.minimum(np.array(counts, dtype=np.int64), lasts)[counters]
            then = np.minimum(np.array(counts, dtype=np.int64)[counters] + amounts, lasts[counters])
            steps = values[begins[counters] + then] - values[begins[counters] + now]
            holding = ends[:-1] < ends[1:]
            found[holding] += np.add.reduceat(steps, ends[:-1][holding])
        return found

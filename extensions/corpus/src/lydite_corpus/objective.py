"""Weighted coverage: the value F of a set of documents for an evaluation of targets.

::

    F(X) = Σ_e w_e [ min(n_e, L)/L + λ min(max(n_e − L, 0), U − L)/(U − L) ]        enough mentions, not too many
         + Σ_aliases w_alias min(n, c)/c + Σ_variants w_variant min(n, c)/c          every form of a name
         + Σ_{e confusable} w_conf min(n_e, c)/c
         + Σ_{d, t_d > 1} w_multi (ln(1 + t_d) − ln 2)                               documents with several targets
         + Σ_d w_star stars_d / 5

Every term is a concave function of a count, so F is monotone and submodular.  Each counter (of a target, a name, a type
with a quota) has a table of its values for the counts 0, 1, 2, …; beyond its end the value is constant.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lydite_corpus.profiles import ALIAS, VARIANT

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

MOST_STARS = 5
LONG_TABLE = 10_000
"""Longer tables end at the number of mentions in the pool: a limit of billions must not cost billions of values."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The parameters of the formula."""

    lower: int = 5
    upper: int = 100
    beyond: float = 0.25
    """λ: the value of all mentions between the lower and the upper limit."""
    forms: int = 3
    """c: mentions of a name beyond this number add nothing."""
    alias: float = 2.0
    variant: float = 1.0
    confusable: float = 10.0
    several: float = 0.5
    star: float = 0.2
    quota: float = 10.0
    """The value of a quota that is reached."""


class PoolTarget(NamedTuple):
    """A target in the formula; of each of its names only the kind: ``handle``, ``alias`` or ``variant``."""

    id: str
    weight: float
    forms: tuple[str, ...]
    group: str | None = None
    type: str = ""


Mentions = Mapping[tuple[int, int], int]
"""How often each (target, name) occurs in a document; targets and names are numbered."""


@dataclass(frozen=True, slots=True)
class DocumentPool:
    """The documents to choose from, in the order of their ids; ``mentions`` only has documents that mention a target."""

    targets: tuple[PoolTarget, ...]
    documents: tuple[str, ...]
    mentions: Mapping[int, Mentions]
    stars: Mapping[int, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TypeQuota:
    """A wanted number of mentions of targets of a type, as a term of the formula."""

    type: str
    count: int


class Objective:
    """F over a pool.

    The first counters are those of the targets.  Document d adds ``amounts[i]`` to ``counters[i]`` for i from ``ends[d]``
    to ``ends[d + 1]``.
    """

    def __init__(self, pool: DocumentPool, weights: Weights, quotas: Sequence[TypeQuota] = ()) -> None:
        self.pool, self.weights, self.quotas = pool, weights, tuple(quotas)
        self._pool_mentions = max(LONG_TABLE, sum(sum(one.values()) for one in pool.mentions.values()))
        self.tables: list[list[float]] = [self._target_table(target) for target in pool.targets]
        self.form_counter: dict[tuple[int, int], int] = {}
        for position, target in enumerate(pool.targets):
            for number, kind in enumerate(target.forms):
                if kind in {ALIAS, VARIANT}:
                    self.form_counter[position, number] = len(self.tables)
                    weight = weights.alias if kind == ALIAS else weights.variant
                    self.tables.append(self._capped_table(weight, weights.forms))
        self.quota_counter = {quota.type: len(self.tables) + number for number, quota in enumerate(quotas)}
        self.tables += [self._capped_table(weights.quota, quota.count) for quota in quotas]
        self._collect_amounts()

    def _target_table(self, target: PoolTarget) -> list[float]:
        weights = self.weights
        lower, upper = weights.lower, weights.upper
        table = []
        for n in range(min(upper, self._pool_mentions) + 1):
            band = min(n, lower) / lower + weights.beyond * max(n - lower, 0) / (upper - lower)
            confusable = weights.confusable * min(n, weights.forms) / weights.forms if target.group else 0.0
            table.append(target.weight * band + confusable)
        return table

    def _capped_table(self, weight: float, cap: int) -> list[float]:
        """Return weight · min(n, cap) / cap for n = 0 … cap, or up to the number of mentions in the pool."""
        return [weight * n / cap for n in range(min(cap, self._pool_mentions) + 1)]

    def _collect_amounts(self) -> None:
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

    def amounts_of(self, d: int) -> Iterator[tuple[int, int]]:
        """Return the counters to which a document adds, and the amounts."""
        part = slice(self.ends[d], self.ends[d + 1])
        return zip(self.counters[part], self.amounts[part], strict=True)

    def counts(self, chosen: Iterable[int]) -> list[int]:
        """Return the counters of a set of documents."""
        counts = [0] * len(self.tables)
        for d in chosen:
            self.add(d, counts)
        return counts

    def add(self, d: int, counts: list[int], times: int = 1) -> None:
        """Add a document to counters; with ``times`` −1, remove it again."""
        for counter, amount in self.amounts_of(d):
            counts[counter] += times * amount

    def gain(self, d: int, counts: Sequence[int]) -> float:
        """Return what a document adds to F."""
        total = self.modular[d]
        for counter, amount in self.amounts_of(d):
            table, n = self.tables[counter], counts[counter]
            last = len(table) - 1
            if n < last:
                total += table[min(n + amount, last)] - table[n]
        # Rounded, so that equal gains are equal in whatever order they were added up.
        return round(total, 12)

    def exceeds(self, d: int, counts: Sequence[int]) -> bool:
        """Whether a document would push a target over the upper limit."""
        targets, upper = len(self.pool.targets), self.weights.upper
        return any(
            counter < targets and counts[counter] + amount > upper for counter, amount in self.amounts_of(d)
        )

    @cached_property
    def mention_counts(self) -> list[int]:
        """The number of mentions of targets in each document."""
        targets = len(self.pool.targets)
        return [
            sum(amount for counter, amount in self.amounts_of(d) if counter < targets)
            for d in range(len(self.pool.documents))
        ]

    def mentions_targets(self, d: int) -> bool:
        """Whether a document mentions a target."""
        return self.ends[d] < self.ends[d + 1]

    def value(self, chosen: Iterable[int]) -> float:
        """Return F of a set of documents."""
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
        """All tables in one array, the start of each, and its last index."""
        import numpy as np

        sizes = np.array([len(table) for table in self.tables], dtype=np.int64)
        values = np.array([value for table in self.tables for value in table])
        return values, np.cumsum(sizes) - sizes, sizes - 1

    def gains(self, counts: Sequence[int]) -> npt.NDArray[np.float64]:
        """Return what each document of the pool adds to F, up to rounding."""
        import numpy as np

        ends, counters, amounts = self.arrays
        gains = np.array(self.modular)
        if len(counters):
            values, starts, lasts = self._flat
            before = np.minimum(np.array(counts, dtype=np.int64), lasts)[counters]
            after = np.minimum(np.array(counts, dtype=np.int64)[counters] + amounts, lasts[counters])
            steps = values[starts[counters] + after] - values[starts[counters] + before]
            has_amounts = ends[:-1] < ends[1:]
            gains[has_amounts] += np.add.reduceat(steps, ends[:-1][has_amounts])
        return gains

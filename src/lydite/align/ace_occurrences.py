"""Mapping without mentions: an occurrence is a document with names, and every pair of a document may be joined.

The gain of a pair is a sum over common documents with v(r, s) > 0 of V(r, s, d) − FA(s, d); where v is 0 the two
cancel.  Documents with many occurrences are compared as arrays; only the mapping sees those figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.align.ace_assignment import RANKED_LIMIT
from lydite.align.ace_elements import ElementPairs, Preferred, assign_elements, by_document
from lydite.align.ace_names import similarity_table
from lydite.assignment import PLAIN_LIMIT, assign_arrays
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import Occurrence
from lydite.model.ace_parameters import Parameters

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Table = npt.NDArray[np.float64]

MIN_PAIRS_FOR_ARRAYS = 2500
"""The number of pairs of occurrences from which a document is compared as an array."""

Gains = dict[tuple[str, str], float]


def map_occurrences(pairs: ElementPairs, preferred: Preferred) -> dict[str, str]:
    """The one-to-one mapping with the largest total gain."""
    gold, system = by_document(pairs.gold), by_document(pairs.system)
    gains: Gains = {}
    arrays: list[tuple[Sequence[Occurrence], Sequence[Occurrence], Table]] = []
    for doc_id in sorted(gold):
        ours, theirs = gold[doc_id], system.get(doc_id, ())
        if len(ours) * len(theirs) >= MIN_PAIRS_FOR_ARRAYS:
            arrays.append((ours, theirs, _gain_table(pairs, ours, theirs)))
            continue
        for one in ours:
            for other in theirs:
                worth = pairs.worth(one, other)
                if worth > 0:
                    key = one.element, other.element
                    gains[key] = gains.get(key, 0.0) + one.map_norm * worth - other.map_false_alarm
    if not arrays:
        return dict(assign_elements(gains, {}, pairs.parameters, preferred))
    return _map_large(gains, arrays, pairs.parameters, preferred)


def _gain_table(pairs: ElementPairs, ours: Sequence[Occurrence], theirs: Sequence[Occurrence]) -> Table:
    """Gains of all pairs of a document; 0 where they cannot be joined."""
    import numpy as np

    worth = _attribute_table(pairs, ours, theirs)
    if pairs.kind == ENTITY and pairs.parameters.use_name_similarity:
        worth *= _name_table(ours, theirs, pairs.parameters.min_name_similarity)
    norm = np.array([one.map_norm for one in ours])
    alarm = np.array([other.map_false_alarm for other in theirs])
    return np.where(worth > 0, norm[:, None] * worth - alarm[None, :], 0.0)


def _attribute_table(pairs: ElementPairs, ours: Sequence[Occurrence], theirs: Sequence[Occurrence]) -> Table:
    import numpy as np

    sides = []
    for side in (ours, theirs):
        first: dict[tuple[str | None, ...], Occurrence] = {}
        for occurrence in side:
            first.setdefault(occurrence.traits, occurrence)
        numbers = {traits: number for number, traits in enumerate(first)}
        sides.append((list(first.values()), np.array([numbers[one.traits] for one in side])))
    (golds, rows), (systems, columns) = sides
    table = np.array([[pairs.attribute_worth(one, other) for other in systems] for one in golds])
    found: Table = table[np.ix_(rows, columns)]
    return found


def _name_table(ours: Sequence[Occurrence], theirs: Sequence[Occurrence], minimum: float) -> Table:
    """The similarity of every pair: 1 between unnamed ones, 0 between a named and an unnamed one."""
    import numpy as np

    named = [np.array([one.attributes["LEVEL"] == "NAM" for one in side]) for side in (ours, theirs)]
    table = (~named[0][:, None] & ~named[1][None, :]).astype(float)
    rows, columns = (
        [i for i, one in enumerate(side) if one.attributes["LEVEL"] == "NAM" and one.names]
        for side in (ours, theirs)
    )
    if rows and columns:
        names = [[ours[i].names for i in rows], [theirs[j].names for j in columns]]
        table[np.ix_(rows, columns)] = _mean_of_best(names[0], names[1], minimum)
    return np.asarray(table)


def _mean_of_best(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]], minimum: float) -> Table:
    """Over all names of both, the mean of the best similarity to a name of the other."""
    import numpy as np

    flat = [[name for names in side for name in names] for side in (ours, theirs)]
    near = similarity_table(flat[0], flat[1], minimum)
    starts = [np.cumsum([0, *(len(names) for names in side)])[:-1] for side in (ours, theirs)]
    best_of_ours = np.add.reduceat(np.maximum.reduceat(near, starts[1], axis=1), starts[0], axis=0)
    best_of_theirs = np.add.reduceat(np.maximum.reduceat(near, starts[0], axis=0), starts[1], axis=1)
    sizes = [np.array([len(names) for names in side]) for side in (ours, theirs)]
    mean: Table = (best_of_ours + best_of_theirs) / (sizes[0][:, None] + sizes[1][None, :])
    return mean


def _map_large(
    gains: Gains,
    tables: Sequence[tuple[Sequence[Occurrence], Sequence[Occurrence], Table]],
    parameters: Parameters,
    preferred: Preferred,
) -> dict[str, str]:
    """As :func:`~lydite.align.ace_assignment.assign`, with large components solved as arrays."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    golds = sorted({*(gold for gold, _ in gains), *(one.element for ours, _, _ in tables for one in ours)})
    systems = sorted(
        {*(other for _, other in gains), *(one.element for _, theirs, _ in tables for one in theirs)}
    )
    row_of, column_of = ({name: number for number, name in enumerate(names)} for names in (golds, systems))
    small = [row_of[gold] for gold, _ in gains], [column_of[one] for _, one in gains], list(gains.values())
    parts = [small, *(_edges(*document, row_of, column_of) for document in tables)]
    rows, columns, values = map(np.concatenate, zip(*parts, strict=True))
    shape = len(golds), len(systems)
    graph = coo_array((values, (rows.astype(np.int64), columns.astype(np.int64))), shape=shape).tocsr()
    graph.sum_duplicates()
    table = graph.tocoo()
    rows, columns, values = table.row.astype(np.int64), table.col.astype(np.int64), table.data
    size = sum(shape)
    links = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns + len(golds))), shape=(size, size))
    _, labels = connected_components(links, directed=False)
    gold_count = np.bincount(labels[: len(golds)], minlength=size)
    system_count = np.bincount(labels[len(golds) :], minlength=size)
    steps = np.minimum(gold_count, system_count) * gold_count.astype(float) * system_count
    large = ((steps > PLAIN_LIMIT) | (gold_count > RANKED_LIMIT))[labels[rows]]
    left = (column[~large].tolist() for column in (rows, columns, values))
    others = {(golds[row], systems[column]): value for row, column, value in zip(*left, strict=True)}
    partner = dict(assign_elements(others, {}, parameters, preferred)) if others else {}
    chosen = np.flatnonzero(large)[assign_arrays(rows[large], columns[large], values[large])]
    places = zip(rows[chosen], columns[chosen], strict=True)
    partner.update({golds[row]: systems[column] for row, column in places})
    return partner


def _edges(
    ours: Sequence[Occurrence],
    theirs: Sequence[Occurrence],
    table: Table,
    row_of: Mapping[str, int],
    column_of: Mapping[str, int],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], Table]:
    import numpy as np

    rows, columns = np.nonzero(table)
    gold_numbers = np.array([row_of[one.element] for one in ours])
    system_numbers = np.array([column_of[one.element] for one in theirs])
    return gold_numbers[rows], system_numbers[columns], table[rows, columns]

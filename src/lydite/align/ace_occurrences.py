"""Mapping without mentions: an occurrence is a document with names, and every pair of a document may be joined.

The gain of a pair is V(r, s) − FA(s), added up document by document as :func:`gain_in_steps` does: V(r, s, d) where both
occur and v(r, s) > 0, and the false alarm in the other documents of s.  Documents with many occurrences are compared as
arrays; only the mapping sees those figures.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.align.ace_assignment import RANKED_LIMIT
from lydite.align.ace_elements import (
    ElementMapping,
    ElementPairs,
    Preferred,
    assign_elements,
    by_document,
    gain_in_steps,
    occurrence_similarity,
)
from lydite.align.ace_names import similarity_table
from lydite.assignment import PLAIN_LIMIT, assign_arrays
from lydite.model.ace import ENTITY
from lydite.model.ace_alignment import Occurrence

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Table = npt.NDArray[np.float64]
    Integers = npt.NDArray[np.int64]

MIN_PAIRS_FOR_ARRAYS = 2500
"""The number of pairs of occurrences from which a document is compared as an array."""

Gains = dict[tuple[str, str], float]
Values = dict[str, dict[str, dict[str, float]]]
"""V(r, s, d) where it is above 0, by system element, gold element and document."""


def map_occurrences(pairs: ElementPairs, preferred: Preferred) -> ElementMapping:
    """The one-to-one mapping with the largest total gain."""
    gold, system = by_document(pairs.gold), by_document(pairs.system)
    values: Values = {}
    arrays: dict[str, tuple[Sequence[Occurrence], Sequence[Occurrence], Table]] = {}
    for doc_id in sorted(gold):
        ours, theirs = gold[doc_id], system.get(doc_id, ())
        if len(ours) * len(theirs) >= MIN_PAIRS_FOR_ARRAYS:
            arrays[doc_id] = ours, theirs, _value_table(pairs, ours, theirs)
            continue
        for one in ours:
            for other in theirs:
                worth = pairs.worth(one, other)
                if worth > 0:
                    by_gold = values.setdefault(other.element, {})
                    by_gold.setdefault(one.element, {})[doc_id] = one.map_norm * worth
    if arrays:
        return _map_large(pairs, values, arrays, preferred)
    gains: Gains = {}
    for system_id, by_gold in values.items():
        alarms = {doc_id: one.map_false_alarm for doc_id, one in pairs.system[system_id].occurrences.items()}
        for gold_id, in_both in by_gold.items():
            others = [alarm for doc_id, alarm in alarms.items() if doc_id not in in_both]
            gains[gold_id, system_id] = gain_in_steps([*in_both.values()], others, alarms.values())
    return ElementMapping(dict(assign_elements(gains, {}, pairs.parameters, preferred)), gains)


def similar_occurrences(pairs: ElementPairs) -> dict[str, dict[tuple[str, str], float]]:
    """By document, the occurrences that match for the document-list B-cubed, with their similarity.

    With name similarity that is what counts; else some pair of mentions must match, and the similarity is 1.
    """
    parameters = pairs.parameters
    found: dict[str, dict[tuple[str, str], float]] = {}
    if parameters.use_mentions:
        for doc_id, gold_id, system_id in pairs.candidate_pairs():
            gold, system = (
                pairs.gold[gold_id].occurrences[doc_id],
                pairs.system[system_id].occurrences[doc_id],
            )
            near = occurrence_similarity(gold, system, parameters)
            if near > 0:
                found.setdefault(doc_id, {})[gold_id, system_id] = near
        return found
    system_by_document = by_document(pairs.system)
    for doc_id, ours in by_document(pairs.gold).items():
        theirs = system_by_document.get(doc_id, [])
        if parameters.use_name_similarity and len(ours) * len(theirs) >= MIN_PAIRS_FOR_ARRAYS:
            table = _name_table(ours, theirs, parameters.min_name_similarity).tolist()
        else:
            table = [[occurrence_similarity(one, other, parameters) for other in theirs] for one in ours]
        found[doc_id] = {
            (one.element, other.element): near
            for one, row in zip(ours, table, strict=True)
            for other, near in zip(theirs, row, strict=True)
            if near > 0
        }
    return found


def _value_table(pairs: ElementPairs, ours: Sequence[Occurrence], theirs: Sequence[Occurrence]) -> Table:
    """V(r, s, d) of all pairs of a document; NaN where they cannot be joined."""
    import numpy as np

    worth = _attribute_table(pairs, ours, theirs)
    if pairs.kind == ENTITY and pairs.parameters.use_name_similarity:
        worth *= _name_table(ours, theirs, pairs.parameters.min_name_similarity)
    norm = np.array([one.map_norm for one in ours])
    return np.where(worth > 0, norm[:, None] * worth, np.nan)


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
    """Over all names of both, the mean of the best similarity to a name of the other, added up name by name."""
    import numpy as np

    flat = [[name for names in side for name in names] for side in (ours, theirs)]
    near = similarity_table(flat[0], flat[1], minimum)
    sizes = [np.array([len(names) for names in side]) for side in (ours, theirs)]
    starts = [np.cumsum(size) - size for size in sizes]
    best_of_ours = np.maximum.reduceat(near, starts[1], axis=1)
    best_of_theirs = np.maximum.reduceat(near, starts[0], axis=0)
    total = np.zeros((len(ours), len(theirs)))
    for number in range(sizes[0].max()):
        rows = np.flatnonzero(sizes[0] > number)
        total[rows] += best_of_ours[starts[0][rows] + number]
    for number in range(sizes[1].max()):
        columns = np.flatnonzero(sizes[1] > number)
        total[:, columns] += best_of_theirs[:, starts[1][columns] + number]
    mean: Table = total / (sizes[0][:, None] + sizes[1][None, :])
    return mean


def _map_large(
    pairs: ElementPairs,
    values: Values,
    tables: Mapping[str, tuple[Sequence[Occurrence], Sequence[Occurrence], Table]],
    preferred: Preferred,
) -> ElementMapping:
    """As :func:`~lydite.align.ace_assignment.assign`, with large components solved as arrays."""
    import numpy as np
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    parameters = pairs.parameters
    golds, systems = sorted(pairs.gold), sorted(pairs.system)
    rows, columns, gains = _gain_arrays(pairs, values, tables, golds, systems)
    shape = len(golds), len(systems)
    size = sum(shape)
    links = coo_array((np.ones(len(rows), dtype=np.int8), (rows, columns + len(golds))), shape=(size, size))
    _, labels = connected_components(links, directed=False)
    gold_count = np.bincount(labels[: len(golds)], minlength=size)
    system_count = np.bincount(labels[len(golds) :], minlength=size)
    steps = np.minimum(gold_count, system_count) * gold_count.astype(float) * system_count
    large = ((steps > PLAIN_LIMIT) | (gold_count > RANKED_LIMIT))[labels[rows]]
    left = (column[~large].tolist() for column in (rows, columns, gains))
    others = {(golds[row], systems[column]): value for row, column, value in zip(*left, strict=True)}
    partner = dict(assign_elements(others, {}, parameters, preferred)) if others else {}
    chosen = np.flatnonzero(large)[assign_arrays(rows[large], columns[large], gains[large])]
    places = zip(rows[chosen], columns[chosen], strict=True)
    partner.update({golds[row]: systems[column] for row, column in places})
    return ElementMapping(partner, others)


def _gain_arrays(
    pairs: ElementPairs,
    values: Values,
    tables: Mapping[str, tuple[Sequence[Occurrence], Sequence[Occurrence], Table]],
    golds: Sequence[str],
    systems: Sequence[str],
) -> tuple[Integers, Integers, Table]:
    """The pairs that may be joined by the numbers of their elements, and their gains, in the steps of :func:`gain_in_steps`."""
    import numpy as np

    row_of = {name: number for number, name in enumerate(golds)}
    by_system: dict[str, dict[str, tuple[Integers, Table]]] = {}
    for doc_id, (ours, theirs, table) in tables.items():
        numbers = np.array([row_of[one.element] for one in ours])
        for column, other in enumerate(theirs):
            joined = np.flatnonzero(~np.isnan(table[:, column]))
            by_system.setdefault(other.element, {})[doc_id] = numbers[joined], table[joined, column]
    for system_id, by_gold in values.items():
        in_document: dict[str, list[tuple[int, float]]] = {}
        for gold_id, in_both in by_gold.items():
            for doc_id, value in in_both.items():
                in_document.setdefault(doc_id, []).append((row_of[gold_id], value))
        for doc_id, found in in_document.items():
            by_system.setdefault(system_id, {})[doc_id] = (
                np.array([row for row, _ in found]),
                np.array([value for _, value in found]),
            )
    parts: list[tuple[Integers, Integers, Table]] = []
    for column, system_id in enumerate(systems):
        joined_in = by_system.get(system_id, {})
        if not joined_in:
            continue
        rows = np.unique(np.concatenate([numbers for numbers, _ in joined_in.values()]))
        total, alarm_of_all = np.zeros(len(rows)), 0.0
        places = {doc_id: np.searchsorted(rows, numbers) for doc_id, (numbers, _) in joined_in.items()}
        occurrences = pairs.system[system_id].occurrences
        for doc_id in occurrences:
            if doc_id in places:
                total[places[doc_id]] += joined_in[doc_id][1]
        for doc_id, occurrence in occurrences.items():
            kept = total[places[doc_id]] if doc_id in places else None
            total += occurrence.map_false_alarm
            alarm_of_all += occurrence.map_false_alarm
            if kept is not None:
                total[places[doc_id]] = kept
        parts.append((rows, np.full(len(rows), column), total - alarm_of_all))
    empty = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0)
    rows, columns, gains = map(np.concatenate, zip(empty, *parts, strict=True))
    return rows, columns, gains

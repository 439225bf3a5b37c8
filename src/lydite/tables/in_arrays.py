"""The engine in memory: both tables as arrays of numbers, joined by sorting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from lydite.metrics.label_counts import count_labels
from lydite.tables.columns import CLUSTER, DOCUMENT, END, MENTION, START, arrow
from lydite.tables.plan import FIRST, MERGE, REFUSE, CountedTables, CountingPlan, SideFacts, is_refused
from lydite.tables.table import LARGEST, SHOWN, Identity, MentionTable, content_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

    Integers: TypeAlias = npt.NDArray[np.int64]
    Flags: TypeAlias = npt.NDArray[np.bool_]


class Rows(NamedTuple):
    """The rows of a side, as numbers."""

    places: Integers
    """The positions of the rows in the table."""
    mentions: Integers
    """Numbers of mentions, equal on both sides for the same mention."""
    units: Integers
    clusters: Integers
    """Numbers of cluster names in the order of their first rows; one name in two units is two clusters."""

    def select(self, which: Flags | Integers) -> Rows:
        """Some of the rows."""
        return Rows(*(column[which] for column in self))


def count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    """Count the clusters of two tables and their common mentions, in memory."""
    tables, facts = [], []
    for table in (gold, system):
        rows, content = _read(table, plan)
        # The sound rows are looked at all the same, for findings on them.
        sound = rows.drop_null() if any(column.null_count for column in rows.columns) else rows
        bad_rows = rows.num_rows - sound.num_rows + table.uneven_rows
        tables.append(sound)
        facts.append(SideFacts(bad_rows, content=content))
    sides = _number_rows(tables)
    if plan.unit_of is not None:
        names = _number_units(tables, plan, sides)
        with_other_side = zip(facts, sides, sides[::-1], strict=True)
        facts = [_with_units(one, names, ours, theirs) for one, ours, theirs in with_other_side]
        if plan.gold_units_only:
            sides[1] = sides[1].select(_is_in(sides[1].units, sides[0].units))
    for place, side in enumerate(sides):
        repeats = _repeated_mentions(side)
        if len(repeats):
            repeated = _identities(tables[place], side, repeats)
            facts[place] = facts[place]._replace(repeats=len(repeats), repeated=repeated)
            sides[place] = _TREATMENTS[plan.repeats](side)
    if is_refused(facts, plan):
        return CountedTables(facts[0], facts[1])
    if not plan.singletons:
        sides = [_without_singletons(side) for side in sides]
    labels = _labels(sides, several=plan.unit_of is not None)
    tables.clear()
    sides.clear()
    return CountedTables(facts[0], facts[1], count_labels(*labels))


def _read(table: MentionTable, plan: CountingPlan) -> tuple[pa.Table, int]:
    """All rows, with the names of documents in a dictionary, and their content number."""
    pyarrow, batches, content = arrow(), [], 0
    empty = pyarrow.RecordBatch.from_pylist([], schema=table.schema(plan.as_text))
    for batch in chain((empty,), table.batches(plan.as_text)):
        content += content_of(batch)
        if DOCUMENT in table.columns.identity:
            batch = batch.set_column(0, DOCUMENT, batch.column(0).dictionary_encode())  # noqa: PLW2901 - smaller
        batches.append(batch)
    return pyarrow.Table.from_batches(batches), content


# ---------------------------------------------------------------------------------------------------- rows as numbers


def _number_rows(tables: Sequence[pa.Table]) -> list[Rows]:
    """The rows of both sides with shared numbers of mentions; units are filled in later."""
    identity = [name for name in tables[0].column_names if name != CLUSTER]
    columns = [_codes([table.column(name) for table in tables], name) for name in identity]
    codes = columns[0]
    for column in columns[1:]:
        codes = _pair_codes(codes, column)
    numbers = np.unique(codes, return_inverse=True)[1]
    sides = []
    for table, mentions in zip(tables, np.split(numbers, [tables[0].num_rows]), strict=True):
        clusters = _dictionary([table.column(CLUSTER)])[0]
        sides.append(Rows(np.arange(len(mentions)), mentions, np.zeros(len(mentions), np.int64), clusters))
    return sides


def _codes(columns: Sequence[pa.ChunkedArray], name: str) -> Integers:
    """Numbers for the values of both sides, one side after the other: equal values have equal numbers."""
    if name in {START, END} or arrow().types.is_integer(columns[0].type):
        values: Integers = np.concatenate([column.to_numpy() for column in columns])
        low, high = int(values.min(initial=0)), int(values.max(initial=0))
        if high - low > LARGEST:
            return np.unique(values, return_inverse=True)[1]
        return values - low if low < 0 else values
    return _dictionary(columns)[0]


def _dictionary(columns: Sequence[pa.ChunkedArray]) -> tuple[Integers, pa.Array]:
    """The numbers of values in the order in which they first occur, and the distinct values."""
    pyarrow = arrow()
    coded = pyarrow.chunked_array([chunk for column in columns for chunk in column.chunks], columns[0].type)
    if not pyarrow.types.is_dictionary(coded.type):
        coded = coded.dictionary_encode()
    coded = coded.unify_dictionaries()
    codes = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in coded.chunks]
    numbers = np.concatenate(codes).astype(np.int64) if codes else np.empty(0, np.int64)
    return numbers, coded.chunk(0).dictionary if codes else pyarrow.array([], columns[0].type)


def _pair_codes(first: Integers, second: Integers) -> Integers:
    """One number for each pair of numbers: equal pairs have equal numbers."""
    width = int(second.max(initial=0)) + 1
    if (int(first.max(initial=0)) + 1) * width > LARGEST:
        first, second = (np.unique(one, return_inverse=True)[1] for one in (first, second))
        width = int(second.max(initial=0)) + 1
    return first * np.int64(width) + second


# -------------------------------------------------------------------------------------------------------------- units


def _number_units(tables: Sequence[pa.Table], plan: CountingPlan, sides: list[Rows]) -> list[str]:
    """Fill in the numbers of units; return their names."""
    assert plan.unit_of is not None
    codes, values = _dictionary([documents_of(table) for table in tables])
    numbers: dict[str, int] = {}
    names = map(str, values.to_pylist())
    unit_of_document = [numbers.setdefault(plan.unit_of(name), len(numbers)) for name in names]
    units = np.array(unit_of_document, dtype=np.int64)[codes] if len(codes) else codes
    for place, part in enumerate(np.split(units, [tables[0].num_rows])):
        sides[place] = sides[place]._replace(units=part)
    return list(numbers)


def documents_of(table: pa.Table) -> pa.ChunkedArray:
    """The document of every row, as text: a column, or the part of an id before ``#``, or before its last slash."""
    pyarrow, compute = arrow(), arrow("pyarrow.compute")
    if DOCUMENT in table.column_names:
        documents = table.column(DOCUMENT)
        coded = pyarrow.types.is_dictionary(documents.type)
        return documents if coded else compute.cast(documents, pyarrow.string())
    ids = table.column(MENTION)
    if not pyarrow.types.is_string(ids.type):
        empty = [pyarrow.repeat("", len(chunk)) for chunk in ids.chunks]
        return pyarrow.chunked_array(empty, pyarrow.string())
    marked = compute.match_substring(ids, "#")
    before_mark = compute.replace_substring_regex(ids, "(?s)#.*", "")
    rooted = compute.binary_join_element_wise("/", ids, "")
    before_slash = compute.replace_substring_regex(rooted, "(?s)/[^/]*$", "")
    return compute.if_else(marked, before_mark, compute.replace_substring_regex(before_slash, "^/", ""))


def _with_units(facts: SideFacts, names: Sequence[str], ours: Rows, theirs: Rows) -> SideFacts:
    """The facts with the units of a side, those that the other side lacks, and the clusters that units cut."""
    units = np.unique(ours.units)
    unshared = units[~_is_in(units, theirs.units)].tolist()
    pairs = np.unique(_pair_codes(ours.clusters, ours.units))
    width = int(ours.units.max(initial=0)) + 1
    _, units_of_cluster = np.unique(pairs // width, return_counts=True)
    return facts._replace(
        units=len(units),
        unshared_units=len(unshared),
        unit_names=tuple(sorted(names[unit] for unit in unshared)[:SHOWN]),
        cut=int(np.count_nonzero(units_of_cluster > 1)),
    )


def _is_in(values: Integers, known: Integers) -> Flags:
    flags = np.zeros(max(int(values.max(initial=0)), int(known.max(initial=0))) + 1, dtype=bool)
    flags[known] = True
    return flags[values]


# ------------------------------------------------------------------------------------------------------------ repeats


def _repeated_mentions(side: Rows) -> Integers:
    """The mentions that occur more than once."""
    return np.flatnonzero(np.bincount(side.mentions) > 1) if len(side.mentions) else side.mentions


def _identities(table: pa.Table, side: Rows, mentions: Integers) -> list[Identity]:
    rows = side.select(np.isin(side.mentions, mentions[:SHOWN]))
    _, first = np.unique(rows.mentions, return_index=True)
    return [tuple(row.values()) for row in table.drop_columns([CLUSTER]).take(rows.places[first]).to_pylist()]


def _keep_first(side: Rows) -> Rows:
    """Every mention once: in the cluster whose name occurs first, and there in its first row."""
    order = np.lexsort((side.places, side.clusters, side.mentions))
    ordered = side.mentions[order]
    return side.select(np.sort(order[np.append(True, ordered[1:] != ordered[:-1])]))


def _merge(side: Rows) -> Rows:
    """The rows with those clusters of a unit joined that share a mention."""
    names = np.unique(_pair_codes(side.units, side.clusters), return_inverse=True)[1]
    order = np.argsort(side.mentions, kind="stable")
    same = side.mentions[order][1:] == side.mentions[order][:-1]
    joined, homes = joined_by(names[order][1:][same], names[order][:-1][same])
    joined_names = np.arange(len(names))
    joined_names[joined] = homes
    return _keep_first(side._replace(clusters=joined_names[names]))


def joined_by(ones: Integers, others: Integers) -> tuple[Integers, Integers]:
    """All numbers in the pairs of ``ones`` and ``others``, and for each the smallest number that pairs connect it with."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    numbers, places = np.unique(np.concatenate([ones, others]), return_inverse=True)
    graph = coo_array((np.ones(len(ones), dtype=np.int8), np.split(places, 2)), shape=(len(numbers),) * 2)
    component = connected_components(graph, directed=False)[1]
    return numbers, numbers[np.unique(component, return_index=True)[1]][component]


_TREATMENTS: Mapping[str, Callable[[Rows], Rows]] = {
    FIRST: _keep_first,
    MERGE: _merge,
    REFUSE: lambda side: side,
}


def _without_singletons(side: Rows) -> Rows:
    codes = _pair_codes(side.units, side.clusters)
    _, names, sizes = np.unique(codes, return_inverse=True, return_counts=True)
    return side.select(sizes[names] > 1) if len(names) else side


def _labels(sides: Sequence[Rows], *, several: bool) -> tuple[Integers, Integers, Integers | None]:
    """The cluster of every mention on both sides, -1 for none, and its unit if there are several."""
    size = max((int(side.mentions.max(initial=-1)) + 1 for side in sides), default=0)
    labels = [np.full(size, -1, dtype=np.int64) for _ in sides]
    units = np.zeros(size, dtype=np.int64)
    for label, side in zip(labels, sides, strict=True):
        label[side.mentions] = side.clusters
        units[side.mentions] = side.units
    known = (labels[0] >= 0) | (labels[1] >= 0)
    if not known.all():
        labels, units = [label[known] for label in labels], units[known]
    return labels[0], labels[1], units if several else None

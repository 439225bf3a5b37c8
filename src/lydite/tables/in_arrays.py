"""The engine in memory: both tables as arrays of small numbers, joined by sorting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from lydite.metrics.coreference_arrays import from_labels
from lydite.records import NamedTuple
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
    """Which rows of the table."""
    mentions: Integers
    """The same number on both sides is the same mention."""
    units: Integers
    clusters: Integers
    """Numbers of names in the order in which they occur; the same name in two units is two clusters."""

    def kept(self, which: Flags | Integers) -> Rows:
        """Some of the rows."""
        return Rows(*(column[which] for column in self))


def count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    """Count what two tables share, in memory."""
    tables, facts = [], []
    for table in (gold, system):
        read, content = _read(table, plan)
        # What is wrong with other rows is to be told, too.
        sound = read.drop_null() if any(column.null_count for column in read.columns) else read
        bad = read.num_rows - sound.num_rows + table.uneven_rows
        tables.append(sound)
        facts.append(SideFacts(bad, content=content))
    sides = _numbered(tables)
    if plan.unit_of is not None:
        names = _units(tables, plan, sides)
        both_ways = zip(facts, sides, sides[::-1], strict=True)
        facts = [_with_units(one, names, mine, theirs) for one, mine, theirs in both_ways]
        if plan.gold_units_only:
            sides[1] = sides[1].kept(_is_in(sides[1].units, sides[0].units))
    for place, side in enumerate(sides):
        again = _copies(side)
        if len(again):
            repeated = _identities(tables[place], side, again)
            facts[place] = facts[place]._replace(repeats=len(again), repeated=repeated)
            sides[place] = _TREATMENTS[plan.repeats](side)
    if is_refused(facts, plan):
        return CountedTables(facts[0], facts[1])
    if not plan.singletons:
        sides = [_without_singletons(side) for side in sides]
    labels = _labels(sides, several=plan.unit_of is not None)
    tables.clear()
    sides.clear()
    return CountedTables(facts[0], facts[1], from_labels(*labels))


def _read(table: MentionTable, plan: CountingPlan) -> tuple[pa.Table, int]:
    """All rows, with names of documents as numbers of a dictionary, and the number of what they say."""
    made, batches, content = arrow(), [], 0
    nothing = made.RecordBatch.from_pylist([], schema=table.schema(plan.as_text))
    for batch in chain((nothing,), table.batches(plan.as_text)):
        content += content_of(batch)
        if DOCUMENT in table.columns.identity:
            batch = batch.set_column(0, DOCUMENT, batch.column(0).dictionary_encode())  # noqa: PLW2901 - smaller
        batches.append(batch)
    return made.Table.from_batches(batches), content


# ---------------------------------------------------------------------------------------------------- rows as numbers


def _numbered(tables: Sequence[pa.Table]) -> list[Rows]:
    """Both sides over shared numbers of mentions; units are filled in later."""
    identity = [name for name in tables[0].column_names if name != CLUSTER]
    columns = [_codes([table.column(name) for table in tables], name) for name in identity]
    together = columns[0]
    for column in columns[1:]:
        together = _pairs(together, column)
    lengths = [table.num_rows for table in tables]
    dense = np.unique(together, return_inverse=True)[1]
    sides = []
    for table, mentions in zip(tables, np.split(dense, [lengths[0]]), strict=True):
        clusters = _dictionary([table.column(CLUSTER)])[0]
        sides.append(Rows(np.arange(len(mentions)), mentions, np.zeros(len(mentions), np.int64), clusters))
    return sides


def _codes(columns: Sequence[pa.ChunkedArray], name: str) -> Integers:
    """The values of both sides, one after the other, as numbers that are equal where the values are."""
    if name in {START, END} or arrow().types.is_integer(columns[0].type):
        values: Integers = np.concatenate([column.to_numpy() for column in columns])
        low, high = int(values.min(initial=0)), int(values.max(initial=0))
        if high - low > LARGEST:
            return np.unique(values, return_inverse=True)[1]
        return values - low if low < 0 else values
    return _dictionary(columns)[0]


def _dictionary(columns: Sequence[pa.ChunkedArray]) -> tuple[Integers, pa.Array]:
    """Numbers in the order in which values occur, and the values."""
    made = arrow()
    chunks = [chunk for column in columns for chunk in column.chunks]
    coded = made.chunked_array(chunks, columns[0].type)
    if not made.types.is_dictionary(coded.type):
        coded = coded.dictionary_encode()
    coded = coded.unify_dictionaries()
    codes = [chunk.indices.to_numpy(zero_copy_only=False) for chunk in coded.chunks]
    numbers = np.concatenate(codes).astype(np.int64) if codes else np.empty(0, np.int64)
    return numbers, coded.chunk(0).dictionary if codes else made.array([], columns[0].type)


def _pairs(first: Integers, second: Integers) -> Integers:
    """One number for two."""
    width = int(second.max(initial=0)) + 1
    if (int(first.max(initial=0)) + 1) * width > LARGEST:
        first, second = (np.unique(one, return_inverse=True)[1] for one in (first, second))
        width = int(second.max(initial=0)) + 1
    return first * np.int64(width) + second


# -------------------------------------------------------------------------------------------------------------- units


def _units(tables: Sequence[pa.Table], plan: CountingPlan, sides: list[Rows]) -> list[str]:
    """Fill in the units; the name of each."""
    assert plan.unit_of is not None
    codes, values = _dictionary([documents_of(table) for table in tables])
    numbers: dict[str, int] = {}
    unit_of_document = [
        numbers.setdefault(plan.unit_of(name), len(numbers)) for name in map(str, values.to_pylist())
    ]
    units = np.array(unit_of_document, dtype=np.int64)[codes] if len(codes) else codes
    for place, part in enumerate(np.split(units, [tables[0].num_rows])):
        sides[place] = sides[place]._replace(units=part)
    return list(numbers)


def documents_of(table: pa.Table) -> pa.ChunkedArray:
    """The document of every row, as text: a column, or what an id says before ``#``, or before its last slash."""
    made, compute = arrow(), arrow("pyarrow.compute")
    if DOCUMENT in table.column_names:
        documents = table.column(DOCUMENT)
        coded = made.types.is_dictionary(documents.type)
        return documents if coded else compute.cast(documents, made.string())
    ids = table.column(MENTION)
    if not made.types.is_string(ids.type):
        return made.chunked_array([made.repeat("", len(chunk)) for chunk in ids.chunks], made.string())
    marked = compute.match_substring(ids, "#")
    before_mark = compute.replace_substring_regex(ids, "(?s)#.*", "")
    before_slash = compute.replace_substring_regex(
        compute.binary_join_element_wise("/", ids, ""), "(?s)/[^/]*$", ""
    )
    return compute.if_else(marked, before_mark, compute.replace_substring_regex(before_slash, "^/", ""))


def _with_units(facts: SideFacts, names: Sequence[str], mine: Rows, theirs: Rows) -> SideFacts:
    """How many units this side has, which of them the other side lacks, and how many clusters they cut."""
    units = np.unique(mine.units)
    strange = units[~_is_in(units, theirs.units)].tolist()
    pairs = np.unique(_pairs(mine.clusters, mine.units))
    width = int(mine.units.max(initial=0)) + 1
    names_of_pairs = pairs // width
    _, places = np.unique(names_of_pairs, return_counts=True)
    return facts._replace(
        units=len(units),
        strangers=len(strange),
        unit_names=tuple(sorted(names[unit] for unit in strange)[:SHOWN]),
        cut=int(np.count_nonzero(places > 1)),
    )


def _is_in(values: Integers, known: Integers) -> Flags:
    flags = np.zeros(max(int(values.max(initial=0)), int(known.max(initial=0))) + 1, dtype=bool)
    flags[known] = True
    return flags[values]


# ------------------------------------------------------------------------------------------------------------ repeats


def _copies(side: Rows) -> Integers:
    """The mentions that occur more than once."""
    return np.flatnonzero(np.bincount(side.mentions) > 1) if len(side.mentions) else side.mentions


def _identities(table: pa.Table, side: Rows, mentions: Integers) -> list[Identity]:
    rows = side.kept(np.isin(side.mentions, mentions[:SHOWN]))
    _, first = np.unique(rows.mentions, return_index=True)
    taken = table.drop_columns([CLUSTER]).take(rows.places[first])
    return [tuple(row.values()) for row in taken.to_pylist()]


def _keep_first(side: Rows) -> Rows:
    """Every mention where it is first: in the cluster whose name occurs first, and there in the first row."""
    order = np.lexsort((side.places, side.clusters, side.mentions))
    ordered = side.mentions[order]
    first = order[np.append(True, ordered[1:] != ordered[:-1])]
    return side.kept(np.sort(first))


def _merge(side: Rows) -> Rows:
    """Clusters of a unit that share a mention joined."""
    names = np.unique(_pairs(side.units, side.clusters), return_inverse=True)[1]
    order = np.argsort(side.mentions, kind="stable")
    same = side.mentions[order][1:] == side.mentions[order][:-1]
    joined, homes = joined_by(names[order][1:][same], names[order][:-1][same])
    called = np.arange(len(names))
    called[joined] = homes
    return _keep_first(side._replace(clusters=called[names]))


def joined_by(ones: Integers, others: Integers) -> tuple[Integers, Integers]:
    """The numbers that pairs of them join, and beside each the smallest of those that it is joined with."""
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
    _, names, sizes = np.unique(_pairs(side.units, side.clusters), return_inverse=True, return_counts=True)
    return side.kept(sizes[names] > 1) if len(names) else side


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

"""Every engine that counts over tables gives what their documents give, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dask
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite import coref
from lydite.errors import InputError
from lydite.metrics import coreference_arrays
from lydite.metrics.coreference_cells import CellCounts, Shape

Rows = Sequence[tuple[Any, ...]]

SPANS = ("document", "start", "end", "cluster")
IDS = ("mention", "cluster")

spans = st.tuples(
    st.sampled_from(("t1/a", "t1/b", "t2/c", "d")),
    st.integers(0, 3),
    st.integers(4, 5),
    st.integers(-2, 4),
)
numbers = st.tuples(st.integers(-3, 12), st.sampled_from(("x", "7", "ü#/", "y'z")))
texts = st.tuples(
    st.sampled_from(("a#1", "a#2", "b/1", "b/2", "/c", "e", "t1/f#0-2", "t1/g#x#y", "ü/h")),
    st.integers(0, 3),
)


def table(rows: Rows, names: Sequence[str]) -> pa.Table:
    return pa.table({name: [row[place] for row in rows] for place, name in enumerate(names)})


@st.composite
def worlds(draw: st.DrawFn) -> tuple[pa.Table, pa.Table]:
    kind, names = draw(st.sampled_from(((spans, SPANS), (numbers, IDS), (texts, IDS))))
    # Mentions that are there once are what tables have; copies are drawn now and then.
    width = draw(st.sampled_from((len(names) - 1, len(names))))
    sides = st.lists(kind, min_size=1, max_size=20, unique_by=lambda row: row[0:width])
    return table(draw(sides), names), table(draw(sides), names)


choices = st.fixed_dictionaries(
    {
        "unit": st.sampled_from(("document", "topic", "corpus")),
        "singletons": st.sampled_from(("keep", "drop")),
        "repeats": st.sampled_from(("first", "merge", "v8.01")),
        "scored_documents": st.sampled_from(("gold", "either")),
    }
)


def outcome(sides: tuple[pa.Table, pa.Table], engine: str, said: Mapping[str, Any]) -> object:
    try:
        scores = coref.score_tables(*sides, engine=engine, **said)
    except InputError as refused:
        codes = {finding.code for finding in refused.findings if finding.severity == "error"}
        return type(refused), codes
    rows = [(row.metric, row.score, dict(row.tally)) for row in scores.summary.rows]
    return rows, scores.summary.signature, [item.documents for item in scores.summary.inputs]


@settings(max_examples=15)
@given(sides=worlds(), said=choices)
def test_arrays_and_duckdb_give_what_documents_give(
    sides: tuple[pa.Table, pa.Table], said: dict[str, Any]
) -> None:
    expected = outcome(sides, "documents", said)
    assert outcome(sides, "arrays", said) == expected
    assert outcome(sides, "duckdb", said) == expected


@settings(max_examples=3)
@given(sides=worlds(), said=choices)
def test_dask_gives_what_documents_give(sides: tuple[pa.Table, pa.Table], said: dict[str, Any]) -> None:
    with dask.config.set(scheduler="synchronous"):
        assert outcome(sides, "dask", said) == outcome(sides, "documents", said)


# --------------------------------------------------------------------------------------------- the metrics over counts

labels = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 4)), max_size=40)


def counted(arrays: coreference_arrays.ArrayTable, alone: set[int]) -> CellCounts:
    """Counts of a table as an engine would give them; ``alone`` are the cells whose clusters meet only each other."""
    import numpy as np

    shapes: dict[Shape, int] = {}
    for place, (gold, system, common) in enumerate(
        zip(arrays.gold.tolist(), arrays.system.tolist(), arrays.common.tolist(), strict=True)
    ):
        shape = Shape(int(arrays.gold_sizes[gold]), int(arrays.system_sizes[system]), common, place in alone)
        shapes[shape] = shapes.get(shape, 0) + 1
    rest = np.array([place for place in range(len(arrays.common)) if place not in alone], dtype=np.int64)

    def histogram(sizes: Sequence[int]) -> dict[int, int]:
        return {int(size): list(sizes).count(size) for size in set(sizes)}

    def margin(ends: Any) -> list[int]:
        return [int(arrays.common[ends == end].sum()) for end in set(ends.tolist())]

    def links(mentions: Any) -> int:
        return sum(size * (size - 1) // 2 for size in mentions.tolist())

    return CellCounts(
        (histogram(arrays.gold_sizes.tolist()), histogram(arrays.system_sizes.tolist())),
        shapes,
        (histogram(margin(arrays.gold)), histogram(margin(arrays.system))),
        (links(arrays.common_mentions), links(arrays.gold_mentions), links(arrays.system_mentions)),
        arrays._replace(gold=arrays.gold[rest], system=arrays.system[rest], common=arrays.common[rest]),
    )


@pytest.mark.parametrize("name", ["mention_detection", "muc", "b_cubed", "ceaf_m", "ceaf_e", "lea", "blanc"])
@given(pairs=labels)
def test_a_metric_over_counted_cells_is_the_metric_over_arrays(
    name: str, pairs: list[tuple[int, int]]
) -> None:
    from lydite.metrics import coreference_cells

    arrays = coreference_arrays.from_labels([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    gold, system = arrays.gold.tolist(), arrays.system.tolist()
    alone = {
        place for place in range(len(gold)) if gold.count(gold[place]) == 1 == system.count(system[place])
    }
    expected = getattr(coreference_arrays, name)(arrays)
    assert getattr(coreference_cells, name)(counted(arrays, alone)) == expected

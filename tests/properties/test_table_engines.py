"""Every engine that counts over tables gives what their documents give, to the last bit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dask
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite import coref
from lydite.errors import InputError

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

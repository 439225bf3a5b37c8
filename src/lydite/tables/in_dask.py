"""The engine for more than one machine: the same plan as data frames of Dask, on the cluster whose client is open.

Workers read their share of the rows, join and group; sizes, shapes of cells and what CEAF needs come back.  Without a
client Dask works on this machine, which pays for nobody but tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from lydite.cluster import open_client
from lydite.errors import UsageError
from lydite.extras import library
from lydite.grouping import closure
from lydite.metrics.coreference import pair_count
from lydite.metrics.coreference_arrays import ArrayTable
from lydite.metrics.coreference_cells import CellCounts, Shape
from lydite.records import NamedTuple
from lydite.tables.columns import CLUSTER, arrow
from lydite.tables.in_arrays import documents_of
from lydite.tables.in_duckdb import table_of_cells
from lydite.tables.pieces import PARQUET, FilePiece, Piece, RelationPiece
from lydite.tables.plan import (
    FIRST,
    MERGE,
    CountedTables,
    CountingPlan,
    SideFacts,
    is_refused,
    needed_for_ceaf,
)
from lydite.tables.table import SHOWN, Identity, MentionTable, content_of

if TYPE_CHECKING:
    from types import ModuleType

    import dask.dataframe as dd
    import pandas as pd
    import pyarrow as pa

ROWS_OF_PART = 1_000_000
"""Row groups of a file are read together up to so many rows: a task of the scheduler should be worth its millisecond."""

CLUSTER_KEY = ["unit", CLUSTER]


def _dask(name: str = "dask") -> ModuleType:
    return library(name, "distributed", "the engine dask")


def count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    """Count what two tables share, on a cluster."""
    client = open_client()
    if client is not None and client.status != "running":
        # Whatever it is given to do would wait for ever.
        raise UsageError(
            f"engine dask: {client} is open and has no connection to its scheduler ({client.status})",
            hint="close this client, or open one whose scheduler answers",
        )
    # Text is what pandas makes of it, in small frames of ours as in those of the workers.
    with _dask().config.set({"dataframe.convert-string": False}):
        return _count(gold, system, plan)


def _count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    sides = [_side(table, plan) for table in (gold, system)]
    facts, read = [seen for seen, _ in sides], [frame for _, frame in sides]
    frames = list(read)
    if plan.unit_of is not None:
        units = [frozenset(frame["unit"].unique().compute()) for frame in frames]
        facts = [
            one._replace(
                units=len(mine),
                strangers=len(mine - theirs),
                unit_names=tuple(sorted(mine - theirs)[:SHOWN]),
                cut=_cut(frame),
            )
            for one, frame, mine, theirs in zip(facts, frames, units, units[::-1], strict=True)
        ]
        if plan.gold_units_only and facts[1].strangers:
            # No unit at all has no type of its own.
            common = _one_frame({"unit": sorted(units[0] & units[1])}).astype(
                {"unit": frames[1]["unit"].dtype}
            )
            frames[1] = frames[1].merge(common, on="unit")
    key = list(gold.columns.identity)
    for place, frame in enumerate(frames):
        repeats, repeated = _repeats(frame, key)
        facts[place] = facts[place]._replace(repeats=repeats, repeated=repeated)
        if repeats and plan.repeats == MERGE:
            frames[place] = _merged(frame, key)
        elif repeats and plan.repeats == FIRST:
            frames[place] = _firsts(frame, key, read[place])
    if is_refused(facts, plan):
        return CountedTables(facts[0], facts[1])
    counts, refused = _counts(frames, key, plan)
    return CountedTables(facts[0], facts[1], counts, refused)


# --------------------------------------------------------------------------------------------------------------- rows


class _Share(NamedTuple):
    """Some rows of a table that one task reads: a piece, or some row groups of a Parquet file."""

    piece: Piece
    groups: tuple[int, ...] | None = None

    def batches(self, columns: Sequence[str]) -> list[pa.RecordBatch]:
        if self.groups is None or not isinstance(self.piece, FilePiece):
            return list(self.piece.batches(columns))
        with self.piece.part.open() as stream:
            file = arrow("pyarrow.parquet").ParquetFile(stream)
            read = file.read_row_groups(list(self.groups), columns=list(columns))
        return list(read.select(list(columns)).to_batches())


class _Rows(NamedTuple):
    """Rows as one task has read them, and how many it passed over, since they have another number of cells."""

    batches: Sequence[pa.RecordBatch]
    uneven: int = 0


def _shares(table: MentionTable) -> list[_Share]:
    shares = []
    for held in table.pieces:
        piece = held.fetched(table.columns.in_table) if isinstance(held, RelationPiece) else held
        if not isinstance(piece, FilePiece) or piece.kind != PARQUET:
            shares.append(_Share(piece))
            continue
        with piece.part.open() as stream:
            about = arrow("pyarrow.parquet").ParquetFile(stream).metadata
            sizes = [about.row_group(number).num_rows for number in range(about.num_row_groups)]
        waiting: list[int] = []
        for number, size in enumerate(sizes):
            waiting.append(number)
            if sum(sizes[one] for one in waiting) + size > ROWS_OF_PART:
                shares.append(_Share(piece, tuple(waiting)))
                waiting = []
        if waiting:
            shares.append(_Share(piece, tuple(waiting)))
    return shares


def _side(table: MentionTable, plan: CountingPlan) -> tuple[SideFacts, dd.DataFrame]:
    """What was seen of a side while its rows were counted, and these as a data frame over units."""
    dask, frames = _dask(), _dask("dask.dataframe")
    if table.frame is not None:
        bare = table._replace(pieces=(), frame=None)
        parts = table.frame[table.columns.in_table].to_delayed()
        read = [dask.delayed(_rows_of_frame)(part, bare, plan.as_text) for part in parts]
    else:
        bare = table._replace(pieces=())
        read = [dask.delayed(_rows_of_share)(share, bare, plan.as_text) for share in _shares(table)]
    told = dask.compute(*[dask.delayed(_look)(part) for part in read])
    starts = [sum(rows for rows, _, _ in told[:place]) for place in range(len(told))]
    shape = _frame(_Rows(()), bare, plan, 0)
    made = [dask.delayed(_frame)(part, bare, plan, start) for part, start in zip(read, starts, strict=True)]
    facts = SideFacts(sum(bad for _, bad, _ in told), content=sum(content for *_, content in told))
    return facts, frames.from_delayed(made, meta=shape, verify_meta=False) if made else _one_frame(shape)


def _rows_of_share(share: _Share, table: MentionTable, as_text: frozenset[str]) -> _Rows:
    batches = [table.normal(batch, as_text) for batch in share.batches(table.columns.in_table)]
    return _Rows(batches, len(share.piece.uneven))


def _rows_of_frame(frame: pd.DataFrame, table: MentionTable, as_text: frozenset[str]) -> _Rows:
    read = arrow().Table.from_pandas(frame, preserve_index=False)
    return _Rows([table.normal(batch, as_text) for batch in read.to_batches()])


def _look(read: _Rows) -> tuple[int, int, int]:
    """How many rows there are, how many lack a value or have too many or too few, and the number of what they say."""
    rows = sum(batch.num_rows for batch in read.batches)
    sound = sum(batch.drop_null().num_rows for batch in read.batches)
    return rows, rows - sound + read.uneven, sum(map(content_of, read.batches))


def _frame(rows: _Rows, table: MentionTable, plan: CountingPlan, start: int) -> pd.DataFrame:
    """Rows with their units and places, as a data frame of pandas; those that lack a value are left out."""
    import numpy as np

    made = arrow()
    read = made.Table.from_batches(rows.batches, schema=table.schema(plan.as_text))
    read = read.append_column("place", made.array(np.arange(start, start + read.num_rows)))
    read = read.drop_null()
    units = [""] * read.num_rows
    if plan.unit_of is not None:
        documents = documents_of(read).to_pylist()
        known = {name: plan.unit_of(str(name)) for name in dict.fromkeys(documents)}
        units = [known[name] for name in documents]
    clusters = arrow("pyarrow.compute").cast(read.column(CLUSTER), made.string())
    read = read.set_column(read.column_names.index(CLUSTER), CLUSTER, clusters)
    frame: pd.DataFrame = read.append_column("unit", made.array(units, made.string())).to_pandas()
    return frame


def _one_frame(content: Mapping[str, Sequence[object]] | pd.DataFrame) -> dd.DataFrame:
    """A small data frame that every worker gets whole."""
    pandas = library("pandas", "distributed", "the engine dask")
    frame: dd.DataFrame = _dask("dask.dataframe").from_pandas(pandas.DataFrame(content), npartitions=1)
    return frame


# ------------------------------------------------------------------------------------------------------------ repeats


def _sizes(frame: dd.DataFrame, key: Sequence[str], name: str) -> dd.DataFrame:
    """How many rows there are of every key, as a data frame spread over as many parts as the rows."""
    grouped = frame.groupby(list(key), sort=False, observed=True)
    sizes: dd.DataFrame = grouped.size(split_out=frame.npartitions).rename(name).reset_index()
    return sizes


def _cut(frame: dd.DataFrame) -> int:
    pairs = _sizes(frame, CLUSTER_KEY, "rows")
    units = _sizes(pairs, [CLUSTER], "units")
    return int((units["units"] > 1).sum().compute())


def _repeats(frame: dd.DataFrame, key: Sequence[str]) -> tuple[int, list[Identity]]:
    sizes = _sizes(frame, key, "rows")
    again = sizes[sizes["rows"] > 1][list(key)]
    number = int(again.shape[0].compute())
    if not number:
        return 0, []
    shown = again.map_partitions(lambda part: part.sort_values(list(key)).head(SHOWN)).compute()
    rows = shown.sort_values(list(key)).head(SHOWN).itertuples(index=False)
    return number, [
        tuple(getattr(value, "item", lambda value=value: value)() for value in row) for row in rows
    ]


def _firsts(frame: dd.DataFrame, key: Sequence[str], read: dd.DataFrame) -> dd.DataFrame:
    """Every mention where it is first: in the cluster whose name occurs first of all rows, and there in the first row."""
    seen = read.groupby(CLUSTER, sort=False)["place"].min(split_out=read.npartitions)
    ranked = frame.merge(seen.rename("seen").reset_index(), on=CLUSTER)
    ranked = ranked.assign(rank=ranked["seen"] * (1 << 31) + ranked["place"])
    best = ranked.groupby(list(key), sort=False)["rank"].min(split_out=frame.npartitions)
    kept = ranked.merge(best.rename("rank").reset_index(), on=[*key, "rank"])
    firsts: dd.DataFrame = kept[list(frame.columns)]
    return firsts


def _merged(frame: dd.DataFrame, key: Sequence[str]) -> dd.DataFrame:
    """Clusters of a unit that share a mention under one name, every mention once."""
    sizes = _sizes(frame, key, "rows")
    again = frame.merge(sizes[sizes["rows"] > 1][list(key)], on=list(key)).compute()
    sets = [
        list(zip(group["unit"], group[CLUSTER], strict=True))
        for _, group in again.groupby(list(key), sort=False)
    ]
    homes = [(*name, members[0][1]) for _, members in closure(sets) for name in members]
    columns = zip(("unit", CLUSTER, "home"), zip(*homes, strict=True), strict=True)
    joined = frame.merge(
        _one_frame({name: list(values) for name, values in columns}), on=CLUSTER_KEY, how="left"
    )
    joined = joined.assign(**{CLUSTER: joined["home"].fillna(joined[CLUSTER])})
    left: dd.DataFrame = joined[list(frame.columns)].drop_duplicates(
        subset=list(key), split_out=frame.npartitions
    )
    return left


# -------------------------------------------------------------------------------------------------------------- cells


def _counts(
    frames: list[dd.DataFrame], key: Sequence[str], plan: CountingPlan
) -> tuple[CellCounts, str | None]:
    sizes = [_sizes(frame, CLUSTER_KEY, "size") for frame in frames]
    if not plan.singletons:
        sizes = [one[one["size"] > 1] for one in sizes]
        frames = [
            frame.merge(one[CLUSTER_KEY], on=CLUSTER_KEY) for frame, one in zip(frames, sizes, strict=True)
        ]
    named = [
        frame[[*key, *CLUSTER_KEY]].rename(columns={CLUSTER: side})
        for frame, side in zip(frames, ("gold", "system"), strict=True)
    ]
    # A mention is in the same unit on both sides.
    common = named[0].merge(named[1].drop(columns="unit"), on=list(key))
    cells = _sizes(common, ["unit", "gold", "system"], "common")
    for side, one in zip(("gold", "system"), sizes, strict=True):
        mine = one.rename(columns={CLUSTER: side, "size": f"{side}_size"})
        cells = cells.merge(mine, on=["unit", side])
    cells = cells.persist()
    meets = [
        cells.groupby(["unit", side], sort=False)["common"].agg(["size", "sum"], split_out=cells.npartitions)
        for side in ("gold", "system")
    ]
    for side, one in zip(("gold", "system"), meets, strict=True):
        others = one["size"].rename(f"{side}_others").reset_index()
        cells = cells.merge(others, on=["unit", side])
    cells = cells.assign(alone=(cells["gold_others"] == 1) & (cells["system_others"] == 1))
    contested, refused = _contested(cells, plan) if plan.ceaf else (None, None)
    shape = ["gold_size", "system_size", "common", "alone"]
    shapes = cells.groupby(shape, sort=False).size().compute()
    counts = CellCounts(
        (_histogram(sizes[0]["size"]), _histogram(sizes[1]["size"])),
        {
            Shape(int(k), int(r), int(n), bool(alone)): int(number)
            for (k, r, n, alone), number in shapes.items()
        },
        (_histogram(meets[0]["sum"]), _histogram(meets[1]["sum"])),
        (_links(common), _links(frames[0]), _links(frames[1])),
        contested,
    )
    return counts, refused


def _histogram(sizes: dd.Series) -> dict[int, int]:
    return {int(size): int(number) for size, number in sizes.value_counts().compute().items()}


def _links(frame: dd.DataFrame) -> int:
    """Pairs of mentions inside units."""
    return sum(pair_count(int(size)) for size in frame["unit"].value_counts().compute())


def _contested(cells: dd.DataFrame, plan: CountingPlan) -> tuple[ArrayTable | None, str | None]:
    left = cells[~cells["alone"]]
    refused = needed_for_ceaf(int(left.shape[0].compute()), plan.memory)
    if refused is not None:
        return None, refused
    found: pd.DataFrame = left.compute().sort_values(["unit", "gold", "system"], ignore_index=True)
    numbers = {
        side: found.groupby(["unit", side], sort=False).ngroup().to_numpy() for side in ("gold", "system")
    }
    columns = {name: found[name].to_numpy() for name in ("common", "gold_size", "system_size")}
    return table_of_cells({**numbers, **columns}), None

"""The engine for more than one machine: the same plan as data frames of Dask, on the cluster whose client is open.

Workers read their share of the rows, join and group; sizes, shapes of cells and the cells for CEAF come back.  Without a
client Dask works on this machine, which is slower than the other engines and only used in tests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from lydite.dask_cluster import open_client
from lydite.errors import UsageError
from lydite.grouping import closure
from lydite.metrics.cluster_counts import Cells, ClusterCounts, pair_count, shapes_and_alone
from lydite.optional_libraries import library
from lydite.tables.columns import CLUSTER, arrow
from lydite.tables.in_arrays import documents_of
from lydite.tables.in_duckdb import SIDES, numbered_cells
from lydite.tables.pieces import PARQUET, FilePiece, Piece, RelationPiece
from lydite.tables.plan import FIRST, MERGE, CountedTables, CountingPlan, SideFacts, is_refused, why_no_ceaf
from lydite.tables.table import SHOWN, Identity, MentionTable, content_of

if TYPE_CHECKING:
    from types import ModuleType

    import dask.dataframe as dd
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

ROWS_OF_PART = 1_000_000
"""The most rows of row groups that one task reads together: a task costs the scheduler about a millisecond."""

CLUSTER_KEY = ["unit", CLUSTER]


def _dask(name: str = "dask") -> ModuleType:
    return library(name, "distributed", "the engine dask")


def count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    """Count the clusters of two tables and their common mentions, on a cluster."""
    client = open_client()
    if client is not None and client.status != "running":
        # Its tasks would wait for ever.
        raise UsageError(
            f"engine dask: {client} is open and has no connection to its scheduler ({client.status})",
            hint="close this client, or open one whose scheduler answers",
        )
    # Text has the type that pandas gives it, in our small frames as in those of the workers.
    with _dask().config.set({"dataframe.convert-string": False}):
        return _count(gold, system, plan)


def _count(gold: MentionTable, system: MentionTable, plan: CountingPlan) -> CountedTables:
    sides = [_read_side(table, plan) for table in (gold, system)]
    facts, read = [side_facts for side_facts, _ in sides], [frame for _, frame in sides]
    frames = list(read)
    if plan.unit_of is not None:
        units = [frozenset(frame["unit"].unique().compute()) for frame in frames]
        facts = [
            one._replace(
                units=len(ours),
                unshared_units=len(ours - theirs),
                unit_names=tuple(sorted(ours - theirs)[:SHOWN]),
                cut=_count_cut_names(frame),
            )
            for one, frame, ours, theirs in zip(facts, frames, units, units[::-1], strict=True)
        ]
        if plan.gold_units_only and facts[1].unshared_units:
            # A column without units would have no type.
            common = _small_frame({"unit": sorted(units[0] & units[1])})
            frames[1] = frames[1].merge(common.astype({"unit": frames[1]["unit"].dtype}), on="unit")
    key = list(gold.columns.identity)
    for place, frame in enumerate(frames):
        repeats, repeated = _repeats(frame, key)
        facts[place] = facts[place]._replace(repeats=repeats, repeated=repeated)
        if repeats and plan.repeats == MERGE:
            frames[place] = _merge(frame, key)
        elif repeats and plan.repeats == FIRST:
            frames[place] = _keep_first(frame, key, read[place])
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
        with self.piece.part.open_anything() as stream:
            file = arrow("pyarrow.parquet").ParquetFile(stream)
            read = file.read_row_groups(list(self.groups), columns=list(columns))
        return list(read.select(list(columns)).to_batches())


class _Rows(NamedTuple):
    """The rows that one task has read, and the number of uneven rows that it has left out."""

    batches: Sequence[pa.RecordBatch]
    uneven: int = 0


def _shares(table: MentionTable) -> list[_Share]:
    shares = []
    for original in table.pieces:
        piece = original.fetch(table.columns.in_table) if isinstance(original, RelationPiece) else original
        if not isinstance(piece, FilePiece) or piece.kind != PARQUET:
            shares.append(_Share(piece))
            continue
        with piece.part.open_anything() as stream:
            metadata = arrow("pyarrow.parquet").ParquetFile(stream).metadata
            sizes = [metadata.row_group(number).num_rows for number in range(metadata.num_row_groups)]
        waiting: list[int] = []
        for number, size in enumerate(sizes):
            waiting.append(number)
            if sum(sizes[one] for one in waiting) + size > ROWS_OF_PART:
                shares.append(_Share(piece, tuple(waiting)))
                waiting = []
        if waiting:
            shares.append(_Share(piece, tuple(waiting)))
    return shares


def _read_side(table: MentionTable, plan: CountingPlan) -> tuple[SideFacts, dd.DataFrame]:
    """The facts about the rows of a side, and the rows as a data frame with their units."""
    dask, frames = _dask(), _dask("dask.dataframe")
    if table.frame is not None:
        bare = table._replace(pieces=(), frame=None)
        parts = table.frame[table.columns.in_table].to_delayed()
        read = [dask.delayed(_rows_of_frame)(part, bare, plan.as_text) for part in parts]
    else:
        bare = table._replace(pieces=())
        read = [dask.delayed(_rows_of_share)(share, bare, plan.as_text) for share in _shares(table)]
    numbers = dask.compute(*[dask.delayed(_inspect)(part) for part in read])
    starts = list(accumulate((rows for rows, _, _ in numbers), initial=0))
    empty = _to_pandas(_Rows(()), bare, plan, 0)
    placed = zip(read, starts, strict=False)
    parts = [dask.delayed(_to_pandas)(rows, bare, plan, start) for rows, start in placed]
    facts = SideFacts(sum(bad for _, bad, _ in numbers), content=sum(content for *_, content in numbers))
    return facts, frames.from_delayed(parts, meta=empty, verify_meta=False) if parts else _small_frame(empty)


def _rows_of_share(share: _Share, table: MentionTable, as_text: frozenset[str]) -> _Rows:
    batches = [table.normalise(batch, as_text) for batch in share.batches(table.columns.in_table)]
    return _Rows(batches, len(share.piece.uneven))


def _rows_of_frame(frame: pd.DataFrame, table: MentionTable, as_text: frozenset[str]) -> _Rows:
    read = arrow().Table.from_pandas(frame, preserve_index=False)
    return _Rows([table.normalise(batch, as_text) for batch in read.to_batches()])


def _inspect(read: _Rows) -> tuple[int, int, int]:
    """The number of rows, the number of those that lack a value or are uneven, and their content number."""
    rows = sum(batch.num_rows for batch in read.batches)
    sound = sum(batch.drop_null().num_rows for batch in read.batches)
    return rows, rows - sound + read.uneven, sum(map(content_of, read.batches))


def _to_pandas(rows: _Rows, table: MentionTable, plan: CountingPlan, start: int) -> pd.DataFrame:
    """Rows with their units and positions, as a data frame of pandas, without rows that lack a value."""
    import numpy as np

    pyarrow = arrow()
    read = pyarrow.Table.from_batches(rows.batches, schema=table.schema(plan.as_text))
    read = read.append_column("place", pyarrow.array(np.arange(start, start + read.num_rows)))
    read = read.drop_null()
    units = [""] * read.num_rows
    if plan.unit_of is not None:
        documents = documents_of(read).to_pylist()
        known = {name: plan.unit_of(str(name)) for name in dict.fromkeys(documents)}
        units = [known[name] for name in documents]
    clusters = arrow("pyarrow.compute").cast(read.column(CLUSTER), pyarrow.string())
    read = read.set_column(read.column_names.index(CLUSTER), CLUSTER, clusters)
    frame: pd.DataFrame = read.append_column("unit", pyarrow.array(units, pyarrow.string())).to_pandas()
    return frame


def _small_frame(content: Mapping[str, Sequence[object]] | pd.DataFrame) -> dd.DataFrame:
    """A small data frame, of which every worker gets all."""
    pandas = library("pandas", "distributed", "the engine dask")
    frame: dd.DataFrame = _dask("dask.dataframe").from_pandas(pandas.DataFrame(content), npartitions=1)
    return frame


# ------------------------------------------------------------------------------------------------------------ repeats


def _group_sizes(frame: dd.DataFrame, key: Sequence[str], name: str) -> dd.DataFrame:
    """The number of rows of every key, as a data frame with as many parts as the rows have."""
    grouped = frame.groupby(list(key), sort=False, observed=True)
    sizes: dd.DataFrame = grouped.size(split_out=frame.npartitions).rename(name).reset_index()
    return sizes


def _count_cut_names(frame: dd.DataFrame) -> int:
    pairs = _group_sizes(frame, CLUSTER_KEY, "rows")
    return int((_group_sizes(pairs, [CLUSTER], "units")["units"] > 1).sum().compute())


def _repeats(frame: dd.DataFrame, key: Sequence[str]) -> tuple[int, list[Identity]]:
    sizes = _group_sizes(frame, key, "rows")
    again = sizes[sizes["rows"] > 1][list(key)]
    number = int(again.shape[0].compute())
    if not number:
        return 0, []
    shown = again.map_partitions(lambda part: part.sort_values(list(key)).head(SHOWN)).compute()
    rows = shown.sort_values(list(key)).head(SHOWN).itertuples(index=False)
    return number, [
        tuple(getattr(value, "item", lambda value=value: value)() for value in row) for row in rows
    ]


def _keep_first(frame: dd.DataFrame, key: Sequence[str], read: dd.DataFrame) -> dd.DataFrame:
    """Every mention once: in the cluster whose name occurs first of all rows, and there in its first row."""
    seen = read.groupby(CLUSTER, sort=False)["place"].min(split_out=read.npartitions)
    ranked = frame.merge(seen.rename("seen").reset_index(), on=CLUSTER)
    ranked = ranked.assign(rank=ranked["seen"] * (1 << 31) + ranked["place"])
    best = ranked.groupby(list(key), sort=False)["rank"].min(split_out=frame.npartitions)
    best_rows = ranked.merge(best.rename("rank").reset_index(), on=[*key, "rank"])
    firsts: dd.DataFrame = best_rows[list(frame.columns)]
    return firsts


def _merge(frame: dd.DataFrame, key: Sequence[str]) -> dd.DataFrame:
    """The rows with one name for those clusters of a unit that share a mention, every mention once."""
    sizes = _group_sizes(frame, key, "rows")
    again = frame.merge(sizes[sizes["rows"] > 1][list(key)], on=list(key)).compute()
    groups = again.groupby(list(key), sort=False)
    sets = [list(zip(group["unit"], group[CLUSTER], strict=True)) for _, group in groups]
    homes = [(*name, members[0][1]) for _, members in closure(sets) for name in members]
    columns = zip(("unit", CLUSTER, "home"), zip(*homes, strict=True), strict=True)
    named = _small_frame({name: list(values) for name, values in columns})
    joined = frame.merge(named, on=CLUSTER_KEY, how="left")
    joined = joined.assign(**{CLUSTER: joined["home"].fillna(joined[CLUSTER])})[list(frame.columns)]
    merged: dd.DataFrame = joined.drop_duplicates(subset=list(key), split_out=frame.npartitions)
    return merged


# -------------------------------------------------------------------------------------------------------------- cells


def _counts(
    frames: list[dd.DataFrame], key: Sequence[str], plan: CountingPlan
) -> tuple[ClusterCounts, str | None]:
    sizes = [_group_sizes(frame, CLUSTER_KEY, "size") for frame in frames]
    if not plan.singletons:
        sizes = [one[one["size"] > 1] for one in sizes]
        pairs = zip(frames, sizes, strict=True)
        frames = [frame.merge(one[CLUSTER_KEY], on=CLUSTER_KEY) for frame, one in pairs]
    sides = zip(frames, SIDES, strict=True)
    named = [frame[[*key, *CLUSTER_KEY]].rename(columns={CLUSTER: side}) for frame, side in sides]
    # A mention is in the same unit on both sides.
    common = named[0].merge(named[1].drop(columns="unit"), on=list(key))
    cells = _group_sizes(common, ["unit", "gold", "system"], "common")
    for side, one in zip(SIDES, sizes, strict=True):
        cells = cells.merge(one.rename(columns={CLUSTER: side, "size": f"{side}_size"}), on=["unit", side])
    cells = cells.persist()
    meets = [
        cells.groupby(["unit", side], sort=False)["common"].agg(["size", "sum"], split_out=cells.npartitions)
        for side in SIDES
    ]
    for side, one in zip(SIDES, meets, strict=True):
        cells = cells.merge(one["size"].rename(f"{side}_others").reset_index(), on=["unit", side])
    cells = cells.assign(alone=(cells["gold_others"] == 1) & (cells["system_others"] == 1))
    contested, refused = _contested(cells, plan) if plan.ceaf else (None, None)
    rows = cells.groupby(["gold_size", "system_size", "common", "alone"], sort=False).size().compute()
    shapes, alone = shapes_and_alone(rows.items())
    counts = ClusterCounts(
        _histogram(sizes[0]["size"]),
        _histogram(sizes[1]["size"]),
        shapes,
        alone,
        _histogram(meets[0]["sum"]),
        _histogram(meets[1]["sum"]),
        (_pairs_in_units(common), _pairs_in_units(frames[0]), _pairs_in_units(frames[1])),
        contested,
    )
    return counts, refused


def _histogram(sizes: dd.Series) -> dict[int, int]:
    return {int(size): int(number) for size, number in sizes.value_counts().compute().items()}


def _pairs_in_units(frame: dd.DataFrame) -> int:
    """The number of pairs of mentions inside units."""
    return sum(pair_count(int(size)) for size in frame["unit"].value_counts().compute())


def _contested(cells: dd.DataFrame, plan: CountingPlan) -> tuple[Cells[NDArray[np.int64]] | None, str | None]:
    contested = cells[~cells["alone"]]
    refused = why_no_ceaf(int(contested.shape[0].compute()), plan.memory)
    if refused is not None:
        return None, refused
    rows: pd.DataFrame = contested.compute().sort_values(["unit", "gold", "system"], ignore_index=True)
    numbers = {side: rows.groupby(["unit", side], sort=False).ngroup().to_numpy() for side in SIDES}
    columns = {name: rows[name].to_numpy() for name in ("common", "gold_size", "system_size")}
    return numbered_cells({**numbers, **columns}), None

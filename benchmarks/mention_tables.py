"""Seeded tables of mentions for the benchmark of engines: Parquet with document, start, end and cluster."""

from __future__ import annotations

from pathlib import Path

import coref_corpora
import numpy as np

PER_DOCUMENT = 1000
ROWS = 1_000_000
"""Rows of a row group."""


def write_tables(folder: Path, mentions: int) -> tuple[Path, Path]:
    """Gold and an ordinary system of a cross-document clustering, over documents of a thousand mentions."""
    labels = coref_corpora.ordinary(coref_corpora.gold_labels(mentions, seed=5), seed=6)
    paths = folder / f"gold-{mentions}.parquet", folder / f"system-{mentions}.parquet"
    for path, side in zip(paths, labels, strict=True):
        _write(path, side)
    return paths


def _write(path: Path, labels: coref_corpora.Labels) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    known = np.flatnonzero(labels >= 0)
    names = pa.array([f"news/doc-{number:06d}" for number in range(len(labels) // PER_DOCUMENT + 1)])
    schema = pa.schema(
        [("document", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("cluster", pa.int64())]
    )
    with pq.ParquetWriter(path, schema) as writer:
        for at in range(0, len(known), ROWS):
            rows = known[at : at + ROWS]
            start = (rows % PER_DOCUMENT * 8).astype(np.int32)
            columns = [
                names.take(pa.array(rows // PER_DOCUMENT)),
                pa.array(start),
                pa.array(start + 1 + (rows % 3).astype(np.int32)),
                pa.array(labels[rows]),
            ]
            writer.write_table(pa.table(columns, schema=schema))

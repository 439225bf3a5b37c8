"""Where two sides differ, one line each: clusters of coreference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.model import Summary
from lydite.model.diagnosis import ClustersOfDocument


def clusters(summary: Summary) -> str:
    """Every cluster that is not the same on both sides: document, side, cluster, what became of it, where its parts are."""
    return _table(
        ("document", "side", "cluster", "mentions", "fate", "parts", "mentions without partner"),
        (row for document in _documents(summary) for row in _cluster_rows(document)),
    )


def _cluster_rows(document: ClustersOfDocument) -> Iterator[Sequence[str]]:
    for side in ("gold", "system"):
        for cluster in document["clusters"][side]:
            if cluster["fate"] != "whole":
                parts = ", ".join(f"{name}: {count}" for name, count in cluster["parts"].items())
                yield (
                    document["document"],
                    side,
                    cluster["id"],
                    str(cluster["size"]),
                    cluster["fate"],
                    parts,
                    ", ".join(cluster["missed"] if side == "gold" else cluster["spurious"]),
                )


def _documents(summary: Summary) -> Sequence[ClustersOfDocument]:
    found: Sequence[ClustersOfDocument] = summary.diagnosis.get("documents", ())
    return found


def _table(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))

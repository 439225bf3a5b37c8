"""Where two sides differ, one line each: clusters of coreference."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.model import Summary
from lydite.model.diagnosis import ClustersOfDocument


def clusters(summary: Summary) -> str:
    """Every cluster that is not the same on both sides: document, side, cluster, what became of it, where its parts are."""
    columns = ("document", "side", "cluster", "mentions", "fate", "parts", "mentions without partner")
    documents: Sequence[ClustersOfDocument] = summary.diagnosis.get("documents", ())
    rows = (row for document in documents for row in _cluster_rows(document))
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))


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

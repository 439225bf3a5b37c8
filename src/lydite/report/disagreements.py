"""Where two sides differ, one line each: clusters of coreference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lydite.model import Summary
from lydite.model.plain import PlainMapping


def clusters(summary: Summary) -> str:
    """Every cluster that is not the same on both sides: document, side, cluster, what became of it, where its parts are."""
    return _table(
        ("document", "side", "cluster", "mentions", "fate", "parts", "mentions without partner"),
        (row for document in _documents(summary) for row in _cluster_rows(document)),
    )


def _cluster_rows(document: PlainMapping) -> Iterator[Sequence[str]]:
    for side, absent in (("gold", "missed"), ("system", "spurious")):
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
                    ", ".join(cluster[absent]),
                )


def _documents(summary: Summary) -> Sequence[Mapping[str, object]]:
    found: Sequence[Mapping[str, object]] = summary.diagnosis.get("documents", ())
    return found


def _table(columns: Sequence[str], rows: Iterator[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in (columns, *rows))

"""What is no score: which clusters were found, split, merged, missed, spurious, and how the official program adds up."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from math import comb
from typing import Any

from lydite.model.cluster import Cluster, Table
from lydite.tasks.coref.comparison import Coreference


def diagnose(comparison: Coreference) -> Mapping[str, Any]:
    """Counts, every cluster with what became of it, and the running sums behind the official percentages."""
    from lydite.metrics.coreference_repeats import running_b_cubed, running_ceaf_e, table_of_positions

    alignment = comparison.alignment
    for_recall, for_precision = running_b_cubed(alignment.gold, alignment.system)
    table = table_of_positions(alignment.gold, alignment.system) if alignment.repeated else alignment.table
    return {
        "counts": {
            "gold_clusters": len(alignment.gold),
            "system_clusters": len(alignment.system),
            "gold_mentions": sum(map(len, alignment.gold)),
            "system_mentions": sum(map(len, alignment.system)),
            "repeats_dropped": sum(repeat.dropped for repeat in comparison.repeats),
        },
        "clusters": _clusters(comparison),
        "agreement": {} if alignment.repeated else {"link": _links(alignment.table)},
        "running": {
            "b-cubed": {"gold_credit": for_recall, "system_credit": for_precision},
            "ceaf-e": {"credit": running_ceaf_e(table)},
        },
        **({"echo": _echo(comparison)} if comparison.echoed else {}),
    }


def _echo(comparison: Coreference) -> dict[str, Any]:
    """The clusters as they were read, and what places the document in the order of gold's files."""
    document = comparison.pair.gold
    return {
        "place": [document.path, document.line],
        **{
            side: [[_first_and_last(mention) for mention in cluster.members] for cluster in clusters]
            for side, clusters in (("gold", comparison.gold), ("system", comparison.system))
        },
        "repeats": [
            f"{repeat.side} mention {_first_and_last(repeat.mention)}" for repeat in comparison.repeats
        ],
    }


def _first_and_last(mention: Hashable) -> str:
    """A mention as the CoNLL scorer writes it: first and last token; another mention as it is called."""
    if isinstance(mention, tuple) and len(mention) == 2 and all(isinstance(part, int) for part in mention):
        return f"({mention[0]},{mention[1] - 1})"
    return shown(mention)


def _links(table: Table) -> dict[str, dict[str, int]]:
    """Pairs of mentions that both sides have: linked or apart on the one side and on the other."""
    gold: dict[int, int] = {}
    system: dict[int, int] = {}
    for row, column, common in table.cells:
        gold[row] = gold.get(row, 0) + common
        system[column] = system.get(column, 0) + common
    total = comb(sum(gold.values()), 2)
    both = sum(comb(common, 2) for _, _, common in table.cells)
    first, second = (sum(comb(size, 2) for size in sizes.values()) for sizes in (gold, system))
    return {
        "linked": {"linked": both, "apart": first - both},
        "apart": {"linked": second - both, "apart": total - first - second + both},
    }


def _clusters(comparison: Coreference) -> dict[str, list[dict[str, Any]]]:
    return {
        "gold": _fates(comparison.gold, comparison.system, ("missed", "split")),
        "system": _fates(comparison.system, comparison.gold, ("spurious", "merged")),
    }


def _fates(
    ours: Sequence[Cluster], theirs: Sequence[Cluster], words: tuple[str, str]
) -> list[dict[str, Any]]:
    """Per cluster: found whole, in part, in several clusters of the other side, or in none; mentions not there."""
    home = {mention: position for position, cluster in enumerate(theirs) for mention in cluster.members}
    absent, several = words
    fates = []
    for cluster in ours:
        parts: dict[int, int] = {}
        strangers = []
        for mention in cluster.members:
            at = home.get(mention)
            if at is None:
                strangers.append(shown(mention))
            else:
                parts[at] = parts.get(at, 0) + 1
        fate = absent if not parts else several if len(parts) > 1 else "partial"
        if len(parts) == 1 and not strangers:
            (at,) = parts
            fate = "whole" if len(theirs[at].members) == len(cluster.members) else "partial"
        fates.append(
            {
                "id": cluster.id,
                "size": len(cluster.members),
                "fate": fate,
                "parts": {_named(theirs[at], at): common for at, common in parts.items()},
                absent: strangers,
            }
        )
    return fates


def _named(cluster: Cluster, position: int) -> str:
    return cluster.id or f"#{position + 1}"


def shown(mention: Hashable) -> str:
    """A mention as text: first and last token, an id, or a document and one of the two."""
    if not isinstance(mention, tuple):
        return str(mention)
    if mention and all(isinstance(part, int) for part in mention):
        ranges = zip(mention[::2], mention[1::2], strict=False)
        return ",".join(f"{first}-{end - 1}" if end - first > 1 else str(first) for first, end in ranges)
    if len(mention) == 2 and isinstance(mention[0], str):
        inner = shown(mention[1])
        return inner if mention[0] and mention[0] in inner else f"{mention[0]}#{inner}"
    return "+".join(map(shown, mention))

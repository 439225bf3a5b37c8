"""The functions of the NewsReader coreference module, under the names that its users know.

A class is a list of mentions; note that precision comes before recall.

>>> classes = generate_equivalence_classes([["w1"], ["w1", "w2"], ["w2", "w3"]])
>>> classes
[['w1', 'w2', 'w3']]
>>> response = generate_equivalence_classes([["w1", "w2"], ["w3"]])
>>> rel_response, rel_key = generate_rel_partition(classes, response)
>>> rel_key
[[['w1', 'w2'], ['w3']]]
>>> calculate_MUC(classes, rel_key)
0.5
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from lydite.align.clusters import align_clusters
from lydite.errors import UsageError
from lydite.formats.coref_xml import read_sets
from lydite.formats.source import open_source
from lydite.grouping import closure, grouped
from lydite.metrics.cluster_counts import ClusterCounts, count_table
from lydite.metrics.coreference import blanc, ceaf_e, ceaf_e_over_phi3, ceaf_m, sum_of_fractions
from lydite.model import Figures
from lydite.model.cluster import Cluster
from lydite.pipeline.reading import PathLike

Classes = Sequence[Sequence[Hashable]]
RelativePartition = Sequence[Sequence[Sequence[Hashable]]]


class My_Corefs(list[list[Hashable]]):  # noqa: N801 - the old name
    """The sets of a file of coreference sets in XML, each a list of mentions, as written and in the order of the file.

    A mention is the ``id`` of its target, or a tuple of ids if it has several; targets with ``head="no"`` are left out.
    Sets that share a mention are joined by :func:`generate_equivalence_classes`.
    """

    def __init__(self, path: PathLike) -> None:
        source = open_source(path)
        super().__init__([*members] for part in source.parts for members in read_sets(part))


def generate_equivalence_classes(list_of_lists: Iterable[Iterable[Hashable]]) -> list[list[Hashable]]:
    """Lists that share a mention joined; every mention once."""
    return [members for _, members in closure(list_of_lists)]


def generate_rel_partition(
    key_classes: Classes, response_classes: Classes
) -> tuple[list[list[list[Hashable]]], list[list[list[Hashable]]]]:
    """For each response class its cut by the key, and for each key class its cut by the response.

    Every part is a list; a mention that the other side does not have is a part of its own.
    """
    return _cut(response_classes, key_classes), _cut(key_classes, response_classes)


def _cut(classes: Classes, others: Classes) -> list[list[list[Hashable]]]:
    home = {mention: position for position, other in enumerate(others) for mention in other}
    return [
        list(grouped((home.get(mention, ("alone", mention)), mention) for mention in members).values())
        for members in classes
    ]


def calculate_MUC(classes: Classes, rel_partition: RelativePartition) -> float:  # noqa: N802 - the old name
    """Σ(|c| - parts of c) / Σ(|c| - 1): recall for the key's classes, precision for the response's; 0 without links."""
    links = sum(len(members) - 1 for members in classes)
    found = sum(len(members) - len(parts) for members, parts in zip(classes, rel_partition, strict=True))
    return found / links if links else 0.0


def calculate_B3(  # noqa: N802 - the old name
    key: Classes, response: Classes, rel_r: RelativePartition, rel_k: RelativePartition
) -> tuple[float, float]:
    """B³ precision and recall from the two relative partitions."""
    return _b_cubed(response, rel_r, key), _b_cubed(key, rel_k, response)


def _b_cubed(classes: Classes, rel_partition: RelativePartition, others: Classes) -> float:
    known = {mention for members in others for mention in members}
    credit = sum_of_fractions(
        (len(part) ** 2, len(members))
        for members, parts in zip(classes, rel_partition, strict=True)
        for part in parts
        if part[0] in known
    )
    total = sum(map(len, classes))
    return credit.value / total if total else 0.0


def calculate_CEAF(  # noqa: N802 - the old name
    key: Classes, response: Classes, *, alignment: str = "phi4"
) -> tuple[float, float, float, float, float, float]:
    """Precision, recall, F of CEAFm, then of CEAFe; ``alignment="phi3"`` sums CEAFe over the alignment of CEAFm."""
    if alignment not in {"phi3", "phi4"}:
        raise UsageError(f"alignment={alignment!r} is not possible", hint="choose from: phi4, phi3")
    counts = _counts(key, response)
    by_entities = ceaf_e_over_phi3 if alignment == "phi3" else ceaf_e
    return *_figures(ceaf_m(counts)), *_figures(by_entities(counts))


def calculate_BLANC(key: Classes, response: Classes) -> tuple[float, float, float]:  # noqa: N802 - the old name
    """BLANC precision, recall, F."""
    return _figures(blanc(_counts(key, response)))


def _figures(tally: Figures) -> tuple[float, float, float]:
    score = tally.score(empty="zero")
    return score.precision or 0.0, score.recall or 0.0, score.f1 or 0.0


def calculate_MELA(f_muc: float, f_b3: float, f_ceafe: float) -> float:  # noqa: N802 - the old name
    """The mean of the three F-measures."""
    return (f_muc + f_b3 + f_ceafe) / 3


def _counts(key: Classes, response: Classes) -> ClusterCounts:
    sides = [[Cluster("", tuple(members)) for members in side if members] for side in (key, response)]
    return count_table(align_clusters(*sides, repeats="merge").table)

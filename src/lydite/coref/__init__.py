"""Coreference metrics without files: lists of sets or arrays in, scores out.

>>> from lydite import coref
>>> coref.b_cubed([{1, 2, 3}], [{1, 2}, {3}])
Score(precision=1.0, recall=0.5555555555555556, f1=0.7142857142857143, value=None)

A cluster is any collection of hashable mentions; equal mentions are the same mention.  ``lydite.coref.newsreader`` keeps
the functions of the NewsReader module under their old names.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping

from lydite.align.clusters import align_clusters, repeats
from lydite.errors import UsageError
from lydite.metrics import METRICS
from lydite.model import Score
from lydite.model.cluster import Cluster, ClusterAlignment, MeanTally

__all__ = [
    "adjusted_rand",
    "b_cubed",
    "blanc",
    "blanc_original",
    "ceaf_e",
    "ceaf_m",
    "conll",
    "kbp",
    "lea",
    "mentions",
    "muc",
    "pairwise",
    "pairwise_negative",
    "rand",
    "score",
    "score_arrays",
]

Clusters = Iterable[Collection[Hashable]]

ARRAY_METRICS = ("mentions", "muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea")
"""What :func:`score_arrays` computes unless told otherwise, besides the averages ``conll`` and ``kbp``."""


def score(
    metric: str, gold: Clusters, system: Clusters, *, repeats: str = "error", complete: bool = False
) -> Score:
    """The score of any cluster metric, by its name in ``lydite list metrics``.

    ``repeats`` says what a mention in two clusters of one side means: ``error`` refuses it, ``first`` keeps the first,
    ``merge`` joins the clusters, ``v8.01`` is the reading of the CoNLL reference scorer.  ``blanc-original`` refuses
    sides with different mentions unless ``complete`` gives each side those that it lacks, as singletons.
    """
    declared = METRICS[metric]
    if declared.domain != "clusters":
        raise UsageError(
            f"metric {metric!r} does not measure clusters", hint="lydite list metrics names those that do"
        )
    alignment = _aligned(gold, system, repeats)
    if metric == "blanc-original" and not complete:
        ours, theirs = (
            {m for cluster in side for m in cluster} for side in (alignment.gold, alignment.system)
        )
        if ours != theirs:
            raise UsageError(
                "blanc-original needs the same mentions on both sides",
                hint="complete=True gives each side the mentions that it lacks as singletons",
            )
    return declared.measure(alignment).score(empty="zero")


def _aligned(gold: Clusters, system: Clusters, policy: str) -> ClusterAlignment:
    sides = tuple(
        [Cluster(str(number), tuple(members)) for number, members in enumerate(side) if members]
        for side in (gold, system)
    )
    if policy == "error":
        for side, mention, first, again, _ in repeats(sides[0], sides[1], policy):
            raise UsageError(
                f"mention {mention!r} is in two {side} clusters, number {first} and number {again}",
                hint="say repeats='first', 'merge' or 'v8.01'",
            )
    elif policy not in {"first", "merge", "v8.01"}:
        raise UsageError(
            f"repeats={policy!r} is not possible", hint="choose from: error, first, merge, v8.01"
        )
    return align_clusters(sides[0], sides[1], repeats=policy)


def mentions(gold: Clusters, system: Clusters) -> Score:
    """Identification of mentions: which were found, whatever their clusters."""
    return score("mentions", gold, system)


def muc(gold: Clusters, system: Clusters) -> Score:
    """MUC (Vilain et al. 1995)."""
    return score("muc", gold, system)


def b_cubed(gold: Clusters, system: Clusters) -> Score:
    """B³ (Bagga & Baldwin 1998), as in the CoNLL reference scorer 8.01."""
    return score("b-cubed", gold, system)


def ceaf_m(gold: Clusters, system: Clusters) -> Score:
    """Mention-based CEAF (Luo 2005, φ3)."""
    return score("ceaf-m", gold, system)


def ceaf_e(gold: Clusters, system: Clusters) -> Score:
    """Entity-based CEAF (Luo 2005, φ4)."""
    return score("ceaf-e", gold, system)


def blanc(gold: Clusters, system: Clusters) -> Score:
    """BLANC (Luo et al. 2014), as in the CoNLL reference scorer 8.01."""
    return score("blanc", gold, system)


def blanc_original(gold: Clusters, system: Clusters, *, complete: bool = False) -> Score:
    """BLANC as first defined (Recasens & Hovy 2011), for two sides with the same mentions.

    With ``complete`` a mention that one side lacks becomes a singleton there.
    """
    return score("blanc-original", gold, system, complete=complete)


def lea(gold: Clusters, system: Clusters) -> Score:
    """LEA (Moosavi & Strube 2016)."""
    return score("lea", gold, system)


def pairwise(gold: Clusters, system: Clusters) -> Score:
    """Coreference links alone."""
    return score("pairwise", gold, system)


def pairwise_negative(gold: Clusters, system: Clusters) -> Score:
    """Non-coreference links alone."""
    return score("pairwise-negative", gold, system)


def rand(gold: Clusters, system: Clusters) -> Score:
    """Rand index over the common mentions, as ``value``."""
    return score("rand", gold, system)


def adjusted_rand(gold: Clusters, system: Clusters) -> Score:
    """Adjusted Rand index over the common mentions, as ``value``."""
    return score("adjusted-rand", gold, system)


def conll(gold: Clusters, system: Clusters) -> Score:
    """The CoNLL average (MELA): mean F1 of MUC, B³ and CEAFe."""
    return score("conll", gold, system)


def kbp(gold: Clusters, system: Clusters) -> Score:
    """The KBP event nugget average: mean F1 of MUC, B³, CEAFe and BLANC."""
    return score("kbp", gold, system)


def score_arrays(
    gold_labels: object,
    system_labels: object,
    documents: object = None,
    *,
    metrics: Iterable[str] = ARRAY_METRICS,
) -> Mapping[str, Score]:
    """All metrics of two label arrays, for millions of mentions.

    Position i is mention i; its label is its cluster on that side, a negative label says that the side does not have
    the mention.  ``documents`` gives the document of every mention: labels of different documents are different
    clusters, and links never cross documents.  The averages ``conll`` and ``kbp`` are added when their metrics are
    there.  Takes NumPy arrays or anything that becomes one.

    >>> from lydite import coref
    >>> coref.score_arrays([0, 0, 0, 1], [0, 0, 1, -1])["muc"].recall
    0.5
    """
    from lydite.metrics import coreference_arrays as arrays

    names = tuple(metrics)
    for name in names:
        if name not in ARRAY_METRICS:
            raise UsageError(f"no array metric {name!r}", hint=f"known: {', '.join(ARRAY_METRICS)}")
    table = arrays.from_labels(*_checked(gold_labels, system_labels, documents))
    functions = {"mentions": arrays.mention_detection}
    tallies = {
        name: functions.get(name, getattr(arrays, name.replace("-", "_"), None))(table)  # type: ignore[misc]
        for name in names
    }
    for average, parts in (
        ("conll", ("muc", "b-cubed", "ceaf-e")),
        ("kbp", ("muc", "b-cubed", "ceaf-e", "blanc")),
    ):
        if all(part in tallies for part in parts):
            tallies[average] = MeanTally({part: tallies[part] for part in parts})
    return {name: tally.score(empty="zero") for name, tally in tallies.items()}


def _checked(gold_labels: object, system_labels: object, documents: object) -> tuple[object, object, object]:
    import numpy as np

    gold, system = np.asarray(gold_labels), np.asarray(system_labels)
    for side, labels in (("gold", gold), ("system", system)):
        if labels.ndim != 1 or (labels.size and labels.dtype.kind not in "iu"):
            raise UsageError(
                f"{side} labels: expected one row of whole numbers, found {labels.dtype} {labels.shape}"
            )
        if labels.dtype.kind == "u" and labels.size and int(labels.max()) > np.iinfo(np.int64).max:
            raise UsageError(f"{side} labels: expected numbers of 63 bits, found {labels.max()}")
    of_document = None if documents is None else np.asarray(documents)
    lengths = {len(array) for array in (gold, system, of_document) if array is not None}
    if len(lengths) > 1:
        raise UsageError(f"labels and documents must have one entry per mention, found {sorted(lengths)}")
    whole = (gold.astype(np.int64, copy=False), system.astype(np.int64, copy=False))
    return *whole, of_document


_MODULES = ("newsreader",)
"""Modules that are there without an import of their own."""


def __getattr__(name: str) -> object:
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"lydite.coref.{name}")
    raise AttributeError(f"module 'lydite.coref' has no attribute {name!r}")

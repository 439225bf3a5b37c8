"""Coreference metrics without files: lists of sets or arrays in, scores out.

>>> from lydite import coref
>>> coref.b_cubed([{1, 2, 3}], [{1, 2}, {3}])
Score(precision=1.0, recall=0.5555555555555556, f1=0.7142857142857143, value=None)

A cluster is any collection of hashable mentions; equal mentions are the same mention.  Spans as JSON has them (``[0, 1]``)
and numbers of NumPy or torch are taken as plain ones; a dict is refused.  ``documents=True`` gives the total of a corpus:
scores do not add up.  ``lydite.coref.newsreader`` keeps the functions of the NewsReader module under their old names.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, Protocol, cast

from lydite.align.clusters import align_clusters, find_repeats
from lydite.errors import UsageError
from lydite.formats.faults import Faults
from lydite.keyword_arguments import check_keywords, names_of
from lydite.metrics import MEANS, METRICS
from lydite.metrics.totals import can_count_together, corpus_tally, documents_tally
from lydite.model import Figures, Score
from lydite.model.cluster import ClusterAlignment, Partition
from lydite.objects.clusters import are_plain, plain_clusters

if TYPE_CHECKING:
    from lydite.errors import Finding
    from lydite.model import Summary

__all__ = [
    "TableScores",
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
    "score_tables",
]

Clusters = Iterable[Collection[Hashable]]
Documents = Iterable[Clusters]
Plain = Sequence[Collection[Hashable]]
POLICIES = ("error", "first", "merge", "v8.01")

ARRAY_METRICS = ("mentions", "muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea")
"""The metrics that :func:`score_arrays` knows and computes by default, besides the averages ``conll`` and ``kbp``."""


def score(
    metric: str,
    gold: Clusters | Documents,
    system: Clusters | Documents,
    *,
    repeats: str = "error",
    complete: bool = False,
    documents: bool = False,
) -> Score:
    """The score of any cluster metric, by its name in ``lydite list metrics``.

    With ``documents`` each side is a list of documents, which belong together by position, and the score is that of
    the corpus: counts are added and divided once.  Mentions of different documents are different mentions.

    ``repeats`` says what a mention in two clusters of one side means: ``error`` refuses it, ``first`` keeps the first,
    ``merge`` joins the clusters, ``v8.01`` is the reading of the CoNLL reference scorer.  ``blanc-original`` refuses
    sides with different mentions unless ``complete`` gives each side those that it lacks, as singletons.

    >>> from lydite import coref
    >>> coref.score("muc", [[{1, 2}], [{1, 2, 3}]], [[{1, 2}], [{1, 2}]], documents=True).recall
    0.6666666666666666
    """
    if METRICS[metric].domain != "clusters":
        raise UsageError(
            f"metric {metric!r} does not measure clusters", hint="lydite list metrics names those that do"
        )
    if repeats not in POLICIES:
        raise UsageError(f"repeats={repeats!r} is not possible", hint=f"choose from: {', '.join(POLICIES)}")
    pairs = _pair_documents(gold, system) if documents else [(gold, system)]
    count = partial(_tally, metric, repeats=repeats, complete=complete)
    try:
        tally = count(_plain_pairs(pairs, documents, hashable=True))
    except TypeError:  # a mention that cannot be hashed as it is: JSON's lists, for instance
        tally = count(_plain_pairs(pairs, documents, hashable=False))
    return tally.score(empty="zero")


def _tally(metric: str, pairs: Sequence[tuple[Plain, Plain]], *, repeats: str, complete: bool) -> Figures:
    if len(pairs) > 1 and can_count_together(metric):
        counted, repeated = documents_tally(metric, pairs)
        others = [_align(*pairs[at], repeats, f" of document {at}") for at in repeated]
        return corpus_tally(metric, others, counted)
    alignments = [
        _align(*pair, repeats, f" of document {at}" if len(pairs) > 1 else "")
        for at, pair in enumerate(pairs)
    ]
    if metric == "blanc-original" and not (complete or all(one.has_same_mentions for one in alignments)):
        raise UsageError(
            "blanc-original needs the same mentions on both sides",
            hint="complete=True gives each side the mentions that it lacks as singletons",
        )
    return corpus_tally(metric, alignments)


def _pair_documents(gold: Iterable[object], system: Iterable[object]) -> list[tuple[object, object]]:
    for side, name in ((gold, "gold"), (system, "system")):
        if isinstance(side, Mapping):
            raise UsageError(
                f"{name}: expected a list of documents, found a dict",
                hint="lydite.score(gold, system, task='coref') takes documents by id",
            )
    ours, theirs = list(gold), list(system)
    if len(ours) != len(theirs):
        raise UsageError(f"expected as many gold as system documents, found {len(ours)} and {len(theirs)}")
    return list(zip(ours, theirs, strict=True))


def _align(ours: Plain, theirs: Plain, policy: str, place: str) -> ClusterAlignment:
    gold, system = map(Partition.numbered, (ours, theirs))
    alignment = align_clusters(gold, system, repeats=policy)
    if policy == "error" and not alignment.as_given:
        for side, mention, first, again, _ in find_repeats(gold, system, policy):
            raise UsageError(
                f"mention {mention!r} is in two {side} clusters{place}, number {first} and number {again}",
                hint="say repeats='first', 'merge' or 'v8.01'",
            )
    return alignment


def _plain_pairs(
    pairs: Sequence[tuple[object, object]], several: bool, *, hashable: bool
) -> list[tuple[Plain, Plain]]:
    """The clusters of all documents as plain sequences; the faults of all of them are one error."""
    if hashable and are_plain(chain.from_iterable(pairs)):
        return cast("list[tuple[Plain, Plain]]", pairs)
    plain: list[tuple[Plain, Plain]] = []
    messages: list[str] = []
    for at, (gold, system) in enumerate(pairs):
        try:
            plain.append((plain_clusters(gold, hashable=hashable), plain_clusters(system, hashable=hashable)))
        except Faults:
            place = f"[{at}]" if several else ""
            messages += [*_faults(gold, f"gold{place}"), *_faults(system, f"system{place}")]
    if messages:
        raise UsageError("; ".join(messages))
    return plain


def _faults(side: object, place: str) -> list[str]:
    try:
        plain_clusters(side)
    except Faults as faults:
        return [f"{place}{fault}" for fault in faults.args]
    return []


class _MetricFunction(Protocol):
    """A metric as a function of two sides; the options are those of :func:`score`."""

    def __call__(
        self,
        gold: Clusters | Documents,
        system: Clusters | Documents,
        *,
        repeats: str = "error",
        documents: bool = False,
    ) -> Score: ...


def _function(metric: str, meaning: str) -> _MetricFunction:
    def measure(
        gold: Clusters | Documents,
        system: Clusters | Documents,
        *,
        repeats: str = "error",
        documents: bool = False,
    ) -> Score:
        return score(metric, gold, system, repeats=repeats, documents=documents)

    measure.__name__ = measure.__qualname__ = metric.replace("-", "_")
    measure.__doc__ = meaning
    return measure


mentions = _function("mentions", "Identification of mentions: which were found, whatever their clusters.")
muc = _function("muc", "MUC (Vilain et al. 1995).")
b_cubed = _function("b-cubed", "B³ (Bagga & Baldwin 1998), as in the CoNLL reference scorer 8.01.")
ceaf_m = _function("ceaf-m", "Mention-based CEAF (Luo 2005, φ3).")
ceaf_e = _function("ceaf-e", "Entity-based CEAF (Luo 2005, φ4).")
blanc = _function("blanc", "BLANC (Luo et al. 2014), as in the CoNLL reference scorer 8.01.")
lea = _function("lea", "LEA (Moosavi & Strube 2016).")
pairwise = _function("pairwise", "Coreference links alone.")
pairwise_negative = _function("pairwise-negative", "Non-coreference links alone.")
rand = _function("rand", "Rand index over the common mentions, as ``value``.")
adjusted_rand = _function("adjusted-rand", "Adjusted Rand index over the common mentions, as ``value``.")
conll = _function("conll", "The CoNLL average (MELA): mean F1 of MUC, B³ and CEAFe.")
kbp = _function("kbp", "The KBP event nugget average: mean F1 of MUC, B³, CEAFe and BLANC.")


def blanc_original(
    gold: Clusters | Documents,
    system: Clusters | Documents,
    *,
    complete: bool = False,
    repeats: str = "error",
    documents: bool = False,
) -> Score:
    """BLANC as first defined (Recasens & Hovy 2011), for two sides with the same mentions.

    With ``complete`` a mention that one side lacks becomes a singleton there.
    """
    return score("blanc-original", gold, system, complete=complete, repeats=repeats, documents=documents)


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
    from lydite.metrics.label_counts import count_labels

    names = list(names_of("metrics", metrics))
    for name in names:
        if name not in ARRAY_METRICS:
            raise UsageError(f"no array metric {name!r}", hint=f"known: {', '.join(ARRAY_METRICS)}")
    counts = count_labels(*_checked_labels(gold_labels, system_labels, documents))
    names += [average for average, parts in MEANS.items() if {*parts} <= {*names}]
    alignment = ClusterAlignment(counts=counts)
    tallies = {name: alignment.once(METRICS[name].measure) for name in names}
    return {name: tally.score(empty="zero") for name, tally in tallies.items()}


def _checked_labels(
    gold_labels: object, system_labels: object, documents: object
) -> tuple[object, object, object]:
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
    if of_document is not None and of_document.ndim != 1:
        raise UsageError(f"documents: expected one row of names, found {type(documents).__name__}")
    lengths = {len(array) for array in (gold, system, of_document) if array is not None}
    if len(lengths) > 1:
        raise UsageError(f"labels and documents must have one entry per mention, found {sorted(lengths)}")
    whole = (gold.astype(np.int64, copy=False), system.astype(np.int64, copy=False))
    return *whole, of_document


class TableScores(dict[str, Score]):
    """Scores by metric, of the first average; ``summary`` is what they were taken from, ``findings`` are its remarks.

    A metric that could not be computed, as CEAF of cells that do not fit into memory, is missing; a finding says why.
    """

    def __init__(self, summary: Summary) -> None:
        super().__init__()
        for row in summary.corpus_rows():
            self.setdefault(row.metric, row.score)
        self.summary = summary

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Remarks on the tables, and on what was left out."""
        return self.summary.findings


def score_tables(
    gold: object,
    system: object,
    *,
    engine: str = "auto",
    columns: Mapping[str, str] = MappingProxyType({}),
    profile: str = "conll-8.01",
    **settings: object,
) -> TableScores:
    """All metrics of two tables of mentions, from thousands to more than memory holds.

    A table has the columns ``document``, ``start``, ``end`` and ``cluster``, or ``mention`` and ``cluster``; ``columns``
    gives their names.  It is a path, a pattern or an address (Parquet, Arrow IPC, CSV), a table of pyarrow,
    pandas or polars, a relation of DuckDB, or a Dask data frame.  ``engine`` chooses what counts: ``arrays`` in memory,
    ``duckdb`` on disk (``memory_limit="3GB"``), ``dask`` on a cluster; ``auto`` goes by size.  All give the same figures.
    Other settings are those of ``lydite score coref``: ``unit="corpus"`` where clusters cross documents.

    >>> import pyarrow as pa
    >>> from lydite import coref
    >>> gold = pa.table({"mention": [1, 2, 3, 4], "cluster": ["a", "a", "a", "b"]})
    >>> system = pa.table({"mention": [1, 2, 3], "cluster": [7, 7, 8]})
    >>> coref.score_tables(gold, system)["muc"].recall
    0.5
    """
    from lydite.pipeline.running import run
    from lydite.pipeline.task import TOTALS
    from lydite.profile import load_profile
    from lydite.tables.format import corpus_of_object
    from lydite.tasks.coref import COREF

    check_keywords(columns=columns, profile=profile)
    names = [f"{role}={name}" for role, name in (columns or {}).items()]
    loaded = load_profile(COREF.name, str(profile or COREF.default_profile), COREF.settings)
    loaded = loaded.replace({"engine": engine, "table-columns": names, **settings})
    sides = [
        corpus_of_object(table, name, loaded.values) for name, table in (("gold", gold), ("system", system))
    ]
    return TableScores(run(COREF, sides[0], sides[1:], loaded, detail=TOTALS))


_MODULES = ("newsreader",)
"""Modules that are imported when they are first used."""


def __getattr__(name: str) -> object:
    if name in _MODULES:
        from importlib import import_module

        return import_module(f"lydite.coref.{name}")
    raise AttributeError(f"module 'lydite.coref' has no attribute {name!r}")

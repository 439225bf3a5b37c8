"""The declarations of the cluster metrics: citation, weaknesses, laws, and which definition serves which input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from lydite.metrics import MEANS
from lydite.metrics import coreference as plain
from lydite.metrics import coreference_found as found
from lydite.metrics import coreference_repeats as repeats
from lydite.metrics import coreference_variants as variants
from lydite.metrics.base import Law, MetricDeclaration
from lydite.metrics.cluster_counts import ClusterCounts, count_table
from lydite.model import Figures
from lydite.model.cluster import (
    ClusterAlignment,
    ClusterTally,
    LinkTally,
    MeanTally,
    Members,
    first_copies,
    overlap_table,
    overlap_table_of_copies,
)

CountsMetric = Callable[[ClusterCounts], Figures]
AlignmentMetric = Callable[[ClusterAlignment], Figures]


def _counts(alignment: ClusterAlignment) -> ClusterCounts:
    """The counts that an engine gave, or those of the table."""
    return (
        count_table(alignment.table) if alignment.counts is None else cast("ClusterCounts", alignment.counts)
    )


def _counts_of_first_copies(alignment: ClusterAlignment) -> ClusterCounts:
    return count_table(overlap_table(first_copies(alignment.gold), first_copies(alignment.system)))


def _counts_of_copies(alignment: ClusterAlignment) -> ClusterCounts:
    return count_table(overlap_table_of_copies(alignment.gold, alignment.system))


def _metric_of_counts(
    definition: CountsMetric,
    *,
    repeated: Callable[[ClusterAlignment], ClusterCounts] = _counts_of_first_copies,
    with_repeats: Callable[[ClusterAlignment], Figures] | None = None,
    each_side: bool = False,
) -> AlignmentMetric:
    """A metric of an alignment by its definition over counts.

    Where mentions repeat, ``with_repeats`` is the definition of the CoNLL scorer, or ``repeated`` says what is counted.
    ``each_side``: mentions over nodes are counted as each side finds them; else the table serves for them, too.
    """

    def measure(alignment: ClusterAlignment) -> Figures:
        if alignment.found is not None and each_side:
            return found.count_found(definition, alignment)
        if alignment.repeated and with_repeats is not None:
            return with_repeats(alignment)
        return definition(alignment.once(repeated if alignment.repeated else _counts))

    return measure


mentions = _metric_of_counts(plain.mention_detection)
muc = _metric_of_counts(plain.muc, repeated=_counts, each_side=True)
"""Every mention counts where gold has it last."""
b_cubed = _metric_of_counts(plain.b_cubed, with_repeats=repeats.b_cubed, each_side=True)
ceaf_m = _metric_of_counts(plain.ceaf_m, repeated=_counts_of_copies)
ceaf_e = _metric_of_counts(plain.ceaf_e, repeated=_counts_of_copies)
ceaf_e_over_phi3 = _metric_of_counts(plain.ceaf_e_over_phi3, repeated=_counts_of_copies)
blanc = _metric_of_counts(plain.blanc, with_repeats=repeats.blanc, each_side=True)
lea = _metric_of_counts(plain.lea, each_side=True)
"""No scorer defines the other metrics on mentions that repeat: they count where they first occur."""

_AVERAGED = {"muc": muc, "b-cubed": b_cubed, "ceaf-e": ceaf_e, "blanc": blanc}


def _mean_of(parts: Iterable[str]) -> AlignmentMetric:
    metrics = {name: _AVERAGED[name] for name in parts}
    return lambda alignment: MeanTally({name: alignment.once(metric) for name, metric in metrics.items()})


conll, kbp = _mean_of(MEANS["conll"]), _mean_of(MEANS["kbp"])


def _links(alignment: ClusterAlignment) -> LinkTally:
    """The links that BLANC counts."""
    return cast("LinkTally", alignment.once(blanc))


def blanc_completed(alignment: ClusterAlignment) -> Figures:
    """The original BLANC after each side was completed with the mentions that it lacks, as singletons."""
    sides = variants.complete(first_copies(alignment.gold), first_copies(alignment.system))
    return plain.blanc_original(count_table(overlap_table(*sides)))


def _variant(definition: Callable[[list[Members], list[Members]], ClusterTally]) -> AlignmentMetric:
    """A metric of two partitions; repeated mentions count where they first occur."""
    return lambda alignment: definition(first_copies(alignment.gold), first_copies(alignment.system))


ON_PARTITIONS = "holds for partitions"
"""The beginning of a reason for exceptions that only occur where a mention is in several clusters."""
_REPEATS = f"{ON_PARTITIONS}; the copies of a mention that repeats count by where gold has it last"
_ONE_SIDED = (
    f"{ON_PARTITIONS}; mentions that repeat, or are looked up in trees, each side counts by its own rule"
)
_PAST_ONE = f"{ON_PARTITIONS}; the copies of a mention that repeats are common to several clusters"

_NO_LINKS = (Law.SELF, "two equal sides without a single link have nothing to count: 0/0 is 0")


_metric = partial(MetricDeclaration, domain="clusters")

MENTIONS = _metric(
    "mentions",
    "Identification of mentions",
    "pradhan2014scoring",
    mentions,
    "says nothing about clusters; a mention must have exactly gold's boundaries",
)
MUC = _metric(
    "muc",
    "MUC",
    "vilain1995muc",
    muc,
    "blind to singletons; merging everything into one cluster costs little",
    (_NO_LINKS, (Law.SWAP, _ONE_SIDED)),
    counts_copies=True,
)
B_CUBED = _metric(
    "b-cubed",
    "B³",
    "bagga1998bcubed",
    b_cubed,
    "a mention earns credit for being in its own company, so many singletons push the figure up",
    ((Law.SELF, _REPEATS), (Law.SWAP, _ONE_SIDED)),
    counts_copies=True,
)
CEAF_M = _metric(
    "ceaf-m",
    "CEAFm",
    "luo2005ceaf",
    ceaf_m,
    "what is correct outside the joined pairs of clusters earns nothing",
    ((Law.SELF, _REPEATS), (Law.SWAP, _ONE_SIDED), (Law.BOUNDS, _PAST_ONE)),
    counts_copies=True,
)
CEAF_E = _metric(
    "ceaf-e",
    "CEAFe",
    "luo2005ceaf",
    ceaf_e,
    "a singleton weighs as much as the main character; correct links outside the joined pairs earn nothing",
    ((Law.SELF, _REPEATS), (Law.SWAP, _ONE_SIDED), (Law.BOUNDS, _PAST_ONE)),
    counts_copies=True,
)
BLANC = _metric(
    "blanc",
    "BLANC",
    "luo2014blanc",
    blanc,
    "non-coreference links grow with the square of the mentions and dominate long or joined documents",
    (
        (Law.SELF, "a document with a single mention has no link of any kind: 0"),
        (Law.SWAP, "which kind of link is left out when it is empty depends on gold alone"),
    ),
    links_between=True,
)
BLANC_ORIGINAL = _metric(
    "blanc-original",
    "BLANC (original)",
    "recasens2011blanc",
    blanc_completed,
    "defined for two sides with the same mentions only; others are completed with singletons, or refused",
    (
        (Law.SWAP, "which kind of link is left out when it is empty depends on gold alone"),
        (Law.SPURIOUS, "a spurious mention becomes a gold singleton and brings common non-coreference links"),
    ),
    links_between=True,
)
LEA = _metric(
    "lea",
    "LEA",
    "moosavi2016lea",
    lea,
    "large clusters decide; a mention that is a singleton on one side only earns nothing on either",
    ((Law.SWAP, _ONE_SIDED),),
)
PAIRWISE = _metric(
    "pairwise",
    "Pairwise (coreference links)",
    "recasens2011blanc",
    lambda alignment: _links(alignment).coreference,
    "a cluster counts with the square of its size; blind to singletons",
    (_NO_LINKS, (Law.SWAP, _ONE_SIDED)),
)
PAIRWISE_NEGATIVE = _metric(
    "pairwise-negative",
    "Pairwise (non-coreference links)",
    "recasens2011blanc",
    lambda alignment: _links(alignment).other,
    "nearly always close to 1",
    ((Law.SELF, "two equal sides with one cluster have no such link: 0/0 is 0"), (Law.SWAP, _ONE_SIDED)),
    links_between=True,
)
EXACT_CLUSTERS = _metric(
    "exact-clusters",
    "Exact clusters (φ1)",
    "luo2005ceaf",
    _metric_of_counts(plain.exact_clusters),
    "one wrong mention makes a cluster worthless",
)
RAND = _metric(
    "rand",
    "Rand index",
    "rand1971objective",
    _metric_of_counts(plain.rand),
    "over the common mentions only: missed and spurious mentions cost nothing; close to 1 for many small clusters",
    ((Law.SELF, "a document with a single mention has no pair: 0/0 is 0"),),
    links_between=True,
)
ADJUSTED_RAND = _metric(
    "adjusted-rand",
    "Adjusted Rand index",
    "hubert1985comparing",
    _metric_of_counts(plain.adjusted_rand),
    "over the common mentions only: missed and spurious mentions cost nothing",
    (
        (Law.SELF, "all singletons or one single cluster leave nothing above chance: 0/0 is 0"),
        (Law.BOUNDS, "worse than chance is below 0"),
    ),
    links_between=True,
    worst=-0.5,  # of any two clusterings (Chacón & Rastrojo 2023)
)
CONLL = _metric(
    "conll",
    "CoNLL average (MELA)",
    "pradhan2012conll,denis2009mela",
    conll,
    "a mean of three F1s has no P and R, and hides which of them moved",
    (_NO_LINKS, (Law.SWAP, _ONE_SIDED), (Law.BOUNDS, _PAST_ONE)),
    counts_copies=True,
)
KBP = _metric(
    "kbp",
    "KBP event nugget average",
    "mitamura2015event",
    kbp,
    "as the CoNLL average, with BLANC",
    (_NO_LINKS, (Law.SWAP, "through BLANC"), (Law.BOUNDS, _PAST_ONE)),
    counts_copies=True,
    links_between=True,
)

MOR = MetricDeclaration(
    name="mor",
    title="MOR (mention overlap ratio)",
    cite="zabokrtsky2022findings",
    measure=found.mention_overlap,
    weaknesses="says nothing about clusters; long mentions decide",
    domain="nodes",
)
ZERO = MetricDeclaration(
    name="zero",
    title="Zeros as anaphors",
    cite="novak2024findings",
    measure=found.zero_anaphors,
    exceptions=(
        (Law.SELF, "without a zero that follows another mention there is nothing to count: 0/0 is 0"),
        (Law.SWAP, "gold decides which mentions are judged; the system's zeros are only counted"),
    ),
    weaknesses="looks at zeros alone, and of each only whether something before it is linked to it",
    domain="nodes",
)

_OLD = "kept to reproduce old figures; "
_ONE_WAY = (Law.SWAP, "recall and precision see differently adjusted partitions")
_REWARDS = (Law.SPURIOUS, "a spurious mention earns credit as a singleton that was added to the other side")

B_CUBED_0 = _metric(
    "b-cubed-0",
    "B³0",
    "stoyanov2009conundrums",
    _variant(variants.b_cubed_0),
    _OLD + "spurious mentions cost nothing",
    (_ONE_WAY,),
)
B_CUBED_ALL = _metric(
    "b-cubed-all",
    "B³all",
    "stoyanov2009conundrums",
    _variant(variants.b_cubed_all),
    _OLD + "spurious and missed mentions earn credit",
    (_REWARDS,),
)
B_CUBED_RN, CEAF_M_RN, CEAF_E_RN = (
    _metric(
        f"{name}-rn",
        f"{title} (Rahman & Ng)",
        "rahman2009supervised",
        _variant(definition),
        _OLD + "spurious singletons cost nothing",
        (_ONE_WAY,),
    )
    for name, title, definition in (
        ("b-cubed", "B³", variants.b_cubed_rn),
        ("ceaf-m", "CEAFm", variants.ceaf_m_rn),
        ("ceaf-e", "CEAFe", variants.ceaf_e_rn),
    )
)
B_CUBED_CS, CEAF_M_CS, CEAF_E_CS = (
    _metric(
        f"{name}-cs",
        f"{title} (Cai & Strube)",
        "cai2010evaluation",
        _variant(definition),
        _OLD + "mentions are added to both sides, so totals are no longer those of the input",
        (_ONE_WAY, _REWARDS),
    )
    for name, title, definition in (
        ("b-cubed", "B³", variants.b_cubed_cs),
        ("ceaf-m", "CEAFm", variants.ceaf_m_cs),
        ("ceaf-e", "CEAFe", variants.ceaf_e_cs),
    )
)

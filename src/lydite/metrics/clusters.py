"""The declarations of the cluster metrics: citation, weaknesses, laws, and which definition serves which input."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import cast

from lydite.metrics import MEANS
from lydite.metrics import coreference as plain
from lydite.metrics.base import Law, MetricDeclaration
from lydite.model import Figures
from lydite.model.cluster import (
    ClusterAlignment,
    LinkTally,
    MeanTally,
    OverlapTable,
    first_copies,
    overlap_table,
    overlap_table_of_copies,
)
from lydite.registry import load

ARRAY_LIMIT = 8_000
"""A table with more cells than this is measured as arrays; below, importing NumPy costs more than it saves."""

TableMetric = Callable[[OverlapTable], Figures]
AlignmentMetric = Callable[[ClusterAlignment], Figures]


def _lazy(place: str) -> Callable[..., Figures]:
    """A function of another module of metrics, which is imported when the function is called."""
    return lambda *sides: cast("Figures", load(f"lydite.metrics.{place}")(*sides))  # type: ignore[operator]


def _arrays(alignment: ClusterAlignment) -> object:
    from lydite.metrics.coreference_arrays import from_table

    return from_table(alignment.table)


def _table_metric(
    definition: TableMetric, *, repeats: str, large: bool = True, found: bool = False
) -> AlignmentMetric:
    """A metric that applies ``definition`` to the table of an alignment, or does the same over arrays if it is large.

    ``repeats`` says what is done where mentions repeat: it names a function of ``coreference_repeats``; or it is
    ``homes``, which takes every mention where gold has it last, ``positions``, which takes a table of positions, or
    ``first``, which takes every mention where it first occurs: no scorer defines these metrics on repeats.

    ``found`` says that mentions over nodes are counted as each side finds them; else the table serves for them, too.
    """

    def measure(alignment: ClusterAlignment) -> Figures:
        if alignment.counts is not None:
            return _over_counts(definition.__name__, alignment.counts)
        if alignment.found is not None and found:
            return _lazy("coreference_found:count_found")(definition, alignment)
        if alignment.repeated and repeats != "homes":
            return _with_repeats(definition, repeats, alignment)
        if large and len(alignment.table.cells) > ARRAY_LIMIT:
            return _lazy(f"coreference_arrays:{definition.__name__}")(alignment.once(_arrays))
        return definition(alignment.table)

    return measure


def _over_counts(name: str, counts: object) -> Figures:
    """The metric over the counts of an engine: a table as arrays, or numbers of cells by their shape."""
    from lydite.metrics.coreference_cells import CellCounts

    return _lazy(f"coreference_{'cells' if isinstance(counts, CellCounts) else 'arrays'}:{name}")(counts)


def _with_repeats(definition: TableMetric, how: str, alignment: ClusterAlignment) -> Figures:
    gold, system = alignment.gold, alignment.system
    if how == "positions":
        return definition(overlap_table_of_copies(gold, system))
    if how == "first":
        return definition(overlap_table(*map(first_copies, (gold, system))))
    return _lazy(f"coreference_repeats:{how}")(gold, system)


def _variant(name: str) -> AlignmentMetric:
    """A metric of ``coreference_variants``, by its name; repeated mentions count where they first occur."""
    count = _lazy(f"coreference_variants:{name.replace('-', '_')}")
    return lambda alignment: count(*map(first_copies, (alignment.gold, alignment.system)))


mentions = _table_metric(plain.mention_detection, repeats="mention_detection")
muc = _table_metric(plain.muc, repeats="homes", found=True)
b_cubed = _table_metric(plain.b_cubed, repeats="b_cubed", found=True)
ceaf_m = _table_metric(plain.ceaf_m, repeats="positions")
ceaf_e = _table_metric(plain.ceaf_e, repeats="positions")
ceaf_e_over_phi3 = _table_metric(plain.ceaf_e_over_phi3, repeats="positions", large=False)
blanc = _table_metric(plain.blanc, repeats="blanc_with_repeats", found=True)
lea = _table_metric(plain.lea, repeats="first", found=True)


_AVERAGED = {"muc": muc, "b-cubed": b_cubed, "ceaf-e": ceaf_e, "blanc": blanc}


def _mean_of(parts: Iterable[str]) -> AlignmentMetric:
    metrics = {name: _AVERAGED[name] for name in parts}
    return lambda alignment: MeanTally({name: alignment.once(metric) for name, metric in metrics.items()})


conll, kbp = _mean_of(MEANS["conll"]), _mean_of(MEANS["kbp"])


def _links(alignment: ClusterAlignment) -> LinkTally:
    """The links that BLANC counts."""
    links = alignment.once(blanc)
    assert isinstance(links, LinkTally)
    return links


def blanc_completed(alignment: ClusterAlignment) -> Figures:
    """The original BLANC after each side was completed with the mentions that it lacks, as singletons."""
    from lydite.metrics.coreference_variants import complete

    sides = first_copies(alignment.gold), first_copies(alignment.system)
    return plain.blanc_original(overlap_table(*complete(*sides)))


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
    _table_metric(plain.exact_clusters, repeats="first", large=False),
    "one wrong mention makes a cluster worthless",
)
RAND = _metric(
    "rand",
    "Rand index",
    "rand1971objective",
    _table_metric(plain.rand, repeats="first", large=False),
    "over the common mentions only: missed and spurious mentions cost nothing; close to 1 for many small clusters",
    ((Law.SELF, "a document with a single mention has no pair: 0/0 is 0"),),
    links_between=True,
)
ADJUSTED_RAND = _metric(
    "adjusted-rand",
    "Adjusted Rand index",
    "hubert1985comparing",
    _table_metric(plain.adjusted_rand, repeats="first", large=False),
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
    measure=_lazy("coreference_found:mention_overlap"),
    weaknesses="says nothing about clusters; long mentions decide",
    domain="nodes",
)
ZERO = MetricDeclaration(
    name="zero",
    title="Zeros as anaphors",
    cite="novak2024findings",
    measure=_lazy("coreference_found:zero_anaphors"),
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
    _variant("b-cubed-0"),
    _OLD + "spurious mentions cost nothing",
    (_ONE_WAY,),
)
B_CUBED_ALL = _metric(
    "b-cubed-all",
    "B³all",
    "stoyanov2009conundrums",
    _variant("b-cubed-all"),
    _OLD + "spurious and missed mentions earn credit",
    (_REWARDS,),
)
_ADJUSTED = (("b-cubed", "B³"), ("ceaf-m", "CEAFm"), ("ceaf-e", "CEAFe"))
B_CUBED_RN, CEAF_M_RN, CEAF_E_RN = (
    _metric(
        f"{name}-rn",
        f"{title} (Rahman & Ng)",
        "rahman2009supervised",
        _variant(f"{name}-rn"),
        _OLD + "spurious singletons cost nothing",
        (_ONE_WAY,),
    )
    for name, title in _ADJUSTED
)
B_CUBED_CS, CEAF_M_CS, CEAF_E_CS = (
    _metric(
        f"{name}-cs",
        f"{title} (Cai & Strube)",
        "cai2010evaluation",
        _variant(f"{name}-cs"),
        _OLD + "mentions are added to both sides, so totals are no longer those of the input",
        (_ONE_WAY, _REWARDS),
    )
    for name, title in _ADJUSTED
)

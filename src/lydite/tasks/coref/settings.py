"""The settings of the coreference task, declared once: flags, TOML keys, keyword arguments, parts of the signature."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from lydite.metrics import CLUSTER_METRICS, MEANS
from lydite.metrics import METRICS as REGISTERED
from lydite.model.settings import (
    ONLY_DOCUMENT,
    READING,
    SCORED_DOCUMENTS,
    SYSTEM_KEYS,
    TOPIC_OF,
    TaskSettings,
    findings,
)
from lydite.profile import choice, path, quirk, setting, switch

METRICS = tuple(name for name in CLUSTER_METRICS if name not in MEANS)
OVER_NODES = ("muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea", "mor", "zero")
"""Metrics that are defined where mentions are sets of nodes."""

ONLY_OVER_NODES = ("mor", "zero")
SAME = "same"
UNSAID = "unsaid"
AUTO, DOCUMENTS, ARRAYS, DUCKDB, DASK = "auto", "documents", "arrays", "duckdb", "dask"
"""The engines that count over tables."""


def _metrics_of_plugins() -> list[str]:
    """Metrics of clusters that other packages add."""
    return [name for name in REGISTERED.plugins() if REGISTERED[name].domain == "clusters"]


def headline_metric(metrics: Sequence[str]) -> str:
    """The CoNLL average, or the first metric if its three are not measured."""
    return "conll" if set(MEANS["conll"]) <= set(metrics) else metrics[0]


def _convention(help_text: str, *choices: str) -> str:
    """A setting that changes no figure but is recorded in the signature: it decides what figures mean, and no file tells."""
    return choice(help_text, (UNSAID, *choices), table="convention")


class CorefSettings(TaskSettings):
    """What can be set for coreference."""

    # ------------------------------------------------------------------------------------------------- reading
    reading: str = READING
    system_keys: str = SYSTEM_KEYS
    unit: str = choice(
        "what is scored as one document: the document, its topic, or the whole corpus",
        ("document", "topic", "corpus"),
        table="read",
    )
    topic_of: str = TOPIC_OF
    targets: str = choice(
        "coreference sets: leave out targets marked head='no', or keep all", ("heads", "all"), table="read"
    )
    column: int = setting(
        "index",
        -1,
        "the column of clusters, counted from 0, or from the end: -1 is the last one",
        table="read",
    )
    crossing: str = choice(
        "which of two open spans of one cluster a bracket closes: the last one (stack) or the first one (fifo)",
        ("stack", "fifo"),
        table="read",
    )
    ends: str = choice(
        "JSON lines: whether the second number of a span is its last token or the one after it",
        ("inclusive", "exclusive"),
        table="read",
    )
    table_columns: tuple[str, ...] = setting(
        "list",
        (),
        "tables: what the columns are called, as in mention=id,cluster=label or document=doc,start=begin,end=end",
        table="read",
        signed=False,
    )
    documents: str | None = path(
        "coreference sets in XML: folder of the KAF or NAF files of their mentions, for words; else of source texts",
        table="read",
        signed=False,
    )
    engine: str = choice(
        "tables: read as documents, or counted as wholes in memory, out of it, or on a cluster; auto goes by size",
        (AUTO, DOCUMENTS, ARRAYS, DUCKDB, DASK),
        table="read",
        signed=False,
    )
    memory_limit: str = setting(
        "str",
        "",
        "tables: how much memory the engine duckdb may take, as in 3GB; half of the machine's if none",
        table="read",
        signed=False,
    )
    # ----------------------------------------------------------------------------------------- what is compared
    scored_documents: str = SCORED_DOCUMENTS
    only_document: str | None = ONLY_DOCUMENT
    match: str = choice(
        "which mentions are paired: the same span or id; over CorefUD nodes also exact, by head, or partial",
        (SAME, "exact", "head", "partial"),
        table="compare",
    )
    zeros: str = choice(
        "mentions over nodes: zeros are paired by their dependencies, or by their place like all others (linear)",
        ("dependent", "linear"),
        table="compare",
    )
    repeats: str = choice(
        "a mention that is written twice: as the CoNLL scorer has it, keep the first, merge clusters, or refuse",
        ("v8.01", "first", "merge", "error"),
        table="compare",
    )
    mentions: str = choice(
        "the mentions of a system: as read, or gold's alone, of which those in no cluster are clusters of their own",
        ("read", "gold"),
        table="compare",
    )
    singletons: str = choice(
        "keep clusters of one mention, or drop them on both sides", ("keep", "drop"), table="compare"
    )
    # ----------------------------------------------------------------------------------------------- measuring
    metrics: tuple[str, ...] = setting(
        "list",
        METRICS[:7],
        "the metrics to compute",
        METRICS,
        table="measure",
        headline_of=headline_metric,
        more_choices=_metrics_of_plugins,
        needs_one=True,
    )
    averages: tuple[str, ...] = setting(
        "list",
        ("micro",),
        "micro adds counts over documents, macro takes the mean of documents",
        ("micro", "macro"),
        table="measure",
        headline_of=itemgetter(0),
        needs_one=True,
    )
    mean: str = choice(
        "the mean that ranks systems, if its metrics are measured: CoNLL's of three, or KBP's of these and BLANC",
        ("conll", "kbp"),
        table="measure",
    )
    macro_f: str = choice(
        "macro F1: the mean of the documents' F1s, or the harmonic mean of macro P and R",
        ("mean", "harmonic"),
        table="measure",
        needs="averages=macro",
    )
    ceafe_alignment: str = choice(
        "which alignment CEAFe sums over: its own (phi4), or the one of CEAFm (phi3)",
        ("phi4", "phi3"),
        table="measure",
    )
    mela_weights: tuple[str, ...] = setting(
        "list", (), "weights of MUC, B³ and CEAFe in their mean; equal if none", table="measure"
    )
    complete: bool = switch(
        "blanc-original: give each side the mentions that it lacks as singletons instead of refusing",
        table="measure",
        needs="metrics=blanc-original",
    )
    zero_division: str = choice(
        "MUC and BLANC of two equal sides without links: zero, or one-if-identical",
        ("zero", "one-if-identical"),
        table="measure",
    )
    # ---------------------------------------------------------------------------------------------- conventions
    topics: str = _convention(
        "recorded: topics are those of gold, predicted, or none", "gold", "predicted", "none"
    )
    subtopics: str = _convention(
        "recorded: a topic is a whole topic or one of its sub-topics", "whole", "sub-topic"
    )
    layer: str = _convention("recorded: what the clusters hold", "events", "entities", "both")
    sentences: str = _convention("recorded: which sentences were annotated", "all", "validated")
    given_mentions: str = _convention(
        "recorded: whether mentions were given or predicted", "gold", "predicted"
    )
    # -------------------------------------------------------------------------------------------------- checks
    errors: tuple[str, ...] = findings("findings that refuse the input")
    official_errors: tuple[str, ...] = findings(
        "findings that stop the official program, under reading = as-official"
    )
    # -------------------------------------------------------------------------------------------------- report
    official_layout: str = choice(
        "what --format official prints: the totals of the CoNLL scorer, its documents too, NewsReader's table, CorefUD's",
        ("v8.01", "v8.01-documents", "deliverable", "corefud"),
        table="report",
        signed=False,
    )
    # -------------------------------------------------------------------------------------------------- quirks
    limit_repeats: bool = quirk("more than ten system copies of gold mentions refuse the input")
    blanc_epsilon: bool = quirk("BLANC's P and R have a millionth more in their divisors, its F has not")
    count_comment_lines: bool = quirk("a comment line inside a document counts as a token")

    @property
    def joins_documents(self) -> bool:
        """Whether a topic, or the whole corpus, is scored as one document."""
        return self.unit != "document"

"""The settings of the coreference task, declared once: flags, TOML keys, keyword arguments, parts of the signature."""

from __future__ import annotations

from lydite.formats.units import TOPIC
from lydite.profile import QUIRKS, Setting
from lydite.tasks.reading import READING

METRICS = (
    "mentions",
    "muc",
    "b-cubed",
    "ceaf-m",
    "ceaf-e",
    "blanc",
    "lea",
    "blanc-original",
    "pairwise",
    "pairwise-negative",
    "exact-clusters",
    "rand",
    "adjusted-rand",
    "b-cubed-0",
    "b-cubed-all",
    "b-cubed-rn",
    "ceaf-m-rn",
    "ceaf-e-rn",
    "b-cubed-cs",
    "ceaf-m-cs",
    "ceaf-e-cs",
    "mor",
    "zero",
)
OVER_NODES = ("muc", "b-cubed", "ceaf-m", "ceaf-e", "blanc", "lea", "mor", "zero")
"""Metrics that are defined where mentions are sets of nodes."""

ONLY_OVER_NODES = ("mor", "zero")
SAME = "same"

UNSAID = "unsaid"


def _convention(name: str, help_text: str, *choices: str) -> Setting:
    """Something that decides what a figure means and that no file says: it is recorded in the signature."""
    return Setting(name, "str", UNSAID, help_text, (UNSAID, *choices), table="convention")


SETTINGS = (
    # ------------------------------------------------------------------------------------------------- reading
    READING,
    Setting(
        "unit",
        "str",
        "document",
        "what is scored as one document: the document, its topic, or the whole corpus",
        ("document", "topic", "corpus"),
        table="read",
    ),
    Setting(
        "topic-of",
        "str",
        TOPIC,
        "regular expression for the topic in a document's name (its first group, if it has one)",
        table="read",
    ),
    Setting(
        "targets",
        "str",
        "heads",
        "coreference sets: leave out targets marked head='no', or keep all",
        ("heads", "all"),
        table="read",
    ),
    Setting(
        "column",
        "int",
        -1,
        "the column of clusters, counted from 0, or from the end: -1 is the last one",
        table="read",
    ),
    Setting(
        "crossing",
        "str",
        "stack",
        "which of two open spans of one cluster a bracket closes: the last one (stack) or the first one (fifo)",
        ("stack", "fifo"),
        table="read",
    ),
    Setting(
        "ends",
        "str",
        "inclusive",
        "JSON lines: whether the second number of a span is its last token or the one after it",
        ("inclusive", "exclusive"),
        table="read",
    ),
    # ----------------------------------------------------------------------------------------- what is compared
    Setting(
        "scored-documents",
        "str",
        "gold",
        "which documents are scored: those of gold, or those of either side",
        ("gold", "either"),
        table="select",
    ),
    Setting(
        "only-document", "str", None, "score this document alone", table="select", abbreviation="document"
    ),
    Setting(
        "match",
        "str",
        SAME,
        "which mentions are paired: the same span or id; over CorefUD nodes also exact, by head, or partial",
        (SAME, "exact", "head", "partial"),
        table="compare",
    ),
    Setting(
        "zeros",
        "str",
        "dependent",
        "mentions over nodes: zeros are paired by their dependencies, or by their place like all others (linear)",
        ("dependent", "linear"),
        table="compare",
    ),
    Setting(
        "repeats",
        "str",
        "v8.01",
        "a mention that is written twice: as the CoNLL scorer has it, keep the first, merge clusters, or refuse",
        ("v8.01", "first", "merge", "error"),
        table="compare",
    ),
    Setting(
        "singletons",
        "str",
        "keep",
        "keep clusters of one mention, or drop them on both sides",
        ("keep", "drop"),
        table="compare",
    ),
    # ----------------------------------------------------------------------------------------------- measuring
    Setting("metrics", "list", METRICS[:7], "the metrics to compute", METRICS, table="measure", signed=False),
    Setting(
        "averages",
        "list",
        ("micro",),
        "micro adds counts over documents, macro takes the mean of documents",
        ("micro", "macro"),
        table="measure",
        signed=False,
    ),
    Setting(
        "macro-f",
        "str",
        "mean",
        "macro F1: the mean of the documents' F1s, or the harmonic mean of macro P and R",
        ("mean", "harmonic"),
        table="measure",
    ),
    Setting(
        "ceafe-alignment",
        "str",
        "phi4",
        "which alignment CEAFe sums over: its own (phi4), or the one of CEAFm (phi3)",
        ("phi4", "phi3"),
        table="measure",
    ),
    Setting(
        "mela-weights",
        "list",
        (),
        "weights of MUC, B³ and CEAFe in their mean; equal if none",
        table="measure",
    ),
    Setting(
        "complete",
        "bool",
        False,
        "blanc-original: give each side the mentions that it lacks as singletons instead of refusing",
        table="measure",
    ),
    Setting(
        "zero-division",
        "str",
        "zero",
        "MUC and BLANC of two equal sides without links: zero, or one-if-identical",
        ("zero", "one-if-identical"),
        table="measure",
    ),
    # ---------------------------------------------------------------------------------------------- conventions
    _convention(
        "topics", "recorded: topics are those of gold, predicted, or none", "gold", "predicted", "none"
    ),
    _convention(
        "subtopics", "recorded: a topic is a whole topic or one of its sub-topics", "whole", "sub-topic"
    ),
    _convention("layer", "recorded: what the clusters hold", "events", "entities", "both"),
    _convention("sentences", "recorded: which sentences were annotated", "all", "validated"),
    _convention("given-mentions", "recorded: whether mentions were given or predicted", "gold", "predicted"),
    # -------------------------------------------------------------------------------------------------- checks
    Setting("errors", "list", (), "findings that refuse the input", table="check", signed=False),
    Setting(
        "official-errors",
        "list",
        (),
        "findings that stop the official program, under reading = as-official",
        table="check",
        signed=False,
    ),
    # -------------------------------------------------------------------------------------------------- report
    Setting(
        "official-layout",
        "str",
        "v8.01",
        "what --format official prints: the totals of the CoNLL scorer, its documents too, NewsReader's table, CorefUD's",
        ("v8.01", "v8.01-documents", "deliverable", "corefud"),
        table="report",
        signed=False,
    ),
    # -------------------------------------------------------------------------------------------------- quirks
    Setting(
        "limit-repeats",
        "bool",
        False,
        "more than ten system copies of gold mentions refuse the input",
        table=QUIRKS,
    ),
    Setting(
        "count-comment-lines",
        "bool",
        False,
        "a comment line inside a document counts as a token",
        table=QUIRKS,
    ),
)

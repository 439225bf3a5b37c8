"""What can be set for triples: preparation, scope, comparison, documents, conversions, quirks."""

from __future__ import annotations

from lydite.profile import QUIRKS, Setting

LAYERS = ("term-sentiment", "opinion", "entity", "property", "srl", "dep")
"""The layers of KAF and NAF that become triples, in the order of the output."""


def _quirk(name: str, sentence: str) -> Setting:
    return Setting(name, "bool", False, sentence, table=QUIRKS)


PREPARE = (
    Setting(
        "relation-mapping",
        "path",
        None,
        "File of new relation names: old name, tab, new name.",
        table="prepare",
    ),
    Setting(
        "skip-time-and-location",
        "bool",
        False,
        "Drop triples whose relation is TIME or LOCATION.",
        table="prepare",
    ),
    Setting("relation-filter", "path", None, "File of relations to keep, one per line.", table="prepare"),
    Setting(
        "element-first-filter",
        "str",
        None,
        "Keep triples whose first element has this label.",
        table="prepare",
    ),
    Setting(
        "element-second-filter",
        "str",
        None,
        "Keep triples whose second element has this label.",
        table="prepare",
    ),
    Setting(
        "ignore-element-second", "bool", False, "Compare relation and first element only.", table="prepare"
    ),
    Setting(
        "gold-duplicates",
        "str",
        "drop",
        "Whether equal gold triples count once.",
        ("drop", "keep"),
        "prepare",
    ),
)

SCOPE = (
    Setting(
        "token-range",
        "path",
        None,
        "File of token ids in scope, or a folder with one file per document.",
        table="scope",
    ),
    Setting(
        "scope",
        "str",
        "auto",
        "What is in range: the token range, sentences or first elements of gold, everything, or what the files given allow.",
        ("auto", "token-range", "sentences", "first-elements", "none"),
        "scope",
    ),
    Setting(
        "text",
        "path",
        None,
        "KAF or NAF text of the documents: a file, or a folder with one per document.",
        table="scope",
    ),
    Setting(
        "scope-side",
        "str",
        "both",
        "Whether the scope limits both sides or the system only.",
        ("both", "system"),
        "scope",
    ),
)

COMPARE = (
    Setting(
        "matching",
        "str",
        "one-to-one",
        "How credit is given: one to one, to everything with a partner, both, or first come as the reference.",
        ("one-to-one", "coverage", "both", "first-come"),
        "compare",
    ),
    Setting(
        "ignore-relations",
        "bool",
        False,
        "Make the condition without relations the headline.",
        table="compare",
    ),
    Setting("case-sensitive-relations", "bool", False, "Compare relations with their case.", table="compare"),
    Setting(
        "match-labels",
        "str",
        "none",
        "Elements whose labels must be equal too.",
        ("none", "first", "second", "both"),
        "compare",
    ),
    Setting(
        "min-overlap",
        "float",
        0.0,
        "Least share of common ids (of all ids of both elements) in the partial conditions; 0: one id is enough.",
        table="compare",
    ),
    Setting(
        "min-confidence",
        "str",
        None,
        "Least profile_confidence of a system triple; those without one are kept.",
        table="compare",
    ),
    Setting(
        "split-profiles",
        "bool",
        False,
        "Credit every member of a comma-separated profile_id.",
        table="compare",
    ),
)

DOCUMENTS = (
    Setting(
        "ignore-file-suffix",
        "int",
        0,
        "Pair files by their names without the last N characters.",
        table="documents",
    ),
    Setting(
        "document-map",
        "path",
        None,
        "File of pairs: gold file name, tab, system file name.",
        table="documents",
    ),
    Setting(
        "missing-documents",
        "str",
        "empty",
        "What a gold document without system document is: empty, skipped, or an error.",
        ("empty", "skip", "error"),
        "documents",
    ),
)

CONVERT = (
    Setting(
        "extension",
        "str",
        None,
        "Ending of the names of the files of a folder that are read.",
        table="convert",
        signed=False,
    ),
    Setting("layers", "list", LAYERS, "Layers of a KAF or NAF file that become triples.", LAYERS, "convert"),
    Setting(
        "intersect",
        "bool",
        False,
        "Only opinions whose holder or target meets an entity or property.",
        table="convert",
    ),
    Setting(
        "baseline",
        "str",
        "none",
        "Make triples of all pairs of chunk heads instead.",
        ("none", "chunks"),
        "convert",
    ),
    Setting(
        "baseline-relation", "str", "patient", "The relation of the baseline's triples.", table="convert"
    ),
    Setting("kaf", "path", None, "The KAF file that Kybot output refers to.", table="convert"),
    Setting(
        "wsd-threshold",
        "float",
        0.0,
        "Keep word senses with at least this percentage of the best rank.",
        table="convert",
    ),
    Setting(
        "first-element",
        "str",
        None,
        "The element of a tuple that becomes the first element.",
        table="convert",
    ),
    Setting(
        "columns",
        "list",
        (),
        "Columns of a TextPro file that become triples, in this order.",
        table="convert",
    ),
    Setting("fields", "list", (), "Names of the columns of a file without header.", table="convert"),
)

QUIRK_SETTINGS = (
    _quirk("lose-capitalised-triples", "A triple whose tag is not written in lower case is lost."),
    _quirk("keep-repeated-ids", "Ids that an element names twice count twice in its length."),
    _quirk("drop-location", "LOCATION triples are always dropped."),
    _quirk("empty-range-means-all", "An empty or missing token range is no scope."),
    _quirk("unread-token-range", "The token range has no effect."),
    _quirk("unread-label-filters", "Filters on the labels of elements have no effect."),
    _quirk(
        "participant-stands-for-roles",
        "participant may stand for eight roles, and the second element is never ignored.",
    ),
    _quirk("overlap-is-duplicate", "Overlapping system triples of a relation are duplicates."),
    _quirk("overlap-refuses-credit", "A gold triple that overlaps a correct one gets no credit."),
    _quirk(
        "divide-exact-by-partial",
        "In folders, exact ids without relation are divided by the count of partial ids.",
    ),
    _quirk("greedy-elements", "Elements that share an id with an earlier one are not counted."),
    _quirk("all-elements-correct", "Every system element in range is correct."),
    _quirk("comments-without-quotes", "Double quotes are taken out of comments."),
    _quirk("no-srl-no-dep", "Semantic roles and dependencies are not converted."),
    _quirk("modifier-alone-is-nothing", "A term sentiment with nothing but a modifier is left out."),
    _quirk(
        "opinion-modifier-unread", "The modifier and semantic_type of an opinion expression are not read."
    ),
    _quirk(
        "overlap-on-opinion-only",
        "overlap_ents and overlap_props are read on the opinion alone, and nothing is intersected.",
    ),
    _quirk(
        "kybot-documents-together", "All documents of Kybot output are resolved against the one KAF file."
    ),
    _quirk("kybot-last-span-only", "Of several spans of a place or date only the last counts."),
    _quirk(
        "tuples-without-role",
        "An element without role has no relation, one without tokens stays, confidence 0 is none.",
    ),
    _quirk("baseline-by-token", "Every token of a chunk head is an element; no ids, layer or comments."),
    _quirk(
        "mapping-fills-profile",
        "Mapping relations loses LOCATION and fills an empty profile_id with the old relation.",
    ),
)

SETTINGS = (*PREPARE, *SCOPE, *COMPARE, *DOCUMENTS, *CONVERT, *QUIRK_SETTINGS)

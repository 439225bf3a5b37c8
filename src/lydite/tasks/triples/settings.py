"""What can be set for triples: preparation, scope, comparison, documents, conversions, quirks."""

from __future__ import annotations

from lydite.model.settings import TOPIC_OF
from lydite.profile import choice, path, quirk, setting, switch
from lydite.tasks.strings.settings import StringSettings

LAYERS = ("term-sentiment", "opinion", "entity", "property", "srl", "dep")
"""The layers of KAF and NAF that become triples, in the order of the output."""


class TripleSettings(StringSettings):
    """What can be set for triples."""

    topic_of: str = TOPIC_OF

    # prepare
    relation_mapping: str | None = path(
        "File of new relation names: old name, tab, new name.", table="prepare"
    )
    skip_time_and_location: bool = switch("Drop triples whose relation is TIME or LOCATION.", table="prepare")
    relation_filter: str | None = path("File of relations to keep, one per line.", table="prepare")
    element_first_filter: str | None = setting(
        "str", None, "Keep triples whose first element has this label.", table="prepare"
    )
    element_second_filter: str | None = setting(
        "str", None, "Keep triples whose second element has this label.", table="prepare"
    )
    ignore_element_second: bool = switch("Compare relation and first element only.", table="prepare")
    gold_duplicates: str = choice("Whether equal gold triples count once.", ("drop", "keep"), table="prepare")
    # scope
    token_range: str | None = path(
        "File of token ids in scope, or a folder with one file per document.", table="scope"
    )
    scope: str = choice(
        "What is in range: the token range, sentences or first elements of gold, everything, or what the files given allow.",
        ("auto", "token-range", "sentences", "first-elements", "none"),
        table="scope",
    )
    text: str | None = path(
        "KAF or NAF text of the documents: a file, or a folder with one per document.", table="scope"
    )
    scope_side: str = choice(
        "Whether the scope limits both sides or the system only.", ("both", "system"), table="scope"
    )
    # compare
    matching: str = choice(
        "How credit is given: one to one, to everything with a partner, both, or first come as the reference.",
        ("one-to-one", "coverage", "both", "first-come"),
        table="compare",
    )
    unary: str = choice(
        "Whether triples without second element count with the others or apart; auto: apart where brat files have relations.",
        ("auto", "together", "apart"),
        table="compare",
    )
    ignore_relations: bool = switch("Make the condition without relations the headline.", table="compare")
    case_sensitive_relations: bool = switch("Compare relations with their case.", table="compare")
    match_labels: str = choice(
        "Elements whose labels must be equal too.", ("none", "first", "second", "both"), table="compare"
    )
    min_overlap: float = setting(
        "share",
        0.0,
        "Least share of common ids (of all ids of both elements) in the partial conditions; 0: one id is enough.",
        table="compare",
    )
    min_confidence: str | None = setting(
        "str",
        None,
        "Least profile_confidence of a system triple; those without one are kept.",
        table="compare",
    )
    split_profiles: bool = switch("Credit every member of a comma-separated profile_id.", table="compare")
    # documents
    ignore_file_suffix: int = setting(
        "int", 0, "Pair files by their names without the last N characters.", table="documents"
    )
    document_map: str | None = path(
        "File of pairs: gold file name, tab, system file name.", table="documents"
    )
    missing_documents: str = choice(
        "What a gold document without system document is: empty, skipped, or an error.",
        ("empty", "skip", "error"),
        table="documents",
    )
    # convert
    extension: str | None = setting(
        "str",
        None,
        "Ending of the names of the files of a folder that are read.",
        table="convert",
        signed=False,
    )
    layers: tuple[str, ...] = setting(
        "list", LAYERS, "Layers of a KAF or NAF file that become triples.", LAYERS, "convert"
    )
    intersect: bool = switch(
        "Only opinions whose holder or target meets an entity or property.", table="convert"
    )
    text_bounds: str = setting(
        "str",
        "triples",
        "brat: annotation becomes triples.",
        ("triples",),
        table="convert",
        signed=False,
        flag=False,
    )
    baseline: str = choice(
        "Make triples of all pairs of chunk heads instead.", ("none", "chunks"), table="convert"
    )
    baseline_relation: str = setting(
        "str",
        "patient",
        "The relation of the baseline's triples.",
        table="convert",
        needs="baseline=chunks",
    )
    kaf: str | None = path("The KAF file that Kybot output refers to.", table="convert")
    wsd_threshold: float = setting(
        "float", 0.0, "Keep word senses with at least this percentage of the best rank.", table="convert"
    )
    first_element: str | None = setting(
        "str", None, "The element of a tuple that becomes the first element.", table="convert"
    )
    columns: tuple[str, ...] = setting(
        "list", (), "Columns of a TextPro file that become triples, in this order.", table="convert"
    )
    fields: tuple[str, ...] = setting(
        "list", (), "Names of the columns of a file without header.", table="convert"
    )
    # quirks
    lose_capitalised_triples: bool = quirk("A triple whose tag is not written in lower case is lost.")
    keep_repeated_ids: bool = quirk("Ids that an element names twice count twice in its length.")
    drop_location: bool = quirk("LOCATION triples are always dropped.")
    empty_range_means_all: bool = quirk("An empty or missing token range is no scope.")
    unread_token_range: bool = quirk("The token range has no effect.")
    unread_label_filters: bool = quirk("Filters on the labels of elements have no effect.")
    participant_stands_for_roles: bool = quirk(
        "participant may stand for eight roles, and the second element is never ignored."
    )
    overlap_is_duplicate: bool = quirk("Overlapping system triples of a relation are duplicates.")
    overlap_refuses_credit: bool = quirk("A gold triple that overlaps a correct one gets no credit.")
    divide_exact_by_partial: bool = quirk(
        "In folders, exact ids without relation are divided by the count of partial ids."
    )
    greedy_elements: bool = quirk("Elements that share an id with an earlier one are not counted.")
    all_elements_correct: bool = quirk("Every system element in range is correct.")
    comments_without_quotes: bool = quirk("Double quotes are taken out of comments.")
    no_srl_no_dep: bool = quirk("Semantic roles and dependencies are not converted.")
    modifier_alone_is_nothing: bool = quirk("A term sentiment with nothing but a modifier is left out.")
    opinion_modifier_unread: bool = quirk(
        "The modifier and semantic_type of an opinion expression are not read."
    )
    overlap_on_opinion_only: bool = quirk(
        "overlap_ents and overlap_props are read on the opinion alone, and nothing is intersected."
    )
    kybot_documents_together: bool = quirk(
        "All documents of Kybot output are resolved against the one KAF file."
    )
    kybot_last_span_only: bool = quirk("Of several spans of a place or date only the last counts.")
    kybot_hash_order: bool = quirk(
        "Targets pass the word-sense threshold one after the other, in the order of a Java hash map."
    )
    tuples_without_role: bool = quirk(
        "An element without role has no relation, one without tokens stays, confidence 0 is none."
    )
    baseline_by_token: bool = quirk("Every token of a chunk head is an element; no ids, layer or comments.")
    mapping_fills_profile: bool = quirk(
        "Mapping relations loses LOCATION and fills an empty profile_id with the old relation."
    )

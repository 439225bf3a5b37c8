"""The settings of the nugget task, declared once: flags, TOML keys, keyword arguments, parts of the signature."""

from __future__ import annotations

from lydite.model.settings import (
    GROUND,
    ONLY_DOCUMENT,
    READING,
    REPAIR_OFFSETS,
    SCORED_DOCUMENTS,
    SYSTEM_KEYS,
    TOPIC_OF,
    TaskSettings,
    findings,
)
from lydite.model.tally import Empty
from lydite.profile import choice, path, quirk, setting, switch

ATTRIBUTES = ("type", "realis")
INVENTORIES = ("none", "pilot2014", "ace2005", "rich-ere", "kbp2016")
MEASURES = ("detection", "augmented", "original", "original-v1.0", "multiplicative", "muc-partial")


class NuggetSettings(TaskSettings):
    """What can be set for event nuggets."""

    # ------------------------------------------------------------------------------------------------- reading
    reading: str = READING
    system_keys: str = SYSTEM_KEYS
    topic_of: str = TOPIC_OF
    unit: str = choice(
        "what spans are made of: char, token, or auto (the file decides)",
        ("auto", "char", "token"),
        table="read",
    )
    tokens: str | None = path("folder of token tables, <document>.tab", table="read")
    token_suffix: str = setting(
        "str",
        ".tab",
        "what is appended to a document id to find its token table",
        table="read",
        needs="tokens",
    )
    token_header: bool = switch("throw away the first row of each token table", table="read", needs="tokens")
    token_offsets: tuple[str, ...] = setting(
        "list",
        ("2", "3"),
        "the offset columns of token tables, counted from 0",
        table="read",
        signed=False,
        needs="tokens",
    )
    label_map: str | None = path(
        "brat: file with a label, a tab and the type that it stands for", table="read"
    )
    ere_mentions: str = choice(
        "LDC XML: mentions under hoppers, those directly under the root (event-nugget), or auto (both)",
        ("auto", "hopper", "event-nugget"),
        table="read",
    )
    # ----------------------------------------------------------------------------------------- what is compared
    type_whitelist: str | None = setting(
        "path",
        None,
        "file with one type per line; mentions of other types are left out on both sides",
        table="select",
        abbreviation="whitelist",
    )
    only_document: str | None = ONLY_DOCUMENT
    scored_documents: str = SCORED_DOCUMENTS
    attributes: tuple[str, ...] = setting(
        "list",
        ATTRIBUTES,
        "the attributes under evaluation; every combination is measured",
        ATTRIBUTES,
        table="compare",
    )
    shared_attributes: bool = switch(
        "leave out attributes that the files of one side do not hold at all", table="compare"
    )
    normalisation: str = setting(
        "str",
        "n2",
        "how attribute values are compared: none, n1 (no case, blanks, punctuation) or n2 (ASCII letters, digits)",
        ("none", "n1", "n2"),
        table="compare",
    )
    placeholder: tuple[str, ...] = setting(
        "list",
        ATTRIBUTES,
        "attributes whose gold value NOT_ANNOTATED agrees with anything",
        ATTRIBUTES,
        table="compare",
    )
    invisible_words: tuple[str, ...] = setting(
        "list",
        (),
        "words that are removed from every span (token unit, with token tables)",
        table="compare",
        needs="tokens",
    )
    # ------------------------------------------------------------------------------------------------- pairing
    similarity: str = choice(
        "weight of two spans: dice, dice-by-precision-and-recall (same value, other rounding), or exact",
        ("dice", "dice-by-precision-and-recall", "exact"),
        table="align",
    )
    pairing: str = choice(
        "which pairs are taken: greedy (best first), optimal (largest total), sets (equal keys count once)",
        ("greedy", "optimal", "sets"),
        table="align",
    )
    # ----------------------------------------------------------------------------------------------- measuring
    measures: tuple[str, ...] = setting(
        "list", ("detection",), "the measures to compute", MEASURES, table="measure", needs_one=True
    )
    muc_alignment: str = choice(
        "pairing behind muc-partial: greedy, or best (the one with the highest F)",
        ("greedy", "best"),
        table="measure",
        needs="measures=muc-partial",
    )
    undefined: Empty = setting(
        "str", "undefined", "the answer to 0/0", ("undefined", "zero"), table="measure"
    )
    # ------------------------------------------------------------------------------ coreference and sequencing
    coref: str = choice(
        "measure coreference: on, off, or auto (if a file has @Coreference lines)",
        ("auto", "on", "off"),
        table="coreference",
        signed=False,
    )
    coref_mapping: str = setting(
        "str",
        "type",
        "what paired mentions must agree on to be one element of a cluster or link",
        ("span", "type", "realis", "type+realis"),
        table="coreference",
    )
    coref_threshold: float = setting(
        "share", 1.0, "the least similarity of a pair that is one element of a cluster", table="coreference"
    )
    sequencing: str = setting(
        "str",
        "off",
        "measure After and Subevent links: on, off, or auto (if a file has such lines)",
        ("auto", "on", "off"),
        table="coreference",
        signed=False,
    )
    link_order: str | None = path(
        "JSON file that fixes the order in which links of both kinds are taken, by document and side",
        table="coreference",
        needs="sequencing=on",
    )
    # -------------------------------------------------------------------------------------------------- checks
    validate_links: bool = setting(
        "bool",
        True,
        "refuse After and Subevent links that lead in a circle; otherwise they are warned of and score nothing",
        table="check",
        signed=False,
    )
    type_inventory: str = setting(
        "str",
        "none",
        "inventory of event types; a type outside it is a warning",
        INVENTORIES,
        table="check",
        signed=False,
    )
    type_list: str | None = path(
        "file with the allowed types, one per line; another type is an error", table="check", signed=False
    )
    character_counts: str | None = path(
        "file with document id and length in characters; checks offsets and document ids",
        table="check",
        signed=False,
    )
    documents: str | None = path(
        "folder of source texts, <document>.txt; checks offsets and the text column against them",
        table="check",
        signed=False,
    )
    given: str | None = path(
        "TBF file that was handed out; its mentions must come back unchanged", table="check", signed=False
    )
    errors: tuple[str, ...] = findings("findings that refuse the input", flag=False)
    further_errors: tuple[str, ...] = findings("findings that refuse the input in this profile", flag=False)
    official_errors: tuple[str, ...] = findings(
        "findings that stop the official program, under reading = as-official", flag=False
    )
    further_official_errors: tuple[str, ...] = findings(
        "findings that stop this profile's official program, under reading = as-official", flag=False
    )
    relation_lines: bool = setting(
        "bool",
        True,
        "the official program knows relation lines; one that does not reads them as mentions",
        table="check",
        signed=False,
        flag=False,
    )
    relation_columns: str = setting(
        "str",
        "any",
        "columns of a relation line without which the official program stops",
        ("any", "at-least-3", "exactly-3"),
        table="check",
        signed=False,
        flag=False,
    )
    official_coref_errors: tuple[str, ...] = findings(
        "findings that stop the official program when coreference is measured, under reading = as-official",
        flag=False,
    )
    official_sequencing_errors: tuple[str, ...] = findings(
        "findings that stop the official program when sequencing is measured, under reading = as-official",
        flag=False,
    )
    # ---------------------------------------------------------------------------------------------- converting
    to_unit: str = choice(
        "what the spans that convert writes are made of: as-read, char or token (through --tokens)",
        ("as-read", "char", "token"),
        table="convert",
        signed=False,
    )
    repair_offsets: str = REPAIR_OFFSETS
    ground: bool = GROUND
    system_name: str | None = setting(
        "str", None, "the first column of a converted TBF file", table="convert", signed=False
    )
    # -------------------------------------------------------------------------------------------------- report
    official_layout: str = choice(
        "the program whose report --format official prints",
        ("evmeval-1.8", "evmeval-1.6.3", "evmeval-1.6.2", "evmeval-1.2", "evmeval-1.1"),
        table="report",
        signed=False,
    )
    confidence: str = choice(
        "the confidence that curves go by: that of the span, the type or the realis, or the product of the three",
        ("span", "type", "realis", "product"),
        table="report",
        signed=False,
    )
    # -------------------------------------------------------------------------------------------------- quirks
    skip_documents_without_gold: bool = quirk(
        "documents without gold mentions are left out of every average; false alarms there cost nothing"
    )
    count_repeated_characters: bool = quirk(
        "characters of overlapping segments count twice in the size of a span"
    )
    type_table_from_type_and_realis: bool = quirk(
        "the official table by type counts pairs that agree on type and realis"
    )
    placeholder_never_matches: bool = quirk(
        "gold NOT_ANNOTATED matches nothing but itself, although it was meant to match anything"
    )
    capital_i_stays_visible: bool = quirk("'I' is on the list of invisible words but never recognised")
    drop_unpaired_gold: bool = quirk("gold mentions without a partner are left out of gold's clusters")
    drop_zero_documents: bool = quirk(
        "documents whose coreference average is 0 are left out of coreference on both sides"
    )
    average_with_ceafm: bool = quirk(
        "the official report averages five coreference metrics, CEAFm included, and marks it as left out"
    )
    stop_at_duplicate_id: bool = quirk(
        "a duplicate system mention id ends the run; only the documents before it are averaged"
    )
    official_summation_order: bool = quirk(
        "printed figures are running sums in the official order, which can decide their last digit"
    )
    misses_as_false_positives: bool = quirk(
        "the original measures count gold mentions without a partner as false positives, as Algorithm 2 is printed"
    )
    muc_denominators_exchanged: bool = quirk(
        "muc-partial divides recall by system mentions and precision by gold mentions, as the paper prints it"
    )
    time_chain_closure: bool = quirk(
        "what follows from After and Subevent links is read off time chains, part of whose numbers are wrong"
    )
    hash_link_order: bool = quirk("links are taken in the order of a Python 2 set of their ids")
    last_copy_takes_links: bool = quirk(
        "of several mentions with one id only the one that is numbered last has its links"
    )
    unknown_id_stands_for_chain: bool = quirk(
        "an id that no mention but a cluster has stands for the cluster where a link names it"
    )

    @property
    def measures_coreference(self) -> bool:
        """Whether coreference is measured."""
        return self.coref == "on"

    @property
    def measures_sequencing(self) -> bool:
        """Whether sequencing is measured."""
        return self.sequencing == "on"

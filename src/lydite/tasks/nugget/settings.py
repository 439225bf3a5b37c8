"""The settings of the nugget task, declared once: flags, TOML keys, keyword arguments, parts of the signature."""

from __future__ import annotations

from lydite.profile import QUIRKS, Setting

ATTRIBUTES = ("type", "realis")
INVENTORIES = ("none", "pilot2014", "ace2005", "rich-ere", "kbp2016")
MEASURES = ("detection", "augmented", "original", "original-v1.0", "multiplicative", "muc-partial")

SETTINGS = (
    # ------------------------------------------------------------------------------------------------- reading
    Setting(
        "reading",
        "str",
        "refuse",
        "refuse broken input, or read it as-official with a warning for each oddity",
        ("refuse", "as-official"),
        table="read",
    ),
    Setting(
        "unit",
        "str",
        "auto",
        "what spans are made of: char, token, or auto (the file decides)",
        ("auto", "char", "token"),
        table="read",
    ),
    Setting("tokens", "path", None, "folder of token tables, <document>.tab", table="read", signed=False),
    Setting("token-suffix", "str", ".tab", "what is appended to a document id to find its token table", table="read"),
    Setting("token-header", "bool", False, "throw away the first row of each token table", table="read"),
    Setting(
        "token-offsets", "list", ("2", "3"), "the offset columns of token tables, counted from 0", table="read",
        signed=False,
    ),
    # ----------------------------------------------------------------------------------------- what is compared
    Setting(
        "type-whitelist",
        "path",
        None,
        "file with one type per line; mentions of other types are left out on both sides",
        table="select",
        abbreviation="whitelist",
    ),
    Setting("only-document", "str", None, "score this document alone", table="select", abbreviation="document"),
    Setting(
        "scored-documents",
        "str",
        "gold",
        "which documents are scored: those of gold, or those of either side",
        ("gold", "either"),
        table="select",
    ),
    Setting(
        "attributes",
        "list",
        ATTRIBUTES,
        "the attributes under evaluation; every combination is measured",
        ATTRIBUTES,
        table="compare",
    ),
    Setting(
        "normalisation",
        "str",
        "n2",
        "how attribute values are compared: none, n1 (no case, blanks, punctuation) or n2 (ASCII letters, digits)",
        ("none", "n1", "n2"),
        table="compare",
    ),
    Setting(
        "placeholder",
        "list",
        ATTRIBUTES,
        "attributes whose gold value NOT_ANNOTATED agrees with anything",
        ATTRIBUTES,
        table="compare",
    ),
    Setting(
        "invisible-words",
        "list",
        (),
        "words that are removed from every span (token unit, with token tables)",
        table="compare",
    ),
    # ------------------------------------------------------------------------------------------------- pairing
    Setting(
        "similarity",
        "str",
        "dice",
        "weight of two spans: dice, dice-by-precision-and-recall (same value, other rounding), or exact",
        ("dice", "dice-by-precision-and-recall", "exact"),
        table="align",
    ),
    Setting(
        "pairing",
        "str",
        "greedy",
        "which pairs are taken: greedy (best first), optimal (largest total), sets (equal keys count once)",
        ("greedy", "optimal", "sets"),
        table="align",
    ),
    # ----------------------------------------------------------------------------------------------- measuring
    Setting("measures", "list", ("detection",), "the measures to compute", MEASURES, table="measure"),
    Setting(
        "muc-alignment",
        "str",
        "greedy",
        "pairing behind muc-partial: greedy, or best (the one with the highest F)",
        ("greedy", "best"),
        table="measure",
    ),
    Setting(
        "undefined",
        "str",
        "undefined",
        "the answer to 0/0",
        ("undefined", "zero"),
        table="measure",
    ),
    # -------------------------------------------------------------------------------------------------- checks
    Setting(
        "type-inventory",
        "str",
        "none",
        "inventory of event types; a type outside it is a warning",
        INVENTORIES,
        table="check",
        signed=False,
    ),
    Setting(
        "type-list",
        "path",
        None,
        "file with the allowed types, one per line; another type is an error",
        table="check",
        signed=False,
    ),
    Setting(
        "character-counts",
        "path",
        None,
        "file with document id and length in characters; checks offsets and document ids",
        table="check",
        signed=False,
    ),
    Setting(
        "documents",
        "path",
        None,
        "folder of source texts, <document>.txt; checks offsets and the text column against them",
        table="check",
        signed=False,
    ),
    Setting(
        "given", "path", None, "TBF file that was handed out; its mentions must come back unchanged", table="check",
        signed=False,
    ),
    Setting("errors", "list", (), "findings that refuse the input", table="check", signed=False),
    Setting("further-errors", "list", (), "findings that refuse the input in this profile", table="check", signed=False),
    Setting(
        "official-errors",
        "list",
        (),
        "findings that stop the official program, under reading = as-official",
        table="check",
        signed=False,
    ),
    Setting(
        "further-official-errors",
        "list",
        (),
        "findings that stop this profile's official program, under reading = as-official",
        table="check",
        signed=False,
    ),
    Setting(
        "relation-columns",
        "str",
        "any",
        "columns of a relation line without which the official program stops",
        ("any", "at-least-3", "exactly-3"),
        table="check",
        signed=False,
    ),
    # -------------------------------------------------------------------------------------------------- report
    Setting(
        "official-layout",
        "str",
        "evmeval-1.8",
        "the program whose report --format official prints",
        ("evmeval-1.8", "evmeval-1.6.3", "evmeval-1.6.2", "evmeval-1.1"),
        table="report",
        signed=False,
    ),
    # -------------------------------------------------------------------------------------------------- quirks
    Setting(
        "skip-documents-without-gold",
        "bool",
        False,
        "documents without gold mentions are left out of every average; false alarms there cost nothing",
        table=QUIRKS,
    ),
    Setting(
        "count-repeated-characters",
        "bool",
        False,
        "characters of overlapping segments count twice in the size of a span",
        table=QUIRKS,
    ),
    Setting(
        "type-table-from-type-and-realis",
        "bool",
        False,
        "the official table by type counts pairs that agree on type and realis",
        table=QUIRKS,
    ),
    Setting(
        "placeholder-never-matches",
        "bool",
        False,
        "gold NOT_ANNOTATED matches nothing but itself, although it was meant to match anything",
        table=QUIRKS,
    ),
    Setting(
        "capital-i-stays-visible",
        "bool",
        False,
        "'I' is on the list of invisible words but never recognised",
        table=QUIRKS,
    ),
    Setting(
        "stop-at-duplicate-id",
        "bool",
        False,
        "a duplicate system mention id ends the run; only the documents before it are averaged",
        table=QUIRKS,
    ),
)

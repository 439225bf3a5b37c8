"""The settings of the ACE task: parameters of the official scorers, what is scored, and quirks."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.model.ace import KINDS
from lydite.profile import QUIRKS, Setting
from lydite.tasks.reading import REPAIR_OFFSETS

_NOTHING: Mapping[str, object] = {}

SETTINGS = (
    Setting(
        "model",
        "str",
        "2008",
        "whose formulas apply: those of the 2005, 2007 or 2008 scorer",
        ("2005", "2007", "2008"),
    ),
    Setting(
        "kinds", "list", (), "score these kinds of elements; without a choice, those that gold has", KINDS
    ),
    Setting("mentions", "bool", False, "also score mentions as elements of their own (EMD, RMD, VMD)"),
    Setting(
        "recognition",
        "bool",
        False,
        "also count attributes, roles, names, extents and external links of mapped elements",
    ),
    Setting(
        "entity-types", "list", (), "score entities of these types only, and what needs no others (PER,ORG)"
    ),
    Setting(
        "targets",
        "path",
        None,
        "a file of target entities: gold is reduced to them, and so is what system elements cost",
    ),
    Setting(
        "target-types",
        "list",
        (),
        "the entity types that targets are taken from, unless entity-types says it",
    ),
    Setting(
        "mapping",
        "str",
        "optimal",
        "how elements are mapped: for the largest value, or by given external ids (the 2002 condition)",
        ("optimal", "external-ids"),
    ),
    Setting(
        "prefer",
        "path",
        None,
        "a mapping as --comparison writes it: among equally good ones the one that agrees with it most",
    ),
    Setting("min-overlap", "float", 0.3, "the least overlap of two heads or extents that match"),
    Setting(
        "min-text-match", "float", 0.0, "the least common text of two heads that match; 0 looks at no text"
    ),
    Setting(
        "map-weighting",
        "str",
        "mention",
        "what the mapping weighs entities by",
        ("level", "mention", "fmeasure"),
    ),
    Setting("eval-weighting", "str", "level", "what the score weighs entities by", ("level", "mention")),
    Setting("use-mentions", "bool", True, "compare mentions; off, an occurrence is a document with names"),
    Setting("use-name-similarity", "bool", False, "weigh pairs of entities by the similarity of their names"),
    Setting("min-name-similarity", "float", 0.5, "the least similarity of two names that counts"),
    Setting("score-non-named-entities", "bool", True, "score entities without a name"),
    Setting("allow-non-named-entities", "bool", True, "accept entities without a name"),
    Setting("score-relation-times", "bool", False, "score time arguments of relations"),
    Setting("mention-overlap-required", "bool", False, "map relations and events only if extents overlap"),
    Setting(
        "argscore-required",
        "str",
        "1",
        "how many arguments must be joined: none, one, all",
        ("0", "1", "all"),
    ),
    Setting(
        "nargs-required",
        "str",
        "2",
        "how many of Arg-1 and Arg-2 must be joined in a relation",
        ("0", "1", "2"),
    ),
    Setting("allow-wrong-mapping", "bool", True, "may an argument count whose element is mapped elsewhere"),
    Setting(
        "arg-valuation",
        "str",
        "both",
        "what an argument pair is worth: attributes and mentions, one of them, or all of gold's value",
        ("both", "attributes", "mentions", "none"),
    ),
    Setting(
        "argument-map",
        "str",
        "value",
        "what joining two arguments gains: their value and the false alarm that is saved, or (2005) their value "
        "times the weights of roles and false alarms",
        ("value", "role-weight"),
    ),
    Setting(
        "b-cubed",
        "list",
        ("mentions",),
        "B-cubed over mentions, over document lists, or both",
        ("mentions", "documents"),
    ),
    Setting(
        "apf-text",
        "str",
        "decoded",
        "compare text with character references decoded, or raw",
        ("decoded", "raw"),
    ),
    Setting(
        "reading",
        "str",
        "refuse",
        "refuse what the official scorers misread, or read it as they do, with a warning",
        ("refuse", "as-official"),
    ),
    Setting(
        "documents",
        "path",
        None,
        "folder of source documents; validate and convert hold extents, heads and names against them",
        signed=False,
    ),
    REPAIR_OFFSETS,
    Setting(
        "max-extent-difference",
        "table",
        {"text": 4, "audio": 0.4, "image": 0.4},
        "how far ends of a right extent may differ",
    ),
    Setting("entity", "table", _NOTHING, "weights of entities"),
    Setting("value", "table", _NOTHING, "weights of values"),
    Setting("timex2", "table", _NOTHING, "weights of time expressions"),
    Setting("relation", "table", _NOTHING, "weights of relations"),
    Setting("event", "table", _NOTHING, "weights of events"),
    Setting("inventories", "table", _NOTHING, "types, subtypes, classes and roles that are legal"),
    Setting(
        "no-overlap-is-free",
        "bool",
        False,
        "in a common document without matching mentions a mapped pair earns nothing and its system mentions cost nothing",
        table=QUIRKS,
    ),
    Setting(
        "named-without-names-is-worthless",
        "bool",
        False,
        "with name similarity, an occurrence with a NAM mention and no name is worth 0",
        table=QUIRKS,
    ),
    Setting(
        "lone-gold-takes-any-partner",
        "bool",
        False,
        "a gold element with no rival (and a lone system argument) takes its best partner even at a loss",
        table=QUIRKS,
    ),
    Setting(
        "one-spare-partner",
        "bool",
        False,
        "a pair at a loss is left out only while there is room: elements that rival each other have one spare place",
        table=QUIRKS,
    ),
    Setting(
        "b-cubed-precision-counts-gold",
        "bool",
        False,
        "B-cubed precision counts gold mentions, so that it can exceed 100 %",
        table=QUIRKS,
    ),
    Setting(
        "system-values-from-gold-arguments",
        "bool",
        False,
        "the value of a system relation or event is looked up with its arguments on the gold side",
        table=QUIRKS,
    ),
    Setting(
        "relation-mention-heads-anywhere",
        "bool",
        False,
        "relation mentions may be mapped however far their arguments are apart",
        table=QUIRKS,
    ),
    Setting(
        "mention-arguments-never-right",
        "bool",
        False,
        "in mention scoring of 2005 no argument counts as mapped, so that every relation and event mention is an error",
        table=QUIRKS,
    ),
    Setting(
        "no-argument-map-no-false-arguments",
        "bool",
        False,
        "system arguments are no errors where no argument of a mapped relation or event can be joined at all",
        table=QUIRKS,
    ),
    Setting(
        "absent-kind-is-worthless",
        "bool",
        False,
        "system arguments of a kind that gold lacks altogether are worth 0 in relations and events",
        table=QUIRKS,
    ),
    Setting(
        "mention-argument-map-by-pair-value",
        "bool",
        False,
        "arguments of relation and event mentions are joined by what the pair is worth, not by what is credited",
        table=QUIRKS,
    ),
    Setting(
        "shortened-texts",
        "bool",
        False,
        "of heads and extents longer than 40 characters the first 37 count, for languages and names of mentions",
        table=QUIRKS,
    ),
    Setting(
        "mention-language-of-host",
        "bool",
        False,
        "a mention that is scored by itself has the language of its entity, not of its own text",
        table=QUIRKS,
    ),
)

"""The settings of the arguments task, declared once."""

from __future__ import annotations

from lydite.profile import QUIRKS, Setting
from lydite.tasks.reading import GROUND, READING, REPAIR_OFFSETS

SETTINGS = (
    # ------------------------------------------------------------------------------------------------- reading
    READING,
    Setting(
        "taxonomy",
        "str",
        "kbp2014",
        "event types and roles: kbp2014, kbp2014-later, kbp2015, or a file (TOML, or one line per type)",
        table="read",
        signed=False,
    ),
    Setting(
        "documents",
        "path",
        None,
        "folder of source documents; offsets and strings are held against them",
        table="read",
        signed=False,
    ),
    Setting(
        "offsets",
        "str",
        "character",
        "what offsets count in the source documents: characters, or UTF-16 units (old data with astral characters)",
        ("character", "utf16"),
        table="read",
        signed=False,
    ),
    Setting(
        "linking",
        "path",
        None,
        "folder or archive with the gold linking, one file per document",
        table="read",
    ),
    Setting(
        "annotation",
        "bool",
        False,
        "validate the store as assessments, not as system output",
        table="read",
        signed=False,
    ),
    # ----------------------------------------------------------------------------------------- what is compared
    Setting(
        "match",
        "str",
        "assessment",
        "what decides over an argument: its assessment, or the spans, types and roles of gold events",
        ("assessment", "spans"),
        table="score",
    ),
    Setting(
        "span",
        "str",
        "extent",
        "the span of an argument that is compared: its whole extent, or its head (spans only)",
        ("extent", "head"),
        table="score",
    ),
    Setting(
        "document-list",
        "list",
        (),
        "ids of the documents to score, or a file with one id per line; all documents of either side if empty",
        table="select",
    ),
    Setting(
        "genres",
        "path",
        None,
        "file with document id, tab, genre; the id's prefix decides otherwise",
        table="select",
    ),
    # ---------------------------------------------------------------------------------------------------- gold
    Setting(
        "cluster-ids",
        "str",
        "accepted",
        "whose coreference ids count: those of fillers accepted on some line, or all",
        ("accepted", "all"),
        table="gold",
    ),
    Setting(
        "ids-needed",
        "str",
        "none",
        "which fillers of gold must have a coreference id: none, those of assessed lines, or all",
        ("none", "assessed", "all"),
        table="gold",
    ),
    Setting(
        "unassessed",
        "str",
        "wrong",
        "a system argument that nobody assessed counts as wrong, or is refused",
        ("wrong", "refuse"),
        table="gold",
    ),
    Setting("require-complete", "bool", False, "refuse gold in which a line is not assessed", table="gold"),
    Setting(
        "expand-realis",
        "bool",
        False,
        "add gold arguments with the realis that the assessor found",
        table="gold",
    ),
    Setting(
        "neutralize-realis",
        "bool",
        False,
        "set every realis to Actual on both sides (a diagnosis)",
        table="gold",
    ),
    # --------------------------------------------------------------------------------------------------- dates
    Setting(
        "coarse-dates",
        "str",
        "system",
        "coarser forms of accepted dates: dropped from the system, from both sides, or kept",
        ("system", "both", "keep"),
        table="dates",
    ),
    Setting(
        "non-dates",
        "str",
        "refuse",
        "an accepted filler of a Time role that is no date: refuse gold, let it stand, or judge it wrong",
        ("refuse", "stand", "wrong"),
        table="dates",
    ),
    # ------------------------------------------------------------------------------------------------- linking
    Setting(
        "frames", "bool", False, "score event frames beside arguments (needs the gold linking)", table="link"
    ),
    Setting("beta", "float", 0.25, "what a false positive costs in the argument score of 2015", table="link"),
    Setting("link-share", "float", 0.5, "how much of the overall score is the link score", table="link"),
    Setting(
        "neutralize-coref",
        "bool",
        False,
        "replace arguments whose base filler is right and whose string is wrong by right ones (a diagnosis)",
        table="link",
    ),
    # -------------------------------------------------------------------------------------------------- checks
    Setting("integer-ids", "bool", True, "response ids are integers of 32 bits", table="check", signed=False),
    Setting(
        "max-mention-length",
        "int",
        200,
        "characters of a string or base filler before a warning",
        table="check",
        signed=False,
    ),
    Setting(
        "max-justification-length",
        "int",
        1000,
        "characters of a justification span before a warning",
        table="check",
        signed=False,
    ),
    Setting(
        "max-justification-spans",
        "int",
        10,
        "spans of a justification before a warning",
        table="check",
        signed=False,
    ),
    Setting(
        "max-errors",
        "int",
        0,
        "stop validation after so many errors; 0 reports all",
        table="check",
        signed=False,
    ),
    Setting(
        "official-errors",
        "list",
        (),
        "findings that stop the official program, under reading = as-official",
        table="check",
        signed=False,
    ),
    # ---------------------------------------------------------------------------------------------- converting
    REPAIR_OFFSETS,
    GROUND,
    # -------------------------------------------------------------------------------------------------- quirks
    Setting(
        "additional-justification-identifies",
        "bool",
        False,
        "arguments that differ in their additional justification alone are different arguments",
        table=QUIRKS,
    ),
    Setting(
        "small-x-is-unknown", "bool", False, "a small x in a date is an unknown place, as X is", table=QUIRKS
    ),
    Setting(
        "capitalise-unknown-pairs",
        "bool",
        False,
        "xx becomes XX in gold dates before anything else; the judgement moves along, the coreference id does not",
        table=QUIRKS,
    ),
    Setting(
        "ban-dates-after-deaths",
        "bool",
        False,
        "coarser dates are banned by what the Life.Injure rule left of gold, not by all of it",
        table=QUIRKS,
    ),
    Setting(
        "rewritten-judgement-counts",
        "bool",
        False,
        "where two gold lines become one argument, the judgement of the rewritten one counts",
        table=QUIRKS,
    ),
)

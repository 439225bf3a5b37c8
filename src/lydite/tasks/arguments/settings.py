"""The settings of the arguments task, declared once."""

from __future__ import annotations

from typing import Literal

from lydite.model.settings import GROUND, READING, REPAIR_OFFSETS, SYSTEM_KEYS, TOPIC_OF, findings
from lydite.profile import choice, path, quirk, setting, switch
from lydite.tasks.strings.settings import StringSettings


class ArgumentSettings(StringSettings):
    """What can be set for event arguments."""

    # ------------------------------------------------------------------------------------------------- reading
    reading: str = READING
    system_keys: str = SYSTEM_KEYS
    topic_of: str = TOPIC_OF
    taxonomy: str = setting(
        "str",
        "kbp2014",
        "event types and roles: kbp2014, kbp2014-later, kbp2015, or a file (TOML, or one line per type)",
        table="read",
        signed=False,
        or_file=True,
    )
    documents: str | None = path(
        "folder of source documents; offsets and strings are held against them", "read", signed=False
    )
    offsets: str = choice(
        "what offsets count in the source documents: characters, or UTF-16 units (old data with astral characters)",
        ("character", "utf16"),
        "read",
        signed=False,
    )
    map: tuple[str, ...] = setting(
        "list",
        (),
        "events as JSON: where keys stand, as key=dotted.path (trigger=event.word,type=event_type)",
        table="read",
        signed=False,
    )
    linking: str | None = path(
        "folder or archive with the gold linking, one file per document", "read", needs="frames"
    )
    annotation: bool = setting(
        "bool", False, "validate the store as assessments, not as system output", table="read", signed=False
    )
    # ----------------------------------------------------------------------------------------- what is compared
    match: str = choice(
        "what decides over an argument: its assessment, or types, roles and spans of gold events, or their words;"
        " or the same token numbers in a sentence, as files list them (sentences), the arguments of the trigger of a"
        " document (links), the fillers of templates, or strings by role",
        ("assessment", "spans", "words", "sentences", "links", "templates", "role-strings"),
        "score",
    )
    span: str = choice(
        "the span of an argument that is compared: its whole extent, or its head (spans only)",
        ("extent", "head"),
        "score",
    )
    multiplicities: str | None = path(
        "file with a type and how many arguments each role can have on each line: the surest ones are kept",
        "score",
        needs="match=links",
    )
    templates: str | None = path(
        "JSON file with the template and the roles of each event type", "score", needs="match=templates"
    )
    heads: str | None = path(
        "file with the head of each token by document, for --span head",
        "score",
        needs="match=templates",
    )
    coreference: str | None = setting(
        "str",
        None,
        "file with clusters of mentions by document, or mention-ids: the id without its last part is the entity",
        table="score",
        or_file=True,
        needs="match=templates",
    )
    given: str = choice(
        "what systems were given: nothing, or the triggers, so that only arguments are scored (spans only)",
        ("nothing", "triggers"),
        "score",
    )
    document_list: tuple[str, ...] = setting(
        "list",
        (),
        "ids of the documents to score, or a file with one id per line; all documents of either side if empty",
        table="select",
        or_file=True,
    )
    genres: str | None = path(
        "file with document id, tab, genre; the id's prefix decides otherwise", "select"
    )
    quote_filter: str | None = path(
        "file with the quoted passages of all documents (lydite assess quote-filter): arguments of systems in them are left out",
        "select",
        needs="match=assessment",
    )
    # ---------------------------------------------------------------------------------------------------- gold
    cluster_ids: Literal["accepted", "all"] = choice(
        "whose coreference ids count: those of fillers accepted on some line, or all",
        ("accepted", "all"),
        "gold",
    )
    ids_needed: Literal["none", "assessed", "all"] = choice(
        "which fillers of gold the official program wants an id for: none, those of assessed lines, or all",
        ("none", "assessed", "all"),
        "gold",
    )
    unassessed: Literal["wrong", "refuse"] = choice(
        "a system argument that nobody assessed counts as wrong, or is refused", ("wrong", "refuse"), "gold"
    )
    require_complete: bool = switch("refuse gold in which a line is not assessed", "gold")
    expand_realis: bool = switch("add gold arguments with the realis that the assessor found", "gold")
    neutralize_realis: bool = switch("set every realis to Actual on both sides (a diagnosis)", "gold")
    # --------------------------------------------------------------------------------------------------- dates
    coarse_dates: Literal["system", "both", "keep"] = choice(
        "coarser forms of accepted dates: dropped from the system, from both sides, or kept",
        ("system", "both", "keep"),
        "dates",
    )
    non_dates: Literal["refuse", "stand", "wrong"] = choice(
        "an accepted filler of a Time role that is no date: refuse gold, let it stand, or judge it wrong",
        ("refuse", "stand", "wrong"),
        "dates",
    )
    # ------------------------------------------------------------------------------------------------- linking
    frames: bool = switch("score event frames beside arguments (needs the gold linking)", "link")
    beta: float = setting(
        "float",
        0.25,
        "what a false positive costs in the argument score of 2015",
        table="link",
        needs="frames",
    )
    link_share: float = setting(
        "share", 0.5, "how much of the overall score is the link score", table="link", needs="frames"
    )
    neutralize_coref: bool = switch(
        "replace arguments whose base filler is right and whose string is wrong by right ones (a diagnosis)",
        "link",
        needs="frames",
    )
    # -------------------------------------------------------------------------------------------------- checks
    integer_ids: bool = setting(
        "bool", True, "response ids are integers of 32 bits", table="check", signed=False
    )
    max_mention_length: int = setting(
        "int", 200, "characters of a string or base filler before a warning", table="check", signed=False
    )
    max_justification_length: int = setting(
        "int", 1000, "characters of a justification span before a warning", table="check", signed=False
    )
    max_justification_spans: int = setting(
        "int", 10, "spans of a justification before a warning", table="check", signed=False
    )
    max_errors: int = setting(
        "int", 0, "stop validation after so many errors; 0 reports all", table="check", signed=False
    )
    official_errors: tuple[str, ...] = findings(
        "findings that stop the official program, under reading = as-official"
    )
    # ---------------------------------------------------------------------------------------------- converting
    repair_offsets: str = REPAIR_OFFSETS
    ground: bool = GROUND
    # -------------------------------------------------------------------------------------------------- quirks
    additional_justification_identifies: bool = quirk(
        "arguments that differ in their additional justification alone are different arguments"
    )
    small_x_is_unknown: bool = quirk("a small x in a date is an unknown place, as X is")
    capitalise_unknown_pairs: bool = quirk(
        "xx becomes XX in gold dates before anything else; the judgement moves along, the coreference id does not"
    )
    ban_dates_after_deaths: bool = quirk(
        "coarser dates are banned by what the Life.Injure rule left of gold, not by all of it"
    )
    rewritten_judgement_counts: bool = quirk(
        "where two gold lines become one argument, the judgement of the rewritten one counts"
    )
    overlap_moves: bool = quirk(
        "a role of an entity of the data that overlaps an earlier one goes to that one"
    )
    one_role_per_entity: bool = quirk("of an event and an entity of the data the first role counts")
    first_trigger_only: bool = quirk("of several gold triggers at one span, tc looks at the first")
    recall_above_one: bool = quirk("repeats count, and any number of predictions match one gold item")
    last_label: bool = quirk("a trigger, and a trigger with a span, has one label: the last in the file")
    arguments_per_trigger: bool = quirk("arguments are counted per trigger and matched without it")
    swapped_names: bool = quirk("--format official prints recall as Precision, and precision as Recall")
    empty_slot: bool = quirk("a slot that is skipped without <arg> becomes an argument behind the trigger")
    events_without_line: bool = quirk("gold events for which the system has no line are not counted")
    articles: bool = quirk("gold spans lose a leading article, those of systems do not")
    heads_not_in_table: bool = quirk("heads are looked up in a table of the full spans of mentions")
    place_before_coreference: bool = quirk("an item that matches a place earns nothing by coreference")
    wrong_type_is_silent: bool = quirk("roles of a trigger with a wrong type are missed, and not spurious")

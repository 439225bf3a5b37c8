"""The settings of the task of relations."""

from __future__ import annotations

from operator import itemgetter

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

MEASURES = (
    "rel+",
    "rel",
    "entity",
    "ign",
    "ign-distant",
    "evidence",
    "intra",
    "inter",
    "frequent",
    "long-tail",
    "overall",
    "temporal",
    "causal",
    "subevent",
)
"""What can be measured; a profile lists those of its program."""
MACRO = ("documents", "types")


class RelationSettings(TaskSettings):
    """What can be set for relations."""

    reading: str = READING
    system_keys: str = SYSTEM_KEYS
    topic_of: str = TOPIC_OF
    only_document: str | None = ONLY_DOCUMENT
    scored_documents: str = SCORED_DOCUMENTS
    # ----------------------------------------------------------------------------------------- what is compared
    relation_ends: str = choice(
        "what relations join: places in sentences, entities of a document by number, or mentions of events and times",
        ("places", "entities", "events"),
        "score",
    )
    measures: tuple[str, ...] = setting(
        "list",
        ("rel+", "rel", "entity"),
        "what is measured: the first one is the headline",
        MEASURES,
        table="measure",
        headline_of=itemgetter(0),
        needs_one=True,
    )
    macro: tuple[str, ...] = setting(
        "list", (), "beside the micro average: means over documents, or over types", MACRO, table="measure"
    )
    types: str | None = path("JSON file that says which types are symmetric, as SpERT's types.json", "score")
    symmetric: tuple[str, ...] = setting("list", (), "relation types whose ends have no order", table="score")
    directed: bool = setting(
        "bool", True, "the ends of a relation have an order, unless its type is symmetric", table="score"
    )
    symmetric_order: str = choice(
        "how ends without order are compared: by their places, or the entity that is listed first comes first",
        ("places", "listed"),
        "score",
    )
    any_right_type: bool = quirk(
        "an end is right if its span has a right entity, whatever else is predicted there"
    )
    max_span_width: int = setting(
        "int", 0, "entities of more tokens are left out on both sides; 0 keeps all", table="select"
    )
    no_overlapping: bool = switch("leave out entities that overlap others of their side", "select")
    train_annotated: str | None = path("annotated training file: its facts do not count in ign", "score")
    train_distant: str | None = path(
        "distantly supervised training file: its facts do not count in ign-distant", "score"
    )
    # -------------------------------------------------------------------------------------------------- checks
    errors: tuple[str, ...] = findings("findings that refuse the input")
    further_errors: tuple[str, ...] = findings("findings that refuse the input in this profile", flag=False)
    official_errors: tuple[str, ...] = findings("findings that stop the program, under reading = as-official")
    # -------------------------------------------------------------------------------------------------- quirks
    recall_above_one: bool = quirk("repeats count, and any number of predictions match one gold item")
    overlap_moves: bool = quirk(
        "what refers to an entity of the data that overlaps an earlier one refers to that one"
    )
    one_relation_per_pair: bool = quirk("of a pair of entities of the data the first relation counts")
    last_label: bool = quirk("a span, and an ordered pair of spans, has one label: the last in the file")
    same_start: bool = quirk("a symmetric relation whose ends begin together keeps its order")
    ends_outlive_entities: bool = quirk("relations stay when the entities that they join are left out")
    ign_recall: bool = quirk("recall of ign counts the facts of the training files")
    evidence_of_wrong_facts: bool = quirk("the evidence of wrong relations counts against evidence precision")
    evidence_plus_one: bool = quirk("evidence recall is divided by one more than the gold evidence")
    ign_epsilon: bool = quirk("the precision of ign is divided by 0.00001 more")
    simultaneous_ordered: bool = quirk("symmetric relations between events must have gold's order")
    last_pair_label: bool = quirk("an ordered pair of events has one label: the last in the file")

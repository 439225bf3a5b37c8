"""The two sides of a record before they are compared: which records meet, what is known of an answer, findings."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lydite.errors import Finding, Location, Severity, UsageError
from lydite.formats.record_files import LAYER
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.answer import PLAIN, UNPARSEABLE, RecordAnswer
from lydite.model.verdict import GOLD, LEFT_OUT
from lydite.pipeline.sides import documents_of
from lydite.profile import Profile
from lydite.tasks.figures import Named
from lydite.tasks.outcomes import ABSENT, EXTRA_RECORD
from lydite.tasks.outcomes import UNPARSEABLE as NO_JSON
from lydite.tasks.records.programs import stickler
from lydite.tasks.records.schema import Schema, Violation, load_schema, violations
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.records.values import Alternatives, holds_alternatives, with_alternatives

NOTHING = RecordAnswer(None)
OWN_DIALECT = frozenset({"rows", "thresholds", "cells"})
"""The scorings whose schema is that of their program."""
WITH_ALTERNATIVES = frozenset({"leaves", "anls"})
EITHER_SIDE = frozenset({"leaves", "typed-templates"})
"""The scorings that count records which gold lacks."""


class RecordSides(NamedTuple):
    """The values of a record on both sides, and what is known of its answer."""

    pair: DocumentPair
    gold: object
    system: object
    state: str = ""
    """``absent``, ``unparseable``, ``extra-record`` or ``left-out``; empty where there are two values."""
    text: str | None = None
    answer: RecordAnswer = NOTHING


def answer_of(document: Document) -> RecordAnswer:
    """The answer that a document holds."""
    return document.layers.get(LAYER, NOTHING)


def sides_of(pair: DocumentPair, settings: RecordSettings) -> RecordSides:
    """Both values of a record; an answer that is no JSON has none."""
    gold, system = answer_of(pair.gold), answer_of(pair.system)
    value = gold.value
    if settings.scoring in WITH_ALTERNATIVES and holds_alternatives(value):
        value = with_alternatives(value)
    state = ""
    if not pair.gold.present:
        state = EXTRA_RECORD if settings.scoring in EITHER_SIDE else LEFT_OUT
    elif not pair.system.present:
        state = ABSENT
    elif system.how == UNPARSEABLE:
        state = LEFT_OUT if settings.unparseable == "skip" else NO_JSON
    return RecordSides(pair, value, system.value, state, text_of(pair, settings), system)


def text_of(pair: DocumentPair, settings: RecordSettings) -> str | None:
    """The text of a record: that of the folder of texts, else gold's."""
    if settings.documents:
        from lydite.formats.texts import source_text

        found = source_text(settings.documents, pair.doc_id)
        if found is not None:
            return found
    return pair.gold.text


def schema_of(settings: RecordSettings) -> Schema:
    """The schema of a run."""
    return load_schema(settings.schema)


def own_schema(settings: RecordSettings) -> Mapping[str, object]:
    """The schema in the dialect of the program; refuses a run without one."""
    document = schema_of(settings).document
    if not isinstance(document, dict):
        raise UsageError(
            "this profile needs the schema of its program", hint="--schema FILE names it (a .json file)"
        )
    return document


def counts_of_answer(sides: RecordSides, settings: RecordSettings) -> Named:
    """How the answer was read, as counts of one record."""
    present = sides.pair.system.present
    how = sides.answer.how
    counts = {
        "records": int(present),
        "plain": int(present and how == PLAIN),
        "repaired": int(present and how not in {PLAIN, UNPARSEABLE}),
        "unparseable": int(present and how == UNPARSEABLE),
        "absent": int(not present),
        "extra": int(not sides.pair.gold.present),
    }
    if settings.schema is not None:
        counts["schema_valid"] = int(present and is_valid(sides.answer, settings))
    if counts["repaired"]:
        counts[f"repaired by {how}"] = 1
    return Named(counts)


def is_valid(answer: RecordAnswer, settings: RecordSettings) -> bool:
    """Whether an answer is JSON and does not break the schema."""
    return answer.how != UNPARSEABLE and next(broken_places(answer.value, settings), None) is None


def broken_places(value: object, settings: RecordSettings) -> Iterator[Violation]:
    """The places at which a value breaks the schema."""
    if settings.schema is None:
        return iter(())
    if settings.scoring == "thresholds":
        return stickler.misfits({} if value is None else value, scorer_of(settings).root)
    if settings.scoring in OWN_DIALECT:
        return iter(())
    return violations(value, schema_of(settings).root)


def scorer_of(settings: RecordSettings) -> stickler.Scorer:
    """What scores records under the schema of Stickler."""
    return _scorer(settings.schema or "", settings.absent_beside_fields, id(own_schema(settings)))


@lru_cache(maxsize=4)
def _scorer(path: str, drops_bare: bool, _document: int) -> stickler.Scorer:
    document = load_schema(path).document
    assert isinstance(document, dict)
    return stickler.Scorer(document, drops_bare=drops_bare)


# ---------------------------------------------------------------------------------------- which records are compared


def pair_documents(gold: Corpus, system: Corpus, _settings: RecordSettings) -> Collection[str]:
    """The records of either side; a measurement may leave out those that gold lacks."""
    return documents_of(gold, system, either_side=True)


def match_documents(
    gold: Corpus, systems: Sequence[Corpus], settings: RecordSettings
) -> tuple[Corpus, Sequence[Corpus]]:
    """Systems whose records have the ids of gold, where they had the short form of these."""
    if not settings.short_ids:
        return gold, systems
    names = {short: doc_id for doc_id in gold.documents if (short := short_id(doc_id)) is not None}
    return gold, [_with_ids(system, gold, names) for system in systems]


def short_id(doc_id: str) -> str | None:
    """``10004`` for ``TST1-MUC3-0004``: the last digit of the first part times 10,000, plus the last number."""
    first, _, rest = doc_id.partition("-")
    number = rest.rpartition("-")[2]
    if not (first[-1:].isdecimal() and number.isdecimal()):
        return None
    return str(int(first[-1]) * 10_000 + int(number))


def _with_ids(system: Corpus, gold: Corpus, names: Mapping[str, str]) -> Corpus:
    documents: dict[str, Document] = {}
    for doc_id, document in system.documents.items():
        meets = doc_id if doc_id in gold.documents else names.get(doc_id, doc_id)
        documents[meets] = document if meets == doc_id else document._replace(doc_id=meets)
    return replace(system, documents=documents)


def decide(profile: Profile[RecordSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """The closed lists of types and slots that gold shows, where the run does not name them; checks the schema."""
    settings = profile.settings
    if settings.scoring in OWN_DIALECT:
        own_schema(settings)
    elif settings.schema is not None:
        load_schema(settings.schema)
    if settings.scoring != "slots" or (settings.types and settings.roles):
        return {}
    slots: dict[str, dict[str, None]] = {}
    for document in corpora[0].documents.values():
        value = answer_of(document).value
        templates = value.get("templates") if isinstance(value, dict) else None
        for one in templates if isinstance(templates, list) else []:
            if isinstance(one, dict) and isinstance(one.get("type"), str):
                held = one.get("slots")
                slots.setdefault(one["type"], {}).update(
                    dict.fromkeys(held if isinstance(held, dict) else ())
                )
    decided: dict[str, object] = {}
    if not settings.types:
        decided["types"] = tuple(slots)
    if not settings.roles:
        decided["roles"] = {name: tuple(found) for name, found in slots.items()}
    return decided


def content(document: Document, _settings: RecordSettings) -> Iterator[str]:
    """The record in a normal form: keys in order."""
    answer = answer_of(document)
    if answer.how == UNPARSEABLE:
        yield f"no JSON: {answer.written}"
    else:
        yield json.dumps(answer.value, sort_keys=True, ensure_ascii=False, default=_digits)
    if document.text is not None:
        yield document.text


def _digits(number: object) -> object:
    """A number with a fraction, apart from a string with the same digits."""
    return {"number": str(number)}


# ------------------------------------------------------------------------------------------------------- findings


def check(document: Document, side: str, settings: RecordSettings) -> Iterator[Finding]:
    """How the record was read, and where it breaks the schema."""
    answer = answer_of(document)
    name = f"record {document.doc_id!r}"
    for key in answer.repeated_keys:
        message = f"{name}: the key {key!r} occurs twice in one object; the last one counts"
        yield document.finding("repeated-key", "warning", message)
    if answer.how == UNPARSEABLE:
        is_refused = side == GOLD or settings.unparseable == "refuse"
        consequence = {"empty": "it counts as empty", "skip": "it is left out with its gold record"}
        ending = "" if is_refused else f"; {consequence[settings.unparseable]}"
        message = f"{name}: the answer is no JSON: {answer.fault}{ending}"
        hint = "the steps of --repair are tried: fence, outer, commas, and close if it is named"
        yield document.finding("unparseable-json", "error" if is_refused else "warning", message, hint=hint)
        return
    if answer.how != PLAIN:
        cut = "; its last value may be cut off" if "close" in answer.how else ""
        message = f"{name}: the answer was repaired by {answer.how}: {answer.fault}{cut}"
        yield document.finding("repaired-json", "warning", message)
    value = with_alternatives(answer.value) if side == GOLD else answer.value
    is_refused = side == GOLD and settings.reading == "refuse"
    severity: Severity = "error" if is_refused else "warning"
    for one in broken_places(value, settings):
        message = f"{name}, {one.path or 'the root'}: expected {one.expected}, found {one.found}"
        yield document.finding("schema-violation", severity, message, item=one.path)
    if side == GOLD and settings.scoring == "leaves":
        for found in _containers_in_alternatives(value):
            message = f"{name}: expected strings, numbers or booleans in $any, found {found}"
            yield document.finding("alternative-not-a-leaf", "error", message)


def _containers_in_alternatives(value: object) -> Iterator[str]:
    if isinstance(value, Alternatives):
        if any(isinstance(one, dict | list | Alternatives) for one in value) or not value:
            yield "an object or a list" if value else "nothing"
    elif isinstance(value, dict):
        for one in value.values():
            yield from _containers_in_alternatives(one)
    elif isinstance(value, list):
        for one in value:
            yield from _containers_in_alternatives(one)


def check_corpus(_corpus: Corpus, _side: str, settings: RecordSettings) -> Iterator[Finding]:
    """What is wrong with the schema itself."""
    if settings.schema is not None and settings.scoring not in OWN_DIALECT:
        yield from schema_of(settings).findings


def check_corpora(gold: Corpus, system: Corpus, settings: RecordSettings) -> Iterator[Finding]:
    """Records that one of the sides lacks."""
    for doc_id in gold.documents:
        if doc_id not in system.documents:
            message = f"record {doc_id!r} is missing in {system.name}; it counts as empty"
            yield Finding("absent-record", "warning", message, Location(system.path), doc_id)
    counts = settings.scoring in EITHER_SIDE
    for doc_id, document in system.documents.items():
        if doc_id not in gold.documents:
            consequence = "all that it holds is spurious" if counts else "the program does not see it"
            message = f"record {doc_id!r} of {system.name} is not in gold; {consequence}"
            place = Location(document.path or system.path, document.line or None)
            yield Finding("extra-record", "warning", message, place, doc_id)

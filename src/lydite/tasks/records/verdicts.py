"""Why each item of a record counts or not: the table of outcomes as verdicts."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.model import Document, outcome
from lydite.model.outcome import Outcome
from lydite.model.verdict import LEFT_OUT, Explained, Explainer, Judge, Side
from lydite.tasks import outcomes as causes
from lydite.tasks.outcomes import Compared, outcomes_of
from lydite.tasks.records import corrections
from lydite.tasks.records.settings import RecordSettings
from lydite.tasks.strings.in_text import NOT_IN_TEXT

CAUSES = {
    causes.RIGHT: "the same on both sides, as the profile compares it",
    causes.ABSENT: "the system has no answer for this record",
    causes.UNPARSEABLE: "the answer of the system is no JSON, not even after repair",
    causes.EXTRA_RECORD: "gold has no such record",
    causes.HALLUCINATED: "a string of the system that is not right and not in the text",
    causes.EXTRA_FIELD: "the schema lacks the key, or a key above it",
    causes.TYPE_DIFFERS: "the two sides have values of other JSON types here",
    causes.VALUE_DIFFERS: "the two sides have other values here",
    causes.MISSING: "the system has nothing here",
    causes.SPURIOUS: "gold has nothing here",
    "other-mapping": "it would count if its template were mapped to another one of the document",
    "taken": "a gold row with an equal cell went to an earlier row of the system",
    NOT_IN_TEXT: "dropped before scoring: the text does not have it, or not so often",
    LEFT_OUT: "not counted: a rule of the profile or of the run leaves it out",
}
"""Every cause that an item of a record can have."""


def outcomes(explained: Explained[Compared], _settings: RecordSettings) -> Iterator[Outcome]:
    """The outcome of every item of both sides, gold first."""
    return outcomes_of(explained)


def left_out(document: Document, side: Side, _settings: RecordSettings) -> Iterator[Outcome]:
    """A record that is not scored."""
    yield outcome.left_out(side, document.doc_id, "the record is not compared", line=document.line)


EXPLAINER: Explainer[RecordSettings, Compared] = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=corrections.faults,
    find_faults=corrections.RecordFaults,
)

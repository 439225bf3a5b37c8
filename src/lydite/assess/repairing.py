"""Repair of raw assessment releases, with a report of every fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from lydite.assess.stores import cluster_ids, next_id
from lydite.checks import arguments as checks
from lydite.errors import Finding, InvalidInput, errors_among
from lydite.formats.eal import ArgumentStore, load_document
from lydite.model import Document
from lydite.model.argument import ACCEPTABLE, TIME_ROLES, ArgumentRow, Assessment, Filler
from lydite.model.argument_lines import lines_of
from lydite.model.partial_date import is_date

FIXES = {
    "accepted-without-id": "accepted string without coreference id: a new id of its own",
    "role-cleared": "role judged although the event type was not accepted: cleared",
    "role-missing": "event type accepted, role not judged: the line becomes unassessed",
    "judgement-missing": "type and role accepted, another judgement missing: the line becomes unassessed",
    "judgement-cleared": "type or role not accepted, other judgements given: cleared",
    "several-ids": "one string with several coreference ids: the first one counts",
    "without-id": "string without coreference id: a new id of its own",
    "non-date": "accepted filler of a Time role that is no date: judged wrong",
}
"""The kinds of fixes, in the order in which they are made."""

REPAIRABLE = frozenset({"assessment-missing", "assessment-extra"})


class Fix(NamedTuple):
    """One fix: its kind and the line of the file that it touched."""

    kind: str
    line: int


_LineFix = Callable[[ArgumentRow, Assessment], Assessment | None]
"""A fix of one line: returns its judgement after the fix, or the same one if there is nothing to fix."""


class _DocumentRepair:
    """The lines of a document while they are repaired, and the fixes so far."""

    def __init__(self, rows: Iterable[ArgumentRow]) -> None:
        self.rows = list(rows)
        self.fixes: list[Fix] = []
        self.ids = cluster_ids(self.rows)

    def fix_lines(self, kind: str, fix: _LineFix) -> None:
        for position, row in enumerate(self.rows):
            assessment = None if row.assessment is None else fix(row, row.assessment)
            if assessment != row.assessment:
                self.rows[position] = row._replace(assessment=assessment)
                self.fixes.append(Fix(kind, row.line))

    def give_ids(self, kind: str, *, accepted_only: bool) -> None:
        """Give ids to strings that have none: max + 1, max + 2, … in file order, the same on all lines of a string."""
        given: set[Filler] = set()
        for row in self.rows:
            filler = row.argument.canonical
            accepted = row.assessment is not None and row.assessment.accepts_text
            if filler not in self.ids and (accepted or not accepted_only):
                self.ids[filler] = next_id(self.ids.values())
                given.add(filler)
                self.fixes.append(Fix(kind, row.line))
        self._write_ids(given)

    def unify_ids(self) -> None:
        for row in self.rows:
            if row.cluster is not None and row.cluster != self.ids[row.argument.canonical]:
                self.fixes.append(Fix("several-ids", row.line))
        self._write_ids({row.argument.canonical for row in self.rows if row.cluster is not None})

    def _write_ids(self, fillers: set[Filler]) -> None:
        for position, row in enumerate(self.rows):
            if row.argument.canonical in fillers:
                self.rows[position] = row._replace(cluster=self.ids[row.argument.canonical])


_JUDGEMENT_FIXES: dict[str, _LineFix] = {
    "role-cleared": lambda _, given: given if given.event_type in ACCEPTABLE else given._replace(role=None),
    "role-missing": lambda _, given: None if given.event_type in ACCEPTABLE and given.role is None else given,
    "judgement-missing": lambda _, given: None if given.accepts_event and None in given[2:] else given,
    "judgement-cleared": lambda _, given: (
        given if given.accepts_event else Assessment(*given[:2], *[None] * 4)
    ),
}
"""An assessment begins with event type and role; the other parts are judged only if both are accepted."""


def _judge_non_date_wrong(row: ArgumentRow, given: Assessment) -> Assessment | None:
    # All profiles but the first take a small x for an unknown digit: such a date stays.
    is_acceptable = row.argument.role not in TIME_ROLES or is_date(row.argument.text, small_x=True)
    return given if is_acceptable or not given.accepts_text else given._replace(text="W")


def repair_rows(rows: Iterable[ArgumentRow]) -> tuple[Sequence[ArgumentRow], Sequence[Fix]]:
    """The lines of a document after the repair, and the fixes."""
    repair = _DocumentRepair(rows)
    repair.give_ids("accepted-without-id", accepted_only=True)
    for kind, fix in _JUDGEMENT_FIXES.items():
        repair.fix_lines(kind, fix)
    repair.unify_ids()
    repair.give_ids("without-id", accepted_only=False)
    repair.fix_lines("non-date", _judge_non_date_wrong)
    return repair.rows, repair.fixes


def repair_store(store: ArgumentStore) -> Iterator[tuple[str, Sequence[ArgumentRow], Sequence[Fix]]]:
    """The repaired store, document by document; what no fix covers is refused with the findings of all documents."""
    for doc_id in store.doc_ids:
        document = load_document(store, doc_id)
        if errors_among(_beyond_repair(document)):
            raise InvalidInput(
                finding for other in store.doc_ids for finding in _beyond_repair(load_document(store, other))
            )
        rows, fixes = repair_rows(lines_of(document).rows)
        yield doc_id, rows, fixes


def _beyond_repair(document: Document) -> list[Finding]:
    found = checks.reader_findings(document, "gold", integer_ids=False)
    findings = [finding for finding in found if finding.code not in REPAIRABLE]
    between = checks.consistency_findings(document, checks.faulty_lines(findings))
    return [*findings, *(finding for finding in between if finding.code == "assessment-conflict")]

"""Repair: raw assessment releases made consistent, with a report of every fix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from lydite.assess.stores import cluster_ids, next_id
from lydite.checks import arguments as checks
from lydite.errors import Finding, InvalidInput, errors_among
from lydite.formats.eal import ArgumentStore, load_document
from lydite.model import Document
from lydite.model.argument import ACCEPTABLE, TIME_ROLES, ArgumentRow, Assessment, Filler
from lydite.model.argument_lines import lines_of
from lydite.model.partial_date import is_date
from lydite.records import NamedTuple

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
"""What is fixed, in this order."""

REPAIRABLE = frozenset({"assessment-missing", "assessment-extra"})


class Fix(NamedTuple):
    """One fix: its kind and the line of the file that it touched."""

    kind: str
    line: int


_LineFix = Callable[[ArgumentRow, Assessment], Assessment | None]
"""A fix of one line: the judgement afterwards, which is the same if there is nothing to fix."""


class _Repair:
    def __init__(self, rows: Iterable[ArgumentRow]) -> None:
        self.rows = list(rows)
        self.fixes: list[Fix] = []
        self.ids = cluster_ids(self.rows)

    def each_line(self, kind: str, fix: _LineFix) -> None:
        for position, row in enumerate(self.rows):
            assessment = None if row.assessment is None else fix(row, row.assessment)
            if assessment != row.assessment:
                self.rows[position] = row._replace(assessment=assessment)
                self.fixes.append(Fix(kind, row.line))

    def give_ids(self, kind: str, *, accepted_only: bool) -> None:
        """New ids are max + 1, max + 2, … in file order; a string has one id, whatever the line."""
        given: set[Filler] = set()
        for row in self.rows:
            filler = row.argument.canonical
            accepted = row.assessment is not None and row.assessment.accepts_text
            if filler not in self.ids and (accepted or not accepted_only):
                self.ids[filler] = next_id(self.ids.values())
                given.add(filler)
                self.fixes.append(Fix(kind, row.line))
        self._write_ids(given)

    def one_id_each(self) -> None:
        for row in self.rows:
            if row.cluster is not None and row.cluster != self.ids[row.argument.canonical]:
                self.fixes.append(Fix("several-ids", row.line))
        self._write_ids({row.argument.canonical for row in self.rows if row.cluster is not None})

    def _write_ids(self, fillers: set[Filler]) -> None:
        for position, row in enumerate(self.rows):
            if row.argument.canonical in fillers:
                self.rows[position] = row._replace(cluster=self.ids[row.argument.canonical])


_JUDGEMENT_FIXES: dict[str, _LineFix] = {
    "role-cleared": lambda _, said: said if said.event_type in ACCEPTABLE else said._replace(role=None),
    "role-missing": lambda _, said: None if said.event_type in ACCEPTABLE and said.role is None else said,
    "judgement-missing": lambda _, said: None if said.accepts_event and None in said[2:] else said,
    "judgement-cleared": lambda _, said: said if said.accepts_event else Assessment(*said[:2], *[None] * 4),
}
"""An assessment begins with event type and role; what stands behind them is judged only if both are accepted."""


def _without_non_dates(row: ArgumentRow, said: Assessment) -> Assessment | None:
    # A small x is an unknown place to every scorer but the first: such a date is left as it is.
    is_sound = row.argument.role not in TIME_ROLES or is_date(row.argument.text, small_x=True)
    return said if is_sound or not said.accepts_text else said._replace(text="W")


def repair_rows(rows: Iterable[ArgumentRow]) -> tuple[Sequence[ArgumentRow], Sequence[Fix]]:
    """The lines of a document made consistent, and what was done to them."""
    repair = _Repair(rows)
    repair.give_ids("accepted-without-id", accepted_only=True)
    for kind, fix in _JUDGEMENT_FIXES.items():
        repair.each_line(kind, fix)
    repair.one_id_each()
    repair.give_ids("without-id", accepted_only=False)
    repair.each_line("non-date", _without_non_dates)
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
    found = checks.problems(document, "gold", integer_ids=False)
    findings = [finding for finding in found if finding.code not in REPAIRABLE]
    between = checks.consistency_findings(document, checks.faulty_lines(findings))
    return [*findings, *(finding for finding in between if finding.code == "assessment-conflict")]

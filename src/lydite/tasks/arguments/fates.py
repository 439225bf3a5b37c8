"""What became of the responses and classes of a document: which response counts, and where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from lydite.metrics.assessed import MEASURES
from lydite.model.argument import ACCEPTABLE, Argument, ArgumentRow, Assessment, identifier_2014
from lydite.model.argument_alignment import ArgumentCluster, Identity
from lydite.model.argument_lines import lines_of
from lydite.records import NamedTuple
from lydite.tasks.arguments.documents import ArgumentComparison

TYPE, ROLE, FILLER, STRING, REALIS = "type", "role", "filler", "string", "realis"
UNASSESSED, REDUNDANT, MISSED = "unassessed", "redundant", "missed"
STANDARD, STRICT = "standard", "strict"


def judgement(assessment: Assessment, name: str) -> str | None:
    """What the assessor said of that part of a response."""
    said: str | None = getattr(assessment, _FIELDS[name])
    return said


_FIELDS = {TYPE: "event_type", ROLE: "role", FILLER: "filler", STRING: "text", REALIS: "realis"}
"""The fields of an assessment that judge the parts of a response."""


class Response(NamedTuple):
    """A line of the system: the form in which it counts, its class if it is in play, and the line that stands for it."""

    place: int
    row: ArgumentRow
    form: Argument
    cluster: ArgumentCluster | None
    leader: int | None
    """The line that decides over the class: this one, or the one that it is behind."""

    @property
    def counts(self) -> bool:
        """Whether it decides over its class."""
        return self.leader == self.place

    @property
    def name(self) -> str:
        """What it is called."""
        return name_of(self.row, self.form)


class Fates:
    """The responses and classes of one compared document, under the standard or the strict measure."""

    def __init__(self, comparison: ArgumentComparison, measure: str = STANDARD) -> None:
        self.comparison, self.measure = comparison, measure
        self.alignment, self.gold = comparison.alignment, comparison.gold

    @cached_property
    def responses(self) -> list[Response]:
        """Every line of the system."""
        rows, renamed = lines_of(self.comparison.pair.system).rows, self.comparison.system.forms
        given = (self.gold.rules.identified(row.argument) for row in rows)
        lines = [(row, renamed.get(argument, argument)) for row, argument in zip(rows, given, strict=True)]
        in_play = {argument: cluster for cluster in self.alignment.clusters for argument in cluster.system}
        spokesman: dict[Argument, int] = {}
        for place, (row, form) in enumerate(lines):
            known = spokesman.get(form)
            if known is None or rows[known].confidence <= row.confidence:
                spokesman[form] = place
        made = []
        for place, (row, form) in enumerate(lines):
            cluster = in_play.get(form)
            selected = None if cluster is None else cluster.selected
            leader = None if selected is None else spokesman.get(selected)
            made.append(Response(place, row, form, cluster, leader))
        return made

    def failure(self, form: Argument) -> str | None:
        """Where a response fails first: None if it is right."""
        assessment = self.gold.assessments.get(form)
        if assessment is None:
            return UNASSESSED
        accepted = {"C"} if self.measure == STRICT else ACCEPTABLE
        for name in (TYPE, ROLE, FILLER, STRING):
            if judgement(assessment, name) not in accepted:
                return name
        return None if assessment.realis == form.realis else REALIS

    def cause(self, form: Argument) -> str:
        """The cause of a response that decides over its class: right, or where it fails and how."""
        failed = self.failure(form)
        if failed in {None, UNASSESSED}:
            return failed or "right"
        assessment = self.gold.assessments[form]
        is_inexact = failed in {FILLER, STRING} and judgement(assessment, failed) in ACCEPTABLE
        return f"{'inexact' if is_inexact else 'wrong'}-{failed}"

    @cached_property
    def leaders(self) -> dict[Identity, Response]:
        """The response that decides over each class of the system."""
        return {
            response.cluster.identity: response
            for response in self.responses
            if response.counts and response.cluster is not None
        }

    def classes(self) -> Iterator[tuple[ArgumentCluster, bool]]:
        """The classes of gold that hold a right answer, and whether the system found it."""
        measure = MEASURES[self.measure]
        for cluster in self.alignment.clusters:
            tp, _, fn = measure(cluster.case)
            if tp or fn:
                yield cluster, tp

    def answer(self, cluster: ArgumentCluster) -> Argument | None:
        """A right answer of the pool to a class, one that no rule takes away from a system if there is one."""
        having = self.gold.perfect if self.measure == STRICT else self.gold.good
        right = sorted(having.arguments.intersection(cluster.gold))
        allowed = [one for one in right if not self.gold.is_banned(one) and not self.gold.falls(one)]
        return next(iter(allowed or right), None)


def name_of(row: ArgumentRow, argument: Argument) -> str:
    """What a response is called: its id in the file, else the identifier of 2014."""
    return row.id or str(identifier_2014(argument))

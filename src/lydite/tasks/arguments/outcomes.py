"""The outcomes of the responses and classes of a document: which response decides over a class, and where it fails."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from lydite.metrics.assessed import MEASURES
from lydite.model.argument import ACCEPTABLE, Argument, ArgumentRow, Assessment, identifier_2014
from lydite.model.argument_alignment import ArgumentCluster, Identity
from lydite.model.argument_lines import lines_of
from lydite.tasks.arguments.documents import ArgumentComparison

TYPE, ROLE, FILLER, STRING, REALIS = "type", "role", "filler", "string", "realis"
UNASSESSED, REDUNDANT, MISSED = "unassessed", "redundant", "missed"
STANDARD, STRICT = "standard", "strict"


def judgement(assessment: Assessment, name: str) -> str | None:
    """The assessor's judgement of a part of a response."""
    value: str | None = getattr(assessment, _FIELDS[name])
    return value


_FIELDS = {TYPE: "event_type", ROLE: "role", FILLER: "filler", STRING: "text", REALIS: "realis"}
"""The fields of an assessment that judge the parts of a response."""


class Response(NamedTuple):
    """A line of the system: its argument as the rules rewrote it, and its class unless a rule removed it."""

    place: int
    row: ArgumentRow
    form: Argument
    cluster: ArgumentCluster | None
    leader: int | None
    """The place of the line that decides over the class."""

    @property
    def is_deciding(self) -> bool:
        """Whether it decides over its class."""
        return self.leader == self.place

    @property
    def name(self) -> str:
        """Its name in verdicts."""
        return name_of(self.row, self.form)


class ResponseOutcomes:
    """The outcomes of one compared document under the standard or the strict measure."""

    def __init__(self, comparison: ArgumentComparison, measure: str = STANDARD) -> None:
        self.comparison, self.measure = comparison, measure
        self.alignment, self.gold = comparison.alignment, comparison.gold

    @cached_property
    def responses(self) -> list[Response]:
        """Every line of the system."""
        rows, renamed = lines_of(self.comparison.pair.system).rows, self.comparison.system.forms
        given = (self.gold.rules.identified(row.argument) for row in rows)
        lines = [(row, renamed.get(argument, argument)) for row, argument in zip(rows, given, strict=True)]
        cluster_of = {argument: cluster for cluster in self.alignment.clusters for argument in cluster.system}
        best_line: dict[Argument, int] = {}
        for place, (row, form) in enumerate(lines):
            known = best_line.get(form)
            if known is None or rows[known].confidence <= row.confidence:
                best_line[form] = place
        responses = []
        for place, (row, form) in enumerate(lines):
            cluster = cluster_of.get(form)
            selected = None if cluster is None else cluster.selected
            leader = None if selected is None else best_line.get(selected)
            responses.append(Response(place, row, form, cluster, leader))
        return responses

    def first_failure(self, form: Argument) -> str | None:
        """The first part in which a response fails; None if it is right."""
        assessment = self.gold.assessments.get(form)
        if assessment is None:
            return UNASSESSED
        accepted = {"C"} if self.measure == STRICT else ACCEPTABLE
        for name in (TYPE, ROLE, FILLER, STRING):
            if judgement(assessment, name) not in accepted:
                return name
        return None if assessment.realis == form.realis else REALIS

    def cause(self, form: Argument) -> str:
        """The cause for the verdict on a response that decides over its class."""
        failed = self.first_failure(form)
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
            if response.is_deciding and response.cluster is not None
        }

    def gold_classes(self) -> Iterator[tuple[ArgumentCluster, bool]]:
        """The classes of gold that hold a right answer, and whether the system found it."""
        measure = MEASURES[self.measure]
        for cluster in self.alignment.clusters:
            tp, _, fn = measure(cluster.case)
            if tp or fn:
                yield cluster, tp

    def right_answer(self, cluster: ArgumentCluster) -> Argument | None:
        """An argument of a class that was judged right; preferably one that no rule would remove from a system."""
        having = self.gold.perfect if self.measure == STRICT else self.gold.good
        right = sorted(having.arguments.intersection(cluster.gold))
        gold = self.gold
        allowed = (one for one in right if not gold.is_banned(one) and not gold.falls_under_death(one))
        return next(chain(allowed, right), None)


def name_of(row: ArgumentRow, argument: Argument) -> str:
    """The name of a response in verdicts: its id in the file, else the identifier of 2014."""
    return row.id or str(identifier_2014(argument))

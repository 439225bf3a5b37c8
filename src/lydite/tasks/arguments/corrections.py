"""The faults of a system's responses, and what it would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from lydite.model import Document
from lydite.model.argument import Argument, ArgumentRow, Frame, identifier_2015
from lydite.model.argument_lines import LAYER, lines_of
from lydite.model.outcome import COPY, Outcome
from lydite.model.verdict import GOLD
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.outcomes import (
    FILLER,
    MISSED,
    REALIS,
    REDUNDANT,
    ROLE,
    STRING,
    TYPE,
    UNASSESSED,
    ResponseOutcomes,
)

FAULTS = (TYPE, ROLE, FILLER, STRING, REALIS, UNASSESSED, REDUNDANT, MISSED)


class ResponseCorrections:
    """The faults of one document of a system whose responses were assessed, read from the outcomes."""

    def __init__(
        self, document: Document, comparison: ArgumentComparison, outcomes: Sequence[Outcome]
    ) -> None:
        self._document = document
        self._compared = ResponseOutcomes(comparison)
        self._failing: dict[str, list[int]] = {fault: [] for fault in FAULTS}
        self._corrected: dict[int, Argument | None] = {}
        classes = [cluster for cluster, _ in self._compared.gold_classes()]
        self._missed = []
        for one in outcomes:
            if one.item is None:
                continue
            if one.side == GOLD:
                answer = None if one.is_right else self._compared.right_answer(classes[one.item])
                self._missed += [] if answer is None else [answer]
            elif one.differs:
                (failed,) = one.differs
                self._failing[failed].append(one.item)
                if failed == REALIS:
                    form = self._compared.responses[one.item].form
                    self._corrected[one.item] = self._with_right_realis(form)
            elif one.status == COPY:
                self._failing[REDUNDANT].append(one.item)

    def _with_right_realis(self, form: Argument) -> Argument | None:
        """The response with the realis that the assessor found; None if nobody judged that one right."""
        realis = self._compared.gold.assessments[form].realis
        twin = form._replace(realis=realis) if realis is not None else None
        return twin if twin is not None and self._compared.first_failure(twin) is None else None

    @cached_property
    def items(self) -> Mapping[str, int]:
        """The number of responses, or classes that were missed, with each fault."""
        counts = {fault: len(places) for fault, places in self._failing.items()}
        counts[MISSED] = len(self._missed)
        return {fault: counts[fault] for fault in FAULTS if counts[fault]}

    def correct(self, faults: frozenset[str]) -> Document:
        """The system's document after correcting these faults."""
        lines = lines_of(self._document)
        rows: list[ArgumentRow | None] = list(lines.rows)
        for fault in faults:
            for place in self._failing[fault]:
                twin = self._corrected.get(place) if fault == REALIS else None
                row = lines.rows[place]
                rows[place] = twin and row._replace(argument=row.argument._replace(realis=twin.realis))
        corrected = lines.with_rows(rows)
        if MISSED in faults:
            added = tuple(ArgumentRow(answer, id=identifier_2015(answer)) for answer in self._missed)
            frames = tuple(Frame((row.id,)) for row in added)
            corrected = replace(
                corrected, rows=(*corrected.rows, *added), frames=(*corrected.frames, *frames)
            )
        return self._document._replace(layers={**self._document.layers, LAYER: corrected}, present=True)

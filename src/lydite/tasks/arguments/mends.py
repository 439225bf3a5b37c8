"""The faults of a system's responses, and what it would have written without some of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

from lydite.model import Document
from lydite.model.argument import Argument, ArgumentRow, Frame, identifier_2015
from lydite.model.argument_lines import LAYER, lines_of
from lydite.model.verdict import Explained
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.exact import EventComparison
from lydite.tasks.arguments.exact_verdicts import SetFaults
from lydite.tasks.arguments.item_verdicts import ItemFaults
from lydite.tasks.arguments.items import ItemComparison
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
from lydite.tasks.arguments.settings import ArgumentSettings

FAULTS = (TYPE, ROLE, FILLER, STRING, REALIS, UNASSESSED, REDUNDANT, MISSED)


class ResponseFaults:
    """The faults of one document of a system whose responses were assessed."""

    def __init__(self, document: Document, comparison: ArgumentComparison) -> None:
        self._document = document
        outcomes = self._outcomes = ResponseOutcomes(comparison)
        self._failing: dict[str, list[int]] = {fault: [] for fault in FAULTS}
        self._corrected: dict[int, Argument | None] = {}
        for response in outcomes.responses:
            failed = outcomes.first_failure(response.form)
            if response.row.argument in comparison.quoted:
                continue
            if outcomes.gold.is_banned(response.form) or outcomes.gold.falls_under_death(response.form):
                continue
            if failed is not None:
                # A response that no frame keeps fails as well: once the better one is gone it would be kept.
                self._failing[failed].append(response.place)
                if failed == REALIS:
                    self._corrected[response.place] = self._with_right_realis(response.form)
            elif response.cluster is not None and not response.is_deciding:
                self._failing[REDUNDANT].append(response.place)
        self._missed = [
            answer
            for cluster, found in outcomes.gold_classes()
            if not found and (answer := outcomes.right_answer(cluster)) is not None
        ]

    def _with_right_realis(self, form: Argument) -> Argument | None:
        """The response with the realis that the assessor found; None if nobody judged that one right."""
        realis = self._outcomes.gold.assessments[form].realis
        twin = form._replace(realis=realis) if realis is not None else None
        return twin if twin is not None and self._outcomes.first_failure(twin) is None else None

    @cached_property
    def items(self) -> Mapping[str, int]:
        """How many responses, or classes that were missed, have each fault."""
        counts = {fault: len(places) for fault, places in self._failing.items()}
        counts[MISSED] = len(self._missed)
        return {fault: counts[fault] for fault in FAULTS if counts[fault]}

    def mend(self, faults: frozenset[str]) -> Document:
        """The system's document after mending these faults."""
        lines = lines_of(self._document)
        rows: list[ArgumentRow | None] = list(lines.rows)
        for fault in faults:
            for place in self._failing[fault]:
                twin = self._corrected.get(place) if fault == REALIS else None
                row = lines.rows[place]
                rows[place] = twin and row._replace(argument=row.argument._replace(realis=twin.realis))
        mended = lines.with_rows(rows)
        if MISSED in faults:
            added = tuple(ArgumentRow(answer, id=identifier_2015(answer)) for answer in self._missed)
            frames = tuple(Frame((row.id,)) for row in added)
            mended = replace(mended, rows=(*mended.rows, *added), frames=(*mended.frames, *frames))
        return self._document._replace(layers={**self._document.layers, LAYER: mended}, present=True)


def find_faults(
    explained: Explained[EventComparison], _settings: ArgumentSettings
) -> ResponseFaults | SetFaults | ItemFaults:
    """The faults of a compared document."""
    if isinstance(explained.comparison, ItemComparison):
        return ItemFaults(explained.system, explained.comparison)
    if isinstance(explained.comparison, ArgumentComparison):
        return ResponseFaults(explained.system, explained.comparison)
    return SetFaults(explained.system, explained.comparison)

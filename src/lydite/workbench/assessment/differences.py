"""Where two people differ, who was right, and how far they agree."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from lydite.assess import judging
from lydite.assess.agreement import COLUMNS, ColumnAgreement, agreement_over
from lydite.grouping import grouped
from lydite.model.argument import Filler
from lydite.records import NamedTuple
from lydite.workbench.accounts.models import User
from lydite.workbench.assessment.judgements import JudgedDocument, classes_of, judged_by
from lydite.workbench.assessment.models import (
    Comparison,
    Grouping,
    Judgement,
    Pool,
    PooledDocument,
    PooledItem,
    Ruling,
)
from lydite.workbench.assessment.pools import argument_of, hold_open, mark_changed
from lydite.workbench.problems import Refused


class Disagreement(NamedTuple):
    """Two answers to one item, or two ways to group the strings of a document, in no order that tells who is who."""

    document: PooledDocument
    item: PooledItem | None
    options: tuple[Judgement, Judgement] | tuple[Grouping, Grouping]
    questions: tuple[str, ...]
    ruling: Ruling | None


def differences_in(document: PooledDocument, sides: Sequence[JudgedDocument] = ()) -> Iterable[Disagreement]:
    """Where the two people of a document differ, as far as both have judged it; what was ruled already says so."""
    one, two = sides or judged_by(document, *_people(document))
    rulings = {
        ruling.item_id: ruling
        for ruling in document.rulings.select_related("judgement", "grouping").order_by("id")
    }
    said = {
        key: (one.judgements[key], two.judgements[key])
        for key in one.judgements.keys() & two.judgements.keys()
    }
    differing = {key: _differing(*pair) for key, pair in said.items() if pair[0].answers != pair[1].answers}
    items = document.items.select_related("document__pool__campaign")
    for item in items.filter(pk__in=[key for key, questions in differing.items() if questions]):
        mine, other = said[item.pk]
        options = (mine, other) if _keeps_order(item.key) else (other, mine)
        yield Disagreement(document, item, options, differing[item.pk], _still(rulings.get(item.pk), options))
    if one.grouping and two.grouping and partition_of(one.classes) != partition_of(two.classes):
        pair = (one.grouping, two.grouping)
        shown = pair if _keeps_order(document.doc_id) else pair[::-1]
        yield Disagreement(document, None, shown, ("coreference",), _still(rulings.get(None), shown))


def is_finished_by_both(document: PooledDocument) -> bool:
    """Whether two people have finished a document, so that somebody can rule on where they differ."""
    return document.taken.filter(finished__isnull=False).count() == 2


def _finished_by_two(pool: Pool) -> QuerySet[PooledDocument]:
    finished = Count("taken", filter=Q(taken__finished__isnull=False))
    return pool.documents.filter(seats=2).annotate(done=finished).filter(done=2)


def _differing(first: Judgement, second: Judgement) -> tuple[str, ...]:
    said = (judging.assessment_of(one.answers or {}) for one in (first, second))
    return judging.differing_questions(*said)


def _still(ruling: Ruling | None, options: Sequence[Judgement | Grouping]) -> Ruling | None:
    """A ruling, if what it chose is still what one of the two says; who changes their mind is ruled on anew."""
    chosen = ruling and (ruling.judgement or ruling.grouping)
    return ruling if chosen in options else None


def _keeps_order(name: str) -> bool:
    """Which of two people comes first is drawn by the name of what they differ on."""
    return sha256(name.encode()).digest()[0] % 2 == 0


def partition_of(classes: Mapping[Filler, int]) -> set[frozenset[Filler]]:
    """Which strings are the same, whatever the numbers of their classes."""
    by_class = grouped((number, string) for string, number in classes.items())
    return {frozenset(strings) for strings in by_class.values()}


# --------------------------------------------------------------------------------------------------------- ruling


def undecided_documents(pool: Pool, adjudicator: User) -> tuple[list[PooledDocument], int]:
    """The documents in which a person can rule, and how many differences lie in those that they judged themselves."""
    waiting = pool.documents.filter(comparison__undecided__gt=0).select_related("comparison")
    own = Exists(Judgement.objects.filter(item__document=OuterRef("pk"), assessor=adjudicator))
    documents: list[PooledDocument] = []
    barred = 0
    for document in waiting.annotate(own=own).order_by("position"):
        if document.own:
            barred += document.comparison.undecided
        else:
            documents.append(document)
    return documents, barred


def next_difference(documents: Iterable[PooledDocument]) -> Disagreement | None:
    """The first on which nobody has ruled."""
    found = (difference for document in documents for difference in to_rule_on(document))
    return next((difference for difference in found if difference.ruling is None), None)


def to_rule_on(document: PooledDocument, sides: Sequence[JudgedDocument] = ()) -> Iterable[Disagreement]:
    """Where two people differ who have both finished a document."""
    return differences_in(document, sides) if is_finished_by_both(document) else ()


@transaction.atomic
def rule(difference: Disagreement, chosen: int, adjudicator: User) -> Ruling:
    """Decide for the first or the second of two answers; nobody decides where they judged themselves."""
    hold_open(difference.document.pool)
    if Judgement.objects.filter(item__document=difference.document, assessor=adjudicator).exists():
        raise Refused("own-judgement", "you judged this document yourself; somebody else decides on it")
    option = difference.options[chosen]
    ruling = Ruling.objects.create(
        document=difference.document,
        item=difference.item,
        judgement=option if isinstance(option, Judgement) else None,
        grouping=option if isinstance(option, Grouping) else None,
        adjudicator=adjudicator,
    )
    mark_changed(difference.document)
    return ruling


def last_ruled(pool: Pool, adjudicator: User) -> Disagreement | None:
    """The difference that a person ruled on last, to rule on it anew."""
    rulings = Ruling.objects.filter(document__pool=pool, adjudicator=adjudicator).order_by("-id")
    for ruling in rulings.select_related("document__pool__campaign").iterator(chunk_size=10):
        for difference in to_rule_on(ruling.document):
            if difference.ruling == ruling:
                return difference
    return None


class OverruledLine(NamedTuple):
    """One question on which somebody decided against a person."""

    document: str
    item: str
    question: str
    yours: str
    counts: str


def overruled_lines(pool: Pool, assessor: User) -> list[OverruledLine]:
    """The questions on which somebody decided against a person, with both answers."""
    theirs = pool.documents.filter(taken__assessor=assessor).values("pk")
    ruled = Ruling.objects.filter(document__pool=pool, document__in=theirs).values("document")
    return [
        line
        for document in _finished_by_two(pool).filter(pk__in=ruled)
        for difference in differences_in(document)
        for line in _overruled(difference, assessor)
    ]


def _overruled(difference: Disagreement, assessor: User) -> Iterable[OverruledLine]:
    ruled = difference.ruling
    if ruled is None:
        return
    counts = ruled.judgement or ruled.grouping
    yours = next((option for option in difference.options if option.assessor_id == assessor.pk), None)
    if yours is None or counts is None or counts.assessor_id == assessor.pk:
        return
    doc_id = difference.document.doc_id
    if isinstance(yours, Judgement) and isinstance(counts, Judgement) and difference.item is not None:
        argument = argument_of(difference.item)
        shown = f"{argument.event_type} {argument.role} “{argument.text}”"
        for question in difference.questions:
            mine, others = ((said.answers or {}).get(question, "not asked") for said in (yours, counts))
            yield OverruledLine(doc_id, shown, question, mine, others)
    elif isinstance(yours, Grouping) and isinstance(counts, Grouping):
        yield OverruledLine(
            doc_id, "strings", "coreference", *("; ".join(class_lines(one)) for one in (yours, counts))
        )


def class_lines(grouping: Grouping) -> list[str]:
    """The classes of a grouping, for people."""
    classes = grouped((number, text) for (text, _), number in classes_of(grouping).items())
    return [" = ".join(strings) for _, strings in sorted(classes.items())]


# ------------------------------------------------------------------------------------------------------ agreement


class AgreementSoFar(NamedTuple):
    """How far two people agree over the documents that both hold, and how many of these are compared so far."""

    undecided: int
    judged_by_both: int
    columns: tuple[ColumnAgreement, ...]
    documents: int
    waiting: int


def compared(pool: Pool, *, seconds: float = math.inf) -> AgreementSoFar:
    """How far the two people of doubly judged documents agree, over what both have judged so far.

    What was compared before and has not changed is not compared again.  After so many seconds the rest waits, so that
    no page does.
    """
    shared = pool.documents.filter(seats=2).annotate(held=Count("taken")).filter(held=2)
    documents = list(shared.select_related("comparison"))
    stale = [document for document in documents if not _is_fresh(document)]
    fresh = [document.comparison for document in documents if _is_fresh(document)]
    until = time.monotonic() + seconds
    made: list[Comparison] = []
    for document in stale:
        made.append(_compare(document))
        if time.monotonic() > until:
            break
    Comparison.objects.bulk_create(
        made,
        update_conflicts=True,
        unique_fields=["document"],
        update_fields=["changes", "undecided", "judged_by_both", "cells"],
    )
    fresh += made
    cells: dict[str, Counter[tuple[str, str]]] = {name: Counter() for name in COLUMNS}
    for one in fresh:
        for name, first, second, times in one.cells:
            cells[name][first, second] += times
    return AgreementSoFar(
        sum(one.undecided for one in fresh),
        sum(one.judged_by_both for one in fresh),
        tuple(ColumnAgreement(name, dict(sorted(counts.items()))) for name, counts in cells.items()),
        len(documents),
        len(stale) - len(made),
    )


def _is_fresh(document: PooledDocument) -> bool:
    return hasattr(document, "comparison") and document.comparison.changes == document.changes


def _compare(document: PooledDocument) -> Comparison:
    """Compare the two people of a document; what changes meanwhile makes the document newer than this."""
    sides = judged_by(document, *_people(document))
    found = agreement_over([(document.doc_id, sides[0].rows, sides[1].rows)])
    return Comparison(
        document=document,
        changes=document.changes,
        undecided=sum(difference.ruling is None for difference in to_rule_on(document, sides)),
        judged_by_both=found.judged_by_both,
        cells=[
            [column.name, first, second, times]
            for column in found.columns
            for (first, second), times in column.cells.items()
        ],
    )


def _people(document: PooledDocument) -> list[User]:
    return [seat.assessor for seat in document.taken.select_related("assessor").order_by("number")]

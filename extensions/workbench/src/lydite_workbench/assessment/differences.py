"""Where two assessors differ, rulings on it, and how far they agree."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q

from lydite.assess import judging
from lydite.assess.agreement import COLUMNS, ColumnAgreement, agreement_of_documents
from lydite.grouping import grouped
from lydite.model.argument import Filler
from lydite_workbench.accounts.models import User
from lydite_workbench.assessment.judgements import JudgedDocument, classes_of, judged_by
from lydite_workbench.assessment.models import (
    Comparison,
    Grouping,
    Judgement,
    Pool,
    PooledDocument,
    PooledItem,
    Ruling,
)
from lydite_workbench.assessment.pools import argument_of, lock_open, mark_changed
from lydite_workbench.problems import Refused


class Disagreement(NamedTuple):
    """Two answers to one item, or two groupings of the strings of a document, in an order that does not tell whose they are."""

    document: PooledDocument
    item: PooledItem | None
    options: tuple[Judgement, Judgement] | tuple[Grouping, Grouping]
    questions: tuple[str, ...]
    ruling: Ruling | None


def disagreements_in(
    document: PooledDocument, sides: Sequence[JudgedDocument] = ()
) -> Iterable[Disagreement]:
    """Where the two assessors of a document differ, with the rulings so far; ``sides`` spares reading their judgements."""
    one, two = sides or judged_by(document, *_assessors_of(document))
    found = document.rulings.select_related("judgement", "grouping").order_by("id")
    rulings = {ruling.item_id: ruling for ruling in found}
    twice = one.judgements.keys() & two.judgements.keys()
    pairs = {key: (one.judgements[key], two.judgements[key]) for key in twice}
    unequal = {key: pair for key, pair in pairs.items() if pair[0].answers != pair[1].answers}
    differing = {
        key: judging.differing_questions(*(judging.assessment_of(one.answers or {}) for one in pair))
        for key, pair in unequal.items()
    }
    items = document.items.select_related("document__pool__campaign")
    for item in items.filter(pk__in=[key for key, questions in differing.items() if questions]):
        options = pairs[item.pk] if _is_first_seat_first(item.key) else pairs[item.pk][::-1]
        ruling = _valid_ruling(rulings.get(item.pk), options)
        yield Disagreement(document, item, options, differing[item.pk], ruling)
    if one.grouping and two.grouping and partition_of(one.classes) != partition_of(two.classes):
        pair = (one.grouping, two.grouping)
        groupings = pair if _is_first_seat_first(document.doc_id) else pair[::-1]
        ruling = _valid_ruling(rulings.get(None), groupings)
        yield Disagreement(document, None, groupings, ("coreference",), ruling)


def is_finished_by_both(document: PooledDocument) -> bool:
    """Whether two people have finished a document, so that an adjudicator can rule on it."""
    return document.taken.filter(finished__isnull=False).count() == 2


def _valid_ruling(ruling: Ruling | None, options: Sequence[Judgement | Grouping]) -> Ruling | None:
    """A ruling, unless the judgement or grouping that it chose has been replaced since."""
    return ruling if ruling and (ruling.judgement or ruling.grouping) in options else None


def _is_first_seat_first(name: str) -> bool:
    """Which of two people comes first: drawn by the name of what they differ on."""
    return sha256(name.encode()).digest()[0] % 2 == 0


def partition_of(classes: Mapping[Filler, int]) -> set[frozenset[Filler]]:
    """The classes as sets of strings, without their numbers."""
    by_class = grouped((number, string) for string, number in classes.items())
    return {frozenset(strings) for strings in by_class.values()}


# --------------------------------------------------------------------------------------------------------- ruling


def undecided_documents(pool: Pool, adjudicator: User) -> tuple[list[PooledDocument], int]:
    """The documents in which a person can rule, and how many disagreements lie in documents that they judged themselves."""
    waiting = pool.documents.filter(comparison__undecided__gt=0).select_related("comparison")
    own = Exists(Judgement.objects.filter(item__document=OuterRef("pk"), assessor=adjudicator))
    found = list(waiting.annotate(own=own).order_by("position"))
    own_disagreements = sum(document.comparison.undecided for document in found if document.own)
    return [document for document in found if not document.own], own_disagreements


def next_disagreement(documents: Iterable[PooledDocument]) -> Disagreement | None:
    """The first disagreement without a ruling."""
    found = (disagreement for document in documents for disagreement in disagreements_to_rule_on(document))
    return next((disagreement for disagreement in found if disagreement.ruling is None), None)


def disagreements_to_rule_on(
    document: PooledDocument, sides: Sequence[JudgedDocument] = ()
) -> Iterable[Disagreement]:
    """Where two people differ, if both have finished the document."""
    return disagreements_in(document, sides) if is_finished_by_both(document) else ()


@transaction.atomic
def rule(disagreement: Disagreement, chosen: int, adjudicator: User) -> Ruling:
    """Decide for option 0 or 1 of a disagreement; nobody rules on a document that they judged themselves."""
    lock_open(disagreement.document.pool)
    if Judgement.objects.filter(item__document=disagreement.document, assessor=adjudicator).exists():
        raise Refused("own-judgement", "you judged this document yourself; another adjudicator decides on it")
    option = disagreement.options[chosen]
    ruling = Ruling.objects.create(
        document=disagreement.document,
        item=disagreement.item,
        judgement=option if isinstance(option, Judgement) else None,
        grouping=option if isinstance(option, Grouping) else None,
        adjudicator=adjudicator,
    )
    mark_changed(disagreement.document)
    return ruling


def last_ruled_by(pool: Pool, adjudicator: User) -> Disagreement | None:
    """The disagreement that a person ruled on last."""
    rulings = Ruling.objects.filter(document__pool=pool, adjudicator=adjudicator).order_by("-id")
    for ruling in rulings.select_related("document__pool__campaign").iterator(chunk_size=10):
        for disagreement in disagreements_to_rule_on(ruling.document):
            if disagreement.ruling == ruling:
                return disagreement
    return None


class OverruledLine(NamedTuple):
    """One question on which an adjudicator decided against an assessor."""

    document: str
    item: str
    question: str
    yours: str
    counts: str


def overruled_lines(pool: Pool, assessor: User) -> list[OverruledLine]:
    """The questions on which an adjudicator decided against an assessor, with both answers."""
    theirs = pool.documents.filter(taken__assessor=assessor).values("pk")
    ruled = Ruling.objects.filter(document__pool=pool, document__in=theirs).values("document")
    finished = Count("taken", filter=Q(taken__finished__isnull=False))
    by_two = pool.documents.filter(seats=2).annotate(done=finished).filter(done=2, pk__in=ruled)
    return [
        line
        for document in by_two
        for disagreement in disagreements_in(document)
        for line in _overruled_in(disagreement, assessor)
    ]


def _overruled_in(disagreement: Disagreement, assessor: User) -> Iterable[OverruledLine]:
    ruling = disagreement.ruling
    if ruling is None:
        return
    counts = ruling.judgement or ruling.grouping
    yours = next((option for option in disagreement.options if option.assessor_id == assessor.pk), None)
    if yours is None or counts is None or counts.assessor_id == assessor.pk:
        return
    doc_id = disagreement.document.doc_id
    if isinstance(yours, Judgement) and isinstance(counts, Judgement) and disagreement.item is not None:
        argument = argument_of(disagreement.item)
        item = f"{argument.event_type} {argument.role} “{argument.text}”"
        for question in disagreement.questions:
            mine, others = ((one.answers or {}).get(question, "not asked") for one in (yours, counts))
            yield OverruledLine(doc_id, item, question, mine, others)
    elif isinstance(yours, Grouping) and isinstance(counts, Grouping):
        both = ("; ".join(class_lines(one)) for one in (yours, counts))
        yield OverruledLine(doc_id, "strings", "coreference", *both)


def class_lines(grouping: Grouping) -> list[str]:
    """The classes of a grouping, one line each: ``first string = second string``."""
    classes = grouped((number, text) for (text, _), number in classes_of(grouping).items())
    return [" = ".join(strings) for _, strings in sorted(classes.items())]


# ------------------------------------------------------------------------------------------------------ agreement


class AgreementSoFar(NamedTuple):
    """How far two people agree over the documents of ``documents`` that are compared; ``waiting`` are not compared yet."""

    undecided: int
    judged_by_both: int
    columns: tuple[ColumnAgreement, ...]
    documents: int
    waiting: int


def compare_assessors(pool: Pool, *, seconds: float = math.inf) -> AgreementSoFar:
    """How far the two assessors of doubly judged documents agree, over what both have judged so far.

    Documents that have not changed since the last comparison are not compared again.  After ``seconds`` the rest is
    left to the next call, so that no page waits long.
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
    """Compare the two assessors of a document; changes that are made meanwhile let it be compared again."""
    sides = judged_by(document, *_assessors_of(document))
    disagreements = disagreements_to_rule_on(document, sides)
    found = agreement_of_documents([(document.doc_id, sides[0].rows, sides[1].rows)])
    return Comparison(
        document=document,
        changes=document.changes,
        undecided=sum(disagreement.ruling is None for disagreement in disagreements),
        judged_by_both=found.judged_by_both,
        cells=[
            [column.name, first, second, times]
            for column in found.columns
            for (first, second), times in column.cells.items()
        ],
    )


def _assessors_of(document: PooledDocument) -> list[User]:
    return [seat.assessor for seat in document.taken.select_related("assessor").order_by("number")]

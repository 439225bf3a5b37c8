"""Where two people differ, who was right, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, Q

from lydite.assess import judging
from lydite.assess.agreement import Agreement, Rows, agreement_over
from lydite.model.argument import Filler
from lydite.workbench.accounts.models import User
from lydite.workbench.assessment.judgements import classes_of, judged_by, last_grouping, last_judgements
from lydite.workbench.assessment.models import Grouping, Item, Judgement, Pool, PooledDocument, Ruling
from lydite.workbench.assessment.pools import argument_of, refuse_frozen


class Difference(NamedTuple):
    """Two answers to one item, or two ways to group the strings of a document, in no order that tells who is who."""

    document: PooledDocument
    item: Item | None
    options: tuple[Judgement, Judgement] | tuple[Grouping, Grouping]
    questions: tuple[str, ...]
    ruling: Ruling | None


def differences(pool: Pool) -> list[Difference]:
    """Where two people who have both finished a document differ; what was ruled already says so."""
    found: list[Difference] = []
    documents = pool.documents.filter(seats=2).annotate(
        done=Count("taken", filter=Q(taken__finished__isnull=False))
    )
    for document in documents.filter(done=2):
        found.extend(differences_in(document))
    return found


def differences_in(document: PooledDocument) -> Iterable[Difference]:
    """Where the two people of a document differ, as far as both have judged it."""
    people = _people(document)
    first, second = (last_judgements(document, person) for person in people)
    rulings = {
        ruling.item_id: ruling
        for ruling in document.rulings.select_related("judgement", "grouping").order_by("id")
    }
    items = {item.pk: item for item in document.items.select_related("document__pool__campaign")}
    for key in sorted(first.keys() & second.keys(), key=lambda key: items[key].position):
        mine, other = first[key], second[key]
        questions = () if mine.answers == other.answers else _differing(mine, other)
        if questions:
            options = (mine, other) if _keeps_order(items[key].key) else (other, mine)
            yield Difference(document, items[key], options, questions, _still(rulings.get(key), options))
    one, two = (last_grouping(document, person) for person in people)
    if one and two and _partition(classes_of(one)) != _partition(classes_of(two)):
        pair = (one, two)
        shown = pair if _keeps_order(document.doc_id) else pair[::-1]
        yield Difference(document, None, shown, ("coreference",), _still(rulings.get(None), shown))


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


def _partition(classes: Mapping[Filler, int]) -> set[frozenset[Filler]]:
    grouped: dict[int, set[Filler]] = {}
    for string, number in classes.items():
        grouped.setdefault(number, set()).add(string)
    return {frozenset(strings) for strings in grouped.values()}


@transaction.atomic
def rule(difference: Difference, chosen: int, adjudicator: User) -> Ruling:
    """Decide for the first or the second of two answers."""
    refuse_frozen(difference.document.pool)
    option = difference.options[chosen]
    return Ruling.objects.create(
        document=difference.document,
        item=difference.item,
        judgement=option if isinstance(option, Judgement) else None,
        grouping=option if isinstance(option, Grouping) else None,
        adjudicator=adjudicator,
    )


def last_ruled(found: Iterable[Difference], adjudicator: User) -> Difference | None:
    """Of some differences the one that a person ruled on last, to rule on it anew."""
    theirs = [
        (one.ruling.pk, one) for one in found if one.ruling and one.ruling.adjudicator_id == adjudicator.pk
    ]
    return max(theirs, key=lambda ruled: ruled[0], default=(0, None))[1]


class OverruledLine(NamedTuple):
    """One question on which somebody decided against a person."""

    document: str
    item: str
    question: str
    yours: str
    counts: str


def overruled_lines(pool: Pool, assessor: User) -> list[OverruledLine]:
    """The questions on which somebody decided against a person, with both answers."""
    return [line for difference in differences(pool) for line in _overruled(difference, assessor)]


def _overruled(difference: Difference, assessor: User) -> Iterable[OverruledLine]:
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
        yield OverruledLine(doc_id, "strings", "coreference", class_text(yours), class_text(counts))


def class_text(grouping: Grouping) -> str:
    """The classes of a grouping, for people."""
    grouped: dict[int, list[str]] = {}
    for (text, _), number in classes_of(grouping).items():
        grouped.setdefault(number, []).append(text)
    return "; ".join(" = ".join(strings) for _, strings in sorted(grouped.items()))


def undecided(pool: Pool) -> int:
    """On how many items, and groupings of strings, two people differ and nobody has ruled."""
    return sum(difference.ruling is None for difference in differences(pool))


def agreement_of(pool: Pool) -> Agreement:
    """How far the two people of doubly judged documents agree, over what both have judged so far."""
    shared = pool.documents.filter(seats=2).annotate(held=Count("taken")).filter(held=2)
    return agreement_over((document.doc_id, *_two_sides(document)) for document in shared)


def _two_sides(document: PooledDocument) -> tuple[Rows, Rows]:
    first, second = judged_by(document, *_people(document))
    return first.rows, second.rows


def _people(document: PooledDocument) -> list[User]:
    return [seat.assessor for seat in document.taken.select_related("assessor").order_by("number")]

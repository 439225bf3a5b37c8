"""Who judges which document, and how they judged its arguments and grouped its strings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from lydite.assess import judging
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.model.argument import Argument, ArgumentRow, Assessment, Filler
from lydite_workbench.accounts.models import User
from lydite_workbench.assessment.models import Grouping, Judgement, Pool, PooledDocument, PooledItem, Seat
from lydite_workbench.assessment.pools import (
    argument_of,
    arguments_of,
    guidelines_version,
    lacks_date,
    lock_open,
    mark_changed,
    refuse_frozen,
)
from lydite_workbench.problems import LONGEST_NOTE, BadInput, Refused, refuse_long

LEASE = timedelta(minutes=30)
"""How long a document stays with a person who does nothing; every judgement renews it."""


def take_seat(pool: Pool, assessor: User) -> Seat | None:
    """Give a person a document to judge: the one that they hold, or the next that needs somebody; None if none does.

    Whoever comes back after their lease has ended keeps the document, unless somebody else took it over.
    """
    refuse_frozen(pool)
    held = _held_seat(pool, assessor)
    if held is not None and held.until > timezone.now() + LEASE / 2:
        return held
    return _claim_seat(pool, assessor)


@transaction.atomic
def _claim_seat(pool: Pool, assessor: User) -> Seat | None:
    # One claim at a time: two people never get the same seat.
    lock_open(pool)
    held = _held_seat(pool, assessor)
    seat = held or _free_seat(pool, assessor) or _abandoned_seat(pool, assessor)
    if seat is None:
        return None
    seat.assessor, seat.until = assessor, timezone.now() + LEASE
    seat.save()
    if held is None:
        recount_seat(seat)
    return seat


def _held_seat(pool: Pool, assessor: User) -> Seat | None:
    return _unfinished_seats(pool).filter(assessor=assessor).order_by("document__position").first()


def _unfinished_seats(pool: Pool) -> QuerySet[Seat]:
    found = Seat.objects.select_related("document__pool__campaign")
    return found.filter(document__pool=pool, finished__isnull=True)


def recount_seat(seat: Seat) -> None:
    """Count the judgements of the person of a seat again."""
    judgements = last_judgements(seat.document, seat.assessor).values()
    judged = [one for one in judgements if one.answers is not None]
    seat.judged, seat.seconds = len(judged), sum(one.seconds for one in judged)
    seat.flagged = sum(one.flagged for one in judgements)
    seat.save(update_fields=["judged", "seconds", "flagged"])
    mark_changed(seat.document)


def _free_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat that nobody has; those of documents that somebody has begun come first, so that they get finished."""
    others = pool.documents.exclude(taken__assessor=assessor).annotate(held=Count("taken"))
    document = others.filter(held__lt=F("seats")).order_by("-held", "position").first()
    if document is None:
        return None
    held = set(document.taken.values_list("number", flat=True))
    return Seat(document=document, number=next(number for number in (1, 2) if number not in held))


def documents_open_to(assessor: User, pool: Pool) -> QuerySet[PooledDocument]:
    """The documents that a person judges or can begin without taking somebody else's seat."""
    own = Exists(Seat.objects.filter(document=OuterRef("pk"), assessor=assessor))
    return pool.documents.annotate(held=Count("taken")).filter(own | Q(held__lt=F("seats")))


def _abandoned_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat whose holder has let the lease run out."""
    abandoned = _unfinished_seats(pool).filter(until__lt=timezone.now())
    return abandoned.exclude(document__taken__assessor=assessor).order_by("document__position").first()


def judge(
    item: PooledItem,
    assessor: User,
    answers: Mapping[str, str] | None,
    *,
    seconds: float = 0.0,
    note: str = "",
    flagged: bool = False,
) -> Judgement:
    """Add a judgement; without ``answers`` it takes the one before back.  Refused if the person does not hold the document."""
    pool = item.document.pool
    refuse_long("note", note, LONGEST_NOTE)
    if answers is not None:
        try:
            assessment = judging.assessment_of(answers)
        except UsageError as error:
            raise BadInput("no-judgement", str(error)) from None
        if assessment.accepts_text and lacks_date(pool.campaign, argument_of(item)):
            raise BadInput("no-date", "a time that is not written as a date is wrong")
    with transaction.atomic():
        # A freeze locks the seats, too, so that no judgement comes too late for it.
        seat = item.document.taken.select_for_update().filter(assessor=assessor).first()
        before = Judgement.objects.filter(item=item, assessor=assessor).order_by("-id").first()
        if before and (before.answers, before.note, before.flagged) == (answers, note, flagged):
            # Sent twice, because the response got lost, or looked at again and left as it is.
            return before
        if seat is None:
            raise Refused("not-yours", "somebody else is judging this document now; go on with the next one")
        refuse_frozen(pool)
        made = Judgement.objects.create(
            item=item,
            assessor=assessor,
            answers=answers if answers is None else dict(answers),
            seconds=max(0.0, seconds),
            note=note,
            flagged=flagged,
            guidelines=guidelines_version(pool),
        )
        _add_to_seat(seat, before, -1)
        _add_to_seat(seat, made, 1)
        seat.until, seat.finished = timezone.now() + LEASE, None
        seat.save(update_fields=["until", "finished", "judged", "flagged", "seconds"])
        mark_changed(item.document)
    return made


def _add_to_seat(seat: Seat, judgement: Judgement | None, times: int) -> None:
    """Add a judgement to the totals of its seat, or take it away with ``times`` -1."""
    if judgement is None:
        return
    seat.flagged += times * judgement.flagged
    if judgement.answers is not None:
        seat.judged += times
        seat.seconds += times * judgement.seconds


def last_judgements(document: PooledDocument, assessor: User) -> dict[int, Judgement]:
    """The last judgement of a person on each item of a document, by the key of the item, also one without answers."""
    judgements = Judgement.objects.filter(item__document=document, assessor=assessor).order_by("id")
    return {judgement.item_id: judgement for judgement in judgements}


@dataclass(frozen=True)
class JudgedDocument:
    """A document as one person judged it."""

    arguments: Mapping[int, Argument]
    """By the key of the item."""
    latest: Mapping[int, Judgement]
    """The last judgement on each item, also one without answers; by the key of the item."""
    grouping: Grouping | None

    @cached_property
    def judgements(self) -> dict[int, Judgement]:
        """Those of the last judgements that have answers."""
        return {item: one for item, one in self.latest.items() if one.answers is not None}

    @cached_property
    def assessments(self) -> dict[Argument, Assessment]:
        """The assessments of the arguments that were judged."""
        return {
            self.arguments[item]: judging.assessment_of(judgement.answers or {})
            for item, judgement in self.judgements.items()
        }

    @property
    def classes(self) -> dict[Filler, int]:
        """The class of each string that was grouped."""
        return classes_of(self.grouping)

    @property
    def rows(self) -> tuple[ArgumentRow, ...]:
        """The document as an annotation store has it."""
        return judging.judged_rows(self.arguments.values(), self.assessments, self.classes)

    @property
    def strings(self) -> dict[Filler, int]:
        """The class of each correct string: the one that it was given, or the one that is proposed."""
        return judging.proposed_classes(judging.strings_to_group(self.assessments), self.classes)

    @property
    def roles(self) -> dict[Filler, list[str]]:
        """The event types and roles for which each string is correct."""
        roles: dict[Filler, list[str]] = {}
        for argument, assessment in sorted(self.assessments.items()):
            role = f"{argument.event_type} {argument.role}"
            if assessment.accepts_text and role not in roles.setdefault(argument.canonical, []):
                roles[argument.canonical].append(role)
        return roles


def classes_of(grouping: Grouping | None) -> dict[Filler, int]:
    """The class of each string that was grouped."""
    stored = grouping.classes if grouping is not None else []
    return {(text, (begin, end)): number for text, begin, end, number in stored}


def judged_by(document: PooledDocument, *assessors: User) -> list[JudgedDocument]:
    """A document as each of these people judged it."""
    arguments, groupings = arguments_of(document), document.groupings.order_by("-id")
    return [
        JudgedDocument(arguments, last_judgements(document, one), groupings.filter(assessor=one).first())
        for one in assessors
    ]


def group(document: PooledDocument, assessor: User, classes: Mapping[Filler, int]) -> Grouping:
    """Group the correct strings into classes of equivalent ones, and finish the document; each needs a class."""
    with transaction.atomic():
        seat = document.taken.select_for_update().filter(assessor=assessor).first()
        refuse_frozen(document.pool)
        if seat is None:
            raise Refused("not-yours", "somebody else is judging this document now; go on with the next one")
        (judged,) = judged_by(document, assessor)
        waiting = len(judged.arguments) - len(judged.judgements)
        if waiting:
            raise Refused("not-done", f"{counted(waiting, 'item')} of this document not judged yet")
        strings = judging.strings_to_group(judged.assessments)
        missing = [string[0] for string in strings if string not in classes]
        if missing:
            raise BadInput("no-class", f"no class for: {', '.join(missing)}")
        # Classes of strings that are not correct are left out.
        kept = [[text, *span, classes[text, span]] for text, span in strings]
        grouping = Grouping.objects.create(document=document, assessor=assessor, classes=kept)
        seat.finished = timezone.now()
        seat.save(update_fields=["finished"])
        mark_changed(document)
    return grouping

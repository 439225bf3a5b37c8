"""Who judges which document, and what they said of its arguments and strings."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from functools import cached_property

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from lydite.assess import judging
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite.model.argument import Argument, ArgumentRow, Assessment, Filler
from lydite.records import dataclass
from lydite.workbench.accounts.models import User
from lydite.workbench.assessment.models import Grouping, Judgement, Pool, PooledDocument, PooledItem, Seat
from lydite.workbench.assessment.pools import (
    argument_of,
    arguments_of,
    guidelines_version,
    hold_open,
    lacks_date,
    mark_changed,
    refuse_frozen,
)
from lydite.workbench.problems import LONGEST_NOTE, Refused, refuse_long

LEASE = timedelta(minutes=30)
"""How long a document stays with a person who does nothing; every judgement begins it anew."""


def seat_of(pool: Pool, assessor: User) -> Seat | None:
    """The document that a person works on: the one they hold, or else the next that needs somebody.

    Whoever comes back after their lease finds the document still theirs, unless somebody else took it over.
    """
    refuse_frozen(pool)
    held = _held_seat(pool, assessor)
    if held is not None and held.until > timezone.now() + LEASE / 2:
        # Nothing to write, nobody to wait for.
        return held
    return _claim(pool, assessor)


@transaction.atomic
def _claim(pool: Pool, assessor: User) -> Seat | None:
    # One claim at a time: two people never get one seat, whatever the database.
    hold_open(pool)
    held = _held_seat(pool, assessor)
    seat = held or _free_seat(pool, assessor) or _left_seat(pool, assessor)
    if seat is None:
        return None
    seat.assessor, seat.until = assessor, timezone.now() + LEASE
    seat.save()
    if held is None:
        recount(seat)
    return seat


def _held_seat(pool: Pool, assessor: User) -> Seat | None:
    return _open_seats(pool).filter(assessor=assessor).order_by("document__position").first()


def _open_seats(pool: Pool) -> QuerySet[Seat]:
    found = Seat.objects.select_related("document__pool__campaign")
    return found.filter(document__pool=pool, finished__isnull=True)


def recount(seat: Seat) -> None:
    """Count anew what the person of a seat said of its document."""
    said = last_words(seat.document, seat.assessor).values()
    judged = [one for one in said if one.answers is not None]
    seat.judged, seat.seconds = len(judged), sum(one.seconds for one in judged)
    seat.flagged = sum(one.flagged for one in said)
    seat.save(update_fields=["judged", "seconds", "flagged"])
    mark_changed(seat.document)


def _free_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat that nobody has: of documents that somebody has begun first, so that they get done."""
    document = (
        pool.documents.exclude(taken__assessor=assessor)
        .annotate(held=Count("taken"))
        .filter(held__lt=F("seats"))
        .order_by("-held", "position")
        .first()
    )
    if document is None:
        return None
    held = set(document.taken.values_list("number", flat=True))
    return Seat(document=document, number=next(number for number in (1, 2) if number not in held))


def documents_open_to(assessor: User, pool: Pool) -> QuerySet[PooledDocument]:
    """The documents that a person judges, or can begin without taking the place of somebody else."""
    own = Exists(Seat.objects.filter(document=OuterRef("pk"), assessor=assessor))
    return pool.documents.annotate(held=Count("taken")).filter(own | Q(held__lt=F("seats")))


def _left_seat(pool: Pool, assessor: User) -> Seat | None:
    """A seat whose holder has left."""
    left = _open_seats(pool).filter(until__lt=timezone.now()).exclude(document__taken__assessor=assessor)
    return left.order_by("document__position").first()


def judge(
    item: PooledItem,
    assessor: User,
    answers: Mapping[str, str] | None,
    *,
    seconds: float = 0.0,
    note: str = "",
    flagged: bool = False,
) -> Judgement:
    """Add a judgement; ``answers`` None takes the one before it back.  Refused if the document is not theirs."""
    pool = item.document.pool
    refuse_long("note", note, LONGEST_NOTE)
    if answers is not None:
        try:
            said = judging.assessment_of(answers)
        except UsageError as error:
            raise Refused("no-judgement", str(error), status=400) from None
        if said.accepts_text and lacks_date(pool.campaign, argument_of(item)):
            raise Refused("no-date", "a time that is not written as a date is wrong", status=400)
    with transaction.atomic():
        # A freeze locks the seats too, so that no judgement slips in while it writes.
        seat = item.document.taken.select_for_update().filter(assessor=assessor).first()
        before = Judgement.objects.filter(item=item, assessor=assessor).order_by("-id").first()
        if before and (before.answers, before.note, before.flagged) == (answers, note, flagged):
            # Sent again because the answer got lost, or looked at and left as it is.
            return before
        if seat is None:
            raise Refused("not-yours", "somebody else judges this document now; go on with the next one")
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
        _count(seat, before, -1)
        _count(seat, made, 1)
        seat.until, seat.finished = timezone.now() + LEASE, None
        seat.save(update_fields=["until", "finished", "judged", "flagged", "seconds"])
        mark_changed(item.document)
    return made


def _count(seat: Seat, said: Judgement | None, times: int) -> None:
    """Let a judgement count on its seat, or no longer."""
    if said is None:
        return
    seat.flagged += times * said.flagged
    if said.answers is not None:
        seat.judged += times
        seat.seconds += times * said.seconds


def last_words(document: PooledDocument, assessor: User) -> dict[int, Judgement]:
    """The last that a person left on each item of a document: a judgement, or what took one back or only flagged."""
    said = Judgement.objects.filter(item__document=document, assessor=assessor).order_by("id")
    return {judgement.item_id: judgement for judgement in said}


@dataclass(frozen=True)
class JudgedDocument:
    """A document as one person judged it."""

    arguments: Mapping[int, Argument]
    """By the key of the item."""
    said: Mapping[int, Judgement]
    """The last words of the person, by the key of the item."""
    grouping: Grouping | None

    @cached_property
    def judgements(self) -> dict[int, Judgement]:
        """Of these the judgements that were not taken back."""
        return {item: one for item, one in self.said.items() if one.answers is not None}

    @cached_property
    def assessments(self) -> dict[Argument, Assessment]:
        """What was said of the arguments that were judged."""
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
        """As a store has it."""
        return judging.judged_rows(self.arguments.values(), self.assessments, self.classes)

    @property
    def strings(self) -> dict[Filler, int]:
        """The right strings with the class that they have, or the one that is proposed."""
        return judging.proposed_classes(judging.strings_to_group(self.assessments), self.classes)

    @property
    def roles(self) -> dict[Filler, list[str]]:
        """The types and roles for which each string was right."""
        roles: dict[Filler, list[str]] = {}
        for argument, said in sorted(self.assessments.items()):
            role = f"{argument.event_type} {argument.role}"
            if said.accepts_text and role not in roles.setdefault(argument.canonical, []):
                roles[argument.canonical].append(role)
        return roles


def classes_of(grouping: Grouping | None) -> dict[Filler, int]:
    """The class of each string."""
    stored = grouping.classes if grouping is not None else []
    return {(text, (begin, end)): number for text, begin, end, number in stored}


def judged_by(document: PooledDocument, *assessors: User) -> list[JudgedDocument]:
    """A document as each of some people judged it."""
    arguments = arguments_of(document)
    return [
        JudgedDocument(
            arguments,
            last_words(document, assessor),
            document.groupings.filter(assessor=assessor).order_by("-id").first(),
        )
        for assessor in assessors
    ]


def group(document: PooledDocument, assessor: User, classes: Mapping[Filler, int]) -> Grouping:
    """Say which right strings are the same, and finish the document; every one of them needs a class."""
    with transaction.atomic():
        seat = document.taken.select_for_update().filter(assessor=assessor).first()
        refuse_frozen(document.pool)
        if seat is None:
            raise Refused("not-yours", "somebody else judges this document now; go on with the next one")
        (judged,) = judged_by(document, assessor)
        waiting = len(judged.arguments) - len(judged.judgements)
        if waiting:
            raise Refused("not-done", f"{counted(waiting, 'item')} of this document with no judgement yet")
        strings = judging.strings_to_group(judged.assessments)
        missing = [string[0] for string in strings if string not in classes]
        if missing:
            raise Refused("no-class", f"no class for: {', '.join(missing)}", status=400)
        # Of a string that is not right a class says nothing.
        kept = [[text, *span, classes[text, span]] for text, span in strings]
        grouping = Grouping.objects.create(document=document, assessor=assessor, classes=kept)
        seat.finished = timezone.now()
        seat.save(update_fields=["finished"])
        mark_changed(document)
    return grouping

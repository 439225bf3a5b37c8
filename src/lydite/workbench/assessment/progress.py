"""How far an assessment is, and what every assessor did."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Avg, Count, F, Max, Q, QuerySet

from lydite.workbench.accounts.models import User
from lydite.workbench.assessment.models import Judgement, Pool, Seat
from lydite.workbench.rights import ASSESS, Caller, may


class Progress(NamedTuple):
    """How far the assessment is."""

    documents: int
    documents_done: int
    to_judge: int
    judged: int
    flagged: int


class Pace(NamedTuple):
    """What one person did."""

    assessor: User
    judged: int
    seconds: float
    """The mean of an item."""
    finished: int


def progress(pool: Pool) -> Progress:
    """Counts over the whole pool; an item that two people judge counts twice."""
    documents = pool.documents.annotate(
        asked=Count("items", distinct=True),
        done=Count("taken", filter=Q(taken__finished__isnull=False), distinct=True),
    )
    counted = [(document.seats, document.asked, document.done) for document in documents]
    last = _last_of_everybody(pool)
    return Progress(
        documents=len(counted),
        documents_done=sum(done >= seats for seats, _, done in counted),
        to_judge=sum(seats * asked for seats, asked, _ in counted),
        judged=last.filter(answers__isnull=False).count(),
        flagged=last.filter(flagged=True).count(),
    )


def _last_of_everybody(pool: Pool) -> QuerySet[Judgement]:
    """The last judgement of every person on every item of a document that they hold."""
    newest = (
        Judgement.objects.filter(item__document__pool=pool, item__document__taken__assessor=F("assessor"))
        .values("item", "assessor")
        .annotate(newest=Max("id"))
        .values("newest")
    )
    return Judgement.objects.filter(pk__in=newest)


def flagged(pool: Pool) -> list[Judgement]:
    """The judgements that an assessor flagged."""
    return list(_last_of_everybody(pool).filter(flagged=True).select_related("item__document").order_by("id"))


def pools_of(assessor: User, campaign: str | None = None) -> list[Pool]:
    """The open pools that a person judges, or that of one campaign."""
    found = Pool.objects.select_related("campaign").filter(frozen__isnull=True).order_by("created")
    if campaign is not None:
        found = found.filter(campaign__slug=campaign)
    return [pool for pool in found if may(Caller(user=assessor), ASSESS, pool.campaign)]


def paces(pool: Pool) -> list[Pace]:
    """What every assessor did, by name."""
    finished = dict(
        Seat.objects.filter(document__pool=pool, finished__isnull=False)
        .values_list("assessor")
        .annotate(documents=Count("pk"))
    )
    judged = _last_of_everybody(pool).filter(answers__isnull=False).values("assessor")
    counted = judged.annotate(items=Count("pk"), mean=Avg("seconds"))
    people = User.objects.in_bulk([line["assessor"] for line in counted])
    paced = [
        Pace(people[line["assessor"]], line["items"], line["mean"], finished.get(line["assessor"], 0))
        for line in counted
    ]
    return sorted(paced, key=lambda pace: str(pace.assessor))

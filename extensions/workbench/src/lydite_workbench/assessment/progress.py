"""How far an assessment is, and how much every assessor has done."""

from __future__ import annotations

from typing import NamedTuple

from django.db.models import Count, Exists, F, OuterRef, Q, Sum

from lydite_workbench.accounts.models import Role, User
from lydite_workbench.assessment.models import Judgement, Pool, Seat
from lydite_workbench.campaigns.models import Campaign
from lydite_workbench.rights import ASSESS, Caller, may

MOST_FLAGGED = 200
"""Flagged items that the overview lists."""


class AssessmentProgress(NamedTuple):
    """Totals over a pool."""

    documents: int
    documents_done: int
    to_judge: int
    judged: int
    flagged: int


class Pace(NamedTuple):
    """How much one assessor has judged."""

    assessor: User
    judged: int
    seconds: float
    """Mean time per item."""
    finished: int


def progress_of(pool: Pool) -> AssessmentProgress:
    """How far the assessment of a pool is; an item that two people judge counts twice."""
    finished = Count("taken", filter=Q(taken__finished__isnull=False))
    counted = pool.documents.aggregate(documents=Count("pk"), to_judge=Sum(F("seats") * F("size")))
    totals = Seat.objects.filter(document__pool=pool).aggregate(judged=Sum("judged"), flagged=Sum("flagged"))
    return AssessmentProgress(
        documents=counted["documents"],
        documents_done=pool.documents.annotate(done=finished).filter(done__gte=F("seats")).count(),
        to_judge=counted["to_judge"] or 0,
        judged=totals["judged"] or 0,
        flagged=totals["flagged"] or 0,
    )


def flagged_judgements(pool: Pool) -> list[Judgement]:
    """The judgements that are flagged and still the last of their assessor, the newest first."""
    same = Judgement.objects.filter(item=OuterRef("item"), assessor=OuterRef("assessor"))
    found = Judgement.objects.filter(~Exists(same.filter(id__gt=OuterRef("pk"))), flagged=True)
    held = found.filter(item__document__pool=pool, item__document__taken__assessor=F("assessor"))
    return list(held.select_related("item__document").order_by("-id")[:MOST_FLAGGED])


def open_pools_of(assessor: User, campaign: str | None = None) -> list[Pool]:
    """The open pools that a person can judge, of all campaigns or of one."""
    found = Pool.objects.select_related("campaign").filter(frozen__isnull=True).order_by("created")
    if campaign is not None:
        found = found.filter(campaign__slug=campaign)
    caller = Caller(assessor)
    return [pool for pool in found if may(caller, ASSESS, pool.campaign)]


def assessors_of(campaign: Campaign) -> list[User]:
    """The assessors of a campaign, by name."""
    return sorted(User.objects.filter(roles__campaign=campaign, roles__role=Role.ASSESSOR), key=str)


def paces_of(pool: Pool) -> list[Pace]:
    """How much each assessor has judged, by name."""
    seats = Seat.objects.filter(document__pool=pool, judged__gt=0).values("assessor").order_by()
    done = Count("pk", filter=Q(finished__isnull=False))
    counted = seats.annotate(items=Sum("judged"), time=Sum("seconds"), done=done)
    rows = list(counted.values_list("assessor", "items", "time", "done"))
    people = User.objects.in_bulk([key for key, *_ in rows])
    paces = [Pace(people[key], items, time / items, done) for key, items, time, done in rows]
    return sorted(paces, key=lambda pace: str(pace.assessor))

"""Pools of arguments, who judges which document, and the judgements, which are added and never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from lydite_workbench.campaigns.models import Campaign, GoldVersion, Run, StoredFile
from lydite_workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class Pool(models.Model):
    """The arguments that the runs of a campaign found, for assessors to judge."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.OneToOneField(Campaign, models.PROTECT, related_name="pool")
    runs = models.ManyToManyField(Run, related_name="+")
    rules = models.JSONField(default=dict)
    """``collapse``, ``keep_inference`` and ``top_n`` as for ``assess pool``, and ``drop_quotes``: by the campaign's quote filter."""
    guidelines = models.CharField(max_length=80, default="kbp2014")
    """The name of shipped guidelines, or of the organiser's file."""
    guidelines_file = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    twice = models.PositiveIntegerField(default=0)
    """The percentage of documents that two people judge."""
    manifest = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    """Which run found which argument; nobody sees it before the freeze."""
    created = models.DateTimeField(default=timezone.now)
    frozen = models.DateTimeField(null=True, blank=True)
    gold = models.ForeignKey(GoldVersion, models.PROTECT, null=True, related_name="+")
    """The gold that the last freeze wrote; none while it is being written."""


class PooledDocument(models.Model):
    """A document with arguments to judge; one person, or two, judge all of them."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="documents")
    doc_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    seats = models.PositiveIntegerField(default=1)
    """How many people judge it."""
    size = models.PositiveIntegerField(default=0)
    """How many items it has."""
    changes = models.PositiveIntegerField(default=0)
    """Counts every judgement, grouping and ruling, if two people judge the document."""

    class Meta:
        ordering = ("pool", "position")
        constraints = (models.UniqueConstraint(fields=["pool", "doc_id"], name="one_pooled_document"),)

    @property
    def campaign(self) -> Campaign:
        """The campaign that it belongs to."""
        return self.pool.campaign


class PooledItem(models.Model):
    """One argument to judge."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="items")
    key = models.CharField(max_length=32)
    """The key of its line in an assessment sheet."""
    position = models.PositiveIntegerField()
    columns = models.JSONField()
    """The columns of the argument in an annotation store."""

    class Meta:
        ordering = ("document", "position")
        constraints = (models.UniqueConstraint(fields=["document", "key"], name="one_item"),)

    @property
    def campaign(self) -> Campaign:
        """The campaign that it belongs to."""
        return self.document.pool.campaign


class Seat(models.Model):
    """One person judging one document.  Until they finish it is a lease, so that nobody waits for somebody who left."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="taken")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="seats")
    number = models.PositiveIntegerField()
    """1 for the first, 2 for the second of two people."""
    until = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)
    judged = models.PositiveIntegerField(default=0)
    flagged = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    """Totals of the person's judgements on the document that count: how many, how many flagged, and their time."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["document", "assessor"], name="one_seat_of_a_person"),
            models.UniqueConstraint(fields=["document", "number"], name="one_person_on_a_seat"),
        )


class Judgement(models.Model):
    """The answers of a person about an item.  The last judgement of a person counts, unless it takes the one before back."""

    item = models.ForeignKey(PooledItem, models.PROTECT, related_name="judgements")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="judgements")
    answers = models.JSONField(null=True)
    """By question; null takes the judgement before back."""
    note = models.TextField(blank=True)
    flagged = models.BooleanField(default=False)
    seconds = models.FloatField(default=0)
    guidelines = models.CharField(max_length=100)
    """Which guidelines the person followed: ``NAME VERSION``."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (
            models.Index(fields=["assessor", "item", "id"], name="judgements_of_a_person"),
            models.Index(fields=["item"], condition=models.Q(flagged=True), name="flagged_judgements"),
        )


class Grouping(models.Model):
    """How a person groups the correct strings of a document into classes of equivalent ones; the last one counts."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="groupings")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="+")
    classes = models.JSONField()
    """``[[text, begin, end, class], …]``."""
    at = models.DateTimeField(default=timezone.now)


class Comparison(models.Model):
    """How far two people agree on a document; valid while ``changes`` is that of the document."""

    document = models.OneToOneField(PooledDocument, models.CASCADE, related_name="comparison")
    changes = models.PositiveIntegerField()
    """``changes`` of the document when they were compared."""
    undecided = models.PositiveIntegerField()
    """On how many items and groupings they differ without a ruling."""
    judged_by_both = models.PositiveIntegerField()
    cells = models.JSONField()
    """``[[question, answer of the first, answer of the second, count], …]``."""


class Ruling(models.Model):
    """Whose answer counts where two people differ; of several rulings on one item or grouping the last counts."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="rulings")
    item = models.ForeignKey(PooledItem, models.PROTECT, null=True, related_name="rulings")
    """None if the ruling is about the classes of strings."""
    judgement = models.ForeignKey(Judgement, models.PROTECT, null=True, related_name="+")
    grouping = models.ForeignKey(Grouping, models.PROTECT, null=True, related_name="+")
    adjudicator = models.ForeignKey(USER, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

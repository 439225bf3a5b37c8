"""Pools of arguments, who holds which document, and what was judged.  Judgements are added, never changed."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from lydite.workbench.campaigns.models import Campaign, GoldVersion, Run, StoredFile
from lydite.workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class Pool(models.Model):
    """What assessors judge: the arguments of a campaign's runs, pooled."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.OneToOneField(Campaign, models.PROTECT, related_name="pool")
    runs = models.ManyToManyField(Run, related_name="+")
    rules = models.JSONField(default=dict)
    """As for ``assess pool``: ``collapse``, ``keep_inference``, ``top_n``."""
    guidelines = models.CharField(max_length=80, default="kbp2014")
    """The name of shipped ones, or of the organiser's file."""
    guidelines_file = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    twice = models.PositiveIntegerField(default=0)
    """How many of a hundred documents two people judge."""
    manifest = models.ForeignKey(StoredFile, models.PROTECT, null=True, related_name="+")
    """Which run gave what; nobody sees it before the freeze."""
    created = models.DateTimeField(default=timezone.now)
    frozen = models.DateTimeField(null=True, blank=True)
    gold = models.ForeignKey(GoldVersion, models.PROTECT, null=True, related_name="+")
    """The store that the freeze wrote."""


class PooledDocument(models.Model):
    """A document with arguments to judge; all of them go to one person, or to two."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="documents")
    doc_id = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    seats = models.PositiveIntegerField(default=1)
    """How many people judge it."""
    size = models.PositiveIntegerField(default=0)
    """How many items it has."""
    changes = models.PositiveIntegerField(default=0)
    """Of a document that two people judge: counts up with every judgement, grouping and ruling."""

    class Meta:
        ordering = ("pool", "position")
        constraints = (models.UniqueConstraint(fields=["pool", "doc_id"], name="one_pooled_document"),)

    @property
    def campaign(self) -> Campaign:
        """Whose it is."""
        return self.pool.campaign


class PooledItem(models.Model):
    """One argument to judge."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="items")
    key = models.CharField(max_length=32)
    """As in a sheet."""
    position = models.PositiveIntegerField()
    columns = models.JSONField()
    """The argument as a line of a store has it."""

    class Meta:
        ordering = ("document", "position")
        constraints = (models.UniqueConstraint(fields=["document", "key"], name="one_item"),)

    @property
    def campaign(self) -> Campaign:
        """Whose it is."""
        return self.document.pool.campaign


class Seat(models.Model):
    """That a person judges a document: a lease until they have finished, so that nobody waits for someone who left."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="taken")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="seats")
    number = models.PositiveIntegerField()
    """1, or 2 for the second of two people."""
    until = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)
    judged = models.PositiveIntegerField(default=0)
    flagged = models.PositiveIntegerField(default=0)
    seconds = models.FloatField(default=0)
    """What counts of the person's judgements on the document: how many, how many flagged, the time of those judged."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["document", "assessor"], name="one_seat_of_a_person"),
            models.UniqueConstraint(fields=["document", "number"], name="one_person_on_a_seat"),
        )


class Judgement(models.Model):
    """What a person answered about an item; the last one of a person counts, none if it was taken back."""

    item = models.ForeignKey(PooledItem, models.PROTECT, related_name="judgements")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="judgements")
    answers = models.JSONField(null=True)
    """By the name of the question; null takes the judgement before it back."""
    note = models.TextField(blank=True)
    flagged = models.BooleanField(default=False)
    seconds = models.FloatField(default=0)
    guidelines = models.CharField(max_length=100)
    """The guidelines that it was made under: ``NAME VERSION``."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (
            models.Index(fields=["assessor", "item", "id"], name="judgements_of_a_person"),
            models.Index(fields=["item"], condition=models.Q(flagged=True), name="flagged_judgements"),
        )


class Grouping(models.Model):
    """Which right strings of a document a person takes for the same; the last one of a person counts."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="groupings")
    assessor = models.ForeignKey(USER, models.PROTECT, related_name="+")
    classes = models.JSONField()
    """``[[text, begin, end, class], …]``."""
    at = models.DateTimeField(default=timezone.now)


class Comparison(models.Model):
    """What two people said of a document, compared; it holds as long as the document has not changed since."""

    document = models.OneToOneField(PooledDocument, models.CASCADE, related_name="comparison")
    changes = models.PositiveIntegerField()
    """Those of the document when they were compared."""
    undecided = models.PositiveIntegerField()
    """On how many items, and groupings of strings, they differ and nobody has ruled."""
    judged_by_both = models.PositiveIntegerField()
    cells = models.JSONField()
    """``[[question, answer of the first, answer of the second, how often], …]``."""


class Ruling(models.Model):
    """Whose answer counts where two people differ; the last one of an item, or of the strings of a document, counts."""

    document = models.ForeignKey(PooledDocument, models.PROTECT, related_name="rulings")
    item = models.ForeignKey(PooledItem, models.PROTECT, null=True, related_name="rulings")
    """None: the ruling is about the classes of strings."""
    judgement = models.ForeignKey(Judgement, models.PROTECT, null=True, related_name="+")
    grouping = models.ForeignKey(Grouping, models.PROTECT, null=True, related_name="+")
    adjudicator = models.ForeignKey(USER, models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

"""Queues of items for adjudicators: what systems found for ACE targets, and where annotators differ."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from lydite_workbench.campaigns.models import Campaign, Run, StoredFile
from lydite_workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class QueueKind(models.TextChoices):
    """What the items of a queue are."""

    TARGETS = "targets"
    """Passages that may be about a target of ACE."""
    ANNOTATORS = "annotators"
    """Items on which annotators differ."""


class Queue(models.Model):
    """Items of one kind that were made together."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="queues")
    kind = models.CharField(max_length=20, choices=QueueKind.choices)
    title = models.CharField(max_length=200)
    runs = models.ManyToManyField(Run, related_name="+")
    """The runs whose answers are judged, in a queue of targets."""
    rules = models.JSONField(default=dict)
    """In a queue of targets: ``max_items``, ``seed``, and the number of the ``gold`` that lacks the items."""
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("campaign", "created")

    def __str__(self) -> str:
        return self.title


class QueueFile(models.Model):
    """A file of a queue: the targets, the file of an annotator, or the texts for the screen."""

    queue = models.ForeignKey(Queue, models.PROTECT, related_name="files")
    name = models.CharField(max_length=200)
    position = models.PositiveIntegerField()
    has_texts = models.BooleanField(default=False)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("queue", "position")


class QueueItem(models.Model):
    """One item to decide on."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    queue = models.ForeignKey(Queue, models.PROTECT, related_name="items")
    name = models.CharField(max_length=300)
    """The id of the item in the queue or the sheet of the command."""
    position = models.PositiveIntegerField()
    data = models.JSONField()
    """What the screen shows, without names of systems."""

    class Meta:
        ordering = ("queue", "position")
        constraints = (models.UniqueConstraint(fields=["queue", "name"], name="one_item_of_a_queue"),)

    @property
    def campaign(self) -> Campaign:
        """The campaign of the queue."""
        return self.queue.campaign


class Decision(models.Model):
    """The decision of a person on an item.  Decisions are added, never changed; the last one of a person counts."""

    item = models.ForeignKey(QueueItem, models.PROTECT, related_name="decisions")
    judge = models.ForeignKey(USER, models.PROTECT, related_name="decisions")
    decision = models.CharField(max_length=20, blank=True)
    """Empty takes the decision before back."""
    edited = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=["judge", "item", "id"], name="decisions_of_a_person"),)

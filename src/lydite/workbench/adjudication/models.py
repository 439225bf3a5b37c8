"""Queues of items that people decide on: what systems found for ACE targets, and where annotators differ."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from lydite.workbench.campaigns.models import Campaign, Run, StoredFile
from lydite.workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class QueueKind(models.TextChoices):
    """What is decided on."""

    TARGETS = "targets"
    """Whether a passage is about a target of ACE."""
    ANNOTATORS = "annotators"
    """Which of several annotators is right."""


class Queue(models.Model):
    """Items of one kind, made at once."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="queues")
    kind = models.CharField(max_length=20, choices=QueueKind.choices)
    title = models.CharField(max_length=200)
    runs = models.ManyToManyField(Run, related_name="+")
    """Of targets: whose answers are judged."""
    rules = models.JSONField(default=dict)
    """Of targets: ``max_items``, ``seed``, and the number of the ``gold`` that items go beyond."""
    created = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("campaign", "created")

    def __str__(self) -> str:
        return self.title


class QueueFile(models.Model):
    """A file that a queue was made from: the targets, or an annotator's; or the texts that its screen shows."""

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
    """As in the queue of the command, or in its sheet."""
    position = models.PositiveIntegerField()
    data = models.JSONField()
    """What is shown; it names no system."""

    class Meta:
        ordering = ("queue", "position")
        constraints = (models.UniqueConstraint(fields=["queue", "name"], name="one_item_of_a_queue"),)

    @property
    def campaign(self) -> Campaign:
        """Whose it is."""
        return self.queue.campaign


class Decision(models.Model):
    """What a person decided; added, never changed: the last one of a person counts, none if it was taken back."""

    item = models.ForeignKey(QueueItem, models.PROTECT, related_name="decisions")
    judge = models.ForeignKey(USER, models.PROTECT, related_name="decisions")
    decision = models.CharField(max_length=20, blank=True)
    """Empty takes the one before it back."""
    edited = models.CharField(max_length=500, blank=True)
    note = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=["judge", "item", "id"], name="decisions_of_a_person"),)

"""Collections that people explore: their files, what people asked, judged and captured, and the log of merges."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from lydite.workbench.campaigns.models import Campaign, Job, StoredFile
from lydite.workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class Part(models.TextChoices):
    """What a file of a collection is."""

    TEXTS = "texts"
    TARGETS = "targets"
    """Profiles; of several files the last counts."""
    GOLD = "gold"
    """APF whose entities are merged; its names are indexed."""


class Collection(Job):
    """Documents that can be searched: the job that makes the index from the files, again where it is missing."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="collections")
    percent = models.PositiveIntegerField(default=0)
    """How much of the texts the job has read."""
    documents = models.PositiveIntegerField(default=0)
    """How many the index has."""
    findings = models.JSONField(default=list)
    """What was wrong with the texts, as in the summary document."""

    class Meta(Job.Meta):
        ordering = ("campaign", "created")

    def __str__(self) -> str:
        return self.title


class CollectionFile(models.Model):
    """A file that a collection is made from."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="files")
    part = models.CharField(max_length=20, choices=Part.choices)
    name = models.CharField(max_length=200)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)


class Entry(models.Model):
    """A query, a judgement or a capture, as the commands write it; added, never changed."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="entries")
    name = models.CharField(max_length=200)
    """The id of the record, by which files of several sites are merged."""
    kind = models.CharField(max_length=20)
    target = models.CharField(max_length=200, blank=True)
    document = models.CharField(max_length=400, blank=True)
    data = models.JSONField()
    """The whole record."""
    author = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    """Who said it here; nobody, if it came from another site."""

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["collection", "name"], name="one_entry_of_an_id"),)
        indexes = (
            models.Index(fields=["collection", "kind", "target", "document"], name="entries_about_a_target"),
            models.Index(fields=["collection", "kind", "id"], name="entries_of_a_kind"),
        )


class TargetTally(models.Model):
    """What people judged of a target, counted; it holds as long as no judgement of the target came since."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="tallies")
    target = models.CharField(max_length=200)
    entries = models.PositiveIntegerField()
    last = models.BigIntegerField()
    """How many judgements were counted, and the key of the last."""
    progress = models.JSONField()
    opinion = models.JSONField()
    """As the library has them, by name and in order."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["collection", "target"], name="one_tally_of_a_target"),
        )


class MergeOperation(models.Model):
    """A line of the merge log; added, never changed: what was taken back is taken back by another line."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="operations")
    data = models.JSONField()

    class Meta:
        ordering = ("id",)

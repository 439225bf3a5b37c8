"""Collections that people explore: their files, the queries, judgements and captures, and the merge log."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from lydite_workbench.campaigns.models import Campaign, Job, StoredFile
from lydite_workbench.keys import random_id

USER = settings.AUTH_USER_MODEL


class Part(models.TextChoices):
    """The kind of a file of a collection."""

    TEXTS = "texts"
    TARGETS = "targets"
    """Target profiles; the last file counts."""
    GOLD = "gold"
    """APF whose entities are merged, and whose names are indexed."""


class Collection(Job):
    """Searchable documents; the row is the job that makes their index, again if it is missing."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    slug = models.SlugField(max_length=80, unique=True)
    title = models.CharField(max_length=200)
    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="collections")
    percent = models.PositiveIntegerField(default=0)
    """The percentage of the texts that the job has read."""
    documents = models.PositiveIntegerField(default=0)
    """How many documents the index has."""
    findings = models.JSONField(default=list)
    """Findings in the texts, as in the summary document."""

    class Meta(Job.Meta):
        ordering = ("campaign", "created")

    def __str__(self) -> str:
        return self.title


class CollectionFile(models.Model):
    """A file of a collection."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="files")
    part = models.CharField(max_length=20, choices=Part.choices)
    name = models.CharField(max_length=200)
    file = models.ForeignKey(StoredFile, models.PROTECT, related_name="+")

    class Meta:
        ordering = ("id",)


class Entry(models.Model):
    """A query, judgement or capture in the format of the commands; added, never changed."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="entries")
    name = models.CharField(max_length=200)
    """The id of the record, by which records of several sites are merged."""
    kind = models.CharField(max_length=20)
    target = models.CharField(max_length=200, blank=True)
    document = models.CharField(max_length=400, blank=True)
    data = models.JSONField()
    """The whole record."""
    author = models.ForeignKey(USER, models.PROTECT, null=True, related_name="+")
    """The person here who made it; None if it came from another site."""

    class Meta:
        ordering = ("id",)
        constraints = (models.UniqueConstraint(fields=["collection", "name"], name="one_entry_of_an_id"),)
        indexes = (
            models.Index(fields=["collection", "kind", "target", "document"], name="entries_about_a_target"),
            models.Index(fields=["collection", "kind", "id"], name="entries_of_a_kind"),
        )


class TargetTally(models.Model):
    """The counted judgements of a target; valid until there are new ones."""

    collection = models.ForeignKey(Collection, models.CASCADE, related_name="tallies")
    target = models.CharField(max_length=200)
    entries = models.PositiveIntegerField()
    last = models.BigIntegerField()
    """The number of judgements that were counted, and the key of the last one."""
    progress = models.JSONField()
    opinion = models.JSONField()
    """``Progress`` by name and ``Opinion`` in order, as in the library."""

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["collection", "target"], name="one_tally_of_a_target"),
        )


class MergeOperation(models.Model):
    """A line of the merge log; added, never changed: an undo is another line."""

    collection = models.ForeignKey(Collection, models.PROTECT, related_name="operations")
    data = models.JSONField()

    class Meta:
        ordering = ("id",)

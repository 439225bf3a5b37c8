"""Columns that the tables of several apps have, as their first migrations say them.

Once a version is released this is history: who changes such a column later says so in a migration of its own.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from lydite.workbench.keys import random_id

KEY = ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID"))
PUBLIC_ID = ("public_id", models.CharField(default=random_id, max_length=32, unique=True))
_STATES = (("waiting", "Waiting"), ("running", "Running"), ("done", "Done"), ("failed", "Failed"))
JOB = (
    KEY,
    ("job_state", models.CharField(choices=_STATES, default="waiting", max_length=10)),
    ("lease_until", models.DateTimeField(blank=True, null=True)),
    ("worker", models.CharField(blank=True, max_length=80)),
    ("attempts", models.PositiveIntegerField(default=0)),
    ("reason", models.CharField(blank=True, max_length=40)),
    ("message", models.TextField(blank=True)),
    ("created", models.DateTimeField(default=timezone.now)),
    ("lydite_version", models.CharField(max_length=40)),
    ("signature", models.CharField(max_length=500)),
)
"""Of a row that is a job."""


def link(
    name: str, to: str, related_name: str = "+", *, null: bool = False, blank: bool = False
) -> tuple[str, models.ForeignKey[object, object]]:
    """A row of another table, which cannot be deleted as long as it is named here."""
    return name, models.ForeignKey(to, models.PROTECT, related_name=related_name, null=null, blank=blank)


def choice(name: str, *values: str, **more: Any) -> tuple[str, models.CharField[str, str]]:
    """One of some words, each of which is shown as itself."""
    return name, models.CharField(choices=[(value, value.title()) for value in values], **more)


def unique(name: str, *fields: str, **more: Any) -> models.UniqueConstraint:
    """That no two rows have the same in these columns."""
    return models.UniqueConstraint(fields=fields, name=name, **more)

"""Columns that tables of several apps share, for their first migrations alone.

Once a version is released this is history: later changes of such columns need migrations of their own.
"""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils import timezone

from lydite_workbench.keys import random_id

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
"""The columns of a row that is a job."""


def link(
    name: str, to: str, related_name: str = "+", *, null: bool = False, blank: bool = False
) -> tuple[str, models.ForeignKey[object, object]]:
    """A foreign key to a row that cannot be deleted while it is referenced."""
    return name, models.ForeignKey(to, models.PROTECT, related_name=related_name, null=null, blank=blank)


def choice(name: str, *values: str, **more: Any) -> tuple[str, models.CharField[str, str]]:
    """A column with a choice of words."""
    return name, models.CharField(choices=[(value, value.title()) for value in values], **more)


def unique(name: str, *fields: str, **more: Any) -> models.UniqueConstraint:
    """A constraint: no two rows have the same values in these columns."""
    return models.UniqueConstraint(fields=fields, name=name, **more)

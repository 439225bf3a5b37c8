"""People, what they may do in which campaign, and what they did."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone

from lydite.workbench.keys import random_id


def plain_name(name: str) -> str:
    """A name as it is kept: no two accounts differ by case or by look-alike forms alone."""
    return AbstractBaseUser.normalize_username(name.strip()).casefold()


class User(AbstractBaseUser):
    """A person with an account."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    name = models.CharField(max_length=150, unique=True)
    """What one signs in with."""
    shown_name = models.CharField(max_length=150, blank=True)
    zone = models.CharField(max_length=64, default="UTC")
    """The time zone that times are shown in."""
    is_active = models.BooleanField(default=True)
    is_administrator = models.BooleanField(default=False)
    """Runs this workbench: makes campaigns, and is an organiser of all of them."""
    session_round = models.PositiveIntegerField(default=0)
    """Sessions of earlier rounds are over."""

    USERNAME_FIELD = "name"
    objects = BaseUserManager["User"]()

    def __str__(self) -> str:
        return self.shown_name or self.name

    def _get_session_auth_hash(self, secret: object = None) -> str:
        return f"{super()._get_session_auth_hash(secret=secret)}.{self.session_round}"  # type: ignore[misc]


class Role(models.TextChoices):
    """What a person is in a campaign; members of teams have their team."""

    ORGANISER = "organiser"
    ASSESSOR = "assessor"
    ADJUDICATOR = "adjudicator"
    EXPLORER = "explorer"


class CampaignRole(models.Model):
    """That a person has a role in a campaign."""

    user = models.ForeignKey(User, models.PROTECT, related_name="roles")
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="roles")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "campaign", "role"], name="one_role_of_a_kind"),
        )


class Invitation(models.Model):
    """A link that makes its first reader a member of something, once."""

    code_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20)
    """A role, ``team`` or ``administrator``."""
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, null=True, related_name="invitations")
    team = models.ForeignKey("campaigns.Team", models.PROTECT, null=True, related_name="invitations")
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)


class Token(models.Model):
    """A key to the API with the rights of one person or one team; shown once, kept as a hash."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    key_hash = models.CharField(max_length=64, unique=True)
    label = models.CharField(max_length=100, blank=True)
    user = models.ForeignKey(User, models.PROTECT, null=True, related_name="tokens")
    team = models.ForeignKey("campaigns.Team", models.PROTECT, null=True, related_name="tokens")
    created = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey(User, models.PROTECT, null=True, related_name="+")
    revoked = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(user__isnull=True) ^ Q(team__isnull=True), name="of_one_person_or_team"
            ),
        )


class SignInFailure(models.Model):
    """That somebody did not get in: counted by account and by address, both kept as keyed hashes."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=["key", "at"], name="failures_by_key"),)


class AuditEntry(models.Model):
    """Who did what, when; the database itself refuses to change or delete a line."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=200)
    """``user NAME``, ``team SLUG`` (by token), ``command`` or ``worker``."""
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, null=True, related_name="audit")
    act = models.CharField(max_length=60)
    """What was done: ``run.accept``, ``gold.replace``, ``board.publish``…"""
    about = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)

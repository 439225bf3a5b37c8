"""Accounts, roles in campaigns, invitations, tokens, and the audit log."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.db.models import Q
from django.utils import timezone

from lydite_workbench.keys import random_id


def account_key(name: str) -> str:
    """The stored form of a name: no two accounts differ only by case or Unicode form."""
    return AbstractBaseUser.normalize_username(name.strip()).casefold()


class User(AbstractBaseUser):
    """A person with an account."""

    public_id = models.CharField(max_length=32, unique=True, default=random_id)
    name = models.CharField(max_length=150, unique=True)
    """The name to sign in with."""
    shown_name = models.CharField(max_length=150, blank=True)
    zone = models.CharField(max_length=64, default="UTC")
    """The time zone in which times are shown."""
    is_active = models.BooleanField(default=True)
    is_administrator = models.BooleanField(default=False)
    """Administrators make campaigns, and are organisers of all of them."""
    session_round = models.PositiveIntegerField(default=0)
    """Raised to end all sessions."""

    USERNAME_FIELD = "name"
    objects = BaseUserManager["User"]()

    def __str__(self) -> str:
        return self.shown_name or self.name

    def _get_session_auth_hash(self, secret: object = None) -> str:
        return f"{super()._get_session_auth_hash(secret=secret)}.{self.session_round}"  # type: ignore[misc]


class Role(models.TextChoices):
    """The role of a person in a campaign; members of teams have their team instead."""

    ORGANISER = "organiser"
    ASSESSOR = "assessor"
    ADJUDICATOR = "adjudicator"
    EXPLORER = "explorer"


class CampaignRole(models.Model):
    """A role of a person in a campaign."""

    user = models.ForeignKey(User, models.PROTECT, related_name="roles")
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="roles")
    role = models.CharField(max_length=20, choices=Role.choices)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "campaign", "role"], name="one_role_of_a_kind"),
        )


class Invitation(models.Model):
    """A link that gives the first person who accepts it a role, a team or the administration."""

    code_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=20)
    """A role, ``team`` or ``administrator``."""
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, null=True, related_name="invitations")
    team = models.ForeignKey("campaigns.Team", models.PROTECT, null=True, related_name="invitations")
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)


class Token(models.Model):
    """A token for the API with the rights of one person or team, stored as a hash."""

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
    """A failed attempt to sign in, stored once for the account and once for the address, as keyed hashes."""

    key = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = (models.Index(fields=["key", "at"], name="failures_by_key"),)


class AuditEntry(models.Model):
    """Who did what, when; the database refuses to change or delete lines."""

    at = models.DateTimeField(default=timezone.now, db_index=True)
    actor = models.CharField(max_length=200)
    """``user NAME``, ``team SLUG`` (by token), ``command`` or ``worker``."""
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, null=True, related_name="audit")
    act = models.CharField(max_length=60)
    """What was done, such as ``run.accept``, ``gold.replace`` or ``board.publish``."""
    about = models.CharField(max_length=200, blank=True)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)

"""Everything that changes accounts, invitations, tokens, roles and the audit log."""

from __future__ import annotations

import hmac
from datetime import timedelta
from hashlib import sha256
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.contrib.auth import authenticate, password_validation
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils import timezone

from lydite_workbench.accounts.models import (
    AuditEntry,
    CampaignRole,
    Invitation,
    Role,
    SignInFailure,
    Token,
    User,
    account_key,
)
from lydite_workbench.campaigns.models import Campaign, Team
from lydite_workbench.keys import new_secret, secret_hash
from lydite_workbench.problems import BadInput, Refused, one_line, refuse_hidden
from lydite_workbench.rights import Actor, Caller, person_of

LONGEST_NAME = 150
ADMINISTRATOR, TEAM = "administrator", "team"
COMMAND = "command"
"""The actor of commands on the machine itself."""
INVITED_FOR = timedelta(days=14)
WINDOW = timedelta(minutes=15)
MOST_BY_ACCOUNT, MOST_BY_ADDRESS = 10, 50
"""Failed attempts within the window after which all attempts are refused."""


# --------------------------------------------------------------------------------------------------------- audit


def record(
    actor: Actor, act: str, about: object = "", *, campaign: Campaign | None = None, **details: object
) -> AuditEntry:
    """Add a line to the audit log, in the transaction that does what it records."""
    return AuditEntry.objects.create(
        actor=actor.actor if isinstance(actor, Caller) else actor,
        campaign=campaign,
        act=act,
        about=str(about)[:200],
        details=details,
    )


# ------------------------------------------------------------------------------------------------------ accounts


def check_password(password: str, user: User) -> None:
    """Refuse a password that is short, common or similar to the name."""
    try:
        password_validation.validate_password(password, user)
    except ValidationError as error:
        raise BadInput("weak-password", " ".join(error.messages)) from None


@transaction.atomic
def create_user(
    name: str, password: str, *, shown_name: str = "", administrator: bool = False, actor: Actor = COMMAND
) -> User:
    """Make an account; the name must be free and the password strong."""
    plain = account_key(name)
    refuse_hidden("name", plain)
    if not plain or not plain.isprintable() or any(character.isspace() for character in plain):
        raise BadInput("bad-name", "a name is one word: letters, digits, . @ - _")
    if len(plain) > LONGEST_NAME:
        raise BadInput("bad-name", f"a name has at most {LONGEST_NAME} characters")
    user = User(name=plain, is_administrator=administrator)
    user.shown_name = _shown_name(shown_name or name.strip())
    check_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        raise Refused("name-taken", f"there is an account {plain!r} already") from None
    record(actor, "account.create", user.name, administrator=administrator)
    return user


def _shown_name(name: str) -> str:
    return one_line("the name that others see", name, LONGEST_NAME)


ANYWHERE = {"AoE": "Etc/GMT+12", "anywhere on earth": "Etc/GMT+12"}
"""Names of time zones that organisers use and the table of zones lacks."""


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name."""
    zone = ANYWHERE.get(name, name)
    if zone not in available_timezones():
        raise BadInput("bad-zone", f"unknown time zone {name!r}; examples: Europe/Amsterdam, UTC, AoE")
    return ZoneInfo(zone)


@transaction.atomic
def change_account(user: User, *, shown_name: str, zone: str, actor: Actor) -> None:
    """Change the name that others see, and the time zone in which times are shown."""
    user.shown_name, user.zone = _shown_name(shown_name.strip()) or user.name, zone_named(zone).key
    user.save(update_fields=["shown_name", "zone"])
    record(actor, "account.change", user.name)


@transaction.atomic
def change_password(user: User, password: str, *, actor: Actor) -> None:
    """Change a password, which ends all sessions that were started with the old one."""
    check_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    record(actor, "account.change-password", user.name)


@transaction.atomic
def end_sessions(user: User, *, actor: Actor) -> None:
    """End all sessions of an account."""
    user.session_round += 1
    user.save(update_fields=["session_round"])
    record(actor, "account.end-sessions", user.name)


def sign_in(request: HttpRequest, name: str, password: str, address: str) -> User:
    """Check name and password for a new session; return the account."""
    user = authenticated(request, name, password, address)
    record(Caller(user), "account.sign-in", user.name)
    return user


NO_ACCOUNT = "no account has this name and password"


def authenticated(
    request: HttpRequest, name: str, password: str, address: str, *, otherwise: str = NO_ACCOUNT
) -> User:
    """Check name and password, unless there were too many failures; the refusal does not say which of them is wrong."""
    keys = {_failure_key("account", account_key(name)): MOST_BY_ACCOUNT}
    if address:
        keys[_failure_key("address", address)] = MOST_BY_ADDRESS
    since = timezone.now() - WINDOW
    for key, most in keys.items():
        if SignInFailure.objects.filter(key=key, at__gte=since).count() >= most:
            sentence = "too many attempts; try again in a quarter of an hour"
            raise Refused("too-many-attempts", sentence, status=429)
    user = authenticate(request, username=account_key(name), password=password)
    if not isinstance(user, User):
        SignInFailure.objects.filter(at__lt=since).delete()
        SignInFailure.objects.bulk_create(SignInFailure(key=key) for key in keys)
        raise Refused("no-such-account", otherwise, status=403)
    return user


def _failure_key(kind: str, word: str) -> str:
    return hmac.new(str(settings.SECRET_KEY).encode(), f"{kind}:{word}".encode(), sha256).hexdigest()


# --------------------------------------------------------------------------------------------------- invitations


@transaction.atomic
def invite(role: str, *, campaign: Campaign | None = None, team: Team | None = None, actor: Actor) -> str:
    """Make an invitation to a role in a campaign, to a team, or to administer the workbench; return the path of its link."""
    if role not in {*Role.values, TEAM, ADMINISTRATOR}:
        raise BadInput("no-such-role", f"there is no role {role!r}")
    # An invitation with a campaign must not be one to administer the workbench.
    if (role == TEAM) != (team is not None) or (role in Role.values) != (campaign is not None):
        raise BadInput("bad-invitation", f"an invitation of the role {role} needs its campaign or team")
    code = new_secret()
    made = Invitation.objects.create(
        code_hash=secret_hash(code),
        role=role,
        campaign=team.campaign if team else campaign,
        team=team,
        expires=timezone.now() + INVITED_FOR,
    )
    record(actor, "invitation.make", role, campaign=made.campaign, team=team.slug if team else None)
    return f"/invitation/{code}"


def open_invitation(code: str) -> Invitation | None:
    """The invitation with that code; None if it was used or is too old."""
    usable = Invitation.objects.filter(used__isnull=True, expires__gt=timezone.now())
    return usable.select_related("campaign", "team").filter(code_hash=secret_hash(code)).first()


@transaction.atomic
def accept(code: str, user: User) -> Invitation:
    """Give a person what an invitation offers; the link cannot be used again."""
    invited = Invitation.objects.filter(code_hash=secret_hash(code))
    if not invited.filter(used__isnull=True, expires__gt=timezone.now()).update(used=timezone.now()):
        raise Refused("invitation-used", "this link was already used, or is too old", status=410)
    invitation = invited.select_related("campaign", "team").get()
    if invitation.role == ADMINISTRATOR:
        user.is_administrator = True
        user.save(update_fields=["is_administrator"])
    elif invitation.team is not None:
        invitation.team.members.add(user)
    elif invitation.campaign is not None:
        CampaignRole.objects.get_or_create(user=user, campaign=invitation.campaign, role=invitation.role)
    record(Caller(user), "invitation.accept", invitation.role, campaign=invitation.campaign)
    return invitation


@transaction.atomic
def give_role(user: User, campaign: Campaign, role: Role, *, actor: Actor) -> None:
    """Give a person a role in a campaign."""
    CampaignRole.objects.get_or_create(user=user, campaign=campaign, role=role)
    record(actor, "role.give", user.name, campaign=campaign, role=str(role))


# -------------------------------------------------------------------------------------------------------- tokens


@transaction.atomic
def new_token(*, user: User | None = None, team: Team | None = None, label: str = "", actor: Actor) -> str:
    """Make a token for the API with the rights of a person or a team; return its secret, which is not stored."""
    secret = new_secret()
    token = Token.objects.create(
        key_hash=secret_hash(secret),
        label=one_line("label", label, 100),
        user=user,
        team=team,
        created_by=person_of(actor),
    )
    owner = user.name if user else team.slug if team else ""
    record(actor, "token.make", owner, campaign=team.campaign if team else None, token=token.public_id)
    return secret


@transaction.atomic
def revoke(token: Token, *, actor: Actor) -> None:
    """Revoke a token."""
    Token.objects.filter(pk=token.pk, revoked__isnull=True).update(revoked=timezone.now())
    record(actor, "token.revoke", token.public_id, campaign=token.team.campaign if token.team else None)

"""Accounts, invitations, tokens, roles and the audit log: everything that changes them stands here."""

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

from lydite.workbench.accounts.models import (
    AuditEntry,
    CampaignRole,
    Invitation,
    Role,
    SignInFailure,
    Token,
    User,
    plain_name,
)
from lydite.workbench.campaigns.models import Campaign, Team
from lydite.workbench.keys import hash_of, new_secret
from lydite.workbench.problems import Refused, one_line, refuse_hidden
from lydite.workbench.rights import Actor, Caller, person_of

LONGEST_NAME = 150
ADMINISTRATOR, TEAM = "administrator", "team"
COMMAND = "command"
"""Who acts where nobody signed in: somebody at the machine itself."""
INVITED_FOR = timedelta(days=14)
WINDOW = timedelta(minutes=15)
MOST_BY_ACCOUNT, MOST_BY_ADDRESS = 10, 50
"""Failures to sign in within the window before nobody is asked any more."""


# --------------------------------------------------------------------------------------------------------- audit


def record(
    actor: Actor,
    act: str,
    about: object = "",
    *,
    campaign: Campaign | None = None,
    **details: object,
) -> AuditEntry:
    """Add a line to the audit log; inside of the transaction that does what it tells."""
    return AuditEntry.objects.create(
        actor=actor.actor if isinstance(actor, Caller) else actor,
        campaign=campaign,
        act=act,
        about=str(about)[:200],
        details=details,
    )


# ------------------------------------------------------------------------------------------------------ accounts


def check_password(password: str, user: User) -> None:
    """Refuse a password that is short, common or like the name."""
    try:
        password_validation.validate_password(password, user)
    except ValidationError as error:
        raise Refused("weak-password", " ".join(error.messages), status=400) from None


@transaction.atomic
def create_user(
    name: str,
    password: str,
    *,
    shown_name: str = "",
    administrator: bool = False,
    actor: Actor = COMMAND,
) -> User:
    """A new account; the name must be free and the password strong."""
    plain = plain_name(name)
    refuse_hidden("name", plain)
    if not plain or not plain.isprintable() or any(character.isspace() for character in plain):
        raise Refused("bad-name", "a name is one word: letters, digits, . @ - _", status=400)
    if len(plain) > LONGEST_NAME:
        raise Refused("bad-name", f"a name has at most {LONGEST_NAME} characters", status=400)
    user = User(
        name=plain, shown_name=_shown_name(shown_name or name.strip()), is_administrator=administrator
    )
    check_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError:
        # Somebody took it a moment ago.
        raise Refused("name-taken", f"there is an account {plain!r} already") from None
    record(actor, "account.create", user.name, administrator=administrator)
    return user


def _shown_name(said: str) -> str:
    return one_line("the name that others see", said, LONGEST_NAME)


ANYWHERE = {"AoE": "Etc/GMT+12", "anywhere on earth": "Etc/GMT+12"}
"""Zones that organisers write and no table of zones has."""


def zone_named(name: str) -> ZoneInfo:
    """The time zone of that name."""
    zone = ANYWHERE.get(name, name)
    if zone not in available_timezones():
        sentence = f"no time zone {name!r}; such as Europe/Amsterdam, UTC, AoE"
        raise Refused("bad-zone", sentence, status=400)
    return ZoneInfo(zone)


@transaction.atomic
def change_account(user: User, *, shown_name: str, zone: str, actor: Actor) -> None:
    """Another name that others see, another zone that times are shown in."""
    user.shown_name, user.zone = _shown_name(shown_name.strip()) or user.name, zone_named(zone).key
    user.save(update_fields=["shown_name", "zone"])
    record(actor, "account.change", user.name)


@transaction.atomic
def change_password(user: User, password: str, *, actor: Actor) -> None:
    """Another password; sessions that were begun with the one before end."""
    check_password(password, user)
    user.set_password(password)
    user.save(update_fields=["password"])
    record(actor, "account.change-password", user.name)


@transaction.atomic
def end_sessions(user: User, *, actor: Actor) -> None:
    """End every session of an account, wherever it was begun."""
    user.session_round += 1
    user.save(update_fields=["session_round"])
    record(actor, "account.end-sessions", user.name)


def sign_in(request: HttpRequest, name: str, password: str, address: str) -> User:
    """The account of that name and password, for a new session."""
    user = proven(request, name, password, address)
    record(Caller(user), "account.sign-in", user.name)
    return user


NOBODY = "no account has this name and password"


def proven(request: HttpRequest, name: str, password: str, address: str, *, otherwise: str = NOBODY) -> User:
    """The account of that name and password, unless somebody has been guessing; no answer says which of them was wrong."""
    keys = {_failure_key("account", plain_name(name)): MOST_BY_ACCOUNT}
    if address:
        keys[_failure_key("address", address)] = MOST_BY_ADDRESS
    since = timezone.now() - WINDOW
    for key, most in keys.items():
        if SignInFailure.objects.filter(key=key, at__gte=since).count() >= most:
            raise Refused(
                "too-many-attempts", "too many attempts; try again in a quarter of an hour", status=429
            )
    user = authenticate(request, username=plain_name(name), password=password)
    if not isinstance(user, User):
        SignInFailure.objects.filter(at__lt=since).delete()
        SignInFailure.objects.bulk_create(SignInFailure(key=key) for key in keys)
        raise Refused("no-such-account", otherwise, status=403)
    return user


def _failure_key(kind: str, word: str) -> str:
    return hmac.new(str(settings.SECRET_KEY).encode(), f"{kind}:{word}".encode(), sha256).hexdigest()


# --------------------------------------------------------------------------------------------------- invitations


@transaction.atomic
def invite(
    role: str,
    *,
    campaign: Campaign | None = None,
    team: Team | None = None,
    actor: Actor,
) -> str:
    """A link for one person, shown once: to a role in a campaign, to a team, or to run the workbench; without the host."""
    if role not in {*Role.values, TEAM, ADMINISTRATOR}:
        raise Refused("no-such-role", f"there is no role {role!r}", status=400)
    # Who organises a campaign invites nobody to run the workbench, which is of no campaign.
    if (role == TEAM) != (team is not None) or (role in Role.values) != (campaign is not None):
        raise Refused("bad-invitation", f"an invitation to be {role} names what it is for", status=400)
    code = new_secret()
    made = Invitation.objects.create(
        code_hash=hash_of(code),
        role=role,
        campaign=team.campaign if team else campaign,
        team=team,
        expires=timezone.now() + INVITED_FOR,
    )
    record(actor, "invitation.make", role, campaign=made.campaign, team=team.slug if team else None)
    return f"/invitation/{code}"


def open_invitation(code: str) -> Invitation | None:
    """The invitation of that code, if it can still be accepted."""
    found = Invitation.objects.select_related("campaign", "team").filter(code_hash=hash_of(code)).first()
    return found if found and found.used is None and found.expires > timezone.now() else None


@transaction.atomic
def accept(code: str, user: User) -> Invitation:
    """Make the person what the invitation says; the link is used up."""
    taken = Invitation.objects.filter(
        code_hash=hash_of(code), used__isnull=True, expires__gt=timezone.now()
    ).update(used=timezone.now())
    if not taken:
        raise Refused("invitation-used", "this link was used already, or is too old", status=410)
    invitation = Invitation.objects.select_related("campaign", "team").get(code_hash=hash_of(code))
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
    """A key to the API with the rights of a person or of a team; its secret, which is shown once."""
    secret = new_secret()
    token = Token.objects.create(
        key_hash=hash_of(secret),
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
    """End a token."""
    Token.objects.filter(pk=token.pk, revoked__isnull=True).update(revoked=timezone.now())
    record(actor, "token.revoke", token.public_id, campaign=token.team.campaign if token.team else None)

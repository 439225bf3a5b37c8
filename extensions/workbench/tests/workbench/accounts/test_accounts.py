"""Accounts, invitations, tokens and the audit log."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from workbench_world import PASSWORD, World

if TYPE_CHECKING:
    from django.test import Client


@pytest.mark.usefixtures("workbench")
def test_a_short_or_common_password_is_refused() -> None:
    from lydite_workbench.accounts.models import User
    from lydite_workbench.accounts.services import create_user
    from lydite_workbench.problems import Refused

    for password in ("short", "password1234", "123456789012345", "somebody.else"):
        with pytest.raises(Refused):
            create_user("somebody.else", password)
    assert not User.objects.exists()


def test_passwords_are_kept_by_argon2id() -> None:
    from pathlib import Path

    from lydite_workbench.installation import Installation
    from lydite_workbench.project import settings_for

    made = settings_for(Installation("x.sqlite3", Path("x"), secret="s"))  # noqa: S106
    assert made["PASSWORD_HASHERS"] == ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    assert not made["DEBUG"]


def test_a_workbench_in_a_folder_that_is_named_relatively_stays_where_it_is() -> None:
    from pathlib import Path

    from lydite_workbench.installation import embedded
    from lydite_workbench.project import settings_for

    made = settings_for(embedded(Path("somewhere"))._replace(secret="s"))  # noqa: S106
    assert made["LYDITE_FILES"] == Path.cwd() / "somewhere/files"
    assert made["DATABASES"]["default"]["NAME"] == str(Path.cwd() / "somewhere/workbench.sqlite3")


def test_signing_in_rotates_the_session_and_ending_sessions_ends_it(workbench: World) -> None:
    from lydite_workbench.accounts.services import end_sessions

    user = workbench.user("alder")
    client = workbench.client()
    client.get("/sign-in")
    answer = client.post("/sign-in", {"name": "Alder", "password": PASSWORD})
    assert answer.status_code == 302
    assert b"Sign out" in client.get("/").content
    end_sessions(user, actor="test")
    assert b"Sign out" not in client.get("/").content


def _signed_in(workbench: World, password: str = PASSWORD) -> Client:
    client = workbench.client()
    assert client.post("/sign-in", {"name": "alder", "password": password}).status_code == 302
    return client


def test_whoever_signs_out_everywhere_else_stays_signed_in_here(workbench: World) -> None:
    workbench.user("alder")
    here, elsewhere = _signed_in(workbench), _signed_in(workbench)
    assert here.post("/account", {"act": "end-sessions"}).status_code == 302
    assert b"Sign out" in here.get("/").content
    assert b"Sign out" not in elsewhere.get("/").content


def test_a_new_password_needs_the_old_one_and_ends_other_sessions(workbench: World) -> None:
    workbench.user("alder")
    here, elsewhere = _signed_in(workbench), _signed_in(workbench)
    said = {"act": "password", "password": "wrong", "new_password": "a-longer-touchstone"}
    refused = here.post("/account", said)
    assert (refused.status_code, b"not your current password" in refused.content) == (403, True)
    weak = here.post("/account", {**said, "password": PASSWORD, "new_password": "short"})
    assert weak.status_code == 400
    assert b"too short" in weak.content
    _signed_in(workbench)
    assert here.post("/account", {**said, "password": PASSWORD}).status_code == 302
    assert here.get("/account").status_code == 200
    assert elsewhere.get("/account").status_code == 404
    _signed_in(workbench, "a-longer-touchstone")


def test_times_are_shown_in_the_zone_that_a_person_chose(workbench: World) -> None:
    from lydite_workbench.accounts.models import AuditEntry

    user = workbench.user("alder")
    client = _signed_in(workbench)
    said = {"act": "change", "shown_name": "Alda", "zone": "Asia/Tokyo"}
    assert client.post("/account", {**said, "zone": "Mars/Base"}).status_code == 400
    assert client.post("/account", said).status_code == 302
    user.refresh_from_db()
    assert (str(user), user.zone) == ("Alda", "Asia/Tokyo")
    assert b"Alda" in client.get("/").content
    assert AuditEntry.objects.filter(act="account.change", about="alder").count() == 1


def test_a_token_is_made_by_a_person_and_not_by_a_token(workbench: World) -> None:
    from lydite_workbench.accounts.models import Token

    user = workbench.user("alder")
    made = workbench.client(user).post("/account/token", {"label": "laptop"})
    assert made.status_code == 201
    assert b"LYDITE_TOKEN=" in made.content
    program = workbench.program(user=user)
    assert program.get("/account").status_code == program.post("/account/token").status_code == 404
    token = Token.objects.get(label="laptop")
    assert workbench.client(user).post(f"/tokens/{token.public_id}/revoke")["Location"] == "/account"


def test_guessing_is_slowed_down_by_account(workbench: World) -> None:
    workbench.user("alder")
    client = workbench.client()
    answers = [client.post("/sign-in", {"name": "alder", "password": "wrong"}).status_code for _ in range(11)]
    assert answers == [403] * 10 + [429]
    assert client.post("/sign-in", {"name": "alder", "password": PASSWORD}).status_code == 429


def test_an_invitation_works_once(workbench: World) -> None:
    from lydite_workbench.accounts.models import User
    from lydite_workbench.serving import organiser_link

    earlier, link = organiser_link(), organiser_link()
    assert earlier is not None
    assert link is not None
    said = {"name": "organiser", "password": PASSWORD}
    assert workbench.client().get(earlier).status_code == 404, "the link of another start"
    assert workbench.client().post(link, said).status_code == 302
    assert User.objects.get().is_administrator
    assert workbench.client().post(link, {**said, "name": "second"}).status_code == 404
    assert organiser_link() is None


@pytest.mark.parametrize(
    ("name", "shown", "status"),
    [("x" * 151, "Anna", 400), ("anna", "x" * 151, 400), ("anna", "x" * 150, 302)],
)
def test_names_are_as_long_as_can_be_kept(name: str, shown: str, status: int, workbench: World) -> None:
    from lydite_workbench.accounts.services import invite

    path = invite("assessor", campaign=workbench.campaign(), actor="test")
    form = {"name": name, "shown_name": shown, "password": PASSWORD}
    assert workbench.client().post(path, form).status_code == status


def test_labels_of_tokens_are_as_long_as_can_be_kept(workbench: World) -> None:
    team = workbench.team(workbench.campaign(), "alder")
    organiser = workbench.client(workbench.user("olga", administrator=True))
    for place in (f"/teams/{team.public_id}/token", "/account/token"):
        answer = organiser.post(place, {"label": "x" * 101})
        assert (answer.status_code, b"label: at most 100 characters, found 101" in answer.content) == (
            400,
            True,
        )
        assert organiser.post(place, {"label": "x" * 100}).status_code == 201
    assert team.tokens.get().label == "x" * 100


def test_an_old_invitation_is_not_found(workbench: World) -> None:
    from lydite_workbench.accounts.models import Invitation
    from lydite_workbench.accounts.services import invite

    path = invite("administrator", actor="test")
    assert workbench.client().get(path).status_code == 200
    Invitation.objects.update(expires=datetime.now(UTC))
    assert workbench.client().get(path).status_code == 404


def test_a_revoked_token_is_refused(workbench: World) -> None:
    from lydite_workbench.accounts.models import Token
    from lydite_workbench.accounts.services import revoke

    program = workbench.program(user=workbench.user("alder"))
    assert program.get("/readyz").status_code == 200
    revoke(Token.objects.get(), actor="test")
    answer = program.get("/readyz")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"


def test_a_form_without_its_token_is_refused(workbench: World) -> None:
    from django.test import Client

    workbench.user("alder")
    client = Client(enforce_csrf_checks=True)
    assert client.post("/sign-in", {"name": "alder", "password": PASSWORD}).status_code == 403


@pytest.mark.usefixtures("workbench")
def test_the_database_refuses_to_change_the_audit_log() -> None:
    from django.db import DatabaseError, connection, transaction

    from lydite_workbench.accounts.models import AuditEntry
    from lydite_workbench.accounts.services import record

    entry = record("test", "thing.do")
    for statement in ("UPDATE accounts_auditentry SET act = 'other'", "DELETE FROM accounts_auditentry"):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)
    for change in (entry.save, entry.delete, AuditEntry.objects.all().delete):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()
    assert AuditEntry.objects.get().act == "thing.do"


def test_every_page_forbids_inline_scripts(workbench: World) -> None:
    answer = workbench.client().get("/sign-in")
    assert "script-src 'self'" in answer["Content-Security-Policy"]
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert b"<style" not in answer.content
    assert b"onclick" not in answer.content


@pytest.mark.parametrize("role", ["administrator", "team", "nobody"])
def test_an_organiser_invites_to_roles_of_the_campaign_alone(workbench: World, role: str) -> None:
    from lydite_workbench.accounts.models import Invitation, Role

    olga = workbench.user("olga")
    workbench.role(olga, workbench.campaign(), Role.ORGANISER)
    answer = workbench.client(olga).post("/campaigns/spring/invitations", {"role": role})
    assert (answer.status_code, Invitation.objects.exists()) == (400, False)


def test_no_token_makes_another_one(workbench: World) -> None:
    from lydite_workbench.accounts.models import Token

    member = workbench.user("anna")
    team = workbench.team(workbench.campaign(), "alder", member)
    for program in (workbench.program(team=team), workbench.program(user=member)):
        for place in (f"/teams/{team.public_id}/token", "/account/token"):
            assert program.post(place).status_code == 404
    assert Token.objects.count() == 2
    assert workbench.client(member).post(f"/teams/{team.public_id}/token").status_code == 201

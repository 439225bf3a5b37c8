"""What tests of the workbench need again and again: people, campaigns, clients."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from lydite.writing import archive_bytes

if TYPE_CHECKING:
    from django.test import Client

    from lydite_workbench.accounts.models import Role, User
    from lydite_workbench.campaigns.models import Campaign, Phase, Team
    from lydite_workbench.store import Upload

PASSWORD = "a long enough phrase"  # noqa: S105 - of tests
ROOT = Path(__file__).parents[3]


ON_SQLITE = pytest.mark.parametrize("workbench", ["sqlite"], indirect=True)
"""For tests that take long and do nothing with the database that shorter ones do not do on both."""


class World(NamedTuple):
    """A workbench for one test."""

    database: str
    files: Path

    def user(self, name: str, *, administrator: bool = False) -> User:
        """An account; its password is ``PASSWORD``."""
        from lydite_workbench.accounts.services import create_user

        return create_user(name, PASSWORD, administrator=administrator)

    def client(self, user: User | None = None) -> Client:
        """A browser without a screen: of a person who has signed in, or of the public."""
        from django.test import Client

        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    def program(self, *, user: User | None = None, team: Team | None = None) -> Client:
        """A program with a token of a person or team."""
        from django.test import Client

        from lydite_workbench.accounts.services import new_token

        secret = new_token(user=user, team=team, actor="test")
        return Client(headers={"Authorization": f"Bearer {secret}"})

    def campaign(self, slug: str = "spring", **more: Any) -> Campaign:
        """A campaign of event nuggets, without gold."""
        from lydite_workbench.campaigns.models import Campaign

        given = {
            "title": slug.title(),
            "task": "nugget",
            "profile": "kbp2017",
            "signature": "lydite|t:nugget|p:kbp2017",
        }
        return Campaign.objects.create(slug=slug, **{**given, **more})

    def phase(self, campaign: Campaign, slug: str = "test", **more: Any) -> Phase:
        """A phase that is open."""
        from lydite_workbench.campaigns.models import Phase

        now = datetime.now(UTC)
        given = {"title": slug.title(), "opens": now - timedelta(days=1), "closes": now + timedelta(days=1)}
        return Phase.objects.create(campaign=campaign, slug=slug, **{**given, **more})

    def scored_campaign(self, slug: str = "spring", **more: Any) -> Campaign:
        """A campaign of event nuggets with gold of three documents and an open phase, made by the library."""
        from lydite_workbench.campaigns.models import Campaign, Phase
        from lydite_workbench.campaigns.setup import NewCampaign, create_campaign

        now = datetime.now(UTC)
        window = {"opens": now - timedelta(days=1), "closes": now + timedelta(days=1)}
        phase = Phase(**{"slug": "test", "title": "Test", **window, **more.pop("phase", {})})
        gold = upload("gold.tbf", some_documents("examples/gold.tbf"))
        beside = {"gold": gold, "phases": [phase]}
        beside |= {name: more.pop(name) for name in NewCampaign._fields if name in more}
        given = {"title": slug.title(), "task": "nugget", **more}
        return create_campaign(NewCampaign(Campaign(slug=slug, **given), **beside), actor="test")

    def work(self) -> int:
        """Do everything that waits; how many jobs they were."""
        from lydite_workbench.campaigns.jobs import work_once

        count = 0
        while work_once():
            count += 1
        return count

    def can_store(self) -> bool:
        """Whether somebody else can write to the database within a second."""
        from concurrent.futures import ThreadPoolExecutor

        from django.db import OperationalError, connection, connections

        from lydite_workbench.accounts.services import record

        def write() -> bool:
            try:
                if connection.vendor == "sqlite":
                    with connection.cursor() as cursor:
                        cursor.execute("PRAGMA busy_timeout = 1000")
                record("test", "test.write")
            except OperationalError:
                return False
            finally:
                connections.close_all()
            return True

        with ThreadPoolExecutor(1) as somebody:
            return somebody.submit(write).result()

    def team(self, campaign: Campaign, slug: str, *members: User) -> Team:
        """A team and its members."""
        from lydite_workbench.campaigns.models import Team

        team = Team.objects.create(campaign=campaign, slug=slug, name=slug.title())
        team.members.set(members)
        return team

    def role(self, user: User, campaign: Campaign, role: Role) -> None:
        """Give a role."""
        from lydite_workbench.accounts.services import give_role

        give_role(user, campaign, role, actor="test")


def some_documents(path: str, count: int = 3) -> bytes:
    """The first documents of a TBF file."""
    text = (ROOT / path).read_text(encoding="utf-8")
    blocks = text.split("#EndOfDocument\n")
    return "".join(f"{block}#EndOfDocument\n" for block in blocks[:count]).encode()


def upload(name: str, data: bytes) -> Upload:
    """A file that was uploaded."""
    from lydite_workbench.store import Upload, store

    kept = store(data)
    return Upload(kept.sha256, kept.size, name)


def zipped(folder: Path) -> bytes:
    """The files of a folder as an archive."""
    return archive_bytes((file.name, file.read_bytes()) for file in sorted(folder.iterdir()))


class Live(NamedTuple):
    """A workbench that answers at an address."""

    url: str
    world: World

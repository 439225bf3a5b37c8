"""What tests of the workbench need again and again: people, campaigns, clients."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from django.test import Client

    from lydite.workbench.accounts.models import Role, User
    from lydite.workbench.campaigns.models import Campaign, Phase, Team

PASSWORD = "a long enough phrase"  # noqa: S105 - of tests
ROOT = Path(__file__).parent.parent


class World(NamedTuple):
    """A workbench for one test."""

    database: str
    files: Path

    def user(self, name: str, *, administrator: bool = False) -> User:
        """An account; its password is ``PASSWORD``."""
        from lydite.workbench.accounts.services import create_user

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

        from lydite.workbench.accounts.services import new_token

        made = new_token(user=user, team=team, actor="test")
        return Client(headers={"Authorization": f"Bearer {made.secret}"})

    def campaign(self, slug: str = "spring", **more: Any) -> Campaign:
        """A campaign of event nuggets, without gold."""
        from lydite.workbench.campaigns.models import Campaign

        given = {
            "title": slug.title(),
            "task": "nugget",
            "profile": "kbp2017",
            "signature": "lydite|t:nugget|p:kbp2017",
        }
        return Campaign.objects.create(slug=slug, **{**given, **more})

    def phase(self, campaign: Campaign, slug: str = "test", **more: Any) -> Phase:
        """A phase that is open."""
        from lydite.workbench.campaigns.models import Phase

        now = datetime.now(UTC)
        given = {"title": slug.title(), "opens": now - timedelta(days=1), "closes": now + timedelta(days=1)}
        return Phase.objects.create(campaign=campaign, slug=slug, **{**given, **more})

    def team(self, campaign: Campaign, slug: str, *members: User) -> Team:
        """A team and its members."""
        from lydite.workbench.campaigns.models import Membership, Team

        team = Team.objects.create(campaign=campaign, slug=slug, name=slug.title())
        for user in members:
            Membership.objects.create(team=team, user=user)
        return team

    def role(self, user: User, campaign: Campaign, role: Role) -> None:
        """Give a role."""
        from lydite.workbench.accounts.services import give_role

        give_role(user, campaign, role, actor="test")


class Live(NamedTuple):
    """A workbench that answers at an address."""

    url: str
    world: World

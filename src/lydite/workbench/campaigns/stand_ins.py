"""People in an export: masks instead of names; and who stands for them where it is imported."""

from __future__ import annotations

from hashlib import sha256

from lydite.workbench.accounts.models import User
from lydite.workbench.campaigns.models import Campaign


class Masks:
    """What people are called in an export: ``person-`` and letters that tell nobody anything, the same in all of it."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._names: dict[int, str] = {}

    def of(self, user: int) -> str:
        """The name of a person, given by the key of the account."""
        if user not in self._names:
            secret = f"{self._campaign.slug}\0{User.objects.get(pk=user).public_id}"
            self._names[user] = f"person-{sha256(secret.encode()).hexdigest()[:8]}"
        return self._names[user]


class StandIns:
    """Accounts that nobody can use, for the people of an imported campaign."""

    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._made: dict[str, User] = {}

    def named(self, name: str) -> User:
        """Who stands for somebody."""
        if name not in self._made:
            user, made = User.objects.get_or_create(
                name=f"{self._campaign.slug}-{name}",
                defaults={"shown_name": f"{name} of {self._campaign.title}"[:150], "is_active": False},
            )
            if made:
                user.set_unusable_password()
                user.save(update_fields=["password"])
            self._made[name] = user
        return self._made[name]

"""People in an export: masks instead of names; and who stands for them where it is imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256

from lydite.workbench.accounts.models import User
from lydite.workbench.campaigns.models import Campaign


def masks_of(campaign: Campaign) -> Callable[[int], str]:
    """What people are called in an export, by the key of the account: letters that tell nobody anything."""

    @cache
    def mask(user: int) -> str:
        secret = f"{campaign.slug}\0{User.objects.get(pk=user).public_id}"
        return f"person-{sha256(secret.encode()).hexdigest()[:8]}"

    return mask


def stand_ins_in(campaign: Campaign) -> Callable[[str], User]:
    """Accounts that nobody can use, by the masks of the people of an imported campaign."""

    @cache
    def stand_in(name: str) -> User:
        user, made = User.objects.get_or_create(
            name=f"{campaign.slug}-{name}",
            defaults={"shown_name": f"{name} of {campaign.title}"[:150], "is_active": False},
        )
        if made:
            user.set_unusable_password()
            user.save(update_fields=["password"])
        return user

    return stand_in

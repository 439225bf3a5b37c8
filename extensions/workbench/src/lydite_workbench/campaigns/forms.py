"""Forms of campaigns, phases and runs, for pages, declarations and the API: models say what their fields can hold."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse

from lydite.errors import LyditeError
from lydite_workbench.accounts.services import zone_named
from lydite_workbench.campaigns.models import BoardNames, Campaign, Phase, Run, Shown
from lydite_workbench.campaigns.rules import RunDescription, instant_of
from lydite_workbench.campaigns.templatetags.figures import local
from lydite_workbench.pages import refused_on
from lydite_workbench.problems import Refused, bad_words
from lydite_workbench.rights import WebRequest


def manage_page(
    request: WebRequest, campaign: Campaign, error: LyditeError | None = None, **more: object
) -> HttpResponse:
    """The page from which an organiser runs a campaign; it shows every noun, and each noun has forms on it."""
    from lydite_workbench.campaigns.overview import manage

    return manage(request, campaign, error, **more)


on_manage_page = refused_on(manage_page, then="campaigns:manage")
"""A decorator of views for forms on that page."""


def phase_choices() -> dict[str, list[str]]:
    """The choices of the fields of a phase."""
    return {
        "see_choices": Shown.values,
        "board_choices": BoardNames.values,
        "zones": sorted(available_timezones()),
    }


def checked(form: forms.BaseForm) -> dict[str, Any]:
    """The values of a form; refused if one is not valid."""
    if not form.is_valid():
        raise bad_words({str(name): told for name, told in form.errors.items()})
    return form.cleaned_data


class _LinesField(forms.Field):
    """A list of texts, one per line."""

    def to_python(self, value: object) -> list[object]:
        if isinstance(value, list):
            return value
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]


class _SettingsField(forms.Field):
    """Settings as TOML."""

    def to_python(self, value: object) -> Mapping[str, object]:
        if isinstance(value, Mapping):
            return value
        try:
            return tomllib.loads(str(value or ""))
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise ValidationError(f"not valid TOML: {error}") from None


class _FlagField(forms.Field):
    """True or false, as programs write it; an empty value is the initial one."""

    def to_python(self, value: object) -> bool:
        plain = str(value or "").strip().lower()
        if plain not in {"true", "yes", "on", "1", "false", "no", "off", "0", ""}:
            raise ValidationError(f"expected true or false, found {plain[:40]!r}")
        return plain in {"true", "yes", "on", "1"} if plain else bool(self.initial)


class _TimeField(forms.Field):
    """A date and time, with an offset or without."""

    def to_python(self, value: object) -> datetime:
        try:
            return value if isinstance(value, datetime) else datetime.fromisoformat(str(value or ""))
        except ValueError:
            raise ValidationError(
                f"expected date and time as in 2026-05-01T23:59, found {str(value)[:60]!r}"
            ) from None


class _KeepingForm(forms.ModelForm):  # type: ignore[type-arg] # generic for the type checker alone
    """A form in which an empty field keeps the value, or gets the default, if the model has one."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        for field in self._meta.model._meta.fields:  # noqa: SLF001 - Django's public name for it
            if field.name in self.fields and field.has_default():
                self.fields[field.name].required = False

    def validate_unique(self) -> None:
        """Leave names that are taken to the services, which lock the campaign, and to the database."""

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for field in self._meta.model._meta.fields:  # noqa: SLF001 - Django's public name for it
            if field.has_default() and not field.blank and values.get(field.name, 0) in {None, ""}:
                values[field.name] = getattr(self.instance, field.name)
        return values


class CampaignForm(_KeepingForm):
    """What an organiser can change of a campaign."""

    figures = _LinesField(required=False)

    class Meta:
        model = Campaign
        fields = (
            "title",
            "description",
            "is_public",
            "figures",
            "board_of",
            "gold_documents_are_known",
            "limit_seconds",
            "limit_megabytes",
            "limit_processes",
            "limit_upload",
        )


class NewCampaignForm(CampaignForm):
    """A new campaign."""

    settings = _SettingsField(required=False)
    profile = forms.CharField(required=False)

    class Meta(CampaignForm.Meta):
        fields = (  # type: ignore[assignment] # more of them
            *CampaignForm.Meta.fields,
            *("slug", "task", "profile", "settings", "format", "needs_run_without_web", "needs_ranks"),
        )


class PhaseForm(_KeepingForm):
    """A phase; its short name cannot be changed."""

    opens, closes = _TimeField(), _TimeField()
    slug = forms.CharField(required=False)
    title = forms.CharField(required=False)

    class Meta:
        model = Phase
        fields = (
            "slug",
            "title",
            "opens",
            "closes",
            "zone",
            "is_test",
            "runs_per_team",
            "rejected_per_team",
            "teams_see",
            "board",
            "takes_late_runs",
        )

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        if self.instance.pk:
            del self.fields["slug"]

    def add_prefix(self, field_name: str) -> str:
        """The name in a form that may also have the short name and title of a campaign."""
        return {"slug": "phase", "title": "phase_title"}.get(field_name, field_name)

    def clean_slug(self) -> str:
        """The first phase of a campaign is a test, if nothing else is said."""
        return str(self.cleaned_data["slug"]) or "test"

    def clean_zone(self) -> str:
        """The name of a time zone, or AoE."""
        try:
            return zone_named(self.cleaned_data["zone"] or self.instance.zone).key
        except Refused as error:
            raise ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """Make instants of the times, and a title of the short name if there is none."""
        values = super().clean()
        values["title"] = values.get("title") or self.instance.title or values.get("slug", "").title()
        for word in ("opens", "closes"):
            before = getattr(self.instance, word)
            if word not in values:
                continue
            # An unknown zone is refused anyway.
            zone = values.get("zone", "UTC")
            if before is not None and self.data.get(word) == local(before, zone):
                # A form shows no fractions of a second, nor which of two equal local times is meant.
                values[word] = before
                continue
            try:
                values[word] = instant_of(values[word], ZoneInfo(zone))
            except Refused as error:
                self.add_error(word, str(error))
        return values


class RunForm(forms.ModelForm):  # type: ignore[type-arg] # generic for the type checker alone
    """How a team describes a run."""

    web_access = _FlagField(required=False)
    automatic = _FlagField(required=False, initial=True)

    class Meta:
        model = Run
        fields = RunDescription._fields

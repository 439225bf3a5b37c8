"""Campaigns: making and changing them, their settings and files, and the forms for that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from django.db import IntegrityError, transaction
from django.http import HttpResponse
from django.shortcuts import redirect

from lydite.errors import LyditeError
from lydite.formats.taxonomy import taxonomy_names
from lydite.profile import profile_names
from lydite.tasks import TASKS
from lydite_workbench.accounts.models import CampaignRole, Role
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.forms import (
    CampaignForm,
    NewCampaignForm,
    PhaseForm,
    checked,
    on_manage_page,
    phase_choices,
)
from lydite_workbench.campaigns.gold import check_gold, replace_gold
from lydite_workbench.campaigns.models import Campaign, CampaignFile, Phase
from lydite_workbench.campaigns.phases import add_phase
from lydite_workbench.campaigns.runs import score_again
from lydite_workbench.pages import page
from lydite_workbench.problems import BadInput, Refused, refuse_bad_row
from lydite_workbench.rights import Actor, WebRequest, person_of
from lydite_workbench.store import Upload, path_under_name
from lydite_workbench.uploads import sent_file


class NewCampaign(NamedTuple):
    """A campaign as an organiser declares it: rows that are not stored yet, and ``files`` by the settings that name them."""

    campaign: Campaign
    gold: Upload | None = None
    files: Mapping[str, Upload] = {}
    phases: Sequence[Phase] = ()


def create_campaign(new: NewCampaign, *, actor: Actor) -> Campaign:
    """Make a campaign, if its task, settings and gold are valid; the person who makes it becomes its organiser."""
    campaign = new.campaign
    # The library takes - and _ in names of settings; the checks below and declarations only -.
    campaign.settings = {name.replace("_", "-"): value for name, value in campaign.settings.items()}
    refuse_bad_row(campaign, "profile", "signature")
    _refuse_server_paths(new)
    sent = new.files.items()
    files = [CampaignFile(setting=name, name=one.safe_name, file_id=one.digest) for name, one in sent]
    checked = check_gold(campaign, new.gold, files)
    campaign.signature, campaign.profile = checked["signature"], checked["profile"]
    refuse_bad_row(campaign)
    _refuse_profile_only_settings(campaign)
    with transaction.atomic():
        try:
            with transaction.atomic():
                campaign.save()
        except IntegrityError:
            raise Refused("slug-taken", f"there is a campaign {campaign.slug!r} already") from None
        for file, upload in zip(files, new.files.values(), strict=True):
            file.campaign, file.file = campaign, upload.row
            file.save()
        record(actor, "campaign.create", campaign.slug, campaign=campaign, task=campaign.task)
        for phase in new.phases:
            add_phase(campaign, phase, actor=actor)
        user = person_of(actor)
        if user is not None:
            CampaignRole.objects.create(user=user, campaign=campaign, role=Role.ORGANISER)
        if new.gold is not None:
            replace_gold(campaign, new.gold, note="", actor=actor, is_checked=True)
    return campaign


def file_of(campaign: Campaign, setting: str) -> str | None:
    """The path of the file of a setting of the campaign; None if there is none."""
    held = campaign.files_by_setting.get(setting)
    return None if held is None else str(path_under_name(held.file_id, held.name))


class SettingFile(NamedTuple):
    """A file that a setting of a campaign is about to get, and the signature of the campaign with it."""

    setting: str
    upload: Upload
    signature: str


def check_file(campaign: Campaign, setting: str, upload: Upload) -> SettingFile:
    """Let the library check the campaign with a further file; it takes long, and so the database is not locked."""
    new = CampaignFile(setting=setting, name=upload.safe_name, file_id=upload.digest)
    gold = Upload.of(campaign.gold.file, campaign.gold.name) if campaign.gold else None
    checked = check_gold(campaign, gold, [*campaign.files.all(), new])
    return SettingFile(setting, upload, checked["signature"])


@transaction.atomic
def add_file(campaign: Campaign, file: SettingFile, *, actor: Actor) -> None:
    """Give a setting of a campaign the file that was checked for it; its runs are scored again if there is gold."""
    CampaignFile.objects.create(
        campaign=campaign, setting=file.setting, name=file.upload.safe_name, file=file.upload.row
    )
    campaign.__dict__.pop("files_by_setting", None)
    campaign.signature = file.signature
    campaign.save(update_fields=["signature"])
    sha256 = file.upload.digest
    record(actor, "campaign.file", campaign.slug, campaign=campaign, setting=file.setting, sha256=sha256)
    if campaign.gold is not None:
        score_again(campaign, actor=actor)


def profile_of(campaign: Campaign) -> str:
    """The profile as the library takes it: a name, or the path of a file of the campaign."""
    return file_of(campaign, "profile") or campaign.profile


def change_campaign(campaign: Campaign, *, actor: Actor, **changes: object) -> None:
    """Change title, visibility, leaderboards or limits of a campaign; the audit log keeps the values before."""
    # Nobody waits for the database while the library looks at gold.
    if changes.get("figures", campaign.figures) != campaign.figures:
        changed = Campaign.objects.select_related("gold__file").get(pk=campaign.pk)
        changed.figures = changes["figures"]
        check_gold(changed, None if changed.gold is None else Upload.of(changed.gold.file, changed.gold.name))
    _change_campaign(campaign, changes, actor)


@transaction.atomic
def _change_campaign(campaign: Campaign, changes: Mapping[str, object], actor: Actor) -> None:
    # The row of the caller may be outdated, and a page shows it unchanged if this is refused.
    changed = Campaign.objects.select_for_update().get(pk=campaign.pk)
    before = {name: str(getattr(changed, name)) for name in changes}
    for name, value in changes.items():
        setattr(changed, name, value)
    refuse_bad_row(changed)
    changed.save(update_fields=[*changes])
    record(actor, "campaign.change", changed.slug, campaign=changed, before=before)


def _refuse_server_paths(new: NewCampaign) -> None:
    """Refuse settings that name files on the disk of the server: files must be sent."""
    declared = TASKS[new.campaign.task].settings.declared
    for name, value in {"profile": new.campaign.profile, **new.campaign.settings}.items():
        values = value if isinstance(value, list | tuple) else [value]
        is_path = name in declared and declared[name].kind == "path"
        is_other_taxonomy = name in declared and name == "taxonomy" and value not in taxonomy_names()
        names_file = bool(value) and (is_path or is_other_taxonomy)
        has_path = names_file or any(isinstance(one, str) and _is_outside_path(one) for one in values)
        if name not in new.files and has_path:
            sentence = (
                f"{name}: the workbench takes files that are sent to it, not paths on its own disk; "
                "lydite workbench create-campaign reads a declaration together with the files that it names"
            )
            raise BadInput("bad-settings", sentence)


def _refuse_profile_only_settings(campaign: Campaign) -> None:
    """Refuse settings that only profiles can set: nobody could repeat the scores with the command."""
    declared = TASKS[campaign.task].settings.declared
    for name in campaign.settings:
        if not declared[name].flag or declared[name].kind == "table":
            sentence = f"{name}: only a profile can set this; write one that extends {campaign.profile}, and send its file"
            raise BadInput("bad-settings", sentence)


def _is_outside_path(value: str) -> bool:
    place = PurePosixPath(value.replace("\\", "/"))
    return place.is_absolute() or ".." in place.parts


# --------------------------------------------------------------------------------------------------------- pages


def new_campaign_view(request: WebRequest) -> HttpResponse:
    """The form of a new campaign with its first phase, and its answer."""
    if request.method != "POST":
        return _new_campaign(request)
    try:
        form, phase = NewCampaignForm(request.POST), PhaseForm(request.POST)
        checked(form)
        checked(phase)
        texts = sent_file(request, "documents")
        files = {"documents": texts} if texts else {}
        new = NewCampaign(form.instance, sent_file(request, "gold"), files, [phase.instance])
        campaign = create_campaign(new, actor=request.caller)
    except LyditeError as error:
        return _new_campaign(request, error)
    return redirect("campaigns:manage", campaign=campaign.slug)


def _new_campaign(request: WebRequest, error: LyditeError | None = None) -> HttpResponse:
    boxes = ("is_test", "gold_documents_are_known")
    context = {
        "tasks": {name: profile_names(name) for name in TASKS},
        "fields": request.POST,
        **{name: name in request.POST or not request.POST for name in boxes},
        **phase_choices(),
    }
    return page(request, "campaigns/new.html", context, refusal=error)


@on_manage_page
def change_campaign_view(request: WebRequest, campaign: Campaign) -> None:
    """Change title, visibility, leaderboards and limits of a campaign."""
    # The form changes its row, and the page shows the campaign as it is if this is refused.
    form = CampaignForm(request.POST, instance=Campaign.objects.get(pk=campaign.pk))
    change_campaign(campaign, actor=request.caller, **checked(form))

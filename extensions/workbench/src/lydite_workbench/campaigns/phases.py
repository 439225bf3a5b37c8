"""Phases: adding and changing them, and their forms."""

from __future__ import annotations

from django.db import transaction

from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.forms import PhaseForm, checked, on_manage_page
from lydite_workbench.campaigns.models import Campaign, Phase
from lydite_workbench.problems import Refused, refuse_bad_row
from lydite_workbench.rights import Actor, WebRequest


@transaction.atomic
def add_phase(campaign: Campaign, phase: Phase, *, actor: Actor) -> None:
    """Add a phase after those of the campaign."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if campaign.phases.filter(slug=phase.slug).exists():
        raise Refused("slug-taken", f"there is a phase {phase.slug!r} already")
    phase.campaign, phase.position = campaign, campaign.phases.count()
    refuse_bad_row(phase)
    phase.save()
    record(actor, "phase.add", phase.slug, campaign=campaign, closes=phase.closes.isoformat())


@transaction.atomic
def change_phase(phase: Phase, *, actor: Actor, **changes: object) -> Phase:
    """Change a phase; the audit log keeps the values before."""
    before = {name: str(getattr(phase, name)) for name in changes}
    for name, value in changes.items():
        setattr(phase, name, value)
    refuse_bad_row(phase)
    phase.save()
    record(actor, "phase.change", phase.slug, campaign=phase.campaign, before=before)
    return phase


# --------------------------------------------------------------------------------------------------------- pages


@on_manage_page
def add_phase_view(request: WebRequest, campaign: Campaign) -> None:
    """Add a phase."""
    form = PhaseForm(request.POST)
    checked(form)
    add_phase(campaign, form.instance, actor=request.caller)


@on_manage_page
def change_phase_view(request: WebRequest, campaign: Campaign, phase: Phase) -> None:  # noqa: ARG001 - a view
    """Change a phase."""
    form = PhaseForm(request.POST, instance=Phase.objects.get(pk=phase.pk))
    change_phase(phase, actor=request.caller, **checked(form))

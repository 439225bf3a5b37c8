"""Messages of organisers: sending and reading them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns.forms import on_manage_page
from lydite_workbench.campaigns.models import Campaign, Message, Team
from lydite_workbench.pages import download, page
from lydite_workbench.problems import BadInput, refuse_bad_row
from lydite_workbench.rights import Actor, Caller, WebRequest


@transaction.atomic
def send_message(
    campaign: Campaign, subject: str, text: str, *, team: Team | None = None, actor: Actor
) -> Message:
    """Send a message to one team, or to all; it is shown in the workbench, not mailed."""
    message = Message(campaign=campaign, team=team, subject=subject, text=text)
    refuse_bad_row(message)
    message.save()
    record(actor, "message.send", message.public_id, campaign=campaign, team=team.slug if team else "all")
    return message


def messages_for(caller: Caller, campaign: Campaign) -> list[Message]:
    """The messages that the caller may read: organisers all, members those to their teams and to all teams."""
    messages = Message.objects.filter(campaign=campaign).select_related("team", "run")
    if caller.organises(campaign):
        return list(messages)
    teams = caller.teams_in(campaign)
    return [message for message in messages if teams and (message.team is None or message.team in teams)]


def message_file(messages: Iterable[Message]) -> str:
    """Messages as text, the oldest first."""
    blocks = [
        f"{message.created:%Y-%m-%d %H:%M} UTC  to {message.team.name if message.team else 'all teams'}\n"
        f"{message.subject}\n\n{message.text}\n"
        for message in sorted(messages, key=lambda one: (one.created, one.pk))
    ]
    return f"\n{'-' * 72}\n\n".join(blocks)


# --------------------------------------------------------------------------------------------------------- pages


def messages_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The messages that the caller may read."""
    messages = messages_for(request.caller, campaign)
    context = {"campaign": campaign, "messages": messages, "organises": request.caller.organises(campaign)}
    return page(request, "campaigns/messages.html", context)


def messages_file_view(request: WebRequest, campaign: Campaign) -> HttpResponseBase:
    """The same messages as a text file."""
    text = message_file(messages_for(request.caller, campaign))
    return download(text, f"{campaign.slug}-messages.txt", "text/plain; charset=utf-8")


def message_view(request: WebRequest, message: Message) -> HttpResponse:
    """One message."""
    return page(request, "campaigns/messages.html", {"campaign": message.campaign, "messages": [message]})


@on_manage_page
def send_message_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Send a message to one team, or to all."""
    subject, text = request.POST.get("subject", "").strip(), request.POST.get("text", "").strip()
    team_id = request.POST.get("team", "")
    team = campaign.teams.filter(public_id=team_id).first()
    if not subject or not text:
        raise BadInput("no-text", "a message needs a subject and a text")
    if team_id and team is None:
        raise BadInput("no-such-team", "choose a team of this campaign, or all")
    send_message(campaign, subject, text, team=team, actor=request.caller)
    return redirect("campaigns:messages", campaign=campaign.slug)

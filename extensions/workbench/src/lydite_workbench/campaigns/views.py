"""Pages of campaigns for the public and for teams; ``urls`` says who may see which."""

from __future__ import annotations

from collections.abc import Sequence

from django.http import FileResponse, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone

from lydite.errors import LyditeError
from lydite_workbench.campaigns import api, boards, services
from lydite_workbench.campaigns.errands import MOST_FINDINGS
from lydite_workbench.campaigns.models import (
    Campaign,
    Message,
    Run,
    RunState,
    Team,
)
from lydite_workbench.campaigns.rules import RunAllowance
from lydite_workbench.pages import download, page, refused_on
from lydite_workbench.problems import Refused
from lydite_workbench.rights import ADJUDICATE, EXPLORE, WebRequest, may
from lydite_workbench.store import path_of, stored_json

UNFINISHED = frozenset({RunState.RECEIVED, RunState.VALIDATING, RunState.VALID, RunState.SCORING})
"""States of a run that still change by themselves."""


def home(request: WebRequest) -> HttpResponse:
    """The campaigns that the caller may see."""
    return page(request, "campaigns/home.html", {"campaigns": services.campaigns_for(request.caller)})


def campaign(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """A campaign: its phases, what is published, and what the caller can do in it."""
    caller = request.caller
    teams = caller.teams_in(campaign)
    context = {
        "campaign": campaign,
        "phases": campaign.phases.all(),
        "now": timezone.now(),
        "board": boards.published_board(campaign),
        "organises": caller.organises(campaign),
        "adjudicates": may(caller, ADJUDICATE, campaign),
        "explores": may(caller, EXPLORE, campaign),
        "takes_part": caller.takes_part(campaign),
        "teams": [(team, _allowance(team)) for team in teams],
        "runs": run_lines(request, services.runs_for(caller, campaign)),
        "messages": services.messages_for(caller, campaign)[:5],
    }
    return page(request, "campaigns/campaign.html", context)


def _allowance(team: Team) -> RunAllowance | Refused:
    """What a team can send now, or why it can send nothing."""
    try:
        return services.allowance_of(team)
    except Refused as error:
        return error


def run_lines(request: WebRequest, runs: Sequence[Run]) -> list[dict[str, object]]:
    """Runs, each with the headline if the caller may see it."""
    scores, caller = services.scores_of(runs), request.caller
    return [{"run": run, "headline": services.visible_headline(scores.get(run.pk), caller)} for run in runs]


# ---------------------------------------------------------------------------------------------------------- runs


def _send_form(request: WebRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    teams = request.caller.teams_in(campaign)
    replaceable = services.replaceable_runs(teams, campaign)
    replaced = next((run for run in replaceable if run.public_id == request.GET.get("replaces")), None)
    chosen = {"replaces": replaced.public_id, "phase": replaced.phase.slug} if replaced else {}
    context = {
        "campaign": campaign,
        "teams": [(team, _allowance(team)) for team in teams],
        "phases": services.phases_taking_runs(campaign),
        "replaceable": replaceable,
        "fields": request.POST if error is not None else chosen,
    }
    return page(request, "campaigns/send.html", context, refusal=error)


@refused_on(_send_form)
def send(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The form for a run, which says before a file is sent what the team can send; and its answer."""
    if request.method != "POST":
        return _send_form(request, campaign)
    return redirect("campaigns:run", run=api.accept_sent_run(request, campaign).public_id)


def run(request: WebRequest, run: Run, error: LyditeError | None = None) -> HttpResponse:
    """A run with its state, findings and figures; the state reloads itself."""
    return page(request, "campaigns/run.html", _run_context(request, run), refusal=error)


def run_state(request: WebRequest, run: Run) -> HttpResponse:
    """The part of the page of a run that changes by itself."""
    return page(request, "campaigns/run_state.html", _run_context(request, run))


def _run_context(request: WebRequest, run: Run) -> dict[str, object]:
    validation, score = services.validation_of(run), services.score_of(run)
    caller = request.caller
    organises = caller.organises(run.campaign)
    failed = services.failed_job_of(validation, score)
    headline = services.visible_headline(score, caller)
    rows = _figures(services.summary_file(score, caller))
    return {
        "run": run,
        "campaign": run.campaign,
        "validation": validation,
        "failed": failed,
        "organises": organises,
        "findings": services.findings_of(validation, score, caller),
        "is_cut": validation is not None and len(validation.findings) == MOST_FINDINGS,
        "headline": headline,
        "headline_name": headline and services.headline_name(headline),
        "is_outdated": score is None and run.state == RunState.SCORED and not run.withdrawn,
        "rows": rows,
        "has_values": any(row["value"] is not None for row in rows),
        "has_report": services.report_file(score, caller) is not None,
        # The message may tell about gold.
        "why_no_report": score.report_message if score and organises else "",
        "unfinished": run.state in UNFINISHED and not (run.withdrawn or failed or run.waits_for_gold),
        "is_replaceable": run in services.replaceable_runs(caller.teams_in(run.campaign), run.campaign),
    }


def _figures(summary: str | None) -> list[dict[str, object]]:
    """The rows of a stored summary for the whole corpus, if there is a summary."""
    rows: list[dict[str, object]] = stored_json(summary)["scores"] if summary else []
    return [row for row in rows if row["scope"] == "corpus" and not row["by"]]


def withdraw(request: WebRequest, run: Run) -> HttpResponse:
    """Withdraw a run."""
    services.withdraw(run, actor=request.caller)
    return redirect("campaigns:run", run=run.public_id)


@refused_on(run, "run")
def try_again(request: WebRequest, run: Run) -> HttpResponse:
    """Queue the failed job of a run again."""
    if not services.try_again(run, actor=request.caller):
        raise Refused("not-failed", "no job of this run has failed")
    return redirect("campaigns:run", run=run.public_id)


def run_file(request: WebRequest, run: Run) -> FileResponse:  # noqa: ARG001 - what the table of URLs gives
    """Download the file of a run as it was sent."""
    stream, kind = path_of(run.file_id).open("rb"), "application/octet-stream"
    return FileResponse(stream, as_attachment=True, filename=run.file_name, content_type=kind)


# ------------------------------------------------------------------------------------------------------ messages


def messages(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The messages that the caller may read."""
    messages = services.messages_for(request.caller, campaign)
    context = {"campaign": campaign, "messages": messages, "organises": request.caller.organises(campaign)}
    return page(request, "campaigns/messages.html", context)


def messages_file(request: WebRequest, campaign: Campaign) -> HttpResponseBase:
    """The same messages as a text file."""
    text = services.message_file(services.messages_for(request.caller, campaign))
    return download(text, f"{campaign.slug}-messages.txt", "text/plain; charset=utf-8")


def message(request: WebRequest, message: Message) -> HttpResponse:
    """One message."""
    return page(request, "campaigns/messages.html", {"campaign": message.campaign, "messages": [message]})

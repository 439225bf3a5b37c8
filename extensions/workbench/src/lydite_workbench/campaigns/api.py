"""API calls about campaigns, runs and leaderboards."""

from __future__ import annotations

import re

from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone

from lydite.model.comparison import FigureName
from lydite_workbench.api import ApiCall, listed, record, text
from lydite_workbench.campaigns import boards, runs
from lydite_workbench.campaigns.models import Campaign, Phase, Run
from lydite_workbench.campaigns.overview import campaigns_for
from lydite_workbench.records import fields_of
from lydite_workbench.rights import WebRequest
from lydite_workbench.store import path_of

_TRUTH = {"type": "boolean"}
_PHASE = record(
    slug=text(),
    title=text(),
    opens=text("an instant"),
    closes=text("an instant"),
    zone=text(),
    runs_per_team={"type": ["integer", "null"]},
    teams_see=text("nothing, headline, figures or report"),
    takes_late_runs=_TRUTH,
    is_open=_TRUTH,
    leaderboard=text("names, letters or none"),
)
_CAMPAIGN = record(
    slug=text(), title=text(), description=text(), task=text(), profile=text(), phases=listed(_PHASE)
)
_NUMBER = {"type": ["number", "null"]}
_UNJUDGED = {"pessimistic": _NUMBER, "optimistic": _NUMBER}
"""The worst and the best possible headline, if some answers are not judged."""
_HEADLINE = record(_UNJUDGED, figure=text(), value=_NUMBER, low=_NUMBER, high=_NUMBER)
_TEXT_OR_NONE = {"type": ["string", "null"]}
_STATE = text("received, validating, invalid, valid, scoring, scored, failed or withdrawn")
_RUN = record(
    id=text(),
    campaign=text(),
    phase=text(),
    team=text(),
    number={"type": "integer"},
    title=text(),
    is_late=_TRUTH,
    received=text("an instant"),
    state=_STATE,
    waits_for_gold=_TRUTH,
    sha256=text(),
    reason=_TEXT_OR_NONE,
    message=_TEXT_OR_NONE,
    findings=listed(record(code=text(), severity=text(), message=text())),
    headline={"oneOf": [_HEADLINE, {"type": "null"}]},
)
_FORM = {
    "file": "a file or an archive, as lydite score takes it",
    "title": "",
    "description": "",
    "rank": "the team's own rank of the run: 1, 2, …",
    "web_access": "true or false",
    "web_access_text": "what the web was used for",
    "automatic": "true or false",
    "automatic_text": "what was done by hand",
    "phase": "where several are open",
    "replaces": "the id of an invalid run",
    "team": "for people who are in several",
}


# ----------------------------------------------------------------------------------------------------- campaigns


def campaign_data(campaign: Campaign) -> dict[str, object]:
    """A campaign as the API gives it."""
    plain = fields_of(campaign, ("slug", "title", "description", "task", "profile"))
    return {**plain, "phases": [phase_data(phase) for phase in campaign.phases.all()]}


def phase_data(phase: Phase) -> dict[str, object]:
    """A phase as the API gives it, with instants in UTC."""
    plain = ("slug", "title", "opens", "closes", "zone", "runs_per_team", "teams_see", "takes_late_runs")
    return {
        **fields_of(phase, plain),
        "is_open": phase.opens <= timezone.now() < phase.closes,
        "leaderboard": phase.board,
    }


@ApiCall("The campaigns that you may see.", {200: "campaigns"}, listed(_CAMPAIGN))
def campaigns(request: WebRequest) -> HttpResponse:
    """The campaigns that the caller may see."""
    campaigns = campaigns_for(request.caller)
    return JsonResponse([campaign_data(campaign) for campaign in campaigns], safe=False)


@ApiCall("A campaign.", {200: "the campaign"}, _CAMPAIGN)
def campaign(request: WebRequest, campaign: Campaign) -> HttpResponse:  # noqa: ARG001 - a view
    """One campaign."""
    return JsonResponse(campaign_data(campaign))


@ApiCall(
    "The published leaderboard, with team names or letters.",
    {200: "lydite.comparison/1", 400: "there is no such phase"},
    {"type": "object", "description": "lydite.comparison/1"},
    query={
        "phase": "the leaderboard of this phase",
        "figure": "ranked by this figure instead of the headline",
    },
)
def leaderboard(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The leaderboard that was published last, of the campaign or of a phase, by the headline or another figure."""
    board = boards.published_board(campaign, runs.phase_named(campaign, request.GET.get("phase", "")))
    if board is None:
        raise Http404
    comparisons = boards.comparisons_of(board)
    figure = request.GET.get("figure")
    if figure is None:
        return JsonResponse(comparisons[0])
    for one in comparisons:
        if figure == str(FigureName(**one["figure"])):
            return JsonResponse(one)
    raise Http404


# ---------------------------------------------------------------------------------------------------------- runs


@ApiCall(
    "Send a run; it is stored when this answers, and validated at once.",
    {
        201: "accepted",
        400: "a field of the form is not valid",
        409: "limit reached or phase closed",
        413: "too large",
    },
    record(id=text(), state=_STATE, sha256=text()),
    form=_FORM,
)
def send_run(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """Accept a run."""
    run = runs.accept_sent_run(request, campaign)
    answer = JsonResponse({"id": run.public_id, "state": run.shown_state, "sha256": run.file_id}, status=201)
    answer["Location"] = reverse("api:run", kwargs={"run": run.public_id})
    return answer


def run_data(request: WebRequest, run: Run) -> dict[str, object]:
    """A run as the API gives it to the caller."""
    validation, score = runs.validation_of(run), runs.score_of(run)
    headline = runs.visible_headline(score, request.caller)
    failed = runs.failed_job_of(validation, score)
    unjudged = () if headline is None or headline.optimistic is None else tuple(_UNJUDGED)
    return {
        "id": run.public_id,
        "campaign": run.campaign.slug,
        "phase": run.phase.slug,
        "team": run.team.name,
        **fields_of(run, ("number", "title", "is_late", "received")),
        "state": run.shown_state,
        "waits_for_gold": run.waits_for_gold,
        "sha256": run.file_id,
        "reason": failed.reason if failed else None,
        "message": failed.message if failed else None,
        "findings": runs.findings_of(validation, score, request.caller),
        "headline": headline and fields_of(headline, ("figure", "value", "low", "high", *unjudged)),
    }


@ApiCall("A run.", {200: "the run"}, _RUN)
def run(request: WebRequest, run: Run) -> HttpResponse:
    """State, findings, headline."""
    return JsonResponse(run_data(request, run))


@ApiCall(
    "All figures of a run, if the phase allows.",
    {200: "lydite.summary/1"},
    {"type": "object", "description": "lydite.summary/1"},
)
def summary(request: WebRequest, run: Run) -> FileResponse:
    """The summary document of a run."""
    digest = runs.summary_file(runs.score_of(run), request.caller)
    if digest is None:
        raise Http404
    return FileResponse(path_of(digest).open("rb"), content_type="application/json")


@ApiCall("The report page of a run, if the phase allows.", {200: "the page"}, media="text/html")
def report(request: WebRequest, run: Run) -> FileResponse:
    """The report page of a run."""
    digest = runs.report_file(runs.score_of(run), request.caller)
    if digest is None:
        raise Http404
    return page_response(digest)


_POLICY = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]*)"')


def page_response(digest: str) -> FileResponse:
    """A page of ``lydite report``: only its own script may run, and it cannot reach the workbench."""
    stream = path_of(digest).open("rb")
    policy = _POLICY.search(stream.read(4096))
    stream.seek(0)
    if policy is None:
        return FileResponse(stream, as_attachment=True, filename="report.html", content_type="text/html")
    answer = FileResponse(stream, content_type="text/html; charset=utf-8")
    answer["Content-Security-Policy"] = f"{policy[1].decode('ascii')}; sandbox allow-scripts allow-popups"
    return answer


@ApiCall(
    "Withdraw a run; it stays, marked as withdrawn.", {200: "the state"}, record(id=text(), state=_STATE)
)
def withdraw(request: WebRequest, run: Run) -> HttpResponse:
    """Withdraw a run."""
    run = runs.withdraw(run, actor=request.caller)
    return JsonResponse({"id": run.public_id, "state": run.shown_state})

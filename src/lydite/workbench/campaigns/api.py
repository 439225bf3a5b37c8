"""Calls of the API about campaigns, runs and leaderboards."""

from __future__ import annotations

import re

from django.http import FileResponse, Http404, HttpResponse, JsonResponse
from django.urls import reverse
from django.utils import timezone

from lydite.model.comparison import FigureName
from lydite.numerals import is_natural
from lydite.workbench.api import ApiCall, listed, record, text
from lydite.workbench.campaigns import services
from lydite.workbench.campaigns.models import Campaign, Phase, Run, Score, Team
from lydite.workbench.campaigns.rules import About
from lydite.workbench.problems import Refused, one_line
from lydite.workbench.records import fields_of
from lydite.workbench.rights import WorkbenchRequest
from lydite.workbench.store import path_of
from lydite.workbench.uploads import needed_file

SLACK = 1_000_000
"""Bytes of a request beside its file."""
YES, NO = frozenset({"true", "yes", "on", "1"}), frozenset({"false", "no", "off", "0", ""})


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
"""What the headline can still become, where not all answers are judged."""
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


def shown_campaign(campaign: Campaign) -> dict[str, object]:
    """A campaign as the API tells it."""
    plain = fields_of(campaign, ("slug", "title", "description", "task", "profile"))
    return {**plain, "phases": [shown_phase(phase) for phase in campaign.phases.all()]}


def shown_phase(phase: Phase) -> dict[str, object]:
    """A phase as the API tells it; instants in UTC."""
    plain = ("slug", "title", "opens", "closes", "zone", "runs_per_team", "teams_see", "takes_late_runs")
    return {
        **fields_of(phase, plain),
        "is_open": phase.opens <= timezone.now() < phase.closes,
        "leaderboard": phase.board,
    }


@ApiCall("Campaigns that you may see.", {200: "campaigns"}, listed(_CAMPAIGN))
def campaigns(request: WorkbenchRequest) -> HttpResponse:
    """All that the caller may see."""
    found = services.campaigns_for(request.caller)
    return JsonResponse([shown_campaign(campaign) for campaign in found], safe=False)


@ApiCall("A campaign.", {200: "the campaign"}, _CAMPAIGN)
def campaign(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:  # noqa: ARG001 - a view
    """One."""
    return JsonResponse(shown_campaign(campaign))


@ApiCall(
    "The published leaderboard, with team names or letters.",
    {200: "lydite.comparison/1", 400: "there is no such phase"},
    {"type": "object", "description": "lydite.comparison/1"},
    query={"phase": "of this phase", "figure": "by this figure instead of the headline"},
)
def leaderboard(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """What was published last, of the campaign or of one of its phases; by the headline or by another figure."""
    phase = _phase(campaign, request.GET.get("phase", ""))
    board = services.published_board(campaign, phase)
    if board is None:
        raise Http404
    comparisons = services.comparisons_of(board)
    wanted = request.GET.get("figure")
    if wanted is None:
        return JsonResponse(comparisons[0])
    for one in comparisons:
        if wanted == str(FigureName(**one["figure"])):
            return JsonResponse(one)
    raise Http404


def _phase(campaign: Campaign, slug: str) -> Phase | None:
    if not slug:
        return None
    found = campaign.phases.filter(slug=slug).first()
    if found is None:
        raise Refused("no-such-phase", f"the campaign has no phase {slug!r}", status=400)
    return found


# ---------------------------------------------------------------------------------------------------------- runs


@ApiCall(
    "Send a run; it is stored when this answers, and validated at once.",
    {
        201: "accepted",
        400: "the form says something impossible",
        409: "limit reached or phase closed",
        413: "too large",
    },
    record(id=text(), state=_STATE, sha256=text()),
    form=_FORM,
)
def send_run(request: WorkbenchRequest, campaign: Campaign) -> HttpResponse:
    """Take a run in."""
    run = accepted(request, campaign)
    answer = JsonResponse({"id": run.public_id, "state": run.shown_state, "sha256": run.file_id}, status=201)
    answer["Location"] = reverse("api:run", kwargs={"run": run.public_id})
    return answer


def accepted(request: WorkbenchRequest, campaign: Campaign) -> Run:
    """The run that a form sends, taken in; what can be refused without its file is refused before it is looked at."""
    refuse_large(request, campaign)
    teams = request.caller.teams_in(campaign)
    if len(teams) == 1:
        services.refuse_if_full(teams[0])
    team = _team(request, teams)
    return services.accept_run(
        team,
        needed_file(request),
        about_of(request),
        actor=request.caller,
        phase=_phase(campaign, request.POST.get("phase", "")),
        replaces=_replaced(team, request.POST.get("replaces", "")),
    )


def refuse_large(request: WorkbenchRequest, campaign: Campaign) -> None:
    """Refuse a request that is larger than any run of the campaign may be, before it is read."""
    length = request.META.get("CONTENT_LENGTH") or "0"
    if int(length) > campaign.limit_upload + SLACK:
        raise services.too_large(campaign)


def about_of(request: WorkbenchRequest) -> About:
    """What a form says about a run."""
    said = request.POST
    return About(
        title=one_line("title", said.get("title", ""), 200),
        description=said.get("description", ""),
        rank=_rank(said.get("rank", "")),
        web_access=_truth("web_access", said.get("web_access", "")),
        web_access_text=said.get("web_access_text", ""),
        automatic=_truth("automatic", said.get("automatic") or "yes"),
        automatic_text=said.get("automatic_text", ""),
    )


def _rank(word: str) -> int | None:
    plain = word.strip()
    if not plain:
        return None
    if not (is_natural(plain) and 1 <= int(plain) <= 10_000):
        raise Refused("bad-rank", f"a rank is a number from 1 on, not {word[:40]!r}", status=400)
    return int(plain)


def _truth(name: str, word: str) -> bool:
    plain = word.strip().lower()
    if plain not in YES | NO:
        raise Refused("bad-flag", f"{name} is true or false, not {word[:40]!r}", status=400)
    return plain in YES


def _team(request: WorkbenchRequest, teams: list[Team]) -> Team:
    wanted = request.POST.get("team", "")
    named = [team for team in teams if team.slug == wanted] if wanted else teams
    if len(named) != 1:
        raise Refused(
            "which-team", f"say which team sends it: {', '.join(team.slug for team in teams)}", status=400
        )
    return named[0]


def _replaced(team: Team, word: str) -> Run | None:
    if not word:
        return None
    found = Run.objects.filter(team=team, public_id=word).first()
    if found is None:
        raise Refused("no-such-run", "the run to be replaced is not one of the team", status=400)
    return found


def shown_run(request: WorkbenchRequest, run: Run) -> dict[str, object]:
    """A run as the API tells it to the caller."""
    validation, score = services.validation_of(run), services.score_of(run)
    headline = services.headline_of(score, request.caller)
    failed = services.failed_job_of(validation, score)
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
        "findings": services.findings_of(validation, score, request.caller),
        "headline": headline and _shown_headline(headline),
    }


def _shown_headline(score: Score) -> dict[str, object]:
    unjudged = () if score.optimistic is None else tuple(_UNJUDGED)
    return fields_of(score, ("figure", "value", "low", "high", *unjudged))


@ApiCall("A run.", {200: "the run"}, _RUN)
def run(request: WorkbenchRequest, run: Run) -> HttpResponse:
    """State, findings, headline."""
    return JsonResponse(shown_run(request, run))


@ApiCall(
    "All figures of a run, if the phase allows.",
    {200: "lydite.summary/1"},
    {"type": "object", "description": "lydite.summary/1"},
)
def summary(request: WorkbenchRequest, run: Run) -> FileResponse:
    """The summary document."""
    found = services.summary_file(services.score_of(run), request.caller)
    if found is None:
        raise Http404
    return FileResponse(path_of(found).open("rb"), content_type="application/json")


@ApiCall("The report page of a run, if the phase allows.", {200: "the page"}, media="text/html")
def report(request: WorkbenchRequest, run: Run) -> FileResponse:
    """The page of the run."""
    found = services.report_file(services.score_of(run), request.caller)
    if found is None:
        raise Http404
    return report_response(found)


_POLICY = re.compile(rb'http-equiv="Content-Security-Policy" content="([^"]*)"')


def report_response(digest: str) -> FileResponse:
    """A page of ``lydite report``: its own script alone may run, and it can reach nothing of the workbench."""
    stream = path_of(digest).open("rb")
    said = _POLICY.search(stream.read(4096))
    stream.seek(0)
    if said is None:
        return FileResponse(stream, as_attachment=True, filename="report.html", content_type="text/html")
    answer = FileResponse(stream, content_type="text/html; charset=utf-8")
    answer["Content-Security-Policy"] = f"{said[1].decode('ascii')}; sandbox allow-scripts allow-popups"
    return answer


@ApiCall("Withdraw a run; it stays, marked.", {200: "the state"}, record(id=text(), state=_STATE))
def withdraw(request: WorkbenchRequest, run: Run) -> HttpResponse:
    """Withdraw a run."""
    done = services.withdraw(run, actor=request.caller)
    return JsonResponse({"id": done.public_id, "state": done.shown_state})

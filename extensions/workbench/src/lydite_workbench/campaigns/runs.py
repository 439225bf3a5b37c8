"""Runs: what a team can send, accepting and withdrawing runs, their findings and scores, and their pages."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.http import FileResponse, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from lydite.errors import LyditeError
from lydite.version import __version__
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns import jobs
from lydite_workbench.campaigns.errands import MOST_FINDINGS, FindingWithLine
from lydite_workbench.campaigns.forms import RunForm, checked, on_manage_page
from lydite_workbench.campaigns.models import (
    Campaign,
    JobState,
    Phase,
    Run,
    RunState,
    Score,
    Shown,
    Team,
    Validation,
)
from lydite_workbench.campaigns.rules import (
    RunAllowance,
    RunDescription,
    phases_for_new_run,
    refuse_broken_rules,
    run_allowance,
)
from lydite_workbench.pages import page, refused_on
from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.rights import Actor, Caller, WebRequest, may_know_documents, may_see_scores, person_of
from lydite_workbench.store import Upload, path_of, stored_json
from lydite_workbench.uploads import required_file


def allowance_of(team: Team) -> RunAllowance:
    """What a team can send now; raises :class:`Refused` if no run is accepted."""
    now = timezone.now()
    return run_allowance(team, phases_for_new_run(team.campaign, now)[0], now)


def allowance_or_refusal(team: Team) -> RunAllowance | Refused:
    """What a team can send now, or why it can send nothing."""
    try:
        return allowance_of(team)
    except Refused as error:
        return error


def phases_taking_runs(campaign: Campaign) -> list[Phase]:
    """The phases that a run sent now can belong to, the default one first."""
    try:
        return phases_for_new_run(campaign, timezone.now())
    except Refused:
        return []


def accept_run(
    team: Team,
    upload: Upload,
    about: RunDescription,
    *,
    actor: Actor,
    phase: Phase | None = None,
    replaces: Run | None = None,
    now: datetime | None = None,
) -> Run:
    """Accept a run: when this returns, the run is safely stored and its validation is queued."""
    campaign = team.campaign
    if upload.size > campaign.limit_upload:
        raise too_large_refusal(campaign)
    with transaction.atomic():
        # The lock lets no other run of the team in before the transaction ends.
        locked = Team.objects.select_for_update().get(pk=team.pk)
        chosen = replaces.phase if phase is None and replaces is not None else phase
        now = now or timezone.now()
        left = run_allowance(locked, phases_for_new_run(campaign, now, chosen)[0], now)
        refuse_broken_rules(campaign, left, about)
        if replaces is not None:
            _refuse_replacing(replaces, team, left)
        locked.runs_sent += 1
        locked.save(update_fields=["runs_sent"])
        run = Run.objects.create(
            campaign=campaign,
            phase=left.phase,
            team=team,
            number=locked.runs_sent,
            file=upload.row,
            file_name=upload.safe_name,
            received=now,
            received_from=person_of(actor),
            replaces=replaces,
            **about._asdict(),
        )
        jobs.queue_validation(run)
        record(actor, "run.accept", run.public_id, campaign=campaign, team=team.slug, sha256=upload.digest)
    return run


def _refuse_replacing(replaces: Run, team: Team, left: RunAllowance) -> None:
    """Refuse unless the run to be replaced is an invalid one of the team, and its phase is still open."""
    if replaces.team_id != team.pk or replaces.state != RunState.INVALID:
        raise Refused("not-replaceable", "only an invalid run can be replaced")
    if replaces.phase_id != left.phase.pk or left.is_late:
        sentence = f"run {replaces.number} can only be replaced in its phase {replaces.phase.slug!r}, until that closes"
        raise Refused("not-replaceable", sentence)


def replaceable_runs(teams: Iterable[Team], campaign: Campaign) -> list[Run]:
    """The invalid runs of teams that can still be replaced."""
    now = timezone.now()
    invalid = campaign.runs.filter(team__in=teams, state=RunState.INVALID, phase__opens__lte=now)
    return list(invalid.filter(phase__closes__gt=now).select_related("team", "phase"))


def too_large_refusal(campaign: Campaign) -> Refused:
    """The refusal of a file that is larger than the campaign allows."""
    megabytes = campaign.limit_upload / 1_000_000
    return Refused("too-large", f"a run of this campaign can have at most {megabytes:g} MB", status=413)


def refuse_if_full(team: Team) -> None:
    """Refuse, before a file is read, a run that no file could make acceptable: no phase is open, or all runs are sent."""
    refusals: list[Refused] = []
    now = timezone.now()
    for phase in phases_for_new_run(team.campaign, now):
        left = run_allowance(team, phase, now)
        free_rank = next(rank for rank in itertools.count(1) if rank not in left.ranks_taken)
        try:
            refuse_broken_rules(team.campaign, left, RunDescription(rank=free_rank))
        except Refused as refusal:
            refusals.append(refusal)
        else:
            return
    raise refusals[0]


@transaction.atomic
def withdraw(run: Run, *, actor: Actor) -> Run:
    """Mark a run as withdrawn: it stays, but is on no later leaderboard."""
    Run.objects.filter(pk=run.pk, withdrawn__isnull=True).update(withdrawn=timezone.now())
    run.refresh_from_db()
    record(actor, "run.withdraw", run.public_id, campaign=run.campaign)
    return run


@transaction.atomic
def try_again(run: Run, *, actor: Actor) -> bool:
    """Queue the failed job of a run again; return whether there is one."""
    job = failed_job_of(validation_of(run), score_of(run))
    if job is None:
        return False
    jobs.retry(job)
    jobs.set_state(run, RunState.VALID if isinstance(job, Score) else RunState.RECEIVED)
    record(actor, "run.try-again", run.public_id, campaign=run.campaign)
    return True


@transaction.atomic
def score_again(campaign: Campaign, *, actor: Actor) -> int:
    """Queue the scoring of every valid run that has no current score; return the number of valid runs."""
    scorable = (RunState.VALID, RunState.SCORING, RunState.SCORED, RunState.FAILED)
    valid = campaign.runs.filter(withdrawn__isnull=True, state__in=scorable)
    runs = list(valid.filter(validation__job_state=JobState.DONE, validation__errors=0))
    for run in runs:
        run.campaign = campaign
        jobs.queue_score(run)
    if runs:
        record(actor, "campaign.score-again", campaign.slug, campaign=campaign, runs=len(runs))
    return len(runs)


def valid_runs(campaign: Campaign) -> list[Run]:
    """The runs of a campaign that are valid and not withdrawn."""
    valid = (RunState.VALID, RunState.SCORING, RunState.SCORED)
    return list(campaign.runs.filter(state__in=valid, withdrawn__isnull=True).select_related("team"))


def chosen_runs(campaign: Campaign, ids: Sequence[str]) -> list[Run]:
    """The valid runs with these ids; refused if one is not among them, rather than left out silently."""
    runs = [run for run in valid_runs(campaign) if run.public_id in ids]
    if len(runs) < len(set(ids)):
        raise BadInput("no-such-run", "some of these runs are not valid, or were withdrawn; choose again")
    return runs


def runs_for(caller: Caller, campaign: Campaign) -> list[Run]:
    """The runs that the caller may see: organisers all, others those of their own teams."""
    runs = Run.objects.filter(campaign=campaign).select_related("team", "phase", "campaign")
    if not caller.organises(campaign):
        runs = runs.filter(team__in=caller.teams_in(campaign))
    return list(runs)


def validation_of(run: Run) -> Validation | None:
    """The validation of a run; None if there is none yet."""
    return Validation.objects.filter(run=run).first()


def score_of(run: Run) -> Score | None:
    """The score of a run with the current gold, signature and version of lydite; None if there is none."""
    return scores_of([run]).get(run.pk)


def scores_of(runs: Sequence[Run]) -> dict[int, Score]:
    """The current scores of runs of one campaign, by the key of the run."""
    if not runs:
        return {}
    campaign = runs[0].campaign
    key = {"gold": campaign.gold_id, "signature": campaign.signature, "lydite_version": __version__}
    scores = Score.objects.filter(run__in=runs, **key)
    return {
        score.run_id: score for score in scores.select_related("run__campaign", "run__phase", "run__team")
    }


def failed_job_of(validation: Validation | None, score: Score | None) -> Validation | Score | None:
    """The job of a run that failed, if one did."""
    return next((job for job in (score, validation) if job is not None and job.reason), None)


def findings_of(validation: Validation | None, score: Score | None, caller: Caller) -> list[FindingWithLine]:
    """The findings of a run that the caller may see, from its validation and its scoring, each once."""
    findings = [*(validation.findings if validation else ())]
    return findings + [one for one in _scoring_findings(score, caller) if one not in findings]


def _scoring_findings(score: Score | None, caller: Caller) -> list[FindingWithLine]:
    """The findings of scoring that the caller may see: they tell about items of gold, as figures by document do.

    Others see the errors of a failed scoring, if teams may know which documents gold has.
    """
    if score is None or _sees_documents(caller, score.run):
        return score.findings if score else []
    shows_errors = score.job_state == JobState.FAILED and score.run.campaign.gold_documents_are_known
    return [one for one in score.findings if shows_errors and one["severity"] == "error"]


def _sees_documents(caller: Caller, run: Run) -> bool:
    """Whether the caller may see figures of a run by document."""
    allows_documents = caller.organises(run.campaign) or may_know_documents(run)
    return allows_documents and may_see_scores(caller, run, Shown.FIGURES)


def visible_headline(score: Score | None, caller: Caller) -> Score | None:
    """The score, if it is done and the caller may see its headline."""
    if score is None or score.job_state != JobState.DONE:
        return None
    return score if may_see_scores(caller, score.run, Shown.HEADLINE) else None


def headline_name(score: Score) -> str:
    """The name of the headline of a score, as reports write it."""
    from lydite.report.tables import figure_name

    return figure_name(stored_json(str(score.corpus_summary_id))["headline"])


def summary_file(score: Score | None, caller: Caller) -> str | None:
    """The hash of the summary document that the caller may see, with or without figures by document; None if neither."""
    if score is None or not may_see_scores(caller, score.run, Shown.FIGURES):
        return None
    return score.summary_id if _sees_documents(caller, score.run) else score.corpus_summary_id


def report_file(score: Score | None, caller: Caller) -> str | None:
    """The hash of the report page of a run; None if there is none or the caller may not see it."""
    return score.report_id if score and may_see_scores(caller, score.run, Shown.REPORT) else None


# --------------------------------------------------------------------------------------------------------- pages


SLACK = 1_000_000
"""Bytes of a request beside its file."""


def accept_sent_run(request: WebRequest, campaign: Campaign) -> Run:
    """Accept the run that a form sends; what no file could make acceptable is refused before that is read."""
    if int(request.META.get("CONTENT_LENGTH") or "0") > campaign.limit_upload + SLACK:
        raise too_large_refusal(campaign)
    teams = request.caller.teams_in(campaign)
    if len(teams) == 1:
        refuse_if_full(teams[0])
    team = _team(request, teams)
    upload, about = required_file(request), RunDescription(**checked(RunForm(request.POST)))
    phase = phase_named(campaign, request.POST.get("phase", ""))
    replaces = _run_to_replace(team, request.POST.get("replaces", ""))
    return accept_run(team, upload, about, actor=request.caller, phase=phase, replaces=replaces)


def phase_named(campaign: Campaign, slug: str) -> Phase | None:
    """The phase with that short name; None if no name is given."""
    if not slug:
        return None
    phase = campaign.phases.filter(slug=slug).first()
    if phase is None:
        raise BadInput("no-such-phase", f"the campaign has no phase {slug!r}")
    return phase


def _team(request: WebRequest, teams: list[Team]) -> Team:
    slug = request.POST.get("team", "")
    matching = [team for team in teams if team.slug == slug] if slug else teams
    if len(matching) != 1:
        raise BadInput("which-team", f"which team sends the run? {', '.join(team.slug for team in teams)}")
    return matching[0]


def _run_to_replace(team: Team, public_id: str) -> Run | None:
    if not public_id:
        return None
    run = Run.objects.filter(team=team, public_id=public_id).first()
    if run is None:
        raise BadInput("no-such-run", "the run to be replaced is not a run of the team")
    return run


UNFINISHED = frozenset({RunState.RECEIVED, RunState.VALIDATING, RunState.VALID, RunState.SCORING})
"""States of a run that still change by themselves."""


def run_lines(request: WebRequest, runs: Sequence[Run]) -> list[dict[str, object]]:
    """Runs, each with the headline if the caller may see it."""
    scores, caller = scores_of(runs), request.caller
    return [{"run": run, "headline": visible_headline(scores.get(run.pk), caller)} for run in runs]


def _send_form(request: WebRequest, campaign: Campaign, error: LyditeError | None = None) -> HttpResponse:
    teams = request.caller.teams_in(campaign)
    replaceable = replaceable_runs(teams, campaign)
    replaced = next((run for run in replaceable if run.public_id == request.GET.get("replaces")), None)
    chosen = {"replaces": replaced.public_id, "phase": replaced.phase.slug} if replaced else {}
    context = {
        "campaign": campaign,
        "teams": [(team, allowance_or_refusal(team)) for team in teams],
        "phases": phases_taking_runs(campaign),
        "replaceable": replaceable,
        "fields": request.POST if error is not None else chosen,
    }
    return page(request, "campaigns/send.html", context, refusal=error)


@refused_on(_send_form)
def send_view(request: WebRequest, campaign: Campaign) -> HttpResponse:
    """The form for a run, which says before a file is sent what the team can send; and its answer."""
    if request.method != "POST":
        return _send_form(request, campaign)
    return redirect("campaigns:run", run=accept_sent_run(request, campaign).public_id)


def run_view(request: WebRequest, run: Run, error: LyditeError | None = None) -> HttpResponse:
    """A run with its state, findings and figures; the state reloads itself."""
    return page(request, "campaigns/run.html", _run_context(request, run), refusal=error)


def run_state_view(request: WebRequest, run: Run) -> HttpResponse:
    """The part of the page of a run that changes by itself."""
    return page(request, "campaigns/run_state.html", _run_context(request, run))


def _run_context(request: WebRequest, run: Run) -> dict[str, object]:
    validation, score = validation_of(run), score_of(run)
    caller = request.caller
    organises = caller.organises(run.campaign)
    failed = failed_job_of(validation, score)
    headline = visible_headline(score, caller)
    rows = _figures(summary_file(score, caller))
    return {
        "run": run,
        "campaign": run.campaign,
        "validation": validation,
        "failed": failed,
        "organises": organises,
        "findings": findings_of(validation, score, caller),
        "is_cut": validation is not None and len(validation.findings) == MOST_FINDINGS,
        "headline": headline,
        "headline_name": headline and headline_name(headline),
        "is_outdated": score is None and run.state == RunState.SCORED and not run.withdrawn,
        "rows": rows,
        "has_values": any(row["value"] is not None for row in rows),
        "has_report": report_file(score, caller) is not None,
        # The message may tell about gold.
        "why_no_report": score.report_message if score and organises else "",
        "unfinished": run.state in UNFINISHED and not (run.withdrawn or failed or run.waits_for_gold),
        "is_replaceable": run in replaceable_runs(caller.teams_in(run.campaign), run.campaign),
    }


def _figures(summary: str | None) -> list[dict[str, object]]:
    """The rows of a stored summary for the whole corpus, if there is a summary."""
    rows: list[dict[str, object]] = stored_json(summary)["scores"] if summary else []
    return [row for row in rows if row["scope"] == "corpus" and not row["by"]]


def withdraw_view(request: WebRequest, run: Run) -> HttpResponse:
    """Withdraw a run."""
    withdraw(run, actor=request.caller)
    return redirect("campaigns:run", run=run.public_id)


@refused_on(run_view, "run")
def try_again_view(request: WebRequest, run: Run) -> HttpResponse:
    """Queue the failed job of a run again."""
    if not try_again(run, actor=request.caller):
        raise Refused("not-failed", "no job of this run has failed")
    return redirect("campaigns:run", run=run.public_id)


def run_file_view(request: WebRequest, run: Run) -> FileResponse:  # noqa: ARG001 - what the table of URLs gives
    """Download the file of a run as it was sent."""
    stream, kind = path_of(run.file_id).open("rb"), "application/octet-stream"
    return FileResponse(stream, as_attachment=True, filename=run.file_name, content_type=kind)


@on_manage_page
def score_again_view(request: WebRequest, campaign: Campaign) -> None:
    """Queue the scoring of all runs that have no current score."""
    score_again(campaign, actor=request.caller)

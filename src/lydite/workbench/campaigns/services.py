"""Campaigns, teams, runs, golds, leaderboards, messages: everything that is done with them.

The only door of this app to the library, through the errands that jobs send.  A function changes rows in one
transaction, writes the audit log in it, and raises :class:`Refused` where a rule is broken.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import CharField, Max, Model
from django.utils import timezone
from django.utils.text import slugify

from lydite.errors import FindingDocument
from lydite.escaping import is_utf_8
from lydite.formats.taxonomy import taxonomy_names
from lydite.grouping import grouped
from lydite.model.comparison import FigureName
from lydite.numerals import is_whole
from lydite.records import NamedTuple
from lydite.tasks import TASKS
from lydite.version import __version__
from lydite.workbench.accounts.models import CampaignRole, Role
from lydite.workbench.accounts.services import record
from lydite.workbench.campaigns import jobs
from lydite.workbench.campaigns.errands import Told, ToldFinding
from lydite.workbench.campaigns.jobs import errand_for
from lydite.workbench.campaigns.limited import folder_for, send
from lydite.workbench.campaigns.models import (
    BoardNames,
    BoardOf,
    BoardView,
    Campaign,
    CampaignFile,
    GoldDifference,
    GoldVersion,
    JobState,
    LeaderboardVersion,
    Message,
    Phase,
    Run,
    RunState,
    Score,
    Shown,
    Team,
    Validation,
)
from lydite.workbench.campaigns.rules import About, Standing, check, phases_taking, standing
from lydite.workbench.logs import log
from lydite.workbench.problems import Refused, no_text, one_line, refuse_hidden
from lydite.workbench.rights import SEE_CAMPAIGN, Actor, Caller, is_shown, may, person_of, tells_documents
from lydite.workbench.store import Upload, json_in, path_under_name

# ----------------------------------------------------------------------------------------------------- campaigns


def campaigns_for(caller: Caller) -> list[Campaign]:
    """The campaigns that the caller may see, the newest first."""
    every = Campaign.objects.prefetch_related("phases").order_by("-created", "slug")
    return [campaign for campaign in every if may(caller, SEE_CAMPAIGN, campaign)]


class NewCampaign(NamedTuple):
    """A campaign as the organiser says it: rows that are not stored yet, and ``files`` by the settings that name them."""

    campaign: Campaign
    gold: Upload | None = None
    files: Mapping[str, Upload] = {}
    phases: Sequence[Phase] = ()


def refuse_slug(slug: str) -> None:
    """Refuse a short name that would be written otherwise in a URL."""
    if slugify(slug) != slug or not slug:
        raise Refused("bad-slug", f"{slug!r}: lower-case letters, digits and - alone", status=400)


def create_campaign(new: NewCampaign, *, actor: Actor) -> Campaign:
    """A campaign, if its task, settings and gold are sound; whoever made it is its organiser."""
    campaign = new.campaign
    refuse_slug(campaign.slug)
    # The library takes both spellings; rules on settings, and declarations, know one.
    campaign.settings = {name.replace("_", "-"): value for name, value in campaign.settings.items()}
    _refuse_what_no_document_has(campaign)
    _refuse_places(new)
    _refuse_words(campaign, ("slug", "title", "task", "format", "board_of"))
    _refuse_limits(campaign)
    files = [
        CampaignFile(setting=setting, name=upload.safe_name, file_id=upload.digest)
        for setting, upload in new.files.items()
    ]
    told = check_gold(campaign, new.gold, files)
    campaign.signature, campaign.profile = told["signature"], told["profile"]
    _refuse_words(campaign, ("profile", "signature"))
    _refuse_settings_of_profiles(campaign)
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
    """Where the file lies that came with the campaign for a setting, if one did."""
    held = campaign.held_files.get(setting)
    return None if held is None else str(path_under_name(held.file_id, held.name))


def profile_of(campaign: Campaign) -> str:
    """The profile as the library takes it: its name, or the path of the file that came with the campaign."""
    return file_of(campaign, "profile") or campaign.profile


def change_campaign(campaign: Campaign, *, actor: Actor, **changes: object) -> None:
    """Change what a campaign is called, who sees it, its leaderboards and limits; the log has what it was before."""
    # Nobody waits for the database while the library looks at gold.
    if changes.get("figures", campaign.figures) != campaign.figures:
        asked = Campaign.objects.select_related("gold__file").get(pk=campaign.pk)
        asked.figures = changes["figures"]
        check_gold(asked, None if asked.gold is None else Upload.of(asked.gold.file, asked.gold.name))
    _change_campaign(campaign, changes, actor)


@transaction.atomic
def _change_campaign(campaign: Campaign, changes: Mapping[str, object], actor: Actor) -> None:
    # The row of the caller may be older than its gold, and is shown where something is refused.
    changed = Campaign.objects.select_for_update().get(pk=campaign.pk)
    before = _take(changed, changes)
    if not changed.title:
        raise Refused("bad-campaign", "a campaign has a title", status=400)
    _refuse_limits(changed)
    _refuse_words(changed, changes)
    changed.save(update_fields=[*changes])
    record(actor, "campaign.change", changed.slug, campaign=changed, before=before)


def _take(row: Campaign | Phase, changes: Mapping[str, object]) -> dict[str, str]:
    """Give a row other values; what it had before."""
    before = {name: str(getattr(row, name)) for name in changes}
    for name, value in changes.items():
        setattr(row, name, value)
    return before


LIMITS = {
    "limit_seconds": 10**7,
    "limit_megabytes": 10**7,
    "limit_processes": 10**4,
    "limit_upload": 10**12,
}
"""What a campaign may allow its jobs, and the most of it that means anything."""


def _refuse_limits(campaign: Campaign) -> None:
    for name, most in LIMITS.items():
        value = getattr(campaign, name)
        if not (is_whole(value) and 1 <= value <= most):
            sentence = (
                f"{name.replace('_', ' of ')}: expected a whole number from 1 to {most}, found {value!r}"
            )
            raise Refused("bad-limit", sentence, status=400)


def _refuse_what_no_document_has(campaign: Campaign) -> None:
    """Settings and figures are kept as JSON; TOML can say more than that."""
    try:
        json.dumps([campaign.settings, campaign.figures], allow_nan=False)
    except (TypeError, ValueError):
        sentence = "settings: expected texts, numbers, true or false, and lists of them"
        raise Refused("bad-settings", sentence, status=400) from None
    if wrong := no_text([campaign.settings, campaign.figures]):
        raise Refused("bad-settings", f"settings: {wrong}", status=400)


def _refuse_places(new: NewCampaign) -> None:
    """Files are given to the workbench: a setting that names one would let it read what lies on its own disk."""
    declared = TASKS[new.campaign.task].settings.declared
    for name, value in {"profile": new.campaign.profile, **new.campaign.settings}.items():
        words = value if isinstance(value, list | tuple) else [value]
        is_path = name in declared and declared[name].kind == "path"
        is_other_taxonomy = name in declared and name == "taxonomy" and value not in taxonomy_names()
        names_file = bool(value) and (is_path or is_other_taxonomy)
        leads = names_file or any(isinstance(word, str) and _leads_elsewhere(word) for word in words)
        if name not in new.files and leads:
            sentence = (
                f"{name}: the workbench takes files that are sent to it, not places on its own disk; "
                "lydite workbench create-campaign takes a declaration with the files that it names"
            )
            raise Refused("bad-settings", sentence, status=400)


def _refuse_settings_of_profiles(campaign: Campaign) -> None:
    """Settings are as for the command: with what it cannot be told, nobody could score as the workbench does."""
    declared = TASKS[campaign.task].settings.declared
    for name in campaign.settings:
        if not declared[name].flag or declared[name].kind == "table":
            sentence = f"{name}: only a profile sets it; write one that extends {campaign.profile}, and name its file"
            raise Refused("bad-settings", sentence, status=400)


def _leads_elsewhere(word: str) -> bool:
    place = PurePosixPath(word.replace("\\", "/"))
    return place.is_absolute() or ".." in place.parts


def check_gold(campaign: Campaign, gold: Upload | None, files: Sequence[CampaignFile] | None = None) -> Told:
    """Ask the library whether task, profile, settings, gold and figures are sound, and how it signs them."""
    golds = {"gold": GoldVersion(file_id=gold.digest, name=gold.safe_name) if gold else None}
    errand, links = errand_for(campaign, "check-and-sign", golds, {}, files)
    with folder_for(links) as folder:
        outcome = send(errand._replace(figures=campaign.figures), folder)
    if outcome.what != "done":
        log("gold or settings refused", outcome=outcome.what, said=outcome.said)
        raise refusal_of(outcome.what, outcome.told)
    return outcome.told


def refusal_of(what: str, told: Told) -> Refused:
    """Why gold or settings cannot be taken."""
    lines = [
        _finding_as_text(finding)
        for finding in told.get("findings", [])[:5]
        if finding["severity"] == "error"
    ]
    sentence = {
        "refused": "gold is not sound: " + "; ".join(lines or [str(told.get("message", ""))]),
        "settings": str(told.get("message", "")),
        "timeout": "checking gold took longer than the limit of the campaign",
        "memory": "checking gold needed more memory than the limit of the campaign",
    }.get(what, "gold could not be checked; the log of the server has more")
    return Refused("bad-campaign", sentence, status=400)


def _finding_as_text(finding: FindingDocument) -> str:
    place = ":".join(str(finding[key]) for key in ("path", "line", "column") if finding.get(key))
    return f"{place.removeprefix('.gold/')}: {finding['message']} [{finding['code']}]"


@transaction.atomic
def add_phase(campaign: Campaign, phase: Phase, *, actor: Actor) -> None:
    """A window for runs, after those that there are."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if campaign.phases.filter(slug=phase.slug).exists():
        raise Refused("slug-taken", f"there is a phase {phase.slug!r} already")
    phase.campaign, phase.position = campaign, campaign.phases.count()
    _refuse_impossible(phase)
    phase.save()
    record(actor, "phase.add", phase.slug, campaign=campaign, closes=phase.closes.isoformat())


YEARS = range(1900, 9999)
"""In which a phase may lie, in UTC: every zone can show their instants."""


def _refuse_impossible(phase: Phase) -> None:
    ends = (phase.opens, phase.closes)
    # What has no such year in its own zone may have none at all in another.
    if any(one.year not in YEARS or one.astimezone(UTC).year not in YEARS for one in ends):
        sentence = f"phase {phase.slug!r}: expected a year from {YEARS[0]} to {YEARS[-1]}"
        raise Refused("bad-phase", sentence, status=400)
    if phase.opens >= phase.closes:
        raise Refused("bad-phase", f"phase {phase.slug!r} closes before it opens", status=400)
    if phase.rejected_per_team == 0:
        sentence = f"phase {phase.slug!r}: at least one upload of a team may turn out invalid, or none could be taken"
        raise Refused("bad-phase", sentence, status=400)
    if phase.is_test and phase.teams_see == Shown.REPORT:
        sentence = (
            f"phase {phase.slug!r}: report pages have figures by document, which a test phase keeps back"
        )
        raise Refused("bad-phase", sentence, status=400)
    _refuse_words(phase, {field.name for field in Phase._meta.fields} - {"campaign"})  # noqa: SLF001 - Django's public name


def _refuse_words(row: Model, names: Iterable[str]) -> None:
    """Refuse what the fields of a row do not take: a word that is too long or no choice, a short name with blanks."""
    others = {field.name for field in row._meta.fields} - {*names}  # noqa: SLF001 - Django's public name for it
    for name in names:
        said = str(getattr(row, name))
        if not is_utf_8(said):
            raise Refused("bad-words", f"{name}: expected text that UTF-8 can hold", status=400)
        field = row._meta.get_field(name)  # noqa: SLF001 - Django's public name for it
        if isinstance(field, CharField):
            refuse_hidden(name, said)
            if not (said.strip() or field.blank):
                raise Refused("bad-words", f"{name}: expected something to read", status=400)
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        told = "; ".join(f"{name}: {' '.join(said)}" for name, said in error.message_dict.items())
        raise Refused("bad-words", told, status=400) from None


@transaction.atomic
def change_phase(phase: Phase, *, actor: Actor, **changes: object) -> Phase:
    """Change a phase: another deadline, what teams see; the log has what it was before."""
    before = _take(phase, changes)
    _refuse_impossible(phase)
    phase.save()
    record(actor, "phase.change", phase.slug, campaign=phase.campaign, before=before)
    return phase


LONGEST_SLUG = 60


@transaction.atomic
def add_team(campaign: Campaign, name: str, *, slug: str = "", actor: Actor) -> Team:
    """A team that takes part."""
    # What is made from a long name is cut; what was said is not.
    word = slug or slugify(name)[:LONGEST_SLUG].rstrip("-")
    if not word:
        raise Refused("bad-slug", f"{name!r} gives no short name; say one of letters and digits", status=400)
    # One after the other: what is free here is still so when the transaction ends.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if Team.objects.filter(campaign=campaign, slug=word).exists():
        raise Refused("team-exists", f"there is a team {word!r} already")
    team = Team(campaign=campaign, slug=word, name=name)
    _refuse_words(team, ("slug", "name"))
    team.save()
    record(actor, "team.add", team.slug, campaign=campaign)
    return team


# ---------------------------------------------------------------------------------------------------------- runs


def standing_of(team: Team) -> Standing:
    """What a team has left now; raises :class:`Refused` if no run is taken."""
    now = timezone.now()
    return standing(team, phases_taking(team.campaign, now)[0], now)


def phases_taking_runs(campaign: Campaign) -> list[Phase]:
    """The phases that a run sent now may belong to; the one that it belongs to if none is named stands first."""
    try:
        return phases_taking(campaign, timezone.now())
    except Refused:
        return []


def accept_run(
    team: Team,
    upload: Upload,
    about: About,
    *,
    actor: Actor,
    phase: Phase | None = None,
    replaces: Run | None = None,
    now: datetime | None = None,
) -> Run:
    """Take a run in; when this returns, it cannot be lost any more, and its validation waits."""
    campaign = team.campaign
    if upload.size > campaign.limit_upload:
        raise too_large(campaign)
    with transaction.atomic():
        # One run of a team after the other: what is counted here is still so when the transaction ends.
        locked = Team.objects.select_for_update().get(pk=team.pk)
        wanted = replaces.phase if phase is None and replaces is not None else phase
        now = now or timezone.now()
        left = standing(locked, phases_taking(campaign, now, wanted)[0], now)
        check(campaign, left, about)
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


def _refuse_replacing(replaces: Run, team: Team, left: Standing) -> None:
    """An invalid run of the team can be replaced in its own phase, until that closes."""
    if replaces.team_id != team.pk or replaces.state != RunState.INVALID:
        raise Refused("not-replaceable", "only an invalid run can be replaced")
    if replaces.phase_id != left.phase.pk or left.is_late:
        own = f"run {replaces.number} can be replaced in its own phase {replaces.phase.slug!r} alone"
        raise Refused("not-replaceable", f"{own}, until that closes")


def replaceable_runs(teams: Iterable[Team], campaign: Campaign) -> list[Run]:
    """The invalid runs of teams that can still be replaced."""
    now = timezone.now()
    found = campaign.runs.filter(team__in=teams, state=RunState.INVALID, phase__opens__lte=now)
    return list(found.filter(phase__closes__gt=now).select_related("team", "phase"))


def too_large(campaign: Campaign) -> Refused:
    """That a file is larger than the campaign takes."""
    megabytes = campaign.limit_upload / 1_000_000
    return Refused("too-large", f"a run of this campaign has at most {megabytes:g} MB", status=413)


def refuse_if_full(team: Team) -> None:
    """Refuse before a file is read what would be refused whatever is in it: no phase is open, all runs were sent."""
    refusals: list[Refused] = []
    now = timezone.now()
    for phase in phases_taking(team.campaign, now):
        left = standing(team, phase, now)
        free_rank = next(rank for rank in itertools.count(1) if rank not in left.ranks_taken)
        try:
            check(team.campaign, left, About(rank=free_rank))
        except Refused as refusal:
            refusals.append(refusal)
        else:
            return
    raise refusals[0]


@transaction.atomic
def withdraw(run: Run, *, actor: Actor) -> Run:
    """Mark a run as withdrawn: it stays, but is on no leaderboard to come."""
    Run.objects.filter(pk=run.pk, withdrawn__isnull=True).update(withdrawn=timezone.now())
    run.refresh_from_db()
    record(actor, "run.withdraw", run.public_id, campaign=run.campaign)
    return run


@transaction.atomic
def try_again(run: Run, *, actor: Actor) -> bool:
    """Let the job of a run that failed be done again; whether there was one."""
    job = failed_job_of(validation_of(run), score_of(run))
    if job is None:
        return False
    jobs.retry(job)
    jobs.set_state(run, RunState.VALID if isinstance(job, Score) else RunState.RECEIVED)
    record(actor, "run.try-again", run.public_id, campaign=run.campaign)
    return True


def valid_runs(campaign: Campaign) -> list[Run]:
    """The runs whose answers can be looked at: valid, and not withdrawn."""
    valid = (RunState.VALID, RunState.SCORING, RunState.SCORED)
    return list(campaign.runs.filter(state__in=valid, withdrawn__isnull=True).select_related("team"))


def chosen_runs(campaign: Campaign, names: Sequence[str]) -> list[Run]:
    """Of these the runs of some ids; refused where one is none, for it would be left out without a word."""
    found = [run for run in valid_runs(campaign) if run.public_id in names]
    if len(found) < len(set(names)):
        sentence = "some of these are no valid runs of this campaign, or were withdrawn; choose again"
        raise Refused("no-such-run", sentence, status=400)
    return found


def runs_for(caller: Caller, campaign: Campaign) -> list[Run]:
    """The runs that the caller may see: all for organisers, those of the own teams for others."""
    runs = Run.objects.filter(campaign=campaign).select_related("team", "phase", "campaign")
    if not caller.organises(campaign):
        runs = runs.filter(team__in=caller.teams_in(campaign))
    return list(runs)


def validation_of(run: Run) -> Validation | None:
    """The check of a run."""
    return Validation.objects.filter(run=run).first()


def score_of(run: Run) -> Score | None:
    """The score of a run under what counts now; None if it was not scored so."""
    return scores_of([run]).get(run.pk)


def scores_of(runs: Sequence[Run]) -> dict[int, Score]:
    """The scores of runs of one campaign under what counts now, by the key of the run."""
    if not runs:
        return {}
    campaign = runs[0].campaign
    key = {"gold": campaign.gold_id, "signature": campaign.signature, "lydite_version": __version__}
    found = Score.objects.filter(run__in=runs, **key)
    return {score.run_id: score for score in found.select_related("run__campaign", "run__phase", "run__team")}


def failed_job_of(validation: Validation | None, score: Score | None) -> Validation | Score | None:
    """What could not be done of a run, with its reason."""
    return next((job for job in (score, validation) if job is not None and job.reason), None)


def findings_of(validation: Validation | None, score: Score | None, caller: Caller) -> list[ToldFinding]:
    """What was found in a run, as far as the caller may know: at its validation, and when it was scored; each once."""
    found = [*(validation.findings if validation else ())]
    return found + [one for one in _found_beside_gold(score, caller) if one not in found]


def _found_beside_gold(score: Score | None, caller: Caller) -> list[ToldFinding]:
    """What came up when a run was scored: it tells which items gold has, as figures by document do.

    Who does not see these is told why the run was refused, if it may be known what documents gold has.
    """
    if score is None or _sees_documents(caller, score.run):
        return score.findings if score else []
    is_told = score.job_state == JobState.FAILED and score.run.campaign.gold_documents_are_known
    return [one for one in score.findings if is_told and one["severity"] == "error"]


def _sees_documents(caller: Caller, run: Run) -> bool:
    """Whether the caller sees figures by document."""
    may_be_seen = caller.organises(run.campaign) or tells_documents(run)
    return may_be_seen and is_shown(caller, run, Shown.FIGURES)


def headline_of(score: Score | None, caller: Caller) -> Score | None:
    """The score whose headline the caller may see, with what it can still become; if the run is scored."""
    if score is None or score.job_state != JobState.DONE:
        return None
    return score if is_shown(caller, score.run, Shown.HEADLINE) else None


def headline_name(score: Score) -> str:
    """What reports call the headline of a score; its summary knows what the name of the figure is made of."""
    from lydite.report.tables import figure_name

    return figure_name(json_in(str(score.corpus_summary_id))["headline"])


def summary_file(score: Score | None, caller: Caller) -> str | None:
    """The hash of the summary document, if the caller may see it, as far as that is so."""
    if score is None or not is_shown(caller, score.run, Shown.FIGURES):
        return None
    return score.summary_id if _sees_documents(caller, score.run) else score.corpus_summary_id


def report_file(score: Score | None, caller: Caller) -> str | None:
    """The hash of the page of a run, if there is one and the caller may see it."""
    return score.report_id if score and is_shown(caller, score.run, Shown.REPORT) else None


# ---------------------------------------------------------------------------------------------------------- gold


def replace_gold(
    campaign: Campaign, upload: Upload, *, note: str, actor: Actor, is_checked: bool = False
) -> GoldVersion:
    """A new version of gold, if it is sound: everything is scored again, and compared with what was before."""
    if not is_checked:
        check_gold(campaign, upload)
    with transaction.atomic():
        locked = Campaign.objects.select_for_update().get(pk=campaign.pk)
        before = locked.gold
        number = (locked.golds.aggregate(last=Max("number"))["last"] or 0) + 1
        gold = GoldVersion.objects.create(
            campaign=locked,
            number=number,
            name=upload.safe_name,
            file=upload.row,
            note=note,
            created_by=person_of(actor),
        )
        Campaign.objects.filter(pk=campaign.pk).update(gold=gold)
        campaign.gold = gold
        record(actor, "gold.replace", f"gold {number}", campaign=campaign, sha256=upload.digest, note=note)
        runs = score_again(campaign, actor=actor)
        if before is not None and runs:
            GoldDifference.objects.create(
                campaign=campaign,
                before=before,
                after=gold,
                signature=campaign.signature,
                lydite_version=__version__,
            )
    return gold


@transaction.atomic
def score_again(campaign: Campaign, *, actor: Actor) -> int:
    """Score every valid run under what counts now, where that was not done; how many they are."""
    scorable = (RunState.VALID, RunState.SCORING, RunState.SCORED, RunState.FAILED)
    valid = campaign.runs.filter(withdrawn__isnull=True, state__in=scorable)
    runs = list(valid.filter(validation__job_state=JobState.DONE, validation__errors=0))
    for run in runs:
        run.campaign = campaign
        jobs.queue_score(run)
    if runs:
        record(actor, "campaign.score-again", campaign.slug, campaign=campaign, runs=len(runs))
    return len(runs)


def difference_of(gold: GoldVersion) -> GoldDifference | None:
    """What a version of gold changed, if it was compared with the one before."""
    return GoldDifference.objects.filter(after=gold).first()


class Change(NamedTuple):
    """What a new gold changed for one run; items are counted, not told: they are gold."""

    run: Run
    before: float | None
    after: float | None
    rank_before: int
    rank_after: int
    items: Mapping[str, int]
    """``now right``, ``now wrong``, ``new in gold``, ``no longer in gold``: how many."""


def changes_of(difference: GoldDifference) -> list[Change]:
    """What the difference is for each run, best first as it is now."""
    if difference.document_id is None:
        return []
    golds = json_in(difference.document_id)["golds"]
    changes = grouped((item["system"], item["change"]) for item in golds["changes"])
    runs = {run.label: run for run in difference.campaign.runs.select_related("team", "phase")}
    return [
        Change(
            runs[row["system"]],
            row["before"],
            row["after"],
            row["rank_before"],
            row["rank_after"],
            dict(Counter(changes.get(row["system"], ()))),
        )
        for row in golds["systems"]
    ]


@transaction.atomic
def send_differences(difference: GoldDifference, *, actor: Actor) -> list[Message]:
    """Send each team its part of what a new gold changed, once, as far as the phase lets it see figures."""
    if not GoldDifference.objects.filter(pk=difference.pk, told__isnull=True).update(told=timezone.now()):
        raise Refused("was-sent", "each team was sent its part already")
    by_team = grouped((change.run.team, change) for change in changes_of(difference))
    subject = f"Gold {difference.after.number} replaces gold {difference.before.number}"
    return [
        send_message(
            difference.campaign, subject, "\n".join(map(_change_as_text, changes)), team=team, actor=actor
        )
        for team, changes in by_team.items()
    ]


def _change_as_text(change: Change) -> str:
    figures = [_percent(value) for value in (change.before, change.after)]
    items = ", ".join(f"{count} {name}" for name, count in sorted(change.items.items())) or "no item changed"
    title = f" ({change.run.title})" if change.run.title else ""
    if change.run.phase.teams_see == Shown.NOTHING:
        return f"Run {change.run.number}{title} was scored again."
    return f"Run {change.run.number}{title}: {figures[0]} before, {figures[1]} now; {items}."


def _percent(value: float | None) -> str:
    from lydite.report.tables import percent

    return "undefined" if value is None else percent(value)


# -------------------------------------------------------------------------------------------------- leaderboards


def board_candidates(phase: Phase) -> list[Run]:
    """The runs that a leaderboard of the phase has: valid, not withdrawn, of each team its best-ranked one or all."""
    runs = [run for run in valid_runs(phase.campaign) if run.phase_id == phase.pk]
    if phase.campaign.board_of == BoardOf.ALL:
        return runs
    return [min(of_team, key=_preference) for of_team in grouped((run.team_id, run) for run in runs).values()]


def _preference(run: Run) -> tuple[bool, int, int]:
    """By the team's own rank; without one, the last run counts."""
    return run.rank is None, run.rank or 0, -run.number


def unscored(campaign: Campaign) -> int:
    """How many valid runs wait for no score and have none under what counts now, as after an upgrade of lydite."""
    runs = valid_runs(campaign) if campaign.gold_id is not None else []
    return len(runs) - len(scores_of(runs))


def scored_again(campaign: Campaign) -> int:
    """How many runs are being scored under what counts now: while there are some, a leaderboard is of the past."""
    return Score.objects.filter(
        run__campaign=campaign,
        gold=campaign.gold,
        signature=campaign.signature,
        job_state__in=(JobState.WAITING, JobState.RUNNING),
    ).count()


@transaction.atomic
def draft_board(phase: Phase, *, actor: Actor, note: str = "") -> LeaderboardVersion:
    """Let the runs of a phase be compared; the draft is seen by organisers alone."""
    phase.campaign = campaign = Campaign.objects.select_for_update().get(pk=phase.campaign_id)
    runs = board_candidates(phase)
    if not runs or campaign.gold is None:
        raise Refused("no-runs", "no run of this phase is scored yet")
    scores = scores_of(runs)
    waiting = [run for run in runs if run.pk not in scores or scores[run.pk].job_state != JobState.DONE]
    if waiting:
        # Without them another run of the team, or none of it, would stand there.
        labels = ", ".join(run.label for run in waiting)
        raise Refused("not-scored", f"these runs are not scored with what counts now: {labels}")
    number = (campaign.boards.aggregate(last=Max("number"))["last"] or 0) + 1
    board = LeaderboardVersion.objects.create(
        campaign=campaign,
        phase=phase,
        number=number,
        gold=campaign.gold,
        signature=campaign.signature,
        lydite_version=__version__,
        names=phase.board if phase.board in BoardView.values else BoardView.NAMES,
        note=note,
    )
    board.runs.set(runs)
    record(actor, "board.draft", f"leaderboard {number}", campaign=campaign, runs=[run.label for run in runs])
    return board


@transaction.atomic
def publish_board(board: LeaderboardVersion, *, actor: Actor, names: str | None = None) -> LeaderboardVersion:
    """Show a leaderboard to everybody who sees the campaign, under names or letters; an explicit act."""
    locked = LeaderboardVersion.objects.select_for_update().get(pk=board.pk)
    if locked.job_state != JobState.DONE:
        raise Refused("not-ready", "this leaderboard is not made yet")
    if locked.phase.board == BoardNames.NONE:
        raise Refused("no-board", "this phase has no public leaderboard")
    gone = ", ".join(run.label for run in locked.runs.filter(withdrawn__isnull=False).select_related("team"))
    if gone:
        raise Refused(
            "withdrawn", f"these runs were withdrawn since it was made: {gone}; compare the runs again"
        )
    chosen = names or locked.phase.board
    if chosen not in BoardView.values:
        raise Refused(
            "bad-view", f"a leaderboard is published with names or letters, not {chosen!r}", status=400
        )
    locked.names = chosen
    locked.published = timezone.now()
    locked.save(update_fields=["names", "published"])
    record(actor, "board.publish", f"leaderboard {locked.number}", campaign=locked.campaign, names=chosen)
    return locked


@transaction.atomic
def retract_board(board: LeaderboardVersion, *, actor: Actor) -> LeaderboardVersion:
    """Take a leaderboard back; it stays as a draft, and the log says that it was public."""
    LeaderboardVersion.objects.filter(pk=board.pk).update(published=None)
    board.refresh_from_db()
    record(actor, "board.retract", f"leaderboard {board.number}", campaign=board.campaign)
    return board


def boards_of(campaign: Campaign) -> Iterable[LeaderboardVersion]:
    """Every version of the leaderboards of a campaign, the newest first, without what it shows."""
    return campaign.boards.select_related("phase", "gold").defer("tables")


def published_board(campaign: Campaign, phase: Phase | None = None) -> LeaderboardVersion | None:
    """The leaderboard that counts: the one that was published last."""
    boards = campaign.boards.filter(published__isnull=False)
    if phase is not None:
        boards = boards.filter(phase=phase)
    return boards.order_by("-published", "-number").first()


def comparisons_of(board: LeaderboardVersion, view: str | None = None) -> list[dict[str, Any]]:
    """``lydite.comparison/1`` of each figure, the headline first, under names or letters."""
    if board.document_id is None:
        return []
    document = json_in(board.document_id)
    found: list[dict[str, Any]] = document["views"][view or board.names]
    return found


class BoardRow(NamedTuple):
    """A line of a leaderboard: the place as the comparison has it, the run, and the other figures."""

    place: Mapping[str, Any]
    run: Run
    others: Mapping[str, Mapping[str, Any]]
    """Name of a figure → the place by it."""
    unjudged: Score | None = None
    """Where not all answers of the run are judged: its score, with the worst and the best that can come of it."""


def board_rows(board: LeaderboardVersion, view: str | None = None) -> list[BoardRow]:
    """The lines of a leaderboard, best first, with the runs behind them (their flags may be shown, not who they are)."""
    if board.document_id is None:
        return []
    document = json_in(board.document_id)
    chosen = view or board.names
    labels = {shown: label for label, shown in document["names"][chosen].items()}
    runs = {run.label: run for run in board.runs.select_related("team", "phase")}
    first, *others = document["views"][chosen]
    open_ = _unjudged(board)
    by_figure = {
        str(FigureName(**one["figure"])): {place["system"]: place for place in one["systems"]}
        for one in others
    }
    return [
        BoardRow(
            place,
            runs[labels[place["system"]]],
            {name: places[place["system"]] for name, places in by_figure.items()},
            open_.get(labels[place["system"]]),
        )
        for place in first["systems"]
    ]


def _unjudged(board: LeaderboardVersion) -> dict[str, Score]:
    """Of the runs of a leaderboard those with answers that nobody has judged, by label."""
    scores = Score.objects.filter(
        run__in=board.runs.all(),
        gold=board.gold,
        signature=board.signature,
        lydite_version=board.lydite_version,
        optimistic__isnull=False,
    )
    return {score.run.label: score for score in scores.select_related("run__team")}


# ------------------------------------------------------------------------------------------------------ messages


@transaction.atomic
def send_message(
    campaign: Campaign,
    subject: str,
    text: str,
    *,
    team: Team | None = None,
    actor: Actor,
) -> Message:
    """A word to one team, or to all; it is shown here and nowhere else."""
    message = Message.objects.create(
        campaign=campaign,
        team=team,
        subject=one_line("subject", subject, 200),
        text=text,
    )
    record(actor, "message.send", message.public_id, campaign=campaign, team=team.slug if team else "all")
    return message


def messages_for(caller: Caller, campaign: Campaign) -> list[Message]:
    """The messages that the caller may read: all for organisers, those to the own teams and to all for teams."""
    messages = Message.objects.filter(campaign=campaign).select_related("team", "run")
    if caller.organises(campaign):
        return list(messages)
    teams = caller.teams_in(campaign)
    return [message for message in messages if teams and (message.team is None or message.team in teams)]


def message_file(messages: Iterable[Message]) -> str:
    """Messages as a text file, the oldest first."""
    blocks = [
        f"{message.created:%Y-%m-%d %H:%M} UTC  to {message.team.name if message.team else 'all teams'}\n"
        f"{message.subject}\n\n{message.text}\n"
        for message in sorted(messages, key=lambda one: (one.created, one.pk))
    ]
    return f"\n{'-' * 72}\n\n".join(blocks)

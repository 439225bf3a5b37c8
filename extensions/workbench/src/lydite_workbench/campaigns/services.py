"""Everything that is done with campaigns, teams, runs, gold, leaderboards and messages.

The library is called only here and in jobs, by errands.  A function changes rows and writes the audit log in one
transaction, and raises :class:`Refused` if a rule is broken.
"""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import CharField, Max, Model
from django.utils import timezone
from django.utils.text import slugify

from lydite.errors import FindingDocument
from lydite.escaping import is_utf_8
from lydite.formats.taxonomy import taxonomy_names
from lydite.grouping import grouped
from lydite.numerals import is_whole
from lydite.tasks import TASKS
from lydite.version import __version__
from lydite_workbench.accounts.models import CampaignRole, Role
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns import jobs
from lydite_workbench.campaigns.errands import ErrandResult, FindingWithLine
from lydite_workbench.campaigns.jobs import errand_for
from lydite_workbench.campaigns.limited import errand_folder, run_errand
from lydite_workbench.campaigns.models import (
    Campaign,
    CampaignFile,
    GoldDifference,
    GoldVersion,
    JobState,
    Message,
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
from lydite_workbench.logs import log
from lydite_workbench.problems import BadInput, Refused, one_line, refuse_hidden, text_problem
from lydite_workbench.rights import (
    SEE_CAMPAIGN,
    Actor,
    Caller,
    may,
    may_know_documents,
    may_see_scores,
    person_of,
)
from lydite_workbench.store import Upload, path_under_name, stored_json

# ----------------------------------------------------------------------------------------------------- campaigns


def campaigns_for(caller: Caller) -> list[Campaign]:
    """The campaigns that the caller may see, the newest first."""
    every = Campaign.objects.prefetch_related("phases").order_by("-created", "slug")
    return [campaign for campaign in every if may(caller, SEE_CAMPAIGN, campaign)]


class NewCampaign(NamedTuple):
    """A campaign as an organiser declares it: rows that are not stored yet, and ``files`` by the settings that name them."""

    campaign: Campaign
    gold: Upload | None = None
    files: Mapping[str, Upload] = {}
    phases: Sequence[Phase] = ()


def refuse_slug(slug: str) -> None:
    """Refuse a short name that cannot stand in a URL as it is."""
    if slugify(slug) != slug or not slug:
        raise BadInput("bad-slug", f"{slug!r}: a short name has only lower-case letters, digits and -")


def create_campaign(new: NewCampaign, *, actor: Actor) -> Campaign:
    """Make a campaign, if its task, settings and gold are valid; the person who makes it becomes its organiser."""
    campaign = new.campaign
    refuse_slug(campaign.slug)
    # The library takes - and _ in names of settings; the checks below and declarations only -.
    campaign.settings = {name.replace("_", "-"): value for name, value in campaign.settings.items()}
    _refuse_what_json_lacks(campaign)
    _refuse_server_paths(new)
    _refuse_bad_text(campaign, ("slug", "title", "task", "format", "board_of"))
    _refuse_limits(campaign)
    sent = new.files.items()
    files = [CampaignFile(setting=name, name=one.safe_name, file_id=one.digest) for name, one in sent]
    checked = check_gold(campaign, new.gold, files)
    campaign.signature, campaign.profile = checked["signature"], checked["profile"]
    _refuse_bad_text(campaign, ("profile", "signature"))
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
    before = _assign(changed, changes)
    if not changed.title:
        raise BadInput("bad-campaign", "a campaign needs a title")
    _refuse_limits(changed)
    _refuse_bad_text(changed, changes)
    changed.save(update_fields=[*changes])
    record(actor, "campaign.change", changed.slug, campaign=changed, before=before)


def _assign(row: Campaign | Phase, changes: Mapping[str, object]) -> dict[str, str]:
    """Set fields of a row; return their values before, as text."""
    before = {name: str(getattr(row, name)) for name in changes}
    for name, value in changes.items():
        setattr(row, name, value)
    return before


LIMITS = {"limit_seconds": 10**7, "limit_megabytes": 10**7, "limit_processes": 10**4, "limit_upload": 10**12}
"""Fields with limits of a campaign, and the largest value of each."""


def _refuse_limits(campaign: Campaign) -> None:
    for name, most in LIMITS.items():
        value = getattr(campaign, name)
        if not (is_whole(value) and 1 <= value <= most):
            what = name.replace("_", " of ")
            raise BadInput("bad-limit", f"{what}: expected a whole number from 1 to {most}, found {value!r}")


def _refuse_what_json_lacks(campaign: Campaign) -> None:
    """Refuse settings and figures that JSON cannot hold, though TOML can, such as dates."""
    try:
        json.dumps([campaign.settings, campaign.figures], allow_nan=False)
    except (TypeError, ValueError):
        sentence = "settings: expected texts, numbers, true or false, and lists of them"
        raise BadInput("bad-settings", sentence) from None
    if wrong := text_problem([campaign.settings, campaign.figures]):
        raise BadInput("bad-settings", f"settings: {wrong}")


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


def check_gold(
    campaign: Campaign, gold: Upload | None, files: Sequence[CampaignFile] | None = None
) -> ErrandResult:
    """Let the library check task, profile, settings, gold and figures; return their signature and the name of the profile."""
    golds = {"gold": GoldVersion(file_id=gold.digest, name=gold.safe_name) if gold else None}
    errand, links = errand_for(campaign, "check-and-sign", golds, {}, files)
    with errand_folder(links) as folder:
        outcome = run_errand(errand._replace(figures=campaign.figures), folder)
    if outcome.status != "done":
        log("gold or settings refused", outcome=outcome.status, said=outcome.output)
        raise gold_refusal(outcome.status, outcome.result)
    return outcome.result


def gold_refusal(status: str, result: ErrandResult) -> Refused:
    """The refusal of gold or settings, by the status of the errand that checked them."""
    errors = [one for one in result.get("findings", [])[:5] if one["severity"] == "error"]
    lines = list(map(_finding_as_text, errors))
    sentence = {
        "refused": "gold is not valid: " + "; ".join(lines or [str(result.get("message", ""))]),
        "settings": str(result.get("message", "")),
        "timeout": "checking gold took longer than the limit of the campaign",
        "memory": "checking gold needed more memory than the limit of the campaign",
    }.get(status, "gold could not be checked; the log of the server has more")
    return BadInput("bad-campaign", sentence)


def _finding_as_text(finding: FindingDocument) -> str:
    place = ":".join(str(finding[key]) for key in ("path", "line", "column") if finding.get(key))
    return f"{place.removeprefix('.gold/')}: {finding['message']} [{finding['code']}]"


@transaction.atomic
def add_phase(campaign: Campaign, phase: Phase, *, actor: Actor) -> None:
    """Add a phase after those of the campaign."""
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if campaign.phases.filter(slug=phase.slug).exists():
        raise Refused("slug-taken", f"there is a phase {phase.slug!r} already")
    phase.campaign, phase.position = campaign, campaign.phases.count()
    _refuse_bad_phase(phase)
    phase.save()
    record(actor, "phase.add", phase.slug, campaign=campaign, closes=phase.closes.isoformat())


YEARS = range(1900, 9999)
"""Years in which a phase can lie, in UTC: all time zones can show them."""


def _refuse_bad_phase(phase: Phase) -> None:
    where, ends = f"phase {phase.slug!r}", (phase.opens, phase.closes)
    # Conversion to another zone fails beyond these years.
    if any(one.year not in YEARS or one.astimezone(UTC).year not in YEARS for one in ends):
        raise BadInput("bad-phase", f"{where}: expected a year from {YEARS[0]} to {YEARS[-1]}")
    if phase.opens >= phase.closes:
        raise BadInput("bad-phase", f"{where} closes before it opens")
    if phase.rejected_per_team == 0:
        raise BadInput("bad-phase", f"{where}: at least one invalid upload of a team must be allowed")
    if phase.is_test and phase.teams_see == Shown.REPORT:
        sentence = f"{where}: report pages have figures by document, which a test phase does not show"
        raise BadInput("bad-phase", sentence)
    _refuse_bad_text(phase, {field.name for field in Phase._meta.fields} - {"campaign"})  # noqa: SLF001 - Django's public name


def _refuse_bad_text(row: Model, names: Iterable[str]) -> None:
    """Refuse values that fields of a row cannot hold: too long, not among the choices, or with hidden characters."""
    others = {field.name for field in row._meta.fields} - {*names}  # noqa: SLF001 - Django's public name for it
    for name in names:
        value = str(getattr(row, name))
        if not is_utf_8(value):
            raise BadInput("bad-words", f"{name}: expected text that can be encoded as UTF-8")
        field = row._meta.get_field(name)  # noqa: SLF001 - Django's public name for it
        if isinstance(field, CharField):
            refuse_hidden(name, value)
            if not (value.strip() or field.blank):
                raise BadInput("bad-words", f"{name}: must not be empty")
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        sentence = "; ".join(f"{name}: {' '.join(errors)}" for name, errors in error.message_dict.items())
        raise BadInput("bad-words", sentence) from None


@transaction.atomic
def change_phase(phase: Phase, *, actor: Actor, **changes: object) -> Phase:
    """Change a phase; the audit log keeps the values before."""
    before = _assign(phase, changes)
    _refuse_bad_phase(phase)
    phase.save()
    record(actor, "phase.change", phase.slug, campaign=phase.campaign, before=before)
    return phase


LONGEST_SLUG = 60


@transaction.atomic
def add_team(campaign: Campaign, name: str, *, slug: str = "", actor: Actor) -> Team:
    """Add a team to a campaign; its short name is made from its name if none is given."""
    word = slug or slugify(name)[:LONGEST_SLUG].rstrip("-")
    if not word:
        raise BadInput("bad-slug", f"no short name can be made from {name!r}; give one of letters and digits")
    # The lock keeps the name free until the transaction ends.
    Campaign.objects.select_for_update(no_key=True).get(pk=campaign.pk)
    if Team.objects.filter(campaign=campaign, slug=word).exists():
        raise Refused("team-exists", f"there is a team {word!r} already")
    team = Team(campaign=campaign, slug=word, name=name)
    _refuse_bad_text(team, ("slug", "name"))
    team.save()
    record(actor, "team.add", team.slug, campaign=campaign)
    return team


# ---------------------------------------------------------------------------------------------------------- runs


def allowance_of(team: Team) -> RunAllowance:
    """What a team can send now; raises :class:`Refused` if no run is accepted."""
    now = timezone.now()
    return run_allowance(team, phases_for_new_run(team.campaign, now)[0], now)


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
    found = Score.objects.filter(run__in=runs, **key)
    return {score.run_id: score for score in found.select_related("run__campaign", "run__phase", "run__team")}


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


# ---------------------------------------------------------------------------------------------------------- gold


def replace_gold(
    campaign: Campaign, upload: Upload, *, note: str, actor: Actor, is_checked: bool = False
) -> GoldVersion:
    """Make a new version of gold, if it is valid: all runs are scored again, and compared with the version before."""
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
            key = {"signature": campaign.signature, "lydite_version": __version__}
            GoldDifference.objects.create(campaign=campaign, before=before, after=gold, **key)
    return gold


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


def difference_of(gold: GoldVersion) -> GoldDifference | None:
    """The comparison of a version of gold with the one before; None if there is none."""
    return GoldDifference.objects.filter(after=gold).first()


class RunChange(NamedTuple):
    """What a new gold changed for one run; items are only counted, since they are gold."""

    run: Run
    before: float | None
    after: float | None
    rank_before: int
    rank_after: int
    items: Mapping[str, int]
    """``now right``, ``now wrong``, ``new in gold``, ``no longer in gold`` → count."""


def changes_of(difference: GoldDifference) -> list[RunChange]:
    """What a new gold changed for each run, the now best run first."""
    if difference.document_id is None:
        return []
    golds = stored_json(difference.document_id)["golds"]
    changes = grouped((item["system"], item["change"]) for item in golds["changes"])
    counts = {label: dict(Counter(of_run)) for label, of_run in changes.items()}
    runs = {run.label: run for run in difference.campaign.runs.select_related("team", "phase")}
    figures = ("before", "after", "rank_before", "rank_after")
    return [
        RunChange(
            runs[row["system"]], items=counts.get(row["system"], {}), **{name: row[name] for name in figures}
        )
        for row in golds["systems"]
    ]


@transaction.atomic
def send_differences(difference: GoldDifference, *, actor: Actor) -> list[Message]:
    """Send each team, once, what a new gold changed for its runs, as far as the phase lets it see figures."""
    if not GoldDifference.objects.filter(pk=difference.pk, told__isnull=True).update(told=timezone.now()):
        raise Refused("was-sent", "the changes were sent to the teams already")
    by_team = grouped((change.run.team, _change_as_text(change)) for change in changes_of(difference))
    subject = f"Gold {difference.after.number} replaces gold {difference.before.number}"
    return [
        send_message(difference.campaign, subject, "\n".join(lines), team=team, actor=actor)
        for team, lines in by_team.items()
    ]


def _change_as_text(change: RunChange) -> str:
    figures = [_percent(value) for value in (change.before, change.after)]
    items = ", ".join(f"{count} {name}" for name, count in sorted(change.items.items())) or "no item changed"
    title = f" ({change.run.title})" if change.run.title else ""
    if change.run.phase.teams_see == Shown.NOTHING:
        return f"Run {change.run.number}{title} was scored again."
    return f"Run {change.run.number}{title}: {figures[0]} before, {figures[1]} now; {items}."


def _percent(value: float | None) -> str:
    from lydite.report.tables import percent

    return "undefined" if value is None else percent(value)


# ------------------------------------------------------------------------------------------------------ messages


@transaction.atomic
def send_message(
    campaign: Campaign, subject: str, text: str, *, team: Team | None = None, actor: Actor
) -> Message:
    """Send a message to one team, or to all; it is shown in the workbench, not mailed."""
    subject = one_line("subject", subject, 200)
    message = Message.objects.create(campaign=campaign, team=team, subject=subject, text=text)
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

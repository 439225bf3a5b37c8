"""Rows that are jobs: claimed by one conditional UPDATE, held by a lease, done in a process of its own, ended once.

Whoever dies leaves a lease that runs out; the next worker claims the row again.  What a job writes is decided by its
key (run, gold, signature, version), so that doing it twice is doing it once.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from lydite.model.letters import letters
from lydite.records import NamedTuple
from lydite.version import __version__
from lydite.workbench.accounts.services import record
from lydite.workbench.campaigns import errands
from lydite.workbench.campaigns.errands import Errand, Told
from lydite.workbench.campaigns.limited import ErrandOutcome, LinkedFile, folder_for, send
from lydite.workbench.campaigns.models import (
    BoardView,
    Campaign,
    CampaignFile,
    GoldDifference,
    GoldVersion,
    JobState,
    LeaderboardVersion,
    Message,
    Run,
    RunState,
    Score,
    StoredFile,
    Validation,
)
from lydite.workbench.keys import random_id
from lydite.workbench.logs import log
from lydite.workbench.store import store_file

if TYPE_CHECKING:
    from lydite.workbench.corpus.models import Collection

    AnyJob = Validation | Score | GoldDifference | LeaderboardVersion | Collection
J = TypeVar("J", Validation, Score, GoldDifference, LeaderboardVersion, "Collection")

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 5
WORKER = "worker"
"""What the audit log calls who does jobs."""

SENTENCES = {
    "timeout": "it took longer than {seconds} s",
    "memory": "it needed more than {megabytes} MB of memory",
    "crash": "the process that did it fell {attempts} times",
    "worker-lost": "the worker that did it was lost {attempts} times",
    "settings": "the settings or files of the campaign do not fit: {told}",
    "refused": "it was refused: {told}",
    "defect": "what was found does not fit the scores of the runs",
}
"""What happened, for people."""


# ------------------------------------------------------------------------------------------------------ queueing


def queue_validation(run: Run) -> Validation:
    """Let a run be checked."""
    return Validation.objects.create(run=run, signature=run.campaign.signature, lydite_version=__version__)


def queue_score(run: Run) -> Score | None:
    """Let a valid run be scored under what counts now; nothing is scored twice."""
    campaign = run.campaign
    if campaign.gold is None:
        return None
    job, made = Score.objects.get_or_create(
        run=run, gold=campaign.gold, signature=campaign.signature, lydite_version=__version__
    )
    if made:
        set_state(run, RunState.VALID)
    elif job.job_state == JobState.DONE:
        set_state(run, RunState.SCORED)
    return job


def set_state(run: Run, state: RunState) -> None:
    """Put a run into a state."""
    Run.objects.filter(pk=run.pk).update(state=state)
    run.state = state


def retry(job: AnyJob) -> None:
    """Let a job that failed be done again."""
    type(job).objects.filter(pk=job.pk, job_state=JobState.FAILED).update(
        job_state=JobState.WAITING,
        attempts=0,
        reason="",
        message="",
        lydite_version=__version__,
    )


# ------------------------------------------------------------------------------------------------------ claiming


def claim(model: type[J], *, lease: timedelta = LEASE) -> J | None:
    """Take the oldest job that waits, or whose worker was lost; None if there is none."""
    now = timezone.now()
    free = _free()
    jobs = model.objects.filter(free, lydite_version=__version__)
    for pk in list(jobs.order_by("created", "pk").values_list("pk", flat=True)[:20]):
        # A name that no other worker has.
        name = f"{socket.gethostname()[:40]}:{os.getpid()}:{random_id()[:8]}"
        with transaction.atomic():
            taken = model.objects.filter(free, pk=pk).update(
                job_state=JobState.RUNNING, worker=name, lease_until=now + lease, attempts=F("attempts") + 1
            )
            if not taken:
                continue
            job = model.objects.get(pk=pk)
            if job.attempts <= MOST_ATTEMPTS:
                _begin(job)
                return job
        _conclude(job, partial(fail, job, "worker-lost"))
    return None


def _free() -> Q:
    """Jobs that wait, or whose worker was lost."""
    return Q(job_state=JobState.WAITING) | Q(job_state=JobState.RUNNING, lease_until__lt=timezone.now())


def _begin(job: AnyJob) -> None:
    if isinstance(job, Validation):
        set_state(job.run, RunState.VALIDATING)
    elif isinstance(job, Score) and _is_current(job):
        set_state(job.run, RunState.SCORING)


def renewer(job: AnyJob, lease: timedelta = LEASE) -> Callable[[], bool]:
    """Renews the lease of a job when a third of it has passed; false when somebody else has the job."""
    due = [timezone.now() + lease / 3]

    def still_mine() -> bool:
        now = timezone.now()
        if now < due[0]:
            return True
        due[0] = now + lease / 3
        return bool(_mine(job).update(lease_until=now + lease))

    return still_mine


def _mine(job: AnyJob) -> Any:
    """The row, as long as it is in our hands."""
    return type(job).objects.filter(pk=job.pk, job_state=JobState.RUNNING, worker=job.worker)


def adopt() -> None:
    """Let jobs that another version of lydite left, waiting or in the middle, be done by this one."""
    for kind in kinds():
        left = kind.model.objects.filter(_free()).exclude(lydite_version=__version__)
        for pk in list(left.values_list("pk", flat=True)):
            try:
                with transaction.atomic():
                    left.filter(pk=pk).update(lydite_version=__version__)
            except IntegrityError:
                # This version has the same job.
                left.filter(pk=pk).delete()


# --------------------------------------------------------------------------------------------------------- doing


def work_once(*, lease: timedelta = LEASE) -> bool:
    """Do one job; whether there was one."""
    for kind in kinds():
        job = claim(kind.model, lease=lease)
        if job is not None:
            _do_job(kind, job, lease)
            return True
    return False


def _do_job(kind: JobKind, job: AnyJob, lease: timedelta) -> None:
    errand, links = kind.prepare(job)
    with folder_for(links) as folder:
        outcome = send(errand, folder, still_wanted=_watcher(kind, job, folder, lease))
        log("job", kind=errand.act, job=job.pk, outcome=outcome.what, seconds=round(outcome.seconds, 3))
        if outcome.what == "lost":
            return
        if outcome.what == "crash" and job.attempts < MOST_ATTEMPTS:
            log("job fell", kind=errand.act, job=job.pk, said=outcome.said)
            _mine(job).update(job_state=JobState.WAITING, worker="", lease_until=None)
            return
        kept = {name: store_file(folder / name) for name in kind.keeps if (folder / name).exists()}
        if outcome.what == "done" and kind.place is not None:
            kind.place(job, folder)
    is_done = outcome.what == "done"
    _conclude(
        job,
        partial(kind.finish, job, outcome, kept) if is_done else partial(fail, job, outcome.what, outcome),
    )


def _conclude(job: AnyJob, end_it: Callable[[], None]) -> None:
    """End a job while its campaign stays as it is; of a frozen assessment it may be the last that a draft waits for."""
    from lydite.workbench.assessment.stores import draft_when_scored

    with transaction.atomic():
        campaign = _campaign_as_it_is(job)
        end_it()
        draft_when_scored(campaign)


def _watcher(kind: JobKind, job: AnyJob, folder: Path, lease: timedelta) -> Callable[[], bool]:
    """Renews the lease of a job, and tells about once a second how far it is, if it can."""
    still_mine = renewer(job, lease)
    tell = kind.tell
    if tell is None:
        return still_mine
    told = [time.monotonic()]

    def watch() -> bool:
        if time.monotonic() > told[0] + 1:
            told[0] = time.monotonic()
            tell(job, folder)
        return still_mine()

    return watch


def end(job: AnyJob, *, reason: str = "", message: str = "", **found: object) -> bool:
    """Mark a job as done, or for a reason as failed, with what it found; false if it is no longer ours."""
    return bool(
        _mine(job).update(
            job_state=JobState.FAILED if reason else JobState.DONE,
            lease_until=None,
            reason=reason,
            message=message,
            **found,
        )
    )


def fail(job: AnyJob, reason: str, outcome: ErrandOutcome | None = None) -> None:
    """End a job that cannot be done: a state and a message for the team, a line for the organisers."""
    campaign = _campaign(job)
    told: Told = outcome.told if outcome else {}
    message = SENTENCES[reason].format(
        seconds=campaign.limit_seconds,
        megabytes=campaign.limit_megabytes,
        attempts=job.attempts,
        told=told.get("message", ""),
    )
    found: dict[str, object] = {}
    if outcome and not isinstance(job, Validation) and hasattr(job, "findings"):
        found["findings"] = told.get("findings", [])
    if not end(job, reason=reason, message=message, **found):
        return
    record(
        WORKER,
        "job.fail",
        job,
        campaign=campaign,
        job=type(job).__name__.lower(),
        reason=reason,
        message=message,
        said=outcome.said if outcome else "",
        # What is wrong with gold is for organisers alone, who read the log.
        gold=told.get("of_gold", []),
    )
    if isinstance(job, Validation | Score):
        _fail_run(job, reason, message)


def _fail_run(job: Validation | Score, reason: str, message: str) -> None:
    run = job.run
    if isinstance(job, Validation):
        # Who sent more than the limits allow can send less; what the organisers did wrong is not the team's.
        ours = reason in {"settings", "refused"}
        set_state(run, RunState.FAILED if ours else RunState.INVALID)
    elif _is_current(job):
        set_state(run, RunState.FAILED)
    act = "validated" if isinstance(job, Validation) else "scored"
    text = f"Run {run.number} ({run.title or run.file_name}) could not be {act}: {message}."
    Message.objects.create(
        campaign=run.campaign,
        team=run.team,
        run=run,
        subject=f"Run {run.number} could not be {act}",
        text=text,
    )


def _campaign(job: AnyJob) -> Campaign:
    return job.run.campaign if isinstance(job, Validation | Score) else job.campaign


def _campaign_as_it_is(job: AnyJob) -> Campaign:
    """The campaign as it is now, and until the transaction ends: its gold may be another one than when the job began."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=_campaign(job).pk)
    if isinstance(job, Validation | Score):
        job.run.campaign = campaign
    else:
        job.campaign = campaign
    return campaign


def _is_current(job: Score) -> bool:
    campaign = job.run.campaign
    return (job.gold_id, job.signature, job.lydite_version) == (
        campaign.gold_id,
        campaign.signature,
        __version__,
    )


# ------------------------------------------------------------------------------------------------ kinds of jobs


def _run_link(run: Run, folder: str = "") -> LinkedFile:
    return LinkedFile(run.file_id, f"{folder}{run.file_name}")


def errand_for(
    campaign: Campaign,
    act: str,
    golds: Mapping[str, GoldVersion | None],
    runs: Mapping[str, LinkedFile],
    files: Iterable[CampaignFile] | None = None,
) -> tuple[Errand, list[LinkedFile]]:
    """An errand under the settings of a campaign, and the files that it needs; ``golds`` by their place in it."""
    options = dict(campaign.settings)
    profile = campaign.profile
    links = list(runs.values())
    for file in campaign.files.all() if files is None else files:
        link = LinkedFile(file.file_id, f".files/{file.setting}/{file.name}")
        links.append(link)
        if file.setting == "profile":
            profile = link.place
        else:
            options[file.setting] = link.place
    places = {
        place: LinkedFile(gold.file_id, f".{place}/{gold.name}") for place, gold in golds.items() if gold
    }
    errand = Errand(
        act,
        campaign.task,
        profile,
        campaign.format or None,
        options,
        gold=places["gold"].place if "gold" in places else None,
        gold_before=places["gold_before"].place if "gold_before" in places else None,
        runs={label: link.place for label, link in runs.items()},
        seconds=campaign.limit_seconds,
        megabytes=campaign.limit_megabytes,
        processes=campaign.limit_processes,
    )
    return errand, [*links, *places.values()]


def _prepare_validation(job: Validation) -> tuple[Errand, list[LinkedFile]]:
    run, campaign = job.run, job.run.campaign
    gold = campaign.gold if campaign.gold_documents_are_known else None
    return errand_for(campaign, "validate", {"gold": gold}, {run.label: _run_link(run)})


def _prepare_score(job: Score) -> tuple[Errand, list[LinkedFile]]:
    return errand_for(job.run.campaign, "score", {"gold": job.gold}, {job.run.label: _run_link(job.run)})


def _finish_validation(job: Validation, outcome: ErrandOutcome, _kept: Mapping[str, StoredFile]) -> None:
    told = outcome.told
    found: dict[str, Any] = {name: told[name] for name in ("findings", "errors", "warnings")}
    if not end(job, **found):
        return
    set_state(job.run, RunState.INVALID if told["errors"] else RunState.VALID)
    if not told["errors"]:
        queue_score(job.run)


def _finish_score(job: Score, outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    told = outcome.told
    found: dict[str, Any] = {
        name: told[name]
        for name in ("figure", "value", "low", "high", "pessimistic", "optimistic", "findings")
    }
    ended = end(
        job,
        **found,
        summary=kept[errands.SUMMARY],
        corpus_summary=kept[errands.CORPUS],
        report=kept.get(errands.REPORT),
        report_message=told["page"],
    )
    if ended and _is_current(job):
        set_state(job.run, RunState.SCORED)


def _prepare_difference(job: GoldDifference) -> tuple[Errand, list[LinkedFile]]:
    valid = Run.objects.filter(campaign=job.campaign, withdrawn__isnull=True).exclude(state__in=_NOT_VALID)
    runs = {run.label: _run_link(run, f".runs/{run.label}/") for run in valid.select_related("team")}
    return errand_for(job.campaign, "difference", {"gold": job.after, "gold_before": job.before}, runs)


_NOT_VALID = (RunState.RECEIVED, RunState.VALIDATING, RunState.INVALID, RunState.FAILED)
"""Of runs that could not be scored there is nothing to compare, and with them all others could not be either."""


def _finish_difference(job: GoldDifference, _outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    end(job, document=kept[errands.DOCUMENT])


def _prepare_board(job: LeaderboardVersion) -> tuple[Errand, list[LinkedFile]]:
    every = sorted(job.runs.select_related("team"), key=lambda run: run.label)
    runs = {run.label: _run_link(run, f".runs/{run.label}/") for run in every}
    names = shown_names(every)
    errand, links = errand_for(job.campaign, "board", {"gold": job.gold}, runs)
    return errand._replace(names=names, figures=job.campaign.figures), links


def _finish_board(job: LeaderboardVersion, outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    key = {"gold": job.gold, "signature": job.signature, "lydite_version": job.lydite_version}
    for run in job.runs.select_related("team"):
        score = Score.objects.filter(run=run, job_state=JobState.DONE, **key).first()
        if score is None or score.value != outcome.told["values"][run.label]:
            fail(job, "defect", outcome)
            return
    end(job, document=kept[errands.DOCUMENT], tables=outcome.told["tables"])


def shown_names(runs: list[Run]) -> dict[str, dict[str, str]]:
    """What runs are called on a leaderboard: by names of teams, and by letters that tell nobody anything."""
    teams = sorted({run.team for run in runs}, key=lambda team: team.public_id)
    lettered_teams = {team.pk: letters(place) for place, team in enumerate(teams)}
    several = {run.team_id for run in runs if sum(other.team_id == run.team_id for other in runs) > 1}
    taken: dict[str, str] = {}
    for run in runs:
        name = f"{run.team.name} {run.number}" if run.team_id in several else run.team.name
        taken[run.label] = name if name not in taken.values() else f"{name} ({run.label})"
    lettered = {
        run.label: lettered_teams[run.team_id] + (str(run.number) if run.team_id in several else "")
        for run in runs
    }
    return {BoardView.NAMES: taken, BoardView.LETTERS: lettered}


class JobKind(NamedTuple):
    """A kind of job: its rows, what is to be done, what is kept, and how it ends."""

    model: Any
    prepare: Callable[[Any], tuple[Errand, list[LinkedFile]]]
    keeps: tuple[str, ...]
    finish: Callable[[Any, ErrandOutcome, Mapping[str, StoredFile]], None]
    place: Callable[[Any, Path], None] | None = None
    """Takes what is no file of the store out of the folder of an errand that is done."""
    tell: Callable[[Any, Path], None] | None = None
    """Says of a job that runs how far it is, from what the errand left in its folder."""


KINDS = (
    JobKind(Validation, _prepare_validation, (), _finish_validation),
    JobKind(Score, _prepare_score, (errands.SUMMARY, errands.CORPUS, errands.REPORT), _finish_score),
    JobKind(GoldDifference, _prepare_difference, (errands.DOCUMENT,), _finish_difference),
    JobKind(LeaderboardVersion, _prepare_board, (errands.DOCUMENT,), _finish_board),
)
"""What is done first stands first: whoever sent a run waits for its findings."""


def kinds() -> tuple[JobKind, ...]:
    """Every kind: those of campaigns, then the index of a collection, whose app is made from this one."""
    from lydite.workbench.corpus.indexing import INDEXING

    return (*KINDS, INDEXING)

"""Rows that are jobs: claimed by one conditional UPDATE, held by a lease, done in a process of their own, ended once.

The lease of a worker that dies runs out, and the next worker claims the row again.  What a job writes depends only on
its key (run, gold, signature, version), so that doing it twice does no harm.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from lydite.version import __version__
from lydite_workbench.accounts.services import record
from lydite_workbench.campaigns import errands
from lydite_workbench.campaigns.errands import Errand, ErrandResult
from lydite_workbench.campaigns.limited import (
    ErrandOutcome,
    LinkedFile,
    errand_folder,
    read_outcome,
    run_errand,
)
from lydite_workbench.campaigns.models import (
    Campaign,
    CampaignFile,
    GoldDifference,
    GoldVersion,
    JobState,
    Message,
    Run,
    RunState,
    Score,
    StoredFile,
    Validation,
)
from lydite_workbench.keys import random_id
from lydite_workbench.logs import log
from lydite_workbench.store import store_file

if TYPE_CHECKING:
    from lydite_workbench.corpus.models import Collection

    AnyJob = Validation | Score | GoldDifference | Collection
J = TypeVar("J", Validation, Score, GoldDifference, "Collection")

LEASE = timedelta(seconds=60)
MOST_ATTEMPTS = 5
WORKER = "worker"
"""The actor of jobs in the audit log."""

FAILURE_SENTENCES = {
    "timeout": "it took longer than {seconds} s",
    "memory": "it needed more than {megabytes} MB of memory",
    "crash": "its process crashed {attempts} times",
    "worker-lost": "its worker stopped {attempts} times",
    "settings": "the settings or files of the campaign do not fit: {message}",
    "refused": "it was refused: {message}",
}
"""Reason → sentence for people."""


# ------------------------------------------------------------------------------------------------------ queueing


def queue_validation(run: Run) -> Validation:
    """Queue the validation of a run."""
    return Validation.objects.create(run=run, signature=run.campaign.signature, lydite_version=__version__)


def queue_score(run: Run) -> Score | None:
    """Queue the scoring of a valid run with the current gold, signature and version, unless there is such a job."""
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
    """Set the state of a run."""
    Run.objects.filter(pk=run.pk).update(state=state)
    run.state = state


def retry(job: AnyJob) -> None:
    """Queue a failed job again."""
    type(job).objects.filter(pk=job.pk, job_state=JobState.FAILED).update(
        job_state=JobState.WAITING, attempts=0, reason="", message="", lydite_version=__version__
    )


# ------------------------------------------------------------------------------------------------------ claiming


def claim(model: type[J], *, lease: timedelta = LEASE) -> J | None:
    """Claim the oldest job that waits or whose lease has run out; None if there is none."""
    now = timezone.now()
    claimable = _claimable()
    jobs = model.objects.filter(claimable, lydite_version=__version__)
    for pk in list(jobs.order_by("created", "pk").values_list("pk", flat=True)[:20]):
        # No two claims have the same name.
        name = f"{socket.gethostname()[:40]}:{os.getpid()}:{random_id()[:8]}"
        with transaction.atomic():
            taken = model.objects.filter(claimable, pk=pk).update(
                job_state=JobState.RUNNING, worker=name, lease_until=now + lease, attempts=F("attempts") + 1
            )
            if not taken:
                continue
            job = model.objects.get(pk=pk)
            if job.attempts <= MOST_ATTEMPTS:
                if isinstance(job, Validation):
                    set_state(job.run, RunState.VALIDATING)
                elif isinstance(job, Score) and _is_current(job):
                    set_state(job.run, RunState.SCORING)
                return job
        _end_with_campaign(job, partial(fail, job, "worker-lost"))
    return None


def _claimable() -> Q:
    """Jobs that wait, or whose lease has run out."""
    return Q(job_state=JobState.WAITING) | Q(job_state=JobState.RUNNING, lease_until__lt=timezone.now())


def lease_renewer(job: AnyJob, lease: timedelta = LEASE) -> Callable[[], bool]:
    """A function that renews the lease of a job whenever a third of it has passed; false once another worker has the job."""
    due = [timezone.now() + lease / 3]

    def still_mine() -> bool:
        now = timezone.now()
        if now < due[0]:
            return True
        due[0] = now + lease / 3
        return bool(_own_row(job).update(lease_until=now + lease))

    return still_mine


def _own_row(job: AnyJob) -> Any:
    """The row of a job, as long as this worker holds it."""
    return type(job).objects.filter(pk=job.pk, job_state=JobState.RUNNING, worker=job.worker)


def adopt_jobs() -> None:
    """Take over the jobs of another version of lydite that wait or whose lease has run out."""
    for kind in job_kinds():
        left = kind.model.objects.filter(_claimable()).exclude(lydite_version=__version__)
        for pk in list(left.values_list("pk", flat=True)):
            try:
                with transaction.atomic():
                    left.filter(pk=pk).update(lydite_version=__version__)
            except IntegrityError:
                # There is the same job for this version.
                left.filter(pk=pk).delete()


# --------------------------------------------------------------------------------------------------------- doing


def work_once(*, lease: timedelta = LEASE) -> bool:
    """Do one job; return whether there was one."""
    for kind in job_kinds():
        job = claim(kind.model, lease=lease)
        if job is not None:
            _do_job(kind, job, lease)
            return True
    return False


def _do_job(kind: JobKind, job: AnyJob, lease: timedelta) -> None:
    errand, links = kind.prepare(job)
    with errand_folder(links) as folder:
        outcome = run_errand(errand, folder, still_wanted=_watcher(kind, job, folder, lease))
        log("job", kind=errand.act, job=job.pk, outcome=outcome.status, seconds=round(outcome.seconds, 3))
        if outcome.status == "lost":
            return
        if outcome.status == "crash" and job.attempts < MOST_ATTEMPTS:
            log("job fell", kind=errand.act, job=job.pk, said=outcome.output)
            _own_row(job).update(job_state=JobState.WAITING, worker="", lease_until=None)
            return
        kept = {name: store_file(folder / name) for name in kind.keeps if (folder / name).exists()}
        if outcome.status == "done" and kind.move_output is not None:
            kind.move_output(job, folder)
    is_done = outcome.status == "done" or outcome.result.get("outcome") == errands.VALIDATED
    finish, give_up = partial(kind.finish, job, outcome, kept), partial(fail, job, outcome.status, outcome)
    _end_with_campaign(job, finish if is_done else give_up)


def _end_with_campaign(job: AnyJob, end_it: Callable[[], None]) -> None:
    """End a job while its campaign is locked, and draft the leaderboard of a frozen assessment if it was the last one."""
    from lydite_workbench.assessment.stores import draft_when_scored

    with transaction.atomic():
        campaign = _lock_campaign(job)
        end_it()
        draft_when_scored(campaign)


def _watcher(kind: JobKind, job: AnyJob, folder: Path, lease: timedelta) -> Callable[[], bool]:
    """A function that renews the lease of a job and, once a second, reports its progress if its kind does that."""
    still_mine = lease_renewer(job, lease)
    report = kind.report_progress
    if report is None:
        return still_mine
    reported = [time.monotonic()]

    def watch() -> bool:
        if time.monotonic() > reported[0] + 1:
            reported[0] = time.monotonic()
            report(job, folder)
        return still_mine()

    return watch


def end(job: AnyJob, *, reason: str = "", message: str = "", **results: object) -> bool:
    """Mark a job as done, or as failed for a reason, with its results; false if this worker no longer holds it."""
    results |= {"job_state": JobState.FAILED if reason else JobState.DONE, "lease_until": None}
    return bool(_own_row(job).update(reason=reason, message=message, **results))


def fail(job: AnyJob, reason: str, outcome: ErrandOutcome | None = None) -> None:
    """Mark a job as failed: with a message for the team, and a line of the audit log for the organisers."""
    campaign = _campaign_of(job)
    result: ErrandResult = outcome.result if outcome else {}
    message = FAILURE_SENTENCES[reason].format(
        seconds=campaign.limit_seconds,
        megabytes=campaign.limit_megabytes,
        attempts=job.attempts,
        message=result.get("message", ""),
    )
    results: dict[str, object] = {}
    if outcome and not isinstance(job, Validation) and hasattr(job, "findings"):
        results["findings"] = result.get("findings", [])
    if not end(job, reason=reason, message=message, **results):
        return
    why = {"job": type(job).__name__.lower(), "reason": reason, "message": message}
    said = outcome.output if outcome else ""
    # Only organisers, who read the log, may see what is wrong with gold.
    record(WORKER, "job.fail", job, campaign=campaign, **why, said=said, gold=result.get("of_gold", []))
    if isinstance(job, Validation | Score):
        _fail_run(job, reason, message)


def _fail_run(job: Validation | Score, reason: str, message: str) -> None:
    run = job.run
    if isinstance(job, Validation):
        # A run beyond the limits can be replaced by a smaller one; wrong settings are not the fault of the team,
        # and a run that was being scored is valid.
        is_valid = reason in {"settings", "refused"} or run.state == RunState.SCORING
        set_state(run, RunState.FAILED if is_valid else RunState.INVALID)
    elif _is_current(job):
        set_state(run, RunState.FAILED)
    act = "validated" if isinstance(job, Validation) else "scored"
    subject = f"Run {run.number} could not be {act}"
    text = f"Run {run.number} ({run.title or run.file_name}) could not be {act}: {message}."
    Message.objects.create(campaign=run.campaign, team=run.team, run=run, subject=subject, text=text)


def _campaign_of(job: AnyJob) -> Campaign:
    return job.run.campaign if isinstance(job, Validation | Score) else job.campaign


def _lock_campaign(job: AnyJob) -> Campaign:
    """Lock the campaign of a job until the transaction ends; its gold may have been replaced since the job began."""
    campaign = Campaign.objects.select_for_update(no_key=True).get(pk=_campaign_of(job).pk)
    if isinstance(job, Validation | Score):
        job.run.campaign = campaign
    else:
        job.campaign = campaign
    return campaign


def _is_current(job: Score) -> bool:
    campaign = job.run.campaign
    current = (campaign.gold_id, campaign.signature, __version__)
    return (job.gold_id, job.signature, job.lydite_version) == current


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
    """An errand under the settings of a campaign, and the files that it needs; ``golds`` are its ``gold`` and ``gold_before``."""
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
    places = {key: LinkedFile(one.file_id, f".{key}/{one.name}") for key, one in golds.items() if one}
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


def _prepare_run(job: Validation) -> tuple[Errand, list[LinkedFile]]:
    run, campaign = job.run, job.run.campaign
    job.gold, job.signature = campaign.gold, campaign.signature
    errand, links = errand_for(campaign, "run", {"gold": job.gold}, {run.label: _run_link(run)})
    return errand._replace(tells_gold=campaign.gold_documents_are_known), links


def _prepare_score(job: Score) -> tuple[Errand, list[LinkedFile]]:
    return errand_for(job.run.campaign, "score", {"gold": job.gold}, {job.run.label: _run_link(job.run)})


def _report_validated(job: Validation, folder: Path) -> None:
    """Show the findings of a valid run while it is being scored."""
    result = read_outcome(folder)
    if result is not None and result["outcome"] == errands.VALIDATED and job.run.state != RunState.SCORING:
        _own_row(job).update(**_findings_in(result))
        set_state(job.run, RunState.SCORING)


def _findings_in(result: ErrandResult) -> dict[str, Any]:
    return {"findings": result["findings"], "errors": result["errors"], "warnings": result["warnings"]}


def _finish_run(job: Validation, outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    result = outcome.result
    if not end(job, gold=job.gold, signature=job.signature, **_findings_in(result)):
        return
    set_state(job.run, RunState.INVALID if result["errors"] else RunState.VALID)
    if result["errors"]:
        return
    if job.gold is not None:
        key: dict[str, Any] = {
            "run": job.run,
            "gold": job.gold,
            "signature": job.signature,
            "lydite_version": __version__,
        }
        # This worker ends the score as a job of its own would have ended.
        held = {"job_state": JobState.RUNNING, "worker": job.worker, "lease_until": job.lease_until}
        score, _ = Score.objects.update_or_create(**key, defaults={**held, "attempts": job.attempts})
        scored = result.get("score")
        if scored is not None:
            outcome = outcome._replace(status=scored["outcome"], result=scored)
        if outcome.status == "done":
            _finish_score(score, outcome, kept)
        else:
            fail(score, outcome.status, outcome if scored is not None else outcome._replace(result={}))
    # Gold or settings may have been replaced since the job began.
    queue_score(job.run)


def _finish_score(job: Score, outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    result = outcome.result
    results: dict[str, Any] = {
        name: result[name]
        for name in ("figure", "value", "low", "high", "pessimistic", "optimistic", "findings")
    }
    results["shared_units"] = result["shared_units"]
    results |= {"summary": kept[errands.SUMMARY], "corpus_summary": kept[errands.CORPUS]}
    results |= {"report": kept.get(errands.REPORT), "report_message": result["page"]}
    if end(job, **results) and _is_current(job):
        set_state(job.run, RunState.SCORED)


def _prepare_difference(job: GoldDifference) -> tuple[Errand, list[LinkedFile]]:
    valid = Run.objects.filter(campaign=job.campaign, withdrawn__isnull=True).exclude(state__in=_NOT_VALID)
    runs = {run.label: _run_link(run, f".runs/{run.label}/") for run in valid.select_related("team")}
    return errand_for(job.campaign, "difference", {"gold": job.after, "gold_before": job.before}, runs)


_NOT_VALID = (RunState.RECEIVED, RunState.VALIDATING, RunState.INVALID, RunState.FAILED)
"""States of runs that cannot be scored, so that a comparison with them would fail."""


def _finish_difference(job: GoldDifference, _outcome: ErrandOutcome, kept: Mapping[str, StoredFile]) -> None:
    end(job, document=kept[errands.DOCUMENT])


class JobKind(NamedTuple):
    """A kind of job: its rows, the errand, which files of it are stored, and how it ends."""

    model: Any
    prepare: Callable[[Any], tuple[Errand, list[LinkedFile]]]
    keeps: tuple[str, ...]
    finish: Callable[[Any, ErrandOutcome, Mapping[str, StoredFile]], None]
    move_output: Callable[[Any, Path], None] | None = None
    """Moves other output out of the folder of a finished errand."""
    report_progress: Callable[[Any, Path], None] | None = None
    """Stores how far a running job is, as the errand wrote it into its folder."""


_OF_SCORE = (errands.SUMMARY, errands.CORPUS, errands.REPORT)
KINDS = (
    JobKind(Validation, _prepare_run, _OF_SCORE, _finish_run, report_progress=_report_validated),
    JobKind(Score, _prepare_score, _OF_SCORE, _finish_score),
    JobKind(GoldDifference, _prepare_difference, (errands.DOCUMENT,), _finish_difference),
)
"""In the order in which jobs are done: whoever sent a run waits for its findings."""


def job_kinds() -> tuple[JobKind, ...]:
    """Every kind: those of campaigns, and the index of a collection, whose app imports this one."""
    from lydite_workbench.corpus.indexing import INDEXING

    return (*KINDS, INDEXING)

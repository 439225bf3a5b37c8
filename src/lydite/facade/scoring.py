"""Corpora to summaries: all systems in one run, shared among workers, or each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lydite.errors import InputError, UsageError
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.sides import NO_TEAMS, Given, LeftOut, read_sides
from lydite.facade.summaries import AnySummary, Summary, public_summary, signed_with
from lydite.frozen import FrozenDict
from lydite.model import Corpus
from lydite.parallel import AMBIENT_WORKERS, Processes, Workers
from lydite.pipeline import EVERY_BREAKDOWN, Detail, Progress, in_order, run
from lydite.records import replace
from lydite.registry import did_you_mean

ALL_BREAKDOWNS = ("doc", EVERY_BREAKDOWN)
EVERYTHING = Detail(by=ALL_BREAKDOWNS)


def score_files(
    choice: UserChoice,
    gold: Given,
    systems: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    teams: Mapping[str, str] = NO_TEAMS,
    detail: Detail = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> tuple[Summary, Request]:
    """Score the systems against gold; the summary, and what was inferred."""
    asked, read = read_sides(choice, gold, systems, names=names, teams=teams, unread=workers is not None)
    return score_sides(asked, read, detail=detail, progress=progress, workers=workers), asked


def workers_for(jobs: int) -> Workers | None:
    """The cluster of the context, or so many processes; None if all is done in this one."""
    return AMBIENT_WORKERS.get() or (Processes(jobs) if jobs > 1 else None)


def score_sides(
    asked: Request,
    read: Sequence[Corpus],
    *,
    detail: Detail = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
    left_out: LeftOut | None = None,
    notes: list[str] | None = None,
) -> Summary:
    """Score what was read, gold first; a system that is refused goes to ``left_out``, if it is given.

    ``workers`` share the documents, or where those belong together the systems; ``notes`` get a sentence then.
    """
    notes = [] if notes is None else notes
    if left_out is not None:
        return _score_the_valid(asked, read, detail, left_out, workers, notes)
    gold, *systems = read
    try:
        if workers is not None:
            from lydite.facade.sharing import run_shared

            return public_summary(run_shared(asked, read, detail, progress, workers, notes))
        return public_summary(run(asked.task, gold, systems, asked.profile, detail=detail, progress=progress))
    except InputError as error:
        error.notes = asked.notes
        raise


def _score_the_valid(  # noqa: PLR0917 - what one run takes
    asked: Request,
    read: Sequence[Corpus],
    detail: Detail,
    left_out: LeftOut,
    workers: Workers | None,
    notes: list[str],
) -> Summary:
    """Every system by itself, so that one that is refused stops no other."""
    gold, *systems = read
    summaries = []
    for system in systems:
        told: list[str] = []
        try:
            summaries.append(score_sides(asked, [gold, system], detail=detail, workers=workers, notes=told))
        except InputError as error:
            left_out[system.name] = error
        notes.extend(note for note in told if note not in notes)
    if not summaries:
        raise next(iter(left_out.values()), UsageError("no system is left to be scored"))
    if any(part.settings != summaries[0].settings for part in summaries):
        # What each decided for itself, the valid ones decide together, as they do where none is refused.
        valid = [system for system in systems if system.name not in left_out]
        return score_sides(asked, [gold, *valid], detail=detail, workers=workers)
    return joined(summaries)


def joined(summaries: Sequence[AnySummary]) -> AnySummary:
    """The summaries of systems that were scored one by one, as if they had been scored together."""
    first = summaries[0]
    findings = in_order(dict.fromkeys(finding for part in summaries for finding in part.findings))
    systems = (item for part in summaries for item in part.inputs if item.role == "system")
    inputs = (*(item for item in first.inputs if item.role != "system"), *systems)
    diagnosis = {
        name: [entry for part in summaries for entry in part.diagnosis.get(name, ())]
        for name in ("documents", "standing")
    }
    return replace(
        first,
        rows=tuple(row for part in summaries for row in part.rows),
        inputs=inputs,
        diagnosis=FrozenDict({name: found for name, found in diagnosis.items() if found}),
        findings=tuple(findings),
        signature=signed_with(first, inputs),
    )


def refuse_unknown_breakdowns(named: Iterable[str], asked: Request, settings: Mapping[str, object]) -> None:
    """Refuse names that no measurement under these settings is broken down by."""
    measurements = asked.task.measurements(asked.profile.resolved(settings).settings)
    known = ["doc", *sorted({name for measurement in measurements for name in measurement.breakdowns})]
    for name in named:
        if name not in {*known, EVERY_BREAKDOWN}:
            near = did_you_mean(name, known)
            hint = f"task {asked.task.name} can be shown by {', '.join(known)}"
            raise UsageError(f"--by {name}: nothing to show", hint=f"{near} {hint}" if near else hint)

"""From corpora to summaries: all systems in one run, shared among workers, or each by itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from lydite.errors import InputError, UsageError
from lydite.facade.choosing import Request, UserChoice
from lydite.facade.sides import NO_TEAMS, Given, LeftOut, read_sides
from lydite.facade.summaries import signature_of_inputs
from lydite.frozen import FrozenDict
from lydite.model import Corpus, Summary
from lydite.parallel import AMBIENT_WORKERS, Processes, Progress, Workers
from lydite.pipeline.gathering import EVERY_BREAKDOWN
from lydite.pipeline.running import run
from lydite.pipeline.sides import in_order
from lydite.pipeline.task import KeptResults
from lydite.registry import did_you_mean

ALL_BREAKDOWNS = ("doc", EVERY_BREAKDOWN)
EVERYTHING = KeptResults(by=ALL_BREAKDOWNS)


def score_files(
    choice: UserChoice,
    gold: Given,
    systems: Sequence[Given],
    *,
    names: Sequence[str] | None = None,
    teams: Mapping[str, str] = NO_TEAMS,
    detail: KeptResults = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
) -> tuple[Summary, Request]:
    """Read and score the systems against gold; the request says what was inferred."""
    request, corpora = read_sides(choice, gold, systems, names=names, teams=teams, unread=workers is not None)
    return score_sides(request, corpora, detail=detail, progress=progress, workers=workers), request


def workers_for(jobs: int) -> Workers | None:
    """The cluster of the context (``lydite.distributed``), or so many processes; None for this process alone."""
    return AMBIENT_WORKERS.get() or (Processes(jobs) if jobs > 1 else None)


def score_sides(
    request: Request,
    corpora: Sequence[Corpus],
    *,
    detail: KeptResults = EVERYTHING,
    progress: Progress | None = None,
    workers: Workers | None = None,
    left_out: LeftOut | None = None,
    notes: list[str] | None = None,
) -> Summary:
    """Score the systems among the corpora, of which gold is the first.

    A system that is refused goes to ``left_out``, if it is given.  ``workers`` share the documents or, where documents
    are scored together, the systems; why they do the latter is added to ``notes``.
    """
    notes = [] if notes is None else notes
    if left_out is not None:
        return _score_valid_systems(request, corpora, detail, left_out, workers, notes)
    gold, *systems = corpora
    try:
        if workers is not None:
            from lydite.facade.sharing import run_shared

            return run_shared(request, corpora, detail, progress, workers, notes)
        return run(request.task, gold, systems, request.profile, detail=detail, progress=progress)
    except InputError as error:
        error.notes = request.notes
        raise


def _score_valid_systems(  # noqa: PLR0917 - what one run takes
    request: Request,
    corpora: Sequence[Corpus],
    detail: KeptResults,
    left_out: LeftOut,
    workers: Workers | None,
    notes: list[str],
) -> Summary:
    """Score every system by itself, so that a refused one does not stop the others."""
    gold, *systems = corpora
    summaries = []
    for system in systems:
        new: list[str] = []
        try:
            summaries.append(score_sides(request, [gold, system], detail=detail, workers=workers, notes=new))
        except InputError as error:
            left_out[system.name] = error
        notes.extend(note for note in new if note not in notes)
    if not summaries:
        raise next(iter(left_out.values()), UsageError("no system is left to be scored"))
    if any(part.settings != summaries[0].settings for part in summaries):
        # Each system alone led to other settings: the valid ones together must decide, as where none is refused.
        valid = [system for system in systems if system.name not in left_out]
        return score_sides(request, [gold, *valid], detail=detail, workers=workers)
    return join_summaries(summaries)


def join_summaries(summaries: Sequence[Summary]) -> Summary:
    """One summary of systems that were scored one by one, as if they had been scored together."""
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
        signature=signature_of_inputs(first, inputs),
    )


def refuse_unknown_breakdowns(named: Iterable[str], request: Request, settings: Mapping[str, object]) -> None:
    """Refuse names by which no measurement under these settings is broken down."""
    named = [name for name in named if name not in {"doc", EVERY_BREAKDOWN}]
    if not named:
        return
    measurements = request.task.measurements(request.profile.resolved(settings).settings)
    known = ["doc", *sorted({name for measurement in measurements for name in measurement.breakdowns})]
    for name in named:
        if name not in known:
            near = did_you_mean(name, known)
            hint = f"scores of task {request.task.name} can be broken down by {', '.join(known)}"
            raise UsageError(f"--by {name}: no such breakdown", hint=f"{near} {hint}" if near else hint)

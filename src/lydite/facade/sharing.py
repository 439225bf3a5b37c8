"""One run shared among workers: by documents, or by systems where documents are scored together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from lydite.errors import InputError
from lydite.facade.choosing import Request
from lydite.facade.scoring import join_summaries
from lydite.model import Corpus, Summary
from lydite.model.settings import TaskSettings
from lydite.parallel import CannotPickle, Workers, pickle_common
from lydite.pipeline import Detail, Progress, in_order, refuse_errors, run
from lydite.pipeline.blocks import (
    Block,
    BlockOutcome,
    BlockRunner,
    RunInputs,
    measure_block,
    read_in_full,
    reason_to_stay_together,
)
from lydite.tasks import TASKS


def run_shared(  # noqa: PLR0917 - what one run takes, and who does it
    request: Request,
    corpora: Sequence[Corpus],
    detail: Detail,
    progress: Progress | None,
    workers: Workers,
    notes: list[str],
) -> Summary:
    """Score as one process would; why documents could not be shared is added to ``notes``."""
    gold, *systems = corpora
    if len(systems) > 1 and reason_to_stay_together(request.task, corpora, request.profile):
        with suppress(CannotPickle):
            return _run_systems(request, corpora, detail, progress, workers)
    task, profile = request.task, request.profile
    runner = BlockRunner(workers, _measure_block, notes)
    return run(task, gold, systems, profile, detail=detail, progress=progress, block_runner=runner)


def _measure_block(progress: Progress, inputs: RunInputs, block: Block) -> BlockOutcome[TaskSettings, object]:
    return measure_block(TASKS[inputs.task], inputs, block, progress)


def _run_systems(
    request: Request, corpora: Sequence[Corpus], detail: Detail, progress: Progress | None, workers: Workers
) -> Summary:
    """Let each worker score one system; what workers refuse is refused here, with the findings of all of them."""
    gold, *systems = corpora
    inputs = RunInputs(request.task.name, read_in_full(gold), systems, request.profile, detail)
    outcomes = workers.map(_run_system, pickle_common(inputs), range(len(systems)), progress=progress)
    refuse_errors(in_order(dict.fromkeys(finding for part in outcomes for finding in part.findings)))
    return join_summaries([part for part in outcomes if isinstance(part, Summary)])


def _run_system(progress: Progress, inputs: RunInputs, number: int) -> Summary | InputError:
    task, gold, systems, profile, detail = inputs
    system = read_in_full(systems[number])
    try:
        return run(TASKS[task], gold, [system], profile, detail=detail, progress=progress)
    except InputError as refusal:
        return refusal

"""One run shared among workers: by documents, or by systems where documents belong together."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from lydite.errors import InputError
from lydite.facade.choosing import Request
from lydite.facade.scoring import joined
from lydite.model import Corpus, PlainSummary
from lydite.parallel import CannotTravel, Workers, packed
from lydite.pipeline import Detail, Progress, TaskSettings, in_order, refuse_errors, run
from lydite.pipeline.blocks import (
    Block,
    Common,
    MeasuredBlock,
    Spread,
    measure_block,
    read_in_full,
    stay_together,
)
from lydite.tasks import TASKS


def run_shared(  # noqa: PLR0917 - what one run takes, and who does it
    asked: Request,
    read: Sequence[Corpus],
    detail: Detail,
    progress: Progress | None,
    workers: Workers,
    notes: list[str],
) -> PlainSummary:
    """The same as one run by one process; ``notes`` say why documents stayed together."""
    gold, *systems = read
    if len(systems) > 1 and stay_together(asked.task, read, asked.profile):
        with suppress(CannotTravel):
            return _run_systems(asked, read, detail, progress, workers)
    spread = Spread(workers, _measure_block, notes)
    return run(asked.task, gold, systems, asked.profile, detail=detail, progress=progress, spread=spread)


def _measure_block(progress: Progress, common: Common, block: Block) -> MeasuredBlock[TaskSettings, object]:
    return measure_block(TASKS[common.task], common, block, progress)


def _run_systems(
    asked: Request, read: Sequence[Corpus], detail: Detail, progress: Progress | None, workers: Workers
) -> PlainSummary:
    """Systems are independent, and come back in the order of the command line.

    Input that a worker refuses is refused here, with the findings of all workers.
    """
    gold, *systems = read
    common = Common(asked.task.name, read_in_full(gold), systems, asked.profile, detail)
    outcomes = workers.map(_run_system, packed(common), range(len(systems)), progress=progress)
    refuse_errors(in_order(dict.fromkeys(finding for part in outcomes for finding in part.findings)))
    return joined([part for part in outcomes if isinstance(part, PlainSummary)])


def _run_system(progress: Progress, common: Common, number: int) -> PlainSummary | InputError:
    task, gold, systems, profile, detail = common
    system = read_in_full(systems[number])
    try:
        return run(TASKS[task], gold, [system], profile, detail=detail, progress=progress)
    except InputError as refusal:
        return refusal

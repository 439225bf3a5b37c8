"""One run shared among workers: by documents, or by systems where documents are scored together.

The result is that of one process, byte for byte.  Blocks are in the official order of their documents.  A worker returns
the counts and the findings of a block; added in the order of blocks, everything is where one process would have put it.
Sums that depend on the order of additions are made here, document by document.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from typing import Any, Generic, NamedTuple, TypeVar

from lydite.errors import InputError, LyditeError, errors_among
from lydite.facade.choosing import Request
from lydite.facade.scoring import join_summaries
from lydite.formats.base import UnreadDocuments
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document, Summary
from lydite.model.settings import C, S
from lydite.parallel import CannotPickle, Progress, Workers, pickle_common
from lydite.pipeline.gathering import Accumulator
from lydite.pipeline.reading import read_share
from lydite.pipeline.running import Run, measure, run, sides_of
from lydite.pipeline.sides import SideFindings, Sides, in_order, refuse_errors
from lydite.pipeline.task import (
    AnyTask,
    BlockComparison,
    ComparedDocument,
    KeptResults,
    PerDocument,
    Plan,
    Task,
    by_id,
)
from lydite.profile import AnyProfile
from lydite.tasks import TASKS

T = TypeVar("T")

KindsBySide = frozenset[tuple[str, str]]
"""The kinds of items that gold and a system have: pairs of a side and a kind."""


class Block(NamedTuple):
    """The documents that one worker compares and, by side, gold first, those that it only reads."""

    plan: Plan
    unscored: Sequence[Sequence[str]]

    @property
    def size(self) -> int:
        """How many documents are compared."""
        return len(self.plan.order)

    def of_side(self, number: int) -> Iterator[str]:
        """The documents of gold (0) or of a system that are read."""
        yield from self.plan.of_systems[number - 1] if number else self.plan.order
        yield from self.unscored[number]


class RunInputs(NamedTuple):
    """A run as every worker gets it: the task by its name, as functions cannot be pickled."""

    task: str
    gold: Corpus
    systems: Sequence[Corpus]
    profile: AnyProfile
    detail: KeptResults


class Outlines(NamedTuple):
    """Evidence whether a block could be compared by itself: documents and names by side, gold first, and kinds by system."""

    documents: Sequence[Mapping[str, Document]]
    names: Sequence[frozenset[str]]
    found: Sequence[KindsBySide]


class BlockOutcome(NamedTuple, Generic[S, C]):
    """The result of a block: findings by side, gold first, and counts by system."""

    sides: Sequence[SideFindings]
    accumulators: Sequence[Accumulator[S, C]]
    outlines: Outlines | None = None


def run_shared(  # noqa: PLR0917 - what one run takes, and who does it
    request: Request,
    corpora: Sequence[Corpus],
    detail: KeptResults,
    progress: Progress | None,
    workers: Workers,
    notes: list[str],
) -> Summary:
    """Score as one process would; why documents could not be shared is added to ``notes``."""
    gold, *systems = corpora
    task, profile = request.task, request.profile
    if len(systems) > 1 and reason_to_stay_together(task, corpora, profile):
        with suppress(CannotPickle):
            return _run_systems(request, corpora, detail, progress, workers)
    begun = Run(task, gold, systems, profile, detail=detail, progress=progress)
    if _measure_in_blocks(begun, workers, notes):
        return begun.summary()
    gold, *systems = map(read_in_full, (begun.gold, *begun.systems))
    return run(task, gold, systems, begun.given_profile, detail=begun.detail, progress=progress)


def _measure_in_blocks(begun: Run[S, C], workers: Workers, notes: list[str]) -> bool:
    """Let workers measure the blocks, and add what they return; False if one process must do it all."""
    task, sides = begun.task, begun.sides
    inputs = RunInputs(task.name, begun.gold, begun.systems, begun.profile, begun.detail)
    why = reason_to_stay_together(task, (inputs.gold, *inputs.systems), inputs.profile)
    blocks: list[Block] = []
    if not why:
        plan = task.compare.plan(sides, begun.profile.settings)
        size = sum(_size_on_disk(side.corpus.path) for side in sides.all)
        count = workers.blocks(len(plan.order), size)
        blocks = split(plan, [side.corpus.documents for side in sides.all], count) if count > 1 else []
    outcomes: list[BlockOutcome[S, C]] = []
    if len(blocks) > 1:
        sizes = [block.size for block in blocks]
        try:
            common = pickle_common(inputs)
            outcomes = workers.map(_measure_block, common, blocks, sizes=sizes, progress=sides.progress)
        except CannotPickle:
            why = "they cannot be sent to another process"
        else:
            why = _reason_to_join(task, inputs, sides, outcomes)
    elif not why and workers.least and "documents" not in inputs.gold.facts:
        # A table that was counted as a whole has "documents" among its facts.
        why = f"a cluster gets blocks of at least {workers.least}, and there are not enough for two"
    if why:
        notes.append(f"all documents stay in one process: {why}")
    if why or len(blocks) < 2:
        return False
    for position, system in enumerate(begun.accumulators):
        for outcome in outcomes:
            system.add_block(outcome.accumulators[position])
    for position, side in enumerate(sides.all):
        side.add_blocks([outcome.sides[position] for outcome in outcomes])
    return True


def _size_on_disk(path: str) -> int:
    """The size of a file, or of all files of a folder, in bytes."""
    if os.path.isdir(path):
        with os.scandir(path) as entries:
            return sum(entry.stat().st_size for entry in entries if entry.is_file())
    return os.path.getsize(path) if os.path.isfile(path) else 0


def split(plan: Plan, documents: Sequence[Collection[str]], count: int) -> list[Block]:
    """Cut a plan into ``count`` blocks of about equal size; ``documents`` are those of each side, gold first."""
    scored = (frozenset(plan.order), *plan.of_systems)
    unscored = [
        _cut([doc_id for doc_id in side_documents if doc_id not in compared], count)
        for side_documents, compared in zip(documents, scored, strict=True)
    ]
    blocks = []
    for number, order in enumerate(_cut(plan.order, count)):
        of_systems = [frozenset(doc_id for doc_id in order if doc_id in one) for one in plan.of_systems]
        own_plan = plan._replace(order=order, of_systems=of_systems)
        blocks.append(Block(own_plan, [of_side[number] for of_side in unscored]))
    return blocks


def _cut(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """Cut a sequence into ``count`` consecutive pieces; some may be empty."""
    size = len(items)
    return [items[size * number // count : size * (number + 1) // count] for number in range(count)]


# ------------------------------------------------------------------------------------------------- in a worker


def _measure_block(progress: Progress, inputs: RunInputs, block: Block) -> BlockOutcome[Any, Any]:
    """Read, check, compare and measure the documents of a block."""
    forget_files()
    task = TASKS[inputs.task]
    settings = inputs.profile.settings
    gold, systems = task.reading.match_documents(inputs.gold, inputs.systems, settings)
    corpora = []
    for number, corpus in enumerate((gold, *systems)):
        if isinstance(corpus.documents, UnreadDocuments):
            corpora.append(read_share(corpus, list(block.of_side(number))))
        else:
            # The findings about whole files stay with the main process.
            corpora.append(replace(corpus, findings=()))
    sides = sides_of(task, corpora[0], corpora[1:], settings, progress)
    measurements = task.measurements(settings)
    accumulators: list[Accumulator[Any, Any]] = [
        Accumulator(corpus.name, measurements, inputs.detail, for_block=True) for corpus in corpora[1:]
    ]
    outlines = None
    try:
        if isinstance(task.compare, PerDocument):
            measure(task, settings, sides, accumulators, task.compare.compared(sides, settings, block.plan))
            for side, doc_ids in zip(sides.all, block.unscored, strict=True):
                side.load_unscored(doc_ids)
        else:
            assert task.compare.in_blocks is not None
            outlines = _measure_alone(task, task.compare.in_blocks, inputs, sides, accumulators)
    except LyditeError:
        raise
    except Exception as error:
        error.add_note(f"in or near document {sides.last_read!r}")
        raise
    return BlockOutcome([side.block_findings() for side in sides.all], accumulators, outlines)


def _measure_alone(
    task: Task[S, C],
    block_comparison: BlockComparison[S, C],
    inputs: RunInputs,
    sides: Sides[S, C],
    accumulators: Sequence[Accumulator[S, C]],
) -> Outlines:
    """Compare the documents of a block as if there were no others; if there are errors, compare none."""
    for side in sides.all:
        side.load_all()
        side.check_whole()
    found: list[KindsBySide] = [frozenset() for _ in sides.systems]
    if not errors_among(finding for side in sides.all for finding in side.findings):
        compared = _compared_alone(block_comparison, inputs, sides, found)
        measure(task, inputs.profile.settings, sides, accumulators, compared)
    documents = [side.corpus.documents for side in sides.all]
    return Outlines(
        [
            {doc_id: block_comparison.outline(one) for doc_id, one in by_doc_id.items()}
            for by_doc_id in documents
        ],
        [
            frozenset(chain.from_iterable(map(block_comparison.names, by_doc_id.values())))
            for by_doc_id in documents
        ],
        found,
    )


def _compared_alone(
    block_comparison: BlockComparison[S, C], inputs: RunInputs, sides: Sides[S, C], found: list[KindsBySide]
) -> Iterator[ComparedDocument[C]]:
    """Every document of a block, compared; ``found`` gets the kinds of items by system."""
    settings, gold, done = inputs.profile.settings, by_id(sides.gold.corpus.documents), 0
    for position, (system, side) in enumerate(zip(inputs.systems, sides.systems, strict=True)):
        expected = block_comparison.expect(inputs.gold, system, settings)
        with without_garbage_collection():
            documents = by_id(side.corpus.documents)
            for doc_id, comparison in block_comparison.compare(gold, documents, settings, expected):
                found[position] = found[position] or block_comparison.found(comparison)
                yield ComparedDocument(position, doc_id, comparison)
                done += position == len(sides.systems) - 1
                sides.progress(done, len(gold))


# ------------------------------------------------------------------------------- documents that cannot be split


def read_in_full(corpus: Corpus) -> Corpus:
    """The corpus with all its documents read."""
    if not isinstance(corpus.documents, UnreadDocuments):
        return corpus
    return read_share(corpus, list(corpus.documents))


def reason_to_stay_together(task: AnyTask, corpora: Sequence[Corpus], profile: AnyProfile) -> str | None:
    """Why the documents of a run cannot be compared in blocks; None if nothing known so far speaks against it."""
    if isinstance(task.compare, PerDocument):
        return None
    if task.compare.in_blocks is None:
        return f"task {task.name} joins items across documents"
    for corpus in corpora:
        if not isinstance(corpus.documents, UnreadDocuments) and len(corpus):
            return f"{corpus.path} does not have one document per file"
    why: str | None = task.compare.in_blocks.together(profile.settings)
    return why


def _reason_to_join(
    task: Task[S, C],
    inputs: RunInputs,
    sides: Sides[S, C],
    outcomes: Sequence[BlockOutcome[S, C]],
) -> str | None:
    """Why the blocks should have been compared together; None if not: then the sides get the outlines of their documents."""
    if isinstance(task.compare, PerDocument):
        return None
    outlines = [outcome.outlines for outcome in outcomes if outcome.outlines is not None]
    assert task.compare.in_blocks is not None
    for position, side in enumerate(sides.all):
        documents = {name: one for part in outlines for name, one in part.documents[position].items()}
        if documents.keys() != set(side.corpus.documents):
            return f"{side.corpus.path} has other documents than its files seem to have"
        if shared := _shared([part.names[position] for part in outlines]):
            return f"{shared!r} stands in several documents of {side.corpus.path}"
        in_order = {name: documents[name] for name in side.corpus.documents}
        side.corpus = replace(side.corpus, documents=in_order)
    if errors_among(finding for outcome in outcomes for side in outcome.sides for finding in side.whole):
        return None
    for position, system in enumerate(inputs.systems):
        expected = task.compare.in_blocks.expect(inputs.gold, system, inputs.profile.settings)
        if frozenset().union(*(part.found[position] for part in outlines)) != expected:
            return "single documents show other items than the files seem to have, or leave a choice between mappings"
    return None


def _shared(groups: Sequence[frozenset[str]]) -> str | None:
    """The first name, in alphabetical order, that is in two groups; None if there is none."""
    if sum(map(len, groups)) == len(frozenset().union(*groups)):
        return None
    seen: set[str] = set()
    again: set[str] = set()
    for group in groups:
        again |= seen & group
        seen |= group
    return min(again)


# ------------------------------------------------------------------------------- systems one by one


def _run_systems(
    request: Request,
    corpora: Sequence[Corpus],
    detail: KeptResults,
    progress: Progress | None,
    workers: Workers,
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

"""One run over blocks of documents that are measured elsewhere: the outcome is that of one process, byte for byte.

Blocks follow each other in the official order of their documents.  Whoever measures one returns what was gathered and
what came up; taken in that order, everything is where one process would have put it.  What depends on the order of
additions is added here, document after document.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Generic, TypeVar

from lydite.errors import LyditeError, errors_among
from lydite.formats.base import UnreadDocuments
from lydite.memory import forget_files, without_garbage_collection
from lydite.model import Corpus, Document
from lydite.parallel import CannotTravel, Progress, Workers, packed
from lydite.pipeline.gathering import Gathered
from lydite.pipeline.settings import C, S, TaskSettings
from lydite.pipeline.sides import SideBlock, Sides
from lydite.profile import AnyProfile
from lydite.records import NamedTuple, dataclass, field, replace

if TYPE_CHECKING:
    from lydite.pipeline import AnyTask, Apart, ComparedDocument, Detail, Plan, Task

T = TypeVar("T")

KindsBySide = frozenset[tuple[str, str]]
"""What gold and a system have: sides and kinds."""


class Block(NamedTuple):
    """Documents that are compared in one go, and by side, gold first, documents that are only read."""

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


class Common(NamedTuple):
    """What everybody who measures a block needs to know; the task by its name."""

    task: str
    gold: Corpus
    systems: Sequence[Corpus]
    profile: AnyProfile
    detail: Detail


class Outlines(NamedTuple):
    """What shows whether the documents of a block could be taken from the others: by side, gold first, and by system."""

    documents: Sequence[Mapping[str, Document]]
    names: Sequence[frozenset[str]]
    found: Sequence[KindsBySide]


class MeasuredBlock(NamedTuple, Generic[S, C]):
    """What comes back of a block: by side, gold first, and by system."""

    sides: Sequence[SideBlock]
    gathered: Sequence[Gathered[S, C]]
    outlines: Outlines | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """Who measures blocks, and the function of a module that does it there."""

    workers: Workers
    work: Callable[[Progress, Common, Block], MeasuredBlock[TaskSettings, object]]
    notes: list[str] = field(default_factory=list)
    """Why documents stayed in one process, if they did."""

    def measure(
        self, task: Task[S, C], common: Common, sides: Sides[S, C], gathered: Sequence[Gathered[S, C]]
    ) -> bool:
        """Let blocks be measured and take in what comes back; whether that could be done."""
        why = stay_together(task, (common.gold, *common.systems), common.profile)
        blocks = [] if why else self._blocks(task, common, sides)
        outcomes: list[MeasuredBlock[TaskSettings, object]] = []
        if len(blocks) > 1:
            sizes = [block.size for block in blocks]
            try:
                outcomes = self.workers.map(
                    self.work, packed(common), blocks, sizes=sizes, progress=sides.progress
                )
            except CannotTravel:
                why = "they are made here, and cannot be read elsewhere"
            else:
                why = _why_joined(task, common, sides, outcomes)
        elif not why and self.workers.least and "documents" not in common.gold.facts:
            # What was counted as a whole says how many documents it stands for.
            why = f"a block for a cluster has at least {self.workers.least}, and there are not two"
        if why:
            self.notes.append(f"all documents stay in one process: {why}")
        if why or len(blocks) < 2:
            return False
        for position, system in enumerate(gathered):
            for outcome in outcomes:
                system.take_block(outcome.gathered[position])
        for position, side in enumerate(sides):
            side.take_blocks([outcome.sides[position] for outcome in outcomes])
        return True

    def _blocks(self, task: Task[S, C], common: Common, sides: Sides[S, C]) -> list[Block]:
        plan = task.compare.plan(sides, common.profile.settings)
        size = sum(_bytes_at(side.corpus.path) for side in sides)
        count = self.workers.blocks(len(plan.order), size)
        return split(plan, [side.corpus.documents for side in sides], count) if count > 1 else []


def _bytes_at(path: str) -> int:
    """How large a file is, or the files of a folder, as they lie there."""
    if os.path.isdir(path):  # noqa: PTH112 - what a corpus calls its path may be none
        with os.scandir(path) as entries:
            return sum(entry.stat().st_size for entry in entries if entry.is_file())
    return os.path.getsize(path) if os.path.isfile(path) else 0  # noqa: PTH113, PTH202 - as above


def split(plan: Plan, documents: Sequence[Collection[str]], count: int) -> list[Block]:
    """So many blocks of about equal numbers of documents; ``documents`` are those of each side, gold first."""
    scored = (frozenset(plan.order), *plan.of_systems)
    unscored = [
        _cut([doc_id for doc_id in of_side if doc_id not in compared], count)
        for of_side, compared in zip(documents, scored, strict=True)
    ]
    return [
        Block(
            plan._replace(
                order=order,
                of_systems=[
                    frozenset(doc_id for doc_id in order if doc_id in one) for one in plan.of_systems
                ],
            ),
            [of_side[number] for of_side in unscored],
        )
        for number, order in enumerate(_cut(plan.order, count))
    ]


def _cut(items: Sequence[T], count: int) -> list[Sequence[T]]:
    """So many stretches of the items, in their order; some may be empty."""
    return [
        items[len(items) * number // count : len(items) * (number + 1) // count] for number in range(count)
    ]


# ------------------------------------------------------------------------------------------------- in a worker


def measure_block(
    task: Task[S, C], common: Common, block: Block, progress: Progress | None
) -> MeasuredBlock[S, C]:
    """Read, check, compare and measure the documents of a block, in whatever process this is."""
    from lydite.pipeline import PerDocument, measure, sides_of

    forget_files()
    settings = common.profile.settings
    gold, systems = task.reading.match_documents(common.gold, common.systems, settings)
    shares = [_share(corpus, block, number) for number, corpus in enumerate((gold, *systems))]
    sides = sides_of(task, shares[0], shares[1:], settings, progress)
    measurements = task.measurements(settings)
    gathered: list[Gathered[S, C]] = [
        Gathered(share.name, measurements, common.detail, apart=True) for share in shares[1:]
    ]
    outlines = None
    try:
        if isinstance(task.compare, PerDocument):
            measure(task, settings, sides, gathered, task.compare.compared(sides, settings, block.plan))
            for side, doc_ids in zip(sides, block.unscored, strict=True):
                side.load_unscored(doc_ids)
        else:
            assert task.compare.apart is not None
            outlines = _measure_apart(task, task.compare.apart, common, sides, gathered)
    except LyditeError:
        raise
    except Exception as error:
        error.add_note(f"in or near document {sides.last_read!r}")
        raise
    return MeasuredBlock([side.block() for side in sides], gathered, outlines)


def _share(corpus: Corpus, block: Block, number: int) -> Corpus:
    """The documents of a block; what is remarked about files as wholes is known where the files were opened."""
    if not isinstance(corpus.documents, UnreadDocuments):
        return replace(corpus, findings=())
    from lydite.pipeline.reading import read_share

    return read_share(corpus, list(block.of_side(number)))


def _measure_apart(
    task: Task[S, C],
    apart: Apart[S, C],
    common: Common,
    sides: Sides[S, C],
    gathered: Sequence[Gathered[S, C]],
) -> Outlines:
    """Compare the documents of a block as if they were all there are; unsound ones are not compared."""
    from lydite.pipeline import measure

    for side in sides:
        side.load_all()
        side.look_at_all()
    found: list[KindsBySide] = [frozenset() for _ in sides.systems]
    if not errors_among(finding for side in sides for finding in side.findings):
        measure(task, common.profile.settings, sides, gathered, _compared_apart(apart, common, sides, found))
    documents = [side.corpus.documents for side in sides]
    return Outlines(
        [{name: apart.outline(one) for name, one in of_side.items()} for of_side in documents],
        [frozenset(chain.from_iterable(map(apart.names, of_side.values()))) for of_side in documents],
        found,
    )


def _compared_apart(
    apart: Apart[S, C], common: Common, sides: Sides[S, C], found: list[KindsBySide]
) -> Iterator[ComparedDocument[C]]:
    from lydite.pipeline import ComparedDocument, by_id

    settings, gold, done = common.profile.settings, by_id(sides.gold.corpus.documents), 0
    for position, (system, side) in enumerate(zip(common.systems, sides.systems, strict=True)):
        expected = apart.expect(common.gold, system, settings)
        with without_garbage_collection():
            theirs = by_id(side.corpus.documents)
            for doc_id, comparison in apart.compare(gold, theirs, settings, expected):
                found[position] = found[position] or apart.found(comparison)
                yield ComparedDocument(position, doc_id, comparison)
                done += position == len(sides.systems) - 1
                sides.progress(done, len(gold))


# ------------------------------------------------------------------------------- documents that belong together


def read_in_full(corpus: Corpus) -> Corpus:
    """The corpus with all of its documents, where they were not read yet."""
    if not isinstance(corpus.documents, UnreadDocuments):
        return corpus
    from lydite.pipeline.reading import read_share

    return read_share(corpus, list(corpus.documents))


def stay_together(task: AnyTask, corpora: Sequence[Corpus], profile: AnyProfile) -> str | None:
    """Why the documents of a run cannot be taken apart; None if they can, as far as anybody knows."""
    from lydite.pipeline import PerDocument

    if isinstance(task.compare, PerDocument):
        return None
    if task.compare.apart is None:
        return f"task {task.name} joins items across documents"
    for corpus in corpora:
        if not isinstance(corpus.documents, UnreadDocuments) and len(corpus):
            return f"{corpus.path} does not have one document per file"
    why: str | None = task.compare.apart.together(profile.settings)
    return why


def _why_joined(
    task: Task[S, C],
    common: Common,
    sides: Sides[S, C],
    outcomes: Sequence[MeasuredBlock[TaskSettings, object]],
) -> str | None:
    """Why what came back cannot stand; None if the documents were rightly taken apart, and then sides know them."""
    from lydite.pipeline import PerDocument

    if isinstance(task.compare, PerDocument):
        return None
    outlines = [outcome.outlines for outcome in outcomes if outcome.outlines is not None]
    assert task.compare.apart is not None
    for position, side in enumerate(sides):
        documents = {name: one for part in outlines for name, one in part.documents[position].items()}
        if documents.keys() != set(side.corpus.documents):
            return f"{side.corpus.path} has other documents than its files seem to have"
        if shared := _shared([part.names[position] for part in outlines]):
            return f"{shared!r} stands in several documents of {side.corpus.path}"
        side.corpus = replace(
            side.corpus, documents={name: documents[name] for name in side.corpus.documents}
        )
    if errors_among(finding for outcome in outcomes for side in outcome.sides for finding in side.whole):
        return None
    for position, system in enumerate(common.systems):
        expected = task.compare.apart.expect(common.gold, system, common.profile.settings)
        if frozenset().union(*(part.found[position] for part in outlines)) != expected:
            return "something that gold or a system seems to have is not in what is compared"
    return None


def _shared(groups: Sequence[frozenset[str]]) -> str | None:
    """A name that stands in two groups, the first one in order; None if there is none."""
    if sum(map(len, groups)) == len(frozenset().union(*groups)):
        return None
    seen: set[str] = set()
    again: set[str] = set()
    for group in groups:
        again |= seen & group
        seen |= group
    return min(again)

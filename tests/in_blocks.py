"""Workers that are none: blocks are measured one after the other in this process, and travel as they would elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

from lydite.errors import InputError
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides
from lydite.parallel import Progress, Work
from lydite.pipeline.task import KeptResults
from lydite.report.summary_document import pieces

EVERYTHING = KeptResults(by=("doc", "*"), diagnosis=True, standing=(None,))


def sent(value: Any) -> Any:
    """A value as another process gets it."""
    return pickle.loads(pickle.dumps(value))  # noqa: S301 - our own


class InTurn:
    """So many blocks, one after the other."""

    least = ""

    def __init__(self, count: int) -> None:
        self.count = count
        self.shares: list[object] = []

    def blocks(self, documents: int, size: int) -> int:
        assert size >= 0
        return min(documents, self.count)

    def map(
        self,
        work: Work[Any],
        inputs: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[Any]:
        assert len(sizes) in {0, len(shares)}
        self.shares.extend(shares)

        def told(done: int, total: int) -> None:
            if progress is not None:
                progress(done, total)

        return [sent(work(told, pickle.loads(inputs), sent(share))) for share in shares]  # noqa: S301


def outcome(
    choice: UserChoice, gold: object, systems: Sequence[object], workers: InTurn | None, notes: list[str]
) -> object:
    """The bytes of the whole summary document, or what the input was refused for."""
    paths = [str(path) for path in systems]
    try:
        asked, read = read_sides(choice, str(gold), paths, unread=workers is not None)
        summary = score_sides(asked, read, detail=EVERYTHING, workers=workers, notes=notes)
    except InputError as error:
        return type(error), error.findings
    return b"".join(pieces(summary, more={}))

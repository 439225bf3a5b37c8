"""The lines of an event-argument file, also broken ones, and the problems that the reader found in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from lydite.model.argument import Argument, ArgumentRow, Assessment, Frame, PartialArgument, identifier_2015
from lydite.model.document import Document

LAYER: Final = "arguments"
"""The layer of a document that holds its :class:`ArgumentLines`."""

AS_NUMBER: Final = "as number"
"""Marks a repeated id in another spelling: where ids are not numbers it is another id."""

Side = Literal["system", "gold", "both"]


class Problem(NamedTuple):
    """A finding about a line, for one side or for both."""

    code: str
    line: int
    column: int | None
    message: str
    side: Side = "both"
    hint: str | None = None
    item: str | None = None
    of_linking: bool = False
    """Whether the line is one of the document's linking file."""


class BrokenRow(NamedTuple):
    """A line that makes no argument, with what could be read of it, for the checks that still apply."""

    line: int
    width: int
    partial: PartialArgument
    accepts_text: bool = False


@dataclass(frozen=True)
class ArgumentLines:
    """All lines of a document's file, with the frames of its linking file where there is one.

    ``linked`` tells whether a linking file was found; ``incomplete`` are the ids of its ``INCOMPLETE`` line.
    """

    rows: tuple[ArgumentRow, ...] = ()
    broken: tuple[BrokenRow, ...] = ()
    problems: tuple[Problem, ...] = ()
    frames: tuple[Frame, ...] = ()
    incomplete: tuple[str, ...] = ()
    linked: bool = False
    nested: bool = False
    """Whether the file lay in the folder ``arguments/`` of its store, as in 2015."""
    readable: bool = True

    def with_rows(self, rows: Sequence[ArgumentRow | None]) -> ArgumentLines:
        """The lines with each row replaced, or removed (None); frames keep the arguments that some row still has.

        Frames of the result name arguments by their identifiers, because the line that they named may be gone.
        """
        replaced = [
            (old, new) for old, new in zip(self.rows, rows, strict=True) if new is not None and self.frames
        ]
        new_names = {old.argument: identifier_2015(new.argument) for old, new in replaced}
        known = [(row, new_names[row.argument]) for row in self.rows if row.argument in new_names]
        names = {row.id: name for row, name in known}
        names.update((identifier_2015(row.argument), name) for row, name in known)
        shortened = (
            frame._replace(members=tuple(names[one] for one in frame.members if one in names))
            for frame in self.frames
        )
        frames = tuple(frame for frame in shortened if frame.members)
        return replace(self, rows=tuple(filter(None, rows)), frames=frames)

    def __repr__(self) -> str:
        # The content hash of a run is made from this; the order and the numbers of the lines are no content.
        rows = sorted(
            [
                f"({_argument_text(argument)}, {confidence!r}, "
                f"{'None' if assessment is None else _assessment_text(assessment)}, {cluster!r})"
                for argument, _, _, confidence, assessment, cluster, _, _ in self.rows
            ]
        )
        # Frames are shown by the arguments that they join: ids of lines are no content.
        names = {row.id: identifier_2015(row.argument) for row in self.rows} if self.frames else {}
        frames = sorted(sorted(names.get(one, one) for one in frame.members) for frame in self.frames)
        return f"ArgumentLines({_list_text(rows)}, {frames}, {len(self.broken)})"


def _list_text(rows: list[str]) -> str:
    """The ``repr`` of a list of rows, made faster where no row needs an escape."""
    joined = '", "'.join(rows)
    if not rows or "\\" in joined or joined.count('"') > 2 * len(rows) - 2:
        return repr(rows)
    return f'["{joined}"]'


@lru_cache(maxsize=4096)
def _argument_text(argument: Argument) -> str:
    # The same arguments stand in the files of many systems.
    return repr(argument)


@lru_cache(maxsize=1024)
def _assessment_text(assessment: Assessment) -> str:
    return repr(assessment)


NO_LINES = ArgumentLines()


def lines_of(document: Document) -> ArgumentLines:
    """The argument lines of a document; a document that the side lacks has none."""
    found: ArgumentLines = document.layers.get(LAYER, NO_LINES)
    return found

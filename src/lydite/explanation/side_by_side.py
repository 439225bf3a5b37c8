"""The comparison file: one line for each item on which two sides differ, with its text and context."""

from __future__ import annotations

from collections.abc import Iterator

from lydite.escaping import printable
from lydite.explanation.explanation import Explanation
from lydite.explanation.running import text_of
from lydite.model.verdict import FINE, GOLD, Verdict

COLUMNS = ("document", "side", "id", "line", "type", "text", "other", "cause", "why", "context")
CONTEXT = 30
"""Characters of context on either side."""


def comparison_file(
    explanation: Explanation,
    *,
    everything: bool = False,
    folder: str | None = None,
    names: tuple[str, str] | None = None,
) -> Iterator[bytes]:
    """A heading and one line for each item with an error (``everything``: for each item).

    A pair with the same cause on both sides has one line, that of gold.  ``names`` are the names of the sides where
    neither of them is gold.
    """
    name_of_side = dict(zip(("gold", "system"), names or ("gold", "system"), strict=True))
    yield _line(COLUMNS)
    document, text = "", None
    paired: set[tuple[str | None, str, str]] = set()
    for verdict in explanation.verdicts:
        if verdict.document != document:
            document, paired = verdict.document, set()
            text = text_of(explanation, document, folder)
        if verdict.side == GOLD:
            paired.add((verdict.other, verdict.id, verdict.cause))
        elif (verdict.id, verdict.other, verdict.cause) in paired:
            continue
        if everything or verdict.cause not in FINE:
            yield _line(_cells(verdict, name_of_side[verdict.side], _context(text, verdict)))


def _cells(verdict: Verdict, side: str, context: str) -> tuple[str, ...]:
    cells = {**verdict._asdict(), "side": side, "context": context}
    return tuple(str(cells[name] or "") for name in COLUMNS)


def _context(text: str | None, verdict: Verdict) -> str:
    if text is None or not verdict.ranges or verdict.ranges[-1][1] > len(text):
        return ""
    begin, end = verdict.ranges[0][0], verdict.ranges[-1][1]
    return f"{text[max(0, begin - CONTEXT) : begin]}[{text[begin:end]}]{text[end : end + CONTEXT]}"


def _line(cells: tuple[str, ...]) -> bytes:
    # White space inside a cell becomes a blank, so that an item has one line.
    return ("\t".join(printable(" ".join(cell.split())) for cell in cells) + "\n").encode()

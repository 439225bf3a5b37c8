"""The comparison file: what two sides differ on, one line each, with names as in the files and a line of context."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lydite.escaping import printable
from lydite.explanation.explanation import Explanation
from lydite.explanation.running import text_of
from lydite.model.verdict import FINE, GOLD, Verdict

COLUMNS = ("document", "side", "id", "line", "type", "text", "other", "cause", "why", "context")
AROUND = 30
"""Characters of context on either side."""


def comparison_file(
    explanation: Explanation,
    *,
    everything: bool = False,
    folder: str | None = None,
    names: tuple[str, str] | None = None,
) -> Iterator[bytes]:
    """A heading and one line per item that differs, or per item; a pair with one cause stands under gold's item.

    ``names`` are what the sides are called where neither of them is gold.
    """
    called = dict(zip(("gold", "system"), names or ("gold", "system"), strict=True))
    yield _line(COLUMNS)
    document, text = "", None
    told: set[tuple[str | None, str, str]] = set()
    for verdict in explanation.verdicts:
        if verdict.document != document:
            document, told = verdict.document, set()
            text = text_of(explanation, document, folder)
        if verdict.side == GOLD:
            told.add((verdict.other, verdict.id, verdict.cause))
        elif (verdict.id, verdict.other, verdict.cause) in told:
            continue
        if everything or verdict.cause not in FINE:
            yield _line(_cells(verdict, called, _context(text, verdict)))


def _cells(verdict: Verdict, called: Mapping[str, str], context: str) -> tuple[str, ...]:
    cells = {**verdict._asdict(), "side": called[verdict.side], "context": context}
    return tuple(str(cells[name] or "") for name in COLUMNS)


def _context(text: str | None, verdict: Verdict) -> str:
    if text is None or not verdict.ranges or verdict.ranges[-1][1] > len(text):
        return ""
    begin, end = verdict.ranges[0][0], verdict.ranges[-1][1]
    return f"{text[max(0, begin - AROUND) : begin]}[{text[begin:end]}]{text[end : end + AROUND]}"


def _line(cells: tuple[str, ...]) -> bytes:
    # One item, one line: white space inside a cell is a blank.
    return ("\t".join(printable(" ".join(cell.split())) for cell in cells) + "\n").encode()

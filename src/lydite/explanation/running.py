"""A document on both sides: its text with gold above and system below where they differ, then its items."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from lydite.explanation.explanation import Explanation
from lydite.explanation.passes import document_as_read
from lydite.explanation.text import more_line, rival_lines, verdict_text
from lydite.model.letters import letters
from lydite.model.verdict import FINE, GOLD, SYSTEM, Verdict
from lydite.records import NamedTuple
from lydite.report.text import shown_width

WIDTH = 70
MARGIN = "        "
"""As wide as the names of the sides before the text."""


class TextLine(NamedTuple):
    """A line of a document on the terminal; ``side`` says whose marks it holds."""

    text: str
    side: str = ""


def document_lines(
    explanation: Explanation,
    doc_id: str,
    verdicts: Sequence[Verdict],
    *,
    folder: str | None,
    context: int | None,
    most: int | None = None,
    rivals: bool = False,
) -> Iterator[TextLine]:
    """The document as text with marks, if its text is known; its chains in words; its verdicts in text order.

    At most so many verdicts are listed, and what competed for them, if ``rivals`` are asked for.
    """
    yield TextLine(doc_id, "title")
    text = text_of(explanation, doc_id, folder)
    named = dict(_lettered(verdicts))
    if text is not None and any(verdict.ranges for verdict in verdicts):
        yield from _running(text, named, context)
        yield TextLine("")
    tell = explanation.inputs.explainer.chains
    explained = explanation.inputs.find_explained(doc_id) if tell is not None else None
    if tell is not None and explained is not None:
        yield from map(TextLine, tell(explained, explanation.inputs.settings))
        yield TextLine("")
    letters = {id(verdict): name for name, verdict in named.items()}
    for verdict in _in_text_order(verdicts)[:most]:
        first, *rest = verdict_text(verdict)
        yield TextLine(f"{letters.get(id(verdict), ''):>2}{first[1:]}", verdict.side)
        yield from map(TextLine, [*rest, *(rival_lines(verdict) if rivals else ())])
    if most is not None and most < len(verdicts):
        yield TextLine(more_line(len(verdicts) - most))


def text_of(explanation: Explanation, doc_id: str, folder: str | None) -> str | None:
    """The text of a document: its words, where these are numbered; else from the folder, or as one of the files has it."""
    of_words = explanation.inputs.explainer.text
    explained = explanation.inputs.find_explained(doc_id) if of_words is not None else None
    if of_words is not None and explained is not None and (text := of_words(explained)) is not None:
        return text
    task, settings = explanation.inputs.task, explanation.inputs.settings
    if folder is not None and (text := task.shown_text(folder, doc_id, settings)) is not None:
        return text
    for corpus in (explanation.inputs.gold, explanation.inputs.system):
        text = document_as_read(corpus, doc_id).text
        if text is not None:
            return text
    return None


def _in_text_order(verdicts: Iterable[Verdict]) -> list[Verdict]:
    return sorted(verdicts, key=lambda one: (one.ranges[:1] or ((1 << 60, 0),), one.side))


def _lettered(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, Verdict]]:
    """Letters for the items that are not right: capitals for gold, small ones for the system, in text order."""
    counts = {GOLD: 0, SYSTEM: 0}
    for verdict in _in_text_order(verdicts):
        if verdict.cause not in FINE and verdict.ranges:
            letter = letters(counts[verdict.side])
            counts[verdict.side] += 1
            yield (letter if verdict.side == GOLD else letter.lower()), verdict


def _running(text: str, named: dict[str, Verdict], context: int | None) -> Iterator[TextLine]:
    """Lines of the text; above a line what gold has there and below it what the system has, where they differ."""
    lines = list(_lines(text))
    marks = [{side: _marks(text, place, named, side) for side in (GOLD, SYSTEM)} for place in lines]
    wanted = {
        near
        for at, sides in enumerate(marks)
        if any(sides.values())
        for near in (range(len(lines)) if context is None else range(at - context, at + context + 1))
    }
    last = -1
    for at, (begin, end) in enumerate(lines):
        if at not in wanted:
            continue
        if at > last + 1:
            yield TextLine(f"{MARGIN}…")
        last = at
        yield from (TextLine(f"{'gold':<8}{line}", GOLD) for line in marks[at][GOLD])
        yield TextLine(MARGIN + text[begin:end].replace("\t", " ").rstrip())
        yield from (TextLine(f"{'system':<8}{line}", SYSTEM) for line in marks[at][SYSTEM])
    if not wanted:
        yield TextLine(f"{MARGIN}both sides agree wherever they say something")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Where the lines of the text are, long ones broken at blanks."""
    begin = 0
    for line in text.splitlines(keepends=True):
        end = begin + len(line.rstrip("\r\n"))
        at = begin
        while (full := _full_line(text, at, end)) < end:
            blank = text.rfind(" ", at + 1, full)
            cut = blank + 1 if blank > at else full
            yield at, cut
            at = cut
        yield at, end
        begin += len(line)


def _full_line(text: str, begin: int, end: int) -> int:
    """Where a line that begins here is full."""
    full = min(end, begin + WIDTH)
    while shown_width(text[begin:full]) > WIDTH:
        full -= 1
    return full


def _marks(text: str, place: tuple[int, int], named: dict[str, Verdict], side: str) -> list[str]:
    """Lines of marks: a letter where an item begins, and dashes as far as it goes."""
    begin, end = place
    rows: list[list[str]] = []
    for letter, verdict in named.items():
        if verdict.side != side:
            continue
        for first, last in verdict.ranges:
            if last <= begin or first >= end:
                continue
            start, stop = (shown_width(text[begin:at]) for at in (max(first, begin), min(last, end)))
            mark = letter.ljust(stop - start, "-")
            row = next(
                (row for row in rows if all(cell == " " for cell in row[start : start + len(mark) + 1])), None
            )
            if row is None:
                row = [" "] * (WIDTH + 40)
                rows.append(row)
            row[start : start + len(mark)] = mark
    return ["".join(row).rstrip() for row in rows]

"""A document on the terminal: its text with gold marked above and the system below where they differ, then its verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from lydite.explanation.explanation import Explanation
from lydite.explanation.passes import document_as_read
from lydite.explanation.text import more_line, rival_lines, verdict_text
from lydite.model.letters import letters
from lydite.model.verdict import FINE, GOLD, SYSTEM, Verdict
from lydite.report.text import shown_width

WIDTH = 70
MARGIN = "        "
"""What stands before the text where no side is named."""


class TextLine(NamedTuple):
    """A line of a document on the terminal; ``side`` is the side whose marks it has, or ``title``."""

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
    """The text of a document with marks, if it is known; its clusters in words; its verdicts in text order.

    At most ``most`` verdicts are listed, with the items that competed for them if ``rivals`` is true.
    """
    yield TextLine(doc_id, "title")
    text = text_of(explanation, doc_id, folder)
    by_letter = dict(_assign_letters(verdicts))
    if text is not None and any(verdict.ranges for verdict in verdicts):
        yield from _marked_text(text, by_letter, context)
        yield TextLine("")
    describe_chains = explanation.inputs.explainer.chains
    explained = explanation.inputs.find_explained(doc_id) if describe_chains is not None else None
    if describe_chains is not None and explained is not None:
        yield from map(TextLine, describe_chains(explained, explanation.inputs.settings))
        yield TextLine("")
    letters = {id(verdict): letter for letter, verdict in by_letter.items()}
    for verdict in _in_text_order(verdicts)[:most]:
        first, *rest = verdict_text(verdict)
        yield TextLine(f"{letters.get(id(verdict), ''):>2}{first[1:]}", verdict.side)
        yield from map(TextLine, [*rest, *(rival_lines(verdict) if rivals else ())])
    if most is not None and most < len(verdicts):
        yield TextLine(more_line(len(verdicts) - most))


def text_of(explanation: Explanation, doc_id: str, folder: str | None) -> str | None:
    """The text of a document: its words, where these are numbered; else from the folder, or from one of the files."""
    join_words = explanation.inputs.explainer.text
    explained = explanation.inputs.find_explained(doc_id) if join_words is not None else None
    if join_words is not None and explained is not None and (text := join_words(explained)) is not None:
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


def _assign_letters(verdicts: Iterable[Verdict]) -> Iterator[tuple[str, Verdict]]:
    """Letters for the items with errors, in text order: capitals for gold, small ones for the system."""
    counts = {GOLD: 0, SYSTEM: 0}
    for verdict in _in_text_order(verdicts):
        if verdict.cause not in FINE and verdict.ranges:
            letter = letters(counts[verdict.side])
            counts[verdict.side] += 1
            yield (letter if verdict.side == GOLD else letter.lower()), verdict


def _marked_text(text: str, by_letter: dict[str, Verdict], context: int | None) -> Iterator[TextLine]:
    """The lines of the text, marks of gold above and of the system below; with ``context``, those near a difference."""
    lines = list(_line_ranges(text))
    marks = [{side: _mark_lines(text, line, by_letter, side) for side in (GOLD, SYSTEM)} for line in lines]
    shown = {
        near
        for number, sides in enumerate(marks)
        if any(sides.values())
        for near in (range(len(lines)) if context is None else range(number - context, number + context + 1))
    }
    last = -1
    for number, (begin, end) in enumerate(lines):
        if number not in shown:
            continue
        if number > last + 1:
            yield TextLine(f"{MARGIN}…")
        last = number
        yield from (TextLine(f"{'gold':<8}{line}", GOLD) for line in marks[number][GOLD])
        yield TextLine(MARGIN + text[begin:end].replace("\t", " ").rstrip())
        yield from (TextLine(f"{'system':<8}{line}", SYSTEM) for line in marks[number][SYSTEM])
    if not shown:
        yield TextLine(f"{MARGIN}both sides agree wherever they say something")


def _line_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Begin and end of the lines of the text; long ones are broken at blanks."""
    line_begin = 0
    for line in text.splitlines(keepends=True):
        begin, end = line_begin, line_begin + len(line.rstrip("\r\n"))
        while (full := _end_of_full_line(text, begin, end)) < end:
            blank = text.rfind(" ", begin + 1, full)
            cut = blank + 1 if blank > begin else full
            yield begin, cut
            begin = cut
        yield begin, end
        line_begin += len(line)


def _end_of_full_line(text: str, begin: int, end: int) -> int:
    """The end of as much text as a line has room for."""
    full = min(end, begin + WIDTH)
    while shown_width(text[begin:full]) > WIDTH:
        full -= 1
    return full


def _mark_lines(text: str, line: tuple[int, int], by_letter: dict[str, Verdict], side: str) -> list[str]:
    """The lines of marks for a line of text: a letter where an item begins, and dashes up to its end."""
    begin, end = line
    rows: list[list[str]] = []
    for letter, verdict in by_letter.items():
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

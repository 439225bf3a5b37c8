"""Checks of event-argument files, line by line and between lines.

Each check is a function from a document to findings; the codes, severities and columns are those of the task's
validator.  A finding's column is the number of the column in the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from lydite.checks.quotes import touches
from lydite.errors import Finding, Severity
from lydite.escaping import counted, short
from lydite.model import Document
from lydite.model.argument import (
    GENERIC,
    Argument,
    ArgumentRow,
    Filler,
    PartialArgument,
    Range,
    identifier_2015,
    without_additional,
)
from lydite.model.argument_lines import AS_NUMBER, LAYER, ArgumentLines, Problem, lines_of
from lydite.model.partial_date import fits_calendar, has_date_form, unknown_before_known
from lydite.model.taxonomy import Taxonomy
from lydite.registry import near_names

ArgumentColumns = Argument | PartialArgument
"""Columns 2 to 10 of a line, all of them or those that could be read."""

WARNINGS = frozenset({"byte-order-mark", "padded-column", "span-blank", "judged-role"})
"""Problems of the reader that never refuse a file."""

WIDTH_CODES = frozenset({"column-count", "no-assessments", "assessment-columns"})
"""Problems after which nothing else is reported about the line."""

FILE_CODES = frozenset({"encoding", "byte-order-mark"})
"""Problems of a file as a whole."""


def reader_findings(
    document: Document, side: str, *, integer_ids: bool = True, everything: bool = False
) -> Iterator[Finding]:
    """The findings of the reader that hold for this side.

    A file in another encoding gives that finding alone, and a line with a wrong number of columns that one alone: what
    follows from them does not help to mend them.  ``everything`` gives all findings, for runs that go on in spite of
    both and must not lose a line in silence.
    """
    lines = lines_of(document)
    of_side = [problem for problem in lines.problems if problem.side in {"both", side}]
    if side == "gold":
        of_side.extend(_not_assessed(row.line) for row in lines.rows if row.width == 11)
        of_side.extend(_not_assessed(broken.line) for broken in lines.broken if broken.width == 11)
    wrong_widths = {problem.line for problem in of_side if problem.code in WIDTH_CODES}
    for problem in of_side:
        is_consequence = (
            problem.line in wrong_widths and problem.code not in WIDTH_CODES and problem.column is not None
        )
        if not lines.readable:
            is_consequence = problem.code not in FILE_CODES
        of_number = problem.code == "response-id" or problem.item == AS_NUMBER
        if (everything or not is_consequence) and (integer_ids or not of_number):
            yield _as_finding(document, problem)


def restrict_to_width(document: Document, width: int) -> Document:
    """The document without the lines that have another number of columns."""
    lines = lines_of(document)
    if all(row.width == width for row in lines.rows) and all(row.width == width for row in lines.broken):
        return document
    kept = replace(
        lines,
        rows=tuple(row for row in lines.rows if row.width == width),
        broken=tuple(row for row in lines.broken if row.width == width),
    )
    return document._replace(layers={**document.layers, LAYER: kept})


def _not_assessed(line: int) -> Problem:
    message = "11 columns: this looks like a line of system output, without assessments"
    hint = "import it into an annotation store first: lydite assess import"
    return Problem("no-assessments", line, None, message, "gold", hint)


def linking_path(document: Document) -> str:
    """The path of the linking file of a document."""
    store, _, name = document.path.rpartition("/arguments/")
    return f"{store}/linking/{name}" if store else document.path


def _as_finding(document: Document, problem: Problem) -> Finding:
    severity: Severity = "warning" if problem.code in WARNINGS else "error"
    if problem.of_linking:
        document = document._replace(path=linking_path(document))
    # Arguments that come from no store have no lines of their own, but may stand on one together.
    line, column = (problem.line, problem.column) if problem.line else (None, None)
    return document.finding(
        problem.code, severity, problem.message, line, problem.item, column=column, hint=problem.hint
    )


def _argument_lines(lines: ArgumentLines) -> Iterator[tuple[int, ArgumentColumns]]:
    """Every line with the columns of an argument, complete or not, by its number."""
    for row in lines.rows:
        yield row.line, row.argument
    for broken in lines.broken:
        yield broken.line, broken.partial


def taxonomy_findings(document: Document, taxonomy: Taxonomy) -> Iterator[Finding]:
    """Event types and roles outside the taxonomy; a tolerated role is a warning, an unknown type hides its role."""
    known_pairs: set[tuple[str, str]] = set()
    for line, argument in _argument_lines(lines_of(document)):
        pair = argument.event_type, argument.role
        if pair in known_pairs:
            continue
        if argument.event_type not in taxonomy.types:
            message = _unknown_type(argument.event_type, taxonomy)
            yield document.finding("event-type", "error", message, line, column=3)
            continue
        role = taxonomy.role(*pair)
        if role is None:
            message = f'"{argument.role}" is not a role of {argument.event_type} ({", ".join(taxonomy.roles(pair[0]))})'
            yield document.finding("role", "error", message, line, column=4)
        elif role.tolerated:
            message = f'"{argument.role}" of {argument.event_type} is not in the table of {taxonomy.name}; it is tolerated'
            yield document.finding("role", "warning", message, line, column=4)
        else:
            known_pairs.add(pair)


def place_findings(document: Document) -> Iterator[Finding]:
    """Triggers and fillers of events at impossible places, which lydite's own format can hold."""
    for number, event in enumerate(document.layers.get("events", ())):
        places = {"trigger": (*event.trigger, *event.head)}
        for position, one in enumerate(event.arguments):
            places[f"arguments[{position}]"] = (*one.span, *one.head)
        for name, ranges in places.items():
            for begin, end in ranges:
                if not 0 <= begin < end:
                    message = f"events[{number}].{name}: expected 0 ≤ begin < end, found [{begin}, {end}]"
                    yield document.finding("event-line", "error", message, document.line)


def _unknown_type(name: str, taxonomy: Taxonomy) -> str:
    message = f'"{name}" is not an event type of {taxonomy.name}'
    if name in taxonomy.misspellings:
        return f"{message}; it is written {taxonomy.misspellings[name]}"
    if name in taxonomy.removed:
        return f"{message}: the campaign removed this type of ACE 2005"
    near = near_names(name, [*taxonomy.types, *sorted(taxonomy.removed)])
    if near and near[0] in taxonomy.removed:
        return f"{message}; nearest: {near[0]}, a type of ACE 2005 that the campaign removed"
    near = [one for one in near if one in taxonomy.types]
    return f"{message}; nearest: {', '.join(near)}" if near else message


def bounds_findings(document: Document, text: str) -> Iterator[Finding]:
    """Spans that end after the last character of the document; one finding per column."""
    for line, argument in _argument_lines(lines_of(document)):
        columns: dict[int, Sequence[Range]] = {
            6: () if argument.span is None else (argument.span,),
            7: argument.justification or (),
            8: () if argument.filler is None else (argument.filler,),
            9: argument.additional or (),
        }
        for column, spans in columns.items():
            beyond = [span for span in spans if span[1] > len(text)]
            if beyond:
                begin, end = beyond[0]
                message = (
                    f"{begin}-{end - 1} ends after the last character of {document.doc_id} ({len(text) - 1})"
                )
                yield document.finding("span-bounds", "error", message, line, column=column)


def text_findings(document: Document, text: str) -> Iterator[Finding]:
    """Canonical strings, dates aside, that do not stand at their offsets; a run of white space counts as one blank."""
    for line, argument in _argument_lines(lines_of(document)):
        span = argument.span
        if argument.role == "Time" or span is None or span[1] > len(text) or not argument.text:
            continue
        begin, end = span
        source = re.sub(r"\s+", " ", text[begin:end]).strip()
        if argument.text not in source:
            message = (
                f'column 5 is "{argument.text}", the document has "{short(source, 60)}" at {begin}-{end - 1}'
            )
            yield document.finding("cas-text", "warning", message, line, column=5)


def quote_findings(document: Document, regions: Sequence[Range]) -> Iterator[Finding]:
    """Spans in columns 6 and 8 in quoted text: the quote filter will remove their arguments before assessment."""
    if not regions:
        return
    for line, argument in _argument_lines(lines_of(document)):
        for column, span in ((6, argument.span), (8, argument.filler)):
            if touches(span, regions):
                message = "this span lies in a quote: the quote filter will remove the argument"
                yield document.finding("in-quote", "warning", message, line, column=column)


def date_findings(document: Document) -> Iterator[Finding]:
    """Fillers of Time roles in a submission that are not dates."""
    for line, argument in _argument_lines(lines_of(document)):
        if argument.role == "Time" and argument.text:
            yield from _date_finding(document, line, argument.text)


def accepted_date_findings(document: Document) -> Iterator[Finding]:
    """The same for fillers that an assessor accepted, as warnings: the profile decides how they count."""
    lines = lines_of(document)
    accepted: list[tuple[int, ArgumentColumns]] = [
        (row.line, row.argument) for row in lines.rows if row.assessment and row.assessment.accepts_text
    ]
    accepted.extend((row.line, row.partial) for row in lines.broken if row.accepts_text)
    for line, argument in accepted:
        if argument.role == "Time" and argument.text:
            for finding in _date_finding(document, line, argument.text):
                yield finding._replace(severity="warning")


def _date_finding(document: Document, line: int, text: str) -> Iterator[Finding]:
    severity: Severity = "error"
    code = "time-format"
    if not has_date_form(text):
        fault = _explain_date_form(text)
    elif not fits_calendar(text):
        fault = "no day of the calendar fits this date"
    elif text.startswith("XXXX"):
        code, severity = "time-unknown-year", "warning"
        fault = "the year is unknown; the official scorer does not take this for a date"
    elif unknown_before_known(text):
        severity, fault = "warning", "an unknown place stands before a known one"
    else:
        return
    yield document.finding(code, severity, f'"{text}": {fault}', line, column=5)


def _explain_date_form(text: str) -> str:
    form = "dates are YYYY-MM-DD with X for unknown places"
    if text == "XXXX-XX-XX":
        return f"{form}; a date without any digit says nothing"
    if "x" in text and has_date_form(text.replace("x", "X")):
        return f'{form}, in capitals: "{text.replace("x", "X")}"'
    if re.fullmatch(r"[0-9X]{4}-W[0-9X]{2}.*", text):
        return f"{form}; week forms are not allowed"
    return form


def shape_findings(document: Document, *, mention: int, justification: int, spans: int) -> Iterator[Finding]:
    """Base fillers outside their justification, and spans that an assessor may refuse to read.

    The limits are characters of a string or base filler and of a span of a justification, and how many such spans.
    """
    for line, argument in _argument_lines(lines_of(document)):
        justified, filler = argument.justification or (), argument.filler
        if justified and filler and not any(b <= filler[0] and filler[1] <= e for b, e in justified):
            message = (
                f"no span of the predicate justification contains the base filler {filler[0]}-{filler[1] - 1}"
            )
            yield document.finding("filler-outside-justification", "warning", message, line, column=8)
        for column, span in ((6, argument.span), (8, filler)):
            if span is not None and span[1] - span[0] > mention:
                message = f"{counted(span[1] - span[0], 'character')}, more than {mention}"
                yield document.finding("mention-length", "warning", message, line, column=column)
        for column, ranges in ((7, justified), (9, argument.additional or ())):
            longest = max((end - begin for begin, end in ranges), default=0)
            if longest > justification:
                message = f"a span of {counted(longest, 'character')}, more than {justification}"
            elif len(ranges) > spans:
                message = f"{counted(len(ranges), 'span')}, more than {spans}"
            else:
                continue
            message += "; assessors may ignore such an argument, which makes it wrong"
            yield document.finding("justification-length", "warning", message, line, column=column)


def repeated_findings(document: Document, *, additional_identifies: bool = True) -> Iterator[Finding]:
    """Arguments that stand on two lines of a submission; the higher confidence counts."""
    first: dict[Argument, ArgumentRow] = {}
    for row in lines_of(document).rows:
        identity = row.argument if additional_identifies else without_additional(row.argument)
        if identity in first:
            message = f"the same argument as {_place_of(first[identity])}; the higher confidence counts"
            yield document.finding("duplicate-response", "warning", message, row.line)
        first.setdefault(identity, row)


def _place_of(row: ArgumentRow) -> str:
    """The place of a row in words; only rows of files have lines."""
    return f"on line {row.line}" if row.line else "elsewhere"


def consistency_findings(document: Document, faulty: Iterable[int]) -> Iterator[Finding]:
    """Breaches of the rules between lines of an annotation file; ``faulty`` lines are not looked at.

    A canonical string has at most one coreference id; one that is accepted on some line has an id on some line; a
    repeated argument has the same judgement.
    """
    faulty = frozenset(faulty)
    rows = [row for row in lines_of(document).rows if row.line not in faulty]
    yield from _coreference_findings(document, rows)
    judged: dict[Argument, ArgumentRow] = {}
    for row in rows:
        if row.assessment is None:
            continue
        first = judged.setdefault(row.argument, row)
        if first.assessment != row.assessment:
            message = f"the same argument was judged differently {_place_of(first)}"
            yield document.finding("assessment-conflict", "error", message, row.line)


def _coreference_findings(document: Document, rows: Sequence[ArgumentRow]) -> Iterator[Finding]:
    ids: dict[Filler, ArgumentRow] = {}
    fillers = [row.argument.canonical for row in rows]
    for filler, row in zip(fillers, rows, strict=True):
        if row.cluster is None:
            continue
        known = ids.setdefault(filler, row)
        if known.cluster != row.cluster:
            message = f'"{row.argument.text}" has the coreference id {row.cluster} here and {known.cluster} {_place_of(known)}'
            yield document.finding("coref-conflict", "error", message, row.line, column=16)
    reported: set[Filler] = set()
    for filler, row in zip(fillers, rows, strict=True):
        if filler not in ids and row.assessment and row.assessment.accepts_text and filler not in reported:
            reported.add(filler)
            message = f'"{row.argument.text}" was accepted and has no coreference id on any line'
            yield document.finding("coref-missing", "error", message, row.line, column=16)


def unaccepted_id_findings(document: Document, faulty: Iterable[int]) -> Iterator[Finding]:
    """Strings that were judged and accepted on no line, and have a coreference id; one finding at the first such line.

    The task definition gives them the id NIL.  The campaign's guidelines let assessors give them ids as well, so that
    this is no error.
    """
    faulty = frozenset(faulty)
    rows = [row for row in lines_of(document).rows if row.line not in faulty and row.assessment]
    accepted = {row.argument.canonical for row in rows if row.assessment and row.assessment.accepts_text}
    for row in rows:
        filler = row.argument.canonical
        if row.cluster is not None and filler not in accepted:
            accepted.add(filler)  # it is reported once
            message = (
                f'"{row.argument.text}" was accepted on no line and has the coreference id {row.cluster}'
            )
            hint = "the task definition says NIL; under most profiles this id joins the string to a class"
            yield document.finding("coref-unaccepted", "warning", message, row.line, column=16, hint=hint)


def faulty_lines(findings: Iterable[Finding]) -> Iterator[int]:
    """The lines that the checks between lines leave out: errors in columns 2–10, unreadable judgements."""
    for finding in findings:
        place = finding.location
        if finding.severity != "error" or place is None or place.line is None:
            continue
        if finding.code == "assessment-value" or (place.column is not None and 2 <= place.column <= 10):
            yield place.line


def incomplete_message(lines: ArgumentLines, side: str) -> str:
    """The message about arguments that are not yet linked."""
    return f"the {side} linking has arguments on its INCOMPLETE line: {', '.join(lines.incomplete[:3])}"


def linking_findings(document: Document) -> Iterator[Finding]:
    """Faults of a submission's linking file, which must name exactly the arguments that are not Generic.

    A member names an argument by column 1 of its file, or by its 2015 identifier.
    """
    lines = lines_of(document)
    by_id = {identifier_2015(row.argument): row.argument for row in lines.rows}
    by_id.update((row.id, row.argument) for row in reversed(lines.rows))
    linked = {member: frame.line for frame in lines.frames for member in frame.members}
    linked.update(dict.fromkeys(lines.incomplete, 0))
    linking = document._replace(path=linking_path(document))
    for member, line in linked.items():
        argument = by_id.get(member)
        if argument is None:
            message = f"the linking names {member!r}, which no argument of the document has"
            yield linking.finding("linking-id", "error", message, line)
        elif argument.realis == GENERIC:
            message = f"the Generic argument {member!r} is linked"
            yield linking.finding("linking-generic", "error", message, line)
    if not lines.linked:
        message = "the store has no linking file for this document"
        yield linking.finding("linking-file", "error", message, 0)
        return
    if lines.incomplete:
        message = incomplete_message(lines, "system")
        yield linking.finding("linking-incomplete", "error", message, 0)
    linked_arguments = {by_id.get(member) for member in linked}
    for row in lines.rows:
        if row.argument.realis != GENERIC and row.argument not in linked_arguments:
            message = f"the argument {row.id!r} is in no frame of the linking file"
            yield document.finding("linking-missing", "error", message, row.line, column=1)

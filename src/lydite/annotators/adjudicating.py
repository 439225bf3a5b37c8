"""The sheet of the items on which annotators differ, the decisions in it, and the gold that follows from them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_lowercase
from typing import NamedTuple

from lydite.align.windows import align_windows
from lydite.annotators.questions import (
    AdjudicationRules,
    AnnotatorQuestion,
    Answer,
    Statement,
    adjudication_rules,
    repeated_mentions,
    words_beside,
)
from lydite.assess.sheets import read_table, without_unsafe
from lydite.errors import Finding, InvalidInput, Location, UsageError, errors_among
from lydite.escaping import in_bytes
from lydite.facade.choosing import Request, UserChoice, choice_from_keywords, find_task
from lydite.facade.sides import read_without_gold, require_path
from lydite.model import Corpus, Document
from lydite.pipeline.reading import PathLike
from lydite.pipeline.running import check

ALL_STATEMENTS, NO_STATEMENT = ("both", "all"), ("neither", "drop")
"""Decisions for the statements of all annotators, and of none."""
HEAD = ("item", "document", "kind", "context")
TAIL = ("suggestion", "decision", "edited", "note")
CONTEXT = 40
"""Characters of context on either side."""


_CHANGED = "the files changed since the sheet was written: write it anew"


class SheetItem(NamedTuple):
    """A question with its name in the sheet."""

    name: str
    document: str
    context: str
    question: AnnotatorQuestion

    def suggestion(self, letters: Sequence[str]) -> str:
        """The letter of the majority's statement, or ``neither`` if the majority does not have the item."""
        texts = [None if one is None else one.text for one in self.question.statements]
        best = max(dict.fromkeys(texts), key=texts.count)
        if 2 * texts.count(best) <= len(texts):
            return ""
        return "neither" if best is None else letters[texts.index(best)]


class FilledRow(NamedTuple):
    """A row of the sheet with its decision."""

    line: int
    statements: tuple[str, ...]
    decision: str
    edited: str
    note: str


@dataclass(frozen=True)
class Adjudication:
    """The annotation of the same documents by several annotators."""

    request: Request
    annotators: tuple[Corpus, ...]
    documents: str | None = None

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters of the annotators in decisions: a, b, c, …"""
        return tuple(ascii_lowercase[: len(self.annotators)])

    @property
    def _rules(self) -> AdjudicationRules:
        return adjudication_rules(self.request.task.name)

    def _doc_ids(self) -> list[str]:
        return sorted({doc_id for corpus in self.annotators for doc_id in corpus.documents}, key=in_bytes)

    def _sides(self, doc_id: str) -> list[Document]:
        """The document of every annotator, with the places of the first who has it."""
        sides = [
            corpus.documents[doc_id] if doc_id in corpus.documents else Document(doc_id, present=False)
            for corpus in self.annotators
        ]
        first = next(one for one in sides if one.present)
        strict = self.request.profile.settings.reading == "refuse"
        return [align_windows(first, one, strict=strict) for one in sides]

    def _items(self, doc_id: str, sides: Sequence[Document]) -> Iterator[SheetItem]:
        if (words := words_beside(sides)) is not None:
            text: str | None = words.text
        elif self.documents:
            text = self.request.task.shown_text(self.documents, doc_id, self.request.profile.settings)
        else:
            text = next((d.text for d in sides if d.text), None)
        for number, question in enumerate(self._rules.ask(sides), 1):
            yield SheetItem(f"{doc_id}#{number}", doc_id, _context(text, question.place), question)

    def differences(self) -> Iterator[SheetItem]:
        """The items on which annotators differ."""
        for doc_id in self._doc_ids():
            for item in self._items(doc_id, self._sides(doc_id)):
                if not item.question.is_agreed:
                    yield item

    def sheet(self) -> Iterator[list[str]]:
        """A heading, and one row per item on which annotators differ."""
        names = [f"{letter}: {one.name}" for letter, one in zip(self.letters, self.annotators, strict=True)]
        yield [*HEAD, *names, *TAIL]
        for item in self.differences():
            texts = ["" if one is None else one.text for one in item.question.statements]
            suggestion = item.suggestion(self.letters)
            yield [item.name, item.document, item.question.kind, item.context, *texts, suggestion, "", "", ""]

    @property
    def choices(self) -> dict[int, Sequence[str]]:
        """The possible decisions, by the number of their column."""
        return {len(HEAD) + len(self.annotators) + TAIL.index("decision"): (*self.letters, "both", "neither")}

    def expects(self, item: SheetItem) -> str:
        """The form of an edited value of an item."""
        return self._rules.expects[item.question.kind]

    def expected_instead(self, document: str, name: str, edited: str) -> str | None:
        """The form that an edited value of an item should have; None if the value has it."""
        sides = self._sides(document)
        item = next(item for item in self._items(document, sides) if item.name == name)
        try:
            self._rules.parse(item.question.kind, edited, sides)
        except (ValueError, KeyError):
            return self.expects(item)
        return None

    def gold(self, sheet: PathLike, *, undecided: str | None = None) -> tuple[Corpus, list[list[str]]]:
        """Gold from the decisions of a sheet, and the log of the decisions.

        Items without a decision are refused, unless ``undecided`` is given: the letter of an annotator, or ``drop``.
        """
        if undecided is not None and undecided not in (*self.letters, *NO_STATEMENT):
            raise UsageError(f"--undecided {undecided}: expected {', '.join(self.letters)} or drop")
        decisions = self._read_decisions(os.fspath(sheet))
        resolver = _Resolver(self, decisions, os.fspath(sheet), undecided)
        documents: dict[str, Document] = {}
        for doc_id in self._doc_ids():
            sides = self._sides(doc_id)
            base = next(side for side in sides if side.present)
            answers = [resolver.answer(item, sides) for item in self._items(doc_id, sides)]
            documents[doc_id] = self._rules.build(base, answers)
        resolver.refuse()
        return replace(self.annotators[0], name="gold", documents=documents, findings=()), resolver.log

    def _read_decisions(self, path: str) -> Mapping[str, FilledRow]:
        table = read_table(path)
        count = len(self.annotators)
        head = [cell.strip() for cell in table[0]] if table else []
        expected = [*HEAD, *(f"{letter}:" for letter in self.letters), *TAIL]
        fits = len(head) >= len(expected) and all(
            cell.startswith(name) for cell, name in zip(head, expected, strict=False)
        )
        if not fits:
            message = f"expected the columns {', '.join(expected)}, found {', '.join(head) or 'nothing'}"
            hint = "write the sheet with lydite adjudicate A B -o sheet.csv, with the same annotators"
            raise InvalidInput([Finding("other-sheet", "error", message, Location(path, 1), hint=hint)])
        rows: dict[str, FilledRow] = {}
        for line, row in enumerate(table[1:], 2):
            cells = [cell.strip() for cell in row] + [""] * len(expected)
            if not any(cells):
                continue
            if cells[0] in rows:
                message = f"item {cells[0]} is also in line {rows[cells[0]].line}"
                hint = "keep one of the two rows"
                raise InvalidInput(
                    [Finding("other-sheet", "error", message, Location(path, line), hint=hint)]
                )
            statements = tuple(map(_as_read_from_cell, cells[len(HEAD) : len(HEAD) + count]))
            _, decision, edited, note = cells[len(HEAD) + count :][: len(TAIL)]
            rows[cells[0]] = FilledRow(line, statements, decision.lower(), edited, note)
        return rows


class _Resolver:
    """Answers questions from decisions, and collects errors for those that have no answer."""

    def __init__(
        self, adjudication: Adjudication, decisions: Mapping[str, FilledRow], path: str, undecided: str | None
    ) -> None:
        self._letters, self._rules = adjudication.letters, adjudication_rules(adjudication.request.task.name)
        self._unused_decisions, self._path, self._undecided = dict(decisions), path, undecided
        self.findings: list[Finding] = []
        self.log: list[list[str]] = [["item", "document", "kind", "decision", "outcome", "note"]]

    def answer(self, item: SheetItem, sides: Sequence[Document]) -> Answer:
        """The values of an item in gold: the common statement, or what was decided."""
        question = item.question
        if question.is_agreed:
            return Answer(question, tuple(one.value for one in question.statements[:1] if one is not None))
        decision = self._unused_decisions.pop(_as_read_from_cell(item.name), None)
        texts = tuple("" if one is None else one.text for one in question.statements)
        if decision is not None and decision.statements != tuple(map(_as_read_from_cell, texts)):
            of_sheet = " / ".join(decision.statements)
            message = f"item {item.name}: the files say {' / '.join(texts)}, the sheet {of_sheet}"
            self._add_error("other-sheet", message, decision, _CHANGED)
            return Answer(question, ())
        word = "" if decision is None else "edit" if decision.edited else decision.decision
        decided = word or f"undecided: {self._undecided}"
        word = word or self._undecided or ""
        if not word:
            message = f"item {item.name} is not decided"
            hint = "fill in its decision, or say what holds with --undecided a|b|drop"
            self._add_error("undecided-item", message, decision, hint)
            return Answer(question, ())
        chosen = {one.text: one.value for one in self._choose(word, item, decision, sides) if one}
        outcome = " and ".join(chosen) or "nothing"
        note = "" if decision is None else decision.note
        self.log.append([item.name, item.document, question.kind, decided, outcome, note])
        return Answer(question, tuple(chosen.values()))

    def _choose(
        self, word: str, item: SheetItem, decision: FilledRow | None, sides: Sequence[Document]
    ) -> Sequence[Statement | None]:
        question, letters = item.question, self._letters
        if word == "edit" and decision is not None:
            try:
                return [Statement(decision.edited, self._rules.parse(question.kind, decision.edited, sides))]
            except (ValueError, KeyError):
                expected = self._rules.expects[question.kind]
                message = f"item {item.name}: expected {expected}, found {decision.edited!r}"
                self._add_error("unknown-decision", message, decision, "correct the cell under edited")
        elif word in ALL_STATEMENTS:
            return question.statements
        elif word in letters:
            return [question.statements[letters.index(word)]]
        elif word not in NO_STATEMENT:
            expected = ", ".join((*letters, "both", "neither"))
            message = f"item {item.name}: expected {expected}, found {word!r}"
            self._add_error("unknown-decision", message, decision, "or leave it empty and fill in edited")
        return []

    def _add_error(self, code: str, message: str, decision: FilledRow | None, hint: str) -> None:
        line = None if decision is None else decision.line
        self.findings.append(Finding(code, "error", message, Location(self._path, line), hint=hint))

    def refuse(self) -> None:
        """Raise all errors, also those of rows for items that are not in the files."""
        for name, row in self._unused_decisions.items():
            message = f"item {name}: the files have no such item on which annotators differ"
            self._add_error("other-sheet", message, row, _CHANGED)
        if self.findings:
            raise InvalidInput(self.findings)


def _as_read_from_cell(text: str) -> str:
    """A text as it comes back from a cell of a sheet: white space around it and a first apostrophe are lost."""
    return without_unsafe(text).strip().removeprefix("'").strip()


def _context(text: str | None, place: tuple[int, int] | None) -> str:
    """The text around a place, which stands in brackets."""
    if text is None or place is None or place[1] > len(text):
        return ""
    begin, end = place
    before, after = text[max(0, begin - CONTEXT) : begin], text[end : end + CONTEXT]
    return " ".join(f"{before}[{text[begin:end]}]{after}".split())


def adjudicate_files(
    choice: UserChoice, paths: Sequence[PathLike], *, documents: str | None = None
) -> Adjudication:
    """Read the files of two or more annotators."""
    if len(paths) < 2:
        raise UsageError("adjudicate needs the files of at least two annotators")
    if len(paths) > len(ascii_lowercase):
        raise UsageError(f"adjudicate has letters for {len(ascii_lowercase)} annotators, found {len(paths)}")
    task, _ = find_task(choice, paths[0])
    adjudication_rules(task.name)
    if documents is not None and "documents" in task.settings.declared:
        choice = choice._replace(options={**choice.options, "documents": documents})
    request, read = read_without_gold(choice, paths, ["annotator"] * len(paths))
    _, first, others = task.prepare_sides(request.profile, read[0], read[1:])
    findings = [finding for corpus in read for finding in check(task, corpus, request.profile, side="gold")]
    documents_read = (document for corpus in (first, *others) for document in corpus.documents.values())
    findings += [finding for document in documents_read for finding in repeated_mentions(document)]
    if errors_among(findings):
        raise InvalidInput(findings)
    return Adjudication(request, (first, *others), documents)


def adjudicate(
    *annotators: PathLike,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    documents: str | None = None,
    **settings: object,
) -> Adjudication:
    """Find the items on which two or more annotators differ, and make gold from decisions about them.

    >>> import lydite
    >>> found = lydite.adjudicate("docs/samples/anna.jsonl", "docs/samples/ben.jsonl", task="coref")
    >>> len(list(found.differences())) > 0
    True
    """
    choice = choice_from_keywords(task, profile, format, settings)
    return adjudicate_files(choice, [require_path(path) for path in annotators], documents=documents)

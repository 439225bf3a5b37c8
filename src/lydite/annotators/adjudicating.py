"""The sheet of what annotators differ on, the decisions in it, and the gold that follows from them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase

from lydite.annotators.questions import Answer, Question, Statement, material_of, repeated_mentions
from lydite.assess.sheets import read_table, without_unsafe
from lydite.errors import Finding, InvalidInput, Location, UsageError, errors_among
from lydite.escaping import in_bytes
from lydite.facade.choosing import Request, UserChoice, choice_from_keywords, find_task
from lydite.facade.sides import read_without_gold, require_path
from lydite.model import Corpus, Document
from lydite.pipeline import check
from lydite.pipeline.reading import PathLike
from lydite.records import NamedTuple, dataclass, replace

KEPT, DROPPED = ("both", "all"), ("neither", "drop")
HEAD = ("item", "document", "kind", "context")
TAIL = ("suggestion", "decision", "edited", "note")
AROUND = 40
"""Characters of context on either side."""


_CHANGED = "the files changed since the sheet was written: write it anew"


class SheetItem(NamedTuple):
    """A question under its name in the sheet."""

    name: str
    document: str
    context: str
    question: Question

    def suggestion(self, letters: Sequence[str]) -> str:
        """The letter of what more than half of the annotators say, or ``neither`` if more than half do not have it."""
        shown = [None if said is None else said.shown for said in self.question.said]
        best = max(dict.fromkeys(shown), key=shown.count)
        if 2 * shown.count(best) <= len(shown):
            return ""
        return "neither" if best is None else letters[shown.index(best)]


class FilledRow(NamedTuple):
    """A row of the sheet that was filled in."""

    line: int
    said: tuple[str, ...]
    decision: str
    edited: str
    note: str


@dataclass(frozen=True)
class Adjudication:
    """What annotators say about the documents of a task."""

    asked: Request
    annotators: tuple[Corpus, ...]
    documents: str | None = None

    @property
    def letters(self) -> tuple[str, ...]:
        """What annotators are called in decisions: a, b, c, …"""
        return tuple(ascii_lowercase[: len(self.annotators)])

    def _doc_ids(self) -> list[str]:
        return sorted({doc_id for corpus in self.annotators for doc_id in corpus.documents}, key=in_bytes)

    def _sides(self, doc_id: str) -> list[Document]:
        return [
            corpus.documents[doc_id] if doc_id in corpus.documents else Document(doc_id, present=False)
            for corpus in self.annotators
        ]

    def _items(self, doc_id: str, sides: Sequence[Document]) -> Iterator[SheetItem]:
        text = (
            self.asked.task.shown_text(self.documents, doc_id, self.asked.profile.settings)
            if self.documents
            else next((d.text for d in sides if d.text), None)
        )
        material = material_of(self.asked.task.name)
        for number, question in enumerate(material.ask(sides), 1):
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
            said = ["" if one is None else one.shown for one in item.question.said]
            suggested = item.suggestion(self.letters)
            yield [item.name, item.document, item.question.kind, item.context, *said, suggested, "", "", ""]

    @property
    def choices(self) -> dict[int, Sequence[str]]:
        """What may stand under decision, by the number of that column."""
        return {len(HEAD) + len(self.annotators) + TAIL.index("decision"): (*self.letters, "both", "neither")}

    def expects(self, item: SheetItem) -> str:
        """What an edited value of an item looks like."""
        return material_of(self.asked.task.name).expects[item.question.kind]

    def expected_instead(self, document: str, name: str, edited: str) -> str | None:
        """What was expected instead of an edited value of an item; None if the value is sound."""
        sides = self._sides(document)
        item = next(item for item in self._items(document, sides) if item.name == name)
        try:
            material_of(self.asked.task.name).parse(item.question.kind, edited, sides)
        except (ValueError, KeyError):
            return self.expects(item)
        return None

    def gold(self, sheet: PathLike, *, undecided: str | None = None) -> tuple[Corpus, list[list[str]]]:
        """Gold from the decisions of a sheet, and the log of what was decided; what is undecided is refused.

        ``undecided`` says what holds instead: the letter of an annotator, or ``drop``.
        """
        if undecided is not None and undecided not in (*self.letters, *DROPPED):
            raise UsageError(f"--undecided {undecided}: expected {', '.join(self.letters)} or drop")
        decisions = self._decisions(os.fspath(sheet))
        judge = _Judge(self, decisions, os.fspath(sheet), undecided)
        made: dict[str, Document] = {}
        for doc_id in self._doc_ids():
            sides = self._sides(doc_id)
            base = next(side for side in sides if side.present)
            answers = [judge.answer(item, sides) for item in self._items(doc_id, sides)]
            made[doc_id] = material_of(self.asked.task.name).build(base, answers)
        judge.refuse()
        return replace(self.annotators[0], name="gold", documents=made, findings=()), judge.log

    def _decisions(self, path: str) -> Mapping[str, FilledRow]:
        table = read_table(path)
        count = len(self.annotators)
        head = [cell.strip() for cell in table[0]] if table else []
        wanted = [*HEAD, *(f"{letter}:" for letter in self.letters), *TAIL]
        fits = len(head) >= len(wanted) and all(
            cell.startswith(name) for cell, name in zip(head, wanted, strict=False)
        )
        if not fits:
            message = f"expected the columns {', '.join(wanted)}, found {', '.join(head) or 'nothing'}"
            hint = "write the sheet with lydite adjudicate A B -o sheet.csv, with the same annotators"
            raise InvalidInput([Finding("other-sheet", "error", message, Location(path, 1), hint=hint)])
        found: dict[str, FilledRow] = {}
        for line, row in enumerate(table[1:], 2):
            cells = [cell.strip() for cell in row] + [""] * len(wanted)
            if not any(cells):
                continue
            if cells[0] in found:
                message = f"item {cells[0]} stands in line {found[cells[0]].line} too"
                hint = "leave one of the two rows"
                raise InvalidInput(
                    [Finding("other-sheet", "error", message, Location(path, line), hint=hint)]
                )
            said, rest = cells[len(HEAD) : len(HEAD) + count], cells[len(HEAD) + count :]
            shown = tuple(map(_in_a_cell, said))
            found[cells[0]] = FilledRow(line, shown, rest[1].lower(), rest[2], rest[3])
        return found


class _Judge:
    """Answers questions from decisions, and remembers what it could not answer."""

    def __init__(
        self, adjudication: Adjudication, decisions: Mapping[str, FilledRow], path: str, undecided: str | None
    ) -> None:
        self._of, self._left, self._path, self._undecided = adjudication, dict(decisions), path, undecided
        self._material = material_of(adjudication.asked.task.name)
        self.findings: list[Finding] = []
        self.log: list[list[str]] = [["item", "document", "kind", "decision", "outcome", "note"]]

    def answer(self, item: SheetItem, sides: Sequence[Document]) -> Answer:
        """What holds for an item; agreed items pass through."""
        question = item.question
        if question.is_agreed:
            return Answer(question, tuple(said.value for said in question.said[:1] if said is not None))
        decision = self._left.pop(_in_a_cell(item.name), None)
        said = tuple("" if one is None else one.shown for one in question.said)
        if decision is not None and decision.said != tuple(map(_in_a_cell, said)):
            message = (
                f"item {item.name}: the files say {' / '.join(said)}, the sheet {' / '.join(decision.said)}"
            )
            self._find("other-sheet", message, decision, _CHANGED)
            return Answer(question, ())
        word = "" if decision is None else "edit" if decision.edited else decision.decision
        decided = word or f"undecided: {self._undecided}"
        word = word or self._undecided or ""
        if not word:
            message = f"item {item.name} is not decided"
            hint = "fill in its decision, or say what holds with --undecided a|b|drop"
            self._find("undecided-item", message, decision, hint)
            return Answer(question, ())
        chosen = {said.shown: said.value for said in self._chosen(word, item, decision, sides) if said}
        outcome = " and ".join(chosen) or "nothing"
        note = "" if decision is None else decision.note
        self.log.append([item.name, item.document, question.kind, decided, outcome, note])
        return Answer(question, tuple(chosen.values()))

    def _chosen(
        self, word: str, item: SheetItem, decision: FilledRow | None, sides: Sequence[Document]
    ) -> Sequence[Statement | None]:
        question, letters = item.question, self._of.letters
        if word == "edit" and decision is not None:
            try:
                return [
                    Statement(decision.edited, self._material.parse(question.kind, decision.edited, sides))
                ]
            except (ValueError, KeyError):
                expected = self._material.expects[question.kind]
                message = f"item {item.name}: expected {expected}, found {decision.edited!r}"
                self._find("unknown-decision", message, decision, "correct the cell under edited")
        elif word in KEPT:
            return question.said
        elif word in letters:
            return [question.said[letters.index(word)]]
        elif word not in DROPPED:
            expected = ", ".join((*letters, "both", "neither"))
            message = f"item {item.name}: expected {expected}, found {word!r}"
            self._find("unknown-decision", message, decision, "or leave it empty and fill in edited")
        return []

    def _find(self, code: str, message: str, decision: FilledRow | None, hint: str) -> None:
        line = None if decision is None else decision.line
        self.findings.append(Finding(code, "error", message, Location(self._path, line), hint=hint))

    def refuse(self) -> None:
        """Raise with everything that could not be answered, and rows that answer nothing."""
        for name, row in self._left.items():
            message = f"item {name}: the files have no such item on which annotators differ"
            self._find("other-sheet", message, row, _CHANGED)
        if self.findings:
            raise InvalidInput(self.findings)


def _in_a_cell(text: str) -> str:
    """What is left of a text that went through a cell of a sheet: white space and a first apostrophe are lost."""
    return without_unsafe(text).strip().removeprefix("'").strip()


def _context(text: str | None, place: tuple[int, int] | None) -> str:
    """The words around a place, the place in brackets."""
    if text is None or place is None or place[1] > len(text):
        return ""
    begin, end = place
    before, after = text[max(0, begin - AROUND) : begin], text[end : end + AROUND]
    return " ".join(f"{before}[{text[begin:end]}]{after}".split())


def adjudicate_files(
    choice: UserChoice, paths: Sequence[PathLike], *, documents: str | None = None
) -> Adjudication:
    """The annotators of two or more files."""
    if len(paths) < 2:
        raise UsageError("adjudicate needs the files of at least two annotators")
    if len(paths) > len(ascii_lowercase):
        raise UsageError(f"adjudicate has letters for {len(ascii_lowercase)} annotators, found {len(paths)}")
    task, _ = find_task(choice, paths[0])
    material_of(task.name)
    if documents is not None and "documents" in task.settings.declared:
        choice = choice._replace(options={**choice.options, "documents": documents})
    asked, read = read_without_gold(choice, paths, ["annotator"] * len(paths))
    _, first, others = task.prepare_sides(asked.profile, read[0], read[1:])
    findings = [finding for corpus in read for finding in check(task, corpus, asked.profile, side="gold")]
    given = (document for corpus in (first, *others) for document in corpus.documents.values())
    findings += [finding for document in given for finding in repeated_mentions(document)]
    if errors_among(findings):
        raise InvalidInput(findings)
    return Adjudication(asked, (first, *others), documents)


def adjudicate(
    *annotators: PathLike,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    documents: str | None = None,
    **settings: object,
) -> Adjudication:
    """Two or more annotators: what they differ on, and gold from decisions.

    >>> import lydite
    >>> found = lydite.adjudicate("docs/samples/anna.jsonl", "docs/samples/ben.jsonl", task="coref")
    >>> len(list(found.differences())) > 0
    True
    """
    choice = choice_from_keywords(task, profile, format, settings)
    return adjudicate_files(choice, [require_path(path) for path in annotators], documents=documents)

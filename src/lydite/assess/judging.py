"""Judging argument by argument: which question comes next, what the answers amount to, which strings are one.

The screens of the workbench ask these questions; what they collect becomes rows of an annotation store, the same that
a sheet gives.  The words of the questions are those of the guidelines; here is only which is asked when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from lydite.errors import UsageError
from lydite.model.argument import ACCEPTABLE, REALIS, Argument, ArgumentRow, Assessment, Filler
from lydite.records import dataclass

Answers = Mapping[str, str]
"""The answers to the questions of one argument, by the name of the question."""

IGNORED = "NIL"
"""The answer to the first question that ends an item without a judgement of it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer: the value that is stored, the key that gives it, and the word for it."""

    value: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question: its name in the guidelines, the part of the assessment it fills, its answers.

    It is asked if the answers to the questions that it ``needs`` accept.
    """

    name: str
    field: str
    choices: tuple[Choice, ...]
    needs: tuple[str, ...] = ()

    def is_asked(self, answers: Answers) -> bool:
        """Whether it is asked after these answers."""
        return all(answers.get(name) in ACCEPTABLE for name in self.needs)


_LETTERS = (Choice("C", "c", "correct"), Choice("I", "i", "inexact"), Choice("W", "w", "wrong"))
_ACCEPTED = ("event type", "role")

QUESTIONS = (
    Question("event type", "event_type", (*_LETTERS, Choice(IGNORED, "x", "ignore"))),
    Question("role", "role", _LETTERS, ("event type",)),
    Question("base filler", "filler", _LETTERS, _ACCEPTED),
    Question("canonical string", "text", _LETTERS, _ACCEPTED),
    Question(
        "realis", "realis", tuple(Choice(value, value[0].lower(), value) for value in REALIS), _ACCEPTED
    ),
    Question(
        "mention type",
        "mention_type",
        (Choice("NAME", "n", "name"), Choice("NOMINAL", "m", "nominal")),
        _ACCEPTED,
    ),
)
"""In the order in which they are asked; the classes of strings are asked for once per document, afterwards."""


def next_question(answers: Answers) -> Question | None:
    """The first question that is asked and has no answer; None if the item is done."""
    return next((ask for ask in QUESTIONS if ask.is_asked(answers) and ask.name not in answers), None)


def assessment_of(answers: Answers) -> Assessment:
    """The assessment that the answers amount to; refused if one is missing, unknown or was never asked for."""
    problems = [*_unknown(answers), *_unasked(answers)]
    waiting = next_question(answers)
    if waiting is not None:
        problems.append(f"{waiting.name}: no answer")
    if problems:
        raise UsageError(f"the judgement is refused: {'; '.join(problems)}")
    values = {ask.field: answers.get(ask.name, IGNORED) for ask in QUESTIONS}
    return Assessment(**{field: None if value == IGNORED else value for field, value in values.items()})


def _unknown(answers: Answers) -> Iterable[str]:
    known = {ask.name: ask for ask in QUESTIONS}
    for name, value in answers.items():
        if name not in known:
            yield f"{name}: no such question"
        elif value not in (expected := [choice.value for choice in known[name].choices]):
            yield f"{name}: expected one of {', '.join(expected)}, found {value!r}"


def _unasked(answers: Answers) -> Iterable[str]:
    for ask in QUESTIONS:
        if ask.name in answers and not ask.is_asked(answers):
            yield f"{ask.name}: is not asked after the answers before it"


def answers_of(assessment: Assessment) -> dict[str, str]:
    """The answers that give an assessment."""
    answers: dict[str, str] = {}
    for ask in QUESTIONS:
        if ask.is_asked(answers):
            answers[ask.name] = getattr(assessment, ask.field) or IGNORED
    return answers


def differing_questions(first: Assessment, second: Assessment) -> tuple[str, ...]:
    """The questions that two people answered differently."""
    return tuple(ask.name for ask in QUESTIONS if getattr(first, ask.field) != getattr(second, ask.field))


# Classes of strings


def strings_to_group(judged: Mapping[Argument, Assessment]) -> list[Filler]:
    """The strings of a document that need a class: those that were right at least once, as they stand in the text."""
    accepted = {argument.canonical for argument, said in judged.items() if said.accepts_text}
    return sorted(accepted, key=lambda string: (string[1], string[0]))


def proposed_classes(
    strings: Iterable[Filler], known: Mapping[Filler, int] = MappingProxyType({})
) -> dict[Filler, int]:
    """The classes of strings: the ``known`` ones, and for the others that of an equal string, or a new one.

    Strings are equal whatever their letter case and blanks; new classes are numbered as they come.
    """
    numbers = {_plain(text): number for (text, _), number in sorted(known.items(), reverse=True)}
    highest = max(known.values(), default=0)
    classes: dict[Filler, int] = {}
    for string in strings:
        if string not in known and _plain(string[0]) not in numbers:
            highest += 1
            numbers[_plain(string[0])] = highest
        classes[string] = known[string] if string in known else numbers[_plain(string[0])]
    return classes


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def judged_rows(
    arguments: Iterable[Argument], judged: Mapping[Argument, Assessment], classes: Mapping[Filler, int]
) -> tuple[ArgumentRow, ...]:
    """The rows of a document in an annotation store; an argument that nobody judged waits for an assessor."""
    return tuple(
        ArgumentRow(
            argument, assessment=judged.get(argument), cluster=classes.get(argument.canonical), width=18
        )
        for argument in sorted(set(arguments))
    )

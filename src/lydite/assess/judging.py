"""Judging argument by argument: the next question, the assessment that answers make, the classes of strings.

The screens of the workbench ask these questions; the answers become rows of an annotation store, as those of a sheet
do.  The guidelines hold the wording of the questions; this module holds their order and conditions.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import starmap
from types import MappingProxyType

from lydite.errors import UsageError
from lydite.model.argument import ACCEPTABLE, REALIS, Argument, ArgumentRow, Assessment, Filler

GivenAnswers = Mapping[str, str]
"""The answers about one argument, by the name of the question."""

IGNORED = "NIL"
"""The answer to the first question by which an assessor ignores an argument."""


@dataclass(frozen=True, slots=True)
class PossibleAnswer:
    """One possible answer: the value that is stored, its key on the keyboard, and its label."""

    value: str
    key: str
    label: str


@dataclass(frozen=True, slots=True)
class AssessmentQuestion:
    """One question: its name in the guidelines, the field of the assessment that it fills, its possible answers.

    It is asked if the questions that it ``needs`` were answered correct or inexact.
    """

    name: str
    field: str
    choices: tuple[PossibleAnswer, ...]
    needs: tuple[str, ...] = ()

    def is_asked(self, answers: GivenAnswers) -> bool:
        """Whether it is asked after these answers."""
        return all(answers.get(name) in ACCEPTABLE for name in self.needs)


def _possible(*answers: tuple[str, str, str]) -> tuple[PossibleAnswer, ...]:
    return tuple(starmap(PossibleAnswer, answers))


_LETTERS = _possible(("C", "c", "correct"), ("I", "i", "inexact"), ("W", "w", "wrong"))
_REALIS = _possible(*((value, value[0].lower(), value) for value in REALIS))
_MENTION_TYPES = _possible(("NAME", "n", "name"), ("NOMINAL", "m", "nominal"))
_ACCEPTED = ("event type", "role")

QUESTIONS = (
    AssessmentQuestion("event type", "event_type", (*_LETTERS, *_possible((IGNORED, "x", "ignore")))),
    AssessmentQuestion("role", "role", _LETTERS, ("event type",)),
    AssessmentQuestion("base filler", "filler", _LETTERS, _ACCEPTED),
    AssessmentQuestion("canonical string", "text", _LETTERS, _ACCEPTED),
    AssessmentQuestion("realis", "realis", _REALIS, _ACCEPTED),
    AssessmentQuestion("mention type", "mention_type", _MENTION_TYPES, _ACCEPTED),
)
"""The questions in order; the classes of strings are asked for afterwards, once per document."""


def next_question(answers: GivenAnswers) -> AssessmentQuestion | None:
    """The first question to ask that has no answer yet; None if the argument is judged."""
    asked = (question for question in QUESTIONS if question.is_asked(answers))
    return next((question for question in asked if question.name not in answers), None)


def assessment_of(answers: GivenAnswers) -> Assessment:
    """The assessment that the answers make; refused if one is missing, unknown or was not asked for."""
    unasked = (one.name for one in QUESTIONS if one.name in answers and not one.is_asked(answers))
    problems = [
        *_unknown_answers(answers),
        *(f"{name}: is not asked after these answers" for name in unasked),
    ]
    unanswered = next_question(answers)
    if unanswered is not None:
        problems.append(f"{unanswered.name}: no answer")
    if problems:
        raise UsageError(f"the judgement is refused: {'; '.join(problems)}")
    values = {question.field: answers.get(question.name, IGNORED) for question in QUESTIONS}
    return Assessment(**{field: None if value == IGNORED else value for field, value in values.items()})


def _unknown_answers(answers: GivenAnswers) -> Iterable[str]:
    known = {question.name: question for question in QUESTIONS}
    for name, value in answers.items():
        if name not in known:
            yield f"{name}: no such question"
        elif value not in (expected := [choice.value for choice in known[name].choices]):
            yield f"{name}: expected one of {', '.join(expected)}, found {value!r}"


def answers_of(assessment: Assessment) -> dict[str, str]:
    """The answers that make an assessment."""
    answers: dict[str, str] = {}
    for question in QUESTIONS:
        if question.is_asked(answers):
            answers[question.name] = getattr(assessment, question.field) or IGNORED
    return answers


def differing_questions(first: Assessment, second: Assessment) -> tuple[str, ...]:
    """The questions that two people answered differently."""
    fields = ((question.name, question.field) for question in QUESTIONS)
    return tuple(name for name, field in fields if getattr(first, field) != getattr(second, field))


# Classes of strings


def strings_to_group(judged: Mapping[Argument, Assessment]) -> list[Filler]:
    """The strings of a document that need a class: those accepted at least once, in the order of the text."""
    accepted = {argument.canonical for argument, assessment in judged.items() if assessment.accepts_text}
    return sorted(accepted, key=lambda string: (string[1], string[0]))


def proposed_classes(
    strings: Iterable[Filler], known: Mapping[Filler, int] = MappingProxyType({})
) -> dict[Filler, int]:
    """The class of each string: the ``known`` one, else that of an equal string, else a new one.

    Letter case and white space make no difference; new classes are numbered in order.
    """
    numbers = {_folded(text): number for (text, _), number in sorted(known.items(), reverse=True)}
    highest = max(known.values(), default=0)
    classes: dict[Filler, int] = {}
    for string in strings:
        if string not in known and _folded(string[0]) not in numbers:
            highest += 1
            numbers[_folded(string[0])] = highest
        classes[string] = known[string] if string in known else numbers[_folded(string[0])]
    return classes


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def judged_rows(
    arguments: Iterable[Argument], judged: Mapping[Argument, Assessment], classes: Mapping[Filler, int]
) -> tuple[ArgumentRow, ...]:
    """The rows of a document in an annotation store; arguments that nobody judged are unassessed."""
    return tuple(
        ArgumentRow(one, assessment=judged.get(one), cluster=classes.get(one.canonical), width=18)
        for one in sorted(set(arguments))
    )

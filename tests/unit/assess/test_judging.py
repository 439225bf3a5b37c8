"""Judging argument by argument, in the order of the guidelines."""

import pytest

from lydite.assess.guidelines import load_guidelines
from lydite.assess.judging import (
    QUESTIONS,
    answers_of,
    assessment_of,
    differing_questions,
    judged_rows,
    next_question,
    proposed_classes,
    strings_to_group,
)
from lydite.errors import UsageError
from lydite.formats.eal import parse_file, write_annotation_file
from lydite.model.argument import Argument, Assessment

ALL = {
    "event type": "C",
    "role": "I",
    "base filler": "W",
    "canonical string": "C",
    "realis": "Other",
    "mention type": "NAME",
}


def argument(text: str, begin: int, role: str = "Attacker") -> Argument:
    span = (begin, begin + len(text))
    return Argument("d", "Conflict.Attack", role, text, span, ((0, 9),), span, (), "Actual")


def asked(*answers: str) -> list[str]:
    """The questions that come up when these answers are given one after the other."""
    given: dict[str, str] = {}
    names = []
    for value in (*answers, None):
        question = next_question(given)
        names.append(question.name if question else "done")
        if value is not None and question is not None:
            given[question.name] = value
    return names


def test_questions_come_in_the_order_of_the_guidelines() -> None:
    known = [question.name for question in load_guidelines("kbp2014").questions]
    assert [question.name for question in QUESTIONS] == known[:-1]
    assert known[-1] == "coreference"


def test_a_wrong_or_ignored_type_ends_the_item() -> None:
    assert asked("W") == ["event type", "done"]
    assert asked("NIL") == ["event type", "done"]


def test_a_wrong_role_ends_the_item() -> None:
    assert asked("I", "W") == ["event type", "role", "done"]


def test_an_accepted_role_asks_everything() -> None:
    assert asked(*ALL.values()) == [*ALL, "done"]


def test_keys_of_a_question_differ() -> None:
    for question in QUESTIONS:
        keys = [choice.key for choice in question.choices]
        assert len(set(keys)) == len(keys)
        assert not {"u", "f"} & set(keys), "these undo and flag"


def test_answers_become_the_assessment_of_a_store_and_come_back() -> None:
    assert assessment_of(ALL) == Assessment("C", "I", "C", "W", "Other", "NAME")
    assert answers_of(assessment_of(ALL)) == ALL
    assert assessment_of({"event type": "NIL"}) == Assessment(None, None, None, None, None, None)
    assert answers_of(Assessment("C", "W", None, None, None, None)) == {"event type": "C", "role": "W"}


def test_all_faults_of_answers_are_reported_together() -> None:
    with pytest.raises(UsageError) as refused:
        assessment_of({"event type": "W", "role": "C", "colour": "red", "realis": "Maybe"})
    for said in ("role: is not asked", "colour: no such question", "expected one of Actual, Generic, Other"):
        assert said in str(refused.value)


def test_an_unfinished_item_is_no_judgement() -> None:
    with pytest.raises(UsageError, match="canonical string: no answer"):
        assessment_of({"event type": "C", "role": "C", "base filler": "C"})


def test_two_people_differ_in_named_questions() -> None:
    mine = assessment_of(ALL)
    assert differing_questions(mine, mine._replace(realis="Actual", filler="C")) == ("base filler", "realis")


def test_right_strings_are_grouped_by_equality_first() -> None:
    right, wrong = assessment_of(ALL), assessment_of({**ALL, "canonical string": "W"})
    judged = {
        argument("Hval", 40): right,
        argument("HVAL", 10): right,
        argument("Hval", 40, "Target"): wrong,
        argument("the sailor", 60): right,
        argument("nobody", 80): wrong,
    }
    strings = strings_to_group(judged)
    assert strings == [("HVAL", (10, 14)), ("Hval", (40, 44)), ("the sailor", (60, 70))]
    assert list(proposed_classes(strings).values()) == [1, 1, 2]


def test_strings_stand_in_the_order_of_the_text() -> None:
    judged = {argument("Aase", 40): assessment_of(ALL), argument("Runa", 10): assessment_of(ALL)}
    assert [text for text, _ in strings_to_group(judged)] == ["Runa", "Aase"]


def test_of_two_classes_of_equal_strings_that_of_the_first_spelling_is_proposed() -> None:
    known = {("Hval", (0, 3)): 4, ("HVAL", (9, 12)): 2}
    assert proposed_classes([("hval", (20, 23))], known) == {("hval", (20, 23)): 2}


def test_judged_rows_are_a_sound_annotation_file() -> None:
    judged = {
        argument("Hval", 40): assessment_of(ALL),
        argument("nobody", 80): assessment_of({"event type": "W"}),
    }
    waiting = argument("Runa", 90)
    rows = judged_rows([*judged, waiting], judged, proposed_classes(strings_to_group(judged)))
    read = parse_file("d", write_annotation_file(rows))
    assert not [problem for problem in read.problems if problem.side != "system"]
    assert {row.argument: row.assessment for row in read.rows} == {**judged, waiting: None}
    assert {row.argument.text: row.cluster for row in read.rows} == {"Hval": 1, "nobody": None, "Runa": None}


def test_a_new_string_joins_the_class_of_an_equal_one_that_is_known() -> None:
    known = {("Hval", (0, 3)): 4, ("the king", (9, 16)): 2}
    strings = [("Hval", (0, 3)), ("the king", (9, 16)), ("HVAL", (20, 23)), ("Oslo", (30, 33))]
    assert list(proposed_classes(strings, known).values()) == [4, 2, 4, 5]

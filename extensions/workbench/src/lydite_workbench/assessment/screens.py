"""What the screens of assessment show, as plain data, which the API answers, too."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise

from lydite.assess import judging
from lydite.assess.sheets import origin_of
from lydite.formats.texts import Texts
from lydite.model.argument import Argument, Filler, Range
from lydite.model.taxonomy import Taxonomy
from lydite_workbench.accounts.models import User
from lydite_workbench.assessment import judgements, pools
from lydite_workbench.assessment.differences import Disagreement, class_lines
from lydite_workbench.assessment.models import Grouping, Judgement, Pool, Seat

Data = dict[str, object]
AROUND = 250
"""Characters of a text on either side of an argument."""


def work_data(pool: Pool, assessor: User) -> Data:
    """The next document of an assessor with its items and strings; ``document`` is None if there is none."""
    seat = judgements.take_seat(pool, assessor)
    nothing: Data = {"campaign": pool.campaign.slug, "document": None, "items": [], "strings": []}
    return nothing if seat is None else {**nothing, **_document_data(seat, assessor)}


def _document_data(seat: Seat, assessor: User) -> Data:
    document = seat.document
    texts = pools.texts_of(document.pool.campaign)
    text = texts.text(document.doc_id) if texts is not None else None
    campaign = document.pool.campaign
    taxonomy = pools.taxonomy_of(campaign)
    (judged,) = judgements.judged_by(document, assessor)
    return {
        "document": {"id": document.public_id, "name": document.doc_id, "text": text},
        "items": [
            {
                "id": name,
                **claim_data(judged.arguments[key], taxonomy, text),
                "lacks_date": pools.lacks_date(campaign, judged.arguments[key]),
                **judgement_data(judged.latest.get(key)),
            }
            for key, name in document.items.values_list("pk", "public_id")
        ],
        "strings": string_data(judged.strings, judged.roles),
    }


def claim_data(argument: Argument, taxonomy: Taxonomy, text: str | None) -> Data:
    """What an item claims, what its type and role mean, and where it stands in the text."""
    role = taxonomy.role(argument.event_type, argument.role)
    return {
        "document": argument.doc_id,
        "event_type": argument.event_type,
        "type_means": taxonomy.definitions.get(argument.event_type, ""),
        "scrutiny": taxonomy.scrutiny.get(argument.event_type, ""),
        "role": argument.role,
        "role_means": "" if role is None else f"{role.definition} ({', '.join(role.fillers)})",
        "text": argument.text,
        "realis": argument.realis,
        "origin": "" if text is None else origin_of(text, argument.filler[0]),
        "marks": _marks(argument),
    }


def _marks(argument: Argument) -> dict[str, list[Range]]:
    return {
        "justification": list(argument.justification),
        "filler": [argument.filler],
        "string": [argument.span],
        "additional": list(argument.additional),
    }


def judgement_data(judgement: Judgement | None) -> Data:
    """The answers to an item, None if there are none, and its note and flag."""
    if judgement is None:
        return {"judgement": None, "note": "", "flagged": False}
    answers = None if judgement.answers is None else {"answers": judgement.answers}
    return {"judgement": answers, "note": judgement.note, "flagged": judgement.flagged}


def string_data(classes: Mapping[Filler, int], roles: Mapping[Filler, list[str]]) -> list[Data]:
    """Strings with their classes, and the event types and roles for which they are correct."""
    return [
        {
            "text": text,
            "begin": begin,
            "end": end,
            "class": number,
            "roles": roles.get((text, (begin, end)), []),
        }
        for (text, (begin, end)), number in classes.items()
    ]


def question_data(pool: Pool) -> list[Data]:
    """The questions in the words of the guidelines, with their choices and the answers that they depend on."""
    words = {guideline.name: guideline for guideline in pools.guidelines_of(pool).questions}
    return [
        {
            "name": question.name,
            "needs": list(question.needs),
            "choices": [{"value": one.value, "key": one.key, "label": one.label} for one in question.choices],
            "asks": words[question.name].asks if question.name in words else question.name,
        }
        for question in judging.QUESTIONS
    ]


def passage_data(texts: Texts | None, argument: Argument) -> list[Data]:
    """The text around an argument, in pieces with their kinds of marks; empty without texts."""
    text = texts.text(argument.doc_id) if texts is not None else None
    if text is None:
        return []
    places = [*argument.justification, argument.filler]
    begin = max(0, min(start for start, _ in places) - AROUND)
    end = min(len(text), max(stop for _, stop in places) + AROUND)
    return list(_pieces(text, begin, end, _marks(argument)))


def _pieces(text: str, begin: int, end: int, marks: Mapping[str, Iterable[Range]]) -> Iterable[Data]:
    """A stretch of text, cut where marks begin and end; each piece with the kinds of marks that cover it."""
    spans = [(kind, start, stop) for kind, ranges in marks.items() for start, stop in ranges]
    borders = {begin, end, *(place for _, *ends in spans for place in ends if begin < place < end)}
    for start, stop in pairwise(sorted(borders)):
        kinds = [kind for kind, first, last in spans if first <= start and stop <= last]
        yield {"text": text[start:stop], "kinds": " ".join(kinds)}


def option_data(disagreement: Disagreement) -> list[Data]:
    """The two answers between which an adjudicator chooses, without the names of those who gave them."""
    return [
        {"answers": None, "classes": class_lines(option)}
        if isinstance(option, Grouping)
        else {"answers": option.answers, "note": option.note, "differing": disagreement.questions}
        for option in disagreement.options
    ]

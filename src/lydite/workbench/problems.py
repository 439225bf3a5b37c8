"""What is refused, in one form for pages and API: a status, a code, a sentence."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import JsonResponse

from lydite.corpus.query import QueryError
from lydite.errors import Finding, InputError, LyditeError

TYPE = "application/problem+json"
BAD_INPUT = "bad-input"
MOST_TOLD = 5
"""Findings of one sentence."""
NO_TEXT = "expected text, found the character of code 0"


class Refused(LyditeError):  # noqa: N818 - named after what happened, as the other ones
    """Something that a rule does not allow; pages show the sentence, the API answers it as a problem."""

    def __init__(self, code: str, sentence: str, *, status: int = 409) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


class NoText(BadRequest):
    """A query or a form with the character of code 0: no text has it, and PostgreSQL cannot keep it."""


def status_of(error: LyditeError) -> int:
    """The status of an answer that tells an error."""
    return error.status if isinstance(error, Refused) else 400


def sentence_of(error: LyditeError) -> str:
    """What a reader of a page is told of an error; where files lie on the server is nobody's business."""
    if isinstance(error, InputError):
        return "; ".join(map(_finding_as_text, error.findings[:MOST_TOLD]))
    ours = re.compile(rf"{re.escape(str(settings.LYDITE_FILES))}\S*: ")
    return ours.sub("", f"{error}") + _in_brackets(getattr(error, "hint", None))


def _finding_as_text(found: Finding) -> str:
    place = found.location
    where = f"{Path(place.path).name}:{place.line}: " if place is not None and place.line else ""
    return f"{where}{found.message}{_in_brackets(found.hint)}"


def _in_brackets(hint: str | None) -> str:
    return f" ({hint})" if hint else ""


def problem(status: int, code: str, detail: str, **more: object) -> JsonResponse:
    """A problem document (RFC 9457)."""
    document = {"type": "about:blank", "title": code, "status": status, "detail": detail, **more}
    return JsonResponse(document, status=status, content_type=TYPE)


def refusal(error: LyditeError) -> JsonResponse:
    """What was refused, as a problem document; of a query it names the column."""
    if isinstance(error, QueryError):
        told = {"column": error.column, "excerpt": list(error.excerpt), "hint": error.hint}
        return problem(400, "bad-query", str(error), **told)
    return problem(status_of(error), getattr(error, "code", BAD_INPUT), sentence_of(error))

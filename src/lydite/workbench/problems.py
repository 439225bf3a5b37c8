"""What is refused, in one form for pages and API: a status, a code, a sentence."""

from __future__ import annotations

import re
from pathlib import Path

from django.conf import settings
from django.http import JsonResponse

from lydite.errors import InputError, LyditeError

TYPE = "application/problem+json"
MOST_TOLD = 5
"""Findings of one sentence."""


class Refused(LyditeError):  # noqa: N818 - named after what happened, as the other ones
    """Something that a rule does not allow; pages show the sentence, the API answers it as a problem."""

    def __init__(self, code: str, sentence: str, *, status: int = 409) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


def status_of(error: LyditeError) -> int:
    """The status of an answer that tells an error."""
    return error.status if isinstance(error, Refused) else 400


def sentence_of(error: LyditeError) -> str:
    """What a reader is told of an error; where files lie on the server is nobody's business."""
    if not isinstance(error, InputError):
        hint = getattr(error, "hint", None)
        ours = re.compile(rf"{re.escape(str(settings.LYDITE_FILES))}\S*: ")
        return ours.sub("", f"{error}") + (f" ({hint})" if hint else "")
    told = []
    for found in error.findings[:MOST_TOLD]:
        place = found.location
        where = "" if place is None else f"{Path(place.path).name}:{place.line}: " if place.line else ""
        told.append(f"{where}{found.message}" + (f" ({found.hint})" if found.hint else ""))
    return "; ".join(told)


def problem(status: int, code: str, detail: str, **more: object) -> JsonResponse:
    """A problem document (RFC 9457)."""
    document = {"type": "about:blank", "title": code, "status": status, "detail": detail, **more}
    return JsonResponse(document, status=status, content_type=TYPE)


def refusal(error: Refused) -> JsonResponse:
    """A refusal as a problem document."""
    return problem(error.status, error.code, str(error))

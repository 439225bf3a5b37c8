"""What is refused, in one form for pages and API: a status, a code, a sentence."""

from __future__ import annotations

from django.http import JsonResponse

from lydite.errors import LyditeError

TYPE = "application/problem+json"


class Refused(LyditeError):  # noqa: N818 - named after what happened, as the other ones
    """Something that a rule does not allow; pages show the sentence, the API answers it as a problem."""

    def __init__(self, code: str, sentence: str, *, status: int = 409) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


def problem(status: int, code: str, detail: str, **more: object) -> JsonResponse:
    """A problem document (RFC 9457)."""
    document = {"type": "about:blank", "title": code, "status": status, "detail": detail, **more}
    return JsonResponse(document, status=status, content_type=TYPE)


def refusal(error: Refused) -> JsonResponse:
    """A refusal as a problem document."""
    return problem(error.status, error.code, str(error))

"""What is refused, in one form for pages and API: a status, a code, a sentence."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import JsonResponse

from lydite.corpus.query import QueryError
from lydite.errors import Finding, InputError, LyditeError
from lydite.escaping import is_utf_8, printable

TYPE = "application/problem+json"
BAD_INPUT = "bad-input"
MOST_TOLD = 5
"""Findings of one sentence."""
NO_TEXT = "expected text, found the character of code 0"
LONGEST_NOTE = 2000
"""Characters of what somebody notes on an item."""
NO_CHARACTER = "expected text, found half of a pair of codes that is one character"


class Refused(LyditeError):  # noqa: N818 - named after what happened, as the other ones
    """Something that a rule does not allow; pages show the sentence, the API answers it as a problem."""

    def __init__(self, code: str, sentence: str, *, status: int = 409) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""What nobody sees, or what turns the order of other characters; joiners, which words and signs are written with, stay."""


def no_text(said: object) -> str | None:
    """What is wrong with a text anywhere in a value of JSON, if something is; of forms ``middleware`` asks the same."""
    if isinstance(said, dict):
        said = [*said, *said.values()]
    if isinstance(said, list):
        return next((wrong for one in said if (wrong := no_text(one)) is not None), None)
    if not isinstance(said, str):
        return None
    return NO_TEXT if "\0" in said else None if is_utf_8(said) else NO_CHARACTER


def refuse_what_cannot_be_kept(where: str, said: object) -> None:
    """Refuse what a file holds that no database keeps as text."""
    wrong = no_text(said)
    if wrong is not None:
        raise Refused("no-text", f"{printable(where)}: {wrong}", status=400)


def refuse_hidden(what: str, text: str) -> None:
    """Refuse a title or a name that would be read as another one than it is."""
    found = HIDDEN.search(text)
    if found is not None:
        named = f"U+{ord(found[0]):04X} {unicodedata.name(found[0], '')}".strip()
        raise Refused("bad-words", f"{what}: {named} cannot be seen in a title or a name", status=400)


def refuse_long(what: str, text: str, most: int) -> None:
    """Refuse what would be cut off."""
    if len(text) > most:
        raise Refused("bad-words", f"{what}: at most {most} characters, found {len(text)}", status=400)


def one_line(what: str, text: str, most: int) -> str:
    """A title or a name as it was said, if it can be seen and kept."""
    refuse_hidden(what, text)
    refuse_long(what, text, most)
    return text


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
    return _without_folders(ours.sub("", f"{error}") + _in_brackets(getattr(error, "hint", None)))


def _finding_as_text(found: Finding) -> str:
    place = found.location
    where = f"{Path(place.path).name}:{place.line}: " if place is not None and place.line else ""
    return _without_folders(f"{where}{found.message}{_in_brackets(found.hint)}")


def _without_folders(sentence: str) -> str:
    """A sentence with the names of our files alone."""
    return re.sub(rf"{re.escape(str(settings.LYDITE_FILES))}/(?:[^\s/]+/)*", "", sentence)


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

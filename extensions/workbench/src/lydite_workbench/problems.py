"""Refusals for pages and API: a status, a code and a sentence."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path

from django.conf import settings
from django.core.exceptions import NON_FIELD_ERRORS, BadRequest, ValidationError
from django.db.models import Model
from django.http import JsonResponse
from django.utils.text import slugify

from lydite.errors import Finding, InputError, LyditeError
from lydite.escaping import is_utf_8, printable
from lydite_corpus.query import QueryError

TYPE = "application/problem+json"
BAD_INPUT = "bad-input"
MOST_FINDINGS = 5
"""The most findings in one sentence."""
NO_TEXT = "expected text, found the character with code 0"
LONGEST_NOTE = 2000
"""The most characters of a note on an item."""
NO_CHARACTER = "expected text, found half of a surrogate pair"


class Refused(LyditeError):  # noqa: N818 - named after what happened, as the other ones
    """Something that a rule does not allow: pages show the sentence, the API answers a problem document."""

    def __init__(self, code: str, sentence: str, *, status: int = 409) -> None:
        super().__init__(sentence)
        self.code, self.status = code, status


class BadInput(Refused):
    """A request that no state of the workbench could make right."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(code, sentence, status=400)


HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
"""Characters that are invisible or change the direction of others, without the joiners that words and emoji need."""


def text_problem(value: object) -> str | None:
    """What is wrong with a text anywhere in a JSON value; None if nothing is.  ``middleware`` checks forms in the same way."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list):
        return next((problem for one in value if (problem := text_problem(one)) is not None), None)
    if not isinstance(value, str):
        return None
    return NO_TEXT if "\0" in value else None if is_utf_8(value) else NO_CHARACTER


def refuse_unstorable(where: str, value: object) -> None:
    """Refuse values from a file that no database can store as text."""
    wrong = text_problem(value)
    if wrong is not None:
        raise BadInput("no-text", f"{printable(where)}: {wrong}")


def shown_text(text: str) -> None:
    """A validator of titles and names: none has hidden characters, with which it could look like another one."""
    if not is_utf_8(text):
        raise ValidationError("expected text that can be encoded as UTF-8")
    found = HIDDEN.search(text)
    if found is not None:
        named = f"U+{ord(found[0]):04X} {unicodedata.name(found[0], '')}".strip()
        raise ValidationError(f"{named} is invisible or changes the direction of text")


def short_name(text: str) -> None:
    """A validator of names that stand in URLs as they are."""
    if slugify(text) != text:
        raise ValidationError("a short name has only lower-case letters, digits and -")


def storable_json(value: object) -> None:
    """A validator of values that are stored as JSON."""
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        raise ValidationError("expected texts, numbers, true or false, and lists of them") from None
    if wrong := text_problem(value):
        raise ValidationError(wrong)


def bad_words(errors: Mapping[str, Iterable[object]]) -> BadInput:
    """The refusal of values, by the errors of a form or row."""
    named = (
        ("" if name == NON_FIELD_ERRORS else f"{name}: ") + " ".join(map(str, told))
        for name, told in errors.items()
    )
    return BadInput("bad-words", "; ".join(named))


def refuse_bad_row(row: Model, *unknown: str) -> None:
    """Refuse a row with values that its fields cannot hold, without those that are ``unknown`` yet.

    The database looks after what is unique.
    """
    # Keys of other rows are no words that anybody wrote.
    keys = {field.name for field in row._meta.fields if field.is_relation}  # noqa: SLF001 - Django's public name for it
    try:
        row.full_clean(exclude=keys | {*unknown}, validate_unique=False)
    except ValidationError as error:
        raise bad_words(error.message_dict) from None


def refuse_hidden(what: str, text: str) -> None:
    """Refuse a title or name with hidden characters."""
    try:
        shown_text(text)
    except ValidationError as error:
        raise bad_words({what: error.messages}) from None


def refuse_long(what: str, text: str, most: int) -> None:
    """Refuse a text that is longer than its column."""
    if len(text) > most:
        raise BadInput("bad-words", f"{what}: at most {most} characters, found {len(text)}")


def one_line(what: str, text: str, most: int) -> str:
    """Return a title or name; refuse one that is too long or has hidden characters."""
    refuse_hidden(what, text)
    refuse_long(what, text, most)
    return text


class NoText(BadRequest):
    """A query or form with the character with code 0, which PostgreSQL cannot store."""


def status_of(error: LyditeError) -> int:
    """The HTTP status for an error."""
    return error.status if isinstance(error, Refused) else 400


def sentence_of(error: LyditeError) -> str:
    """An error as a sentence for users, without paths on the server."""
    if isinstance(error, InputError):
        return "; ".join(map(_finding_as_text, error.findings[:MOST_FINDINGS]))
    ours = re.compile(rf"{re.escape(str(settings.LYDITE_FILES))}\S*: ")
    return _without_folders(ours.sub("", f"{error}") + _in_brackets(getattr(error, "hint", None)))


def _finding_as_text(found: Finding) -> str:
    place = found.location
    where = f"{Path(place.path).name}:{place.line}: " if place is not None and place.line else ""
    return _without_folders(f"{where}{found.message}{_in_brackets(found.hint)}")


def _without_folders(sentence: str) -> str:
    """A sentence with names of files of the store instead of their paths."""
    return re.sub(rf"{re.escape(str(settings.LYDITE_FILES))}/(?:[^\s/]+/)*", "", sentence)


def _in_brackets(hint: str | None) -> str:
    return f" ({hint})" if hint else ""


def problem(status: int, code: str, detail: str, **more: object) -> JsonResponse:
    """A problem document (RFC 9457)."""
    document = {"type": "about:blank", "title": code, "status": status, "detail": detail, **more}
    return JsonResponse(document, status=status, content_type=TYPE)


def refusal(error: LyditeError) -> JsonResponse:
    """A problem document for an error; for a query that cannot be read it has the column."""
    if isinstance(error, QueryError):
        return problem(
            400, "bad-query", str(error), column=error.column, excerpt=list(error.excerpt), hint=error.hint
        )
    return problem(status_of(error), getattr(error, "code", BAD_INPUT), sentence_of(error))

"""How pages are made: a template, what was refused on it, and what every one of them knows."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from typing import Any, TypeVar

from django.contrib.messages import get_messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render

from lydite.errors import LyditeError
from lydite.numerals import is_natural
from lydite.version import __version__
from lydite.workbench.accounts.models import User
from lydite.workbench.problems import BAD_INPUT, Refused, no_text, sentence_of, status_of
from lydite.workbench.rights import PUBLIC, WorkbenchRequest

Page = Callable[..., HttpResponseBase]
CSV = "text/csv; charset=utf-8"
USUAL_DIGITS = 9
"""Of a number that a form says: the columns of databases hold no more."""
D = TypeVar("D", int, None)


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    refusal: LyditeError | None = None,
    status: int = 200,
) -> HttpResponse:
    """A page from a template; what was refused is said on it, and in its status."""
    if refusal is not None:
        status = status_of(refusal)
        context = {**(context or {}), "refusal": sentence_of(refusal)}
    return render(request, template, context, status=status)


def refused_on(
    shows: Page, of: str = "campaign", *, then: str = ""
) -> Callable[[Callable[..., HttpResponseBase | None]], Page]:
    """A form or a file of a page: where something is refused, the page comes back and says why.

    ``of`` is the word for what the page is about: the request names it, or what the request names belongs to it.
    A form that was done and answers nothing goes ``then`` to that page.
    """

    def guard(view: Callable[..., HttpResponseBase | None]) -> Page:
        @wraps(view)
        def answer(request: WorkbenchRequest, /, **things: Any) -> HttpResponseBase:
            thing = things[of] if of in things else getattr(next(iter(things.values())), of)
            try:
                return view(request, **things) or redirect(then, **{of: thing.slug})
            except LyditeError as error:
                return shows(request, thing, error)

        return answer

    return guard


def download(data: str | bytes | Iterator[str], name: str, kind: str) -> HttpResponseBase:
    """What was just made, or is made line by line while it is sent, to be saved."""
    response = HttpResponse if isinstance(data, str | bytes) else StreamingHttpResponse
    return response(
        data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def asking_person(request: WorkbenchRequest) -> User:
    """Who asks, where only a person has something to do: a token of a team gets what is not there."""
    if request.caller.user is None:
        raise Http404
    return request.caller.user


def whole_number(said: QueryDict, name: str, otherwise: D, *, digits: int = USUAL_DIGITS) -> int | D:
    """The number that a form or a query says under a name; something else if it says none."""
    text = said.get(name, "").strip()
    if not text:
        return otherwise
    if not (is_natural(text) and len(text) <= digits):
        raise Refused("no-number", f"expected a whole number under {name!r}, found {text!r}", status=400)
    return int(text)


def json_object(request: WorkbenchRequest) -> dict[str, Any]:
    """The object that a call of a screen or of the API sends."""
    try:
        said = json.loads(request.body)
        wrong = no_text(said)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise Refused("no-json", "expected a JSON object", status=400)
    if wrong is not None:
        raise Refused(BAD_INPUT, wrong, status=400)
    return said


def context(request: HttpRequest) -> dict[str, object]:
    """What every template knows: who asks, in which zone times are shown, which lydite this is, what was just done."""
    caller = getattr(request, "caller", PUBLIC)
    zone = caller.user.zone if caller.user is not None else "UTC"
    notices = get_messages(request)
    return {"caller": caller, "reader_zone": zone, "lydite_version": __version__, "notices": notices}

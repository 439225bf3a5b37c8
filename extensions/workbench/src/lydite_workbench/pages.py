"""How views make pages and downloads, and read forms, queries and JSON."""

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
from lydite_workbench.accounts.models import User
from lydite_workbench.problems import BAD_INPUT, BadInput, sentence_of, status_of, text_problem
from lydite_workbench.rights import PUBLIC, WebRequest

Page = Callable[..., HttpResponseBase]
CSV = "text/csv; charset=utf-8"
USUAL_DIGITS = 9
"""The most digits of a number in a form: columns of the database hold no more."""
D = TypeVar("D", int, None)


def page(
    request: HttpRequest,
    template: str,
    context: Mapping[str, object] | None = None,
    *,
    refusal: LyditeError | None = None,
    status: int = 200,
) -> HttpResponse:
    """A page from a template; a refusal is shown on it and sets its status."""
    if refusal is not None:
        status = status_of(refusal)
        context = {**(context or {}), "refusal": sentence_of(refusal)}
    return render(request, template, context, status=status)


def refused_on(
    shows: Page, of: str = "campaign", *, then: str = ""
) -> Callable[[Callable[..., HttpResponseBase | None]], Page]:
    """A decorator of views for forms and downloads of a page: a refusal is shown on that page.

    ``of`` is the attribute for the thing that the page is about: a keyword of the view, or an attribute of its thing.
    A view that returns None redirects to the page ``then``.
    """

    def guard(view: Callable[..., HttpResponseBase | None]) -> Page:
        @wraps(view)
        def answer(request: WebRequest, /, **things: Any) -> HttpResponseBase:
            thing = things[of] if of in things else getattr(next(iter(things.values())), of)
            try:
                return view(request, **things) or redirect(then, **{of: thing.slug})
            except LyditeError as error:
                return shows(request, thing, error)

        return answer

    return guard


def download(data: str | bytes | Iterator[str], name: str, kind: str) -> HttpResponseBase:
    """A response that browsers save as a file; lines are made while they are sent."""
    response = HttpResponse if isinstance(data, str | bytes) else StreamingHttpResponse
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return response(data, content_type=kind, headers=headers)


def signed_in_person(request: WebRequest) -> User:
    """The person who sent a request; 404 for the token of a team."""
    if request.caller.user is None:
        raise Http404
    return request.caller.user


def whole_number(fields: QueryDict, name: str, otherwise: D, *, digits: int = USUAL_DIGITS) -> int | D:
    """The whole number of a field in a form or query; ``otherwise`` if the field is empty."""
    text = fields.get(name, "").strip()
    if not text:
        return otherwise
    if not (is_natural(text) and len(text) <= digits):
        raise BadInput("no-number", f"expected a whole number under {name!r}, found {text!r}")
    return int(text)


def json_object(request: WebRequest) -> dict[str, Any]:
    """The JSON object that a request sends."""
    try:
        body = json.loads(request.body)
        wrong = text_problem(body)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise BadInput("no-json", "expected a JSON object")
    if wrong is not None:
        raise BadInput(BAD_INPUT, wrong)
    return body


def context(request: HttpRequest) -> dict[str, object]:
    """What every template gets: the caller, the time zone for times, the version, and notices of what was done."""
    caller = getattr(request, "caller", PUBLIC)
    zone = caller.user.zone if caller.user is not None else "UTC"
    notices = get_messages(request)
    return {"caller": caller, "reader_zone": zone, "lydite_version": __version__, "notices": notices}

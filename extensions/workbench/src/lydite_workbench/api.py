"""The API: calls are endpoints like pages, answer JSON or problem documents, and have an OpenAPI description."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import wraps
from types import MappingProxyType

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from lydite.errors import LyditeError
from lydite.version import __version__
from lydite_workbench.problems import TYPE, refusal
from lydite_workbench.rights import ANYBODY, NO_TOKEN, NOT_HERE, View, WebRequest

PREFIX = "/api/v1/"
UNKNOWN = "the token is not known, or was revoked"


@dataclass(frozen=True)
class ApiCall:
    """The OpenAPI description of a call, as a decorator of its view; what the view refuses is answered as a problem."""

    summary: str
    answers: Mapping[int, str]
    """Status → description of the answer, in addition to those of all calls."""
    schema: Mapping[str, object] | None = None
    """The schema of the answer, if it is JSON."""
    media: str = "application/json"
    form: Mapping[str, str] = field(default_factory=dict)
    """Fields of a form: name → description; ``file`` is a file, and the first field is required."""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    """The schema of the JSON that is sent."""

    def __call__(self, view: View) -> View:
        """Make a view a call."""
        call = refused_as_problem(view)
        call.description = self  # type: ignore[attr-defined]  # for the OpenAPI document
        return call


def refused_as_problem(view: View) -> View:
    """A decorator of views for screens and API: what is refused is answered as a problem document."""

    @wraps(view)
    def answer(request: WebRequest, /, **things: object) -> HttpResponseBase:
        try:
            return view(request, **things)
        except LyditeError as error:
            return refusal(error)

    return answer


# ------------------------------------------------------------------------------------------------------- OpenAPI


def text(description: str = "") -> dict[str, object]:
    """The schema of a text."""
    return {"type": "string", **({"description": description} if description else {})}


def record(
    optional: Mapping[str, Mapping[str, object]] = MappingProxyType({}), /, **members: Mapping[str, object]
) -> dict[str, object]:
    """The schema of an object: ``members`` are required, those of ``optional`` are not."""
    return {"type": "object", "properties": {**members, **optional}, "required": list(members)}


def listed(item: Mapping[str, object]) -> dict[str, object]:
    """The schema of a list."""
    return {"type": "array", "items": item}


@ApiCall("This document.", {200: "OpenAPI 3.1"})
def openapi(request: WebRequest) -> HttpResponse:  # noqa: ARG001 - a view
    """The OpenAPI document of all calls."""
    from lydite_workbench.urls import api

    paths: dict[str, dict[str, object]] = {}
    for pattern in api:
        call, names = pattern.callback, pattern.pattern.converters
        (method,) = call.methods
        words = [{"name": name, "in": "path", "required": True, "schema": text()} for name in names]
        described = _described(call.description, words, _common_answers(call.right, method))
        route = "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        paths.setdefault(route, {})[method.lower()] = described
    return JsonResponse(
        {
            "openapi": "3.1.0",
            "info": {"title": "lydite workbench", "version": __version__},
            "servers": [{"url": PREFIX.rstrip("/")}],
            "security": [{"token": []}, {}],
            "components": {"securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
            "paths": paths,
        }
    )


_PROBLEM = record(type=text(), title=text(), status={"type": "integer"}, detail=text())


def _common_answers(right: object, method: str) -> dict[int, str]:
    """The answers that every call can give: unknown token, nothing there, no token."""
    missing = {} if right is ANYBODY else {404: NOT_HERE}
    return {401: UNKNOWN, **missing, **({403: NO_TOKEN} if method == "POST" else {})}


def _described(
    call: ApiCall, words: list[dict[str, object]], common_answers: Mapping[int, str]
) -> dict[str, object]:
    queries = [
        {"name": name, "in": "query", "description": meaning, "schema": text()}
        for name, meaning in call.query.items()
    ]
    answers = sorted({**call.answers, **common_answers}.items())
    description: dict[str, object] = {
        "summary": call.summary,
        "parameters": [*words, *queries],
        "responses": {str(status): _answer(call, status, meaning) for status, meaning in answers},
    }
    if call.form:
        fields = {
            name: {**text(meaning), **({"format": "binary"} if name == "file" else {})}
            for name, meaning in call.form.items()
        }
        body = {"type": "object", "properties": fields, "required": list(fields)[:1]}
        description["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": body}}}
    if call.body is not None:
        content = {"application/json": {"schema": call.body}}
        description["requestBody"] = {"required": True, "content": content}
    return description


def _answer(call: ApiCall, status: int, meaning: str) -> dict[str, object]:
    if status >= 400:
        return {"description": meaning, "content": {TYPE: {"schema": _PROBLEM}}}
    schema = {} if call.schema is None else {"schema": call.schema}
    return {"description": meaning, "content": {call.media: schema}}

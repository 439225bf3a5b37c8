"""The API: calls are endpoints like any other, answer JSON, refuse by problem documents, and describe themselves."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import wraps
from types import MappingProxyType

from django.http import HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern

from lydite.errors import LyditeError
from lydite.records import dataclass, field
from lydite.version import __version__
from lydite.workbench.problems import TYPE, refusal
from lydite.workbench.rights import ANYBODY, NO_TOKEN, NOT_HERE, View, WorkbenchRequest

PREFIX = "/api/v1/"
UNKNOWN = "the token is not known, or was revoked"


@dataclass(frozen=True)
class ApiCall:
    """What the OpenAPI document says of a call; set before a view it makes a call of it, which refuses by problems."""

    summary: str
    answers: Mapping[int, str]
    """Status → what is answered then, beside what is said of all calls."""
    schema: Mapping[str, object] | None = None
    """Of the answer, if it is JSON."""
    media: str = "application/json"
    form: Mapping[str, str] = field(default_factory=dict)
    """Fields of a form: name → what it says; ``file`` is a file, and the first one must be there."""
    query: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = None
    """The schema of JSON that is sent."""

    def __call__(self, view: View) -> View:
        """The call."""
        made = answered(view)
        made.operation = self  # type: ignore[attr-defined]  # for the document of the API
        return made


def answered(view: View) -> View:
    """A call of a screen or of the API: what is refused is answered as a problem document."""

    @wraps(view)
    def answer(request: WorkbenchRequest, /, **things: object) -> HttpResponseBase:
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
    may_have: Mapping[str, Mapping[str, object]] = MappingProxyType({}), /, **members: Mapping[str, object]
) -> dict[str, object]:
    """The schema of an object, every member of which is there beside what it may have."""
    return {"type": "object", "properties": {**members, **may_have}, "required": list(members)}


def listed(item: Mapping[str, object]) -> dict[str, object]:
    """The schema of a list."""
    return {"type": "array", "items": item}


@ApiCall("This document.", {200: "OpenAPI 3.1"})
def openapi(request: WorkbenchRequest) -> HttpResponse:  # noqa: ARG001 - a view
    """The OpenAPI document of all calls."""
    from lydite.workbench.urls import api

    paths: dict[str, dict[str, object]] = {}
    for pattern in api:
        (method,) = pattern.callback.methods
        words = [
            {"name": word, "in": "path", "required": True, "schema": text()}
            for word in pattern.pattern.converters
        ]
        described = _described(pattern.callback.operation, words, _of_all(pattern.callback.right, method))
        paths.setdefault(_route(pattern), {})[method.lower()] = described
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


def _route(pattern: URLPattern) -> str:
    return "/" + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))


_PROBLEM = record(type=text(), title=text(), status={"type": "integer"}, detail=text())


def _of_all(right: object, method: str) -> dict[int, str]:
    """What a call answers by itself: that one is not known, that there is nothing, that no program sent it."""
    missing = {} if right is ANYBODY else {404: NOT_HERE}
    return {401: UNKNOWN, **missing, **({403: NO_TOKEN} if method == "POST" else {})}


def _described(
    operation: ApiCall, words: list[dict[str, object]], of_all: Mapping[int, str]
) -> dict[str, object]:
    queries = [
        {"name": name, "in": "query", "description": said, "schema": text()}
        for name, said in operation.query.items()
    ]
    answers = {**operation.answers, **of_all}
    told: dict[str, object] = {
        "summary": operation.summary,
        "parameters": [*words, *queries],
        "responses": {
            str(status): _answer(operation, status, said) for status, said in sorted(answers.items())
        },
    }
    if operation.form:
        fields = {
            name: {**text(said), **({"format": "binary"} if name == "file" else {})}
            for name, said in operation.form.items()
        }
        body = {"type": "object", "properties": fields, "required": list(fields)[:1]}
        told["requestBody"] = {"required": True, "content": {"multipart/form-data": {"schema": body}}}
    if operation.body is not None:
        told["requestBody"] = {"required": True, "content": {"application/json": {"schema": operation.body}}}
    return told


def _answer(operation: ApiCall, status: int, said: str) -> dict[str, object]:
    if status >= 400:
        return {"description": said, "content": {TYPE: {"schema": _PROBLEM}}}
    schema = {} if operation.schema is None else {"schema": operation.schema}
    return {"description": said, "content": {operation.media: schema}}

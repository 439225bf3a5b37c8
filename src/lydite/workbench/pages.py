"""How pages are made: a template, and what every one of them knows."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from lydite.version import __version__
from lydite.workbench.accounts.models import User
from lydite.workbench.problems import Refused
from lydite.workbench.rights import PUBLIC, Request


def page(
    request: HttpRequest, template: str, context: Mapping[str, object] | None = None, *, status: int = 200
) -> HttpResponse:
    """A page from a template."""
    return render(request, template, context, status=status)


def download(data: str | bytes, name: str, kind: str) -> HttpResponse:
    """What was just made, to be saved."""
    return HttpResponse(
        data, content_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )


def asking_person(request: Request) -> User:
    """Who asks, where only a person has something to do: a token of a team gets what is not there."""
    if request.caller.user is None:
        raise Http404
    return request.caller.user


def whole_number(text: str) -> int | None:
    """The number that a field of a form holds; None if it is empty."""
    if not text.strip():
        return None
    if not (text.strip().isascii() and text.strip().isdigit()):
        raise Refused("no-number", f"expected a whole number, found {text!r}", status=400)
    return int(text)


def context(request: HttpRequest) -> dict[str, object]:
    """What every template knows: who asks, in which zone times are shown, and which lydite this is."""
    caller = getattr(request, "caller", PUBLIC)
    zone = caller.user.zone if caller.user is not None else "UTC"
    return {"caller": caller, "reader_zone": zone, "lydite_version": __version__}

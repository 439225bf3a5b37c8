"""How pages are made: a template, and what every one of them knows."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from lydite.version import __version__
from lydite.workbench.rights import PUBLIC


def page(
    request: HttpRequest, template: str, context: dict[str, Any] | None = None, *, status: int = 200
) -> HttpResponse:
    """A page from a template."""
    return render(request, template, context, status=status)


def context(request: HttpRequest) -> dict[str, Any]:
    """What every template knows: who asks, in which zone times are shown, and which lydite this is."""
    caller = getattr(request, "caller", PUBLIC)
    zone = caller.user.zone if caller.user is not None else "UTC"
    return {"caller": caller, "reader_zone": zone, "lydite_version": __version__}

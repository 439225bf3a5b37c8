"""How pages are made: a template, and what every one of them knows."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import FileResponse, HttpRequest, HttpResponse
from django.shortcuts import render

from lydite.version import __version__
from lydite.workbench.campaigns.models import StoredFile
from lydite.workbench.rights import PUBLIC
from lydite.workbench.store import path_of


def page(
    request: HttpRequest, template: str, context: Mapping[str, object] | None = None, *, status: int = 200
) -> HttpResponse:
    """A page from a template."""
    return render(request, template, context, status=status)


def attachment(file: StoredFile, name: str) -> FileResponse:
    """A stored file, to be saved and not shown: what is in it is somebody else's."""
    stream = path_of(file.sha256).open("rb")
    return FileResponse(stream, as_attachment=True, filename=name, content_type="application/octet-stream")


def context(request: HttpRequest) -> dict[str, object]:
    """What every template knows: who asks, in which zone times are shown, and which lydite this is."""
    caller = getattr(request, "caller", PUBLIC)
    zone = caller.user.zone if caller.user is not None else "UTC"
    return {"caller": caller, "reader_zone": zone, "lydite_version": __version__}

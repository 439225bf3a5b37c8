"""Pages of campaigns; each one is reached by a line in ``urls`` that says who may see it."""

from __future__ import annotations

from django.http import HttpResponse

from lydite.workbench.campaigns import services
from lydite.workbench.pages import page
from lydite.workbench.rights import Request


def home(request: Request) -> HttpResponse:
    """The campaigns that the caller may see."""
    return page(request, "campaigns/home.html", {"campaigns": services.campaigns_for(request.caller)})

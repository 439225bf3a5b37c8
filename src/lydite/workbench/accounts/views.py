"""Signing in and out, and accepting an invitation."""

from __future__ import annotations

from django.contrib.auth import login, logout
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

from lydite.workbench.accounts import services
from lydite.workbench.pages import page
from lydite.workbench.problems import Refused
from lydite.workbench.rights import Request


def sign_in(request: Request) -> HttpResponse:
    """The form, and its answer."""
    said = {
        "next": request.POST.get("next") or request.GET.get("next", ""),
        "name": request.POST.get("name", ""),
    }
    if request.method != "POST":
        return page(request, "accounts/sign_in.html", said)
    try:
        user = services.sign_in(
            request, said["name"], request.POST.get("password", ""), request.caller.address
        )
    except Refused as error:
        return page(request, "accounts/sign_in.html", said, refusal=error)
    login(request, user)
    return HttpResponseRedirect(_safe(request, said["next"]))


def _safe(request: Request, target: str) -> str:
    """Where to go next: inside of the workbench only."""
    inside = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if inside else "/"


def sign_out(request: Request) -> HttpResponse:
    """End this session."""
    logout(request)
    return HttpResponseRedirect("/")


def invitation(request: Request, code: str) -> HttpResponse:
    """Accept an invitation: with the account that is signed in, or with a new one."""
    found = services.open_invitation(code)
    if found is None:
        raise Http404
    known = request.caller.user
    name = request.POST.get("name", "")
    said = {"invitation": found, "name": name}
    if request.method != "POST":
        return page(request, "accounts/invitation.html", said)
    try:
        user = known or services.create_user(
            name,
            request.POST.get("password", ""),
            shown_name=request.POST.get("shown_name", ""),
            actor="invitation",
        )
        services.accept(code, user)
    except Refused as error:
        return page(request, "accounts/invitation.html", said, refusal=error)
    if known is None:
        login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return HttpResponseRedirect("/")

"""Signing in and out, accepting an invitation, and one's own account."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth import login, logout
from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from lydite.workbench.accounts import services
from lydite.workbench.accounts.models import User
from lydite.workbench.pages import asking_person, page
from lydite.workbench.problems import Refused
from lydite.workbench.rights import WorkbenchRequest

BACKEND = "django.contrib.auth.backends.ModelBackend"


def sign_in(request: WorkbenchRequest) -> HttpResponse:
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


def _safe(request: WorkbenchRequest, target: str) -> str:
    """Where to go next: inside of the workbench only."""
    inside = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if inside else "/"


def sign_out(request: WorkbenchRequest) -> HttpResponse:
    """End this session."""
    logout(request)
    return HttpResponseRedirect("/")


def invitation(request: WorkbenchRequest, code: str) -> HttpResponse:
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
        # Nobody gets an account by a link that somebody else has used.
        with transaction.atomic():
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
        login(request, user, backend=BACKEND)
    return HttpResponseRedirect("/")


# --------------------------------------------------------------------------------------------------- the account


OTHER_PASSWORD = "this is not the password that you have"  # noqa: S105 - a sentence
DONE = {
    "change": "It is changed.",
    "password": "The password is changed. Other browsers are signed out.",
    "end-sessions": "Other browsers are signed out.",
}


def account(request: WorkbenchRequest) -> HttpResponse:
    """One's own account: what it is called, its password, its sessions and its tokens."""
    person = asking_person(request)
    if request.method == "POST":
        try:
            done = _change(request, person)
            # Who changes something stays signed in here.
            login(request, person, backend=BACKEND)
            messages.info(request, DONE[done])
            return redirect("accounts:account")
        except Refused as error:
            person.refresh_from_db()
            return _account(request, person, error)
    return _account(request, person)


def _account(request: WorkbenchRequest, person: User, refused: Refused | None = None) -> HttpResponse:
    shown = {
        "person": person,
        "tokens": person.tokens.filter(revoked__isnull=True).order_by("created"),
        "zones": sorted(available_timezones()),
    }
    return page(request, "accounts/account.html", shown, refusal=refused)


def _change(request: WorkbenchRequest, person: User) -> str:
    """Do what the form of the page asks for; what that was."""
    said, caller = request.POST, request.caller
    act = said.get("act", "")
    if act == "change":
        names = {name: said.get(name, "") for name in ("shown_name", "zone")}
        services.change_account(person, **names, actor=caller)
    elif act == "password":
        services.proven(
            request, person.name, said.get("password", ""), caller.address, otherwise=OTHER_PASSWORD
        )
        services.change_password(person, said.get("new_password", ""), actor=caller)
    elif act == "end-sessions":
        services.end_sessions(person, actor=caller)
    else:
        raise Refused("no-act", "choose what to change", status=400)
    return act


def token(request: WorkbenchRequest) -> HttpResponse:
    """A token of one's own, shown once."""
    person, label = asking_person(request), request.POST.get("label", "")
    try:
        secret = services.new_token(user=person, label=label, actor=request.caller)
    except Refused as error:
        return _account(request, person, error)
    return page(request, "accounts/token.html", {"secret": secret}, status=201)

"""Pages for signing in and out, invitations, and one's own account."""

from __future__ import annotations

from zoneinfo import available_timezones

from django.contrib import messages
from django.contrib.auth import login, logout
from django.db import transaction
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme

from lydite_workbench.accounts import services
from lydite_workbench.accounts.models import User
from lydite_workbench.pages import page, signed_in_person
from lydite_workbench.problems import BadInput, Refused
from lydite_workbench.rights import WebRequest

BACKEND = "django.contrib.auth.backends.ModelBackend"


def sign_in(request: WebRequest) -> HttpResponse:
    """The form to sign in, and its answer."""
    fields = request.POST
    context = {"next": fields.get("next") or request.GET.get("next", ""), "name": fields.get("name", "")}
    if request.method != "POST":
        return page(request, "accounts/sign_in.html", context)
    try:
        user = services.sign_in(request, context["name"], fields.get("password", ""), request.caller.address)
    except Refused as error:
        return page(request, "accounts/sign_in.html", context, refusal=error)
    login(request, user)
    target, here = context["next"], {request.get_host()}
    is_inside = url_has_allowed_host_and_scheme(target, here, require_https=request.is_secure())
    return HttpResponseRedirect(target if is_inside else "/")


def sign_out(request: WebRequest) -> HttpResponse:
    """Sign out."""
    logout(request)
    return HttpResponseRedirect("/")


def invitation(request: WebRequest, code: str) -> HttpResponse:
    """The form to accept an invitation, signed in or with a new account, and its answer."""
    invitation = services.open_invitation(code)
    if invitation is None:
        raise Http404
    signed_in, fields = request.caller.user, request.POST
    name = fields.get("name", "")
    context = {"invitation": invitation, "name": name}
    if request.method != "POST":
        return page(request, "accounts/invitation.html", context)
    try:
        # If the link was used meanwhile, no account is made.
        with transaction.atomic():
            password, shown = fields.get("password", ""), fields.get("shown_name", "")
            user = signed_in or services.create_user(name, password, shown_name=shown, actor="invitation")
            services.accept(code, user)
    except Refused as error:
        return page(request, "accounts/invitation.html", context, refusal=error)
    if signed_in is None:
        login(request, user, backend=BACKEND)
    return HttpResponseRedirect("/")


# --------------------------------------------------------------------------------------------------- the account


OTHER_PASSWORD = "this is not your current password"  # noqa: S105 - a sentence
DONE = {
    "change": "Your account is changed.",
    "password": "The password is changed. Other browsers are signed out.",
    "end-sessions": "Other browsers are signed out.",
}


def account(request: WebRequest) -> HttpResponse:
    """One's own account: name, time zone, password, sessions and tokens."""
    person = signed_in_person(request)
    if request.method == "POST":
        try:
            done = _change(request, person)
            # A new password ends all sessions; this one goes on.
            login(request, person, backend=BACKEND)
            messages.info(request, DONE[done])
            return redirect("accounts:account")
        except Refused as error:
            person.refresh_from_db()
            return _account(request, person, error)
    return _account(request, person)


def _account(request: WebRequest, person: User, refused: Refused | None = None) -> HttpResponse:
    context = {
        "person": person,
        "tokens": person.tokens.filter(revoked__isnull=True).order_by("created"),
        "zones": sorted(available_timezones()),
    }
    return page(request, "accounts/account.html", context, refusal=refused)


def _change(request: WebRequest, person: User) -> str:
    """Change what the submitted form changes; return its act."""
    fields, caller = request.POST, request.caller
    act = fields.get("act", "")
    if act == "change":
        names = {name: fields.get(name, "") for name in ("shown_name", "zone")}
        services.change_account(person, **names, actor=caller)
    elif act == "password":
        given = fields.get("password", "")
        services.authenticated(request, person.name, given, caller.address, otherwise=OTHER_PASSWORD)
        services.change_password(person, fields.get("new_password", ""), actor=caller)
    elif act == "end-sessions":
        services.end_sessions(person, actor=caller)
    else:
        raise BadInput("no-act", "choose what to change")
    return act


def token(request: WebRequest) -> HttpResponse:
    """Make a token of one's own, and show it once."""
    person, label = signed_in_person(request), request.POST.get("label", "")
    try:
        secret = services.new_token(user=person, label=label, actor=request.caller)
    except Refused as error:
        return _account(request, person, error)
    return page(request, "accounts/token.html", {"secret": secret}, status=201)

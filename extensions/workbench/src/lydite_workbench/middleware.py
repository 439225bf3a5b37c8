"""Middleware: the caller of a request, the content policy, checks of forms, and the log."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import SimpleLazyObject

from lydite_workbench.accounts.models import Token, User
from lydite_workbench.keys import secret_hash
from lydite_workbench.logs import log
from lydite_workbench.problems import NoText, problem
from lydite_workbench.rights import Caller

Handler = Callable[[HttpRequest], HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content security policy: no inline scripts and styles, nothing from other sites."""


def content_policy(get_response: Handler) -> Handler:
    """Add security headers to responses that do not have them."""

    def handle(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers.setdefault("X-Frame-Options", "DENY")
        response.headers.setdefault("Permissions-Policy", "camera=(), geolocation=(), microphone=()")
        if not request.path.startswith(str(settings.STATIC_URL)):
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    return handle


def callers(get_response: Handler) -> Handler:
    """Find the caller of a request: by the token of a program, or else by the session of a browser."""

    def handle(request: HttpRequest) -> HttpResponse:
        authorization = request.headers.get("Authorization", "")
        if authorization:
            caller = _by_token(authorization, address_of(request))
            if caller is None:
                return problem(401, "unknown token", "this token is unknown, or was revoked")
            request.caller = caller  # type: ignore[attr-defined]
            # Browsers do not send tokens by themselves, so such a request cannot be forged.
            request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # noqa: SLF001 - how Django is told
        else:
            request.caller = SimpleLazyObject(lambda: _by_session(request))  # type: ignore[attr-defined]
        return get_response(request)

    return handle


def _by_token(authorization: str, address: str) -> Caller | None:
    scheme, _, secret = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return None
    tokens = Token.objects.select_related("user", "team", "team__campaign").filter(revoked__isnull=True)
    token = tokens.filter(key_hash=secret_hash(secret.strip())).first()
    if token is None or (token.user is not None and not token.user.is_active):
        return None
    return Caller(token.user, token.team, token, address)


def _by_session(request: HttpRequest) -> Caller:
    user = get_user(request)
    return Caller(user if isinstance(user, User) and user.is_active else None, address=address_of(request))


def address_of(request: HttpRequest) -> str:
    """The address that a request comes from, as the trusted proxy gives it, if there is one."""
    if settings.LYDITE_BEHIND_PROXY:
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def plain_forms(get_response: Handler) -> Handler:
    """Refuse a query or form with the character with code 0; a form only when it is read, after refusals that need no form."""

    def handle(request: HttpRequest) -> HttpResponse:
        _expect_text(request.GET)
        load = request._load_post_and_files  # noqa: SLF001 - Django has no other hook

        def load_plain() -> None:
            load()
            try:
                _expect_text(request.POST)
            except NoText:
                request._mark_post_parse_error()  # type: ignore[attr-defined]  # noqa: SLF001 - nothing of it is said
                raise

        request._load_post_and_files = load_plain  # type: ignore[method-assign]  # noqa: SLF001 - as above
        return get_response(request)

    return handle


def _expect_text(fields: QueryDict) -> None:
    if any("\0" in text for name, values in fields.lists() for text in (name, *values)):
        raise NoText


def structured_log(get_response: Handler) -> Handler:
    """Log route, status and time of a request, without address, name and the words of the URL."""

    def handle(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = get_response(request)
        if request.resolver_match:
            route, ms = request.resolver_match.route, round(1000 * (time.perf_counter() - started))
            log("request", method=request.method, route=route, status=response.status_code, ms=ms)
        return response

    return handle

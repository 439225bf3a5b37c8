"""What happens to every request: who asks, what browsers may load, and a line in the log."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import get_user
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.functional import SimpleLazyObject

from lydite.workbench.accounts.models import Token, User
from lydite.workbench.keys import hash_of
from lydite.workbench.logs import log
from lydite.workbench.problems import NoText, problem
from lydite.workbench.rights import Caller

Handler = Callable[[HttpRequest], HttpResponse]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""No inline script, no inline style, nothing from elsewhere."""


def content_policy(get_response: Handler) -> Handler:
    """Say what browsers may load; a response that says it itself keeps its own."""

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
    """Find out who asks: by the token that a program sends, or else by the session of a browser."""

    def handle(request: HttpRequest) -> HttpResponse:
        said = request.headers.get("Authorization", "")
        if said:
            caller = _by_token(said, address_of(request))
            if caller is None:
                return problem(401, "unknown token", "this token is not known here, or was revoked")
            request.caller = caller  # type: ignore[attr-defined]
            # A browser never sends a token by itself: there is nothing to forge.
            request._dont_enforce_csrf_checks = True  # type: ignore[attr-defined]  # noqa: SLF001 - how Django is told
        else:
            request.caller = SimpleLazyObject(lambda: _by_session(request))  # type: ignore[attr-defined]
        return get_response(request)

    return handle


def _by_token(said: str, address: str) -> Caller | None:
    scheme, _, secret = said.partition(" ")
    if scheme.lower() != "bearer":
        return None
    token = (
        Token.objects.select_related("user", "team", "team__campaign")
        .filter(key_hash=hash_of(secret.strip()), revoked__isnull=True)
        .first()
    )
    if token is None or (token.user is not None and not token.user.is_active):
        return None
    return Caller(token.user, token.team, token, address)


def _by_session(request: HttpRequest) -> Caller:
    user = get_user(request)
    return Caller(user if isinstance(user, User) and user.is_active else None, address=address_of(request))


def address_of(request: HttpRequest) -> str:
    """Where a request comes from: what the proxy before us says, if there is one, else the other end of the line."""
    if settings.LYDITE_BEHIND_PROXY:
        forwarded = request.headers.get("X-Forwarded-For", "")
        return forwarded.rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))


def plain_forms(get_response: Handler) -> Handler:
    """Refuse a query or a form with the character of code 0, the form when it is read.

    What is refused without its file is so before.
    """

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


def _expect_text(said: QueryDict) -> None:
    if any("\0" in word for name, words in said.lists() for word in (name, *words)):
        raise NoText


def structured_log(get_response: Handler) -> Handler:
    """Log route, status and time of a request: neither address nor name, nor what the URL names."""

    def handle(request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = get_response(request)
        if request.resolver_match:
            log(
                "request",
                method=request.method,
                route=request.resolver_match.route,
                status=response.status_code,
                ms=round(1000 * (time.perf_counter() - started)),
            )
        return response

    return handle

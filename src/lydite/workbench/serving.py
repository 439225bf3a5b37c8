"""The embedded server: one process that answers, and what it does before it begins."""

from __future__ import annotations

from django.core.management import call_command
from django.db import transaction

from lydite.workbench.accounts.models import User
from lydite.workbench.accounts.services import ADMINISTRATOR, COMMAND, invite
from lydite.workbench.store import sweep

THREADS = 8
SLACK = 1_000_000
"""Bytes of an upload beside its file."""
DAY = 86_400.0


def migrate() -> None:
    """Bring the database to this version."""
    call_command("migrate", interactive=False, verbosity=0)


@transaction.atomic
def first_link() -> str | None:
    """On a workbench without accounts: the path of a link for its organiser, who makes an account by it."""
    if User.objects.exists():
        return None
    return invite(ADMINISTRATOR, note="first start", actor=COMMAND).path


def answer(host: str, port: int, *, behind_proxy: bool = False) -> None:
    """Answer requests until the process is stopped."""
    import waitress
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    sweep(older_than=DAY)
    waitress.serve(
        get_wsgi_application(),
        host=host,
        port=port,
        threads=THREADS,
        max_request_body_size=settings.LYDITE_MAX_UPLOAD + SLACK,
        ident=None,
        clear_untrusted_proxy_headers=not behind_proxy,
        expose_tracebacks=False,
        _quiet=True,
    )

"""The embedded server: a process that answers, one that does jobs, and what is done before they begin."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import DatabaseError, transaction

from lydite.errors import UsageError
from lydite.workbench.accounts.models import Invitation, User
from lydite.workbench.accounts.services import ADMINISTRATOR, COMMAND, invite
from lydite.workbench.health import is_behind
from lydite.workbench.installation import PREFIX, Installation, secret_of
from lydite.workbench.logs import log
from lydite.workbench.processes import python_command, python_environment

THREADS = 8
SLACK = 1_000_000
"""Bytes of an upload beside its file."""


def migrate() -> None:
    """Bring the database to this version."""
    with _database_told():
        call_command("migrate", interactive=False, verbosity=0)


def expect_this_version() -> None:
    """Refuse a workbench whose database is not there, empty or of another version."""
    with _database_told():
        if is_behind():
            hint = "lydite workbench migrate brings it to this one, and makes a new one"
            raise UsageError("the database is empty or of another version of lydite", hint=hint)


@contextmanager
def _database_told() -> Iterator[None]:
    """A database that cannot be reached or read is told, and no defect of ours."""
    try:
        yield
    except DatabaseError as error:
        said = next(iter(str(error).strip().splitlines()), type(error).__name__)
        raise UsageError(
            f"the database cannot be used: {said}", hint="is its name right, and its server up?"
        ) from None


@transaction.atomic
def first_link() -> str | None:
    """On a workbench without accounts: the path of a link for its organiser, who makes an account by it."""
    if User.objects.exists():
        return None
    # Of links of earlier starts none makes a second one later.
    Invitation.objects.filter(role=ADMINISTRATOR, used__isnull=True).delete()
    return invite(ADMINISTRATOR, actor=COMMAND)


@contextmanager
def worker_beside(installation: Installation, *, lease: float = 60.0) -> Iterator[None]:
    """A worker in a process of its own as long as we are there; one that falls is begun again."""
    over = threading.Event()
    begun: list[subprocess.Popen[bytes]] = []

    def keep() -> None:
        while not over.is_set():
            begun[:] = [_begin_worker(installation, lease)]
            status = begun[0].wait()
            if not over.wait(1.0):
                log("worker ended", status=status)

    thread = threading.Thread(target=keep, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        for process in begun:
            process.terminate()
        thread.join(10)


def _begin_worker(installation: Installation, lease: float) -> subprocess.Popen[bytes]:
    settings = {
        f"{PREFIX}DATABASE": installation.database,
        f"{PREFIX}FILES": str(installation.files),
        f"{PREFIX}SECRET": secret_of(installation),
    }
    return subprocess.Popen(  # noqa: S603 - our own command
        python_command("lydite", "worker", "--with-parent", str(os.getpid()), "--lease", str(lease)),
        stdin=subprocess.DEVNULL,
        env=python_environment({**os.environ, **settings}),
    )


def listen(host: str, port: int, *, behind_proxy: bool = False) -> Callable[[], None]:
    """Listen, so that nobody else does there; what is given back answers requests until the process is stopped."""
    import waitress
    from django.conf import settings
    from django.core.wsgi import get_wsgi_application

    try:
        server = waitress.create_server(
            get_wsgi_application(),
            host=host,
            port=port,
            threads=THREADS,
            max_request_body_size=settings.LYDITE_MAX_UPLOAD + SLACK,
            ident=None,
            clear_untrusted_proxy_headers=not behind_proxy,
            expose_tracebacks=False,
        )
    except OSError as error:
        raise UsageError(
            f"cannot listen at {host}:{port}: {error.strerror}", hint="--port names another one"
        ) from None
    answer: Callable[[], None] = server.run
    return answer

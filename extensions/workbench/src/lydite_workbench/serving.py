"""The embedded server and its worker, and what they need before they start."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.core.management import call_command
from django.db import DatabaseError, transaction

from lydite.errors import UsageError
from lydite_workbench.accounts.models import Invitation, User
from lydite_workbench.accounts.services import ADMINISTRATOR, COMMAND, invite
from lydite_workbench.health import is_behind
from lydite_workbench.installation import PREFIX, Installation, secret_of
from lydite_workbench.logs import log
from lydite_workbench.processes import python_command, python_environment

THREADS = 8
SLACK = 1_000_000
"""Bytes of a request beside its file."""


def migrate() -> None:
    """Bring the database to this version."""
    with _database_errors_told():
        call_command("migrate", interactive=False, verbosity=0)


def expect_this_version() -> None:
    """Refuse a database that does not answer, is empty or is of another version."""
    with _database_errors_told():
        if is_behind():
            hint = "lydite workbench migrate brings it to this version, or makes a new one"
            raise UsageError("the database is empty or of another version of lydite", hint=hint)


@contextmanager
def _database_errors_told() -> Iterator[None]:
    """Turn errors of the database into errors for users."""
    try:
        yield
    except DatabaseError as error:
        sentence = next(iter(str(error).strip().splitlines()), type(error).__name__)
        hint = "is its name right, and is its server running?"
        raise UsageError(f"the database cannot be used: {sentence}", hint=hint) from None


@transaction.atomic
def organiser_link() -> str | None:
    """The path of a link by which the organiser makes an account; None if there are accounts."""
    if User.objects.exists():
        return None
    # Links of earlier starts must not make another administrator later.
    Invitation.objects.filter(role=ADMINISTRATOR, used__isnull=True).delete()
    return invite(ADMINISTRATOR, actor=COMMAND)


@contextmanager
def worker_beside(installation: Installation, *, lease: float = 60.0) -> Iterator[None]:
    """Keep a worker running in a process of its own; one that ends is started again."""
    is_over = threading.Event()
    processes: list[subprocess.Popen[bytes]] = []

    def keep_running() -> None:
        while not is_over.is_set():
            processes[:] = [_start_worker(installation, lease)]
            status = processes[0].wait()
            if not is_over.wait(1.0):
                log("worker ended", status=status)

    thread = threading.Thread(target=keep_running, daemon=True)
    thread.start()
    try:
        yield
    finally:
        is_over.set()
        for process in processes:
            process.terminate()
        thread.join(10)


def _start_worker(installation: Installation, lease: float) -> subprocess.Popen[bytes]:
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
    """Bind the address; return the function that answers requests until the process is stopped."""
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
        hint = "choose another one with --port"
        raise UsageError(f"cannot listen at {host}:{port}: {error.strerror}", hint=hint) from None
    answer: Callable[[], None] = server.run
    return answer

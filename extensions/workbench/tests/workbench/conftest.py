"""A workbench for every test: a fresh database on SQLite and on PostgreSQL, a folder of files, people who ask.

``workbench`` runs a test on both databases; the second run is skipped unless ``LYDITE_POSTGRESQL=required``, as
``make check`` and ``make test-database`` say, and fails then where there is no PostgreSQL.  ``live`` serves the workbench of the test on a port, for browsers.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

pytest.importorskip("django", reason="the workbench is an extra: pip install lydite[workbench]")

import postgresql_server
from lydite_workbench.installation import database_settings, embedded
from lydite_workbench.project import start
from workbench_world import Live, World

if TYPE_CHECKING:
    from lydite_workbench.campaigns.errands import Errand


@pytest.fixture(scope="session")
def _project() -> Iterator[Path]:
    """Django, set up once in a process; its databases are changed for every test."""
    from django.conf import settings
    from django.core.management import call_command

    if settings.configured:  # the tests of the browser share this process
        yield settings.FOLDER_OF_TESTS
        return
    folder = Path(tempfile.mkdtemp(prefix="lydite-workbench-"))
    start(embedded(folder))
    settings.FOLDER_OF_TESTS = folder

    # Argon2 takes its time on purpose; one test looks at the real setting.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.ALLOWED_HOSTS = ["*"]
    call_command("migrate", interactive=False, verbosity=0)
    _forget_connections()
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def _postgresql(_project: Path) -> Iterator[str]:
    """The URL of a PostgreSQL with the tables of the workbench."""
    if os.environ.get("LYDITE_POSTGRESQL") != "required":
        pytest.skip("PostgreSQL is for make check and make test-database, which set it up")
    programs = postgresql_server.programs()
    if programs is None:
        pytest.fail("no PostgreSQL here (Debian: postgresql); make check installs it as root")
    from django.core.management import call_command

    with postgresql_server.running(programs) as url:
        _use(url.format(name="postgres"))
        call_command("migrate", interactive=False, verbosity=0)
        yield url.format(name="postgres")


@pytest.fixture
def processes() -> None:
    """For tests in which errands run in processes of their own, as in a real workbench."""


@pytest.fixture(params=["sqlite", "postgresql"])
def workbench(
    request: pytest.FixtureRequest, _project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    """A workbench with nothing in it; its errands run in this process, which saves the start of another."""
    from django.conf import settings

    from lydite_workbench.campaigns import limited

    if "processes" not in request.fixturenames:
        monkeypatch.setattr(limited, "run_process", _run_here)
    settings.LYDITE_FILES = tmp_path / "files"
    if request.param == "sqlite":
        database = str(tmp_path / "workbench.sqlite3")
        shutil.copy(_project / "workbench.sqlite3", database)
        _use(database)
        yield World(database, settings.LYDITE_FILES)
        _forget_connections()
        return
    database = request.getfixturevalue("_postgresql")
    _use(database)
    _empty()
    yield World(database, settings.LYDITE_FILES)
    _forget_connections()


@pytest.fixture
def live(workbench: World) -> Iterator[Live]:
    """The workbench of the test, served on a port of this machine by threads of this process."""
    import waitress
    from django.core.wsgi import get_wsgi_application
    from django.db import connections
    from waitress import wasyncore

    connections.close_all()
    server = waitress.create_server(get_wsgi_application(), host="127.0.0.1", port=0, threads=8)
    is_over = threading.Event()

    def answer() -> None:
        try:
            server.run()
        except (OSError, ValueError):  # the socket was closed below while the loop looked at it
            if not is_over.is_set():
                raise

    thread = threading.Thread(target=answer, daemon=True)
    thread.start()
    yield Live(f"http://127.0.0.1:{server.effective_port}", workbench)
    is_over.set()
    server.task_dispatcher.shutdown()
    server.close()
    wasyncore.close_all(server._map, ignore_all=True)
    thread.join(5)


def _use(database: str) -> None:
    """Make this the database, for this thread and for all that begin later."""
    from django.db import connections

    _forget_connections()
    # Threads of a live server end without a word: their connections must have ended before.
    wanted = {**database_settings(database), "CONN_MAX_AGE": 0}
    connections.settings["default"] = connections.configure_settings({"default": wanted})["default"]


def _forget_connections() -> None:
    from django.db import connections

    connections.close_all()
    if hasattr(connections._connections, "default"):
        del connections["default"]


def _empty() -> None:
    """Take every row away; making a database for each test would take a second."""
    from django.db import connection

    names = [name for name in connection.introspection.table_names() if name != "django_migrations"]
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {', '.join(names)} RESTART IDENTITY CASCADE")


def _run_here(errand: Errand, folder: Path, _still_wanted: Callable[[], bool]) -> tuple[str, bytes]:
    """Run an errand in this process, without its limits."""
    from lydite.memory import forget_files
    from lydite_workbench.campaigns.errands import perform

    forget_files()
    with chdir(folder):
        try:
            perform(errand)
        except Exception:  # noqa: BLE001 - a crash of a process
            return "ended", traceback.format_exc().encode()
    return "ended", b""

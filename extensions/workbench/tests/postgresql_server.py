"""A PostgreSQL of our own: in a temporary folder, on a socket there, as somebody who is not root."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FLAGS = (
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "max_connections=120",
    "shared_buffers=32MB",
)


def programs() -> Path | None:
    """Where ``initdb`` and ``postgres`` are; Debian has them on no path."""
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    return next(
        (folder for folder in folders if all((folder / name).exists() for name in ("initdb", "postgres"))),
        None,
    )


def somebody() -> dict[str, object]:
    """Under whom it runs: PostgreSQL refuses root."""
    if os.getuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            person = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": person.pw_uid, "group": person.pw_gid, "extra_groups": []}
    raise LookupError("neither postgres nor nobody has an account here")


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """The URL of a server, without the name of a database, while it runs."""
    place = Path(tempfile.mkdtemp(prefix="lydite-pg-"))
    person = somebody()
    if person:
        os.chown(place, person["user"], person["group"])  # type: ignore[arg-type]
    subprocess.run(
        [folder / "initdb", "-D", place / "data", "-U", "lydite", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C"],
        check=True, capture_output=True, cwd=place, **person,
    )  # type: ignore[call-overload] # fmt: skip
    options = [word for flag in FLAGS for word in ("-c", flag)]
    log = (place / "log").open("wb")
    server = subprocess.Popen(
        [folder / "postgres", "-D", place / "data", "-k", place, "-c", "listen_addresses=", *options],
        stdout=log, stderr=log, cwd=place, **person,
    )  # type: ignore[call-overload] # fmt: skip
    try:
        _wait(place, server)
        yield f"postgresql://lydite@/{{name}}?host={place}"
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()
        log.close()
        shutil.rmtree(place, ignore_errors=True)


def _wait(place: Path, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    for _ in range(200):
        assert server.poll() is None, (place / "log").read_text()
        try:
            psycopg.connect(f"host={place} user=lydite dbname=postgres").close()
        except psycopg.OperationalError:
            time.sleep(0.05)
        else:
            return
    raise TimeoutError((place / "log").read_text())

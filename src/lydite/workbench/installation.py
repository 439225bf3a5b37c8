"""Where a workbench keeps its things and how it is reached: what the command or the environment says of it."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlsplit

from lydite.errors import UsageError
from lydite.numerals import is_natural
from lydite.records import NamedTuple
from lydite.writing import write_file

FOLDER = "lydite-workbench"
PREFIX = "LYDITE_WORKBENCH_"
SECRET_BYTES = 48
MEGABYTE = 1_000_000
_ADDRESSES = "postgresql://USER@HOST/NAME, or the path of an SQLite file"


class Installation(NamedTuple):
    """One workbench: its database, the folder of its files, the names it is reached by."""

    database: str
    """``postgresql://…``, or the path of an SQLite file."""
    files: Path
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    secure: bool = False
    """Whether browsers reach it by https, so that cookies travel there alone."""
    behind_proxy: bool = False
    """Whether a proxy before it says by which address and scheme it was reached."""
    max_upload: int = 200 * MEGABYTE
    """Bytes of one upload; a campaign may allow less."""
    secret: str = ""

    @property
    def is_embedded(self) -> bool:
        """Whether it lives in one folder and needs no database server."""
        return "://" not in self.database


def embedded(folder: Path) -> Installation:
    """A workbench in one folder: SQLite and files."""
    return Installation(str(folder / "workbench.sqlite3"), folder / "files")


def names_of_hosts(said: str) -> tuple[str, ...]:
    """The names of a list with commas."""
    return tuple(name for part in said.split(",") if (name := part.strip()))


def from_environment() -> Installation:
    """What ``LYDITE_WORKBENCH_*`` say; a folder in the working folder where they say nothing."""

    def setting(name: str) -> str:
        return os.environ.get(PREFIX + name, "")

    plain = embedded(Path(setting("FOLDER") or FOLDER))
    return Installation(
        database=setting("DATABASE") or plain.database,
        files=Path(setting("FILES")) if setting("FILES") else plain.files,
        hosts=names_of_hosts(setting("HOSTS")) if setting("HOSTS") else plain.hosts,
        secure=_switch("SECURE", setting("SECURE")),
        behind_proxy=_switch("PROXY", setting("PROXY")),
        secret=setting("SECRET"),
        max_upload=_bytes(setting("MAX_UPLOAD")) if setting("MAX_UPLOAD") else plain.max_upload,
    )


def _switch(name: str, said: str) -> bool:
    if said not in {"", "0", "1"}:
        raise UsageError(
            f"{PREFIX}{name}: expected 1 or 0, found {said!r}", hint="1 is on, 0 or nothing is off"
        )
    return said == "1"


def _bytes(said: str) -> int:
    if not is_natural(said):
        raise UsageError(
            f"{PREFIX}MAX_UPLOAD: expected a whole number, found {said!r}",
            hint=f"it counts bytes of one upload; {200 * MEGABYTE} by default",
        )
    return int(said)


def secret_of(installation: Installation) -> str:
    """The key that cookies and links are signed with: the one that was set, or that of a file only we can read."""
    if installation.secret:
        return installation.secret
    path = installation.files / "secret-key"
    if not path.exists():
        installation.files.mkdir(parents=True, exist_ok=True)
        _make_secret(path)
    if path.stat().st_mode & 0o077:
        raise UsageError(f"{path}: others can read this secret", hint=f"chmod 600 {path}")
    return path.read_text(encoding="ascii").strip()


def _make_secret(path: Path) -> None:
    import secrets

    before = os.umask(0o077)
    try:
        write_file(path, f"{secrets.token_urlsafe(SECRET_BYTES)}\n".encode())
    finally:
        os.umask(before)


def database_settings(database: str) -> dict[str, object]:
    """The database as Django wants it told."""
    if "://" not in database:
        return _sqlite(database)
    # The rest of an address may hold a password, which no message tells.
    scheme = database.partition("://")[0]
    if scheme.lower() not in {"postgresql", "postgres"}:
        raise UsageError(f"--database {scheme}://…: no such kind of database", hint=_ADDRESSES)
    try:
        parts = urlsplit(database)
        port = parts.port
    except ValueError:
        raise UsageError(f"--database {scheme}://…: host or port is none", hint=_ADDRESSES) from None
    name, options = unquote(parts.path.lstrip("/")), dict(parse_qsl(parts.query))
    if not name and "service" not in options:
        raise UsageError(f"--database {scheme}://…: it names no database", hint=_ADDRESSES)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or "") or options.pop("user", ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or "") or options.pop("host", ""),
        "PORT": str(port or options.pop("port", "")),
        "CONN_MAX_AGE": 60,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def _sqlite(path: str) -> dict[str, object]:
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.path.abspath(path),  # noqa: PTH100 - a word of the command line
        "CONN_MAX_AGE": 60,
        "OPTIONS": {
            "timeout": 30,
            # Whoever begins to read in order to write must wait at the beginning: later it is too late.
            "transaction_mode": "IMMEDIATE",
            # FULL: what was acknowledged outlives a power cut.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }

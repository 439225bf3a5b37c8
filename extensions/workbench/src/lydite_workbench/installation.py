"""The installation of a workbench: where its data is and how it is reached, from options or the environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple
from urllib.parse import parse_qsl, unquote, urlsplit

from lydite.errors import UsageError
from lydite.numerals import is_natural
from lydite.writing import write_file

FOLDER = "lydite-workbench"
PREFIX = "LYDITE_WORKBENCH_"
SECRET_BYTES = 48
MEGABYTE = 1_000_000
_ADDRESSES = "postgresql://USER@HOST/NAME, or the path of an SQLite file"


class Installation(NamedTuple):
    """The database, files and network settings of a workbench."""

    database: str
    """``postgresql://…``, or the path of an SQLite file."""
    files: Path
    hosts: tuple[str, ...] = ("127.0.0.1", "localhost", "[::1]")
    secure: bool = False
    """Whether browsers reach it by https; cookies are then sent by https alone."""
    behind_proxy: bool = False
    """Whether the headers of a proxy are trusted for the address and scheme of requests."""
    max_upload: int = 200 * MEGABYTE
    """The most bytes of one upload; campaigns can allow less."""
    secret: str = ""

    @property
    def is_embedded(self) -> bool:
        """Whether its database is an SQLite file."""
        return "://" not in self.database


def embedded(folder: Path) -> Installation:
    """The installation of a workbench in one folder, with SQLite."""
    return Installation(str(folder / "workbench.sqlite3"), folder / "files")


def host_names(text: str) -> tuple[str, ...]:
    """The host names of a list with commas."""
    return tuple(name for part in text.split(",") if (name := part.strip()))


def from_environment() -> Installation:
    """The installation that ``LYDITE_WORKBENCH_*`` describe; by default one in a folder of the working folder."""

    def setting(name: str) -> str:
        return os.environ.get(PREFIX + name, "")

    default = embedded(Path(setting("FOLDER") or FOLDER))
    return Installation(
        database=setting("DATABASE") or default.database,
        files=Path(setting("FILES")) if setting("FILES") else default.files,
        hosts=host_names(setting("HOSTS")) if setting("HOSTS") else default.hosts,
        secure=_switch("SECURE", setting("SECURE")),
        behind_proxy=_switch("PROXY", setting("PROXY")),
        secret=setting("SECRET"),
        max_upload=_bytes(setting("MAX_UPLOAD")) if setting("MAX_UPLOAD") else default.max_upload,
    )


def _switch(name: str, value: str) -> bool:
    if value not in {"", "0", "1"}:
        hint = "1 is on, 0 or nothing is off"
        raise UsageError(f"{PREFIX}{name}: expected 1 or 0, found {value!r}", hint=hint)
    return value == "1"


def _bytes(value: str) -> int:
    if not is_natural(value):
        hint = f"the most bytes of one upload; {200 * MEGABYTE} by default"
        raise UsageError(f"{PREFIX}MAX_UPLOAD: expected a whole number, found {value!r}", hint=hint)
    return int(value)


def secret_of(installation: Installation) -> str:
    """The key that signs cookies: the one that was set, or that of a file, which must not be readable by others."""
    if installation.secret:
        return installation.secret
    path = installation.files / "secret-key"
    if not path.exists():
        installation.files.mkdir(parents=True, exist_ok=True)
        _make_secret(path)
    if path.stat().st_mode & 0o077:
        raise UsageError(f"{path}: other users can read this secret", hint=f"chmod 600 {path}")
    return path.read_text(encoding="ascii").strip()


def _make_secret(path: Path) -> None:
    import secrets

    before = os.umask(0o077)
    try:
        write_file(path, f"{secrets.token_urlsafe(SECRET_BYTES)}\n".encode())
    finally:
        os.umask(before)


def database_settings(database: str) -> dict[str, object]:
    """The setting of Django for a database."""
    if "://" not in database:
        return _sqlite(database)
    # Messages show the scheme alone: the rest may have a password.
    scheme = database.partition("://")[0]
    if scheme.lower() not in {"postgresql", "postgres"}:
        raise UsageError(f"--database {scheme}://…: unknown kind of database", hint=_ADDRESSES)
    try:
        parts = urlsplit(database)
        port = parts.port
    except ValueError:
        raise UsageError(f"--database {scheme}://…: host or port is malformed", hint=_ADDRESSES) from None
    name, options = unquote(parts.path.lstrip("/")), dict(parse_qsl(parts.query))
    if not name and "service" not in options:
        raise UsageError(f"--database {scheme}://…: the name of the database is missing", hint=_ADDRESSES)
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
            # A transaction that reads and then writes must wait before it reads; later it would fail as locked.
            "transaction_mode": "IMMEDIATE",
            # FULL: what was confirmed survives a power cut.
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }

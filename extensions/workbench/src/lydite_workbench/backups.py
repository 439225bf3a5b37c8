"""A consistent copy of a running workbench: the rows of the database at one moment, and the files that they name.

The format is the same for SQLite and PostgreSQL, so that a copy of one can be restored into the other.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.core.serializers.base import DeserializationError
from django.db import DatabaseError, connection, models, transaction

from lydite.errors import UsageError
from lydite.version import __version__
from lydite.writing import stream_file
from lydite_workbench.accounts.models import User
from lydite_workbench.campaigns.models import StoredFile
from lydite_workbench.project import APPS
from lydite_workbench.store import Incoming, path_of, pieces_of

SCHEMA = "lydite.backup/1"
ROWS, MANIFEST = "rows.jsonl", "manifest.json"


def backup(path: Path) -> int:
    """Write a copy of the workbench; return how many stored files it has."""
    with stream_file(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        with database_snapshot(), archive.open(ROWS, "w", force_zip64=True) as rows:
            for model in _models():
                queryset = model._default_manager.order_by("pk")  # noqa: SLF001 - Django's public name for it
                for row in queryset.iterator(chunk_size=2000):
                    rows.write(serializers.serialize("jsonl", [row]).encode())
            files = list(StoredFile.objects.values_list("sha256", flat=True))
        # Stored files are never changed or deleted, so those of that moment are still there.
        for digest in files:
            archive.write(path_of(digest), f"by-hash/{digest}", zipfile.ZIP_STORED)
        now = datetime.now(UTC).isoformat()
        manifest = {"schema": SCHEMA, "version": __version__, "at": now, "files": len(files)}
        archive.writestr(MANIFEST, json.dumps(manifest))
    return len(files)


def _models() -> list[type[models.Model]]:
    """The models of the workbench; sessions are not copied."""
    return [model for app in APPS for model in apps.get_app_config(app).get_models(include_auto_created=True)]


@contextmanager
def database_snapshot() -> Iterator[None]:
    """A transaction that reads the database as it is now, and lets others write meanwhile."""
    mode_before = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.ensure_connection()
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = mode_before  # type: ignore[attr-defined]


def restore(path: Path) -> int:
    """Fill an empty workbench from a copy; return how many rows it has."""
    if User.objects.exists() or StoredFile.objects.exists():
        raise UsageError("this workbench is not empty", hint="restore into a new folder or database")
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: not a copy of a workbench: {error}") from None
    with archive:
        try:
            return _restore(archive, path)
        except (KeyError, ValueError, zipfile.BadZipFile, DeserializationError, DatabaseError) as error:
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            raise UsageError(f"{path}: the copy is damaged ({what})", hint="no row was restored") from None


def _restore(archive: zipfile.ZipFile, path: Path) -> int:
    manifest = json.loads(archive.read(MANIFEST)) if MANIFEST in archive.namelist() else {}
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        raise UsageError(f"{path}: not a copy of a workbench", hint="lydite workbench backup makes one")
    for name in archive.namelist():
        if name.startswith("by-hash/"):
            _restore_file(archive, name)
    with transaction.atomic(), archive.open(ROWS) as rows:
        count = _restore_rows(rows)
        for digest in StoredFile.objects.values_list("sha256", flat=True):
            if not path_of(digest).is_file():
                raise UsageError(f"{path}: the file {digest} is missing in the copy")
        return count


def _restore_file(archive: zipfile.ZipFile, name: str) -> None:
    incoming = Incoming()
    for piece in pieces_of(lambda: archive.open(name)):
        incoming.write(piece)
    if incoming.finish() != name.rpartition("/")[2]:
        raise UsageError(f"{name}: the file is damaged in the copy")


def _restore_rows(rows: IO[bytes]) -> int:
    count = 0
    for count, line in enumerate(rows, 1):  # noqa: B007 - the last number is wanted
        for found in serializers.deserialize("jsonl", line.decode()):
            found.save()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
    return count

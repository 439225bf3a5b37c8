"""A copy of a whole workbench, consistent while it runs: what the database says at one moment, and every file that
was there before it.  The same form for SQLite and PostgreSQL, so that a copy of one can be restored into the other.
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
from lydite.workbench.accounts.models import User
from lydite.workbench.campaigns.models import StoredFile
from lydite.workbench.project import APPS
from lydite.workbench.store import Incoming, path_of, pieces_of
from lydite.writing import stream_file

SCHEMA = "lydite.backup/1"
ROWS, MANIFEST = "rows.jsonl", "manifest.json"


def backup(path: Path) -> int:
    """Write the copy; how many files it has."""
    with stream_file(path) as stream, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        with one_moment(), archive.open(ROWS, "w", force_zip64=True) as rows:
            for model in _models():
                queryset = model._default_manager.order_by("pk")  # noqa: SLF001 - Django's public name for it
                for row in queryset.iterator(chunk_size=2000):
                    rows.write(serializers.serialize("jsonl", [row]).encode())
            files = list(StoredFile.objects.values_list("sha256", flat=True))
        # Files never change and never go: those of that moment are all still there.
        for digest in files:
            archive.write(path_of(digest), f"by-hash/{digest}", zipfile.ZIP_STORED)
        told = {
            "schema": SCHEMA,
            "version": __version__,
            "at": datetime.now(UTC).isoformat(),
            "files": len(files),
        }
        archive.writestr(MANIFEST, json.dumps(told))
    return len(files)


def _models() -> list[type[models.Model]]:
    """The tables of the workbench; sessions end with the server they were of."""
    return [model for app in APPS for model in apps.get_app_config(app).get_models(include_auto_created=True)]


@contextmanager
def one_moment() -> Iterator[None]:
    """A transaction that sees the database as it is now, whatever others write meanwhile, and keeps nobody waiting."""
    usual = getattr(connection, "transaction_mode", None)
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
            connection.transaction_mode = usual  # type: ignore[attr-defined]


def restore(path: Path) -> int:
    """Fill an empty workbench from a copy; how many rows there are."""
    if User.objects.exists() or StoredFile.objects.exists():
        raise UsageError("this workbench is not empty", hint="restore into a new folder or database")
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise UsageError(f"{path}: no copy of a workbench: {error}") from None
    with archive:
        try:
            return _take(archive, path)
        except (KeyError, ValueError, zipfile.BadZipFile, DeserializationError, DatabaseError) as error:
            what = f"{type(error).__name__}: {error}".rstrip(": ")
            raise UsageError(
                f"{path}: the copy is damaged ({what})", hint="no row of it was taken over"
            ) from None


def _take(archive: zipfile.ZipFile, path: Path) -> int:
    told = json.loads(archive.read(MANIFEST)) if MANIFEST in archive.namelist() else {}
    if not isinstance(told, dict) or told.get("schema") != SCHEMA:
        raise UsageError(f"{path}: no copy of a workbench", hint="lydite workbench backup makes one")
    for name in archive.namelist():
        if name.startswith("by-hash/"):
            _take_file(archive, name)
    with transaction.atomic(), archive.open(ROWS) as rows:
        count = _take_rows(rows)
        for digest in StoredFile.objects.values_list("sha256", flat=True):
            if not path_of(digest).is_file():
                raise UsageError(f"{path}: the file {digest} is missing in the copy")
        return count


def _take_file(archive: zipfile.ZipFile, name: str) -> None:
    incoming = Incoming()
    for piece in pieces_of(lambda: archive.open(name)):
        incoming.write(piece)
    if incoming.finish() != name.rpartition("/")[2]:
        raise UsageError(f"{name}: the file is damaged in the copy")


def _take_rows(rows: IO[bytes]) -> int:
    count = 0
    for count, line in enumerate(rows, 1):  # noqa: B007 - the last number is wanted
        for found in serializers.deserialize("jsonl", line.decode()):
            found.save()
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
    return count

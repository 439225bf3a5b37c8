"""Health checks for proxies and supervisors."""

from __future__ import annotations

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import JsonResponse

from lydite.version import __version__
from lydite_workbench.rights import WebRequest


def alive(request: WebRequest) -> JsonResponse:  # noqa: ARG001 - a view
    """Answer that this process is alive."""
    return JsonResponse({"status": "ok", "version": __version__})


def is_behind() -> bool:
    """Whether migrations are missing in the database; raises :class:`DatabaseError` if it does not answer."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def ready(request: WebRequest) -> JsonResponse:  # noqa: ARG001 - a view
    """Answer whether the database answers and is of this version."""
    try:
        behind = is_behind()
    except DatabaseError:
        return JsonResponse({"status": "no database"}, status=503)
    if behind:
        status = "the database is of another version: lydite workbench migrate"
        return JsonResponse({"status": status}, status=503)
    return JsonResponse({"status": "ok"})

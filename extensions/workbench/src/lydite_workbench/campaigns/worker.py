"""The loop of a worker, which does jobs one after the other."""

from __future__ import annotations

import math
import os
import shutil
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connections

from lydite_workbench.campaigns.jobs import LEASE, adopt_jobs, work_once
from lydite_workbench.logs import log
from lydite_workbench.store import delete_orphans

IDLE = 0.5
"""Seconds before an empty queue is looked at again."""
DATABASE_PAUSE = 5.0
"""Seconds before a database that did not answer is asked again."""
DAY = 86_400.0


def work(stopped: Callable[[], bool], *, lease: timedelta = LEASE) -> None:
    """Do jobs until ``stopped()``; while the database does not answer, wait for it."""
    adopted = swept = -math.inf
    while not stopped():
        close_old_connections()
        try:
            if time.monotonic() > swept + DAY:
                swept = time.monotonic()
                _sweep()
            if time.monotonic() > adopted + lease.total_seconds():
                adopted = time.monotonic()
                adopt_jobs()
            busy = work_once(lease=lease)
        except DatabaseError as error:
            log("database trouble", error=error)
            connections.close_all()
            time.sleep(DATABASE_PAUSE)
            continue
        except Exception as error:  # noqa: BLE001 - a defect of ours must not stop all other jobs; its lease runs out
            log("defect", error=error)
            time.sleep(IDLE)
            continue
        if not busy:
            time.sleep(IDLE)


def is_parent_gone(parent: int) -> Callable[[], bool]:
    """A function that says whether the process with the id ``parent`` no longer is the parent of this one."""
    return lambda: os.getppid() != parent


def _sweep() -> None:
    """Delete unfinished uploads and folders of killed workers that are older than a day."""
    delete_orphans(older_than=DAY)
    room = Path(settings.LYDITE_FILES) / "work"
    for folder in room.iterdir() if room.is_dir() else ():
        if time.time() - folder.stat().st_mtime > DAY:
            shutil.rmtree(folder, ignore_errors=True)

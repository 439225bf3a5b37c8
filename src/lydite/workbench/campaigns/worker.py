"""The loop that does jobs, one after the other."""

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

from lydite.workbench.campaigns.jobs import LEASE, adopt, work_once
from lydite.workbench.logs import log
from lydite.workbench.store import sweep

IDLE = 0.5
"""Seconds between looks at a queue that was empty."""
TROUBLED = 5.0
DAY = 86_400.0


def work(stopped: Callable[[], bool], *, lease: timedelta = LEASE) -> None:
    """Do jobs until told to stop; a database that is away for a while is waited for."""
    looked = swept = -math.inf
    while not stopped():
        close_old_connections()
        try:
            if time.monotonic() > swept + DAY:
                swept = time.monotonic()
                _sweep()
            # What another version was doing is free when its lease is over.
            if time.monotonic() > looked + lease.total_seconds():
                looked = time.monotonic()
                adopt()
            busy = work_once(lease=lease)
        except DatabaseError as error:
            log("database trouble", error=error)
            connections.close_all()
            time.sleep(TROUBLED)
            continue
        except Exception as error:  # noqa: BLE001 - a defect of ours must not stop all other jobs; its lease runs out
            log("defect", error=error)
            time.sleep(IDLE)
            continue
        if not busy:
            time.sleep(IDLE)


def with_parent(parent: int) -> Callable[[], bool]:
    """Stop when the process that began this one is gone: it says who it is, for it may be gone before this is asked."""
    return lambda: os.getppid() != parent


def _sweep() -> None:
    """Take away uploads that came to nothing and folders of killed workers, when they are old enough to be nobody's."""
    sweep(older_than=DAY)
    room = Path(settings.LYDITE_FILES) / "work"
    for folder in room.iterdir() if room.is_dir() else ():
        if time.time() - folder.stat().st_mtime > DAY:
            shutil.rmtree(folder, ignore_errors=True)

"""The index of a collection: a job like any other, which is done again if the index is missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from lydite.version import __version__
from lydite_workbench.campaigns.errands import INDEX, PROGRESS, Errand
from lydite_workbench.campaigns.jobs import JobKind, end, errand_for
from lydite_workbench.campaigns.limited import ErrandOutcome, LinkedFile
from lydite_workbench.campaigns.models import JobState, StoredFile
from lydite_workbench.corpus.models import Collection, Part

THREADS = 64
"""Threads that the search engine may start while it writes an index."""


def index_folder(collection: Collection) -> Path:
    """The folder of the index of a collection."""
    return Path(settings.LYDITE_FILES) / "indexes" / collection.public_id


def is_indexed(collection: Collection) -> bool:
    """Whether a collection can be searched; if its index is gone, as after a restore, it is queued again."""
    if collection.job_state != JobState.DONE:
        return False
    if index_folder(collection).is_dir():
        return True
    gone = Collection.objects.filter(pk=collection.pk, job_state=JobState.DONE)
    gone.update(job_state=JobState.WAITING, attempts=0, percent=0, lydite_version=__version__)
    collection.refresh_from_db()
    return False


def _prepare(job: Collection) -> tuple[Errand, list[LinkedFile]]:
    held = job.files.filter(part__in=(Part.TEXTS, Part.GOLD))
    texts = {str(key): LinkedFile(one.file_id, f".runs/{key}/{one.name}") for key, one in enumerate(held)}
    errand, links = errand_for(job.campaign, "index", {}, texts, files=())
    return errand._replace(processes=THREADS), links


def _move_index(job: Collection, folder: Path) -> None:
    """Move the finished index to its place by one rename."""
    made = index_folder(job)
    made.parent.mkdir(parents=True, exist_ok=True)
    if not made.exists():
        (folder / INDEX).rename(made)


def _store_percent(job: Collection, folder: Path) -> None:
    try:
        percent = int((folder / PROGRESS).read_text(encoding="ascii"))
    except (OSError, ValueError):
        # There is no figure yet, or it is being written.
        return
    Collection.objects.filter(pk=job.pk, worker=job.worker).update(percent=percent)


def _finish(job: Collection, outcome: ErrandOutcome, _kept: Mapping[str, StoredFile]) -> None:
    end(job, percent=100, documents=outcome.result["documents"], findings=outcome.result["findings"])


INDEXING = JobKind(Collection, _prepare, (), _finish, move_output=_move_index, report_progress=_store_percent)

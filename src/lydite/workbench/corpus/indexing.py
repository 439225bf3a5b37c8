"""The index of a collection: a job like any other; where the index is missing, it is made again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from django.conf import settings

from lydite.version import __version__
from lydite.workbench.campaigns.errands import INDEX, PROGRESS, Errand
from lydite.workbench.campaigns.jobs import JobKind, end, errand_for
from lydite.workbench.campaigns.limited import ErrandOutcome, LinkedFile
from lydite.workbench.campaigns.models import JobState, StoredFile
from lydite.workbench.corpus.models import Collection, Part

THREADS = 64
"""What the engine may begin beside itself while it writes an index."""


def index_folder(collection: Collection) -> Path:
    """Where the index of a collection lies."""
    return Path(settings.LYDITE_FILES) / "indexes" / collection.public_id


def is_indexed(collection: Collection) -> bool:
    """Whether a collection can be searched; an index that is gone, as after a restore, is asked for again."""
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
    texts = {
        str(number): LinkedFile(one.file_id, f".runs/{number}/{one.name}") for number, one in enumerate(held)
    }
    errand, links = errand_for(job.campaign, "index", {}, texts, files=())
    return errand._replace(processes=THREADS), links


def _place(job: Collection, folder: Path) -> None:
    """Put the index into its place, whole, by one rename."""
    made = index_folder(job)
    made.parent.mkdir(parents=True, exist_ok=True)
    if not made.exists():
        (folder / INDEX).rename(made)


def _tell(job: Collection, folder: Path) -> None:
    try:
        percent = int((folder / PROGRESS).read_text(encoding="ascii"))
    except (OSError, ValueError):
        # Nothing is read yet, or the figure is being written.
        return
    Collection.objects.filter(pk=job.pk, worker=job.worker).update(percent=percent)


def _finish(job: Collection, outcome: ErrandOutcome, _kept: Mapping[str, StoredFile]) -> None:
    end(job, percent=100, documents=outcome.told["documents"], findings=outcome.told["findings"])


INDEXING = JobKind(Collection, _prepare, (), _finish, place=_place, tell=_tell)

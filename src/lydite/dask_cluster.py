"""Work shared among the workers of a Dask cluster; the package ``distributed`` is only imported when it is needed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import local
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from lydite.errors import Finding, FormatError, UsageError
from lydite.parallel import AMBIENT_WORKERS, BLOCKS_PER_PROCESS, Progress, Work
from lydite.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

LEAST_DOCUMENTS = 1000
LEAST_BYTES = 8 << 20
"""The least size of a block, about a second of work, as the scheduler takes a millisecond for each."""
TIMEOUT = 5.0
"""The seconds in which the scheduler must answer, and then a worker be available."""


class DaskCluster:
    """The workers of a Dask cluster."""

    least = f"{LEAST_DOCUMENTS:,} documents or {LEAST_BYTES >> 20} MB"

    def __init__(self, client: Client) -> None:
        self._client = client

    def blocks(self, documents: int, size: int) -> int:
        """Several blocks for each thread of the cluster, but none so small that the scheduler costs more than it gains."""
        worthwhile = max(documents // LEAST_DOCUMENTS, size // LEAST_BYTES)
        threads: int = sum(self._client.nthreads().values())
        return min(documents, worthwhile, BLOCKS_PER_PROCESS * max(threads, 1))

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """The results of ``work`` for each share, in order; if a worker is lost, another one does its share."""
        from uuid import uuid4

        run = uuid4().hex
        # A task rather than data: the scheduler can run it again if the only worker with its result is lost.
        common_data = self._submit(_identity, f"lydite-common-{run}", common)
        futures = [
            self._submit(_do_share, f"lydite-{number}-{run}", __version__, work, run, common_data, share)
            for number, share in enumerate(shares)
        ]
        try:
            self._wait(futures, list(sizes) or [1] * len(futures), progress)
            return [_result_of(future) for future in futures]
        except BaseException:
            with suppress(Exception):
                self._client.cancel([common_data, *futures], force=True)
            raise

    def _submit(self, work: Callable[..., T], key: str, *arguments: object) -> Future[T]:
        import warnings

        with warnings.catch_warnings():
            # The index of a million documents is large, and needed.
            warnings.filterwarnings("ignore", "Sending large graph")
            return self._client.submit(work, *arguments, key=key, pure=False)

    def _wait(self, futures: Sequence[Future[T]], sizes: Sequence[int], progress: Progress | None) -> None:
        """Wait until all are done, or one has failed."""
        import distributed

        size_of = dict(zip(futures, sizes, strict=True))
        done = 0
        for future in distributed.as_completed(futures):
            if future.status == "error":
                return
            done += size_of[future]
            if progress is not None:
                progress(done, sum(sizes))


def _identity(common: bytes) -> bytes:
    return common


_thread_data = local()
"""In a thread of a worker: the data that all shares of a run need; each thread has open files of its own."""


def _do_share(version: str, work: Work[T], run: str, common: bytes, share: object) -> T:
    if version != __version__:
        raise UsageError(
            f"a worker of the cluster has lydite {__version__}, this process has {version}: figures could differ",
            hint="install the same version on all machines",
        )
    if getattr(_thread_data, "run", None) != run:
        import pickle

        _thread_data.run, _thread_data.common = run, pickle.loads(common)  # noqa: S301 - made by the client
    return work(_ignore_progress, _thread_data.common, share)


def _ignore_progress(_done: int, _total: int) -> None:
    """Progress within a share is not reported."""


def _result_of(future: Future[T]) -> T:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        raise UsageError(
            f"workers of the cluster died repeatedly on one block of documents: {error}",
            hint="is there enough memory for each of them?",
        ) from None
    except ModuleNotFoundError as error:
        hint = f"install lydite {__version__} and its extras on all machines"
        raise UsageError(f"a worker of the cluster lacks a package: {error}", hint=hint) from None
    except FormatError as error:
        raise FormatError(map(_name_worker, error.findings)) from None


def _name_worker(finding: Finding) -> Finding:
    if finding.code != "unreadable-file":
        return finding
    document = f" (document {finding.document!r})" if finding.document else ""
    return finding._replace(
        message=f"on a worker: {finding.message}{document}",
        hint="workers read the files themselves: give absolute paths on a disk that all machines share",
    )


@contextmanager
def distributed(client: Client) -> Iterator[None]:
    """Inside this context the library scores blocks of documents on a Dask cluster.

    ``client`` is a ``dask.distributed.Client``.  Figures, findings and signatures are those of one process; the
    workers read their share of the files themselves, under the same paths.
    """
    if not callable(getattr(client, "submit", None)):
        raise UsageError(f"distributed: expected a dask.distributed.Client, found {type(client).__name__}")
    token = AMBIENT_WORKERS.set(DaskCluster(client))
    try:
        yield
    finally:
        AMBIENT_WORKERS.reset(token)


def open_client() -> Client | None:
    """The Dask client that this process opened last, connected or not; None if ``distributed`` was never imported."""
    distributed = sys.modules.get("distributed")
    try:
        return None if distributed is None else distributed.default_client()
    except ValueError:
        return None


# ------------------------------------------------------------------------------------------------- by address


@contextmanager
def connected(address: str) -> Iterator[DaskCluster]:
    """The cluster at an address or, with ``local:N``, a new one of N processes that ends with the context."""
    try:
        import distributed
    except ImportError:
        raise UsageError(
            f"--cluster {address}: the package 'distributed' is not installed",
            hint="pip install 'lydite[distributed]'",
        ) from None
    kind, _, number = address.partition(":")
    if kind == "local":
        if not (number.isascii() and number.isdigit() and int(number)):
            raise UsageError(f"--cluster {address}: expected local:N with N processes, found {number!r}")
        with _local(distributed, int(number)) as client:
            yield DaskCluster(client)
        return
    with _remote(distributed, address) as client:
        yield DaskCluster(client)


@contextmanager
def _local(distributed: ModuleType, count: int) -> Iterator[Client]:
    import logging

    try:
        cluster = distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            processes=True,
            dashboard_address=":0",  # any free port, as 8787 may be taken
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        hint = f"-j {count} needs fewer resources"
        raise UsageError(f"--cluster local:{count}: the processes do not start: {error}", hint=hint) from None
    with cluster, distributed.Client(cluster) as client:
        yield client


@contextmanager
def _remote(distributed: ModuleType, address: str) -> Iterator[Client]:
    hint = "start one with: dask scheduler; or let lydite start processes with --cluster local:N"
    before = open_client()
    try:
        client = distributed.Client(address, timeout=TIMEOUT)
    except (OSError, ValueError, TypeError, MemoryError) as error:
        # A time-out is an OSError, a word that is not an address one of the others; the answer of another program may
        # be taken for the size of a message (MemoryError).
        lost = open_client()
        if lost is not None and lost is not before:
            # Later code would get this client as the default, and wait for it.
            lost.close()
        reason = str(error).partition("\n")[0]
        raise UsageError(f"--cluster {address}: no scheduler answers there: {reason}", hint=hint) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=TIMEOUT)
        except OSError:
            hint = f"dask worker {address}"
            raise UsageError(f"--cluster {address}: the scheduler has no workers", hint=hint) from None
        yield client

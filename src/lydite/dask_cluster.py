"""Work shared among the workers of a Dask cluster; ``distributed`` is imported only here, and only when it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import local
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

from lydite.errors import Finding, FormatError, UsageError
from lydite.parallel import AMBIENT_WORKERS, BLOCKS_EACH, Progress, Work
from lydite.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

T = TypeVar("T")

LEAST_DOCUMENTS = 1000
LEAST_BYTES = 8 << 20
"""A block has so many documents or bytes, about a second of work: the scheduler takes a millisecond for each."""
PATIENCE = 5.0
"""So many seconds a scheduler may take to answer, and its first worker to come."""


class DaskCluster:
    """The workers of a Dask cluster."""

    least = f"{LEAST_DOCUMENTS:,} documents or {LEAST_BYTES >> 20} MB"

    def __init__(self, client: Client) -> None:
        self._client = client

    def blocks(self, documents: int, size: int) -> int:
        """Some blocks for each thread of the cluster, none so small that the scheduler would cost more than it gains."""
        worthwhile = max(documents // LEAST_DOCUMENTS, size // LEAST_BYTES)
        threads: int = sum(self._client.nthreads().values())
        return min(documents, worthwhile, BLOCKS_EACH * max(threads, 1))

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """What ``work`` gives for each share, in their order; a share whose worker is gone is done by another one."""
        from uuid import uuid4

        run = uuid4().hex
        # A task rather than data: the scheduler can make it again if the only worker that has it is gone.
        given = self._submit(_given, f"lydite-common-{run}", common)
        futures = [
            self._submit(_do_share, f"lydite-{number}-{run}", __version__, work, run, given, share)
            for number, share in enumerate(shares)
        ]
        try:
            self._wait(futures, list(sizes) or [1] * len(futures), progress)
            return [_outcome(future) for future in futures]
        except BaseException:
            with suppress(Exception):
                self._client.cancel([given, *futures], force=True)
            raise

    def _submit(self, work: Callable[..., T], key: str, *arguments: object) -> Future[T]:
        import warnings

        with warnings.catch_warnings():
            # The places of a million documents are large, and needed.
            warnings.filterwarnings("ignore", "Sending large graph")
            return self._client.submit(work, *arguments, key=key, pure=False)

    def _wait(self, futures: Sequence[Future[T]], sizes: Sequence[int], progress: Progress | None) -> None:
        """Until all are done, or one has failed."""
        import distributed

        size_of = dict(zip(futures, sizes, strict=True))
        done = 0
        for future in distributed.as_completed(futures):
            if future.status == "error":
                return
            done += size_of[future]
            if progress is not None:
                progress(done, sum(sizes))


def _given(common: bytes) -> bytes:
    return common


_kept = local()
"""In a thread of a worker: what the shares of a run have in common; open files are of one thread."""


def _do_share(version: str, work: Work[T], run: str, common: bytes, share: object) -> T:
    if version != __version__:
        raise UsageError(
            f"a worker of the cluster has lydite {__version__}, and {version} asks: figures could differ",
            hint="install the same version on all machines",
        )
    if getattr(_kept, "run", None) != run:
        import pickle

        _kept.run, _kept.common = run, pickle.loads(common)  # noqa: S301 - made by who asked for the work
    return work(_nobody, _kept.common, share)


def _nobody(_done: int, _total: int) -> None:
    """Progress within a share is not reported."""


def _outcome(future: Future[T]) -> T:
    from distributed import KilledWorker

    try:
        return future.result()
    except KilledWorker as error:
        raise UsageError(
            f"workers of the cluster died again and again over one block of documents: {error}",
            hint="is there enough memory for each of them?",
        ) from None
    except ModuleNotFoundError as error:
        raise UsageError(
            f"a worker of the cluster lacks what it needs: {error}",
            hint=f"install lydite {__version__} and its extras on all machines",
        ) from None
    except FormatError as error:
        raise FormatError(map(_elsewhere, error.findings)) from None


def _elsewhere(finding: Finding) -> Finding:
    if finding.code != "unreadable-file":
        return finding
    document = f" (document {finding.document!r})" if finding.document else ""
    return finding._replace(
        message=f"a worker says: {finding.message}{document}",
        hint="workers read the files themselves: give absolute paths on a disk that all machines see",
    )


@contextmanager
def distributed(client: Client) -> Iterator[None]:
    """Inside of this context the library scores blocks of documents on a Dask cluster.

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
    """The client of a cluster that this process has opened last, connected or not; asking imports nothing."""
    distributed = sys.modules.get("distributed")
    try:
        return None if distributed is None else distributed.default_client()
    except ValueError:
        return None


# ------------------------------------------------------------------------------------------------- by address


@contextmanager
def connected(address: str) -> Iterator[DaskCluster]:
    """The cluster at an address, or with ``local:N`` one of so many processes that ends with the context."""
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
            dashboard_address=":0",  # any port: 8787 may be taken by another one
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        )
    except (OSError, RuntimeError) as error:
        raise UsageError(
            f"--cluster local:{count}: the processes do not start: {error}", hint=f"-j {count} needs less"
        ) from None
    with cluster, distributed.Client(cluster) as client:
        yield client


@contextmanager
def _remote(distributed: ModuleType, address: str) -> Iterator[Client]:
    hint = "start one with: dask scheduler; or let lydite start processes with --cluster local:N"
    before = open_client()
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError, TypeError, MemoryError) as error:
        # A time-out is an OSError; a word that is no address one of the others; what something else than a scheduler
        # answers may be taken for the size of a message.
        lost = open_client()
        if lost is not None and lost is not before:
            # Whatever asks for a client later would get this one, and wait for it.
            lost.close()
        said = str(error).partition("\n")[0]
        raise UsageError(f"--cluster {address}: no scheduler answers there: {said}", hint=hint) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except OSError:
            raise UsageError(
                f"--cluster {address}: the scheduler has no workers", hint=f"dask worker {address}"
            ) from None
        yield client

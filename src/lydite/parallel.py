"""Work shared among processes: results in order, nothing printed, no process left after an interrupt."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from lydite.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from ctypes import Array, c_longlong

T = TypeVar("T")
Progress = Callable[[int, int], None]
"""Called with the amount that is done and the total."""
Work = Callable[[Progress, Any, Any], T]
"""A function of a module that does a share of the work: of a progress function, the common data, and the share."""

POLL_SECONDS = 0.1
BLOCKS_PER_PROCESS = 4
"""Several blocks for each process, as documents differ in size: a process that is done early takes another block."""


class Workers(Protocol):
    """Processes or machines that do shares of work."""

    least: str
    """The least content of a block, for messages; empty if any block is large enough."""

    def blocks(self, documents: int, size: int) -> int:
        """The best number of blocks for so many documents with so many bytes."""

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """The results for each share, in order; ``common`` is from :func:`pickle_common`, ``sizes`` are for progress."""


AMBIENT_WORKERS: ContextVar[Workers | None] = ContextVar("lydite.workers", default=None)
"""The workers of the current context, set by ``lydite.distributed``."""


class Processes:
    """Processes of this machine."""

    least = ""

    def __init__(self, count: int) -> None:
        self._count = count

    def blocks(self, documents: int, size: int) -> int:  # noqa: ARG002 - starting a process costs the same
        """Several blocks for each process."""
        return min(documents, BLOCKS_PER_PROCESS * self._count)

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """The results of ``work`` for each share, in order."""
        from concurrent.futures import ProcessPoolExecutor, wait
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        # Forked processes, the default on Linux before Python 3.14: they load nothing, scripts need no guard, and there
        # is no server process that an interrupt must reach.
        context = get_context("fork" if sys.platform == "linux" else None)
        done, total = context.RawArray("q", len(shares)), sum(sizes) or len(shares)
        pool = ProcessPoolExecutor(min(self._count, len(shares)), context, _start, (done, common))
        try:
            with _delay_interrupts():
                futures = [pool.submit(_do_share, work, number, share) for number, share in enumerate(shares)]
            while progress is not None and wait(futures, timeout=POLL_SECONDS).not_done:
                progress(sum(done), total)
            outcomes = [future.result() for future in futures]
            pool.shutdown()
        except BrokenProcessPool:
            raise UsageError(
                "a process of -j ended before its work was done: it was killed, or there is not enough memory",
                hint="use fewer processes",
            ) from None
        except BaseException:
            while True:
                # Here and not in a function, which a second interrupt could stop before it begins.
                try:
                    _terminate(pool)
                except KeyboardInterrupt:
                    continue
                raise
        return outcomes


@contextmanager
def _delay_interrupts() -> Iterator[None]:
    """Delay interrupts until every process is known, as only known processes can be ended.

    The mask protects new processes, which have no handlers of their own yet.  It does not protect this process, in which
    another thread may get the signal: therefore the handlers.
    """
    import signal
    import threading

    received: list[int] = []
    handlers: dict[int, Any] = {}
    has_mask = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ending_signals()) if has_mask else ()
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _ending_signals():
                handlers[number] = signal.signal(number, lambda number, _frame: received.append(number))
        yield
    finally:
        if has_mask:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in received[:1]:
            signal.raise_signal(number)


def _ending_signals() -> list[int]:
    """The signals that end a process; not every system has all of them."""
    import signal

    return [getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]


class CannotPickle(Exception):  # noqa: N818 - named after what is wrong
    """Data that cannot be sent to another process: documents that a local function makes, for instance."""


def pickle_common(common: object) -> bytes:
    """Pickle the data that all shares need, for sending it to other processes."""
    import pickle

    try:
        return pickle.dumps(common, pickle.HIGHEST_PROTOCOL)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        raise CannotPickle(str(error)) from None


class _Worker:
    """The state of a worker process: shared numbers for its progress, and the data that all shares need."""

    def __init__(self, done: Array[c_longlong], common: bytes) -> None:
        self._done, self._pickled = done, common
        self._common: object = None

    def common(self) -> object:
        if self._pickled:
            import pickle

            self._common = pickle.loads(self._pickled)  # noqa: S301 - made by the parent process
            self._pickled = b""
        return self._common

    def progress(self, number: int) -> Progress:
        def report(done: int, _total: int) -> None:
            self._done[number] = done

        return report


_worker: list[_Worker] = []
"""In a worker process: its state."""


def _start(done: Array[c_longlong], common: bytes) -> None:
    """Start a worker process: it ignores interrupts, since its parent ends it."""
    import signal

    for number in _ending_signals():
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # the parent blocked it while it started this process
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    _worker[:] = [_Worker(done, common)]


def _do_share(work: Work[T], number: int, share: object) -> T:
    (worker,) = _worker
    return work(worker.progress(number), worker.common(), share)


def _terminate(pool: ProcessPoolExecutor) -> None:
    with _delay_interrupts():
        for process in list((pool._processes or {}).values()):  # noqa: SLF001 - the only way to end them before 3.14
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)

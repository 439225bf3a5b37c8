"""Work shared among processes: in order, quiet, and gone when it is interrupted."""

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
"""Told how much of how much is done."""
Work = Callable[[Progress, Any, Any], T]
"""A function of a module: of a way to tell progress, what all shares have in common, and a share."""

POLL_SECONDS = 0.1
BLOCKS_EACH = 4
"""So many blocks for each process: documents differ in size, and who is done early takes another one."""


class Workers(Protocol):
    """Who does shares of work, here or elsewhere."""

    least: str
    """What a block should have at least, where that can be too much for a corpus."""

    def blocks(self, documents: int, size: int) -> int:
        """How many blocks are worth it for so many documents in so many bytes."""

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """What ``work`` gives for each share, in their order.

        ``common`` is what all shares have in common, :func:`packed`; ``sizes`` are those of the shares, for progress.
        """


AMBIENT_WORKERS: ContextVar[Workers | None] = ContextVar("lydite.workers", default=None)
"""Who does the work inside of a context that says so."""


class Processes:
    """Processes of this machine."""

    least = ""

    def __init__(self, count: int) -> None:
        self._count = count

    def blocks(self, documents: int, size: int) -> int:  # noqa: ARG002 - starting a process costs the same
        """Some blocks for each process."""
        return min(documents, BLOCKS_EACH * self._count)

    def map(
        self,
        work: Work[T],
        common: bytes,
        shares: Sequence[object],
        *,
        sizes: Sequence[int] = (),
        progress: Progress | None = None,
    ) -> list[T]:
        """What ``work`` gives for each share, in their order."""
        from concurrent.futures import ProcessPoolExecutor, wait
        from concurrent.futures.process import BrokenProcessPool
        from multiprocessing import get_context

        # Copies of this process, as Linux had them before Python 3.14: they load nothing, scripts need no guard, and
        # there is no server to be told of an interrupt.
        context = get_context("fork" if sys.platform == "linux" else None)
        done, total = context.RawArray("q", len(shares)), sum(sizes) or len(shares)
        pool = ProcessPoolExecutor(min(self._count, len(shares)), context, _start, (done, common))
        try:
            with _uninterrupted():
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
                # Here, not in a function: whoever is impatient may interrupt again before it began.
                try:
                    _end(pool)
                except KeyboardInterrupt:
                    continue
                raise
        return outcomes


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Let an interrupt wait until every process is known: one that is not could not be ended.

    The mask keeps signals from processes that have no handlers of their own yet.  It does not keep them from this one:
    any other thread may get them, and the handler runs here all the same.
    """
    import signal
    import threading

    came: list[int] = []
    handlers: dict[int, Any] = {}
    has_mask = hasattr(signal, "pthread_sigmask")
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _ending()) if has_mask else ()
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _ending():
                handlers[number] = signal.signal(number, lambda number, _frame: came.append(number))
        yield
    finally:
        if has_mask:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        for number, handler in handlers.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
        for number in came[:1]:
            signal.raise_signal(number)


def _ending() -> list[int]:
    """The signals that end a process; not every system has all of them."""
    import signal

    return [getattr(signal, name) for name in ("SIGHUP", "SIGTERM", "SIGINT") if hasattr(signal, name)]


class CannotTravel(Exception):  # noqa: N818 - named after what is wrong
    """Something that only this process has: documents that a function of the moment makes, for instance."""


def packed(common: object) -> bytes:
    """What all shares have in common, as it travels; open files stay here, since a process must have its own."""
    import pickle

    try:
        return pickle.dumps(common, pickle.HIGHEST_PROTOCOL)
    except (AttributeError, TypeError, pickle.PicklingError) as error:
        raise CannotTravel(str(error)) from None


class _Worker:
    """What a worker has: the numbers that it tells progress by, and what all shares have in common."""

    def __init__(self, done: Array[c_longlong], common: bytes) -> None:
        self._done, self._packed = done, common
        self._common: object = None

    def common(self) -> object:
        if self._packed:
            import pickle

            self._common = pickle.loads(self._packed)  # noqa: S301 - made by the process that started us
            self._packed = b""
        return self._common

    def progress(self, number: int) -> Progress:
        def tell(done: int, _total: int) -> None:
            self._done[number] = done

        return tell


_worker: list[_Worker] = []
"""In a worker: itself."""


def _start(done: Array[c_longlong], common: bytes) -> None:
    """In a worker: an interrupt is for the parent, who ends us; nothing is printed."""
    import signal

    for number in _ending():
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):  # who started us kept it back until we were known
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    _worker[:] = [_Worker(done, common)]


def _do_share(work: Work[T], number: int, share: object) -> T:
    (worker,) = _worker
    return work(worker.progress(number), worker.common(), share)


def _end(pool: ProcessPoolExecutor) -> None:
    with _uninterrupted():
        for process in list((pool._processes or {}).values()):  # noqa: SLF001 - the only way to end them before 3.14
            process.terminate()
        pool.shutdown(wait=False, cancel_futures=True)

"""Work shared among processes: in order, quiet, and gone when it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from lydite.errors import UsageError

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor
    from ctypes import Array, c_longlong

T = TypeVar("T")
Progress = Callable[[int, int], None]

POLL_SECONDS = 0.1
_counts: Array[c_longlong]
"""In a worker: what was done of how much, two numbers for each share of the work."""


def in_processes(
    work: Callable[..., T], shares: Sequence[tuple[object, ...]], progress: Progress | None = None
) -> list[T]:
    """What ``work(progress, *share)`` gives for each share, in their order; ``work`` is a function of a module."""
    from concurrent.futures import ProcessPoolExecutor, wait
    from concurrent.futures.process import BrokenProcessPool
    from multiprocessing.sharedctypes import RawArray

    counts = RawArray("q", 2 * len(shares))
    pool = ProcessPoolExecutor(max_workers=len(shares), initializer=_start, initargs=(counts,))
    try:
        futures = [pool.submit(_do, work, number, share) for number, share in enumerate(shares)]
        while progress is not None and wait(futures, timeout=POLL_SECONDS).not_done:
            progress(sum(counts[0::2]), sum(counts[1::2]))
        outcomes = [future.result() for future in futures]
    except BrokenProcessPool:
        raise UsageError(
            "a process of -j ended before its work was done: it was killed, or there is not enough memory",
            hint="use fewer processes",
        ) from None
    except BaseException:
        _end(pool)
        raise
    pool.shutdown()
    return outcomes


def _start(counts: Array[c_longlong]) -> None:
    """In a worker: an interrupt is for the parent, who ends us; nothing is printed."""
    import signal

    global _counts  # noqa: PLW0603 - a process has one
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _counts = counts


def _do(work: Callable[..., T], number: int, share: tuple[object, ...]) -> T:
    def progress(done: int, total: int) -> None:
        _counts[2 * number], _counts[2 * number + 1] = done, total

    return work(progress, *share)


def _end(pool: ProcessPoolExecutor) -> None:
    for process in list((pool._processes or {}).values()):  # noqa: SLF001 - the only way to end them before 3.14
        process.terminate()
    pool.shutdown(wait=False, cancel_futures=True)

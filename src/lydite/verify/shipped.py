"""The cases that ship with lydite, in one compressed file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from lydite.formats.archives import entries

ARCHIVE = Path(__file__).parent.parent / "data" / "cases.tar.xz"
"""Made by ``make cases`` from the folder ``tests/shipped``."""


@contextmanager
def unpacked_cases() -> Iterator[Path]:
    """A folder with the cases, for as long as it is needed."""
    with TemporaryDirectory(prefix="lydite-") as folder:
        for entry in entries(str(ARCHIVE)):
            if not entry.is_folder:
                path = Path(folder, entry.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"".join(entry.chunks()))
        yield Path(folder)

"""The archive of cases that ships with lydite, made from ``tests/shipped``: the same bytes on every machine."""

from __future__ import annotations

import io
import lzma
import tarfile
from pathlib import Path

FOLDER = Path(__file__).parent / "shipped"


def archive_of(folder: Path) -> bytes:
    """All files of a folder, sorted, without times and owners."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            data = path.read_bytes()
            entry = tarfile.TarInfo(path.relative_to(folder).as_posix())
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return lzma.compress(stream.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def files_in(archive: bytes) -> dict[str, bytes]:
    """The files of an archive by name."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as opened:
        return {entry.name: opened.extractfile(entry).read() for entry in opened}  # type: ignore[union-attr]


if __name__ == "__main__":
    from lydite.verify.cases import ARCHIVE

    ARCHIVE.write_bytes(archive_of(FOLDER))

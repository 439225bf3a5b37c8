"""The inner form: reading beside bare decoding, and memory that does not grow.  Ratios, never absolute times."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import msgspec
from corpora import nugget_documents, write_tbf
from measuring import at_least, at_most, calls, peak_memory, report

from lydite.facade.library import read
from lydite.formats.lydite_jsonl import LYDITE, write
from lydite.formats.source import open_source

DOCUMENTS, MENTIONS = 400, 20_000


def write_corpus(folder: Path, times: int) -> Path:
    """A file in the inner form with so many times the documents."""
    documents = nugget_documents(DOCUMENTS * times, MENTIONS * times, seed=1)
    tbf, path = folder / f"{times}.tbf", folder / f"{times}.lydite.jsonl"
    write_tbf(tbf, documents, system="gold")
    path.write_bytes(write(read(tbf)))
    return path


def read_all(path: Path) -> int:
    """Every mention of every document; how many there are."""
    documents = LYDITE.read(open_source(path), {}).documents
    return sum(len(list(documents[doc_id].mentions)) for doc_id in documents)


def decode_all(path: Path) -> list[Any]:
    """Every line as plain JSON."""
    with path.open("rb") as stream:
        return [msgspec.json.decode(line) for line in stream]


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        small, large = write_corpus(folder, 1), write_corpus(folder, 8)
        times = calls({"read": lambda: read_all(small), "decode": lambda: decode_all(small)})
        lydite = [sys.executable, "-m", "lydite", "convert", "--quiet"]
        memory = [peak_memory([*lydite, str(path), str(folder / "out.tbf")]) for path in (small, large)]
    report(
        "formats",
        [
            at_least("reading the inner form", times["decode"] / times["read"], 0.5, "× msgspec.json.decode"),
            at_most("memory of converting eight times the documents", memory[1] / memory[0], 1.2, "× once"),
        ],
    )


if __name__ == "__main__":
    main()

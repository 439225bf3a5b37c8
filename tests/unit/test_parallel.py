"""Systems shared among processes."""

from __future__ import annotations

import gzip
import pickle
import shutil
import tarfile
import zipfile
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

import lydite

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GOLD = EXAMPLES / "gold.tbf"
ALDER, BIRCH, CEDAR = (EXAMPLES / "systems" / f"{name}.tbf" for name in ("alder", "birch", "cedar"))


def test_two_processes_give_the_summary_of_one() -> None:
    alone = lydite.score(GOLD, ALDER, BIRCH, CEDAR)
    assert lydite.score(GOLD, ALDER, BIRCH, CEDAR, jobs=2) == alone


@pytest.mark.parametrize("packing", ["gz", "zip", "tar.gz", "folder"])
def test_a_packed_system_can_be_sent_to_a_worker(packing: str, tmp_path: Path) -> None:
    packed = tmp_path / f"cedar.{packing}"
    if packing == "gz":
        packed = tmp_path / "cedar.tbf.gz"
        packed.write_bytes(gzip.compress(CEDAR.read_bytes()))
    elif packing == "zip":
        with zipfile.ZipFile(packed, "w") as archive:
            archive.write(CEDAR, "cedar.tbf")
    elif packing == "tar.gz":
        with tarfile.open(packed, "w:gz") as tape:
            tape.add(CEDAR, "cedar.tbf")
    else:
        packed.mkdir()
        shutil.copy(CEDAR, packed)
    corpus = pickle.loads(pickle.dumps(lydite.read(packed)))  # noqa: S301 - made one step before
    assert dict(corpus.documents).keys() == dict(lydite.read(CEDAR).documents).keys()
    assert corpus.documents["nw01-depot"].mentions == lydite.read(CEDAR).documents["nw01-depot"].mentions


def test_what_came_from_stdin_travels_along(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(CEDAR.read_bytes())))
    corpus = pickle.loads(pickle.dumps(lydite.read("-", format="tbf")))  # noqa: S301 - made one step before
    assert corpus.documents["nw01-depot"].mentions == lydite.read(CEDAR).documents["nw01-depot"].mentions


def test_profiles_with_tables_travel_to_the_workers_and_back() -> None:
    gold = EXAMPLES / "ace" / "gold"
    systems = [EXAMPLES / "ace" / "systems" / name for name in ("alder", "birch")]
    alone = lydite.score(gold, *systems, task="ace")
    assert lydite.score(gold, *systems, task="ace", jobs=2) == alone

"""``lydite convert``: files, folders, archives, streams, and a loss report that is measured."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zipfile
from pathlib import Path

import pytest

from lydite.cli import run

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GOLD = str(EXAMPLES / "gold.tbf")
SYSTEM = str(EXAMPLES / "systems" / "alder.tbf")


def test_the_loss_report_is_json_on_request(tmp_path: Path) -> None:
    losses = tmp_path / "losses.json"
    assert run(["convert", SYSTEM, str(tmp_path / "brat"), "--to", "brat", "--losses", str(losses)]) == 0
    report = json.loads(losses.read_text(encoding="utf-8"))
    assert (report["schema"], report["from"], report["to"]) == ("lydite.losses/1", "tbf", "brat")
    assert report["documents"] == 20
    (dropped,) = report["dropped"]
    assert (dropped["what"], dropped["count"]) == ("confidences", report["kept"]["mentions"])
    assert dropped["first"][0]["document"] == "df01-boots"


def test_a_strict_conversion_that_loses_something_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "brat"
    assert run(["convert", SYSTEM, str(target), "--to", "brat", "--strict"]) == 3
    assert not target.exists()
    assert "[lossy-conversion]" in capfd.readouterr().err


def test_new_ids_are_no_loss(tmp_path: Path) -> None:
    assert run(["convert", GOLD, str(tmp_path / "brat"), "--to", "brat", "--strict", "--quiet"]) == 0


def test_a_text_beside_the_annotation_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / "d1.txt").write_text("Two died.", encoding="utf-8")
    (tmp_path / "d1.ann").write_text("T1\tLife_Die 4 8\tdied\nE1\tLife_Die:T1\n", encoding="utf-8")
    assert run(["convert", str(tmp_path / "d1.ann"), str(tmp_path / "x.tbf"), "--strict", "--quiet"]) == 0


def test_archives_and_packed_files_can_be_written_and_read(tmp_path: Path) -> None:
    archive, packed = tmp_path / "gold.zip", tmp_path / "gold.tbf.gz"
    assert run(["convert", GOLD, str(archive), "--to", "brat", "--quiet"]) == 0
    with zipfile.ZipFile(archive) as opened:
        assert len(opened.namelist()) == 20
    assert run(["convert", str(archive), str(packed), "--quiet"]) == 0
    assert gzip.decompress(packed.read_bytes()).startswith(b"#BeginOfDocument df01-boots\n")


def test_streams_are_read_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / "gold.lydite.jsonl"), "--quiet"]) == 0
    data = (tmp_path / "gold.lydite.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(["convert", "-", "-", "--to", "tbf", "--quiet"]) == 0
    assert capfdbinary.readouterr().out == Path(GOLD).read_bytes()


def test_formats_with_nothing_in_common_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / "x.trp")]) == 2
    assert "nothing in common" in capfd.readouterr().err


def test_broken_input_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ann"
    broken.write_text("T1\tX seven\tw\n", encoding="utf-8")
    assert run(["convert", str(broken), str(tmp_path / "x.tbf")]) == 3
    assert not (tmp_path / "x.tbf").exists()


def test_a_format_with_one_file_per_document_does_not_go_to_a_stream(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["convert", GOLD, "-", "--to", "brat"]) == 2
    assert "name a folder" in capfd.readouterr().err

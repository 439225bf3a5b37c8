from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from lydite.errors import FormatError
from lydite.formats.store import open_store


def tar_of(path: str, members: Any) -> Any:
    with tarfile.open(path, "w:gz") as archive:
        for info, data in members:
            archive.addfile(info, io.BytesIO(data) if data is not None else None)
    return path


def entry(name: str, data: bytes = b"", **attributes: Any) -> Any:
    info = tarfile.TarInfo(name)
    info.size = len(data)
    for key, value in attributes.items():
        setattr(info, key, value)
    return info, data


def test_a_folder_a_zip_and_a_tar_are_the_same_store(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "D1").write_bytes(b"one")
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        archive.writestr("D1", b"one")
    tar_of(tmp_path / "run.tgz", [entry("./D1", b"one")])
    read = [
        {name: member.read() for name, member in open_store(path).files.items()}
        for path in (folder, tmp_path / "run.zip", tmp_path / "run.tgz")
    ]
    assert read == [{"D1": b"one"}] * 3


@pytest.mark.parametrize("name", ["../D1", "/D1", "a/../../D1", "C:D1"])
def test_a_member_that_points_outside_is_named_and_not_read(tmp_path: Path, name: str) -> None:
    opened = open_store(tar_of(tmp_path / "run.tar.gz", [entry(name, b"x"), entry("D2", b"y")]))
    assert [(member.name, member.kind) for member in opened.members if member.kind != "file"] == [
        (name, "unsafe")
    ]
    assert list(opened.files) == ["D2"]


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_are_named_and_not_read(tmp_path: Path, kind: Any) -> None:
    opened = open_store(tar_of(tmp_path / "run.tar.gz", [entry("D1", type=kind, linkname="/etc/passwd")]))
    assert [member.kind for member in opened.members] == ["unsafe"]


def test_a_symbolic_link_in_a_zip_is_named_and_not_read(tmp_path: Path) -> None:
    info = zipfile.ZipInfo("D1")
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(tmp_path / "run.zip", "w") as archive:
        archive.writestr(info, "/etc/passwd")
    assert [member.kind for member in open_store(tmp_path / "run.zip").members] == ["unsafe"]


@pytest.mark.parametrize("suffix", [".zip", ".tar.gz"])
def test_a_bomb_is_refused_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    monkeypatch.setenv("LYDITE_LIMIT_MEMBER", str(1 << 20))
    zeros = bytes(2 << 20)
    path = tmp_path / f"run{suffix}"
    if suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("D1", zeros)
    else:
        tar_of(path, [entry("D1", zeros)])
    with pytest.raises(FormatError) as refused:
        open_store(path)
    assert [finding.code for finding in refused.value.findings] == ["unsafe-archive"]
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04rubbish", b"\x1f\x8brubbish", bytes(1000)])
@pytest.mark.parametrize("suffix", [".zip", ".tar.gz", ".tgz"])
def test_any_bytes_give_a_store_or_a_finding(tmp_path: Path, data: bytes, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    path.write_bytes(data)
    try:
        open_store(path)
    except FormatError as error:
        assert error.findings[0].code == "unreadable-file"  # noqa: PT017 - either outcome is right


def test_another_archive_type_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.7z").write_bytes(b"x")
    with pytest.raises(FormatError) as refused:
        open_store(tmp_path / "run.7z")
    assert refused.value.findings[0].code == "archive-type"


def test_files_of_the_operating_system_are_no_documents(tmp_path: Path) -> None:
    (tmp_path / ".DS_Store").write_bytes(b"")
    (tmp_path / "D1").write_bytes(b"")
    assert list(open_store(tmp_path).files) == ["D1"]


def test_a_member_that_claims_ten_gigabytes_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    info = tarfile.TarInfo("D1")
    info.size = 10 << 30
    path = tmp_path / "run.tar.gz"
    with gzip.open(path, "wb") as stream:
        stream.write(info.tobuf() + bytes(1024))
    with pytest.raises(FormatError) as refused:
        open_store(path)
    assert [finding.code for finding in refused.value.findings] == ["unsafe-archive"]


def test_an_archive_that_is_cut_off_is_refused_if_a_document_is_missing(tmp_path: Path) -> None:
    noise = sha256(b"noise").digest() * 16
    path = tar_of(str(tmp_path / "run.tgz"), [entry(f"D{number}", noise) for number in range(3)])
    whole = Path(path).read_bytes()
    for length in range(len(whole)):
        Path(path).write_bytes(whole[:length])
        try:
            assert len(open_store(path).files) == 3
        except FormatError as error:
            (line,) = str(error).splitlines()  # what each way of unpacking says is left out
            assert "not a readable tar archive" in line

"""Uploads that mean harm: they end as invalid runs, and nothing else happens."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from collections.abc import Iterator
from typing import Any

import pytest

from workbench_world import ON_SQLITE, World, some_documents, upload

RUN = some_documents("examples/systems/alder.tbf", 1)


def _zip(members: dict[str, bytes], **attributes: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            for attribute, value in attributes.items():
                setattr(info, attribute, value)
            archive.writestr(info, data)
    return out.getvalue()


def _tar(name: str, **attributes: Any) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        info = tarfile.TarInfo(name)
        for attribute, value in attributes.items():
            setattr(info, attribute, value)
        archive.addfile(info)
    return out.getvalue()


def _hostile() -> Iterator[tuple[str, bytes]]:
    yield "up.zip", _zip({"../../evil.tbf": RUN})
    yield "absolute.zip", _zip({"/tmp/lydite-evil.tbf": RUN})  # noqa: S108 - meant
    yield "link.zip", _zip({"run.tbf": b"/etc/passwd"}, external_attr=0o120777 << 16)
    yield "link.tar.gz", _tar("run.tbf", type=tarfile.SYMTYPE, linkname="/etc/passwd")
    yield "hard.tar.gz", _tar("run.tbf", type=tarfile.LNKTYPE, linkname="../../../../etc/passwd")
    yield "device.tar.gz", _tar("run.tbf", type=tarfile.CHRTYPE, devmajor=1, devminor=5)
    yield "bomb.zip", _zip({"run.tbf": bytes(3_000_000)})
    yield "bomb.tbf.gz", gzip.compress(bytes(3_000_000))
    yield "matryoshka.zip", _zip({"run.zip": _zip({"run.tbf": RUN})})
    yield "cut.tbf.gz", gzip.compress(RUN)[:-20]
    yield "rubbish.zip", b"PK\x03\x04rubbish"
    yield "../../../etc/cron.d/run.tbf", b"\x00" * 100
    yield "<script>alert(1)</script>.tbf", b"#BeginOfDocument <script>alert(1)</script>\nx\n"


@ON_SQLITE
@pytest.mark.usefixtures("processes")
def test_no_hostile_upload_harms_anything(workbench: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from lydite_workbench.campaigns.models import Run
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, findings_of, score_of, validation_of
    from lydite_workbench.rights import PUBLIC

    monkeypatch.setenv("LYDITE_LIMIT_UNPACKED", "2000000")
    campaign = workbench.campaign()
    workbench.phase(campaign)
    team = workbench.team(campaign, "alder")
    for name, data in _hostile():
        accept_run(team, upload(name, data), RunDescription(), actor="test")
    workbench.work()
    found = {run: findings_of(validation_of(run), score_of(run), PUBLIC) for run in Run.objects.all()}
    told = {run.file_name: (run.state, [one["code"] for one in findings]) for run, findings in found.items()}
    assert {name for name, (state, _) in told.items() if state != "invalid"} == set()
    assert all(codes for _, codes in told.values()), told
    shown = [finding["excerpt"] or "" for findings in found.values() for finding in findings]
    assert not [line for line in shown if "root:" in line]
    kept = {
        path.name for path in workbench.files.rglob("*") if path.is_file() and "by-hash" not in path.parts
    }
    assert kept <= {"secret-key"}
    assert not list(workbench.files.parent.glob("*evil*"))


@pytest.mark.parametrize("name", [b"df01\0boots", b"df01-\xff"])
@pytest.mark.usefixtures("processes")
def test_what_no_database_keeps_is_escaped_in_findings_and_stops_no_job(
    workbench: World, name: bytes
) -> None:
    from lydite_workbench.campaigns.models import Run
    from lydite_workbench.campaigns.rules import RunDescription
    from lydite_workbench.campaigns.runs import accept_run, findings_of, score_of, validation_of
    from lydite_workbench.rights import PUBLIC

    campaign = workbench.scored_campaign()
    data = some_documents("examples/systems/alder.tbf").replace(b"df01-boots", name)
    accept_run(workbench.team(campaign, "alder"), upload("run.tbf", data), RunDescription(), actor="test")
    workbench.work()
    run = Run.objects.get()
    assert run.state == "invalid"
    found = findings_of(validation_of(run), score_of(run), PUBLIC)
    assert found
    assert "\0" not in str([list(finding.values()) for finding in found])


def test_a_stranger_cannot_fill_the_disk(workbench: World) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    workbench.client().post(
        "/sign-in", {"name": "x", "password": "y", "file": SimpleUploadedFile("x", b"z" * 100)}
    )
    assert not list(workbench.files.rglob("*"))


def test_an_upload_that_was_refused_is_sweep_away_and_one_that_was_taken_stays(workbench: World) -> None:
    from lydite_workbench.store import Incoming, delete_orphans, path_of, store

    kept = store(b"kept")
    refused, cut = Incoming(), Incoming()
    refused.write(b"refused")
    digest = refused.finish()
    cut.write(b"half")
    assert delete_orphans(older_than=3600) == 0
    assert delete_orphans(older_than=-1) == 2
    cut.discard()
    assert path_of(kept.sha256).exists()
    assert not path_of(digest).exists()
    assert workbench.files.exists()


def test_a_worker_sweeps_away_what_was_refused_yesterday(workbench: World) -> None:
    from lydite_workbench.campaigns.worker import work
    from lydite_workbench.store import Incoming, path_of

    assert workbench
    refused = Incoming()
    refused.write(b"refused")
    place = path_of(refused.finish())
    os.utime(place, (0, 0))
    stops = iter((False, True))
    work(lambda: next(stops))
    assert not place.exists()

"""What the environment says of a workbench."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lydite.cli import run
from lydite.errors import Finding, Location, UsageError
from lydite_workbench.commands import serve
from lydite_workbench.installation import MEGABYTE, from_environment
from lydite_workbench.processes import python_command, python_environment

MAX_UPLOAD = "LYDITE_WORKBENCH_MAX_UPLOAD"


@pytest.mark.parametrize("said", ["200MB", "-1", "1e6", "²", "1_000", "9" * 5000])
def test_a_largest_upload_that_is_no_number_is_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setenv(MAX_UPLOAD, said)
    with pytest.raises(UsageError, match=f"{MAX_UPLOAD}: expected a whole number, found"):
        from_environment()


def test_a_largest_upload_counts_bytes_and_has_a_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MAX_UPLOAD, "1000")
    assert from_environment().max_upload == 1000
    monkeypatch.setenv(MAX_UPLOAD, "")
    assert from_environment().max_upload == 200 * MEGABYTE


def test_names_of_hosts_may_have_blanks_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LYDITE_WORKBENCH_HOSTS", "eval.example.org, www.example.org,")
    assert from_environment().hosts == ("eval.example.org", "www.example.org")


@pytest.mark.parametrize(
    ("words", "expected"),
    [([], (True, True)), (["--proxy"], (True, True)), (["--demo"], (False, False))],
)
def test_serve_keeps_what_the_environment_says_of_a_proxy_except_in_a_demonstration(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, words: list[str], expected: tuple[bool, bool]
) -> None:
    served = []
    monkeypatch.setattr(serve, "_serve", lambda installation, *_, **__: served.append(installation))
    for name in ("SECURE", "PROXY"):
        monkeypatch.setenv(f"LYDITE_WORKBENCH_{name}", "1")
    assert run(["serve", "--folder", str(tmp_path), *words]) == 0
    assert [(one.secure, one.behind_proxy) for one in served] == [expected]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--folder", "mistyped"], "mistyped/workbench.sqlite3: there is no workbench here"),
        (["--database", "mysql://db/lydite"], "--database mysql://…: unknown kind of database"),
        (["--database", "sqlite:///lydite"], "--database sqlite://…: unknown kind of database"),
        (
            ["--database", "postgresql://u:secret/lydite"],
            "--database postgresql://…: host or port is malformed",
        ),
        (["--database", "postgresql://[::1/lydite"], "--database postgresql://…: host or port is malformed"),
        (
            ["--database", "postgresql://u@db/"],
            "--database postgresql://…: the name of the database is missing",
        ),
    ],
)
def test_a_command_that_finds_no_workbench_makes_none(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["workbench", *words, "export", "spring", "-o", "spring.zip"]) == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("module", ["json", "click", "django", "lydite"])
def test_processes_import_nothing_of_the_folder_that_they_are_begun_in(tmp_path: Path, module: str) -> None:
    (tmp_path / f"{module}.py").write_text("raise SystemExit('not the library')", encoding="utf-8")
    hostile = {"PATH": os.environ["PATH"], "PYTHONPATH": str(tmp_path), "PYTHONSTARTUP": "nowhere"}
    command = python_command("lydite", "worker", "--folder", "nowhere")
    done = subprocess.run(
        command, cwd=tmp_path, env=python_environment(hostile), capture_output=True, text=True, check=False
    )
    assert "nowhere/workbench.sqlite3: there is no workbench here" in done.stderr


def test_processes_find_the_modules_that_this_one_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plugin_of_a_user.py").write_text("print('found')", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    done = subprocess.run(
        python_command("plugin_of_a_user"),
        env=python_environment({}),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "found\n"


def test_all_findings_of_a_run_that_was_sent_are_shown_on_request(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    finding = Finding("odd-line", "warning", "odd", Location("run.tbf", 1)).to_dict()
    sent = {
        "id": "r1",
        "state": "scored",
        "sha256": "ab",
        "message": None,
        "findings": [finding] * 9,
        "headline": {"figure": "span.f1", "value": None},
    }
    for name in ("submit", "wait_for"):
        monkeypatch.setattr(f"lydite_workbench.submitting.{name}", lambda *_: sent)
    monkeypatch.setenv("LYDITE_TOKEN", "a token")
    (tmp_path / "run.tbf").write_bytes(b"a run")
    words = [
        "submit",
        str(tmp_path / "run.tbf"),
        "--to",
        "http://127.0.0.1",
        "--campaign",
        "spring",
        "--wait",
    ]
    assert run(words) == 0
    told = capsys.readouterr()
    assert "4 more warnings [odd-line]; -v shows all" in told.err
    assert told.out.endswith("r1  scored, span.f1 undefined\n")
    assert run([*words, "-v"]) == 0
    assert capsys.readouterr().err.count("[odd-line]") == 9


@pytest.mark.parametrize("name", ["LYDITE_WORKBENCH_SECURE", "LYDITE_WORKBENCH_PROXY"])
def test_a_switch_is_1_or_0_and_any_other_word_is_refused_at_start(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, "true")
    with pytest.raises(UsageError, match=f"{name}: expected 1 or 0, found 'true'"):
        from_environment()
    for said, is_on in (("1", True), ("0", False), ("", False)):
        monkeypatch.setenv(name, said)
        found = from_environment()
        assert (found.secure or found.behind_proxy) is is_on

"""Every conformance case, through the same function as ``lydite verify``; a new case needs no code."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from lydite.profile import load_profile, profile_names
from lydite.tasks import TASKS
from lydite.verify import ADAPTERS
from lydite.verify.cases import ARCHIVE, CaseOutcome, find_cases, run_case
from lydite.verify.leaves import Tolerance
from shipped_cases import FOLDER, files_in

ROOT = Path(__file__).parent / "conformance"
KINDS_OF_OTHER_PARTS = {"ace.select"}


def kind_of(folder: Path) -> str:
    kind = json.loads((folder / "expected.json").read_bytes())["kind"]
    return str(kind)


def test_every_kind_of_case_can_be_run() -> None:
    kinds = {kind_of(folder) for folder in find_cases([ROOT, FOLDER])}
    assert kinds - set(ADAPTERS) <= KINDS_OF_OTHER_PARTS


CASES = [folder for folder in find_cases([ROOT, FOLDER]) if kind_of(folder) in ADAPTERS]
"""The cases of the core, and of the other parts where these are installed."""


def test_the_archive_that_ships_holds_the_cases() -> None:
    files = {
        path.relative_to(FOLDER).as_posix(): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()
    }
    assert files_in(ARCHIVE.read_bytes()) == files, "make cases writes it anew"


def _run(folder: Path) -> CaseOutcome:
    return run_case(folder, ADAPTERS.__getitem__)


@pytest.mark.parametrize("folder", CASES, ids=lambda folder: f"{folder.parent.name}/{folder.name}")
def test_the_case_agrees_in_every_leaf(folder: Path) -> None:
    outcome = _run(folder)
    assert outcome.error is None
    assert outcome.differences == ()
    assert outcome.compared > 0


def _numeric_leaves(value: object, path: tuple[object, ...] = ()) -> list[tuple[object, ...]]:
    if isinstance(value, dict):
        return [leaf for key, item in value.items() for leaf in _numeric_leaves(item, (*path, key))]
    if isinstance(value, list):
        return [leaf for key, item in enumerate(value) for leaf in _numeric_leaves(item, (*path, key))]
    return [path] if isinstance(value, int | float) and not isinstance(value, bool) else []


def _named(path: tuple[object, ...]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text


def _moved(value: float, allowed: float) -> float:
    if isinstance(value, int):
        return value + 1
    return value + 10 * max(allowed, allowed * abs(value)) if allowed else value + 1e-6


def test_two_hundred_moved_figures_are_all_noticed(tmp_path: Path) -> None:
    chance = random.Random(20261115)
    folders = [folder for folder in CASES if folder.parent.name == "nugget"]
    choices = []
    for folder in folders:
        expected = json.loads((folder / "expected.json").read_text())
        left_out = set(_run(folder).not_compared)
        choices += [
            (folder, path)
            for path in _numeric_leaves({"scores": expected["scores"]})
            if _named(path) not in left_out
        ]
    for number, (folder, path) in enumerate(chance.sample(choices, 200)):
        expected = json.loads((folder / "expected.json").read_text())
        holder = expected
        for part in path[:-1]:
            holder = holder[part]
        allowed = Tolerance(expected["tolerance"])(_named(path))
        holder[path[-1]] = _moved(holder[path[-1]], allowed)
        copy = tmp_path / str(number)
        copy.mkdir()
        for entry in folder.iterdir():
            if entry.name != "expected.json":
                (copy / entry.name).symlink_to(entry)
        (copy / "expected.json").write_text(json.dumps(expected))
        outcome = _run(copy)
        assert outcome.status == "differs", (folder, path)
        assert [difference.path for difference in outcome.differences] == [_named(path)]


def test_a_case_that_differs_gives_exit_status_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from lydite.cli import run

    source = ROOT / "nugget" / "exact-match"
    for entry in source.iterdir():
        (tmp_path / entry.name).write_bytes(entry.read_bytes())
    expected = json.loads((tmp_path / "expected.json").read_text())
    expected["scores"]["micro"]["plain"]["p"] = 99.0
    (tmp_path / "expected.json").write_text(json.dumps(expected))
    assert run(["verify", str(tmp_path)]) == 1
    assert "scores.micro.plain.p: expected 99.0, found 100.0" in capsys.readouterr().out


def _shipped() -> list[tuple[str, dict[str, Any]]]:
    """The runs of the cases with their tasks: each case, and the further runs on its files."""
    read = [json.loads((folder / "expected.json").read_text()) for folder in find_cases([FOLDER])]
    runs = [run for case in read for run in (case, *case.get("also", ()))]
    return [(run["kind"].partition(".")[0], run) for run in runs]


def _profiles(task: str, case: dict[str, Any]) -> set[str]:
    """The profiles that a case runs: named at its head, or by the blocks of its figures."""
    blocks = [name for block in ("scores", "triples") for name in case.get(block) or ()]
    named = {case.get("profile"), *case.get("profiles", ()), *blocks}
    return named & set(profile_names(task))


@pytest.mark.parametrize("task", list(TASKS))
def test_a_shipped_case_runs_every_profile(task: str) -> None:
    profiles = {profile for name, case in _shipped() if name == task for profile in _profiles(task, case)}
    assert set(profile_names(task)) <= profiles


@pytest.mark.parametrize("task", list(TASKS))
def test_a_shipped_case_runs_every_quirk(task: str) -> None:
    declared = {setting.name for setting in TASKS[task].settings.declared.values() if setting.is_quirk}
    switched_on: set[str] = set()
    for name, case in _shipped():
        for profile in _profiles(task, case):
            if name == task:
                quirks = load_profile(task, profile, TASKS[task].settings).quirks
                given = {name.replace("_", "-"): on for name, on in case.get("options", {}).items()}
                switched_on |= {quirk for quirk, on in {**quirks, **given}.items() if on is True}
    assert declared <= switched_on

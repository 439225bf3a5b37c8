"""The examples on the pages about triples: commands are run, their output is looked for, Python is executed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from lydite.cli import run

ROOT = Path(__file__).parents[2]
PAGES = ("tasks/triples.md", "migration/tripleevaluation.md")
CONSOLE = re.compile(r"```console\n\$ lydite (.*)\n((?:.*\n)*?)```")
PYTHON = re.compile(r"```python\n((?:.*\n)*?)```")

BLOCKS = [
    (page, command, output)
    for page in PAGES
    for command, output in CONSOLE.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("block", BLOCKS, ids=[f"{page}: {command}" for page, command, _ in BLOCKS])
def test_a_command_prints_what_the_page_shows(
    block: tuple[str, str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    page, command, output = block
    monkeypatch.chdir(ROOT)
    assert run(shlex.split(command.replace("{tmp}", str(tmp_path)))) == 0, page
    printed = capfd.readouterr().out.splitlines()
    place = 0
    for line in output.splitlines():
        if line != "…":
            assert line in printed[place:], line
            place = printed.index(line, place) + 1


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for block in PYTHON.findall((ROOT / "docs" / page).read_text(encoding="utf-8")):
        exec(compile(block, page, "exec"), {})  # noqa: S102 - the page is ours

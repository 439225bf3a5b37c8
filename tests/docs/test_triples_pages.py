"""The examples on the pages about triples: commands are run, their output is looked for, Python is executed."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

import pytest

from lydite.cli import run

ROOT = Path(__file__).parents[2]
PAGES = (
    "tasks/triples.md",
    "how-to/move-from-tripleevaluation.md",
    "commands/agree.md",
    "commands/convert.md",
    "commands/report.md",
)
CONSOLE = re.compile(r"```console\n\$ lydite ((?:.*\\\n)*.*)\n((?:.*\n)*?)```")
PYTHON = re.compile(r"```python\n((?:.*\n)*?)```")

BLOCKS = [
    (page, command, output)
    for page in PAGES
    for command, output in CONSOLE.findall((ROOT / "docs" / page).read_text(encoding="utf-8"))
]


@pytest.mark.parametrize("block", BLOCKS, ids=[f"{page}: {command}" for page, command, _ in BLOCKS])
def test_a_command_prints_what_the_page_shows(
    block: tuple[str, str, str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    page, command, output = block
    words = shlex.split(command.replace("\\\n", " ").replace("{tmp}", str(tmp_path)))
    assert run([word for word in words if word != "2>/dev/null"]) == 0, page
    captured = capfd.readouterr()
    printed = [*captured.out.splitlines(), *captured.err.splitlines()]
    place = 0
    for line in output.splitlines():
        if line != "...":
            assert line in printed[place:], line
            place = printed.index(line, place) + 1


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs(page: str) -> None:
    text = "\n".join(PYTHON.findall((ROOT / "docs" / page).read_text(encoding="utf-8")))
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(text, {}, page, page, 0))
    assert runner.failures == 0

"""Progress: on stderr, on terminals only, in every verb that can take long, and out of the way of what is said."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from terminals import seen_in_terminal

GOLD, ALDER, BIRCH = "examples/gold.tbf", "examples/systems/alder.tbf", "examples/systems/birch.tbf"

AT_ONCE = """
import sys, time
from lydite.cli import output, run

# A small command waits until its bar is there: nothing here depends on how fast a machine is.
end = output.ProgressBar.end

def end_when_shown(self):
    while not self._is_silent and self._bar is None and not self._has_ended:
        time.sleep(0.01)
    end(self)

output.APPEARS_AFTER = 0
output.ProgressBar.end = end_when_shown
sys.exit(run(sys.argv[1:]))
"""


def stderr_of(*words: str, terminal: bool = True) -> str:
    """What a command writes to stderr, a terminal or a file; stdout goes elsewhere."""
    if not terminal:
        done = subprocess.run([sys.executable, "-c", AT_ONCE, *words], capture_output=True, check=False)
        return done.stderr.decode()
    status, seen = seen_in_terminal([sys.executable, "-c", AT_ONCE, *words], stdout=False)
    assert status == 0, seen
    return seen


def commands(folder: Path) -> dict[str, tuple[str, ...]]:
    return {
        "scoring": ("score", GOLD, ALDER),
        "scoring with -j": ("score", GOLD, ALDER, BIRCH, "-j", "2"),
        "validating": ("validate", ALDER),
        "reading": ("convert", GOLD, str(folder / "x.lydite.jsonl")),
        "writing": ("convert", GOLD, str(folder / "brat"), "--to", "brat"),
        "tokenising": ("tokenize", "examples/text", "-o", str(folder / "tables")),
        "comparing": ("agree", GOLD, ALDER),
        "explaining": ("explain", GOLD, ALDER, "--format", "csv"),
        "assess status": ("assess", "status", "examples/arguments/annotation"),
    }


@pytest.mark.parametrize("title", commands(Path()))
def test_every_verb_that_can_last_shows_progress_on_a_terminal(tmp_path: Path, title: str) -> None:
    seen = stderr_of(*commands(tmp_path)[title])
    assert title.removesuffix(" with -j") in seen
    assert "━" in seen


def test_progress_is_shown_neither_in_files_nor_when_quiet() -> None:
    assert "━" not in stderr_of("score", GOLD, ALDER, terminal=False)
    assert "━" not in stderr_of("score", GOLD, ALDER, "-q")

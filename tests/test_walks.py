"""How far a reader walks from files to the printed table: modules and functions that one run calls."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

HOUSE = Path(__file__).parent.parent / "tools" / "house.py"
MOST = {"nugget": (68, 532), "ace": (60, 437)}
"""The modules and functions of each walk; these limits only go down (aims: 40 and 350, 45 and 400)."""


@pytest.mark.parametrize("task", MOST)
def test_the_way_from_files_to_the_table_does_not_become_longer(task: str) -> None:
    # A process of its own: a profile hook counts, and nothing is loaded before.
    done = subprocess.run([sys.executable, HOUSE, "walk", task], capture_output=True, text=True, check=True)
    walk = json.loads(done.stdout)
    assert (walk["modules"], walk["functions"]) <= MOST[task]
    assert walk["functions"] <= MOST[task][1]

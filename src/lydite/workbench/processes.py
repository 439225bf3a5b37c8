"""Processes of our own: they import what this process does, and nothing of the folder that they are begun in."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def python_command(module: str, *words: str) -> list[str]:
    """The command that runs a module; its environment comes from :func:`python_environment`."""
    return [sys.executable, "-P", "-s", "-m", module, *words]


def python_environment(more: Mapping[str, str]) -> dict[str, str]:
    """Variables for such a command: where this process finds its modules, and else nothing that is meant for Python."""
    # The first place is the current folder, or that of a script, unless Python was told to leave it out.
    places = sys.path[0 if sys.flags.safe_path else 1 :]
    places = [place for place in [*places, str(Path(__file__).parents[2])] if place]
    kept = {name: value for name, value in more.items() if not name.startswith("PYTHON")}
    return {**kept, "PYTHONPATH": os.pathsep.join(places)}

"""Starting processes of Python that import the modules of this process, and nothing of the current folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path


def python_command(module: str, *words: str) -> list[str]:
    """The command that runs a module; run it with the variables of :func:`python_environment`."""
    return [sys.executable, "-P", "-s", "-m", module, *words]


def python_environment(variables: Mapping[str, str]) -> dict[str, str]:
    """These variables without those for Python, and with the folders in which this process finds modules."""
    # The first folder is the current one, or that of a script, unless Python was told to leave it out.
    folders = [*sys.path[0 if sys.flags.safe_path else 1 :], str(Path(__file__).parents[1])]
    others = {name: value for name, value in variables.items() if not name.startswith("PYTHON")}
    return {**others, "PYTHONPATH": os.pathsep.join(filter(None, folders))}

"""The invoices of the tutorial."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_committed_invoices_are_what_the_script_makes() -> None:
    script = [sys.executable, str(EXAMPLES / "build_invoices.py"), "--check"]
    assert subprocess.run(script, check=False).returncode == 0

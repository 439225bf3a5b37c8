"""Every test runs in the repository root, where the examples are."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent

# A law that says no number of its own is tried on so many worlds: fewer where somebody waits, all where main is guarded.
settings.register_profile("short", deadline=None, derandomize=True, max_examples=40)
settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=60)
settings.load_profile(os.environ.get("LYDITE_LAWS", "short"))

# A shell starts what runs in its background without interrupts, and commands that tests interrupt would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _in_the_repository_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("LYDITE_PROFILE", "LYDITE_READING", "LYDITE_UNIT"):
        monkeypatch.delenv(name, raising=False)

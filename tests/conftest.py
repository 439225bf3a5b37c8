"""Every test runs in the repository root, where the examples are."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent

settings.register_profile("ci", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ci")


@pytest.fixture(autouse=True)
def _in_the_repository_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    for name in ("LYDITE_PROFILE", "LYDITE_READING", "LYDITE_UNIT"):
        monkeypatch.delenv(name, raising=False)

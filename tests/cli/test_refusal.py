"""What a refused input leaves on stderr."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli import run

CASE = Path(__file__).parent.parent / "conformance" / "nugget" / "missing-footer"
FILES = (str(CASE / "gold.tbf"), str(CASE / "system.tbf"))


def test_quiet_shows_only_the_errors_of_a_refused_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", *FILES, "-q"]) == 3
    shown = capsys.readouterr().err
    assert "error:" in shown
    assert "warning:" not in shown


def test_a_refused_input_shows_its_warnings_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", *FILES]) == 3
    assert "warning:" in capsys.readouterr().err

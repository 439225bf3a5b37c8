"""``lydite score … --profile A,B``: one table for several profiles."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.cli import run

CASE = Path(__file__).resolve().parents[1] / "conformance" / "records-strict" / "one-item-missing"
FILES = (str(CASE / "gold.jsonl"), str(CASE / "system.jsonl"))


def test_several_profiles_stand_in_one_table_with_a_signature_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["score", "records", *FILES, "--profile", "strict,anls-star,donut", "-q"]) == 0
    printed = capsys.readouterr().out
    shown = [line.split() for line in printed.splitlines()]
    assert ["strict", "system", "field", "F1", "60.00", "50.00", "54.55"] in shown
    assert ["anls-star", "system", "anls_star", "value", "53.57"] in shown
    assert printed.count("lydite|t:records|p:") == 3


def test_several_profiles_in_a_layout_for_one_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "records", *FILES, "--profile", "strict,donut", "--format", "json", "-q"]) == 2
    assert "--format json is for one profile" in capsys.readouterr().err

"""Equally good ACE mappings: the recorded one is followed, and without that what depends on it is named."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.verify import ace
from lydite.verify.cases import run_case

CASE = Path(__file__).parent.parent.parent / "conformance" / "ace" / "xdoc_entity_split"


def left_out() -> set[str]:
    outcome = run_case(CASE, lambda _kind: ace.score)
    assert outcome.status == "agrees"
    return {path for path in outcome.not_compared if ".mention_relation." not in path}


def test_a_recorded_mapping_that_is_as_good_as_ours_is_followed() -> None:
    assert left_out() == set()


def test_what_follows_an_equally_good_mapping_is_named_where_it_cannot_be_followed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        ace, "_run_preferring", lambda case, run, facts, _expected: ace._run(case, run, facts)
    )
    sections = {".".join(path.split(".")[:4]) for path in left_out()}
    assert sections == {f"scores.08-global.entity.{name}" for name in ("mapping", "documents", "tables")}

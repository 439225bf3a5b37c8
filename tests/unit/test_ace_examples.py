"""The ACE part of the example corpus tells its story."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import lydite
from lydite.errors import errors_among

EXAMPLES = Path(__file__).parents[2] / "examples"
GOLD = EXAMPLES / "ace" / "gold"


def test_the_ace_files_are_what_the_builder_makes() -> None:
    script = [sys.executable, str(EXAMPLES / "build_ace.py"), "--check"]
    assert subprocess.run(script, check=False, capture_output=True).stdout == b""


@pytest.mark.parametrize("name", ["gold", "systems/alder", "systems/birch"])
def test_the_files_are_valid_across_documents(name: str) -> None:
    findings = lydite.validate(EXAMPLES / "ace" / name, task="ace", profile="ace08-global")
    assert errors_among(findings) == []


def test_every_head_is_what_stands_in_the_text() -> None:
    corpus = lydite.read(GOLD, format="apf")
    for doc_id, document in corpus.documents.items():
        text = (EXAMPLES / "text" / f"{doc_id}.txt").read_bytes().decode("utf-8")
        for element in document.layers["ace"]:
            for mention in element.mentions:
                assert text[mention.head.start : mention.head.end] == mention.head.text


def test_the_system_that_knows_aliases_is_worth_more() -> None:
    values = [
        lydite.score(GOLD, EXAMPLES / "ace" / "systems" / name, task="ace", profile="ace08-global")["entity"][
            "ace-value"
        ].value
        for name in ("alder", "birch")
    ]
    assert values[0] is not None
    assert values[1] is not None
    assert 0 < values[1] < values[0] < 1

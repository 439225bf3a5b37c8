from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import lydite

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_argument_files_are_what_the_builder_makes() -> None:
    script = [sys.executable, str(EXAMPLES / "build_arguments.py"), "--check"]
    assert subprocess.run(script, check=False, capture_output=True).stdout == b""


def test_the_annotation_store_of_the_examples_is_valid_without_a_remark() -> None:
    findings = lydite.validate(
        EXAMPLES / "arguments" / "annotation", task="arguments", annotation=True, documents=EXAMPLES / "text"
    )
    assert list(findings) == []


def test_one_example_system_has_a_date_that_a_validator_refuses() -> None:
    found = {
        name: [
            finding.code
            for finding in lydite.validate(
                EXAMPLES / "arguments" / "systems" / name, task="arguments", documents=EXAMPLES / "text"
            )
            if finding.severity == "error"
        ]
        for name in ("alder", "birch", "cedar")
    }
    assert found == {"alder": [], "birch": ["time-format"], "cedar": []}

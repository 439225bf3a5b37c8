"""JSON lines that people and programs append to: each line is one record, and broken ones are reported together."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TypeVar

from lydite.errors import Finding, Location
from lydite.formats.text import whole_text

Made = TypeVar("Made")


def read_lines(
    path: str, code: str, make: Callable[[object], Made]
) -> tuple[list[tuple[int, Made]], list[Finding]]:
    """What ``make`` gives for each line, with its number, and a finding for each that it refuses (a ValueError)."""
    made: list[tuple[int, Made]] = []
    findings: list[Finding] = []
    for number, line in enumerate(whole_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            made.append((number, make(json.loads(line))))
        except json.JSONDecodeError as error:
            message = f"expected a JSON object, found broken JSON: {error.msg}"
            findings.append(Finding(code, "error", message, Location(path, number, error.colno)))
        except ValueError as error:
            findings.append(Finding(code, "error", str(error), Location(path, number)))
    return made, findings

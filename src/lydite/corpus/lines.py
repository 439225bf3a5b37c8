"""JSON lines that people and programs append to: each line is one record, and broken ones are reported together."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from lydite.errors import Finding, Location
from lydite.formats.json_values import NotJSONError, json_value
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
            made.append((number, make(json_value(line))))
        except NotJSONError as error:
            message = f"expected a JSON object, found broken JSON: {error}"
            findings.append(Finding(code, "error", message, Location(path, number, error.column)))
        except ValueError as error:
            findings.append(Finding(code, "error", str(error), Location(path, number)))
    return made, findings

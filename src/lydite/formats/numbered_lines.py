"""Files with a record on each line, as people and programs append to them; broken lines are reported together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from lydite.errors import Finding, Location
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.text import whole_text

Read = TypeVar("Read")
Made = TypeVar("Made")
Numbered = tuple[int, Made]
"""Something with the number of its line."""


def filled_lines(path: str) -> list[Numbered[str]]:
    """The lines of a file that are not blank, with their numbers."""
    return [(number, line) for number, line in enumerate(whole_text(path).split("\n"), 1) if line.strip()]


def parse_lines(
    lines: Iterable[Numbered[Read]], path: str, code: str, make: Callable[[Read], Made]
) -> tuple[list[Numbered[Made]], list[Finding]]:
    """What ``make`` gives for each line, and a finding for each that it refuses (a ValueError)."""
    results: list[Numbered[Made]] = []
    findings: list[Finding] = []
    for number, line in lines:
        try:
            results.append((number, make(line)))
        except NotJSONError as error:
            message = f"expected a JSON object, found broken JSON: {error}"
            findings.append(Finding(code, "error", message, Location(path, number, error.column)))
        except ValueError as error:
            findings.append(Finding(code, "error", str(error), Location(path, number)))
    return results, findings


def read_json_lines(
    path: str, code: str, make: Callable[[object], Made]
) -> tuple[list[Numbered[Made]], list[Finding]]:
    """What ``make`` gives for the JSON of each line of a file."""
    return parse_lines(filled_lines(path), path, code, lambda line: make(json_value(line)))

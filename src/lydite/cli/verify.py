"""``lydite verify``: run conformance cases."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from lydite.cli.output import ProgressBar, write_json_or_text
from lydite.cli.parameters import output_option, text_or_json_option
from lydite.escaping import counted, printable
from lydite.verify import ADAPTERS
from lydite.verify.cases import CaseOutcome, count_outcomes, find_cases, report, run_case, unpacked_cases

DIFFERENCES_SHOWN = 5
_LEAF = "leaf", "leaves"

EPILOG = """\b
Examples:
  lydite verify                          the cases that ship with lydite
  lydite verify tests/conformance        every case below a folder
  lydite verify my-cases --format json   for a program
"""


@click.command("verify", epilog=EPILOG)
@click.argument("folders", nargs=-1, metavar="[DIR]…")
@text_or_json_option
@output_option
@click.option(
    "-v", "--verbose", is_flag=True, help="show every difference and every leaf that is not compared"
)
@click.option("-q", "--quiet", is_flag=True, help="show only the cases that do not agree")
def command(
    folders: tuple[str, ...],
    *,
    layout: str,
    output: str | None,
    verbose: bool,
    quiet: bool,
) -> int:
    """Run conformance cases, and compare every value with the one that the official program computed.

    A case is a folder with an expected.json, which says how it is run and compared.  Environment and lydite.toml are
    ignored.  The exit status is 1 if anything differs or cannot be run.
    """
    if folders:
        outcomes = _run([Path(folder) for folder in folders], quiet=quiet)
    else:
        with unpacked_cases() as shipped:
            outcomes = _run([shipped], quiet=quiet, inside=shipped)
    lines = [line for outcome in outcomes for line in _lines(outcome, quiet=quiet, verbose=verbose)]
    text = "\n".join([*lines, *_summary_lines(outcomes)]) + "\n"
    document = report(outcomes) if layout == "json" else None
    write_json_or_text(layout, document, text, output)
    return 0 if all(outcome.status == "agrees" for outcome in outcomes) else 1


def _run(folders: Sequence[Path], *, quiet: bool, inside: Path | None = None) -> list[CaseOutcome]:
    """Run every case; cases ``inside`` a temporary folder are named by their paths in it."""
    cases = list(find_cases(folders))
    outcomes = []
    with ProgressBar("verifying", quiet=quiet) as progress:
        for done, folder in enumerate(cases, 1):
            outcome = run_case(folder, ADAPTERS.__getitem__)
            if inside is not None:
                error = outcome.error and outcome.error.replace(f"{inside}{os.sep}", "")
                outcome = replace(outcome, path=folder.relative_to(inside).as_posix(), error=error)
            outcomes.append(outcome)
            if progress is not None:
                progress(done, len(cases))
    return outcomes


def _lines(outcome: CaseOutcome, *, quiet: bool, verbose: bool) -> list[str]:
    if outcome.status == "agrees" and quiet:
        return []
    if outcome.status == "error":
        return [printable(f"cannot run  {outcome.path}: {outcome.error or ''}")]
    lines = [printable(f"{outcome.status:<10}  {outcome.path}  ({counted(outcome.compared, *_LEAF)})")]
    differences = outcome.differences if verbose else outcome.differences[:DIFFERENCES_SHOWN]
    lines += [
        printable(f"    {item.path}: expected {item.expected!r}, found {item.found!r}")
        for item in differences
    ]
    if len(differences) < len(outcome.differences):
        lines.append(f"    … and {len(outcome.differences) - len(differences)} more; -v shows all")
    if verbose:
        lines += [printable(f"    not compared: {path}") for path in outcome.not_compared]
    return lines


_BLOCK = re.compile(r"[^.\[]*(?:\.(?:v[0-9]+(?:\.[0-9]+)*|[^.\[]*))?")
"""The first two names of a path; a version number is one name, whatever its dots."""


def _block_of(path: str) -> str:
    found = _BLOCK.match(path)
    return found[0] if found else path


def _summary_lines(outcomes: list[CaseOutcome]) -> list[str]:
    totals = count_outcomes(outcomes)
    counts = f"{totals['agree']} agree, {totals['differ']} differ, {totals['error']} cannot run"
    leaves = f"{counted(totals['compared'], *_LEAF)} compared, {totals['not_compared']} not compared"
    lines = [f"{counted(totals['cases'], 'case')}: {counts}; {leaves}"]
    left_out = Counter(_block_of(path) for outcome in outcomes for path in outcome.not_compared)
    lines += [
        printable(f"    not compared: {block} ({counted(count, *_LEAF)})")
        for block, count in sorted(left_out.items())
    ]
    return lines

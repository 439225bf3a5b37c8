"""``lydite validate``: find everything that is wrong with submissions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from lydite.cli.options import TaskCommand, choice_from_options, find_runs, profile_options, split_task
from lydite.cli.output import ProgressBar, encode_json, finding_lines, warn_of_formulas, write_output
from lydite.cli.parameters import TEXT, text_or_json_option, verbosity_options
from lydite.errors import Finding, FormatError, UsageError, errors_among
from lydite.escaping import counted, printable
from lydite.facade.summaries import is_inside
from lydite.facade.validating import validate_file
from lydite.report.findings_document import findings_document, submission
from lydite.writing import write_folder

EPILOG = """\b
Examples:
  lydite validate system.tbf
  lydite validate system.tbf --gold gold.tbf --documents texts/
  lydite validate nugget system.tbf --given handed-out.tbf
  lydite validate --runs submissions/ -o messages/      one message file per submission
"""


@click.command("validate", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] SUBMISSION…")
@profile_options
@click.option(
    "--gold", type=TEXT, metavar="FILE", help="gold, for checks that need it: missing documents, units"
)
@click.option("--runs", type=TEXT, metavar="DIR", help="each entry of DIR is a submission")
@text_or_json_option
@click.option(
    "-o",
    "--output",
    type=TEXT,
    metavar="PATH",
    help="a file; with --runs, a folder for one message file each",
)
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    gold: str | None,
    runs: str | None,
    layout: str,
    output: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Find everything that is wrong with a submission, in one pass.

    Each finding says where it is, what was expected, what was found and what to try, and has a code that the
    documentation explains.  The exit status is 1 if there are errors, 3 if a file cannot be read at all.
    """
    found_runs = find_runs(runs, quiet=quiet)
    task, paths = split_task(ctx, words, at_least=0 if found_runs.paths else 1, needs="a submission")
    paths += found_runs.paths
    choice = choice_from_options(ctx, task)
    checked: dict[str, list[Finding]] = {}
    unreadable = False
    with ProgressBar("validating", quiet=quiet) as progress:
        several = len(paths) > 1
        own_progress = None if several else progress
        for done, path in enumerate(paths, 1):
            try:
                checked[path], _ = validate_file(choice, path, gold=gold, progress=own_progress)
            except FormatError as error:
                places = [finding.location.path for finding in error.findings if finding.location]
                if path != "-" and places and not any(is_inside(place, path) for place in places):
                    raise  # the error is in another file than the submission
                checked[path], unreadable = list(error.findings), True
            if several and progress is not None:
                progress(done, len(paths))
    if runs and output:
        by_name: FindingsByName = {}
        for path, findings in checked.items():
            team = found_runs.teams.get(path)
            name = Path(path).name
            by_name[name if team is None else f"{team}/{name}"] = (path, findings)
        if len(by_name) < len(checked):
            raise UsageError("two submissions have the same name, and so would their message files")
        write_folder(output, _message_files(by_name, layout))
        write_output(_overview(by_name), None)
        warn_of_formulas(by_name, output)
    else:
        write_output(_render(checked, layout, quiet=quiet, verbose=verbose), output)
    if unreadable and len(checked) == 1:
        return 3
    return 1 if any(errors_among(findings) for findings in checked.values()) else 0


def _verdict(findings: list[Finding]) -> str:
    errors = errors_among(findings)
    count = sum(finding.severity == "warning" for finding in findings)
    warnings = counted(count, "warning")
    if errors:
        return f"not valid: {counted(len(errors), 'error')}, {warnings}"
    return f"valid, {warnings}" if count else "valid"


def _render(checked: dict[str, list[Finding]], layout: str, *, quiet: bool, verbose: bool) -> str | bytes:
    if layout == "json":
        return encode_json(findings_document(submission(*one) for one in checked.items()))
    hidden = () if verbose else ("warning", "note") if quiet else ("note",)
    lines: list[str] = []
    for path, findings in checked.items():
        selected = [finding for finding in findings if finding.severity not in hidden]
        lines += [*finding_lines(selected, show_all=verbose), f"{printable(path)}: {_verdict(findings)}"]
    return "\n".join(lines) + "\n"


FindingsByName = dict[str, tuple[str, list[Finding]]]
"""Paths and findings of submissions, by the name of the submission."""


def _message_files(by_name: FindingsByName, layout: str) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a message file for each submission, and of an overview."""
    for name, (path, findings) in by_name.items():
        if layout == "json":
            yield f"{name}.json", encode_json(findings_document([submission(path, findings)]))
            continue
        lines = [f"{printable(name)}: {_verdict(findings)}", "", *finding_lines(findings, show_all=True)]
        yield f"{name}.txt", "\n".join(lines).rstrip().encode() + b"\n"
    yield "overview.tsv", _overview(by_name).encode()


def _overview(by_name: FindingsByName) -> str:
    lines = ["submission\tvalid\terrors\twarnings\tcodes"]
    for name, (_, findings) in by_name.items():
        errors = errors_among(findings)
        codes = ",".join(dict.fromkeys(finding.code for finding in errors))
        warnings = sum(finding.severity == "warning" for finding in findings)
        valid = "no" if errors else "yes"
        lines.append(f"{printable(name)}\t{valid}\t{len(errors)}\t{warnings}\t{codes}")
    return "\n".join(lines) + "\n"

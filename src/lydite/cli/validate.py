"""``lydite validate``: all findings in one pass."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from lydite.cli.option_records import TEXT_OR_JSON, OptionRecord, VerbosityOptions, option, option_group
from lydite.cli.options import ProfileOptions, choice_from_options, find_runs, split_task, task_verb
from lydite.cli.output import ProgressBar, encode_json, finding_lines, warn_of_formulas, write_output
from lydite.errors import Finding, FormatError, UsageError, errors_among
from lydite.escaping import counted, printable
from lydite.facade.runs import Runs
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


class _Options(OptionRecord):
    profile: ProfileOptions = option_group(ProfileOptions)
    gold: str | None = option(
        "gold, for what can only be seen beside it: missing documents, units", metavar="FILE"
    )
    runs: str | None = option("each entry of DIR is a submission", metavar="DIR")
    layout: str = TEXT_OR_JSON
    output: str | None = option(
        "a file; with --runs, a folder for one message file each", "-o", "--output", metavar="PATH"
    )
    verbosity: VerbosityOptions = option_group(VerbosityOptions)


@task_verb("validate", "[TASK] SUBMISSION…", _Options, EPILOG)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
    """Find everything that is wrong with a submission, in one pass.

    Each finding says where, what was expected, what was found and what to try, with a code that has a page.  Exit
    status 1 if an error was found, 3 if a file cannot be read at all.
    """
    runs = find_runs(options.runs, quiet=options.verbosity.quiet)
    task, paths = split_task(ctx, words, at_least=0 if runs.paths else 1, needs="a submission")
    paths += runs.paths
    choice = choice_from_options(ctx, task, options.profile)
    checked: dict[str, list[Finding]] = {}
    unreadable = False
    with ProgressBar("validating", quiet=options.verbosity.quiet) as progress:
        several = len(paths) > 1
        for done, path in enumerate(paths, 1):
            try:
                checked[path], _ = validate_file(
                    choice, path, gold=options.gold, progress=None if several else progress
                )
            except FormatError as error:
                if not _is_about(error, path):
                    raise
                checked[path], unreadable = list(error.findings), True
            if several and progress is not None:
                progress(done, len(paths))
    if options.runs and options.output:
        named = {_name(path, runs): (path, findings) for path, findings in checked.items()}
        if len(named) < len(checked):
            raise UsageError("two submissions have the same name, and so would their message files")
        write_folder(options.output, _messages(named, options.layout))
        write_output(_overview(named), None)
        warn_of_formulas(named, options.output)
    else:
        write_output(_report(checked, options), options.output)
    if unreadable and len(checked) == 1:
        return 3
    return 1 if any(errors_among(findings) for findings in checked.values()) else 0


def _is_about(error: FormatError, path: str) -> bool:
    """Whether the submission is at fault, and not a file that was named beside it."""
    places = [finding.location.path for finding in error.findings if finding.location]
    return path == "-" or not places or any(is_inside(place, path) for place in places)


def _verdict(findings: list[Finding]) -> str:
    errors = errors_among(findings)
    count = sum(finding.severity == "warning" for finding in findings)
    warnings = counted(count, "warning")
    if errors:
        return f"not valid: {counted(len(errors), 'error')}, {warnings}"
    return f"valid, {warnings}" if count else "valid"


def _report(checked: dict[str, list[Finding]], options: _Options) -> str | bytes:
    if options.layout == "json":
        return encode_json(findings_document(submission(*one) for one in checked.items()))
    blocks = []
    for path, findings in checked.items():
        shown = [
            finding
            for finding in findings
            if options.verbosity.verbose
            or (finding.severity == "error" if options.verbosity.quiet else finding.severity != "note")
        ]
        lines = [
            *finding_lines(shown, show_all=options.verbosity.verbose),
            f"{printable(path)}: {_verdict(findings)}",
        ]
        blocks.append("\n".join(lines))
    return "\n".join(blocks) + "\n"


Named = dict[str, tuple[str, list[Finding]]]
"""Submissions by name: the path, and what was found."""


def _name(path: str, runs: Runs) -> str:
    """What a submission is called: of a team, by both names, for each of them may have a run of that name."""
    name = Path(path).name
    return f"{runs.teams[path]}/{name}" if path in runs.teams else name


def _messages(named: Named, layout: str) -> Iterator[tuple[str, bytes]]:
    """One message file per submission, as a team would want to receive it, and an overview."""
    for name, (path, findings) in named.items():
        if layout == "json":
            yield f"{name}.json", encode_json(findings_document([submission(path, findings)]))
            continue
        lines = [f"{printable(name)}: {_verdict(findings)}", "", *finding_lines(findings, show_all=True)]
        yield f"{name}.txt", "\n".join(lines).rstrip().encode() + b"\n"
    yield "overview.tsv", _overview(named).encode()


def _overview(named: Named) -> str:
    lines = ["submission\tvalid\terrors\twarnings\tcodes"]
    for name, (_, findings) in named.items():
        errors = errors_among(findings)
        codes = ",".join(dict.fromkeys(finding.code for finding in errors))
        warnings = sum(finding.severity == "warning" for finding in findings)
        valid = "no" if errors else "yes"
        lines.append(f"{printable(name)}\t{valid}\t{len(errors)}\t{warnings}\t{codes}")
    return "\n".join(lines) + "\n"

"""``lydite submit``: send a run to a workbench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import (
    POSITIVE,
    VERBOSITY,
    OptionRecord,
    VerbosityOptions,
    option,
    options_from,
    utf8_text,
)
from lydite.cli.output import print_line, print_to_stderr, show_findings
from lydite.errors import Finding, UsageError

if TYPE_CHECKING:
    from lydite_workbench.submitting import RunDocument

EPILOG = """\b
Examples:
  LYDITE_TOKEN=… lydite submit run.tbf --to https://eval.example.org --campaign spring
  lydite submit run.zip --to https://eval.example.org --campaign spring --title "with rules" --rank 1 --wait
"""


class _Options(OptionRecord):
    url: str = option("address of the workbench", "--to", required=True, metavar="URL")
    campaign: str = option("short name of the campaign", type=utf8_text, required=True, metavar="C")
    phase: str | None = option("the phase, if several are open", type=utf8_text, metavar="P")
    team: str | None = option("short name of the team, if you are in several", metavar="T", type=utf8_text)
    title: str = option("title of the run", type=utf8_text, default="")
    description: str = option("how the run was made", type=utf8_text, default="")
    rank: int | None = option("the rank that the team gives to the run", type=POSITIVE, metavar="N")
    web_access: str | None = option(
        "declare that the run used the web, and for what", metavar="TEXT", type=utf8_text, may_be_empty=True
    )
    by_hand: str | None = option(
        "declare that the run is not fully automatic, and what was done by hand",
        metavar="TEXT",
        type=utf8_text,
        may_be_empty=True,
    )
    replaces: str | None = option("the invalid run that this one replaces", metavar="ID", type=utf8_text)
    wait: bool = option("wait for findings and score; exit status 1 if the run is not valid")
    insecure: bool = option("allow sending the token over http to another machine")
    verbosity = VERBOSITY


@click.command("submit", epilog=EPILOG)
@click.argument("file", metavar="FILE")
@options_from(_Options)
def command(file: str, options: _Options) -> int:
    """Send a run to a workbench; LYDITE_TOKEN holds the token of the team or person.

    When this command succeeds, the run is stored.  It prints the id of the run for inquiries.
    """
    from lydite_workbench.submitting import Rejected, submit, wait_for, workbench_at

    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a folder", hint=f"pack it: zip -r {path.name or 'run'}.zip {file}")
    workbench = workbench_at(options.url, insecure=options.insecure)
    try:
        sent = submit(workbench, options.campaign, path, _fields(options))
        print_line(f"{sent['id']}  {sent['state']}  sha256 {sent['sha256']}")
        return _show(wait_for(workbench, sent["id"]), options.verbosity) if options.wait else 0
    except Rejected as error:
        print_to_stderr(f"error: the workbench refused: {error}")
        return 3


def _fields(options: _Options) -> dict[str, str]:
    named = {name: getattr(options, name) for name in ("title", "description", "phase", "team", "replaces")}
    fields = {name: value for name, value in named.items() if value}
    if options.rank:
        fields["rank"] = str(options.rank)
    if options.web_access is not None:
        fields |= {"web_access": "true", "web_access_text": options.web_access}
    if options.by_hand is not None:
        fields |= {"automatic": "false", "automatic_text": options.by_hand}
    return fields


def _show(run: RunDocument, verbosity: VerbosityOptions) -> int:
    findings = [Finding.from_dict(finding) for finding in run["findings"]]
    show_findings(findings, show_all=verbosity.verbose, quiet=verbosity.quiet)
    if run["message"]:
        print_to_stderr(f"{run['state']}: {run['message']}")
    headline = run["headline"]
    figure = ""
    if headline:
        value = headline["value"]
        figure = f", {headline['figure']} {'undefined' if value is None else value}"
    print_line(f"{run['id']}  {run['state']}{figure}")
    return 1 if run["state"] in {"invalid", "failed"} else 0

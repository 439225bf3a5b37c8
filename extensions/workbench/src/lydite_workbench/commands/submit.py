"""``lydite submit``: send a run to a workbench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.output import print_line, print_to_stderr, show_findings
from lydite.cli.parameters import POSITIVE, TEXT, UTF8_TEXT, utf8_text, verbosity_options
from lydite.errors import Finding, UsageError

if TYPE_CHECKING:
    from lydite_workbench.submitting import RunDocument

EPILOG = """\b
Examples:
  LYDITE_TOKEN=… lydite submit run.tbf --to https://eval.example.org --campaign spring
  lydite submit run.zip --to https://eval.example.org --campaign spring --title "with rules" --rank 1 --wait
"""


@click.command("submit", epilog=EPILOG)
@click.argument("file", metavar="FILE")
@click.option("--to", "url", type=TEXT, required=True, metavar="URL", help="address of the workbench")
@click.option("--campaign", type=UTF8_TEXT, required=True, metavar="C", help="short name of the campaign")
@click.option("--phase", type=UTF8_TEXT, metavar="P", help="the phase, if several are open")
@click.option("--team", type=UTF8_TEXT, metavar="T", help="short name of the team, if you are in several")
@click.option("--title", type=utf8_text, default="", help="title of the run")
@click.option("--description", type=utf8_text, default="", help="how the run was made")
@click.option("--rank", type=POSITIVE, metavar="N", help="the rank that the team gives to the run")
@click.option(
    "--web-access", type=utf8_text, metavar="TEXT", help="declare that the run used the web, and for what"
)
@click.option(
    "--by-hand",
    type=utf8_text,
    metavar="TEXT",
    help="declare that the run is not fully automatic, and what was done by hand",
)
@click.option("--replaces", type=UTF8_TEXT, metavar="ID", help="the invalid run that this one replaces")
@click.option(
    "--wait", is_flag=True, help="wait for findings and score; exit status 1 if the run is not valid"
)
@click.option("--insecure", is_flag=True, help="allow sending the token over http to another machine")
@verbosity_options
def command(
    file: str,
    *,
    url: str,
    campaign: str,
    phase: str | None,
    team: str | None,
    title: str,
    description: str,
    rank: int | None,
    web_access: str | None,
    by_hand: str | None,
    replaces: str | None,
    wait: bool,
    insecure: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Send a run to a workbench; LYDITE_TOKEN holds the token of the team or person.

    When this command succeeds, the run is stored.  It prints the id of the run for inquiries.
    """
    from lydite_workbench.submitting import Rejected, submit, wait_for, workbench_at

    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a folder", hint=f"pack it: zip -r {path.name or 'run'}.zip {file}")
    workbench = workbench_at(url, insecure=insecure)
    named = {"title": title, "description": description, "phase": phase, "team": team, "replaces": replaces}
    fields = {name: value for name, value in named.items() if value}
    if rank:
        fields["rank"] = str(rank)
    if web_access is not None:
        fields |= {"web_access": "true", "web_access_text": web_access}
    if by_hand is not None:
        fields |= {"automatic": "false", "automatic_text": by_hand}
    try:
        sent = submit(workbench, campaign, path, fields)
        print_line(f"{sent['id']}  {sent['state']}  sha256 {sent['sha256']}")
        return _show(wait_for(workbench, sent["id"]), quiet=quiet, verbose=verbose) if wait else 0
    except Rejected as error:
        print_to_stderr(f"error: the workbench refused: {error}")
        return 3


def _show(run: RunDocument, *, quiet: bool, verbose: bool) -> int:
    findings = [Finding.from_dict(finding) for finding in run["findings"]]
    show_findings(findings, show_all=verbose, quiet=quiet)
    if run["message"]:
        print_to_stderr(f"{run['state']}: {run['message']}")
    headline = run["headline"]
    figure = ""
    if headline:
        value = headline["value"]
        figure = f", {headline['figure']} {'undefined' if value is None else value}"
    print_line(f"{run['id']}  {run['state']}{figure}")
    return 1 if run["state"] in {"invalid", "failed"} else 0

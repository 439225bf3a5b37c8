"""``lydite submit``: sends a run to a workbench."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

import click

from lydite.cli.output import finding_lines, say, tell
from lydite.errors import Finding, UsageError

if TYPE_CHECKING:
    from lydite.workbench.submitting import RunDocument

EPILOG = """\b
Examples:
  LYDITE_TOKEN=… lydite submit run.tbf --to https://eval.example.org --campaign spring
  lydite submit run.zip --to https://eval.example.org --campaign spring --title "with rules" --rank 1 --wait
"""


class Options(TypedDict):
    """What is said on the command line."""

    phase: str | None
    title: str
    description: str
    rank: int | None
    web_access: str | None
    by_hand: str | None
    replaces: str | None


@click.command("submit", epilog=EPILOG)
@click.argument("file", metavar="FILE")
@click.option("--to", "url", required=True, metavar="URL", help="address of the workbench")
@click.option("--campaign", required=True, metavar="C", help="short name of the campaign")
@click.option("--phase", metavar="P", help="where several are open")
@click.option("--title", default="", help="what the run is called")
@click.option("--description", default="", help="how it was made")
@click.option("--rank", type=click.IntRange(1), metavar="N", help="the team's own rank of the run")
@click.option("--web-access", metavar="TEXT", help="the web was used: what for")
@click.option("--by-hand", metavar="TEXT", help="it is not fully automatic: what was done by hand")
@click.option("--replaces", metavar="ID", help="the invalid run that it replaces")
@click.option(
    "--wait", is_flag=True, help="wait for findings and figure; exit status 1 if the run is not valid"
)
@click.option("--insecure", is_flag=True, help="send the token by http to another machine")
def command(file: str, url: str, campaign: str, wait: bool, insecure: bool, **said: Unpack[Options]) -> int:
    """Send a run to a workbench; the token of the team or person stands in LYDITE_TOKEN.

    When this command succeeds, the run is stored.  Its number for inquiries is printed.
    """
    from lydite.workbench.submitting import Rejected, submit, wait_for, workbench_at

    path = Path(file)
    if path.is_dir():
        raise UsageError(f"{file} is a folder", hint=f"pack it: zip -r {path.name or 'run'}.zip {file}")
    workbench = workbench_at(url, insecure=insecure)
    try:
        sent = submit(workbench, campaign, path, _fields(said))
        say(f"{sent['id']}  {sent['state']}  sha256 {sent['sha256']}")
        return _show(wait_for(workbench, sent["id"])) if wait else 0
    except Rejected as error:
        tell(f"error: the workbench refused: {error}")
        return 3


def _fields(said: Options) -> dict[str, str]:
    named = {name: said[name] for name in ("title", "description", "phase", "replaces")}
    fields = {name: value for name, value in named.items() if value}
    if said["rank"]:
        fields["rank"] = str(said["rank"])
    if said["web_access"]:
        fields |= {"web_access": "true", "web_access_text": said["web_access"]}
    if said["by_hand"]:
        fields |= {"automatic": "false", "automatic_text": said["by_hand"]}
    return fields


def _show(run: RunDocument) -> int:
    findings = [Finding.from_dict(finding) for finding in run["findings"]]
    for block in finding_lines(findings, show_all=False):
        for line in block.split("\n"):
            tell(line)
    if run["message"]:
        tell(f"{run['state']}: {run['message']}")
    headline = run["headline"]
    figure = f", {headline['figure']} {headline['value']}" if headline else ""
    say(f"{run['id']}  {run['state']}{figure}")
    return 1 if run["state"] in {"invalid", "failed"} else 0

"""``lydite list``: discovery."""

from __future__ import annotations

import click

from lydite.cli.catalogue import KINDS
from lydite.cli.output import write_report
from lydite.cli.verbs import text_or_json

EPILOG = """\b
Examples:
  lydite list profiles
  lydite list quirks --format json
"""


@click.command("list", epilog=EPILOG)
@click.argument("kind", type=click.Choice(tuple(KINDS)), default="tasks")
@text_or_json
def command(kind: str, layout: str) -> None:
    """List tasks, profiles, formats, metrics, quirks, settings, guidelines or causes."""
    records = KINDS[kind]()
    width = max(len(str(record["name"])) for record in records)
    lines = []
    for record in records:
        mark = "  (default)" if record.get("default") else ""
        lines.append(f"{record['name']:<{width}}  {record['title']}{mark}")
    write_report(layout, records, "\n".join(lines) + "\n")

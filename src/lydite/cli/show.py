"""``lydite show``: one thing in full."""

from __future__ import annotations

import click

from lydite.cli.catalogue import KINDS, find, profile_values
from lydite.cli.output import write_report
from lydite.cli.verbs import text_or_json

SINGULAR = {kind if kind == "guidelines" else kind[:-1]: kind for kind in KINDS}

EPILOG = """\b
Examples:
  lydite show profile nugget/kbp2015
  lydite show quirk skip-documents-without-gold
  lydite show metric detection
  lydite show guidelines kbp2014
"""


@click.command("show", epilog=EPILOG)
@click.argument("kind", type=click.Choice(tuple(SINGULAR)))
@click.argument("name")
@text_or_json
def command(kind: str, name: str, layout: str) -> None:
    """Show a task, profile, format, metric, quirk, setting or the guidelines of an assessment."""
    if kind == "guidelines":
        _show_guidelines(name, layout)
        return
    record = find(SINGULAR[kind], name)
    if kind == "profile":
        _show_profile(name, layout)
        return
    write_report(layout, record, "\n".join(_fields(record)) + "\n")


def _show_guidelines(name: str, layout: str) -> None:
    from lydite.assess.guidelines import load_guidelines

    found = load_guidelines(name)
    write_report(layout, found.content, found.text())


def _fields(record: dict[str, object]) -> list[str]:
    width = max(map(len, record))
    shown = {
        key: ", ".join(map(str, value)) if isinstance(value, list) else value for key, value in record.items()
    }
    return [f"{key:<{width}}  {value}" for key, value in shown.items() if value not in {"", None}]


def _show_profile(name: str, layout: str) -> None:
    profile, values = profile_values(name)
    document = {
        "name": f"{profile.task}/{profile.name}",
        "title": profile.title,
        "reproduces": profile.reproduces,
        "notes": profile.notes,
        "settings": dict(profile.values),
    }
    lines = [
        f"{profile.task}/{profile.name}: {profile.title}",
        f"reproduces: {profile.reproduces}",
        profile.notes,
    ]
    width = max(len(value["name"]) for value in values)
    for table in dict.fromkeys(value["table"] for value in values):
        lines += ["", f"[{table}]"]
        lines += [
            f"{value['name']:<{width}}  {value['value']}" for value in values if value["table"] == table
        ]
    write_report(layout, document, "\n".join(lines) + "\n")

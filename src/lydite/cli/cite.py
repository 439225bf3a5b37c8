"""``lydite cite``: print BibTeX entries."""

from __future__ import annotations

import click

from lydite.citations import citations
from lydite.cli.output import write_output
from lydite.errors import UsageError
from lydite.metrics import METRICS
from lydite.registry import did_you_mean
from lydite.tasks import TASKS
from lydite.version import __version__

EPILOG = """\b
Examples:
  lydite cite                 lydite itself
  lydite cite nugget          what to cite for a task
  lydite cite detection       what to cite for a metric
"""


@click.command("cite", epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="[TASK|METRIC]…")
def command(names: tuple[str, ...]) -> None:
    """Print BibTeX entries for tasks and metrics; without a name, for lydite itself."""
    entries = citations()
    keys = ["lydite"]
    for name in names:
        if name in TASKS:
            keys += TASKS[name].cite
        elif name in METRICS:
            keys += METRICS[name].cite.split(",")
        else:
            hint = did_you_mean(name, [*TASKS, *METRICS])
            raise UsageError(f"no task or metric {name!r}", hint=hint)
    keys = [key.strip() for key in dict.fromkeys(keys)]
    if unknown := [key for key in keys if key not in entries]:
        hint = "see the documentation of the package that adds the metric or the task"
        raise UsageError(f"no source {', '.join(map(repr, unknown))} in lydite", hint=hint)
    written = []
    for key in keys:
        entry = entries[key]
        fields = {name: value.format(version=__version__) for name, value in entry.items() if name != "kind"}
        width = max(map(len, fields))
        lines = [f"  {name:<{width}} = {{{value}}}," for name, value in fields.items()]
        written.append("\n".join([f"@{entry['kind']}{{{key},", *lines, "}"]))
    write_output("\n\n".join(written) + "\n", None)

"""``lydite score … --profile A,B``: the headlines of several profiles in one table, with a signature for each."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lydite.cli.options import choice_from_options
from lydite.cli.output import REMARKS, RENDERERS, show_findings, show_notes, write_output
from lydite.errors import UsageError
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides
from lydite.model import Summary
from lydite.report.tables import Table, figure_name, figure_text, signature_line


def profiles_in(profile: str | None) -> list[str]:
    """The names of several profiles; none if one profile is named, or none."""
    if profile is None or "," not in profile or profile.endswith(".toml"):
        return []
    return [name.strip() for name in profile.split(",") if name.strip()]


def show_side_by_side(
    ctx: click.Context,
    task: str | None,
    profiles: Sequence[str],
    paths: Sequence[str],
    *,
    layout: str,
    output: str | None,
    quiet: bool,
) -> int:
    """Score the same files under every profile and print the headlines."""
    if layout not in RENDERERS:
        known = ", ".join(RENDERERS)
        raise UsageError(f"--format {layout} is for one profile", hint=f"several are shown as {known}")
    summaries: list[Summary] = []
    for name in profiles:
        request, corpora = read_sides(
            choice_from_options(ctx, task)._replace(profile=name),
            paths[0],
            paths[1:],
        )
        summary = score_sides(request, corpora)
        show_notes([f"{name}: {note}" for note in request.notes], quiet=quiet)
        show_findings(
            [one._replace(message=f"{name}: {one.message}") for one in summary.findings], quiet=quiet
        )
        summaries.append(summary)
    rows = [row for summary in summaries for row in _rows(summary)]
    columns = ("profile", "system", "figure", "P", "R", "value")
    blocks = [
        RENDERERS[layout](
            Table(f"{summaries[0].task} under {len(profiles)} profiles", columns, tuple(rows), text_columns=3)
        )
    ]
    lines = [signature_line(one.signature, layout) for one in summaries]
    blocks += lines if layout == "text" else map(REMARKS[layout], lines)
    write_output("\n\n".join([blocks[0], "\n".join(blocks[1:])]) + "\n", output)
    return 0


def _rows(summary: Summary) -> list[tuple[str, ...]]:
    """The headline of every system."""
    lead = summary.headline
    found = []
    for row in summary.corpus_rows():
        if (row.measurement, row.metric, row.average) == (
            lead["measurement"],
            lead["metric"],
            lead["average"],
        ):
            sides = ("precision", "recall")
            shown = ["" if getattr(row.score, name) is None else figure_text(row, name) for name in sides]
            found.append(
                (summary.profile, row.system, figure_name(lead), *shown, figure_text(row, lead["figure"]))
            )
    return found

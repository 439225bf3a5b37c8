"""Summaries as users get them: they show themselves, and call systems what they are to be called."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from lydite.errors import Finding
from lydite.frozen import FrozenDict
from lydite.model import Input, PlainSummary
from lydite.pipeline import signed_inputs
from lydite.pipeline.reading import PathLike
from lydite.records import fields, replace

AnySummary = TypeVar("AnySummary", bound=PlainSummary)


class Summary(PlainSummary):
    """A summary that shows itself: ``print`` gives the table of the command line, a notebook one in HTML, ``show`` a page."""

    __slots__ = ()

    def __str__(self) -> str:
        from lydite.report.tables import heading, overview, signature_line
        from lydite.report.text import plain_text

        return f"{heading(self)}\n\n{plain_text(overview(self))}\n\n{signature_line(self.signature, 'text')}"

    def _repr_html_(self) -> str:
        from lydite.report.tables import html_table, overview

        return html_table(overview(self)) + f"<p><code>{self.signature}</code></p>"

    def show(self, path: PathLike | None = None) -> str:
        """Write the page of this summary (to a temporary file, if no path is given) and open it in a browser.

        It has what the summary has: scores and breakdowns.  ``lydite report`` adds intervals, errors and texts; the page
        names the command.
        """
        import tempfile
        import webbrowser
        from pathlib import Path

        from lydite.report.page.build import page
        from lydite.report.page.material import Material
        from lydite.writing import write_file

        if path is None:
            path = Path(tempfile.mkdtemp(prefix="lydite-")) / "page.html"
        absent = dict.fromkeys(("budget", "confusion", "curves", "differences"), _in_reports(self))
        write_file(path, page(Material(self, absent=absent)))
        webbrowser.open(Path(path).absolute().as_uri())
        return os.fspath(path)


def _in_reports(summary: PlainSummary) -> str:
    """What makes the page with everything: the command for these inputs, where they came from files."""
    import shlex

    paths = [item.path for item in summary.inputs]
    said = shlex.join([summary.task, *paths]) if all(paths) else f"{summary.task} GOLD SYSTEM …"
    same = " and the same options" if summary.departures else ""
    profile = shlex.quote(summary.profile)
    return f"Scores alone do not tell; lydite report {said} --profile {profile} -o page.html{same} does."


def public_summary(plain: PlainSummary) -> Summary:
    """The same summary as the public class."""
    return Summary(**{one.name: getattr(plain, one.name) for one in fields(plain)})


def best_per_team(summary: PlainSummary, teams: Mapping[str, str]) -> list[str]:
    """The best run of every team by the headline, in the order of the summary; a system without a team is its own.

    ``teams`` are by path: a folder before a name may only tell it from an equal one.
    """
    paths = {item.name: item.path for item in summary.inputs if item.role == "system"}
    best: dict[tuple[str, ...], str] = {}

    def place(name: str) -> float:
        figure = summary.headline_score(name)
        return float("-inf") if figure is None else figure

    for name in sorted(summary.systems, key=place, reverse=True):
        path = paths[name]
        best.setdefault((teams[path],) if path in teams else (path, name), name)
    return [name for name in summary.systems if name in best.values()]


def numbered(summary: PlainSummary, names: Sequence[str]) -> dict[str, str]:
    """Numbers for the names of systems, in the order of the hashes of what they say, which tells nobody anything."""
    contents = {item.name: item.content for item in summary.inputs if item.role == "system"}
    order = sorted(names, key=lambda name: (contents[name], name))
    digits = len(str(len(order)))
    return {name: f"system-{number:0{digits}}" for number, name in enumerate(order, 1)}


def with_names(summary: AnySummary, names: Mapping[str, str]) -> AnySummary:
    """The summary of the systems that have a name here, under that name; where names are new, paths are hidden too."""
    if all(names.get(name) == name for name in summary.systems):
        return summary
    systems = [item for item in summary.inputs if item.role == "system"]
    paths = {item.path: names[item.name] for item in systems if names.get(item.name, item.name) != item.name}
    inputs = tuple(
        item._replace(name=names[item.name], path=paths.get(item.path, item.path))
        if item.role == "system"
        else item
        for item in summary.inputs
        if item.role != "system" or item.name in names
    )
    return replace(
        summary,
        rows=tuple(row._replace(system=names[row.system]) for row in summary.rows if row.system in names),
        inputs=inputs,
        signature=signed_with(summary, inputs),
        diagnosis=FrozenDict(
            {
                key: [_called(names[entry["system"]], entry) for entry in entries if entry["system"] in names]
                for key, entries in summary.diagnosis.items()
            }
        ),
        findings=tuple(_findings_under(names, summary)),
    )


def _called(name: str, entry: Mapping[str, object]) -> Mapping[str, object]:
    """What a document of a system showed, under a name; a new one also stands for what the file calls its run."""
    run_name = {"run": name} if "run" in entry and name != entry["system"] else {}
    return {**entry, "system": name, **run_name}


def _findings_under(names: Mapping[str, str], summary: PlainSummary) -> Iterator[Finding]:
    """The findings without those of systems that have no name here; new names stand for old ones, and for paths."""
    told = dict(names)
    homes: dict[str, str | None] = {}
    for item in summary.inputs:
        if item.role != "system":
            homes.setdefault(item.path, item.path)
        elif item.name in names:
            homes[item.path] = item.path if names[item.name] == item.name else names[item.name]
            if item.path not in {homes[item.path], "-"}:  # a hyphen also stands in sentences
                told[item.path] = names[item.name]
        else:
            homes.setdefault(item.path, None)
    called = "|".join(map(re.escape, sorted(filter(None, told), key=len, reverse=True)))

    def under(said: str) -> str:
        return re.sub(rf"(?<!\w)(?:{called})(?!\w)", lambda found: told[found[0]], said) if called else said

    for finding in summary.findings:
        location = finding.location
        if location is not None:
            home = max((path for path in homes if is_inside(location.path, path)), key=len, default=None)
            shown = location.path if home is None else homes[home]
            if shown is None:
                continue
            if shown != home:
                location = location._replace(path=shown)
        hint = None if finding.hint is None else under(finding.hint)
        yield finding._replace(message=under(finding.message), hint=hint, location=location)


def is_inside(path: str, home: str) -> bool:
    """Whether a path is that of a side, or of a file in its folder or archive."""
    place, root = os.path.normpath(path), os.path.normpath(home)
    return place == root or place.startswith((f"{root}{os.sep}", f"{root}!"))


def signed_with(summary: PlainSummary, inputs: Sequence[Input]) -> str:
    """The signature of a summary with other inputs."""
    head, _, _ = summary.signature.partition("|gold:")
    return f"{head}{signed_inputs(inputs)}|v:{summary.version}"

"""Summaries with other systems: the best of each team, renamed, or with numbers for names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from lydite.errors import Finding
from lydite.frozen import FrozenDict
from lydite.model import Input, Summary
from lydite.pipeline.running import signed_inputs


def best_per_team(summary: Summary, teams: Mapping[str, str]) -> list[str]:
    """The best run of every team by the headline, in the order of the summary; a system without a team counts as one.

    ``teams`` are by path, since two teams may have runs of one name.
    """
    paths = {item.name: item.path for item in summary.inputs if item.role == "system"}
    best: dict[tuple[str, ...], str] = {}

    def headline(name: str) -> float:
        figure = summary.headline_score(name)
        return float("-inf") if figure is None else figure

    for name in sorted(summary.systems, key=headline, reverse=True):
        path = paths[name]
        best.setdefault((teams[path],) if path in teams else (path, name), name)
    return [name for name in summary.systems if name in best.values()]


def anonymous_names(summary: Summary, names: Sequence[str]) -> dict[str, str]:
    """Names with numbers for systems: in the order of the hashes of their content, which reveals nothing."""
    contents = {item.name: item.content for item in summary.inputs if item.role == "system"}
    order = sorted(names, key=lambda name: (contents[name], name))
    digits = len(str(len(order)))
    return {name: f"system-{number:0{digits}}" for number, name in enumerate(order, 1)}


def rename_systems(summary: Summary, names: Mapping[str, str]) -> Summary:
    """The summary with systems renamed; systems without a name here are left out, and the path of a renamed one is hidden."""
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
    diagnosis = {
        key: [_rename_entry(names[one["system"]], one) for one in entries if one["system"] in names]
        for key, entries in summary.diagnosis.items()
    }
    return replace(
        summary,
        rows=tuple(row._replace(system=names[row.system]) for row in summary.rows if row.system in names),
        inputs=inputs,
        signature=signature_of_inputs(summary, inputs),
        diagnosis=FrozenDict(diagnosis),
        findings=tuple(_rename_in_findings(names, summary)),
    )


def _rename_entry(name: str, entry: Mapping[str, object]) -> Mapping[str, object]:
    """An entry of the diagnosis under the name of its system; a new name also replaces the run's name in the file."""
    run_name = {"run": name} if "run" in entry and name != entry["system"] else {}
    return {**entry, "system": name, **run_name}


def _rename_in_findings(names: Mapping[str, str], summary: Summary) -> Iterator[Finding]:
    """The findings with new names for systems and their paths; those of systems that are left out are dropped."""
    new_names = dict(names)
    new_paths: dict[str, str | None] = {}
    for item in summary.inputs:
        if item.role != "system":
            new_paths.setdefault(item.path, item.path)
        elif item.name in names:
            new_paths[item.path] = item.path if names[item.name] == item.name else names[item.name]
            if item.path not in {new_paths[item.path], "-"}:  # a hyphen also stands in sentences
                new_names[item.path] = names[item.name]
        else:
            new_paths.setdefault(item.path, None)
    old_names = "|".join(map(re.escape, sorted(filter(None, new_names), key=len, reverse=True)))

    def rename(text: str) -> str:
        if not old_names:
            return text
        return re.sub(rf"(?<!\w)(?:{old_names})(?!\w)", lambda found: new_names[found[0]], text)

    for finding in summary.findings:
        location = finding.location
        if location is not None:
            home = max((path for path in new_paths if is_inside(location.path, path)), key=len, default=None)
            new_path = location.path if home is None else new_paths[home]
            if new_path is None:
                continue
            if new_path != home:
                location = location._replace(path=new_path)
        hint = None if finding.hint is None else rename(finding.hint)
        yield finding._replace(message=rename(finding.message), hint=hint, location=location)


def is_inside(path: str, side: str) -> bool:
    """Whether a path is that of a side, or of a file in its folder or archive."""
    place, root = os.path.normpath(path), os.path.normpath(side)
    return place == root or place.startswith((f"{root}{os.sep}", f"{root}!"))


def signature_of_inputs(summary: Summary, inputs: Sequence[Input]) -> str:
    """The signature of a summary with other inputs."""
    head, _, _ = summary.signature.partition("|gold:")
    return f"{head}{signed_inputs(inputs)}|v:{summary.version}"

"""``lydite corpus profile``."""

from __future__ import annotations

import click

from lydite.cli.output import show_findings, write_json_or_text
from lydite.cli.parameters import text_or_json_option, verbosity_options
from lydite.errors import errors_among
from lydite.escaping import counted
from lydite_corpus.profiles import check_profiles, confusable_groups, propose_kinds, read_profiles

EPILOG = """\b
Examples:
  lydite corpus profile targets.jsonl --check
  lydite corpus profile targets.jsonl --format json
"""


@click.command("profile", epilog=EPILOG)
@click.argument("targets")
@click.option("--check", is_flag=True, help="exit with status 1 if a profile has an error")
@text_or_json_option
@verbosity_options
def command(
    targets: str,
    *,
    check: bool,
    layout: str,
    quiet: bool,
    verbose: bool,
) -> int:
    """Check target profiles, and propose where an alias should be a variant or a variant an alias.

    A name is a variant if its similarity to the handle is at least 0.5 or if it shares a word with it, else an alias.
    A proposal is not an error: a person decides.
    """
    profiles = read_profiles(targets)
    findings = check_profiles(profiles, targets)
    proposed = [(profile.id, name, says, other) for profile, name, says, other in propose_kinds(profiles)]
    show_findings(findings, show_all=verbose, quiet=quiet)
    groups = confusable_groups(profiles)
    columns = ("target", "name", "says", "proposed")
    document = {
        "schema": "lydite.target-profiles/1",
        "targets": len(profiles),
        "aliases": sum(len(profile.aliases) for profile in profiles),
        "variants": sum(len(profile.variants) for profile in profiles),
        "confusable_groups": len(set(groups.values())),
        "proposals": [dict(zip(columns, row, strict=True)) for row in proposed],
        "findings": [finding.to_dict() for finding in findings],
    }
    lines = [
        f"{target}: {name!r} is listed as {says}, {other} is proposed"
        for target, name, says, other in proposed
    ]
    kinds = ("aliases", "variants", "confusable_groups")
    counts = ", ".join(f"{document[key]} {key.replace('_', ' ')}" for key in kinds)
    results = f"{counted(len(proposed), 'proposal')}, {counted(len(errors_among(findings)), 'error')}"
    lines.append(f"{counted(len(profiles), 'target')}: {counts}; {results}")
    write_json_or_text(layout, document, "\n".join(lines) + "\n")
    return int(check and bool(errors_among(findings)))

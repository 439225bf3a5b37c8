"""``lydite corpus profile``."""

from __future__ import annotations

import click

from lydite.cli.option_records import TEXT_OR_JSON, OptionRecord, TalkOptions, group, option, options_from
from lydite.cli.output import show_findings, write_report
from lydite.corpus.profiles import check_profiles, confusable_groups, proposals, read_profiles
from lydite.errors import errors_among
from lydite.escaping import counted

EPILOG = """\b
Examples:
  lydite corpus profile targets.jsonl --check
  lydite corpus profile targets.jsonl --format json
"""


class _Options(OptionRecord):
    check: bool = option("exit status 1 if a check finds an error")
    layout: str = TEXT_OR_JSON
    talk: TalkOptions = group(TalkOptions)


@click.command("profile", epilog=EPILOG)
@click.argument("targets")
@options_from(_Options)
def command(targets: str, options: _Options) -> int:
    """Check target profiles, and propose alias or variant where the file says the other.

    A name is a variant if it is similar to the handle (0.5 or more) or shares a word with it, else an alias.  The
    command proposes, a person decides; a proposal is not an error.
    """
    profiles = read_profiles(targets)
    findings = check_profiles(profiles, targets)
    proposed = [(one.id, name, says, other) for one, name, says, other in proposals(profiles)]
    show_findings(findings, show_all=options.talk.verbose, quiet=options.talk.quiet)
    groups = confusable_groups(profiles)
    document = {
        "schema": "lydite.target-profiles/1",
        "targets": len(profiles),
        "aliases": sum(len(profile.aliases) for profile in profiles),
        "variants": sum(len(profile.variants) for profile in profiles),
        "confusable_groups": len(set(groups.values())),
        "proposals": [
            dict(zip(("target", "name", "says", "proposed"), row, strict=True)) for row in proposed
        ],
        "findings": [finding.to_dict() for finding in findings],
    }
    lines = [
        f"{target}: {name!r} is listed as {says}, {other} is proposed"
        for target, name, says, other in proposed
    ]
    counts = ", ".join(
        f"{document[key]} {key.replace('_', ' ')}" for key in ("aliases", "variants", "confusable_groups")
    )
    told = f"{counted(len(proposed), 'proposal')}, {counted(len(errors_among(findings)), 'error')}"
    lines.append(f"{counted(len(profiles), 'target')}: {counts}; {told}")
    write_report(options.layout, document, "\n".join(lines) + "\n")
    return int(options.check and bool(errors_among(findings)))

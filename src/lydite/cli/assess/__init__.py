"""``lydite assess``: assessment and adjudication; each sub-verb is one small module, loaded when it is called."""

from __future__ import annotations

from importlib import import_module

import click

from lydite.errors import UsageError

VERBS = {
    "quote-filter": (
        "lydite.cli.assess.quote_filter",
        "Build a quote filter from source documents, or apply one.",
    ),
    "pool": ("lydite.cli.assess.pool", "Pool the output of systems for assessment."),
    "import": ("lydite.cli.assess.import_", "Add a pool to an annotation store."),
    "sheet": ("lydite.cli.assess.sheet", "Write an assessment sheet (CSV, XLSX)."),
    "read-sheet": ("lydite.cli.assess.read_sheet", "Read the judgements of a sheet into the store."),
    "status": ("lydite.cli.assess.status", "Show how far the assessment has come."),
    "agree": ("lydite.cli.assess.agree", "Compare two assessors."),
    "merge": ("lydite.cli.assess.merge", "Merge two annotation stores; the first one wins."),
    "repair": ("lydite.cli.assess.repair", "Make a raw assessment release consistent."),
    "queue": ("lydite.cli.assess.queue", "ACE: write what systems found beyond gold, for people to judge."),
    "apply": ("lydite.cli.assess.apply", "ACE: score with the decisions of judges."),
}
"""Sub-verb, module with a command of that name, one sentence."""


def counted(number: int, noun: str) -> str:
    """``1 document``, ``2 documents``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class AssessVerbs(click.Group):
    """The sub-verbs; a module is imported when its sub-verb is called."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        """The names of the sub-verbs, in the order of the workflow."""
        return list(VERBS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a sub-verb, or None."""
        if cmd_name not in VERBS:
            return None
        command = getattr(import_module(VERBS[cmd_name][0]), "command")  # noqa: B009 - the one name all verbs share
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does, with near names for a misspelt sub-verb."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            from lydite.registry import did_you_mean

            hint = did_you_mean(args[0], list(VERBS)) or "see lydite assess --help"
            raise UsageError(f"no sub-verb 'assess {args[0]}'", hint=hint)
        return super().resolve_command(ctx, args)

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The sub-verbs with their sentences, without loading them."""
        with formatter.section("Sub-verbs"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in VERBS.items()])


EPILOG = """\b
Examples:
  lydite assess pool run1/ run2.zip --filter quotes.filter -o pool/
  lydite assess import pool/ annotation/
  lydite assess sheet annotation/ --documents texts/ -o sheet.xlsx
  lydite assess read-sheet sheet.xlsx annotation/
"""


@click.group("assess", cls=AssessVerbs, epilog=EPILOG)
def command() -> None:
    """Assess what systems found: from their output to judgements that can be scored against.

    Event arguments go through pool, import, sheet and the rest; queue and apply adjudicate ACE targets.

    Every command writes to a temporary name and renames, so that an interrupted one leaves the store as it was.
    """

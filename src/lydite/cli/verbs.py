"""Verbs whose modules are loaded when they are called, and what the help texts of many verbs share."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

import click

from lydite.errors import UsageError
from lydite.registry import did_you_mean


class LazyVerbs(click.Group):
    """Verbs by name, each with the place of its command (``module`` or ``module:name``) and one sentence for the help.

    ``more_verbs`` gives verbs of other packages; they are looked up when a word is not a verb of the table.
    """

    def __init__(
        self,
        *arguments: Any,
        verbs: Mapping[str, tuple[str, str]],
        more_verbs: Callable[[], Mapping[str, tuple[str, str]]] = dict,
        extras: Mapping[str, str] = {},
        noun: str = "verb",
        **more: Any,
    ) -> None:
        super().__init__(*arguments, **more)
        self.own_verbs, self.more_verbs, self.extras, self.noun = verbs, more_verbs, extras, noun

    @property
    def verbs(self) -> dict[str, tuple[str, str]]:
        """All verbs."""
        return {**self.own_verbs, **self.more_verbs()}

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of the verbs, in the order of the table."""
        return [*self.verbs]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - as above
        """The command of a verb, or None."""
        verb = self.own_verbs.get(cmd_name) or self.more_verbs().get(cmd_name)
        if verb is None:
            return None
        module, _, name = verb[0].partition(":")
        command = getattr(import_module(module), name or "command")
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command of the first argument; near names for a misspelt verb."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise UsageError(f"no {self.noun} {args[0]!r}", hint=self._hint(ctx, args))
        return super().resolve_command(ctx, args)

    def _hint(self, ctx: click.Context, args: list[str]) -> str:
        from lydite.tasks import TASKS

        if args[0] in self.extras:
            return f"it is in another package: pip install 'lydite[{self.extras[args[0]]}]'"
        if os.path.exists(args[0]) or args[0] in TASKS:  # noqa: PTH110 - a word of the command line
            example = " ".join([ctx.command_path, next(iter(self.own_verbs)), *args[:3]])
            return f"the {self.noun} comes first: {example}"
        return did_you_mean(args[0], [*self.verbs]) or f"see {ctx.command_path} --help"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - as above
        """The verbs with their sentences, without loading them."""
        with formatter.section(f"{self.noun.capitalize()}s"):
            formatter.write_dl([(name, sentence) for name, (_, sentence) in self.verbs.items()])


def examples_epilog(*lines: str) -> str:
    """The examples at the end of a command's help; the backspace keeps click from wrapping them."""
    return "\n".join(["\b", "Examples:", *(f"  {line}" for line in lines)])

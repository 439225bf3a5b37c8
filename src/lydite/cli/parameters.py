"""Types of the values of options, and options that many commands share, each as a decorator."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

from lydite.escaping import is_utf_8, printable
from lydite.numerals import WHOLE, is_whole

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]


class Text(click.types.StringParamType):
    """A text that is not empty: an empty variable in a script would silently switch the option off."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text."""
        if not value:
            expected = getattr(param, "metavar", None) or "a value"
            self.fail(f"expected {expected}, found nothing", param, ctx)
        return super().convert(value, param, ctx)


class UTF8Text(Text):
    """A text that is valid UTF-8, because it is stored or sent as text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text."""
        return utf8_text(super().convert(value, param, ctx))


def utf8_text(value: str) -> str:
    """A text that is valid UTF-8 and may be empty."""
    if not is_utf_8(value):
        raise click.BadParameter(f"expected text in UTF-8, found {printable(value)}")
    return value


class WholeNumber(click.IntRange):
    """An integer of a sensible size."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The integer."""
        number = super().convert(value, param, ctx)
        if not is_whole(number):
            self.fail(f"expected {WHOLE}, found {str(number)[:20]}…", param, ctx)
        return number


class NumberRange(click.FloatRange):
    """A number in a range; unlike click's own type, it refuses ``nan``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


TEXT, UTF8_TEXT = Text(), UTF8Text()
POSITIVE, NATURAL = WholeNumber(1), WholeNumber(0)


def layout_option(*layouts: str, help: str = "layout of the output") -> Decorator[F]:  # noqa: A002 - the word that click uses
    """``--format`` with these layouts; the first one is the default."""
    return click.option("--format", "layout", type=click.Choice(layouts), default=layouts[0], help=help)


text_or_json_option: Decorator[Any] = layout_option("text", "json")
output_option = click.option(
    "-o", "--output", type=TEXT, metavar="FILE", help="write to a file instead of stdout"
)
runs_option = click.option(
    "--runs", type=TEXT, metavar="DIR", help="each entry of DIR is a system, or a team with its runs"
)


def options(*decorators: Decorator[Any]) -> Decorator[F]:
    """Several options as one decorator; the help shows them in this order."""

    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


verbosity_options: Decorator[Any] = options(
    click.option("-q", "--quiet", is_flag=True, help="show errors only, and no progress"),
    click.option("-v", "--verbose", is_flag=True, help="show all findings, including notes"),
)

"""The options of a command, declared once: as the fields of a record.

::

    class Options(OptionRecord):
        by: str | None = option("break the scores down", metavar="doc,type,…")
        output: str | None = OUTPUT
        talk: TalkOptions = group(TalkOptions)


    @click.command("score")
    @options_from(Options)
    def command(options: Options) -> int: ...

``show_columns`` is ``--show-columns`` unless flags are named.  A ``bool`` is a switch, a tuple of any length may be
repeated; defaults are shown.  Everything else is said as :func:`click.option` wants it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ClassVar, TypeVar, cast

import click

from lydite.errors import UsageError
from lydite.escaping import is_utf_8, printable
from lydite.numerals import WHOLE, is_whole
from lydite.records import NamedTuple


class Option(click.Option):
    """An option whose help is one line: click trims longer ones, and loads ``inspect`` for it."""

    def __init__(self, *arguments: Any, help: str | None = None, **more: Any) -> None:  # noqa: A002 - the word that click uses
        super().__init__(*arguments, **more)
        self.help = help


class _Option(NamedTuple):
    """A declaration, which gets its name from the field that it is given to."""

    flags: tuple[str, ...]
    make: partial[Option]
    may_be_empty: bool = False

    def parameter(self, field: str, kind: str) -> click.Option:
        """What click makes of it; ``kind`` is the type of the field as it is written."""
        flags = self._flags(field)
        if kind == "bool":
            return self.make([*flags, field], is_flag=True)
        return self.make([*flags, field], multiple=kind.endswith(", ...]"))

    def checked(self, field: str, value: object) -> object:
        """The value that was given, if it says something: no number too large to count with, no empty name."""
        if value == "" and self.make.keywords.get("default") is None and not self.may_be_empty:
            # An empty variable in a script, which would switch off what the option asks for.
            wanted = self.make.keywords.get("metavar") or "a value"
            raise UsageError(f"{self._flags(field)[-1]}: expected {wanted}, found nothing")
        if isinstance(value, int) and not isinstance(value, bool) and not is_whole(value):
            flag = self._flags(field)[-1]
            raise UsageError(f"{flag}: expected {WHOLE}, found {str(value)[:20]}…")
        return value

    def _flags(self, field: str) -> tuple[str, ...]:
        return self.flags or (f"--{field.replace('_', '-')}",)


class NumberRange(click.FloatRange):
    """A number from a range; ``nan``, which is in none, passes where click looks for the ends alone."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As click does."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class OptionRecord:
    """What is said on the command line: one field for each option, or for a group of them."""

    _declared: ClassVar[Mapping[str, _Option | type[OptionRecord]]] = {}

    def __init_subclass__(cls) -> None:
        cls._declared = {field: one for field, one in vars(cls).items() if isinstance(one, _Option | type)}

    def __init__(self, given: Mapping[str, object]) -> None:
        for field, one in self._declared.items():
            setattr(self, field, one.checked(field, given[field]) if isinstance(one, _Option) else one(given))

    @classmethod
    def parameters(cls) -> Sequence[click.Option]:
        """The options in the order of the fields, those of a group in its place."""
        found: list[click.Option] = []
        for field, one in cls._declared.items():
            if isinstance(one, _Option):
                found.append(one.parameter(field, cls.__annotations__[field]))
            else:
                found.extend(one.parameters())
        return found


R = TypeVar("R", bound=OptionRecord)


def telling_option(*flags: str, help: str, tell: Callable[[click.Context], str]) -> Option:  # noqa: A002 - as above
    """An option that prints something and ends the command, as ``--help`` does.

    click's own look for translations when they are made, which a run that scores need not wait for.
    """

    def show(ctx: click.Context, _option: click.Parameter, wanted: bool) -> None:
        if wanted and not ctx.resilient_parsing:
            click.echo(tell(ctx), color=ctx.color)
            ctx.exit()

    return Option([*flags], is_flag=True, expose_value=False, is_eager=True, callback=show, help=help)


def help_option() -> Option:
    """``--help``."""
    return telling_option("-h", "--help", help="Show this message and exit.", tell=click.Context.get_help)


def option(help: str, *flags: str, may_be_empty: bool = False, **more: Any) -> Any:  # noqa: A002 - as above
    """The declaration of one field of an :class:`OptionRecord`; a text that is empty is refused unless it may be so."""
    more.setdefault("show_default", more.get("default", "") not in {None, ""})
    return _Option(flags, partial(Option, help=help, **more), may_be_empty)


def group(record: type[R]) -> R:
    """The declaration of a field that holds the options of another record."""
    return cast("R", record)  # in a record that was made, one of its kind stands in its place


def text(value: str) -> str:
    """The type of a word that is kept or sent as text; bytes that are no UTF-8 are refused."""
    if not is_utf_8(value):
        raise click.BadParameter(f"expected text in UTF-8, found {printable(value)}")
    return value


def layouts(*names: str, help: str = "layout") -> str:  # noqa: A002 - as above
    """``--format``: the first one unless said."""
    declared: str = option(help, "--format", type=click.Choice(names), default=names[0])
    return declared


TEXT_OR_JSON = layouts("text", "json")
OUTPUT = option("write there instead of stdout", "-o", "--output", metavar="FILE")


class TalkOptions(OptionRecord):
    """How much is said on stderr."""

    quiet: bool = option("show errors only; no progress", "-q", "--quiet")
    verbose: bool = option("show every finding, notes too", "-v", "--verbose")


def options_from(record: type[OptionRecord]) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Give a command the options of a record; it takes them as ``options``, and its arguments by their names."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        parameters = record.parameters()
        names = {parameter.name for parameter in parameters}

        @wraps(function)
        def call(*arguments: object, **given: object) -> object:
            rest = {name: value for name, value in given.items() if name not in names}
            return function(*arguments, options=record(given), **rest)

        # As click's own decorators do, which stand the other way round.
        call.__dict__.setdefault("__click_params__", []).extend(reversed(parameters))
        return call

    return decorate

"""The options of a command, declared as the fields of a record.

::

    class Options(OptionRecord):
        by: str | None = option("break the scores down", metavar="doc,type,…")
        output: str | None = OUTPUT
        talk: TalkOptions = group(TalkOptions)


    @click.command("score")
    @options_from(Options)
    def command(options: Options) -> int: ...

``show_columns`` is ``--show-columns`` unless flags are named.  A ``bool`` is a switch, an option with a tuple of any
length may be repeated; defaults are shown.  All other arguments are those of :func:`click.option`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

import click

from lydite.errors import UsageError
from lydite.escaping import is_utf_8, printable
from lydite.numerals import WHOLE, is_whole


class Option(click.Option):
    """An option whose help is one line, taken as it is: click would load ``inspect`` to trim it."""

    def __init__(self, *arguments: Any, help: str | None = None, **more: Any) -> None:  # noqa: A002 - the word that click uses
        super().__init__(*arguments, **more)
        self.help = help


class _OptionDeclaration(NamedTuple):
    """The declaration of an option, which gets its name from its field."""

    flags: tuple[str, ...]
    make: partial[Option]
    may_be_empty: bool = False

    def parameter(self, field: str, kind: str) -> click.Option:
        """The option for click; ``kind`` is the annotation of the field."""
        flags = self._flags(field)
        if kind == "bool":
            return self.make([*flags, field], is_flag=True)
        return self.make([*flags, field], multiple=kind.endswith(", ...]"))

    def checked(self, field: str, value: object) -> object:
        """The value; refused if it is an empty text or too large a number."""
        if value == "" and self.make.keywords.get("default") is None and not self.may_be_empty:
            # An empty variable in a script would silently switch the option off.
            expected = self.make.keywords.get("metavar") or "a value"
            raise UsageError(f"{self._flags(field)[-1]}: expected {expected}, found nothing")
        if isinstance(value, int) and not isinstance(value, bool) and not is_whole(value):
            flag = self._flags(field)[-1]
            raise UsageError(f"{flag}: expected {WHOLE}, found {str(value)[:20]}…")
        return value

    def _flags(self, field: str) -> tuple[str, ...]:
        return self.flags or (f"--{field.replace('_', '-')}",)


class NumberRange(click.FloatRange):
    """A number in a range; unlike click's own type, it refuses ``nan``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number."""
        number = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class OptionRecord:
    """The options of a command, as they were given: a field for each option, or for a group of options."""

    _declared: ClassVar[Mapping[str, _OptionDeclaration | type[OptionRecord]]] = {}

    def __init_subclass__(cls) -> None:
        cls._declared = {
            field: one for field, one in vars(cls).items() if isinstance(one, _OptionDeclaration | type)
        }

    def __init__(self, given: Mapping[str, object]) -> None:
        for field, one in self._declared.items():
            value = one.checked(field, given[field]) if isinstance(one, _OptionDeclaration) else one(given)
            setattr(self, field, value)

    @classmethod
    def parameters(cls) -> Sequence[click.Option]:
        """The options for click in the order of the fields, those of a group in its place."""
        options: list[click.Option] = []
        for field, one in cls._declared.items():
            if isinstance(one, _OptionDeclaration):
                options.append(one.parameter(field, cls.__annotations__[field]))
            else:
                options.extend(one.parameters())
        return options


R = TypeVar("R", bound=OptionRecord)


def printing_option(*flags: str, help: str, text: Callable[[click.Context], str]) -> Option:  # noqa: A002 - as above
    """An option that prints a text and ends the command, like ``--help``; click's own ones would load translations."""

    def print_text(ctx: click.Context, _option: click.Parameter, is_given: bool) -> None:
        if is_given and not ctx.resilient_parsing:
            click.echo(text(ctx), color=ctx.color)
            ctx.exit()

    return Option([*flags], is_flag=True, expose_value=False, is_eager=True, callback=print_text, help=help)


def help_option() -> Option:
    """``--help``."""
    return printing_option("-h", "--help", help="Show this message and exit.", text=click.Context.get_help)


def option(help: str, *flags: str, may_be_empty: bool = False, **more: Any) -> Any:  # noqa: A002 - as above
    """The declaration of one field of an :class:`OptionRecord`; an empty text is refused unless ``may_be_empty``."""
    more.setdefault("show_default", more.get("default", "") not in {None, ""})
    return _OptionDeclaration(flags, partial(Option, help=help, **more), may_be_empty)


def option_group(record: type[R]) -> R:
    """The declaration of a field that holds the options of another record."""
    return cast("R", record)  # an instance of the record replaces it


def utf8_text(value: str) -> str:
    """The type of an argument that must be valid UTF-8, because it is stored or sent as text."""
    if not is_utf_8(value):
        raise click.BadParameter(f"expected text in UTF-8, found {printable(value)}")
    return value


def layout_option(*names: str, help: str = "layout of the output") -> str:  # noqa: A002 - as above
    """``--format`` with these layouts; the first one is the default."""
    declared: str = option(help, "--format", type=click.Choice(names), default=names[0])
    return declared


POSITIVE, NATURAL = click.IntRange(1), click.IntRange(0)
TEXT_OR_JSON = layout_option("text", "json")
OUTPUT = option("write to a file instead of stdout", "-o", "--output", metavar="FILE")


class VerbosityOptions(OptionRecord):
    """How much is printed to stderr."""

    quiet: bool = option("show errors only, and no progress", "-q", "--quiet")
    verbose: bool = option("show all findings, including notes", "-v", "--verbose")


VERBOSITY = option_group(VerbosityOptions)


def options_from(record: type[OptionRecord]) -> Callable[[Callable[..., object]], Callable[..., object]]:
    """Give a command the options of a record: they are its parameter ``options``, its arguments are named as usual."""

    def decorate(function: Callable[..., object]) -> Callable[..., object]:
        parameters = record.parameters()
        names = {parameter.name for parameter in parameters}

        @wraps(function)
        def call(*arguments: object, **given: object) -> object:
            rest = {name: value for name, value in given.items() if name not in names}
            return function(*arguments, options=record(given), **rest)

        # Reversed, as click's own decorators are applied from the last to the first.
        call.__dict__.setdefault("__click_params__", []).extend(reversed(parameters))
        return call

    return decorate

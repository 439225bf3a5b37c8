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

from collections.abc import Callable, Mapping, Sequence
from functools import partial, wraps
from typing import Any, ClassVar, TypeVar, cast

import click

from lydite.errors import UsageError
from lydite.numerals import WHOLE, is_whole
from lydite.records import NamedTuple


class _Option(NamedTuple):
    """A declaration, which gets its name from the field that it is given to."""

    flags: tuple[str, ...]
    make: Callable[..., click.Option]

    def parameter(self, field: str, kind: str) -> click.Option:
        """What click makes of it; ``kind`` is the type of the field as it is written."""
        flags = self._flags(field)
        if kind == "bool":
            return self.make([*flags, field], is_flag=True)
        return self.make([*flags, field], multiple=kind.endswith(", ...]"))

    def checked(self, field: str, value: object) -> object:
        """The value that was given, if it is no number or one that something can be counted with."""
        if isinstance(value, int) and not isinstance(value, bool) and not is_whole(value):
            flag = self._flags(field)[-1]
            raise UsageError(f"{flag}: expected {WHOLE}, found {str(value)[:20]}…")
        return value

    def _flags(self, field: str) -> tuple[str, ...]:
        return self.flags or (f"--{field.replace('_', '-')}",)


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


def option(help: str, *flags: str, **more: Any) -> Any:  # noqa: A002 - the word that click uses
    """The declaration of one field of an :class:`OptionRecord`."""
    more.setdefault("show_default", more.get("default", "") not in {None, ""})
    return _Option(flags, partial(click.Option, help=help, **more))


def group(record: type[R]) -> R:
    """The declaration of a field that holds the options of another record."""
    return cast("R", record)  # in a record that was made, one of its kind stands in its place


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

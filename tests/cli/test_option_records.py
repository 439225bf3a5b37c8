"""Options of commands, declared as the fields of a record."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from lydite.cli import run
from lydite.cli.option_records import OUTPUT, OptionRecord, layout_option, option, option_group, options_from
from lydite.errors import UsageError


class Loudness(OptionRecord):
    """How much is said."""

    quiet: bool = option("say less", "-q", "--quiet")


class Options(OptionRecord):
    """What is said on the command line."""

    layout: str = layout_option("text", "json")
    show_columns: str | None = option("which ones", metavar="A,B,…")
    loudness: Loudness = option_group(Loudness)
    tags: tuple[str, ...] = option("may be repeated", "--tag")
    seed: int = option("of the draws", default=7)
    output: str | None = OUTPUT


@click.command("try")
@click.argument("words", nargs=-1)
@options_from(Options)
def command(words: tuple[str, ...], options: Options) -> None:
    said = (
        options.layout, options.show_columns, options.loudness.quiet, options.tags, options.seed,
        options.output,
    )  # fmt: skip
    click.echo(f"{words} {said}")


def _run(*arguments: str) -> str:
    return CliRunner().invoke(command, arguments, catch_exceptions=False).output.strip()


def test_what_is_not_said_has_its_default() -> None:
    assert _run() == "() ('text', None, False, (), 7, None)"


def test_a_field_is_the_flag_of_its_name_unless_flags_are_named() -> None:
    said = _run("--show-columns", "a,b", "--tag", "x", "--tag", "y", "--seed", "3", "-o", "out")
    assert said == "() ('text', 'a,b', False, ('x', 'y'), 3, 'out')"


def test_an_empty_name_is_refused_since_it_would_be_taken_for_none() -> None:
    with pytest.raises(UsageError, match="--output: expected FILE, found nothing"):
        _run("-o", "")


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "0", "1e300"])
@pytest.mark.parametrize("words", [("report", "a", "b", "-o", "p.html", "--max-size"), ("worker", "--lease")])
def test_what_is_no_number_of_a_range_is_wrong_usage(words: tuple[str, ...], number: str) -> None:
    assert run([*words, number]) == 2


def test_arguments_go_to_the_command_and_groups_have_their_own_record() -> None:
    assert _run("a", "-q", "b", "--format", "json") == "('a', 'b') ('json', None, True, (), 7, None)"


def test_help_lists_options_in_the_order_of_the_fields_with_those_of_a_group_in_its_place() -> None:
    flags = [parameter.opts[-1] for parameter in command.params if isinstance(parameter, click.Option)]
    assert flags == ["--format", "--show-columns", "--quiet", "--tag", "--seed", "--output"]
    assert "[default: 7]" in _run("--help")

"""Types of the values of options, and options that many commands share."""

from __future__ import annotations

import click
import pytest
from click.testing import CliRunner

from lydite.cli import run
from lydite.cli.parameters import (
    NATURAL,
    TEXT,
    layout_option,
    options,
    output_option,
    utf8_text,
    verbosity_options,
)

shared = options(
    click.option("--first", type=TEXT, metavar="NAME", help="first"),
    click.option("--second", type=NATURAL, default=7, help="second"),
)


@click.command("try")
@layout_option("text", "json")
@shared
@click.option("--tag", "tags", type=TEXT, multiple=True, help="may be repeated")
@click.option("--title", type=utf8_text, default="", help="may be empty")
@output_option
@verbosity_options
def command(**given: object) -> None:
    click.echo(sorted(given.items()))


def _run(*arguments: str) -> tuple[int, str]:
    outcome = CliRunner().invoke(command, arguments)
    return outcome.exit_code, outcome.output


@pytest.mark.parametrize(("flag", "expected"), [("--first", "NAME"), ("--tag", "a value"), ("-o", "FILE")])
def test_an_empty_text_is_refused_since_it_would_be_taken_for_none(flag: str, expected: str) -> None:
    status, told = _run(flag, "")
    assert status == 2
    assert f"expected {expected}, found nothing" in told


def test_a_text_that_may_be_empty_is_taken() -> None:
    assert _run("--title", "")[0] == 0


@pytest.mark.parametrize("number", ["-1", "1" + "0" * 18, "x"])
def test_a_number_out_of_range_is_refused(number: str) -> None:
    assert _run("--second", number)[0] == 2


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "0", "1e300"])
@pytest.mark.parametrize("words", [("report", "a", "b", "-o", "p.html", "--max-size"), ("worker", "--lease")])
def test_what_is_no_number_of_a_range_is_wrong_usage(words: tuple[str, ...], number: str) -> None:
    assert run([*words, number]) == 2


def test_the_help_shows_options_in_the_order_of_their_decorators() -> None:
    flags = [parameter.opts[-1] for parameter in command.params if isinstance(parameter, click.Option)]
    assert flags == [
        "--format", "--first", "--second", "--tag", "--title", "--output", "--quiet", "--verbose",
    ]  # fmt: skip

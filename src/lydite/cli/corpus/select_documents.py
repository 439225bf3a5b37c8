"""``lydite corpus select-documents``."""

from __future__ import annotations

import click

from lydite.cli.corpus.select_targets import judged_in, targets_in
from lydite.cli.output import encode_json, write_output
from lydite.cli.verbs import OptionValue, text_or_json
from lydite.corpus.index import Index, open_index
from lydite.corpus.objective import Quota
from lydite.corpus.quality_page import page, text_report
from lydite.corpus.reposts import Told, find_reposts
from lydite.corpus.selection import STRATA, Selection, Wanted, select_documents
from lydite.errors import UsageError
from lydite.registry import did_you_mean

EPILOG = """\b
Examples:
  lydite corpus select-documents index/ targets.jsonl --count 10000 --drop-reposts --page report.html
  lydite corpus select-documents index/ targets.jsonl --count 400 --strata genre,lang --format json -o selection.json
"""


@click.command("select-documents", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@click.option(
    "--count", type=click.IntRange(1), default=10000, show_default=True, help="so many documents (K)"
)
@click.option("--judgements", multiple=True, metavar="FILE", help="stars of documents; may be repeated")
@click.option(
    "--strata", metavar="A,B", default="", help="keep the proportions of the pool: genre, source, lang"
)
@click.option(
    "--quota",
    "quotas",
    multiple=True,
    metavar="type=T:N",
    help="N mentions of targets of a type; may be repeated",
)
@click.option(
    "--upper",
    type=click.Choice(("hard", "soft")),
    default="hard",
    show_default=True,
    help="hard: no document that pushes a target over 100 mentions; soft: the formula as it stands",
)
@click.option(
    "--pairs/--no-pairs",
    default=True,
    help="want both of a confusable pair, also where that costs value  [default: pairs]",
)
@click.option("--drop-reposts", is_flag=True, help="leave out documents that repeat an older one")
@click.option(
    "--max-length",
    type=click.IntRange(1),
    metavar="N",
    help="cut threads after the last post within N characters; leave out longer texts",
)
@click.option("--seed", type=int, default=0, show_default=True, help="for documents that fill up")
@click.option("--page", "page_file", metavar="FILE", help="also write the report as a page (HTML)")
@click.option("-o", "--output", metavar="FILE", help="write the result there")
@text_or_json
def command(index: str, targets: str, **options: OptionValue) -> None:
    """Choose documents so that targets, their aliases and variants occur often enough.

    Lazy greedy on weighted coverage; the report certifies how near to the best possible value it came, and compares it
    with random and stratified choices.  What is missing to the count is filled with documents that mention no target.
    """
    strata = strata_of(options["strata"])
    quotas = tuple(map(_quota, options["quotas"]))
    profiles = targets_in(targets)
    opened = open_index(index)
    dropped = reposts_of(opened) if options["drop_reposts"] else {}
    selection = select_documents(
        opened,
        profiles,
        Wanted(
            options["count"],
            options["upper"] == "hard",
            strata,
            quotas,
            options["max_length"],
            options["seed"],
            options["pairs"],
        ),
        judged=judged_in(options["judgements"]),
        leave_out=dropped.keys(),
    )
    if options["page_file"]:
        write_output(page(selection), options["page_file"])
    write_output(told(selection, dropped, options["layout"]), options["output"])


def told(selection: Selection, dropped: dict[str, str], layout: str) -> bytes | str:
    """The result in a layout."""
    if layout == "json":
        reposts = [{"document": one, "kept": other} for one, other in sorted(dropped.items())]
        return encode_json({**selection.to_dict(), "reposts": reposts})
    text = text_report(selection)
    return text + f"reposts left out: {len(dropped)}\n" if dropped else text


def strata_of(text: str) -> tuple[str, ...]:
    """The names of strata between commas."""
    names = tuple(filter(None, text.split(",")))
    for name in names:
        if name not in STRATA:
            hint = did_you_mean(name, list(STRATA)) or f"one of {', '.join(STRATA)}"
            raise UsageError(f"--strata: no field {name!r}", hint=hint)
    return names


def _quota(text: str) -> Quota:
    kind, _, rest = text.partition("=")
    name, _, count = rest.rpartition(":")
    if kind != "type" or not name or not count.isdecimal() or not int(count):
        raise UsageError(f"--quota {text}: expected type=T:N, such as type=PER:500")
    return Quota(name, int(count))


def reposts_of(index: Index) -> dict[str, str]:
    """The documents of an index that repeat an older one, with that one."""
    about = {record.id: Told(record.id, record.date, record.genre) for record in index.records()}
    return {repost.document: repost.kept for repost in find_reposts(index.texts(), about)}

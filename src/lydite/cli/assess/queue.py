"""``lydite assess queue``: what systems found for the targets beyond gold, for people to judge."""

from __future__ import annotations

import click

from lydite.adjudication.files import choose_adjudication, read_corpora, text_reader
from lydite.adjudication.pool import (
    DOCUMENT,
    MENTION,
    QUEUE_COLUMNS,
    draw_sample,
    map_targets,
    pool,
    queue_row,
)
from lydite.cli.assess import is_quiet, quiet_option
from lydite.cli.option_records import NATURAL, OUTPUT, OptionRecord, option, options_from
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.output import print_to_stderr, warn_of_formulas, write_output
from lydite.escaping import counted, printable
from lydite.writing import json_lines

EPILOG = """\b
Examples:
  lydite assess queue gold/ run1/ run2/ --targets targets.jsonl -o queue.tsv
  lydite assess queue gold/ run1/ --targets t.txt --profile ace08-global-mentions --text texts/ --jsonl -o queue.jsonl
"""


class _Options(OptionRecord):
    targets: str = option("target entities, one per line or as JSON lines", required=True, metavar="FILE")
    profile: str = option("a cross-document profile of the ACE task", default="ace08-global")
    granularity: str | None = option(
        "judge documents or mentions; without a choice, mentions if the profile uses them",
        type=click.Choice((DOCUMENT, MENTION)),
    )
    text: str | None = option("source texts, for context: <document>.txt", metavar="DIR")
    max_items: int | None = option(
        "draw a sample if a target has more items outside the annotated documents", type=NATURAL
    )
    seed: int = option("of the sample", default=1)
    with_systems: bool = option("name the systems; without it judges stay blind to them")
    jsonl: bool = option("JSON lines instead of TSV")
    output: str | None = OUTPUT


@click.command("queue", epilog=EPILOG)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@options_from(_Options)
@quiet_option
def command(gold: str, systems: tuple[str, ...], options: _Options) -> None:
    """Write the spurious items of the system entities that are mapped to targets to a queue.

    Outside the annotated documents (those of GOLD) every item is judged, inside those that match no gold entity.
    Items of several systems that overlap are one.
    """
    refuse_overwriting_input([gold, *systems, options.targets, options.text], options.output)
    choice = choose_adjudication(options.profile, options.targets, options.granularity)
    corpora = read_corpora(choice, gold, systems)
    items = pool(map_targets(corpora[0], corpora[1:], choice.profile), choice.granularity)
    items = draw_sample(items, options.max_items, options.seed)
    text_of = text_reader(options.text)
    rows = [queue_row(item, with_systems=options.with_systems, text=text_of(item.doc_id)) for item in items]
    write_output(json_lines(rows) if options.jsonl else _tsv(rows), options.output)
    if not options.jsonl:
        warn_of_formulas((cell for row in rows for cell in row.values()), options.output)
    if options.output and not is_quiet():
        targets = {row["target_id"] for row in rows}
        print_to_stderr(f"{counted(len(rows), 'item')} for {counted(len(targets), 'target')}")


def _tsv(rows: list[dict[str, str]]) -> str:
    lines = ["\t".join(printable(row[name]) for name in QUEUE_COLUMNS) for row in rows]
    return "\n".join(["\t".join(QUEUE_COLUMNS), *lines]) + "\n"

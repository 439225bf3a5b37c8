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
from lydite.cli.assess import is_quiet
from lydite.cli.options import refuse_overwriting_input
from lydite.cli.output import print_to_stderr, warn_of_formulas, write_output
from lydite.cli.parameters import NATURAL, TEXT, output_option
from lydite.escaping import counted, printable
from lydite.writing import json_lines

EPILOG = """\b
Examples:
  lydite assess queue gold/ run1/ run2/ --targets targets.jsonl -o queue.tsv
  lydite assess queue gold/ run1/ --targets t.txt --profile ace08-global-mentions --text texts/ -o queue.jsonl
"""


@click.command("queue", epilog=EPILOG)
@click.argument("gold")
@click.argument("systems", nargs=-1, required=True)
@click.option(
    "--targets",
    type=TEXT,
    required=True,
    metavar="FILE",
    help="target entities, one per line or as JSON lines",
)
@click.option("--profile", default="ace08-global", help="a cross-document profile of the ACE task")
@click.option(
    "--granularity",
    type=click.Choice((DOCUMENT, MENTION)),
    help="judge documents or mentions; without a choice, mentions if the profile uses them",
)
@click.option("--text", type=TEXT, metavar="DIR", help="source texts, for context: <document>.txt")
@click.option(
    "--max-items",
    type=NATURAL,
    help="draw a sample if a target has more items outside the annotated documents",
)
@click.option("--seed", type=int, default=1, help="of the sample")
@click.option("--with-systems", is_flag=True, help="name the systems; without it judges stay blind to them")
@output_option
def command(
    gold: str,
    systems: tuple[str, ...],
    *,
    targets: str,
    profile: str,
    granularity: str | None,
    text: str | None,
    max_items: int | None,
    seed: int,
    with_systems: bool,
    output: str | None,
) -> None:
    """Write the spurious items of the system entities that are mapped to targets to a queue: TSV, or JSON lines (.jsonl).

    Outside the annotated documents (those of GOLD) every item is judged, inside those that match no gold entity.
    Items of several systems that overlap are one.
    """
    refuse_overwriting_input([gold, *systems, targets, text], output)
    choice = choose_adjudication(profile, targets, granularity)
    corpora = read_corpora(choice, gold, systems)
    items = pool(map_targets(corpora[0], corpora[1:], choice.profile), choice.granularity)
    items = draw_sample(items, max_items, seed)
    text_of = text_reader(text)
    rows = [queue_row(item, with_systems=with_systems, text=text_of(item.doc_id)) for item in items]
    if output and output.endswith(".jsonl"):
        write_output(json_lines(rows), output)
    else:
        lines = [QUEUE_COLUMNS, *([printable(row[name]) for name in QUEUE_COLUMNS] for row in rows)]
        write_output("\n".join(map("\t".join, lines)) + "\n", output)
        warn_of_formulas((cell for row in rows for cell in row.values()), output)
    if output and not is_quiet():
        named = {row["target_id"] for row in rows}
        print_to_stderr(f"{counted(len(rows), 'item')} for {counted(len(named), 'target')}")

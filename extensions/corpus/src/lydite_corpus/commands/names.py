"""``lydite corpus names``."""

from __future__ import annotations

import click

from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option
from lydite.errors import UsageError
from lydite_corpus.index import open_index
from lydite_corpus.names import annotated_names, histogram, index_names

EPILOG = """\b
Examples:
  lydite corpus names index/ --min 5
  lydite corpus names index/ --annotated
  lydite corpus names index/ --list arabic-names.txt
"""


@click.command("names", epilog=EPILOG)
@click.argument("index")
@click.option("--annotated", is_flag=True, help="count annotated names instead of runs of capitalised words")
@click.option(
    "--list",
    "listed",
    type=TEXT,
    metavar="FILE",
    help="count these strings instead, one per line, in any script",
)
@click.option("--min", "least", type=POSITIVE, default=1, help="leave out rarer strings")
@click.option("--limit", type=POSITIVE, help="rows to show, at most")
@text_or_json_option
def command(
    index: str, *, annotated: bool, listed: str | None, least: int, limit: int | None, layout: str
) -> None:
    """Count the names in a collection, as a table: cluster, string, count, documents.

    Names are runs of capitalised words.  Strings with a similarity of at least 0.8 share a cluster; the largest cluster
    comes first.
    """
    if annotated and listed:
        raise UsageError("--annotated and --list count different strings: use only one of them")
    opened = open_index(index)
    if annotated:
        counts = annotated_names(opened)
    else:
        from lydite.formats.text import whole_text

        strings = filter(None, map(str.strip, whole_text(listed).split("\n"))) if listed else None
        counts = index_names(opened, listed=None if strings is None else list(strings))
    rows = histogram(counts, least=least)[:limit]
    lines = ["cluster\tstring\tcount\tdocuments", *("\t".join(map(str, row)) for row in rows)]
    write_json_or_text(layout, [row._asdict() for row in rows], "\n".join(lines) + "\n")

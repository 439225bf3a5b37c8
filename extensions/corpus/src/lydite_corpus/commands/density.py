"""``lydite corpus density``."""

from __future__ import annotations

from collections.abc import Sequence

import click

from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option
from lydite.escaping import counted
from lydite.grouping import grouped
from lydite_corpus.commands.select_documents import (
    reposts_document,
    reposts_of,
    reposts_sentence,
    whole_reposts,
)
from lydite_corpus.density import ANNOTATION, DenseDocument, EventType, Ranking, rank, read_types
from lydite_corpus.index import open_index
from lydite_corpus.reposts import Repost

EPILOG = """\b
Examples:
  lydite corpus density index/ --events types.tsv
  lydite corpus density index/ --events types.tsv --max-length 5000 --format json
"""


@click.command("density", epilog=EPILOG)
@click.argument("index")
@click.option(
    "--events", type=TEXT, required=True, metavar="FILE", help="table (TSV) with type, triggers, minimum"
)
@click.option("--count", type=POSITIVE, help="documents to list, at most")
@click.option(
    "--max-length", type=POSITIVE, metavar="N", help="cut threads after the last post within N characters"
)
@click.option("--keep-reposts", is_flag=True, help="keep documents that repeat an older one")
@text_or_json_option
def command(
    index: str, *, events: str, count: int | None, max_length: int | None, keep_reposts: bool, layout: str
) -> None:
    """Rank documents by what they add to event types that are still too rare; stop when all types have enough.

    Annotated events are counted where the index has any for a document, else trigger words.  Reposts are left out and
    listed; the oldest document of each group is kept, and posts of threads that repeat newswire are not counted.
    """
    types = read_types(events)
    opened = open_index(index)
    reposts = [] if keep_reposts else reposts_of(opened)
    ranking = rank(
        opened,
        types,
        leave_out=whole_reposts(reposts),
        repeated_posts=_repeated_posts(reposts),
        longest=max_length,
        count=count,
    )
    document = {
        "schema": "lydite.density/1",
        "documents": [document._asdict() for document in ranking.documents],
        "totals": ranking.totals,
        "missing": ranking.missing,
        **reposts_document(reposts),
    }
    write_json_or_text(layout, document, _report(ranking, types, reposts))


def _repeated_posts(reposts: Sequence[Repost]) -> dict[str, frozenset[int]]:
    """The numbers of the posts that repeat newswire, by thread."""
    posts = grouped((repost.document, repost.post) for repost in reposts if repost.post)
    return {document: frozenset(numbers) for document, numbers in posts.items()}


def _report(ranking: Ranking, types: list[EventType], reposts: Sequence[Repost]) -> str:
    width = max((len(document.document) for document in ranking.documents), default=0)
    lines = [
        f"{document.document:<{width}}  {document.gain:.4f}  {_event_counts(document)}"
        for document in ranking.documents
    ]
    for event in types:
        short = f", {ranking.missing[event.name]} missing" if event.name in ranking.missing else ""
        lines.append(f"{event.name}: {ranking.totals[event.name]} of {event.least}{short}")
    lines.append(f"{counted(len(ranking.documents), 'document')}; {reposts_sentence(reposts)}")
    return "\n".join(lines) + "\n"


def _event_counts(document: DenseDocument) -> str:
    """How often each type occurs, whether that was annotated, and where the document is cut."""
    counts = ", ".join(f"{name} {count}" for name, count in document.counts.items() if count)
    counts += " annotated" if document.by == ANNOTATION else ""
    return f"{counts}; cut at {document.length}" if document.cut else counts

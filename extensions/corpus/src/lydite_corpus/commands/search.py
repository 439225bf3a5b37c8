"""``lydite corpus search``."""

from __future__ import annotations

import click

from lydite.cli.output import write_json_or_text
from lydite.cli.parameters import TEXT, text_or_json_option
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite_corpus.index import open_index
from lydite_corpus.profiles import read_profiles
from lydite_corpus.search import Passage, facets, search

EPILOG = """\b
Queries:
  word            "a phrase"      begin*          profile:T0001
  a b             a AND b         a OR b          NOT a           (a OR b) c
  like:DOCID      like:"an example text"
  date:2006-01..2006-06-30        genre:nw,wl     source:XIN      lang:ar

\b
Examples:
  lydite corpus search index/ '"Carlos the Jackal" OR Ramirez' --genre nw --limit 5
  lydite corpus search index/ 'profile:T0001 date:2006-03..' --targets targets.jsonl --format json
"""


@click.command("search", epilog=EPILOG)
@click.argument("index")
@click.argument("query", default="")
@click.option("--date", type=TEXT, metavar="A..B", help="only documents dated A to B; either may be left out")
@click.option("--genre", type=TEXT, metavar="G,…", help="only documents of these genres")
@click.option("--source", type=TEXT, metavar="S,…", help="only documents of these sources")
@click.option("--lang", type=TEXT, metavar="L,…", help="only documents in these languages")
@click.option("--limit", type=click.IntRange(1), default=10, help="documents to show, at most")
@click.option(
    "--offset",
    type=click.IntRange(0),
    default=0,
    show_default=False,
    help="documents to skip, the best ones first",
)
@click.option("--passages", type=click.IntRange(0), default=3, help="passages to show per document, at most")
@click.option("--targets", type=TEXT, metavar="FILE", help="target profiles, for profile:ID")
@click.option(
    "--facets",
    "with_facets",
    is_flag=True,
    help="also count the documents found by genre, source, language, month",
)
@click.option(
    "--log", type=TEXT, metavar="FILE", help="append the query to these judgements (JSON lines or SQLite)"
)
@click.option("--user", type=TEXT, metavar="NAME", help="your name, for --log")
@text_or_json_option
def command(
    index: str,
    query: str,
    *,
    date: str | None,
    genre: str | None,
    source: str | None,
    lang: str | None,
    limit: int,
    offset: int,
    passages: int,
    targets: str | None,
    with_facets: bool,
    log: str | None,
    user: str | None,
    layout: str,
) -> None:
    """Search an index; documents are ranked by BM25 and shown with passages and the offsets of the hits.

    Offsets are those of the text as given, from 0, the end not included.  A word without diacritics finds every spelling
    (Ramirez finds Ramírez); with diacritics it finds that spelling only.
    """
    opened = open_index(index)
    filters = {"date": date or "", "genre": genre or "", "source": source or "", "lang": lang or ""}
    names = {} if targets is None else {profile.id: profile.names for profile in read_profiles(targets)}
    found = search(
        opened,
        query,
        filters=filters,
        limit=limit,
        offset=offset,
        passages=passages,
        names=names,
    )
    counts = facets(opened, query, filters=filters, names=names) if with_facets else None
    if log:
        _log_query(log, user, query, filters, found.total)
    document = found.to_dict() | ({} if counts is None else {"facets": counts})
    lines = []
    for rank, hit in enumerate(found.hits, 1 + offset):
        about = " ".join(filter(None, (hit.date, hit.genre, hit.source, hit.language)))
        lines.append(f"{rank:>3}. {hit.document}  {hit.score:.4f}  {about}")
        lines += [f"     {passage.start:>6}  {_highlighted(passage)}" for passage in hit.passages]
        lines.append("")
    if counts is not None:
        for name, values in counts.items():
            lines.append(f"{name}: " + (", ".join(f"{value} {n}" for value, n in values.items()) or "none"))
        lines.append("")
    lines.append(f"{counted(found.total, 'document')} found")
    write_json_or_text(layout, document, "\n".join(lines) + "\n")


def _log_query(path: str, user: str | None, query: str, filters: dict[str, str], total: int) -> None:
    from datetime import UTC, datetime
    from uuid import uuid4

    from lydite_corpus.judgements import append_entry

    if not user:
        raise UsageError("--log needs --user NAME: every query is stored with its user and time")
    given = " ".join(f"{key}:{value}" for key, value in filters.items() if value)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {
        "kind": "query", "id": uuid4().hex, "user": user, "time": now, "text": query or given,
        "filters": given, "n_results": total,
    }  # fmt: skip
    append_entry(path, entry)


def _highlighted(passage: Passage) -> str:
    """The passage in one line, with the hits in double angle quotes."""
    parts, end = [], passage.start
    for start, stop in passage.marks:
        parts += [passage.text[end - passage.start : start - passage.start], "«"]
        parts += [passage.text[start - passage.start : stop - passage.start], "»"]
        end = stop
    parts.append(passage.text[end - passage.start :])
    return " ".join("".join(parts).split())

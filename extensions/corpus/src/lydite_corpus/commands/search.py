"""``lydite corpus search``."""

from __future__ import annotations

from itertools import chain, count

import click

from lydite.cli.option_records import TEXT_OR_JSON, VERBOSITY, OptionRecord, option, options_from
from lydite.cli.output import write_json_or_text
from lydite.errors import UsageError
from lydite.escaping import counted
from lydite_corpus.index import open_index
from lydite_corpus.search import Hit, Passage, facets, search

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


class _Options(OptionRecord):
    date: str = option("only documents dated A to B; either may be left out", metavar="A..B", default="")
    genre: str = option("only documents of these genres", metavar="G,…", default="")
    source: str = option("only documents of these sources", metavar="S,…", default="")
    lang: str = option("only documents in these languages", metavar="L,…", default="")
    limit: int = option("documents to show, at most", type=click.IntRange(1), default=10)
    offset: int = option(
        "documents to skip, the best ones first", type=click.IntRange(0), default=0, show_default=False
    )
    passages: int = option("passages to show per document, at most", type=click.IntRange(0), default=3)
    targets: str | None = option("target profiles, for profile:ID", metavar="FILE")
    with_facets: bool = option("also count the documents found by genre, source, language, month", "--facets")
    log: str | None = option("append the query to these judgements (JSON lines or SQLite)", metavar="FILE")
    user: str | None = option("your name, for --log", metavar="NAME")
    layout: str = TEXT_OR_JSON
    verbosity = VERBOSITY


@click.command("search", epilog=EPILOG)
@click.argument("index")
@click.argument("query", default="")
@options_from(_Options)
def command(index: str, query: str, options: _Options) -> None:
    """Search an index; documents are ranked by BM25 and shown with passages and the offsets of the hits.

    Offsets are those of the text as given, from 0, the end not included.  A word without diacritics finds every spelling
    (Ramirez finds Ramírez); with diacritics it finds that spelling only.
    """
    opened = open_index(index)
    filters = {name: getattr(options, name) for name in ("date", "genre", "source", "lang")}
    names: dict[str, list[str]] = {}
    if options.targets is not None:
        from lydite_corpus.profiles import read_profiles

        names = {profile.id: profile.names for profile in read_profiles(options.targets)}
    found = search(
        opened,
        query,
        filters=filters,
        limit=options.limit,
        offset=options.offset,
        passages=options.passages,
        names=names,
    )
    counts = facets(opened, query, filters=filters, names=names) if options.with_facets else None
    if options.log:
        _log_query(options.log, options.user, query, filters, found.total)
    document = found.to_dict() | ({} if counts is None else {"facets": counts})
    lines = list(chain.from_iterable(map(_hit_lines, count(1 + options.offset), found.hits)))
    if counts is not None:
        for name, values in counts.items():
            lines.append(f"{name}: " + (", ".join(f"{value} {n}" for value, n in values.items()) or "none"))
        lines.append("")
    lines.append(f"{counted(found.total, 'document')} found")
    write_json_or_text(options.layout, document, "\n".join(lines) + "\n")


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


def _hit_lines(rank: int, hit: Hit) -> list[str]:
    about = " ".join(filter(None, (hit.date, hit.genre, hit.source, hit.language)))
    lines = [f"{rank:>3}. {hit.document}  {hit.score:.4f}  {about}"]
    lines += [f"     {passage.start:>6}  {_highlighted(passage)}" for passage in hit.passages]
    return [*lines, ""]


def _highlighted(passage: Passage) -> str:
    """The passage in one line, with the hits in double angle quotes."""
    parts, end = [], passage.start
    for start, stop in passage.marks:
        parts += [passage.text[end - passage.start : start - passage.start], "«"]
        parts += [passage.text[start - passage.start : stop - passage.start], "»"]
        end = stop
    parts.append(passage.text[end - passage.start :])
    return " ".join("".join(parts).split())

"""``lydite corpus search``."""

from __future__ import annotations

from typing import Unpack

import click

from lydite.cli.options import TalkOptions, talk_options
from lydite.cli.output import encode_json, write_output
from lydite.cli.verbs import text_or_json
from lydite.corpus.index import open_index
from lydite.corpus.search import Hit, Passage, facets, search
from lydite.errors import UsageError
from lydite.escaping import printable_lines

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


class Options(TalkOptions):
    """What is said on the command line."""

    date: str
    genre: str
    source: str
    lang: str
    limit: int
    offset: int
    passages: int
    targets: str | None
    with_facets: bool
    log: str | None
    user: str | None
    layout: str


@click.command("search", epilog=EPILOG)
@click.argument("index")
@click.argument("query", default="")
@click.option("--date", metavar="A..B", default="", help="from A to B; either may be missing")
@click.option("--genre", metavar="G,…", default="", help="one of these genres")
@click.option("--source", metavar="S,…", default="", help="one of these sources")
@click.option("--lang", metavar="L,…", default="", help="one of these languages")
@click.option("--limit", type=click.IntRange(1), default=10, show_default=True, help="so many documents")
@click.option("--offset", type=click.IntRange(0), default=0, help="leave out so many of the first")
@click.option(
    "--passages", type=click.IntRange(0), default=3, show_default=True, help="of each document, at most"
)
@click.option("--targets", metavar="FILE", help="target profiles, for profile:ID")
@click.option(
    "--facets", "with_facets", is_flag=True, help="count what was found by genre, source, language, month"
)
@click.option("--log", metavar="FILE", help="add the query to these judgements (JSON lines or SQLite)")
@click.option("--user", metavar="NAME", help="who asks, for --log")
@text_or_json
@talk_options
def command(index: str, query: str, **options: Unpack[Options]) -> None:
    """Search an index; documents come ranked (BM25), with passages and the places of what was found.

    Places are those of the text as given, from 0, the end not included.  A word without marks finds every spelling
    (Ramirez finds Ramírez); with marks it finds that one.
    """
    opened = open_index(index)
    filters = {name: options[name] for name in ("date", "genre", "source", "lang")}
    names = _names(options["targets"])
    found = search(
        opened,
        query,
        filters=filters,
        limit=options["limit"],
        offset=options["offset"],
        passages=options["passages"],
        names=names,
    )
    counts = facets(opened, query, filters=filters, names=names) if options["with_facets"] else None
    if options["log"]:
        _log(options["log"], options["user"], query, filters, found.total)
    if options["layout"] == "json":
        document = found.to_dict()
        write_output(encode_json(document if counts is None else {**document, "facets": counts}), None)
        return
    lines = [line for rank, hit in enumerate(found.hits, 1 + options["offset"]) for line in _lines(rank, hit)]
    if counts is not None:
        for name, values in counts.items():
            lines.append(f"{name}: " + (", ".join(f"{value} {n}" for value, n in values.items()) or "none"))
        lines.append("")
    lines.append(f"{found.total} document{'s' * (found.total != 1)} found")
    write_output(printable_lines("\n".join(lines) + "\n"), None)


def _names(path: str | None) -> dict[str, list[str]]:
    if path is None:
        return {}
    from lydite.corpus.profiles import read_profiles

    return {profile.id: profile.names for profile in read_profiles(path)}


def _log(path: str, user: str | None, query: str, filters: dict[str, str], total: int) -> None:
    from datetime import UTC, datetime
    from uuid import uuid4

    from lydite.corpus.judgements import append_entry

    if not user:
        raise UsageError("--log needs --user NAME: every query is stored with who and when")
    given = " ".join(f"{key}:{value}" for key, value in filters.items() if value)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    entry = {
        "kind": "query", "id": uuid4().hex, "user": user, "time": now, "text": query or given,
        "filters": given, "n_results": total,
    }  # fmt: skip
    append_entry(path, entry)


def _lines(rank: int, hit: Hit) -> list[str]:
    about = " ".join(filter(None, (hit.date, hit.genre, hit.source, hit.language)))
    lines = [f"{rank:>3}. {hit.document}  {hit.score:.4f}  {about}"]
    lines += [f"     {passage.start:>6}  {_highlighted(passage)}" for passage in hit.passages]
    return [*lines, ""]


def _highlighted(passage: Passage) -> str:
    """The passage in one line, what was found in double angle quotes."""
    parts, end = [], passage.start
    for start, stop in passage.marks:
        parts += [passage.text[end - passage.start : start - passage.start], "«"]
        parts += [passage.text[start - passage.start : stop - passage.start], "»"]
        end = stop
    parts.append(passage.text[end - passage.start :])
    return " ".join("".join(parts).split())

"""``lydite corpus select-documents``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from lydite.cli.output import encode_json, second_output, show_notes, write_output
from lydite.cli.parameters import POSITIVE, TEXT, text_or_json_option
from lydite.errors import UsageError
from lydite.escaping import counted, printable_lines
from lydite.numerals import is_natural
from lydite.registry import did_you_mean
from lydite_corpus.commands.select_targets import read_joint_judgements, read_targets
from lydite_corpus.index import Index, open_index, searchable
from lydite_corpus.objective import TypeQuota
from lydite_corpus.profiles import TargetProfile
from lydite_corpus.quality_page import page, text_report
from lydite_corpus.query import FIELDS
from lydite_corpus.reposts import Repost, find_reposts
from lydite_corpus.selection import Selection, SelectionPlan, select_documents

EPILOG = """\b
Examples:
  lydite corpus select-documents index/ targets.jsonl --count 10000 --drop-reposts --page report.html
  lydite corpus select-documents index/ targets.jsonl --count 400 --strata genre,lang --format json -o selection.json
"""


@click.command("select-documents", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@click.option("--count", type=POSITIVE, default=10000, help="documents to choose (K)")
@click.option(
    "--judgements",
    multiple=True,
    type=TEXT,
    metavar="FILE",
    help="judgements with stars of documents; may be repeated",
)
@click.option(
    "--strata", default="", metavar="A,B", help="keep the proportions of the pool: genre, source, lang"
)
@click.option(
    "--quota",
    "quotas",
    multiple=True,
    type=TEXT,
    metavar="type=T:N",
    help="aim at N mentions of targets of type T; may be repeated",
)
@click.option(
    "--upper",
    type=click.Choice(("hard", "soft")),
    default="hard",
    help="hard: never exceed 100 mentions of a target; soft: only the formula limits them",
)
@click.option(
    "--pairs/--no-pairs",
    default=True,
    help="prefer documents with both targets of a confusable pair, even if that costs value",
)
@click.option(
    "--enumerate",
    "enumerated",
    type=click.IntRange(1, 3),
    metavar="N",
    help="for small pools: also start from every set of up to N (1 to 3) documents, and keep the best choice",
)
@click.option("--drop-reposts", is_flag=True, help="leave out documents that repeat an older one")
@click.option(
    "--max-length",
    type=POSITIVE,
    metavar="N",
    help="cut threads after the last post within N characters; leave out longer texts without posts",
)
@click.option("--seed", type=int, default=0, help="seed for the draw of documents without targets")
@click.option("--page", "page_file", type=TEXT, metavar="FILE", help="also write the report as an HTML page")
@click.option("-o", "--output", type=TEXT, metavar="FILE", help="write the result to this file")
@text_or_json_option
def command(
    index: str,
    targets: str,
    *,
    count: int,
    judgements: tuple[str, ...],
    strata: str,
    quotas: tuple[str, ...],
    upper: str,
    pairs: bool,
    enumerated: int | None,
    drop_reposts: bool,
    max_length: int | None,
    seed: int,
    page_file: str | None,
    output: str | None,
    layout: str,
) -> None:
    """Choose documents so that targets, their aliases and variants occur often enough.

    The choice is made by lazy greedy on weighted coverage.  The report compares its value with an upper bound on every
    choice within the same limits, and with random and stratified choices.  If greedy chooses fewer documents than
    --count, documents that mention no target fill the rest.
    """
    fields = strata_of(strata)
    profiles = read_targets(targets)
    aims = tuple(_quota(text, profiles) for text in quotas)
    if len({aim.type for aim in aims}) < len(aims):
        raise UsageError("--quota: expected each type once", hint="keep one quota for each type")
    opened = open_index(index)
    reposts = reposts_of(opened) if drop_reposts else []
    selection = select_documents(
        opened,
        profiles,
        SelectionPlan(
            count,
            upper == "hard",
            fields,
            aims,
            max_length,
            seed,
            pairs,
            enumerated or 0,
        ),
        judged=read_joint_judgements(judgements),
        leave_out=whole_reposts(reposts),
    )
    with second_output(page_file, lambda: page(selection)):
        write_output(selection_report(selection, reposts, layout), output)


def selection_report(selection: Selection, reposts: Sequence[Repost], layout: str) -> bytes | str:
    """A selection and the reposts that were left out, as JSON or text."""
    if layout == "json":
        return encode_json({**selection.to_dict(), **reposts_document(reposts)})
    text = text_report(selection)
    return printable_lines(text + f"{reposts_sentence(reposts)}\n" if reposts else text)


def strata_of(text: str) -> tuple[str, ...]:
    """Parse a comma-separated list of strata."""
    names = tuple(filter(None, text.split(",")))
    for name in names:
        if name not in FIELDS:
            hint = did_you_mean(name, list(FIELDS)) or f"one of {', '.join(FIELDS)}"
            raise UsageError(f"--strata: no field {name!r}", hint=hint)
    return names


def _quota(text: str, profiles: Sequence[TargetProfile]) -> TypeQuota:
    kind, _, rest = text.partition("=")
    name, _, count = rest.rpartition(":")
    if kind != "type" or not name or not is_natural(count) or not int(count):
        raise UsageError(f"--quota {text}: expected type=T:N, such as type=PER:500")
    known = sorted({profile.type for profile in profiles if profile.type})
    if name not in known:
        what_to_try = did_you_mean(name, known) or f"there are {', '.join(known) or 'none with a type'}"
        show_notes([f"--quota {text} changes nothing, for no target is of type {name!r}; {what_to_try}"])
    return TypeQuota(name, int(count))


def reposts_of(index: Index) -> list[Repost]:
    """Find documents of an index that repeat an older one, and posts of threads that repeat newswire."""
    records = {record.id: record for record in index.records()}
    texts = ((record.id, searchable(record, text)) for record, text in index.texts())
    return find_reposts(texts, records)


def whole_reposts(reposts: Iterable[Repost]) -> frozenset[str]:
    """The documents that are reposts as a whole."""
    return frozenset(repost.document for repost in reposts if not repost.post)


def reposts_document(reposts: Sequence[Repost]) -> dict[str, object]:
    """The reposted documents and the reposted single posts, as they stand in the JSON output."""
    return {
        "reposts": [
            {"document": repost.document, "kept": repost.kept} for repost in reposts if not repost.post
        ],
        "repeated_posts": [repost._asdict() for repost in reposts if repost.post],
    }


def reposts_sentence(reposts: Sequence[Repost]) -> str:
    """How many documents were left out as reposts, and how many single posts repeat newswire."""
    whole = len(whole_reposts(reposts))
    posts = counted(len(reposts) - whole, "post")
    single = f"; {posts} of threads repeat newswire" if len(reposts) > whole else ""
    return f"{counted(whole, 'repost')} left out{single}"

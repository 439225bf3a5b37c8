"""``lydite corpus select-documents``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from lydite.cli.option_records import POSITIVE, TEXT_OR_JSON, OptionRecord, option, options_from
from lydite.cli.output import encode_json, second_output, show_notes, write_output
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


class _Options(OptionRecord):
    count: int = option("documents to choose (K)", type=POSITIVE, default=10000)
    judgements: tuple[str, ...] = option(
        "judgements with stars of documents; may be repeated", metavar="FILE"
    )
    strata: str = option("keep the proportions of the pool: genre, source, lang", metavar="A,B", default="")
    quotas: tuple[str, ...] = option(
        "aim at N mentions of targets of type T; may be repeated", "--quota", metavar="type=T:N"
    )
    upper: str = option(
        "hard: never exceed 100 mentions of a target; soft: only the formula limits them",
        type=click.Choice(("hard", "soft")),
        default="hard",
    )
    pairs: bool = option(
        "prefer documents with both targets of a confusable pair, even if that costs value  [default: pairs]",
        "--pairs/--no-pairs",
        default=True,
        show_default=False,
    )
    enumerated: int | None = option(
        "for small pools: also start from every set of up to N (1 to 3) documents, and keep the best choice",
        "--enumerate",
        type=click.IntRange(1, 3),
        metavar="N",
    )
    drop_reposts: bool = option("leave out documents that repeat an older one")
    max_length: int | None = option(
        "cut threads after the last post within N characters; leave out longer texts without posts",
        type=POSITIVE,
        metavar="N",
    )
    seed: int = option("seed for the draw of documents without targets", default=0)
    page_file: str | None = option("also write the report as an HTML page", "--page", metavar="FILE")
    output: str | None = option("write the result to this file", "-o", "--output", metavar="FILE")
    layout: str = TEXT_OR_JSON


@click.command("select-documents", epilog=EPILOG)
@click.argument("index")
@click.argument("targets")
@options_from(_Options)
def command(index: str, targets: str, options: _Options) -> None:
    """Choose documents so that targets, their aliases and variants occur often enough.

    The choice is made by lazy greedy on weighted coverage.  The report compares its value with an upper bound on every
    choice within the same limits, and with random and stratified choices.  If greedy chooses fewer documents than
    --count, documents that mention no target fill the rest.
    """
    strata = strata_of(options.strata)
    profiles = read_targets(targets)
    quotas = tuple(_quota(text, profiles) for text in options.quotas)
    if len({quota.type for quota in quotas}) < len(quotas):
        raise UsageError("--quota: expected each type once", hint="keep one quota for each type")
    opened = open_index(index)
    reposts = reposts_of(opened) if options.drop_reposts else []
    selection = select_documents(
        opened,
        profiles,
        SelectionPlan(
            options.count,
            options.upper == "hard",
            strata,
            quotas,
            options.max_length,
            options.seed,
            options.pairs,
            options.enumerated or 0,
        ),
        judged=read_joint_judgements(options.judgements),
        leave_out=whole_reposts(reposts),
    )
    with second_output(options.page_file, lambda: page(selection)):
        write_output(selection_report(selection, reposts, options.layout), options.output)


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
        "reposts": [{"document": one.document, "kept": one.kept} for one in reposts if not one.post],
        "repeated_posts": [one._asdict() for one in reposts if one.post],
    }


def reposts_sentence(reposts: Sequence[Repost]) -> str:
    """How many documents were left out as reposts, and how many single posts repeat newswire."""
    whole = len(whole_reposts(reposts))
    posts = counted(len(reposts) - whole, "post")
    single = f"; {posts} of threads repeat newswire" if len(reposts) > whole else ""
    return f"{counted(whole, 'repost')} left out{single}"

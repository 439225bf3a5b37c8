"""``lydite convert``: from one format to another, with a report of what was lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from lydite.cli.options import TaskCommand, choice_from, profile_options, split_task, talk_options
from lydite.cli.output import show_findings, write_file, write_output
from lydite.errors import UsageError, errors_among
from lydite.facade import convert_file
from lydite.formats import EXTENSIONS, FORMATS
from lydite.formats.base import Format
from lydite.model import Corpus

EPILOG = """\b
Examples:
  lydite convert text.kaf opinions.trp --layers opinion
  lydite convert kaf-files/ triples/ --from kaf --layers entity,property
  lydite convert 11767.kybot.xml system.trp --kaf 11767.kaf --wsd-threshold 60
  lydite convert gold.trp gold.conv.trp --relation-mapping mapping.tsv
  lydite convert gold.tbf gold.tokens.tbf --to-unit token --tokens tokens/
"""


@click.command("convert", cls=TaskCommand, epilog=EPILOG)
@click.argument("words", nargs=-1, metavar="[TASK] IN OUT")
@click.option(
    "--to", "to_format", metavar="FORMAT", help="format to write; by the extension of OUT if not given"
)
@profile_options
@talk_options
@click.pass_context
def command(ctx: click.Context, /, words: tuple[str, ...], **options: Any) -> int:
    """Convert a file to another format; many documents become a folder with one file each, or one file where the
    format allows that and OUT has its extension.

    What could not be taken over is reported on stderr, with the reason and a count.  OUT may be - for stdout.
    """
    task, paths = split_task(ctx, words, at_least=2, needs="a file to read and one to write")
    if len(paths) > 2:
        raise UsageError("convert takes one input and one output", hint="name a folder to convert many files")
    source, target = paths
    if options["from_format"] and task is None:
        task = FORMATS[options["from_format"]].tasks[0]
    corpus = convert_file(choice_from(ctx, task, options), source)
    chosen = _target_format(options["to_format"], target, corpus)
    findings = [
        *corpus.findings,
        *(finding for document in corpus.documents.values() for finding in document.findings),
    ]
    if errors_among(findings):
        from lydite.errors import InvalidInput

        raise InvalidInput(findings)
    _write(corpus, chosen, target)
    show_findings(findings, show_all=options["verbose"], quiet=options["quiet"])
    if not options["quiet"]:
        count = len(corpus)
        click.echo(f"note: {count} document{'' if count == 1 else 's'} written as {chosen.name}", err=True)
    return 0


def _target_format(name: str | None, target: str, corpus: Corpus) -> Format:
    if name is None:
        named = [formats for extension, formats in EXTENSIONS.items() if target.lower().endswith(extension)]
        tasks = FORMATS[corpus.format].tasks
        name = named[0][0] if named else next((each for each in FORMATS if _writes(each, tasks)), None)
    if name is None:
        raise UsageError(f"which format should {target!r} have?", hint="name it with --to")
    chosen = FORMATS[name]
    if chosen.write is None:
        writable = [each for each in FORMATS if FORMATS[each].write is not None]
        raise UsageError(f"format {name!r} cannot be written", hint=f"those that can: {', '.join(writable)}")
    if not set(chosen.tasks) & set(FORMATS[corpus.format].tasks):
        raise UsageError(f"{corpus.format} cannot become {name}: they share no task")
    return chosen


def _writes(name: str, tasks: tuple[str, ...]) -> bool:
    return FORMATS[name].write is not None and bool(set(FORMATS[name].tasks) & set(tasks))


def _is_one_file(corpus: Corpus, chosen: Format, target: str) -> bool:
    """Whether the target is one file: of one document, or of a format whose files hold many."""
    if Path(target).is_dir():
        return False
    if chosen.holds_many and (target == "-" or target.lower().endswith(chosen.extensions)):
        return True
    return len(corpus) == 1 and not corpus.facts.get("folder", False)


def _write(corpus: Corpus, chosen: Format, target: str) -> None:
    assert chosen.write is not None
    if _is_one_file(corpus, chosen, target):
        write_output(chosen.write(corpus), target)
        return
    folder = Path(target)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{folder}: {error.strerror}") from None
    for doc_id, document in corpus.documents.items():
        one = replace(corpus, documents={doc_id: document})
        name = doc_id if doc_id.endswith(chosen.extensions) else f"{doc_id}{chosen.extensions[0]}"
        write_file(folder / name, chosen.write(one))

"""``lydite convert``: from one format to another, with a report of what was lost."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.options import (
    TASK_KEY,
    TaskCommand,
    choice_from_options,
    files_of_options,
    profile_options,
    refuse_overwriting_input,
    refuse_same_output,
    split_task,
)
from lydite.cli.output import (
    ProgressBar,
    encode_json,
    print_to_stderr,
    second_output,
    show_findings,
    write_output,
)
from lydite.cli.parameters import TEXT, verbosity_options
from lydite.errors import Finding, InvalidInput, Location, UsageError, errors_among
from lydite.escaping import counted
from lydite.facade.converting import convert_file, measure_conversion
from lydite.formats import EXTENSIONS, FORMATS
from lydite.formats.archives import ARCHIVES
from lydite.formats.base import ALL_LAYERS, Format
from lydite.formats.queries import QuerySelection, parse_query
from lydite.formats.source import without_suffix
from lydite.model import Corpus
from lydite.parallel import Progress
from lydite.writing import stream_file, write_archive, write_folder

if TYPE_CHECKING:
    from lydite.formats.rewriting import WrittenDocument

EPILOG = """\b
Examples:
  lydite convert brat-folder/ gold.tbf
  lydite convert gold.tbf gold.lydite.jsonl
  lydite convert gold.tbf brat/ --to brat --losses losses.json
  lydite convert tokens.tbf characters.tbf --to-unit char --tokens tables/
  lydite convert text.kaf opinions.trp --layers opinion
  lydite convert arguments/ buyers/ --where role=Buyer --where "type=Transaction.*"
  lydite convert 11767.kybot.xml system.trp --kaf 11767.kaf --wsd-threshold 60
"""


@click.command("convert", cls=TaskCommand, epilog=EPILOG, inputs=1)
@click.argument("words", nargs=-1, metavar="[TASK] IN OUT")
@click.option(
    "--to",
    "to_format",
    type=TEXT,
    metavar="FORMAT",
    help="format to write; by the extension of OUT if not given",
)
@click.option(
    "--where",
    multiple=True,
    type=TEXT,
    metavar="COLUMN=PATTERN",
    help="only what has such a value in a column, role=Buyer or type=Transaction.*; again for further columns",
)
@click.option("--strict", is_flag=True, help="refuse a conversion that drops or changes anything")
@click.option("--losses", type=TEXT, metavar="FILE", help="also write the loss report to a file, as JSON")
@profile_options
@verbosity_options
@click.pass_context
def command(
    ctx: click.Context,
    /,
    words: tuple[str, ...],
    *,
    to_format: str | None,
    where: tuple[str, ...],
    strict: bool,
    losses: str | None,
    quiet: bool,
    verbose: bool,
    **_settings: object,
) -> int:
    """Convert a file, a folder or an archive to another format.

    Every conversion ends with a loss report on stderr: what was kept, changed and dropped, and why.  For this report
    the output is read again and compared with the input.  IN and OUT may be - for stdin and stdout.  OUT is one file
    if the format can hold many documents, else a folder (or .zip) with one file per document.
    """
    task, paths = split_task(ctx, words, at_least=2, needs="a file to read and one to write")
    if len(paths) > 2:
        raise UsageError("convert takes one input and one output", hint="name a folder to convert many files")
    source, target = paths
    refuse_overwriting_input([source, *files_of_options(ctx.params, ctx.meta.get(TASK_KEY))], target)
    refuse_same_output([target, losses])
    if target.lower().endswith(ARCHIVES) and not target.lower().endswith(".zip"):
        hint = "name a .zip or a folder"
        raise UsageError(f"{target}: the only archives that can be written are .zip", hint=hint)
    from_format = ctx.params["from_format"]
    if from_format and task is None and len(FORMATS[from_format].tasks) == 1:
        task = FORMATS[from_format].tasks[0]
    selection = QuerySelection(parse_query(where)) if where else None
    with ProgressBar("reading", quiet=quiet) as progress:
        corpus = convert_file(choice_from_options(ctx, task), source, selection)
        chosen = target_format(to_format, target, corpus)
        name = single_file_name(corpus, chosen, target)
        lost, findings = measure_conversion(corpus, chosen, file=name, progress=progress)
    if selection is not None and not selection.found:
        message = f"nothing has {' and '.join(where)}"
        hint = "patterns match whole values, in the same letter case; * stands for any characters"
        findings.append(Finding("nothing-found", "warning", message, Location(source), hint=hint))
    if errors_among(findings):
        raise InvalidInput(findings)
    refused = strict and lost.is_lossy
    with second_output(losses, lambda: encode_json(lost.to_dict())):
        if not refused:
            with ProgressBar("writing", quiet=quiet or target == "-") as progress:
                write_corpus(corpus, chosen, target, progress)
    if refused:
        message = f"{corpus.format} to {chosen.name} loses something: {'; '.join(lost.lines()[1:])}"
        finding = Finding("lossy-conversion", "error", message, Location(source), hint=_STRICT_HINT)
        raise InvalidInput([finding])
    show_findings(findings, show_all=verbose, quiet=quiet)
    if not quiet:
        print_to_stderr(f"note: {counted(len(corpus), 'document')} written as {chosen.name}")
        for line in lost.lines():
            print_to_stderr(line)
    return 0


_STRICT_HINT = "leave out --strict to convert anyway; --to lydite loses nothing"


def target_format(name: str | None, target: str, corpus: Corpus) -> Format:
    """The named format, or that of the file's extension: of several, one of the source's task that can hold all its layers."""
    if name is not None:
        return FORMATS[name]
    source = FORMATS[corpus.format]
    plain = without_suffix(target.lower())
    by_extension = next((formats for ending, formats in EXTENSIONS.items() if plain.endswith(ending)), None)
    if by_extension is None:
        fitting = [
            candidate
            for candidate in FORMATS.values()
            if candidate.write is not None
            and (ALL_LAYERS in source.layers or not set(source.layers).isdisjoint(candidate.layers))
        ]
        is_folder = target.endswith("/") or os.path.isdir(target)  # noqa: PTH112 - no name is too long for it
        has_extension = not is_folder and Path(without_suffix(target)).suffix.lower() not in {"", ".zip"}
        if not fitting or (len(fitting) > 1 and has_extension):
            known = f": {', '.join(candidate.name for candidate in fitting)}" if fitting else ""
            raise UsageError(f"which format should {target!r} have?", hint=f"name it with --to{known}")
        return fitting[0]
    # The longest extension counts: .apf.xml rather than .xml.
    lengths = {
        format_name: max(
            (len(ending) for ending in FORMATS[format_name].extensions if plain.endswith(ending)), default=0
        )
        for format_name in by_extension
    }
    candidates = [
        FORMATS[format_name] for format_name in by_extension if lengths[format_name] == max(lengths.values())
    ]
    writable = [candidate for candidate in candidates if candidate.write is not None] or candidates
    same_task = [candidate for candidate in writable if not set(source.tasks).isdisjoint(candidate.tasks)]
    complete = [candidate for candidate in same_task if set(source.layers) <= set(candidate.layers)]
    best = complete or [candidate for candidate in writable if ALL_LAYERS in candidate.layers] or writable
    return next((candidate for candidate in best if plain.endswith(candidate.extensions[:1])), best[0])


def single_file_name(corpus: Corpus, chosen: Format, target: str) -> str | None:
    """The name of the file of a single document; None if the file is named after the document."""
    if target == "-" or len(corpus) != 1 or not _is_single_file(corpus, chosen, target):
        return None
    (doc_id,) = corpus.documents
    name = without_suffix(Path(target).name)
    # The id of a document may be the name of its old file, with the extension of the old format.
    is_file_name = doc_id == without_suffix(Path(corpus.path).name)
    stem = _without_extension(doc_id, FORMATS[corpus.format]) if is_file_name else doc_id
    return None if _without_extension(name, chosen) == stem else name


def _without_extension(name: str, kind: Format) -> str:
    endings = [ending for ending in kind.extensions if name.endswith(ending)]
    return name.removesuffix(max(endings, key=len, default=""))


# ------------------------------------------------------------------------------------------------------ writing


def write_corpus(corpus: Corpus, chosen: Format, target: str, progress: Progress | None = None) -> None:
    """Write a corpus in a format: to one file, a folder or an archive."""
    from lydite.formats.rewriting import file_name, refuse_shared_names, rewrite_documents

    source = FORMATS[corpus.format]
    files = (
        (f"{folder}{file_name(written.document.doc_id, chosen, source)}", data)
        for written in _report_progress(rewrite_documents(corpus, chosen), len(corpus), progress)
        for folder, data in written.by_folder()
    )
    if target.lower().endswith(".zip"):
        refuse_shared_names(corpus, chosen, source)
        write_archive(target, files)
    elif _is_single_file(corpus, chosen, target):
        _write_single_file((data for _, data in files), target)
    elif target == "-":
        hint = "name a folder or a .zip"
        raise UsageError(f"{chosen.name} has one file per document, and stdout is one file", hint=hint)
    else:
        refuse_shared_names(corpus, chosen, source)
        write_folder(target, files)


def _is_single_file(corpus: Corpus, chosen: Format, target: str) -> bool:
    if target.lower().endswith((".zip", "/")) or os.path.isdir(target):  # noqa: PTH112 - as above
        return False
    single = len(corpus) == 1 and not corpus.facts.get("folder") and chosen.folder_writer(corpus) is None
    # A format that opens paths itself is always a folder, except on stdout.
    return chosen.holds_many or (single and (chosen.open is None or target == "-"))


def _report_progress(
    documents: Iterator[WrittenDocument], total: int, progress: Progress | None
) -> Iterator[WrittenDocument]:
    for done, written in enumerate(documents):
        if progress is not None:
            progress(done, total)
        yield written


def _write_single_file(pieces: Iterator[bytes], target: str) -> None:
    """Write document by document to one file, which gets its name when it is complete."""
    if target == "-":
        for piece in pieces:
            write_output(piece, None)
        return
    with stream_file(target) as raw:
        if not target.lower().endswith(".gz"):
            raw.writelines(pieces)
            return
        with gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as packed:
            packed.writelines(pieces)

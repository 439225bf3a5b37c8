"""``lydite convert``: from one format to another, with a report of what was lost."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lydite.cli.option_records import VERBOSITY, OptionRecord, option
from lydite.cli.options import (
    PROFILE,
    TASK_KEY,
    choice_from_options,
    files_of_options,
    refuse_overwriting_input,
    refuse_same_output,
    split_task,
    task_verb,
)
from lydite.cli.output import (
    ProgressBar,
    encode_json,
    print_to_stderr,
    second_output,
    show_findings,
    write_output,
)
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


class _Options(OptionRecord):
    to_format: str | None = option(
        "format to write; by the extension of OUT if not given", "--to", metavar="FORMAT"
    )
    where: tuple[str, ...] = option(
        "only what has such a value in a column, role=Buyer or type=Transaction.*; again for further columns",
        "--where",
        metavar="COLUMN=PATTERN",
    )
    strict: bool = option("refuse a conversion that drops or changes anything")
    losses: str | None = option("also write the loss report to a file, as JSON", metavar="FILE")
    profile = PROFILE
    verbosity = VERBOSITY


@task_verb("convert", "[TASK] IN OUT", _Options, EPILOG, inputs=1)
def command(ctx: click.Context, /, words: tuple[str, ...], options: _Options) -> int:
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
    refuse_same_output([target, options.losses])
    if target.lower().endswith(ARCHIVES) and not target.lower().endswith(".zip"):
        hint = "name a .zip or a folder"
        raise UsageError(f"{target}: the only archives that can be written are .zip", hint=hint)
    if options.profile.from_format and task is None and len(FORMATS[options.profile.from_format].tasks) == 1:
        task = FORMATS[options.profile.from_format].tasks[0]
    selection = QuerySelection(parse_query(options.where)) if options.where else None
    with ProgressBar("reading", quiet=options.verbosity.quiet) as progress:
        corpus = convert_file(choice_from_options(ctx, task, options.profile), source, selection)
        chosen = target_format(options.to_format, target, corpus)
        name = single_file_name(corpus, chosen, target)
        losses, findings = measure_conversion(corpus, chosen, file=name, progress=progress)
    if selection is not None and not selection.found:
        message = f"nothing has {' and '.join(options.where)}"
        hint = "patterns match whole values, in the same letter case; * stands for any characters"
        findings.append(Finding("nothing-found", "warning", message, Location(source), hint=hint))
    if errors_among(findings):
        raise InvalidInput(findings)
    refused = options.strict and losses.is_lossy
    with second_output(options.losses, lambda: encode_json(losses.to_dict())):
        if not refused:
            with ProgressBar("writing", quiet=options.verbosity.quiet or target == "-") as progress:
                write_corpus(corpus, chosen, target, progress)
    if refused:
        message = f"{corpus.format} to {chosen.name} loses something: {'; '.join(losses.lines()[1:])}"
        finding = Finding("lossy-conversion", "error", message, Location(source), hint=_STRICT_HINT)
        raise InvalidInput([finding])
    show_findings(findings, show_all=options.verbosity.verbose, quiet=options.verbosity.quiet)
    if not options.verbosity.quiet:
        print_to_stderr(f"note: {counted(len(corpus), 'document')} written as {chosen.name}")
        for line in losses.lines():
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
        return _format_without_extension(target, source)
    candidates = [FORMATS[name] for name in _formats_with_longest_extension(plain, by_extension)]
    writable = [one for one in candidates if one.write is not None] or candidates
    same_task = [one for one in writable if not set(source.tasks).isdisjoint(one.tasks)]
    complete = [one for one in same_task if set(source.layers) <= set(one.layers)]
    best = complete or [one for one in writable if ALL_LAYERS in one.layers] or writable
    return next((one for one in best if plain.endswith(one.extensions[:1])), best[0])


def _format_without_extension(target: str, source: Format) -> Format:
    """The first format that shares a layer with the source; if the target has an unknown extension, the only one."""
    fitting = [one for one in FORMATS.values() if _shares_layers(one, source)]
    if not fitting or (len(fitting) > 1 and _has_unknown_extension(target)):
        known = f": {', '.join(one.name for one in fitting)}" if fitting else ""
        raise UsageError(f"which format should {target!r} have?", hint=f"name it with --to{known}")
    return fitting[0]


def _formats_with_longest_extension(name: str, formats: Sequence[str]) -> Sequence[str]:
    """Those of the formats with the longest extension that the name has: ``.apf.xml`` rather than ``.xml``."""
    lengths = {
        one: max((len(ending) for ending in FORMATS[one].extensions if name.endswith(ending)), default=0)
        for one in formats
    }
    return [one for one in formats if lengths[one] == max(lengths.values())]


def _has_unknown_extension(target: str) -> bool:
    """Whether the target is a file whose extension no format has."""
    if target.endswith("/") or os.path.isdir(target):  # noqa: PTH112 - no name is too long for it
        return False
    return Path(without_suffix(target)).suffix.lower() not in {"", ".zip"}


def _shares_layers(target: Format, source: Format) -> bool:
    shared = ALL_LAYERS in source.layers or not set(source.layers).isdisjoint(target.layers)
    return target.write is not None and shared


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

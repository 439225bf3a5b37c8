"""Reading a corpus for conversion into another format, and measuring what the conversion loses."""

from __future__ import annotations

from lydite.errors import Finding, FormatError
from lydite.facade.choosing import Request, UserChoice, resolve, task_of_format
from lydite.formats import FORMATS
from lydite.formats.base import Format
from lydite.formats.losses import Losses
from lydite.formats.queries import QuerySelection
from lydite.formats.rewriting import check_formats, measure_losses, rewrite_documents
from lydite.model import Corpus
from lydite.parallel import Progress
from lydite.pipeline.reading import PathLike, read_corpus, recognise_format
from lydite.tasks import TASKS


def convert_file(choice: UserChoice, path: PathLike, selection: QuerySelection | None = None) -> Corpus:
    """The corpus at ``path`` as it is to be written in another format; its findings say what was left out.

    With a ``selection`` it is what that finds.  The format is the one named or recognised, the settings are those of the named task or of the format's.
    """
    source = FORMATS[choice.format] if choice.format else _recognise_format(choice, path)
    task = TASKS[str(choice.task) if source is None else choice.task or task_of_format(source, path)]

    def read(request: Request) -> list[Corpus]:
        return [read_corpus(path, task, request.profile, format_name=None if source is None else source.name)]

    request, (corpus,) = resolve(choice, task, read)
    converted = task.reading.convert(corpus, request.profile.settings)
    if selection is None:
        return converted
    kind = FORMATS[corpus.format]
    return selection.of(converted, (*kind.layers, *kind.also_read))


def _recognise_format(choice: UserChoice, path: PathLike) -> Format | None:
    """The format of a file by its name and content; None if they do not tell and the named task may."""
    try:
        return recognise_format(path)
    except FormatError:
        if choice.task is None:
            raise
        return None


def measure_conversion(
    corpus: Corpus, target: Format, *, file: str | None = None, progress: Progress | None = None
) -> tuple[Losses, list[Finding]]:
    """What a conversion will keep, change and drop, and all findings; ``file`` is the name of its only file."""
    source = FORMATS[corpus.format]
    first = next(iter(corpus.documents.values()), None) if source.also_read else None
    check_formats(source, target, [layer for layer in source.also_read if first and layer in first.layers])
    losses = Losses(corpus.format, target.name)
    findings = list(corpus.findings)
    for done, written in enumerate(rewrite_documents(corpus, target), 1):
        findings.extend(written.completed.findings)
        if placed := written.document.layers.get("grounding"):
            losses.placements[written.document.doc_id] = placed
        measure_losses(written, target, losses, source=source, file=file)
        if progress is not None:
            progress(done, len(corpus))
    findings.extend(losses.shared.findings(target.name, corpus.path))
    findings = list(dict.fromkeys(findings))
    losses.findings.extend(findings)
    return losses, findings

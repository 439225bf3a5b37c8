"""The first stage: recognising the format of a file, and reading the corpus in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import chain

from lydite.errors import Finding, FormatError, Location
from lydite.formats import EXTENSIONS, FORMATS, VAGUE, formats_of, serves
from lydite.formats.archives import ARCHIVES
from lydite.formats.base import SCORED_LAYERS, SIDE, Format, Options, UnreadDocuments
from lydite.formats.first_reading import watched
from lydite.formats.kinds import web_page_message
from lydite.formats.source import Source, SourcePart, forget_heads, head_of_file, is_stream, open_source
from lydite.memory import forget_files
from lydite.model import Corpus
from lydite.model.settings import TaskSettings
from lydite.pipeline.task import AnyTask
from lydite.profile import AnyProfile

PathLike = str | os.PathLike[str]
_ENDINGS = tuple(EXTENSIONS)


def recognise_format(path: PathLike) -> Format:
    """The format of the file (or of the first file of a folder or archive) at ``path``, by extension and content."""
    return recognise_source(open_source(path))


def recognise_source(source: Source, task: str | None = None) -> Format:
    """The format of the first file of a source that is not empty: one of the task's, or any if no task is named."""
    part, head = _first_file_with_content(source, task)
    by_extension = _formats_by_extension(part, task)
    for name in by_extension:
        if len(by_extension) == 1 or FORMATS[name].recognise(head):
            return FORMATS[name]
    # All formats are tried only now: the extension decides for most files.
    for name in _possible_formats(task):
        if name not in by_extension and FORMATS[name].recognise(head):
            recognised = FORMATS[name]
            if part.path == source.path or _has_extension(part.name, recognised.extensions):
                return recognised
            # A format with the same reader may have the extension of the file.
            same_reader = (one for one in FORMATS.values() if one.read is recognised.read)
            return next((one for one in same_reader if _has_extension(part.name, one.extensions)), recognised)
    if by_extension and not head.strip():
        return FORMATS[by_extension[0]]  # of an empty file only the name can tell
    candidates = list(_possible_formats(task))
    message, hint = "the format of this file is not recognised", f"known formats: {', '.join(candidates)}"
    if not head.strip():
        what = "the format with --from" if task else "the task first"
        message, hint = "the file is empty", f"if it is meant to be empty, name {what}"
    elif other := _recognise_other_format(head, candidates):
        message, hint = _describe_other_format(other)
    elif page := web_page_message(head):
        message, hint = page
    else:
        hints = filter(None, (FORMATS[name].hint(head) for name in candidates))
        hint = "; ".join((*hints, "name the format with --from", hint))
    raise FormatError([Finding("unknown-format", "error", message, Location(part.path), hint=hint)])


def _formats_by_extension(part: SourcePart, task: str | None) -> list[str]:
    """The formats that have the extension of a file; only those of the task, if there is one."""
    return [
        name
        for extension, names in EXTENSIONS.items()
        if _has_extension(part.name, extension) and (task is not None or extension not in VAGUE)
        for name in names
        if task is None or serves(name, task)
    ]


def _first_file_with_content(source: Source, task: str | None) -> tuple[SourcePart, bytes]:
    """The first file that is not empty, and its first bytes; the first file if all are empty.

    If some files of a folder have an extension of a format, the others are ignored: they may be no annotation.
    """
    with_extension = (
        part
        for part in source.parts
        if _has_extension(part.name, _ENDINGS) and _formats_by_extension(part, task)
    )
    first = next(with_extension, None)
    for part in source.parts if first is None else chain((first,), with_extension):
        head = part.head()
        if head.strip():
            return part, head
    return first or source.parts[0], b""


def _possible_formats(task: str | None) -> Iterable[str]:
    if task is not None:
        return formats_of(task)
    return (name for name in FORMATS if not FORMATS[name].needs_task)


def _recognise_other_format(head: bytes, candidates: Sequence[str]) -> Format | None:
    """A format other than the candidates that recognises the first bytes of a file."""
    others = (FORMATS[name] for name in FORMATS if name not in candidates)
    return next((one for one in others if not one.needs_task and one.recognise(head)), None)


def _describe_other_format(found: Format) -> tuple[str, str]:
    """A message that a file has a format of another task, and a hint."""
    tasks = " or ".join(f"lydite score {task} …" for task in found.tasks)
    hint = f"name its task first ({tasks}), or convert it: lydite convert IN OUT --to FORMAT"
    return f"this is a file of the format {found.name} ({found.title})", hint


def _has_extension(name: str, extension: str | tuple[str, ...]) -> bool:
    return name.lower().removesuffix(".gz").endswith(extension)


def read_corpus(
    path: PathLike,
    task: AnyTask,
    profile: AnyProfile,
    *,
    format_name: str | None = None,
    side: str = "",
    unread: bool = False,
) -> Corpus:
    """Read the corpus at ``path``, in the format named or recognised; files that belong to it are read anew too.

    ``side`` is ``gold`` or ``system``, or empty if the corpus is read by itself.  With ``unread`` its documents may be
    left to workers, where the format can do that.
    """
    forget_files()
    settings: TaskSettings = profile.settings
    options = {**profile.values, SIDE: side, SCORED_LAYERS: task.layers}
    chosen, source = _choose_format(os.fspath(path), task, settings, format_name)
    if chosen.open is not None:
        source = chosen.open(os.fspath(path))
    elif source is None or len(source.parts) > 1:
        # In a folder only files with the format's extension are read; a single file may have any name.
        ending = settings.extension
        source = open_source(path, extensions=(ending.lower(),) if ending else chosen.extensions)
    forget_heads()
    name = display_name(source, chosen)
    if unread and chosen.open_unread is not None:
        seen = watched(source)
        opened = chosen.open_unread(seen, options)
        if opened is not None:
            return replace(opened, name=name, sha256=seen.sha256())
    corpus = _read_watched(source, options, chosen)
    return replace(corpus, name=name)


def _choose_format(
    path: str, task: AnyTask, settings: TaskSettings, named: str | None
) -> tuple[Format, Source | None]:
    """The format named, that of the extension, that which the settings assume, or that of the content, with the source then.

    A named format is not checked against the first bytes of the file, nor is any if the user maps keys.
    """
    if named is not None:
        return FORMATS[named], None
    by_extension = () if os.path.isdir(path) else _formats_of_extension(path)
    only = by_extension[0] if len(by_extension) == 1 and serves(by_extension[0], task.name) else None
    assumed = None if only else task.reading.choose_format(settings, path)
    if only or assumed:
        chosen, source = FORMATS[only or assumed or ""], None
    else:
        source = open_source(path)
        chosen = _recognise_in_source(source, task)
    if settings.map:
        return chosen, source
    return _check_content(path, chosen, task, is_assumed=assumed is not None), source


def read_share(corpus: Corpus, doc_ids: Sequence[str]) -> Corpus:
    """Read some documents of a corpus that was opened but not read."""
    assert isinstance(corpus.documents, UnreadDocuments)
    chosen = FORMATS[corpus.format]
    source = corpus.documents.source(doc_ids)
    share = _read_watched(source, corpus.documents.options, chosen)
    return replace(share, name=corpus.name, sha256=corpus.sha256)


_REPEATED = frozenset({"repeated-document", "duplicate-id", "subdirectory"})
"""The findings of a folder of runs that is read as one system."""


def _read_watched(source: Source, options: Options, chosen: Format) -> Corpus:
    """The corpus with the hash of its files, and with findings about misspelt names in them.

    What a folder of runs would show gets a hint how to score it.
    """
    written = None
    if chosen.names is not None:
        from lydite.formats.names import WrittenNames

        written = WrittenNames(chosen.names)
    seen = watched(source, written.see if written else None)
    corpus = chosen.read(seen, options)
    sha256 = seen.sha256()
    findings = list(corpus.findings)
    if os.path.isdir(source.path):
        hint = "if each entry of the folder is a system of its own, name the folder with --runs"
        for position, finding in enumerate(findings):
            if finding.code in _REPEATED:
                hints = "; ".join(filter(None, (finding.hint, hint)))
                findings[position] = finding._replace(hint=hints)
    misspelt = written.findings(source.parts) if written else ()
    return replace(corpus, sha256=corpus.sha256 or sha256, findings=(*findings, *misspelt))


def _check_content(name: str, chosen: Format, task: AnyTask, *, is_assumed: bool) -> Format:
    """The format of a file, checked against its first bytes; refuse a file that clearly has another format.

    Another format of the task is taken instead if the task only assumed the chosen one, or if it is of another package
    and has the same extension.
    """
    if not os.path.isfile(name) or _has_extension(name, ARCHIVES):
        return chosen
    head = open_source(name).parts[0].head()
    if not head.strip() or chosen.recognise(head):
        return chosen
    other = _recognise_other_format(head, [chosen.name])
    if other is not None and serves(other.name, task.name):
        is_plugin = other.name in FORMATS.plugins()
        if is_assumed or (is_plugin and _has_extension(name, other.extensions)):
            return other
    found = _describe_other_format(other) if other else web_page_message(head)
    if found is not None:
        message = f"expected the format {chosen.name}, found another one: {found[0]}"
        raise FormatError([Finding("other-format", "error", message, Location(name), hint=found[1])])
    return chosen


def empty_system(path: PathLike, task: AnyTask) -> Corpus | None:
    """The corpus without documents of a system whose file is empty: it found nothing; None if the file is not empty.

    An archive is read as the folder that was packed: an empty file in it is a matter of the format.
    """
    path = os.fspath(path)
    if _has_extension(path, ARCHIVES):
        return None
    if not (_may_be_empty(path) if os.path.isfile(path) else is_stream(path)):
        return None
    if any(FORMATS[name].open for name in formats_of(task.name)):
        return None  # a store is a folder, and never empty
    source = open_source(path)
    if len(source.parts) != 1:
        return None
    with source.parts[0].open() as stream:
        if _has_content(stream.read(1 << 12)) or stream.read(1):
            return None
    message = "the file is empty: the system found nothing, and every document counts as empty"
    place, hint = Location(source.path), "is this the right file?"
    finding = Finding("empty-file", "warning", message, place, hint=hint)
    endings = (ending for ending in EXTENSIONS if _has_extension(source.name, ending))
    name = source.name.removesuffix(next(endings, ""))
    return Corpus(name or source.name, {}, source.path, findings=(finding,), sha256=source.sha256())


def _may_be_empty(path: str) -> bool:
    """Whether a file may be empty: a quick look, without loading any reader."""
    if path.endswith(".gz"):
        return True
    try:
        return not _has_content(head_of_file(path))
    except FormatError:
        return True  # its reader will say why it cannot be read


def _has_content(head: bytes) -> bool:
    """Whether there is more than white space and an empty JSON list, which a system writes that found nothing."""
    return b"".join(head.split()) not in {b"", b"[]"}


def _formats_of_extension(name: str) -> tuple[str, ...]:
    return next((formats for ending, formats in EXTENSIONS.items() if _has_extension(name, ending)), ())


def _recognise_in_source(source: Source, task: AnyTask) -> Format:
    names = [part.name for part in source.parts]
    if len(names) == 1:
        return recognise_source(source, task.name)
    # A folder may hold other files beside the annotation.
    for extension, formats in EXTENSIONS.items():
        if any(_has_extension(name, extension) for name in names):
            of_task = [name for name in formats if serves(name, task.name)]
            if len(of_task) == 1:
                return FORMATS[of_task[0]]
    extensions = tuple(dict.fromkeys(ending for name in task.formats for ending in FORMATS[name].extensions))
    return recognise_source(open_source(source.path, extensions=extensions), task.name)


def display_name(source: Source, chosen: Format) -> str:
    """The name of a source in tables: without the extensions of its format."""
    name = source.name
    for extension in chosen.extensions:
        name = name.removesuffix(extension)
    return name or source.name


def distinct_names(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora with distinct names: if two are the same, all get their folders, or else numbers."""
    names = [corpus.name for corpus in corpora]
    if len(set(names)) == len(names):
        return list(corpora)
    longer = [os.path.splitext(corpus.path)[0] for corpus in corpora]
    if len(set(longer)) < len(longer):
        longer = [f"{name}#{number}" for number, name in enumerate(longer, 1)]
    return [replace(corpus, name=name) for corpus, name in zip(corpora, longer, strict=True)]

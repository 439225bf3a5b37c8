"""The first stage: what a file is, and the corpus in it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from itertools import chain

from lydite.errors import Finding, FormatError, Location
from lydite.formats import EXTENSIONS, FORMATS, VAGUE, formats_of, serves
from lydite.formats.archives import ARCHIVES
from lydite.formats.base import Format, UnreadDocuments
from lydite.formats.kinds import web_page_message
from lydite.formats.source import Source, SourcePart, is_stream, open_source
from lydite.memory import forget_files
from lydite.model import Corpus
from lydite.pipeline import AnyTask
from lydite.pipeline.settings import TaskSettings
from lydite.profile import AnyProfile
from lydite.records import replace

PathLike = str | os.PathLike[str]
_ENDINGS = tuple(EXTENSIONS)


def recognise_format(path: PathLike) -> Format:
    """The format of the file (or of the first file of a folder or archive) at ``path``, by extension and content."""
    return recognise_source(open_source(path))


def recognise_source(source: Source, task: str | None = None) -> Format:
    """The format of the first file of a source that says something: one of the task, or any at all if none is named."""
    part, head = _first_head(source, task)
    named = _named_formats(part, task)
    for name in named:
        if len(named) == 1 or FORMATS[name].recognise(head):
            return FORMATS[name]
    # Only now are all formats asked: most files say by their names what they are.
    for name in _candidates(task):
        if name not in named and FORMATS[name].recognise(head):
            return FORMATS[name] if part.path == source.path else _as_called(FORMATS[name], part)
    if named and not head.strip():
        return FORMATS[named[0]]  # an empty file is what its name says
    candidates = list(_candidates(task))
    message, hint = "the format of this file is not recognised", f"known formats: {', '.join(candidates)}"
    if not head.strip():
        what = "the format with --from" if task else "the task first"
        message, hint = "the file is empty", f"name {what}, if an empty file is meant"
    elif other := _other_format(head, candidates):
        message, hint = _as_other(other)
    elif page := web_page_message(head):
        message, hint = page
    else:
        hints = filter(None, (FORMATS[name].hint(head) for name in candidates))
        hint = "; ".join((*hints, "name the format with --from", hint))
    raise FormatError([Finding("unknown-format", "error", message, Location(part.path), hint=hint)])


def _named_formats(part: SourcePart, task: str | None) -> list[str]:
    """The formats that the name of a file means, those of the task if there is one."""
    return [
        name
        for extension, names in EXTENSIONS.items()
        if _has_extension(part.name, extension) and (task is not None or extension not in VAGUE)
        for name in names
        if task is None or serves(name, task)
    ]


def _first_head(source: Source, task: str | None) -> tuple[SourcePart, bytes]:
    """The first file that is not empty and its first bytes; the first one if all are.

    A folder may hold other files beside the annotation: where some are called as formats have it, only they are asked.
    """
    called = (
        part for part in source.parts if _has_extension(part.name, _ENDINGS) and _named_formats(part, task)
    )
    first = next(called, None)
    for part in source.parts if first is None else chain((first,), called):
        head = part.head()
        if head.strip():
            return part, head
    return first or source.parts[0], b""


def _as_called(found: Format, part: SourcePart) -> Format:
    """Of formats that have one reader and look alike, the one that has files of this extension."""
    if _has_extension(part.name, found.extensions):
        return found
    alike = (each for each in FORMATS.values() if each.read is found.read)
    return next((each for each in alike if _has_extension(part.name, each.extensions)), found)


def _candidates(task: str | None) -> Iterable[str]:
    return FORMATS if task is None else formats_of(task)


def _other_format(head: bytes, candidates: Sequence[str]) -> Format | None:
    """A format beside the candidates that these first bytes of a file belong to."""
    return next(
        (FORMATS[name] for name in FORMATS if name not in candidates and FORMATS[name].recognise(head)), None
    )


def _as_other(found: Format) -> tuple[str, str]:
    """What a file is that belongs to a format of another task, and what to try."""
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
    unread: bool = False,
) -> Corpus:
    """The corpus at ``path``, in the format named or recognised; files beside it are read anew too.

    With ``unread`` its documents may be left to who measures them, where the format can do that.
    """
    forget_files()
    settings: TaskSettings = profile.settings
    named = format_name is not None
    assumed = False
    if format_name is None:
        format_name = _format_by_name(path, task)
    if format_name is None:
        format_name = task.reading.choose_format(settings, os.fspath(path))
        assumed = format_name is not None
    source = None
    if format_name is None:
        source = open_source(path)
        chosen = _format_for(source, task)
    else:
        chosen = FORMATS[format_name]
    if not (named or settings.map):
        chosen = _format_of_content(path, chosen, task, assumed=assumed)
    if chosen.open is not None:
        source = chosen.open(os.fspath(path))
    elif source is None or len(source.parts) > 1:
        # Of a folder only the files of the format count; a single one is read whatever it is called.
        ending = settings.extension
        source = open_source(path, extensions=(ending.lower(),) if ending else chosen.extensions)
    name = display_name(source, chosen)
    if unread and chosen.open_unread is not None:
        opened = chosen.open_unread(source, profile.values)
        if opened is not None:
            return replace(opened, name=name)
    corpus = chosen.read(source, profile.values)
    return _with_file_findings(
        replace(corpus, name=name, sha256=corpus.sha256 or source.sha256()), source, chosen
    )


def read_share(corpus: Corpus, doc_ids: Sequence[str]) -> Corpus:
    """Some documents of a corpus that was opened and not read, as they would be in all of it."""
    assert isinstance(corpus.documents, UnreadDocuments)
    chosen = FORMATS[corpus.format]
    source = corpus.documents.source(doc_ids)
    share = chosen.read(source, corpus.documents.options)
    return _with_file_findings(replace(share, name=corpus.name, sha256=corpus.sha256), source, chosen)


def _with_file_findings(corpus: Corpus, source: Source, chosen: Format) -> Corpus:
    """The corpus with what its files show beside what their reader says."""
    findings = _with_runs_in_mind(source.path, corpus.findings)
    if chosen.names is not None:
        from lydite.formats.names import misnamed

        findings = (*findings, *misnamed(source, chosen.names))
    return replace(corpus, findings=findings)


def _format_of_content(path: PathLike, chosen: Format, task: AnyTask, *, assumed: bool) -> Format:
    """The format; refuses a file whose first bytes are not of the format that its name or its task says, but of another.

    What only the task assumed gives way to another format of that task, and so does what an extension means to us
    where a format of another package has the same extension.
    """
    name = os.fspath(path)
    if not os.path.isfile(name) or _has_extension(name, ARCHIVES):
        return chosen
    head = open_source(name).parts[0].head()
    if not head.strip() or chosen.recognise(head):
        return chosen
    other = _other_format(head, [chosen.name])
    if other is not None and serves(other.name, task.name):
        is_plugin = other.name in FORMATS.plugins()
        if assumed or (is_plugin and _has_extension(name, other.extensions)):
            return other
    found = _as_other(other) if other else web_page_message(head)
    if found is not None:
        message = f"expected the format {chosen.name}, found another one: {found[0]}"
        raise FormatError([Finding("other-format", "error", message, Location(name), hint=found[1])])
    return chosen


_REPEATED = frozenset({"repeated-document", "duplicate-id", "subdirectory"})
"""What comes up if a folder of runs is read as one system."""


def _with_runs_in_mind(path: PathLike, findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The findings of a folder; those that a folder of runs would have say how to score one."""
    if not os.path.isdir(path):
        return tuple(findings)
    hint = "if each entry of the folder is a system of its own, name the folder with --runs"
    return tuple(
        finding._replace(hint=f"{finding.hint}; {hint}" if finding.hint else hint)
        if finding.code in _REPEATED
        else finding
        for finding in findings
    )


def empty_system(path: PathLike, task: AnyTask) -> Corpus | None:
    """The corpus without documents of a system whose file is empty: it found nothing; None if the file is not empty.

    An archive is read as the folder that was packed: an empty file in it is a matter of the format.
    """
    path = os.fspath(path)
    if _has_extension(path, ARCHIVES):
        return None
    if not (_may_be_blank(path) if os.path.isfile(path) else is_stream(path)):
        return None
    if any(FORMATS[name].open for name in formats_of(task.name)):
        return None  # a store is a folder, and never empty
    source = open_source(path)
    if len(source.parts) != 1:
        return None
    with source.parts[0].open() as stream:
        if stream.read(1 << 12).strip() or stream.read(1):
            return None
    finding = Finding(
        "empty-file",
        "warning",
        "the file is empty: the system found nothing, and every document counts as empty",
        Location(source.path),
        hint="is this the right file?",
    )
    endings = (ending for ending in EXTENSIONS if _has_extension(source.name, ending))
    name = source.name.removesuffix(next(endings, ""))
    return Corpus(name or source.name, {}, source.path, findings=(finding,), sha256=source.sha256())


def _may_be_blank(path: str) -> bool:
    """Whether it is worth a look, and the time to load all readers: most files say at once that they are not empty."""
    if path.endswith(".gz"):
        return True
    try:
        with open(path, "rb") as stream:
            return not stream.read(1 << 12).strip()
    except OSError:
        return True  # who reads it says why it cannot be read


def _format_by_name(path: PathLike, task: AnyTask) -> str | None:
    """The only format that the extension of a file means, if it is one of the task."""
    name = os.fspath(path)
    if os.path.isdir(name):
        return None
    named = next((formats for ending, formats in EXTENSIONS.items() if _has_extension(name, ending)), ())
    return named[0] if len(named) == 1 and serves(named[0], task.name) else None


def _format_for(source: Source, task: AnyTask) -> Format:
    names = [part.name for part in source.parts]
    if len(names) == 1:
        return recognise_source(source, task.name)
    # A folder may hold other files beside the annotation.
    for extension, formats in EXTENSIONS.items():
        if any(_has_extension(name, extension) for name in names):
            known = [name for name in formats if serves(name, task.name)]
            if len(known) == 1:
                return FORMATS[known[0]]
    wanted = tuple(dict.fromkeys(ending for name in task.formats for ending in FORMATS[name].extensions))
    files = open_source(source.path, extensions=wanted)
    return recognise_source(files, task.name)


def display_name(source: Source, chosen: Format) -> str:
    """What tables call a source: its name without the extensions of its format."""
    name = source.name
    for extension in chosen.extensions:
        name = name.removesuffix(extension)
    return name or source.name


def distinct_names(corpora: Sequence[Corpus]) -> list[Corpus]:
    """The corpora, with folders added to names that would be the same."""
    names = [corpus.name for corpus in corpora]
    if len(set(names)) == len(names):
        return list(corpora)
    longer = [os.path.splitext(corpus.path)[0] for corpus in corpora]
    if len(set(longer)) < len(longer):
        longer = [f"{name}#{number}" for number, name in enumerate(longer, 1)]
    return [replace(corpus, name=name) for corpus, name in zip(corpora, longer, strict=True)]

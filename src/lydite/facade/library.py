"""The functions of the library: ``lydite.score`` and its siblings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from lydite.errors import Finding, FormatError, InvalidInput, UsageError
from lydite.facade.agreeing import agree_files
from lydite.facade.choosing import choice_from_keywords
from lydite.facade.converting import convert_file
from lydite.facade.scoring import ALL_BREAKDOWNS, refuse_unknown_breakdowns, score_files, workers_for
from lydite.facade.sides import Given, is_path, require_path
from lydite.facade.suites import is_suite, score_suite
from lydite.facade.validating import validate_file
from lydite.formats import FORMATS
from lydite.formats.base import Format
from lydite.formats.first_reading import watched
from lydite.formats.queries import QuerySelection, parse_query
from lydite.formats.source import forget_pipes, open_source
from lydite.frozen import frozen
from lydite.keyword_arguments import check_keywords, names_of
from lydite.model import Corpus, Summary
from lydite.model.agreement import Agreement
from lydite.pipeline.reading import PathLike, display_name, recognise_format
from lydite.pipeline.task import KeptResults
from lydite.registry import did_you_mean
from lydite.tasks import TASKS


def score(
    gold: Given,
    *systems: Given,
    names: Sequence[str] | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    by: Iterable[str] = ALL_BREAKDOWNS,
    diagnosis: bool = False,
    jobs: int = 1,
    quirks: Mapping[str, bool] | None = None,
    no_quirks: bool = False,
    **settings: object,
) -> Summary:
    """Score one or more systems against gold: paths, corpora, mappings from ids to documents, or iterables of documents.

    ``task`` and ``profile`` are inferred from the files when they are not named; objects need ``task``.  ``names`` are
    those of the systems.  Every setting of the task is a keyword argument (``unit="token"``, ``only_document="d1"``);
    ``lydite score TASK --help`` lists them.  Raises :class:`~lydite.errors.InputError` with all findings if the input
    cannot be scored.

    >>> import lydite
    >>> lydite.score("examples/gold.tbf", "examples/systems/alder.tbf")["type"].micro.f1
    0.8170958282544213
    """
    forget_pipes()
    if not systems:
        raise UsageError("score needs a gold file and at least one system")
    choice = choice_from_keywords(task, profile, format, settings, quirks, no_quirks)
    check_keywords(diagnosis=diagnosis, jobs=jobs)
    detail = KeptResults(by=names_of("by", by), diagnosis=diagnosis)
    workers = workers_for(jobs)
    if is_suite(choice):
        folders = [require_path(path) for path in (gold, *systems) if is_path(path)]
        if len(folders) <= len(systems):
            raise UsageError("a suite of datasets is given as paths of folders")
        return score_suite(choice, folders[0], folders[1:], detail=detail)[0]
    summary, request = score_files(choice, gold, systems, names=names, detail=detail, workers=workers)
    refuse_unknown_breakdowns(
        detail.by, request, {**summary.settings, **dict(request.task.settings_for_all_measurements)}
    )
    return replace(summary, diagnosis=frozen(summary.diagnosis))


def agree(
    *annotators: Given,
    names: Sequence[str] | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> Agreement:
    """The agreement of two or more annotators, with the task's own matchers."""
    forget_pipes()
    if len(annotators) < 2:
        raise UsageError("agree needs the files of at least two annotators")
    return agree_files(choice_from_keywords(task, profile, format, settings), annotators, names=names)[0]


def convert(
    path: PathLike,
    *,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    where: Sequence[str] = (),
    **settings: object,
) -> Corpus:
    """Read a corpus as it is to be written in another format; the findings of its documents say what was left out.

    ``where`` are conditions such as ``role=Buyer``: only what meets them is in the corpus.
    """
    forget_pipes()
    selection = QuerySelection(parse_query(where)) if where else None
    return convert_file(choice_from_keywords(task, profile, format, settings), require_path(path), selection)


def validate(
    submission: Given,
    *,
    gold: Given | None = None,
    task: str | None = None,
    profile: str | None = None,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> list[Finding]:
    """All findings of a submission, in the order of its lines; the list is empty if nothing is wrong."""
    forget_pipes()
    choice = choice_from_keywords(task, profile, format, settings)
    try:
        return validate_file(choice, submission, gold=gold)[0]
    except (FormatError, InvalidInput) as error:
        return list(error.findings)


def read(
    path: PathLike,
    *,
    format: str | None = None,  # noqa: A002 - the word that the command line uses
    **settings: object,
) -> Corpus:
    """Read the corpus in a file, folder or archive, in the format named or recognised."""
    forget_pipes()
    check_keywords(format=format)
    path = require_path(path)
    chosen = FORMATS[format] if format else recognise_format(path)
    source = chosen.open(path) if chosen.open else open_source(path, extensions=chosen.extensions)
    options = {key.replace("_", "-"): _parse_setting(key, value, chosen) for key, value in settings.items()}
    seen = watched(source)
    corpus = chosen.read(seen, options)
    return replace(corpus, name=display_name(source, chosen), sha256=corpus.sha256 or seen.sha256())


def _parse_setting(name: str, value: object, chosen: Format) -> object:
    """The value as the first task parses it that scores files of this format and takes the value."""
    tasks = [TASKS[task] for task in chosen.tasks if task in TASKS] or TASKS.values()
    declared = [one.settings.declared.get(name.replace("_", "-")) for one in tasks]
    settings = [setting for setting in declared if setting is not None]
    if not settings:
        known = sorted({setting for one in tasks for setting in one.settings.declared})
        hint = did_you_mean(name.replace("_", "-"), known)
        raise UsageError(f"no task that scores {chosen.name} has a setting {name!r}", hint=hint)
    for setting in settings[:-1]:
        with suppress(UsageError):
            return setting.parse(value)
    return settings[-1].parse(value)

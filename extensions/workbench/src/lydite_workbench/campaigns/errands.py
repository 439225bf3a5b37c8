"""The work of a job, in a process of its own with limits: it reads an errand, calls the library and writes the outcome.

The process knows neither database nor accounts.  It works in a folder of its own with links to gold, runs and other
files, and leaves its outcome there for the worker.  Nothing is computed here.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from lydite.errors import Finding, FindingDocument, InputError, LyditeError, UsageError, errors_among
from lydite.escaping import counted, printable
from lydite.formats.archives import ARCHIVES
from lydite.formats.source import SourcePart, open_source
from lydite.spool import encode
from lydite.writing import write_file

if TYPE_CHECKING:
    from lydite.comparison.files import ComparisonAnswer
    from lydite.facade.choosing import Request, UserChoice
    from lydite.model import Corpus, Summary
    from lydite.pipeline.task import AnyTask
    from lydite.profile import AnyProfile

ERRAND, OUTCOME = ".errand.json", ".outcome.json"
SUMMARY, CORPUS, REPORT, DOCUMENT = ".summary.json", ".corpus.json", ".report.html", ".document.json"
"""Names of files that an errand can leave in its folder."""
INDEX, PROGRESS = "index", ".progress"
"""The folder in which the index of a collection is made, and the file with the percentage of texts that are read."""
VALIDATED = "validated"
"""The outcome of a run whose findings are known, while it is being scored."""
MOST_FINDINGS = 500
"""The most findings that are kept of a run."""
LONGEST_EXCERPT = 300
SHARED_UNITS = "units-share-elements"
"""The finding that units are not independent."""
OPTIMISTIC = "standard, unassessed right"
"""The measurement with the headline for the case that all unjudged answers are right."""


class FindingWithLine(FindingDocument):
    """A finding with the line of the file that it is about."""

    excerpt: str | None


class ErrandResult(TypedDict, total=False):
    """The outcome of an errand; which members it has depends on its act and on how it ended."""

    outcome: str
    message: str
    of_gold: list[str]
    findings: list[FindingWithLine]
    errors: int
    warnings: int
    signature: str
    profile: str
    figure: str
    value: float | None
    low: float | None
    high: float | None
    pessimistic: float | None
    optimistic: float | None
    page: str
    shared_units: bool
    score: ErrandResult
    documents: int


class Errand(NamedTuple):
    """What is to be done, with which files, under which settings, within which limits."""

    act: str
    task: str
    profile: str
    format: str | None = None
    options: Mapping[str, object] = {}
    gold: str | None = None
    gold_before: str | None = None
    runs: Mapping[str, str] = {}
    """Label → path."""
    tells_gold: bool = True
    """Whether teams may know which documents gold has."""
    figures: Sequence[str] = ()
    seconds: int = 600
    megabytes: int = 4096
    processes: int = 1


def main(folder: str) -> int:
    """Do the errand in a folder, and write its outcome there."""
    os.chdir(folder)
    errand = Errand(**json.loads(Path(ERRAND).read_bytes()))
    _die_with_parent()
    _limit_resources(errand)
    perform(errand)
    return 0


def perform(errand: Errand) -> None:
    """Do an errand in the current folder, and write its outcome there."""
    _write(OUTCOME, _attempt(lambda: _do(errand), errand))


def _do(errand: Errand) -> ErrandResult:
    return ACTS[errand.act](errand._replace(options=_settings_with_files(errand.options)))


def _attempt(act: Callable[[], ErrandResult], errand: Errand) -> ErrandResult:
    """The result of an act, or why there is none."""
    try:
        return {"outcome": "done", **act()}
    except InputError as error:
        return {
            "outcome": "refused",
            "message": counted(len(errors_among(error.findings)), "error"),
            "of_gold": [str(one.message) for one in errors_among(error.findings) if _is_of_gold(one)][:5],
            **_findings_result(error.findings, errand),
        }
    except LyditeError as error:
        hint = getattr(error, "hint", None)
        return {"outcome": "settings", "message": f"{error}" + (f" ({hint})" if hint else "")}
    except MemoryError:
        return {"outcome": "memory"}
    except RecursionError:
        return {"outcome": "refused", "message": "something in the run is nested too deeply"}


def _write(name: str, value: object) -> None:
    write_file(name, encode(value))


# --------------------------------------------------------------------------------------------------------- limits


def _die_with_parent() -> None:
    """Let the system kill this process when its worker dies (Linux)."""
    if sys.platform.startswith("linux"):
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _limit_resources(errand: Errand) -> None:
    """Limit memory, processor time, size of files and processes; the worker limits the wall time."""
    if sys.platform == "win32":
        return
    import resource

    limits = {
        resource.RLIMIT_AS: errand.megabytes * 1_000_000,
        resource.RLIMIT_CPU: errand.seconds + 5,
        resource.RLIMIT_FSIZE: 4 << 30,
        resource.RLIMIT_CORE: 0,
        # The system counts all processes of the user.
        resource.RLIMIT_NPROC: 0 if errand.processes <= 1 else _processes_of_user() + errand.processes,
    }
    for kind, most in limits.items():
        _, hard = resource.getrlimit(kind)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # noqa: PLW2901 - the same limit
        resource.setrlimit(kind, (most, most))


def _processes_of_user() -> int:
    mine = os.getuid()
    count = 0
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            count += entry.stat().st_uid == mine
        except OSError:
            continue
    return count


# ----------------------------------------------------------------------------------------------------------- acts

BESIDE, GOLD = ".files/", ".gold"
"""Folders of an errand: of files that settings name, and the beginning of those of gold."""


def _settings_with_files(options: Mapping[str, object]) -> dict[str, object]:
    """Settings as the library takes them, with folders in place of archives."""
    return {
        name: _unpacked(Path(value)) if isinstance(value, str) and value.startswith(BESIDE) else value
        for name, value in options.items()
    }


def _unpacked(file: Path) -> str:
    """The path of a file, or of the folder into which it is unpacked: most tasks read texts and token tables from folders."""
    if not file.name.endswith(ARCHIVES):
        return str(file)
    folder = file.with_name("unpacked")
    for name, part in unpacked_parts(str(file)):
        inside = folder / name
        inside.parent.mkdir(parents=True, exist_ok=True)
        write_file(inside, part.read_bytes())
    return str(folder)


def unpacked_parts(path: str) -> Iterator[tuple[str, SourcePart]]:
    """The files of an archive by their paths in it, without a folder that has all of them."""
    sources = open_source(path).parts
    parts = {os.path.normpath(part.path.removeprefix(path).lstrip(":!/")): part for part in sources}
    outermost = os.path.commonpath(map(os.path.dirname, parts))
    return ((os.path.relpath(name, outermost or "."), part) for name, part in parts.items())


def _choice(errand: Errand) -> UserChoice:
    from lydite.facade.choosing import UserChoice

    return UserChoice(errand.task, errand.profile or None, errand.format, errand.options)


def check_and_sign(errand: Errand) -> ErrandResult:
    """Check task, profile, settings, gold and figures; return their signature."""
    from lydite.facade.validating import validate_file
    from lydite.pipeline.running import signature
    from lydite.profile import load_profile
    from lydite.tasks import TASKS

    task = TASKS[errand.task]
    name = errand.profile or task.default_profile
    profile = load_profile(task.name, name, task.settings).replace(errand.options)
    head, _, _ = signature(task.name, profile, []).rpartition("|v:")
    if errand.gold is not None:
        findings, _ = validate_file(_choice(errand), errand.gold, side="gold")
        if errors_among(findings):
            raise InputError(findings)
    _refuse_unmeasurable(errand, task, profile)
    return {"signature": head, "profile": profile.name}


def _refuse_unmeasurable(errand: Errand, task: AnyTask, profile: AnyProfile) -> None:
    """Refuse settings under which nothing can be measured, and figures of leaderboards that would be empty."""
    from lydite.comparison.measurable import refuse_unknown_figures
    from lydite.facade.sides import read_sides

    refuse_unknown_figures((), task, profile, None)
    if not errand.figures:
        return
    gold = read_sides(_choice(errand), errand.gold, [])[1][0] if errand.gold is not None else None
    try:
        refuse_unknown_figures(errand.figures, task, profile, gold)
    except UsageError as error:
        raise UsageError(f"figures: {error}", hint=error.hint) from None


def run(errand: Errand) -> ErrandResult:
    """The findings of a run, with the lines that they are about; then its score, if it is valid and there is gold.

    The findings are written as soon as they are known, and count whatever happens to the score.
    """
    from lydite.facade.validating import check_submission, validate_file

    ((_, path),) = errand.runs.items()
    read = None
    try:
        if errand.gold is not None:
            read = _read_runs(errand)
        if read is None or any(finding.code == "empty-file" for finding in read[1][1].findings):
            # Scoring takes an empty file as a run that found nothing; a team that sends one made a mistake.
            findings, _ = validate_file(_choice(errand), path)
        else:
            request, (gold, sent) = read
            findings = check_submission(request, sent, gold if errand.tells_gold else None)
    except InputError as error:
        if not _is_fault_of_run(error, path):
            raise
        findings = list(error.findings)
    validated = _findings_result(findings, errand)
    if read is None or validated["errors"]:
        return validated
    _write(OUTCOME, {"outcome": VALIDATED, **validated})

    def keep(figures: ErrandResult) -> None:
        _write(OUTCOME, {"outcome": "done", **validated, "score": figures})

    return {**validated, "score": _attempt(lambda: _score(errand, *read, keep), errand)}


def _read_runs(errand: Errand) -> tuple[Request, list[Corpus]]:
    """Gold and the runs, under their labels."""
    from lydite.facade.sides import read_sides

    return read_sides(_choice(errand), str(errand.gold), list(errand.runs.values()), names=list(errand.runs))


def _is_fault_of_run(error: InputError, path: str) -> bool:
    """Whether an error is about the run, and not about a file of the organisers."""
    places = [finding.location.path for finding in error.findings if finding.location]
    return not places or any(place.startswith(path) for place in places)


def _findings_result(findings: Sequence[Finding], errand: Errand) -> ErrandResult:
    """The first findings, errors before warnings before notes, each with its line; and how many there are.

    Findings about gold are left out if the errand has runs: teams see the result.
    """
    findings = [finding for finding in findings if not (errand.runs and _is_of_gold(finding))]
    order = {"error": 0, "warning": 1, "note": 2}
    first = sorted(findings, key=lambda finding: order[finding.severity])[:MOST_FINDINGS]
    path = next(iter(errand.runs.values()), None)
    lines = {} if path is None else _excerpts(path, first)
    kept: list[FindingWithLine]
    kept = [{**_finding_data(finding), "excerpt": lines.get(_line_key(finding))} for finding in first]
    return {
        "findings": kept,
        "errors": len(errors_among(findings)),
        "warnings": sum(finding.severity == "warning" for finding in findings),
    }


LineKey = tuple[str, int | None] | None


def _is_of_gold(finding: Finding) -> bool:
    return finding.location is not None and finding.location.path.startswith(GOLD)


def _line_key(finding: Finding) -> LineKey:
    return (_member(finding.location.path), finding.location.line) if finding.location else None


def _member(path: str) -> str:
    """The path of a file in one spelling: stores write ``run.zip/DOCUMENT``, other sources ``run.zip!FILE``."""
    return path.replace("!", "/")


def _finding_data(finding: Finding) -> FindingDocument:
    """A finding as in the summary document, without the folders of the errand."""
    plain = finding.to_dict()
    plain["message"] = _ERRAND_FOLDERS.sub("", plain["message"])
    plain["hint"], plain["path"] = (
        text and _ERRAND_FOLDERS.sub("", text) for text in (plain["hint"], plain["path"])
    )
    return plain


_ERRAND_FOLDERS = re.compile(r"(?<![\w/])\.(?:files/[\w-]+|gold|gold_before|runs/[\w-]+)/")


def _excerpts(path: str, findings: Sequence[Finding]) -> dict[LineKey, str]:
    """The lines that findings are about, as far as they can be read."""
    numbers: dict[str, set[int]] = {}
    for finding in findings:
        if finding.location and finding.location.line:
            numbers.setdefault(_member(finding.location.path), set()).add(finding.location.line)
    lines: dict[LineKey, str] = {}
    try:
        for part in open_source(path).parts if numbers else ():
            if _member(part.path) in numbers:
                lines |= _excerpts_of(part, numbers[_member(part.path)])
    except (InputError, OSError):
        # A finding says already that the file cannot be read.
        return lines
    return lines


def _excerpts_of(part: SourcePart, numbers: set[int]) -> dict[LineKey, str]:
    lines: dict[LineKey, str] = {}
    last = max(numbers)
    with part.open() as stream:
        for number in range(1, last + 1):
            line = stream.readline(1 << 20)
            if not line:
                break
            if number in numbers:
                text = line[: 4 * LONGEST_EXCERPT].decode("utf-8", "replace").rstrip("\r\n")
                lines[_member(part.path), number] = printable(text)[:LONGEST_EXCERPT]
            while line and not line.endswith(b"\n"):
                line = stream.readline(1 << 20)
    return lines


def score(errand: Errand) -> ErrandResult:
    """The summary of a run, its headline with interval, and its report page, if time and memory suffice."""
    return _score(errand, *_read_runs(errand), lambda figures: _write(OUTCOME, figures))


def _score(
    errand: Errand, request: Request, read: Sequence[Corpus], keep: Callable[[ErrandResult], None]
) -> ErrandResult:
    """Score a run once: its summary, figures and page are made of one comparison.  ``keep`` writes the figures."""
    from lydite.comparison.files import ComparisonPlan, compare_sides
    from lydite.report.summary_document import pieces

    compared = compare_sides(request, read, ComparisonPlan())
    summary, (comparison,) = compared.summary, compared.comparisons
    (place,) = comparison.systems
    write_file(SUMMARY, pieces(summary, more={}))
    write_file(CORPUS, pieces(_without_documents(summary), more={}))
    rows = (row for row in summary.corpus_rows() if row.measurement == OPTIMISTIC and not row.by)
    optimistic = [getattr(row.score, comparison.figure.figure) for row in rows]
    outcome: ErrandResult = {
        "figure": str(comparison.figure),
        "value": place.figure,
        "low": place.low,
        "high": place.high,
        "pessimistic": place.figure if optimistic else None,
        "optimistic": optimistic[0] if optimistic else None,
        "shared_units": any(finding.code == SHARED_UNITS for finding in comparison.findings),
        **_findings_result(summary.findings, errand),
    }
    # The score counts from here on, whatever happens to the page.
    page = "making the page took too long or needed too much memory"
    keep({"outcome": "done", **outcome, "page": page})
    return {**outcome, "page": _write_page(request, read, compared)}


def _without_documents(summary: Summary) -> Summary:
    """A summary without anything about single documents or items, and without findings, which name documents of gold."""
    rows = tuple(row for row in summary.rows if row.scope == "corpus" and row.document is None)
    return replace(summary, rows=rows, diagnosis={}, findings=())


def _write_page(request: Request, read: Sequence[Corpus], compared: ComparisonAnswer) -> str:
    """Write the report page of a run; return why there is none, or an empty text."""
    from lydite.pages import page_material
    from lydite.report.page.build import page

    try:
        material = page_material(request.with_settings_of_run(compared.summary.settings), read, compared)
        write_file(REPORT, page(material))
    except MemoryError:
        return "making the page needed too much memory"
    except LyditeError as error:
        return f"the page could not be made: {error}"
    return ""


def difference(errand: Errand) -> ErrandResult:
    """Compare the figures, ranks and items of every run under gold before and now."""
    from lydite.comparison.files import ComparisonPlan, compare_sides

    compared = compare_sides(*_read_runs(errand), ComparisonPlan(), gold_before=errand.gold_before)
    _write(DOCUMENT, compared.comparisons[0].to_dict())
    return {}


def index(errand: Errand) -> ErrandResult:
    """Make the index of a collection in the folder of the errand."""
    from lydite_corpus.index import build

    written = -1

    def write_progress(read: int, total: int) -> None:
        nonlocal written
        percent = 100 * read // max(1, total)
        if percent != written:
            written = percent
            Path(PROGRESS).write_text(str(percent), encoding="ascii")

    built = build(list(errand.runs.values()), INDEX, progress=write_progress)
    return {"documents": built.documents, **_findings_result(built.findings, errand)}


ACTS: Mapping[str, Callable[[Errand], ErrandResult]] = {
    "check-and-sign": check_and_sign,
    "run": run,
    "score": score,
    "difference": difference,
    "index": index,
}

if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

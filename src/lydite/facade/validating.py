"""Finding what is wrong with a submission, by itself and compared with gold."""

from __future__ import annotations

from lydite.errors import Finding
from lydite.escaping import counted
from lydite.facade.choosing import Request, UserChoice, find_task
from lydite.facade.sides import Given, as_sides, read_side, read_without_gold
from lydite.model import Corpus
from lydite.parallel import Progress
from lydite.pipeline.running import check, check_against_gold
from lydite.profile import AnyProfile


def validate_file(
    choice: UserChoice,
    submission: Given,
    *,
    gold: Given | None = None,
    side: str = "system",
    progress: Progress | None = None,
) -> tuple[list[Finding], Request]:
    """All findings of one submission: by itself and, if there is gold, compared with it."""
    if gold is None or (isinstance(gold, str) and not gold):
        request, (corpus,) = read_without_gold(choice, [submission], ["submission"])
        return check_submission(request, corpus, side=side, progress=progress), request
    gold, submission = as_sides([gold, submission], choice.task, roles=["gold", "submission"])
    task, _ = find_task(choice, gold)
    request, (corpus,) = read_without_gold(choice._replace(task=task.name), [submission], ["submission"])
    read = read_side(gold, request, role="gold")
    return check_submission(request, corpus, read, side=side, progress=progress), request


def check_submission(
    request: Request,
    submission: Corpus,
    gold: Corpus | None = None,
    *,
    side: str = "system",
    progress: Progress | None = None,
) -> list[Finding]:
    """All findings of a submission that was read: by itself and, if there is gold, compared with it."""
    findings = check(request.task, submission, request.profile, side=side, progress=progress)
    findings = _cut_after_most_errors(findings, request.profile)
    if gold is None:
        return findings
    return [*findings, *check_against_gold(request.task, gold, submission, request.profile)]


def _cut_after_most_errors(findings: list[Finding], profile: AnyProfile) -> list[Finding]:
    """The findings up to the last error that is to be reported (``max-errors``)."""
    most, errors = profile.settings.max_errors, 0
    for position, finding in enumerate(findings):
        errors += finding.severity == "error"
        if 0 < most < errors:
            stopped = Finding("stopped", "warning", f"stopped after {counted(most, 'error')} (--max-errors)")
            return [*findings[:position], stopped]
    return findings

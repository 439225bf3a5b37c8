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
        findings, _, request = _validate_alone(choice, submission, side, progress)
        return findings, request
    gold, submission = as_sides([gold, submission], choice.task, roles=["gold", "submission"])
    task, _ = find_task(choice, gold)
    findings, corpus, request = _validate_alone(choice._replace(task=task.name), submission, side, progress)
    beside_gold = check_against_gold(task, read_side(gold, request, role="gold"), corpus, request.profile)
    return [*findings, *beside_gold], request


def _validate_alone(
    choice: UserChoice, submission: Given, side: str, progress: Progress | None
) -> tuple[list[Finding], Corpus, Request]:
    request, (corpus,) = read_without_gold(choice, [submission], ["submission"])
    findings = check(request.task, corpus, request.profile, side=side, progress=progress)
    return _cut_after_most_errors(findings, request.profile), corpus, request


def _cut_after_most_errors(findings: list[Finding], profile: AnyProfile) -> list[Finding]:
    """The findings up to the last error that is to be reported (``max-errors``)."""
    most, errors = profile.settings.max_errors, 0
    for position, finding in enumerate(findings):
        errors += finding.severity == "error"
        if 0 < most < errors:
            stopped = Finding("stopped", "warning", f"stopped after {counted(most, 'error')} (--max-errors)")
            return [*findings[:position], stopped]
    return findings

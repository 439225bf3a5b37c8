"""What is wrong with a submission, by itself and beside gold."""

from __future__ import annotations

from lydite.errors import Finding
from lydite.escaping import counted
from lydite.facade.choosing import Request, UserChoice, find_task
from lydite.facade.sides import Given, corpus_of, read_equals, sides_of
from lydite.model import Corpus
from lydite.pipeline import Progress, check, check_against_gold
from lydite.profile import AnyProfile


def validate_file(
    choice: UserChoice,
    given: Given,
    *,
    gold: Given | None = None,
    side: str = "system",
    progress: Progress | None = None,
) -> tuple[list[Finding], Request]:
    """All findings of one submission: by itself, and also beside gold if there is one."""
    if gold is None or (isinstance(gold, str) and not gold):
        found, _, asked = _by_itself(choice, given, side, progress)
        return found, asked
    ours, theirs = sides_of([gold, given], choice.task, roles=["gold", "submission"])
    task, _ = find_task(choice, ours)
    found, submission, asked = _by_itself(choice._replace(task=task.name), theirs, side, progress)
    beside = check_against_gold(task, corpus_of(ours, asked, role="gold"), submission, asked.profile)
    return [*found, *beside], asked


def _by_itself(
    choice: UserChoice, given: Given, side: str, progress: Progress | None
) -> tuple[list[Finding], Corpus, Request]:
    asked, (submission,) = read_equals(choice, [given], ["submission"])
    found = check(asked.task, submission, asked.profile, side=side, progress=progress)
    return _limited(found, asked.profile), submission, asked


def _limited(findings: list[Finding], profile: AnyProfile) -> list[Finding]:
    """The findings up to the last error that the profile wants to see, where it says how many (``max-errors``)."""
    most, errors = profile.settings.max_errors, 0
    for position, finding in enumerate(findings):
        errors += finding.severity == "error"
        if 0 < most < errors:
            stopped = Finding("stopped", "warning", f"stopped after {counted(most, 'error')} (--max-errors)")
            return [*findings[:position], stopped]
    return findings

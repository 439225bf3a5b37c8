"""``lydite.findings/1``: what was found in submissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from lydite.errors import Finding, FindingDocument, errors_among

SCHEMA = "lydite.findings/1"


class SubmissionDocument(TypedDict):
    """A submission, whether it is valid, and everything that was found."""

    path: str
    valid: bool
    errors: int
    warnings: int
    findings: list[FindingDocument]


class FindingsDocument(TypedDict):
    """A document of schema ``lydite.findings/1``."""

    schema: str
    submissions: list[SubmissionDocument]


def submission(
    path: str, findings: Sequence[Finding], *, counted: Sequence[Finding] | None = None
) -> SubmissionDocument:
    """What was found in a submission; those of its findings that are not counted are no fault of it."""
    counted = findings if counted is None else counted
    errors = len(errors_among(counted))
    return {
        "path": path,
        "valid": not errors,
        "errors": errors,
        "warnings": sum(finding.severity == "warning" for finding in counted),
        "findings": [finding.to_dict() for finding in findings],
    }


def findings_document(submissions: Iterable[SubmissionDocument]) -> FindingsDocument:
    """The document."""
    return {"schema": SCHEMA, "submissions": list(submissions)}

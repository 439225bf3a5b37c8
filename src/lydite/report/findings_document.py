"""The findings document (schema ``lydite.findings/1``) of submissions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypedDict

from lydite.errors import Finding, FindingDocument, errors_among

SCHEMA = "lydite.findings/1"


class SubmissionDocument(TypedDict):
    """A submission with its findings, and whether it is valid."""

    path: str
    valid: bool
    errors: int
    warnings: int
    findings: list[FindingDocument]


class FindingsDocument(TypedDict):
    """A document of schema ``lydite.findings/1``."""

    schema: str
    submissions: list[SubmissionDocument]


def submission(path: str, findings: Sequence[Finding]) -> SubmissionDocument:
    """The entry of a submission."""
    errors = len(errors_among(findings))
    return {
        "path": path,
        "valid": not errors,
        "errors": errors,
        "warnings": sum(finding.severity == "warning" for finding in findings),
        "findings": [finding.to_dict() for finding in findings],
    }


def findings_document(submissions: Iterable[SubmissionDocument]) -> FindingsDocument:
    """The document."""
    return {"schema": SCHEMA, "submissions": list(submissions)}

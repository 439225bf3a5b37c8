"""What all conversions to triples share: a report of what was left out and why, and the last touch."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from lydite.errors import Finding, Location, Severity
from lydite.formats.base import Options
from lydite.formats.names import MISSPELT, Inside, misplaced
from lydite.formats.source import Part
from lydite.formats.triples import triple_document
from lydite.model import Document
from lydite.model.triple import Element, Triple

if TYPE_CHECKING:
    from lxml.etree import _Element


class LeftOut:
    """What a conversion could not take over: reason → how many, and the first few names."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self._reasons: dict[tuple[str, str], list[str]] = {}
        self._findings: list[Finding] = []

    def add(self, code: str, reason: str, name: str) -> None:
        """One thing left out; reasons are sentences that can follow a count."""
        self._reasons.setdefault((code, reason), []).append(name)

    def warn(
        self, code: str, message: str, line: int | None = None, *, severity: Severity = "warning"
    ) -> None:
        """Add a finding about one place."""
        self._findings.append(
            Finding(code, severity, message, Location(self._part.path, line), self._part.name)
        )

    def expect_places(self, root: _Element, inside: Inside) -> None:
        """Tell elements that stand where no reader looks for them."""
        for line, message in misplaced(root, inside):
            self.warn(MISSPELT, message, line, severity="error")

    @property
    def findings(self) -> tuple[Finding, ...]:
        """One finding per reason, with the count and some names."""
        grouped = []
        for (code, reason), names in self._reasons.items():
            some = ", ".join(dict.fromkeys(names[:3]))
            more = ", …" if len(names) > 3 else ""
            message = f"{len(names)} left out: {reason} ({some}{more})"
            grouped.append(
                Finding(code, "warning", message, Location(self._part.path), self._part.name, str(len(names)))
            )
        return (*self._findings, *grouped)


def converted(part: Part, triples: Iterable[Triple], report: LeftOut, settings: Options) -> Document:
    """The document of converted triples.  With ``comments-without-quotes`` double quotes go from all comments."""
    made = tuple(map(without_quotes, triples) if settings.get("comments-without-quotes", False) else triples)
    return triple_document(part, made, report.findings, settings)


def without_quotes(triple: Triple) -> Triple:
    """The triple with no double quotes in its comments."""
    return triple._replace(first=_unquoted(triple.first), second=_unquoted(triple.second))


def _unquoted(element: Element) -> Element:
    return element._replace(comment=element.comment.replace('"', ""))

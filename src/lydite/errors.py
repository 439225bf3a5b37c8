"""What can go wrong, and where.

::

    LyditeError                      the root; nothing else is raised on purpose
    ├── UsageError                   a wrong name, option or combination          (exit status 2)
    └── InputError                   input that cannot be scored, with findings   (exit status 3)
        ├── FormatError              a file cannot be read in its format
        ├── InvalidInput             a check refused the input
        └── NoCommonDocument         gold and system share no document            (exit status 4)

A :class:`Finding` is one problem that a reader or a check found.  It says where it is, what was expected, what was found,
and what to try.  Only ``cli`` turns errors into exit statuses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple, TypedDict

from lydite.escaping import printable, short

Severity = Literal["error", "warning", "note"]


LONGEST = 1000
"""The number of characters of a message that are shown, as it may quote a line of any length."""


class Location(NamedTuple):
    """A place in a file: 1-based line and column, either may be unknown."""

    path: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(part) for part in self if part is not None)


class FindingDocument(TypedDict):
    """A finding in summaries, comparisons and ``lydite.findings/1``."""

    code: str
    severity: Severity
    message: str
    path: str | None
    line: int | None
    column: int | None
    document: str | None
    item: str | None
    hint: str | None


class Finding(NamedTuple):
    """One problem: a stable code with an entry in the documentation, a severity, a sentence, a place."""

    code: str
    severity: Severity
    message: str
    location: Location | None = None
    document: str | None = None
    item: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        where = f"{printable(str(self.location))}: " if self.location else ""
        hint = f"\n  hint: {printable(self.hint)}" if self.hint else ""
        return f"{where}{self.severity}: {short(printable(self.message), LONGEST)} [{self.code}]{hint}"

    def to_dict(self) -> FindingDocument:
        """The finding as it is written to the summary document."""
        place = self.location or Location("")
        return {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "path": place.path or None,
            "line": place.line,
            "column": place.column,
            "document": self.document,
            "item": self.item,
            "hint": self.hint,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, object]) -> Finding:
        """The inverse of :meth:`to_dict`."""
        place = None
        if data["path"] is not None:
            place = Location(str(data["path"]), _integer(data["line"]), _integer(data["column"]))
        severity = data["severity"]
        assert severity in {"error", "warning", "note"}
        return cls(
            code=str(data["code"]),
            severity=severity,
            message=str(data["message"]),
            location=place,
            document=_text(data["document"]),
            item=_text(data["item"]),
            hint=_text(data["hint"]),
        )


def _integer(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


class LyditeError(Exception):
    """The root of everything that lydite raises on purpose."""


class UsageError(LyditeError):
    """A wrong name, option or combination; the message says what would be right."""

    def __init__(self, message: str, *, hint: str | None = None, excerpt: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.hint = hint
        self.excerpt = excerpt
        """Lines that show the place of the error, if it is in a text of the user."""


class InputError(LyditeError):
    """Input that cannot be scored; ``findings`` say why, all of them."""

    def __init__(self, findings: Iterable[Finding]) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        self.notes: tuple[str, ...] = ()
        """Notes printed with the error: what was inferred, and doubts about the files."""
        super().__init__("\n".join(map(str, self.findings)))

    def __reduce__(self) -> tuple[type[InputError], tuple[tuple[Finding, ...]]]:
        return type(self), (self.findings,)


class FormatError(InputError):
    """A file cannot be read in its format."""


class InvalidInput(InputError):  # noqa: N818 - named after what is wrong, as in the table of design and docs
    """A check refused the input."""


class NoCommonDocument(InputError):  # noqa: N818 - as above
    """Gold and system share no document, and the system is not empty."""


def refuse(path: str | Location, code: str, message: str, *, hint: str | None = None) -> FormatError:
    """Make the error for a file that cannot be used at all."""
    place = Location(path) if isinstance(path, str) else path
    return FormatError([Finding(code, "error", message, place, hint=hint)])


def errors_among(findings: Iterable[Finding]) -> Sequence[Finding]:
    """The findings that are errors."""
    return [finding for finding in findings if finding.severity == "error"]

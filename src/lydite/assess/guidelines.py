"""Guidelines as data: the questions and rules for assessors, shipped as TOML or in a campaign's own file."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lydite.errors import UsageError
from lydite.registry import did_you_mean
from lydite.toml_files import parse_toml, read_bytes

GUIDELINES_FOLDER = Path(__file__).parent.parent / "guidelines"
_TEXTS = ("name", "asks", "evidence", "answers", "when", "definition")
_LISTS = ("types", "allowed", "not-allowed")


@dataclass(frozen=True, slots=True)
class Guideline:
    """A question or a rule: its definition, and examples of what is allowed and what is not.

    ``asks``, ``evidence``, ``answers`` and ``when`` (it is asked) belong to questions, ``types`` to rules for some
    event types.
    """

    name: str
    definition: str
    asks: str = ""
    evidence: str = ""
    answers: str = ""
    when: str = ""
    types: tuple[str, ...] = ()
    allowed: tuple[str, ...] = ()
    not_allowed: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """The guideline as text, one statement per line."""
        yield self.definition
        named = {"evidence": self.evidence, "answers": self.answers, "asked if": self.when}
        yield from (f"{label}: {text}" for label, text in named.items() if text)
        if self.types:
            yield f"types: {', '.join(self.types)}"
        yield from (f"allowed: {example}" for example in self.allowed)
        yield from (f"not allowed: {example}" for example in self.not_allowed)


@dataclass(frozen=True, slots=True)
class Guidelines:
    """Questions in the order in which they are asked, and the rules that hold for all of them."""

    name: str
    title: str
    version: str
    questions: tuple[Guideline, ...]
    rules: tuple[Guideline, ...]
    content: Mapping[str, object]
    """The parsed file."""

    def with_headings(self) -> Iterator[tuple[str, Guideline]]:
        """Every question and rule with its heading."""
        for number, question in enumerate(self.questions, start=1):
            yield f"{number}. {question.name}: {question.asks}", question
        for rule in self.rules:
            yield rule.name.capitalize() if rule.name.islower() else rule.name, rule

    def text(self) -> str:
        """The guidelines as text for people."""
        blocks = [f"{self.title} (guidelines {self.name}, version {self.version})"]
        for heading, guideline in self.with_headings():
            wrapped = (textwrap.fill(line, 100, subsequent_indent="    ") for line in guideline.lines())
            blocks.append("\n".join([heading, *(textwrap.indent(line, "  ") for line in wrapped)]))
        return "\n\n".join(blocks) + "\n"


def guideline_names() -> list[str]:
    """The names of the guidelines that are shipped."""
    return sorted(path.stem for path in GUIDELINES_FOLDER.glob("*.toml"))


def load_guidelines(name: str) -> Guidelines:
    """The guidelines of that name, or those in a TOML file."""
    shipped = GUIDELINES_FOLDER / f"{name}.toml"
    path = shipped if shipped.is_file() else Path(name)
    known = guideline_names()
    if not path.is_file():
        hint = did_you_mean(name, known) or f"known: {', '.join(known)}; or give a file"
        raise UsageError(f"no guidelines {name!r}", hint=hint)
    return parse_guidelines(read_bytes(path), path)


def parse_guidelines(data: bytes, path: Path) -> Guidelines:
    """The guidelines in the bytes of a file, whose path is for messages and for a missing name."""
    content = parse_toml(data, path)
    return Guidelines(
        name=str(content.get("name", path.stem)),
        title=str(content.get("title", path.stem)),
        version=str(content.get("version", "")),
        questions=_guidelines(content, "questions", path),
        rules=_guidelines(content, "rules", path),
        content=content,
    )


def _guidelines(content: Mapping[str, object], table: str, path: Path) -> tuple[Guideline, ...]:
    entries = content.get(table, [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        raise UsageError(f"{path}: expected tables [[{table}]]")
    return tuple(_guideline(entry, f"{path}: [[{table}]] {at}") for at, entry in enumerate(entries, 1))


def _guideline(entry: Mapping[str, object], place: str) -> Guideline:
    for key, value in entry.items():
        if key in _TEXTS:
            is_valid = isinstance(value, str)
        elif key in _LISTS:
            is_valid = isinstance(value, list) and all(isinstance(item, str) for item in value)
        else:
            raise UsageError(f"{place}: unknown key {key!r}", hint=did_you_mean(key, [*_TEXTS, *_LISTS]))
        if not is_valid:
            expected = "text" if key in _TEXTS else "a list of texts"
            raise UsageError(f"{place}: {key}: expected {expected}, found {value!r}")
    for key in ("name", "definition"):
        if not entry.get(key):
            raise UsageError(f"{place}: {key} is missing")
    texts = {key: str(entry.get(key, "")) for key in _TEXTS}
    types, allowed, not_allowed = (_as_texts(entry.get(key)) for key in _LISTS)
    return Guideline(**texts, types=types, allowed=allowed, not_allowed=not_allowed)


def _as_texts(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()

"""The files of adjudication: gold and systems under a profile with targets, texts, tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lydite.adjudication.pool import DOCUMENT, MENTION
from lydite.errors import InvalidInput, UsageError, errors_among
from lydite.facade import distinct_names, read_corpus
from lydite.formats.source import file_inside
from lydite.model import Corpus
from lydite.pipeline import Task, check
from lydite.profile import Profile, load_profile
from lydite.tasks.ace import ACE
from lydite.tasks.ace.measurements import DocumentView
from lydite.tasks.ace.selection import report_selection
from lydite.tasks.ace.settings import AceSettings


@dataclass(frozen=True, slots=True)
class Asked:
    """The ACE task under a profile with targets, and what is judged: documents or mentions."""

    task: Task[AceSettings, DocumentView]
    profile: Profile[AceSettings]
    granularity: str


def ask(profile_name: str, targets: str, granularity: str | None) -> Asked:
    """The profile with targets; mentions are judged where the profile uses them, if nothing else is asked for."""
    profile = load_profile(ACE.name, profile_name, AceSettings).replace({"targets": targets})
    chosen = granularity or (MENTION if profile.settings.use_mentions else DOCUMENT)
    if chosen == MENTION and not profile.settings.use_mentions:
        raise UsageError(
            f"profile {profile_name!r} does not use mentions, so that none can be judged",
            hint="choose --granularity document, or --profile ace08-global-mentions",
        )
    return Asked(ACE, profile, chosen)


def corpora_of(asked: Asked, gold: str, systems: Sequence[str]) -> list[Corpus]:
    """Gold and the systems, checked; :class:`InvalidInput` if one of them cannot be scored, or gold lacks a target."""
    read = [read_corpus(path, asked.task, asked.profile) for path in (gold, *systems)]
    read = [read[0], *distinct_names(read[1:])]
    findings = [
        finding
        for corpus, side in zip(read, ("gold", *["system"] * len(systems)), strict=True)
        for finding in check(asked.task, corpus, asked.profile, side=side)
    ]
    findings.extend(
        finding._replace(severity="error")
        for finding in report_selection(read[0], asked.profile.settings)
        if finding.code == "target-not-in-gold"
    )
    if errors_among(findings):
        raise InvalidInput(findings)
    return read


def text_reader(folder: str | None) -> Callable[[str], str | None]:
    """Texts by document: ``<document>.txt`` in the folder; None where there is none."""
    if folder is None:
        return lambda _doc_id: None

    def read(doc_id: str) -> str | None:
        path = file_inside(folder, f"{doc_id}.txt")
        if path is None:
            return None
        # A line end counts as one character.
        return path.read_bytes().decode("utf-8", "replace").replace("\r\n", "\n")

    return read

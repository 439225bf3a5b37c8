"""Event arguments: who or what fills which role of which event (TAC KBP 2014), and which arguments share an event."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lydite.errors import UsageError
from lydite.model import Corpus, Document, LazyDocuments
from lydite.pipeline import Task
from lydite.tasks.arguments.checks import (
    check,
    check_corpora,
    check_submission,
    left_out,
    remark,
    severity,
)
from lydite.tasks.arguments.diagnosis import diagnose
from lydite.tasks.arguments.documents import given_text, pair_documents, prepare
from lydite.tasks.arguments.inputs import OF_EVENTS, STORE, choose_format, holds_events, refuse_others
from lydite.tasks.arguments.measurements import bind, compare, derive, headline
from lydite.tasks.arguments.settings import SETTINGS, ArgumentSettings


def settle(settings: ArgumentSettings, corpora: Sequence[Corpus]) -> ArgumentSettings:
    """Refuses files that the profile cannot compare, and a run over frames without the gold linking."""
    refuse_others(settings, corpora)
    if settings.frames and not settings.linking and len(corpora) > 1:
        raise UsageError(
            f"profile {profile.name!r} scores event frames and needs the gold linking",
            hint="name its folder: --linking DIR",
        )
    return settings


def infer_profile(corpora: Sequence[Corpus]) -> tuple[str, str] | None:
    """Events with triggers on all sides mean the exact profile; a store with linking/ inside is one of 2015."""
    if corpora and all(map(holds_events, corpora)):
        found = ", ".join(f"{corpus.path} is {corpus.format}" for corpus in corpora)
        return "exact", f"{found}: events with triggers"
    if any(corpus.facts.get("layout") == "linking" for corpus in corpora):
        return "kbp2015", "the store has arguments/ and linking/"
    return None


def check_agreement(settings: ArgumentSettings) -> None:
    """Refuses to take an assessment for the answers of an annotator: a store judges answers, it gives none."""
    if settings.match != "spans":
        raise UsageError(
            f"profile {profile.name!r} holds answers against assessments, and two annotators give no such pair",
            hint="two assessors: lydite assess agree A B; events with triggers: --profile exact",
        )


def convert(corpus: Corpus, settings: ArgumentSettings) -> Corpus:
    """The corpus as it is written in another format, with its words where they stand."""
    from lydite.tasks.placing import placed_corpus

    read = corpus.documents

    def load(doc_id: str) -> Document:
        document = read[doc_id]
        return document._replace(findings=(*document.findings, *left_out(document, settings)))

    said = replace(corpus, documents=LazyDocuments(tuple(read), load))
    return placed_corpus(said, settings, given_text)


ARGUMENTS = Task(
    name="arguments",
    title="Event arguments",
    formats=(*OF_EVENTS, STORE),
    layers=("events", "arguments"),
    default_profile="kbp2014-official",
    settings=SETTINGS,
    headline=headline,
    bind=bind,
    compare=compare,
    settle=settle,
    pair_documents=pair_documents,
    prepare=prepare,
    check=check,
    check_submission=check_submission,
    check_corpora=check_corpora,
    severity=severity,
    remark=remark,
    derive=derive,
    diagnose=diagnose,
    convert=convert,
    examples=(
        ("arguments annotation/ system/", "assessed arguments of 2014"),
        ("arguments annotation/ --runs runs/", "one table, best first"),
        ("arguments annotation/ system/ --profile kbp2015 --linking links/", "linking of 2015"),
        ("arguments gold.jsonl system.jsonl --profile exact", "events with triggers"),
        ("arguments annotation/ system/ --by type,role", "broken down"),
    ),
    cite=("kbp2014arguments", "kbp2015arguments"),
    infer_profile=infer_profile,
    choose_format=choose_format,
    check_agreement=check_agreement,
)
